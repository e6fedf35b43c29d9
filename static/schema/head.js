// The head of the screen: what kind of constraint it is, by which engine, and how that stands.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { counted, seconds } from '../stage/format.js';
import { offered } from './detect.js';
import { weakWords } from './weak.js';
import { prose } from './prose.js';
import { JSON_KINDS, KIND_WORDS, KINDS, specKey } from './state.js';

const HEAD_BLANKS = [['none', 'no blanks'], ['one', 'one blank'], ['flexible', 'up to 8 blanks']];

function options(select, pairs, value) {
  fill(select, pairs.map(([name, title]) => h('option', { value: name }, title)));
  select.value = value;
}

/** The engine by its title; of the automatic choice also what it picked. */
export function engineWords({ constraint, compile }) {
  const title = (constraint && constraint.engine_title) || (compile && compile.engine) || 'The engine';
  return compile && constraint && constraint.engine === 'auto' && compile.engine !== 'auto' ? `${title} (${compile.engine})` : title;
}

/** How long compiling took: what the first question about the constraint saw, since the next ones find it in the cache. */
export function compileWords({ analysis, compiled }) {
  const first = compiled && compiled.key === analysis.key ? compiled : { seconds: analysis.compile.compile_seconds, cached: analysis.compile.cached };
  return first.cached === 'no' ? `compiled in ${seconds(first.seconds)}` : `compiled before (from ${first.cached})`;
}

/** How the constraint stands, as {state, word, words}: state is on, partly, off, never or none. */
export function standing(now) {
  const { analysis, trouble } = now;
  if (trouble) return { state: 'off', word: 'NOT SENT', words: trouble.what };
  if (!analysis) return { state: 'none', word: '', words: 'Reading the constraint …' };
  const engine = engineWords(analysis);
  if (analysis.status === 'unsatisfiable') return { state: 'never', word: 'UNSATISFIABLE', words: 'No string at all satisfies it.' };
  if (analysis.error || !analysis.compile) return { state: 'off', word: 'CONSTRAINT OFF', words: `${analysis.error ? `${analysis.error.what.replace(/[.]$/, '')}. ` : ''}${engine} holds no model to it.` };
  const how = analysis.compile;
  const compiled = `${engine}: ${how.states ? `${counted(how.states, 'state')}, ` : ''}${compileWords(now)}.`;
  const { partly, words } = weakWords(now);
  return { state: partly ? 'partly' : 'on', word: partly ? 'PARTLY ON' : 'CONSTRAINT ON', words: [compiled, words].filter(Boolean).join(' ') };
}

