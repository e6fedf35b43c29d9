// Small parts that the Levels screen is made of: bars with intervals, tables that stack on a phone, number inputs.

import { h, setAttr, setShown, setText } from '../stage/dom.js';
import { TITLES } from './words.js';

export const LEVEL_MARKS = { ask: 'is-ask', prefill: 'is-given', retry: 'is-retry', strict: 'is-strict', parallel: 'is-retry' };

let partsNotes = 0;

/** The sign of a level: hollow asks, hollow with a brace is given one, a dot retries, solid is masked. */
export function levelKey(label) {
  return h('i', { class: `lv-key ${LEVEL_MARKS[label] || ''}`, 'aria-hidden': 'true' }, label === 'prefill' ? '{' : null);
}

/** A level as the head of a row or card: its sign, number and title. */
export function levelHead(level, label) {
  return [levelKey(label), level === 'parallel' ? TITLES[label] : `${level} · ${TITLES[label]}`];
}

/** A bar from 0 to `share` of its width, with a whisker from `lower` to `upper`; decoration beside the number in words. */
export function bar(share, { mark = '', lower = null, upper = null, limit = null } = {}) {
  const part = (x) => `${100 * Math.max(0, Math.min(1, x))}%`;
  return h('span', { class: `lv-bar ${mark}`, 'aria-hidden': 'true' },
    share > 0 ? h('i', { style: { width: part(share) } }) : null,
    lower === null || upper === null ? null : h('b', { style: { left: part(lower), width: part(Math.min(1, upper) - lower) } }),
    limit === null || limit > 1 ? null : h('u', { style: { left: part(limit) } }));
}

/** A table; `head` names its columns, a row is an array of cells (nodes or text), the first one its head. A phone shows a row as a card. */
export function table(caption, head, rows, { spoken = true, name = '' } = {}) {
  return h('table', { class: `pg-table lv-table ${name}` },
    h('caption', spoken ? { class: 'pg-spoken' } : null, caption),
    h('thead', null, h('tr', null, head.map((each) => h('th', { scope: 'col' }, each)))),
    h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell, at) => (at ? h('td', { 'data-label': head[at] }, cell) : h('th', { scope: 'row' }, cell)))))));
}

/** What an input takes, in words, and the number that still counts while it holds another. */
export function allowedWords({ least, most, unit = '', whole = false, optional = false }, last) {
  const after = unit ? ` ${unit}` : '';
  const number = (x) => x.toLocaleString('en', { maximumFractionDigits: 9 });
  const kept = last === null ? 'no limit' : `${number(last)}${after}`;
  return `${whole ? 'A whole number from' : 'From'} ${number(least)} to ${number(most)}${after}${optional ? ', or nothing for no limit' : ''}. The results are still for ${kept}.`;
}

/** A labelled number input. `change(value)` hears each number within bounds (and null for an empty one, where `optional`); of another it
 *  is said what is allowed, and it is not passed on. Returns {node, put(value)}. */
export function numberField(label, { least, most, unit = '', optional = false, whole = false, change }) {
  const note = h('span', { class: 'lv-field-note', id: `lv-note-${(partsNotes += 1)}`, 'aria-live': 'polite', hidden: true });
  let last = null;
  const tell = (good) => {
    setAttr(input, 'aria-invalid', good ? null : 'true');
    setAttr(input, 'aria-describedby', good ? null : note.id);
    setText(note, good ? '' : allowedWords({ least, most, unit, whole, optional }, last));
    setShown(note, !good);
  };
  const input = h('input', { type: 'number', class: 'lv-number', min: least, max: most, step: 'any', inputmode: whole ? 'numeric' : 'decimal', placeholder: optional ? 'none' : null,
    oninput: () => {
      const text = input.value.trim();
      const value = text === '' ? null : Number(text);
      const good = value === null ? optional && !input.validity.badInput : Number.isFinite(value) && value >= least && value <= most && (!whole || Number.isInteger(value));
      tell(good);
      if (good) change(value);
    } });
  const node = h('div', { class: 'lv-field' }, h('label', { class: 'lv-field-label' }, h('span', { class: 'lv-field-name' }, label), h('span', { class: 'lv-field-box' }, input, unit ? h('span', { class: 'pg-faint' }, unit) : null)), note);
  return {
    node,
    put(value) {
      last = value === null ? null : Number(Number(value).toPrecision(12));
      if (document.activeElement === input) return;
      const text = last === null ? '' : String(last);
      if (input.value !== text) input.value = text;
      tell(true);
    },
  };
}

/** A panel of the screen: a card with a title and a sentence or two. Returns {node, body}. */
export function panel(name, title, about) {
  const body = h('div', { class: 'lv-panel-body' });
  const node = h('section', { class: `pg-card pg-panel lv-panel lv-${name}`, 'aria-label': title }, h('h3', { class: 'pg-card-title lv-panel-title' }, title), about ? h('p', { class: 'pg-quiet lv-about' }, about) : null, body);
  return { node, body };
}
