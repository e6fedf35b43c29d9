// The keywords of a schema, and whether the engine enforces them, with the pairs of texts that showed it; the lint in full.

import { h, fill } from '../stage/dom.js';
import { counted, visible } from '../stage/format.js';
import { legible, prose } from './prose.js';
import { problemItem } from './problem_list.js';
import { pathOf } from './places.js';
import { problemsOf } from './problems.js';

const KEYWORDS_ORDER = ['not enforced', 'unknown keyword', 'partly', 'undecided', 'enforced', 'annotation'];
const KEYWORDS_WORDS = { 'not enforced': 'NOT ENFORCED', 'unknown keyword': 'unknown keyword', partly: 'partly', undecided: 'undecided', enforced: 'enforced', annotation: 'no demand' };
const KEYWORDS_SHOWN = 400;
// From so many on, what is in order is folded.
const KEYWORDS_FEW = 20;

function witness({ valid, invalid, valid_allowed: takesValid, invalid_allowed: takesInvalid }, add) {
  const line = (text, should, allowed) => (text === null || text === undefined ? null : h('div', { class: 'sc-witness' }, h('span', { class: 'sc-witness-word' }, should === 'pass' ? 'valid' : 'invalid'),
    h('button', { type: 'button', class: 'sc-witness-text', title: 'Add it to the test strings', onclick: () => add(text, should) }, h('code', null, visible(text.slice(0, 200)))), h('span', { class: 'pg-faint' }, allowed ? 'the mask allows it' : 'the mask blocks it')));
  return [line(valid, 'pass', takesValid), line(invalid, 'fail', takesInvalid)];
}

/** The counts of a coverage in words: "12 keywords: 9 enforced, 2 not enforced, 1 unknown keyword". */
export function coverageWords(rows) {
  const parts = KEYWORDS_ORDER.map((status) => [rows.filter((row) => row.status === status).length, status]).filter(([n]) => n);
  return `${counted(rows.length, 'keyword')}: ${parts.map(([n, status]) => `${n} ${status === 'annotation' ? 'without a demand' : status}`).join(', ')}.`;
}

function rowOf(row, { caret, add }) {
  return h('tr', { dataset: { status: row.status } },
    h('th', { scope: 'row' }, h('code', null, row.keyword), row.pointer ? h('span', { class: 'sc-place' }, legible(pathOf(row.pointer))) : null),
    h('td', null, row.line ? h('button', { type: 'button', class: 'pg-link', title: row.pointer, onclick: () => caret(row.line, row.column) }, String(row.line)) : h('code', { class: 'pg-faint' }, row.pointer || '')),
    h('td', null, h('span', { class: 'sc-status', dataset: { status: row.status } }, KEYWORDS_WORDS[row.status] || row.status)),
    h('td', null, prose(row.how), row.witnesses && row.witnesses.length ? h('details', { class: 'sc-witnesses', open: row.status === 'not enforced' || row.status === 'partly' },
      h('summary', null, row.witnesses.length === 1 ? 'One pair of texts' : `${row.witnesses.length} pairs of texts`), row.witnesses.slice(0, 2).map((each) => witness(each, add))) : null));
}

function table(rows, actions) {
  return h('div', { class: 'pg-scroll' }, h('table', { class: 'pg-table sc-keywords' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Keyword'), h('th', { scope: 'col' }, 'Line'), h('th', { scope: 'col' }, 'Status'), h('th', { scope: 'col' }, 'How, and what showed it'))),
    h('tbody', null, rows.slice(0, KEYWORDS_SHOWN).map((row) => rowOf(row, actions)))), rows.length > KEYWORDS_SHOWN ? h('p', { class: 'pg-quiet' }, `${rows.length - KEYWORDS_SHOWN} more are not drawn.`) : null);
}

/** Draws the coverage into `box`: first what is not simply enforced. `caret(line, column)` points into the editor, `add(text, should)` takes
 *  a text over as a test string. */
export function drawKeywords({ keywords }, box, actions) {
  if (!keywords.length) { fill(box, h('p', { class: 'pg-quiet' }, 'A constraint of this kind has no keywords: the mask is the constraint.')); return; }
  const rows = [...keywords].sort((a, b) => KEYWORDS_ORDER.indexOf(a.status) - KEYWORDS_ORDER.indexOf(b.status) || (a.line || 0) - (b.line || 0));
  const few = rows.length <= KEYWORDS_FEW;
  const of = (...statuses) => rows.filter(({ status }) => statuses.includes(status));
  // What the visitor has opened stays open when the table is drawn anew.
  const opened = box.opened || (box.opened = new Set());
  const fold = (name, words, some) => (some.length ? h('details', { class: 'sc-keyword-fold', open: opened.has(name), ontoggle: ({ target }) => { if (target.open) opened.add(name); else opened.delete(name); } }, h('summary', null, words(some.length)), table(some, actions)) : null);
  const open = few ? rows : rows.filter(({ status }) => status !== 'enforced' && status !== 'annotation');
  fill(box, h('p', { class: 'sc-summary' }, coverageWords(keywords)), open.length ? table(open, actions) : null,
    few ? null : [fold('enforced', (n) => `${n} enforced`, of('enforced')), fold('annotation', (n) => `${n} without a demand`, of('annotation'))]);
}

/** Draws every row of the lint, hints included, from the state. */
export function drawLint(now, box, actions) {
  const about = now.analysis;
  if (box.lintOf === about) return;
  box.lintOf = about;
  const rows = problemsOf(about && { lint: about.lint }, now.source);
  if (!rows.length) { fill(box, h('p', { class: 'pg-quiet' }, about ? 'The lint has nothing to say about this constraint.' : 'Nothing was looked at yet.')); return; }
  fill(box, h('ul', { class: 'sc-problem-list sc-lint' }, rows.map((row) => problemItem(row, actions))));
}