/** Renders the head. kinds: names that can be chosen; engines: [[name, title, about]]; `choose(kind, keep)` changes the kind, `example(name)` starts anew. */
export function mountHead(root, state, { kinds, engines, examples, choose, start, copyLink, openStep, help, caret }) {
  const select = (label, attrs = {}) => h('select', { class: 'pg-select', 'aria-label': label, ...attrs });
  const pills = h('div', { class: 'sc-kinds', role: 'radiogroup', 'aria-label': 'Kind of constraint' }, [...kinds, 'type'].map((kind) => h('button', { type: 'button', class: 'sc-kind', role: 'radio', dataset: { kind }, onclick: () => choose(kind, false) }, KINDS[kind])));
  pills.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = kinds.indexOf(state.get().kind);
    const next = (at + by + kinds.length) % kinds.length;
    choose(kinds[next], false);
    pills.children[next].focus();
  });
  const engine = select('Engine', { onchange: () => state.set({ engine: engine.value, touched: true }) });
  options(engine, engines, state.get().engine);
  const blanks = select('Blanks between JSON tokens', { onchange: () => state.set({ whitespace: blanks.value, touched: true }) });
  options(blanks, HEAD_BLANKS, state.get().whitespace);
  const formats = h('input', { type: 'checkbox', onchange: () => state.set({ formats: formats.checked, touched: true }) });
  const begin = select('Start from an example', { onchange: () => { if (begin.value) start(begin.value); begin.value = ''; } });
  options(begin, [['', 'Start from …'], ...examples.map(({ slug, title }) => [slug, title])], '');
  const link = h('button', { type: 'button', class: 'pg-button', title: 'Constraint and strings travel in the link itself', onclick: copyLink }, 'Copy link');
  const step = h('button', { type: 'button', class: 'pg-button pg-primary', title: 'The constraint into the rail, the selected string into the run', onclick: openStep }, 'Open in Step');
  const keys = h('button', { type: 'button', class: 'pg-link sc-help', onclick: help }, 'Keys');
  const word = h('b', { class: 'sc-standing-word' });
  const words = h('span', null);
  const conflict = h('div', { class: 'sc-conflict', hidden: true });
  const banner = h('div', { class: 'sc-banner', role: 'status' }, word, ' ', words, conflict);
  const offer = h('p', { class: 'sc-offer', role: 'status', hidden: true });
  const note = h('p', { class: 'sc-link-note', role: 'status', hidden: true });
  const about = h('p', { class: 'pg-quiet sc-engine-about' });
  root.append(h('div', { class: 'sc-head-top' }, h('div', { class: 'sc-head-words' }, h('h2', { class: 'sc-title' }, 'Debug a constraint'), h('p', { class: 'pg-quiet' }, 'Paste a JSON Schema, a regex or a grammar: what it allows, what is wrong with it, and what is really enforced. No model is needed.')),
    h('div', { class: 'sc-head-actions' }, begin, link, step)),
  h('div', { class: 'sc-controls' }, pills, h('label', { class: 'sc-labelled' }, 'Engine', engine), h('label', { class: 'sc-labelled sc-blanks' }, 'Blanks', blanks),
    h('label', { class: 'pg-check sc-formats', title: 'The schema judge checks “format” too; the standard leaves that open' }, formats, 'formats asserted'), keys), about, note, offer, banner);

  let shownConflict = null;
  let shownWords = null;
  function update() {
    const now = state.get();
    for (const pill of pills.children) {
      const here = pill.dataset.kind === now.kind;
      // A named type comes from the rail alone.
      setShown(pill, here || pill.dataset.kind !== 'type');
      setAttr(pill, 'aria-checked', here ? 'true' : 'false');
      setAttr(pill, 'tabindex', here ? '0' : '-1');
    }
    if (engine.value !== now.engine) engine.value = now.engine;
    if (blanks.value !== now.whitespace) blanks.value = now.whitespace;
    formats.checked = now.formats;
    const json = JSON_KINDS.includes(now.kind);
    setShown(blanks.parentNode, json);
    setShown(formats.parentNode, json);
    const [, , says] = engines.find(([name]) => name === now.engine) || [];
    setText(about, says || '');
    const better = offered(now.source, now.kind);
    const known = better && kinds.includes(better) ? better : null;
    setShown(offer, Boolean(known));
    if (known && offer.dataset.kind !== known) {
      offer.dataset.kind = known;
      fill(offer, `This looks like ${KIND_WORDS[known]}. `, h('button', { type: 'button', class: 'pg-button pg-button-small', title: 'The text stays as it is', onclick: () => choose(known, true) }, `Switch to ${KINDS[known]}`));
    }
    if (!known) delete offer.dataset.kind;
    const how = standing(now);
    setAttr(banner, 'data-state', how.state);
    setAttr(banner, 'data-stale', !now.trouble && now.analysis && now.analysis.key !== specKey(now));
    setText(word, how.word);
    if (shownWords !== how.words) { shownWords = how.words; fill(words, prose(how.words)); }
    const parts = how.state === 'never' ? now.conflict : null;
    setShown(conflict, Boolean(parts));
    if (parts !== shownConflict) { shownConflict = parts; fill(conflict, parts ? conflictParts(parts, caret) : null); }
    setShown(note, Boolean(now.linkNote));
    setText(note, now.linkNote || '');
    setAttr(note, 'data-bad', now.linkBad);
  }
  state.subscribeLate(update);
  update();
}

function conflictParts({ words, keywords = [], complete }, caret) {
  return [h('p', null, prose(words)), keywords.length ? h('p', { class: 'sc-blame' }, keywords.slice(0, 12).map(({ keyword, line, column, pointer }) => (line ? h('button', { type: 'button', class: 'pg-link', title: pointer, onclick: () => caret(line, column) }, `${keyword}, line ${line}`) : h('code', null, pointer)))) : null,
    complete === false ? h('p', { class: 'pg-faint' }, 'The search was cut: perhaps not all of these are needed.') : null];
}
