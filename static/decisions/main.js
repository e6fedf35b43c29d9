// The Decisions screen: puts its parts together, asks for runs, and keeps heads as the visitor's own files.

import { provenanceLine } from '../stage/caption.js';
import { fill, h, setAttr, setText } from '../stage/dom.js';
import { runName } from '../stage/names.js';
import { createState } from '../compare/state.js';
import { mountAgainst } from './against.js';
import { mountAsk } from './ask.js';
import { mountDecided } from './decided.js';
import { choicesOf, mountExplained } from './explained.js';
import { base64Of, fileRefusal, saveHead } from './head_file.js';
import { misfit } from '../links/pack.js';
import { mountExports } from '../export/main.js';
import { decisionsTables } from '../export/tables.js';
import { keepForm, keptForm } from './kept.js';
import { formOf, formPart } from './link.js';
import { mountMeasured } from './measured.js';
import { PLACES, mountPlaces } from './places.js';
import { mountPositions } from './positions.js';
import { mountScores } from './scores.js';
import { mountTogether } from './together.js';
import { mountTrain } from './train.js';
import { mountTypes } from './types.js';
import { specOf } from './spec.js';
import { chosenType, createRuns, empty, headOf, orderOf, typeKey, typePart } from './state.js';

/** The requests of the screen. runs: as `createRuns` makes them. Returns the actions that its parts call. */
function mainActions(store, runs) {
  const about = (more = {}) => ({ key: typeKey(store.get()), ...more });
  const refuse = runs.refuse;
  const sent = (head) => (head.origin === 'recorded' ? null : head.base64);
  return {
    stop: runs.stop,
    type: (type) => store.set(chosenType(store.get(), type)),
    dismiss: (task) => refuse(task, null),
    check: () => { const { schema } = store.get(); runs.start('check', { schema }, about({ schema })); },
    example: (id) => { const { text } = store.get().page.examples.find((each) => each.id === id); store.set({ example: id, text }); },
    order: (order) => store.set({ order }),
    decide() {
      const state = store.get();
      const head = headOf(state);
      runs.start('decide', { ...typePart(state), text: state.text, head: sent(head) }, about({ head: head.base64, text: state.text }));
    },
    score() {
      const state = store.get();
      runs.start('score', { ...typePart(state), text: state.text, mode: state.mode, order: state.mode === 'autoregressive' ? orderOf(state) : [], normalised: state.normalised }, about({ text: state.text }));
    },
    /** Lets the model write the free texts of an own schema, with the decided options given. */
    explain() {
      const { checked, scores, text } = store.get();
      runs.start('explain', { schema: checked.schema, text, choices: choicesOf(scores, checked.type.fields) }, about({ text }));
    },
    train() {
      const state = store.get();
      const { form, page } = state;
      store.set({ training: null });
      runs.start('train', { ...typePart(state), size: form.size, spec: specOf(form, page.defaults, orderOf(state)) }, about());
    },
    /** Fine-tunes a head from a file whose schema lacked only options. */
    widen() {
      const state = store.get();
      const { form, page, offered } = state;
      store.set({ training: null });
      runs.start('train', { ...typePart(state), size: form.size, spec: specOf(form, page.defaults, orderOf(state)), widen: offered.head }, about());
      refuse('open', null); // the offer is taken
    },
    evaluate() {
      const state = store.get();
      const head = headOf(state);
      runs.start('evaluate', { ...typePart(state), head: sent(head), n: state.tickets, costs: Object.keys(state.costs).length ? state.costs : null }, about({ head: head.base64 }));
    },
    table: () => runs.start('table', { n: store.get().n, size: store.get().read }, about()),
    download() {
      const state = store.get();
      const { name } = headOf(state);
      const file = name.endsWith('.safetensors') ? name : `${state.type}-head.safetensors`;
      saveHead(headOf(state), file);
      return file;
    },
    recorded() { const { heads, recordedHeads, type } = store.get(); store.set({ heads: { ...heads, [type]: recordedHeads[type] } }); },
    async open(file) {
      const refused = fileRefusal(file);
      if (refused) { refuse('open', refused); return; }
      let bytes;
      try {
        bytes = new Uint8Array(await file.arrayBuffer());
      } catch (reason) {
        refuse('open', { what: `The browser could not read the file (${reason.message}).`, where: file.name, hint: 'Choose it again.' });
        return;
      }
      const state = store.get();
      const head = base64Of(bytes);
      const text = state.text.trim() ? state.text : (state.page.examples[0] || { text: 'Hello' }).text;
      store.set({ offered: { head, name: file.name } });
      runs.start('open', { ...typePart(state), text, head }, about({ head, name: file.name, text }));
    },
  };
}

