// What is drawn in the tabs Examples, Dialects and Take away.

import { h, fill } from '../stage/dom.js';
import { visible } from '../stage/format.js';
import { prose } from './prose.js';

const ANSWERS_KINDS = { shortest: 'Shortest', typical: 'Typical', longest: 'Longest', adversarial: 'Adversarial' };

function copyButton(text, label = 'Copy') {
  const button = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: async () => { button.textContent = await copied(text) ? 'Copied' : 'Select it and copy'; setTimeout(() => { button.textContent = label; }, 1600); } }, label);
  return button;
}

/** Puts text on the clipboard; false where the browser doesn't let the page. */
export async function copied(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { return false; }
}

/** Draws the examples; `add(text)` takes one over as a test string. */
export function drawExamples({ examples }, box, { add, again }) {
  fill(box, h('div', { class: 'sc-example-list' }, examples.map(({ kind, text, note }) => h('div', { class: 'sc-example' }, h('span', { class: 'sc-example-kind' }, ANSWERS_KINDS[kind] || kind),
    h('button', { type: 'button', class: 'sc-example-text', title: 'Add it to the test strings', onclick: () => add(text) }, h('code', null, visible(text.slice(0, 400)) || 'the empty string'), text.length > 400 ? ` … ${text.length} characters` : null), note ? h('p', { class: 'pg-faint' }, prose(note)) : null))),
  examples.length ? null : h('p', { class: 'pg-quiet' }, 'No example was found.'), h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: again }, 'Other examples'));
}

/** Draws the vendors' subsets; `apply(fix)` puts the changed schema into the editor. */
export function drawDialects({ dialects }, box, { caret, apply }) {
  if (!dialects.length) { fill(box, h('p', { class: 'pg-quiet' }, 'Only a JSON Schema can be held against the vendors’ subsets.')); return; }
  fill(box, dialects.map(({ name, fits, problems, fixed, as_of: asOf, source, notes = [], silences = [] }) => h('section', { class: 'sc-dialect', 'aria-label': name },
    h('div', { class: 'sc-dialect-head' }, h('h4', null, name), h('span', { class: 'sc-status', dataset: { status: fits ? 'enforced' : 'not enforced' } }, fits ? 'fits' : `does not fit: ${problems.length}`),
      fixed ? h('button', { type: 'button', class: 'pg-button pg-button-small', title: fixed.title, onclick: () => apply(fixed) }, 'Apply the rewritten schema') : null),
    problems.length ? h('ul', null, problems.slice(0, 40).map(({ keyword, line, column, message }) => h('li', null, line ? [h('button', { type: 'button', class: 'pg-link', onclick: () => caret(line, column) }, `line ${line}`), ' '] : null, keyword && !message.startsWith(`\`${keyword}\``) ? [h('code', null, keyword), ': '] : null, prose(message))), problems.length > 40 ? h('li', { class: 'pg-faint' }, `and ${problems.length - 40} more`) : null) : null,
    fixed ? h('p', { class: 'pg-quiet' }, prose(fixed.title)) : null, notes.map((note) => h('p', { class: 'pg-quiet' }, prose(note.message ?? note))),
    silences.length ? h('details', { class: 'sc-silences' }, h('summary', null, 'What the page doesn’t say'), h('ul', null, silences.map((each) => h('li', null, prose(each.message ?? each))))) : null,
    h('p', { class: 'pg-faint' }, `${source} (${asOf})`))));
}

/** Draws the constraint in other tools' words. */
export function drawTakeaway({ takeaway }, box) {
  fill(box, takeaway.map(({ name, text, checked, note, error }) => h('section', { class: 'sc-take', 'aria-label': name },
    h('div', { class: 'sc-take-head' }, h('h4', null, name), error ? null : copyButton(text)),
    error ? h('p', { class: 'sc-take-error' }, prose(error)) : [h('pre', { class: 'pg-snippet', tabindex: '0' }, text), checked ? h('p', { class: 'pg-faint' }, prose(checked)) : null, note ? h('p', { class: 'pg-quiet' }, prose(note)) : null])));
}
