// The table twin of the picture of a text's costs: the bits of each token, their running total, and −log₂ Z beside them.

import { h } from '../stage/dom.js';
import { bits, visible } from '../stage/format.js';
import { gradeBadge } from './known.js';

/** The rows of the table, as texts: [name, bits, total, how it is known]. steps: see `waterfall`; zBits: [most, least] of −log₂ Z, null where
 *  infinite; `status` is that of the proof. */
export function waterRows(steps, zBits, status) {
  const number = (b) => (b > 0 && b < 0.005 ? '< 0.01' : b.toFixed(2));
  const [high, low] = zBits.map((each) => (each === null ? '∞' : number(each)));
  const z = high === low ? high : `${low} to ${high}`;
  return [...steps.map((step) => [visible(step.token) || '∅', number(step.bits), number(step.to), 'one row']),
    ['∏ Z, in all', steps.length ? number(steps[steps.length - 1].to) : '0', '', 'one row each'], ['−log₂ Z', z, '', status]];
}

/** The table. */
export function waterTable(steps, zBits, status) {
  const rows = waterRows(steps, zBits, status);
  const total = steps.length ? bits(steps[steps.length - 1].to) : '';
  return h('table', { class: 'pg-table' }, h('caption', null, `Bits that the mask takes on the way${total ? `: ${total} in all` : ''}. A step’s number comes from one row of the model.`),
    h('thead', null, h('tr', null, ['token', 'bits', 'so far', 'known'].map((each, i) => h('th', { scope: 'col', class: i === 1 || i === 2 ? 'pg-num' : null }, each)))),
    h('tbody', null, rows.map(([name, own, sum, how], i, { length }) => h('tr', null, h('th', { scope: 'row' }, i < steps.length ? h('code', null, name) : name), h('td', { class: 'pg-num' }, own), h('td', { class: 'pg-num' }, sum),
      h('td', null, i === length - 1 ? h('span', { class: 'sq-badge', 'data-status': how, title: gradeBadge(how).title }, gradeBadge(how).word) : how)))));
}