// What an export holds: the documents that are shown, or null where there is none; heads are files of their own.
function shownDocuments({ decision, scores, evaluation, table }) {
  return [decision, scores, evaluation, table].some(Boolean) ? { decision, scores, evaluation, table } : null;
}

// What made them; one that came with the page was recorded.
function madeBy(documents, kept) {
  const [slot, made] = Object.entries(documents).find(([, each]) => each && each.provenance) || [];
  return made ? { ...made.provenance, kind: kept[slot] && kept[slot].recorded ? 'recorded' : made.provenance.kind } : null;
}

/** Mounts the screen in `element`. server: {stop}; page: what it opens with; ask(what) sends a request for a run.
 *  Returns {state, show(value), notice(news), remove}. */
export function mount(element, { server, page, ask }) {
  const store = createState({ ...empty(page), ...keptForm(page) });
  const runs = createRuns(store, { ask, stop: (run) => { server.stop({ run }); }, name: runName });
  const actions = mainActions(store, runs);
  const types = h('div', { class: 'dc-types' });
  const places = h('nav', { class: 'dc-places', 'aria-label': 'Panels of this screen' });
  const boxes = Object.fromEntries(PLACES.map(([name]) => [name, h('div', { class: 'dc-box' })]));
  const provenance = h('p', { class: 'pg-quiet dc-provenance' });
  const exports = h('div', { class: 'pg-exports' });
  const root = h('div', { class: 'pg dc', role: 'region', 'aria-label': 'Typed decisions' }, types, places, exports, Object.values(boxes), provenance);
  fill(element, root);
  const decided = h('div', { class: 'dc-result dc-decided', role: 'group', 'aria-label': 'Decided by the head' });
  const explained = h('div', { class: 'dc-result dc-explained', role: 'group', 'aria-label': 'The free texts' });
  const scored = h('div', { class: 'dc-result dc-scored', role: 'group', 'aria-label': 'Scored by the language model' });
  mountTypes(types, store, { actions });
  mountAsk(boxes.ask, store, [decided, scored, explained], { actions });
  mountDecided(decided, store);
  mountScores(scored, store);
  mountExplained(explained, store, { actions });
  mountTogether(boxes.together, store);
  mountTrain(boxes.train, store, { actions, order: () => orderOf(store.get()) });
  mountMeasured(boxes.measured, store, { actions });
  mountAgainst(boxes.against, store, { actions });
  mountPositions(boxes.positions, store);
  mountPlaces(places, store, boxes);
  mountExports(exports, { screen: 'decisions', title: 'Typed decisions', within: root, shown: () => shownDocuments(store.get()), tables: decisionsTables, made: (documents) => madeBy(documents, store.get().kept) });
  store.subscribe(() => keepForm(store.get()));
  const update = () => {
    const { running, decision, scores, training } = store.get();
    setAttr(root, 'aria-busy', running ? 'true' : null);
    const made = [decision, scores, training, page.recorded].find((each) => each && each.provenance);
    setText(provenance, made ? provenanceLine(made.provenance) : '');
  };
  store.subscribe(update);
  update();
  return { state: store.get, show: runs.show, notice: runs.notice,
    /** The form for a link, and opening one: nothing is run, and no head travels. */
    link: () => formPart(store.get()),
    openLink: async (part) => {
      const form = formOf(part, page);
      if (!form) return misfit('a decision');
      runs.leave();
      store.set({ ...form, pair: null, field: null });
      if (form.place !== 'ask') boxes[form.place].scrollIntoView();
      return null;
    },
    remove: () => root.remove() };
}
