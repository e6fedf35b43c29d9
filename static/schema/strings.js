// The table of test strings: what each should do, and what both judges say of it.

import { h, fill, icon, keyed, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted, visible } from '../stage/format.js';
import { readMany, writtenMany } from './many.js';
import { answered, EMPTY_STRINGS, JSON_KINDS, judgedKey, LIMITS, tooLong } from './state.js';
import { partNodes, prose, sentence } from './prose.js';
import { asExpected, branchesOf, tallyWords, verdictParts, verdictWord } from './verdict.js';

const STRINGS_STANDING = { true: ['as it should be', '✓'], false: ['not as it should be', '✕'], null: ['undecided', '?'] };
const STRINGS_LINES = 8;
// So long the verdict of the text before is left, greyed, while a new one is under way.
const STRINGS_LEFT_MS = 400;

function errorItem(error) {
  const { closest, others } = branchesOf(error);
  const branch = (each) => h('li', null, h('span', { class: 'sc-branch' }, each.title), h('ul', null, (each.errors || []).slice(0, 5).map(errorItem)));
  const path = error.instance_path && error.instance_path !== '$' ? h('span', { class: 'pg-faint' }, ` at ${error.instance_path}`) : null;
  return h('li', null, prose(error.message), path, ' ', error.line ? h('button', { type: 'button', class: 'pg-link', dataset: { line: error.line, column: error.column } }, `${error.keyword}, line ${error.line}`) : null,
    closest ? h('ul', null, branch(closest)) : null,
    others.length ? h('details', null, h('summary', null, `${others.length} other branch${others.length === 1 ? '' : 'es'}`), h('ul', null, others.slice(0, 20).map(branch))) : null);
}

function judgeLine(name, title, verdict) {
  return h('p', { class: 'sc-judge' }, h('span', { class: 'sc-judge-name', title }, name), ' ', h('span', { class: 'pg-verdict', dataset: { status: verdict.status } }, verdictWord(verdict)), ' ', h('span', { class: 'sc-judge-words' }, partNodes(verdictParts(verdict))));
}

function certainWords({ closed = [], open = null, missing = [] }) {
  return [closed.length ? [h('b', null, 'Already decided: '), closed.slice(0, 8).map(({ path, text }, at) => [at ? ', ' : '', h('code', { class: 'pg-tok' }, `${path} = ${text.slice(0, 40)}`)]), closed.length > 8 ? ` and ${closed.length - 8} more` : ''] : null,
    open ? [closed.length ? '. ' : '', h('b', null, 'Being written: '), h('code', { class: 'pg-tok' }, open.path)] : null,
    missing.length ? [closed.length || open ? '. ' : '', h('b', null, 'Still to come: '), missing.slice(0, 8).join(', ')] : null];
}

/** What is said under one string, from its judged document. */
function said(judged, open) {
  const { mask, reference, finding, certain, remarks = [] } = judged;
  const same = mask && reference && mask.status === reference.status && mask.status === 'valid';
  const errors = (reference && reference.errors) || [];
  return [
    same ? h('p', { class: 'sc-judge' }, h('span', { class: 'sc-judge-name' }, 'Both judges'), ' ', h('span', { class: 'pg-verdict', dataset: { status: 'valid' } }, 'VALID')) : [
      mask ? judgeLine('Mask', 'What the engine lets a model write', mask) : null,
      reference ? judgeLine('Schema', `What the standard says: ${reference.judge || 'the reference validator'}`, reference) : null],
    finding ? h('div', { class: 'sc-finding' }, h('b', null, prose(sentence(finding.words))),
      (finding.keywords || []).some(({ line }) => line) ? h('p', { class: 'sc-blame' }, finding.keywords.slice(0, 4).filter(({ line }) => line).map(({ keyword, line, column }) => h('button', { type: 'button', class: 'pg-link', dataset: { line, column } }, `${keyword}, line ${line}`))) : null,
      finding.note ? h('p', null, prose(finding.note)) : null) : null,
    remarks.length ? h('p', { class: 'sc-remarks' }, prose(sentence(`${remarks.join('; ').replace(/\.$/, '')}.`))) : null,
    open && certain && mask && (mask.status === 'incomplete' || (mask.status !== 'valid' && (certain.open || certain.missing.length))) ? h('p', { class: 'sc-certain' }, certainWords(certain)) : null,
    open && errors.length ? h('details', { class: 'sc-errors', open: errors.length > 1 || errors.some((each) => (each.branches || []).length) }, h('summary', null, `What the schema forbids (${errors.length})`), h('ul', null, errors.slice(0, 12).map(errorItem))) : null,
  ];
}

