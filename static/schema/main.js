// The Schema screen: puts its parts together, asks the server about every edit, and keeps the page in its link.

import { h, setAttr } from '../stage/dom.js';
import { copied, drawDialects, drawExamples, drawTakeaway } from './answers.js';
import { mountAsking } from './asking.js';
import { drawAutomaton } from './automaton.js';
import { drawDifference, mountBetween } from './difference.js';
import { mountEditor } from './editor.js';
import { drawEngines, drawIndex } from './engines.js';
import { mountExplain } from './explain.js';
import { mountHead } from './head.js';
import { drawKeywords, drawLint } from './keywords.js';
import { mountKeys } from './keys.js';
import { pack } from './link.js';
import { mountLinks } from './links.js';
import { mountProblems } from './problem_list.js';
import { railConstraint, railToy, runText } from './rail.js';
import { mountSections } from './sections.js';
import { createState, EMPTY_STRINGS, specKey, specOf } from './state.js';
import { asked, tokenizerOf } from './tokenizer.js';
import { weakerNotice } from './weaker.js';
import { mountStepper } from './stepper.js';
import { mountStrings } from './strings.js';

const MAIN_SIZES = [['narrow', 700], ['small', 980], ['wide', Infinity]];
const MAIN_SEGMENTS = [['schema', 'Schema'], ['strings', 'Strings'], ['explain', 'Explain']];
const MAIN_BECOMING = ['pydantic', 'tool'];
const MAIN_LANGUAGES = { schema: 'json', tool: 'json', pydantic: 'python' };

/** Mounts the screen. server: its calls by name; code: the promise of Gradio's editor; tell: {language, rail, step, run} events to Gradio;
 *  page: {start, starts, kinds, engines, finite, models, labels, rail}. Returns what Gradio's events call. */
