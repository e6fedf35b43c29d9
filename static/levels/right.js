// Valid is not right: what the outputs of each level come to where the right answer is known.

import { h, fill, setShown } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { levelHead, panel, table } from './parts.js';
import { measured, rateWords } from './words.js';

const RIGHT_PARTS = [['right', 'valid and right'], ['wrong', 'valid and wrong'], ['valid', 'valid, no right answer known'], ['invalid', 'invalid'], ['truncated', 'truncated']];

/** What the outputs of a level come to: [{name, words, count, share}], without those that never came. */
export function sharesOf({ categories }) {
  return RIGHT_PARTS.map(([name, words]) => ({ name, words, count: categories[name].count, share: categories[name].value || 0 })).filter((each) => each.count);
}

function rightBar(summary) {
  const parts = sharesOf(summary);
  return h('span', { class: 'lv-stack', 'aria-hidden': 'true' }, parts.map(({ name, words, count: times, share }) => h('i', { dataset: { part: name }, title: `${words}: ${count(times)}`, style: { width: `${100 * share}%` } }, share > 0.08 ? count(times) : null)));
}

function rightRate(rate) {
  const { value, of, interval } = rateWords(rate);
  return rate.n ? `${value}, ${of}${interval ? ` (${interval})` : ''}` : '–';
}

/** Renders the panel into `root`. */
export function mountRight(root, store, { actions }) {
  const { node, body } = panel('right', 'Valid is not right', 'Level 3 guarantees syntax and the schema, nothing else: a valid answer can hold a wrong value, and no mask can see that.');
  root.append(node);
  let seen = null;
  const update = () => {
    const { doc } = store.get();
    setShown(root, Boolean(doc && doc.drawn));
    if (!doc || seen === doc) return;
    seen = doc;
    if (!doc.gold) {
      fill(body, h('p', null, 'Nobody has told the right answer to this prompt, so nothing can be said of it here. The built-in sets have right answers.'),
        h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => actions.choose('tickets-hand') }, 'Choose the support tickets'));
      return;
    }
    const rows = doc.levels.map((level) => ({ ...level, summary: measured(doc, level.label) })).filter(({ summary }) => summary);
    fill(body, h('ul', { class: 'lv-legend', 'aria-hidden': 'true' }, RIGHT_PARTS.filter(([name]) => rows.some(({ summary }) => summary.categories[name].count)).map(([name, words]) => h('li', null, h('i', { dataset: { part: name } }), words))),
      table('Valid and right by level', ['Level', 'Of all outputs', 'Valid', 'Right, of all', 'Right, of the valid'], rows.map(({ level, label, summary }) => [
        levelHead(level, label), rightBar(summary), rightRate(summary.valid), rightRate(summary.right), rightRate(summary.right_when_valid)]), { name: 'lv-rights' }),
      h('p', { class: 'pg-quiet' }, 'Right: every field has the value of the right answer. Intervals are Clopper-Pearson, 95 %.'));
  };
  store.subscribe(update);
  update();
}