/** Renders the table into `root`. `caret(line, column)` moves the editor's cursor; `again()` asks for what got no answer. */
export function mountStrings(root, state, { caret, again }) {
  const tally = h('span', { class: 'sc-tally', role: 'status' });
  const list = h('ol', { class: 'sc-strings' });
  const add = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => { state.addString('', 'pass'); focusSelected(); } }, '+ Add a string');
  const many = h('button', { type: 'button', class: 'pg-link', title: 'JSON values, JSON lines, or one string a line', onclick: () => { setShown(paste, paste.hidden); told(''); if (!paste.hidden) area.focus(); } }, 'Paste many');
  const clear = h('button', { type: 'button', class: 'pg-link', title: 'Remove every test string', onclick: () => state.set({ touched: true, strings: EMPTY_STRINGS, selected: 0 }) }, 'Clear');
  const area = h('textarea', { rows: 4, class: 'sc-many', spellcheck: 'false', 'aria-label': 'Strings to add', placeholder: 'JSON values, JSON lines like {"text": "…", "valid": false}, or one string a line', oninput: foresee });
  const how = h('select', { class: 'pg-select', 'aria-label': 'How to read them', onchange: foresee }, h('option', { value: 'found' }, 'as it looks'), h('option', { value: 'lines' }, 'one a line'), h('option', { value: 'whole' }, 'as one string'));
  const seen = h('p', { class: 'pg-quiet sc-seen', role: 'status' });
  const took = h('p', { class: 'sc-took', role: 'status', hidden: true });
  const should = h('select', { class: 'pg-select', 'aria-label': 'What they should do' }, h('option', { value: 'pass' }, 'should pass'), h('option', { value: 'fail' }, 'should fail'));
  const paste = h('div', { class: 'sc-paste', hidden: true }, area, seen, h('div', { class: 'sc-paste-row' }, how, should, h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: addMany }, 'Add them')));
  root.append(h('header', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Test strings'), h('span', { class: 'pg-gap' }), clear, many, add), h('p', { class: 'sc-tally-line' }, tally), took, paste, list);

  function addMany() {
    const { strings: read, from } = reading();
    const { strings } = state.get();
    const kept = strings.filter(({ text }) => text !== '');
    const added = read.slice(0, LIMITS.strings - kept.length).map((each) => ({ text: each.text, should: each.should || should.value }));
    const left = read.slice(added.length);
    area.value = writtenMany(left);
    how.value = 'found';
    if (added.length) state.set({ touched: true, strings: [...kept, ...added], selected: kept.length });
    told([added.length ? `${counted(added.length, 'string')} read from ${from}.` : '', left.length ? `${counted(left.length, 'string')} not added: at most ${count(LIMITS.strings)} are judged.` : ''].filter(Boolean).join(' '));
    foresee();
    if (!area.value) setShown(paste, false);
  }

  function reading() { return readMany(area.value, { json: JSON_KINDS.includes(state.get().kind), how: how.value }); }

  // What "Add them" would add.
  function foresee() {
    const { strings, from } = reading();
    setText(seen, strings.length ? `Read as ${counted(strings.length, 'string')}, from ${from}.` : '');
  }

  function told(words) { setText(took, words); setShown(took, Boolean(words)); }

  function focusSelected() {
    queueMicrotask(() => { const row = list.children[state.get().selected]; if (row) row.querySelector('textarea').focus(); });
  }

  // Where the browser does it by itself, nothing has to be measured.
  const grows = globalThis.CSS && CSS.supports('field-sizing', 'content');
  function grow(box) {
    if (grows) return;
    const lines = box.value.split('\n').length;
    box.rows = Math.min(STRINGS_LINES, lines);
    if (box.scrollHeight > box.clientHeight + 2 && box.rows < STRINGS_LINES && box.clientHeight) {
      box.rows = Math.min(STRINGS_LINES, Math.max(lines, Math.ceil(box.scrollHeight / 19)));
    }
  }

  function make(each) {
    const box = h('textarea', { class: 'sc-text', rows: 1, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off',
      oninput: () => { grow(box); state.editString(each.id, { text: box.value }); }, onfocus: () => choose(each.id) });
    const mark = h('span', { class: 'sc-standing', role: 'img' });
    const toggle = h('button', { type: 'button', class: 'sc-should', onclick: () => {
      const now = state.get().strings.find(({ id }) => id === each.id);
      if (now) state.editString(each.id, { should: now.should === 'pass' ? 'fail' : 'pass' });
    } });
    const remove = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Remove this string', title: 'Remove', onclick: () => state.removeString(each.id) }, icon('close'));
    const words = h('div', { class: 'sc-said', onclick: (event) => { const link = event.target.closest('[data-line]'); if (link && link.dataset.line) caret(Number(link.dataset.line), Number(link.dataset.column) || 1); } });
    const row = h('li', { class: 'sc-string', onclick: (event) => { if (!event.target.closest('button,textarea,summary,a')) choose(each.id); } }, mark, box, toggle, remove, words);
    Object.assign(row, { parts: { box, mark, toggle, words }, shown: null, leaving: null });
    return row;
  }

  function choose(id) {
    const at = state.get().strings.findIndex((each) => each.id === id);
    if (at >= 0 && at !== state.get().selected) state.set({ selected: at });
  }

  // What stands under a string without a verdict: why there is none, or for a moment what was said of the text before.
  function without(row, each, now) {
    const { words } = row.parts;
    const long = tooLong(each.text);
    const failed = !long && answered(now, each.text) ? now.judged.error : null;
    const why = long || failed;
    if (why) {
      if (row.shown === why) return why;
      row.shown = why;
      fill(words, h('p', { class: 'sc-unjudged' }, prose(long || `Not judged. ${failed.what} ${failed.hint || ''}`), failed ? [' ', h('button', { type: 'button', class: 'pg-link', onclick: again }, 'Ask again')] : null));
      return why;
    }
    if (row.leaving === null && row.shown !== null) {
      row.leaving = setTimeout(() => { row.leaving = null; row.shown = null; fill(words, h('p', { class: 'sc-unjudged' }, 'Being judged …')); }, STRINGS_LEFT_MS);
    }
    return null;
  }

  function update() {
    const now = state.get();
    const verdicts = (now.judged && now.judged.byText) || new Map();
    const of = ({ text }) => verdicts.get(text) || null;
    setAttr(list, 'data-stale', Boolean(now.judged) && now.judged.key !== judgedKey(now));
    // While a verdict is under way the tally waits too.
    if (!now.judged || now.strings.every((each) => of(each) || answered(now, each.text))) setText(tally, now.judged ? tallyWords(now.strings, now.strings.map(of)) : '');
    keyed(list, now.strings, ({ id }) => id, make, (row, each, at) => {
      const { box, mark, toggle, words } = row.parts;
      const judged = of(each);
      const selected = at === now.selected;
      if (box.value !== each.text) { box.value = each.text; }
      grow(box);
      setAttr(box, 'aria-label', `Test string ${at + 1}`);
      setAttr(box, 'placeholder', each.text === '' ? 'the empty string' : null);
      setAttr(row, 'aria-current', selected ? 'true' : null);
      const why = judged ? null : without(row, each, now);
      if ((judged || why) && row.leaving !== null) { clearTimeout(row.leaving); row.leaving = null; }
      setAttr(row, 'data-stale', !judged && !why);
      const [title, sign] = judged ? STRINGS_STANDING[asExpected(judged, each.should)] : why ? ['not judged', '–'] : ['being judged', '·'];
      setText(mark, sign);
      setAttr(mark, 'aria-label', title);
      setAttr(mark, 'title', title);
      setAttr(mark, 'data-standing', judged ? String(asExpected(judged, each.should)) : 'none');
      setText(toggle, each.should === 'pass' ? 'should pass' : 'should fail');
      setAttr(toggle, 'data-should', each.should);
      setAttr(toggle, 'title', 'Press to change what it should do');
      if (judged && (row.shown !== judged || row.wasSelected !== selected)) { row.shown = judged; row.wasSelected = selected; fill(words, said(judged, selected)); }
    });
    add.disabled = now.strings.length >= LIMITS.strings;
    setAttr(add, 'title', add.disabled ? `At most ${count(LIMITS.strings)}` : 'A');
  }
  state.subscribe(update);
  update();
  return { focusSelected };
}

/** A string's short name: its beginning, whitespace visible. */
export function shortName(text) {
  const shown = visible(text.slice(0, 60));
  return shown.length < text.length || text.length > 60 ? `${shown}…` : shown || 'the empty string';
}