export function mount(element, { server, code, tell, page }) {
  const state = createState({ ...page.start, shown: false, selected: 0, formats: false, tokenizer: '', undo: null, linkNote: '', linkBad: false, conflict: null });
  // Each kind keeps its own text and strings while another is on screen.
  const written = {};
  const card = (cls, label) => h('section', { class: `pg-card sc-card ${cls}`, 'aria-label': label });
  const head = h('header', { class: 'sc-head' });
  const slot = h('div', { class: 'sc-editor' });
  const editorCard = card('sc-editor-card', 'Constraint');
  const problems = card('sc-problems-card', 'What is wrong');
  const schemaText = h('pre', { class: 'pg-snippet', tabindex: '0' });
  const becomes = h('details', { class: 'sc-becomes', hidden: true }, h('summary', null, 'The JSON Schema that it becomes'), schemaText);
  const strings = card('sc-strings-card', 'Test strings');
  const explain = card('sc-explain-card', 'In plain words');
  const stepper = card('sc-stepper-card', 'Step through');
  const more = card('sc-more-card', 'More');
  const segments = h('div', { class: 'sc-segments', role: 'group', 'aria-label': 'Part of the screen' }, MAIN_SEGMENTS.map(([name, title]) => h('button', { type: 'button', dataset: { segment: name }, onclick: () => segment(name) }, title)));
  editorCard.append(slot, becomes);
  const root = h('div', { class: 'pg sc', role: 'region', 'aria-label': 'Schema: debug a constraint', dataset: { size: 'wide', segment: 'schema' } }, h('div', { class: 'pg-busy', 'aria-hidden': 'true' }), head,
    h('div', { class: 'sc-parts' }, segments, h('div', { class: 'sc-grid' }, h('div', { class: 'sc-column sc-column-schema' }, editorCard, problems), h('div', { class: 'sc-column sc-column-strings' }, strings), h('div', { class: 'sc-column sc-column-explain' }, explain))),
    stepper, more);
  element.append(root);

  function segment(name) {
    root.dataset.segment = name;
    for (const each of segments.children) setAttr(each, 'aria-pressed', each.dataset.segment === name ? 'true' : 'false');
  }
  segment('schema');

  // Lines of an explanation, a lint row or the stepper are lines of the schema; a Pydantic model or a tool only becomes one.
  const own = () => { const { analysis, kind, source } = state.get(); return analysis ? analysis.schema === null || analysis.schema === source : !MAIN_BECOMING.includes(kind); };
  let editor = null;
  let stood = null;

  function inSchemaText(line) {
    const { analysis } = state.get();
    if (!analysis) return;
    const text = analysis.schema;
    const lines = text.split('\n');
    schemaText.replaceChildren(...lines.flatMap((each, at) => [at + 1 === line ? h('mark', null, each || ' ') : each, at < lines.length - 1 ? '\n' : '']));
    const mark = schemaText.querySelector('mark');
    if (mark && becomes.open) schemaText.scrollTop = mark.offsetTop - schemaText.offsetTop - 60;
  }

  function caret(line, column) {
    if (!line) return;
    if (root.dataset.size === 'narrow') segment('schema');
    if (own()) { if (editor) editor.caret(line, column || 1, { focus: !matchMedia('(pointer: coarse)').matches }); } else { becomes.open = true; inSchemaText(line); }
  }

  function follow(line, column) {
    stood = [line, column];
    if (editor) editor.here(own() ? line : null, column);
    if (line && !own()) inSchemaText(line);
  }

  function point(line, column, pressed) {
    if (pressed) caret(line, column);
    else if (editor && own()) editor.here(line, column);
  }
  explain.addEventListener('mouseleave', () => { if (stood) follow(...stood); });

  function setSource(source) { if (editor) editor.setText(source); else state.set({ source }); }

  // A grammar brings an engine that can run it, and takes it away again.
  let lent = null;
  const engineFor = (kind, engine) => {
    if (kind === 'grammar' && page.finite.includes(engine)) { lent = engine; return 'auto'; }
    const back = kind !== 'grammar' && engine === 'auto' && lent ? lent : engine;
    if (kind !== 'grammar') lent = null;
    return back;
  };

  function choose(kind, keep) {
    const now = state.get();
    if (kind === now.kind) return;
    // What was pasted into the wrong kind's editor is not that kind's text.
    if (!keep) written[now.kind] = { source: now.source, strings: now.strings, selected: now.selected };
    const { source, strings: texts, selected = 0 } = keep ? now : written[kind] || page.starts.find((each) => each.kind === kind) || { source: '', strings: EMPTY_STRINGS };
    state.set({ kind, source, strings: texts, selected, engine: engineFor(kind, now.engine), touched: true, undo: null });
    asking.reset();
    tell.language();
    setSource(source);
  }

  function load({ kind, source, engine, whitespace, formats = false, strings: texts, selected = 0 }, touched) {
    state.set({ kind, source, engine, whitespace, formats, strings: texts, selected, touched, undo: null });
    asking.reset();
    tell.language();
    setSource(source);
  }

  function start(slug) {
    const chosen = page.starts.find((each) => each.slug === slug);
    if (chosen) load({ engine: engineFor(chosen.kind, page.start.engine), whitespace: page.start.whitespace, ...chosen }, true);
  }

  function apply(fix, from = 'problems') {
    const { source, analysis, coverage } = state.get();
    // What the mask held a model to before, to be compared with what it does after.
    const was = analysis && analysis.key === specKey(state.get()) ? { analysis, coverage } : null;
    state.set({ undo: { before: source, after: fix.source, was, from }, touched: true });
    setSource(fix.source);
  }

  const applyBelow = (fix) => apply(fix, 'more');

  function undo() {
    const { undo: back } = state.get();
    state.set({ undo: null });
    if (back) setSource(back.before);
  }

  // What the rail holds from then on is not taken for a newer constraint of this screen.
  function toStep(what) {
    state.set({ touched: true });
    tell.step(what);
    globalThis.playgroundShell.screen('step');
  }
  const openStep = (text) => toStep({ spec: specOf(state.get()), text });
  const demo = ({ demo: { constraint, prompt } }) => toStep({ spec: constraint, text: '', prompt });
  const add = (text, should = 'pass') => { state.addString(text, should); if (root.dataset.size === 'narrow') segment('strings'); };

  // The first to hear of an edit, so that the question is on its way while the others draw.
  const asking = mountAsking(state, server);
  const links = mountLinks(state, { load });
  const keys = mountKeys(root, {
    ...Object.fromEntries(['next', 'back', 'nextToken', 'backToken', 'home', 'end', 'fail'].map((name) => [name, () => steps.commands[name]()])),
    stringNext: () => state.set({ selected: state.get().selected + 1 }), stringBack: () => state.set({ selected: state.get().selected - 1 }),
    add: () => { state.addString('', 'pass'); table.focusSelected(); }, edit: () => { if (editor) editor.focus(); },
  });
  mountHead(head, state, { kinds: page.kinds, engines: page.engines, examples: page.starts, choose, start, copyLink: () => links.copy(copied), openStep: () => openStep((state.string() || { text: '' }).text), help: keys.open, caret });
  const list = mountProblems(problems, state, { go: caret, apply, demo, undo, marks: (marks) => { if (editor) editor.marks(own() ? marks : []); } });
  const table = mountStrings(strings, state, { caret, again: () => asking.again() });
  mountExplain(explain, state, { caret: point });
  const steps = mountStepper(stepper, state, { ask: (payload) => server.stepper(payload), paste: (payload) => server.paste(payload), follow, models: page.models, openStep });

  const text = () => (state.string() || { text: '' }).text;
  const between = mountBetween(state, { ask: tell.run, toy: railToy, models: page.models, openStep: () => openStep(text()), stop: (run) => { server.stop({ run }).catch(() => {}); } });
  // The banner tells of it too.
  async function covered(spec) {
    const asking = specKey(spec);
    const told = (partial) => { const { coverage } = state.get(); if (coverage.asking === asking) state.set({ coverage: { ...coverage, ...partial, asking: null } }); };
    state.set({ coverage: { key: null, rows: null, ...state.get().coverage, asking } });
    try {
      const answer = await server.coverage({ spec });
      told(answer && answer.keywords ? { key: asking, rows: answer.keywords } : {});
      return answer;
    } catch (error) {
      told({});
      throw error;
    }
  }
  let indexPage = 0;
  more.append(weakerNotice(state, 'more', undo));
  const sections = mountSections(more, state, [
    { name: 'keywords', title: 'Keywords', about: 'Each keyword, and whether the engine enforces it: decided by two texts that differ in that keyword alone.', ask: (spec) => covered(spec), draw: (answer, box) => drawKeywords(answer, box, { caret, add }) },
    { name: 'lint', title: 'Lint', about: 'What is odd or risky about the constraint, by rules with stable codes.', draw: (now, box) => drawLint(now, box, { go: caret, apply: applyBelow, demo }) },
    { name: 'examples', title: 'Examples', about: 'Texts that the mask allows. A press adds one to the test strings.', ask: (spec, now) => server.examples({ spec, seed: now.seed || 0 }), key: (now) => `${specKey(now)}${now.seed || 0}`, draw: (answer, box) => drawExamples(answer, box, { add, again: () => state.set({ seed: (state.get().seed || 0) + 1 }) }) },
    { name: 'dialects', title: 'Dialects', about: 'Whether the schema is in the subset that a vendor takes, by the vendor’s own page.', ask: (spec) => server.dialects({ spec }), draw: (answer, box) => drawDialects(answer, box, { caret, apply: applyBelow }) },
    { name: 'difference', title: 'What did my edit change?', about: 'The shortest text that only one of two constraints allows, each way.',
      ask: async (spec, now) => (!now.pinned ? { none: true } : specKey(now.pinned) === specKey(spec) ? { same: true } : server.difference({ left: now.pinned, right: spec })), key: (now) => `${specKey(now)}${now.pinned ? specKey(now.pinned) : ''}`,
      draw: (answer, box) => drawDifference(answer.none ? null : answer, box, { between: between.node, pin: () => state.set({ pinned: specOf(state.get()) }), unpin: () => state.set({ pinned: null }), add, back: () => { const { pinned } = state.get(); load({ ...pinned, formats: state.get().formats, strings: state.get().strings, selected: state.get().selected }, true); } }) },
    { name: 'automaton', title: 'Automaton', about: 'The automaton around the place where the stepper stands, by bytes and by the tokens that are chosen there; whole where it has at most 40 nodes.', ask: (spec, now) => server.graph({ spec, text: steps.before(), tokenizer: asked(now.tokenizer) }), key: (now) => JSON.stringify([specKey(now), now.at, text(), now.tokenizer]), draw: drawAutomaton },
    { name: 'takeaway', title: 'Take away', about: 'The same constraint for other tools, each checked here by parsing or compiling it.', ask: (spec) => server.takeaway({ spec }), draw: drawTakeaway },
    { name: 'engines', title: 'Engines', about: 'Every engine at the place where the stepper stands, over the tokens of a model: what each allows there, and what it costs.', ask: (spec, now) => server.prefix({ spec, text: steps.before(), tokenizer: tokenizerOf(now, page.models) }), key: (now) => JSON.stringify([{ ...specOf(now), engine: '' }, text(), now.at, tokenizerOf(now, page.models)]), draw: drawEngines },
    { name: 'index', title: 'Index', about: 'The automaton as the table that a precomputing engine keeps: for each state, the tokens that it allows.', ask: (spec, now) => server.index({ spec, tokenizer: tokenizerOf(now, page.models), page: indexPage }), key: (now) => JSON.stringify([specKey(now), tokenizerOf(now, page.models)]),
      draw: (answer, box) => drawIndex(answer, box, { turn: (to) => { indexPage = to; sections.refresh('index'); }, open: (at) => server.index_state({ spec: specOf(state.get()), tokenizer: tokenizerOf(state.get(), page.models), state: at }) }) },
  ]);

  let key = null;
  state.subscribeLate(() => {
    const now = state.get();
    if (now.undo && now.source !== now.undo.after) state.set({ undo: null });
    setAttr(root, 'data-busy', now.busy);
    const { analysis } = now;
    const foreign = Boolean(analysis && analysis.schema !== null && analysis.schema !== now.source);
    if (becomes.hidden === foreign) becomes.hidden = !foreign;
    if (foreign && key !== analysis.key) { key = analysis.key; schemaText.textContent = analysis.schema; if (stood) follow(...stood); }
    if (analysis) sections.text('lint', `Lint (${(analysis.lint || []).length})`);
  });

  code.then((node) => {
    slot.append(node);
    editor = mountEditor(node, {
      ready: () => { tell.language(); setTimeout(() => setSource(state.get().source)); },
      edited: (source) => { if (source !== state.get().source) state.set({ source, touched: true }); },
      picked: (line) => list.show(line),
    });
  });

  let width = 0;
  new ResizeObserver(() => {
    width = root.clientWidth;
    if (width) {
      const size = MAIN_SIZES.find(([, below]) => width < below)[0];
      if (root.dataset.size !== size) root.dataset.size = size;
    }
    const shown = width > 0;
    if (shown === state.get().shown) return;
    state.set({ shown });
    // Until something is edited here, the rail's constraint is this screen's too.
    if (shown && !state.get().touched) tell.rail();
  }).observe(root);

  return {
    state,
    /** The editor's language, as Gradio names it. */
    language: () => MAIN_LANGUAGES[state.get().kind] || null,
    /** What the rail holds, by field: taken over when the visitor asks (`forced`), or has edited there and not here. */
    rail(values, forced = false) {
      const held = railConstraint(values, page.labels);
      if (!held || (!forced && (state.get().touched || specKey(held) === specKey(page.rail)))) return;
      if (specKey(held) === specKey(specOf(state.get()))) return;
      load({ ...held, strings: [{ text: runText(held), should: 'pass' }] }, forced);
    },
    /** What is edited here, and putting such a thing in its place: a lesson does. */
    held: () => { const { kind, source, engine, whitespace, formats, strings, selected, touched } = state.get(); return { kind, source, engine, whitespace, formats, strings: strings.map((each) => ({ text: each.text, should: each.should })), selected, touched }; },
    put: (held) => load(held, held.touched !== false),
    /** The hash that opens what is here; the screen reads it by itself. */
    address: async () => `#schema?${await pack(state.get())}`,
    edited: () => { if (editor) editor.look(); },
    show: (value) => { if (value) between.receive(value); },
    notice: (news) => { if (news) between.notice(news); },
  };
}

