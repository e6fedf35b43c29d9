// A field of the maker with its label.

import { h } from '../stage/dom.js';

/** `node` under the words that label it. */
export function labelled(label, node) {
  return h('label', { class: 'lesson-field' }, h('span', null, label), node);
}
