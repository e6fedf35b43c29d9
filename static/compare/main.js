// The Compare screen: puts its parts together, and asks for runs.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { provenanceLine } from '../stage/caption.js';
import { runName } from '../stage/names.js';
import { mountNews } from '../stage/news.js';
import { mountControls } from './controls.js';
import { mountHead } from './header.js';
import { mountCards } from './cards.js';
import { mountOutcomes } from './outcomes.js';
import { mountCost } from './cost.js';
import { mountDiverge } from './diverge.js';
import { openInStep } from './open_step.js';
import { NOTHING_RECORDED, problemKey } from '../squeezing/state.js';
import { misfit } from '../links/pack.js';
import { mountExports } from '../export/main.js';
import { compareTables } from '../export/tables.js';
import { formOf, formPart } from './link.js';
import { EMPTY, createRuns, createState, drawsOf } from './state.js';
import { aboutWords, runSeconds, waitWords } from './rates.js';
import { INSTEAD, stepProblem } from './words.js';

const MAIN_LOOK_MS = 350;

const mainWaiting = ({ running, adrift }) => (running && adrift ? { words: 'Opening the problem', done: null } : null);

function mountEmpty(root, store, { methods, actions }) {
  const words = h('p', null);
  const button = h('button', { type: 'button', class: 'pg-button pg-primary', onclick: () => actions.run() });
  root.append(h('p', { class: 'pg-empty-title' }, 'Same prompt, side by side'), words, button);
  const update = () => {
    const { doc, running, chosen, error, rates, problem, real, held } = store.get();
    const n = drawsOf(store.get());
    setShown(root, !doc && !running && !error && !held);
    const about = runSeconds(rates, chosen, n, problem);
    const titles = methods.filter((each) => chosen.includes(each.name)).map((each) => each.title.toLowerCase());
    const listed = titles.length > 1 ? `${titles.slice(0, -1).join(', ')} and ${titles[titles.length - 1]}` : titles[0];
    setText(words, `Draws ${count(n)} texts each by ${listed}, and searches the valid texts for the exact law beside them, with proved bounds. ${waitWords(about, real)}`);
    setText(button, `Run ${count(n)} draws each${about === null ? '' : ` (${aboutWords(about)})`}`);
  };
  store.subscribe(update);
  update();
}

/** Mounts the screen in `element`. server: {stop, replay, tokenisations}; methods: [{name, title, law, target, exact, weighted}];
 *  figures: the templates of playground/views/compare.py; ask(what) sends a request.
 *  Returns {state, show(value), notice(news), run(), look(), remove()}. */
export function mount(element, { server, methods, figures, ask }) {
  const store = createState(EMPTY);
  const runs = createRuns(store, { ask, stop: (run) => { server.stop({ run }); }, name: runName, clock: () => performance.now() / 1000 });
  const actions = {
    run: () => { if (!store.get().held) runs.run(); },
    stop: () => runs.stop(),
    instead: () => { store.set({ chosen: methods.map((each) => each.name).filter((name) => INSTEAD.includes(name) || store.get().chosen.includes(name)) }); runs.run(); },
    openInStep: async (path, bits = null, cursor = null, name = '') => { if (store.get().held) return; const error = await openInStep(server, stepProblem(store.get().doc.problem, name), path, bits, cursor); if (error) store.set({ error }); },
    tokenisations: async (text) => {
      if (store.get().held) return;
      const { doc, picked } = store.get();
      store.set({ runs: 'asked' });
      let answer;
      try {
        answer = await server.tokenisations({ problem: doc.problem, text });
      } catch (reason) {
        answer = { error: { what: `The server did not answer (${reason.message}).` } };
      }
      if (store.get().picked === picked) store.set({ runs: answer });
    },
  };
  const part = (name) => h('div', { class: `cmp-${name}` });
  const parts = Object.fromEntries(['controls', 'head', 'cards', 'outcome-box', 'cost-box', 'diverge-box'].map((name) => [name, part(name)]));
  // On a phone the cards stand in one row that scrolls.
  for (const [name, value] of Object.entries({ role: 'region', 'aria-label': 'Methods side by side', tabindex: '0' })) parts.cards.setAttribute(name, value);
  const news = part('news');
  const empty = h('div', { class: 'pg-empty cmp-empty' });
  const exports = h('div', { class: 'pg-exports' });
  const provenance = h('p', { class: 'pg-quiet cmp-provenance' });
  const nothing = h('p', { class: 'pg-empty', hidden: true }, NOTHING_RECORDED);
  const root = h('div', { class: 'pg cmp', role: 'region', 'aria-label': 'Compare methods' }, h('div', { class: 'pg-card cmp-controls-card' }, parts.controls), news, empty, nothing,
    h('div', { class: 'cmp-content' }, exports, parts.head, parts.cards, parts['outcome-box'], parts['cost-box'], parts['diverge-box'], provenance));
  fill(element, root);

  mountControls(parts.controls, store, { methods, actions });
  mountNews(news, store, mainWaiting);
  mountEmpty(empty, store, { methods, actions });
  mountHead(parts.head, store);
  mountExports(exports, { screen: 'compare', title: 'Same prompt, side by side', within: root, shown: () => store.get().doc, tables: compareTables });
  mountCards(parts.cards, store, { actions });
  mountOutcomes(parts['outcome-box'], store, { figures, actions });
  mountCost(parts['cost-box'], store, { figures, actions });
  mountDiverge(parts['diverge-box'], store, { actions });
  const update = () => {
    const { doc, adrift, running, held } = store.get();
    setAttr(root, 'data-adrift', Boolean(doc) && adrift && running);
    setAttr(root, 'aria-busy', running ? 'true' : null);
    setAttr(root, 'data-held', held);
    setShown(nothing, held && !doc);
    setShown(provenance, Boolean(doc));
    if (doc) fill(provenance, h('span', { class: 'pg-badge', dataset: { kind: doc.provenance.kind } }, doc.provenance.kind), ` ${provenanceLine(doc.provenance)}`);
  };
  store.subscribe(update);
  update();

  // The problem is the rail's and the stage's: it is looked at when the screen is opened, and when it changes under it.
  const shown = () => document.body.dataset.screen === 'compare';
  let problem = null;
  let timer = null;
  let unsubscribe = null;
  const look = () => { if (!store.get().held) runs.look(); };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (shown()) look(); }, MAIN_LOOK_MS);
  };
  const model = () => { if (problem) store.set({ problem: problemKey(problem), real: !problem.toy && !problem.model.startsWith('toy:') }); };
  const attach = () => {
    const stage = globalThis.playgroundStage;
    if (unsubscribe || !stage) return;
    problem = stage.store.doc() ? stage.store.doc().problem : null;
    model();
    unsubscribe = stage.store.subscribe(() => {
      const doc = stage.store.doc();
      if (!doc || doc.problem === problem) return;
      problem = doc.problem;
      model();
      if (shown()) soon();
    });
  };
  const opened = () => {
    attach();
    if (!shown()) return;
    if (globalThis.playgroundStage) look();
    else timer = setTimeout(opened, MAIN_LOOK_MS);
  };
  // Start in the rail opens the problem on the Step screen; here it compares it too, and a mistake is told here.
  const started = (event) => { if (shown() && event.target.closest && event.target.closest('#start')) actions.run(); };
  document.addEventListener('click', started);
  globalThis.addEventListener('playground-screen', opened);
  opened();
  return {
    state: store.get, show: runs.show, notice: runs.notice, run: runs.run, look: runs.look,
    /** Shows a recorded document, or null, and asks nothing of the server until `recorded(undefined)` gives the screen back. */
    recorded: (document) => { const held = store.get().held; runs.hold(document); if (held && document === undefined) opened(); },
    /** The form for a link, and opening one: nothing is run but a toy. */
    link: () => formPart(store.get(), methods),
    refusesLink: (part) => (formOf(part, methods) ? null : misfit('a comparison')),
    openLink: async (part) => {
      const form = formOf(part, methods);
      if (!form) return misfit('a comparison');
      runs.hold(undefined);
      runs.stop();
      store.set({ ...EMPTY, rates: store.get().rates, ...form });
      if (globalThis.playgroundStage && globalThis.playgroundStage.store.doc()) { problem = globalThis.playgroundStage.store.doc().problem; model(); }
      soon();
      return null;
    },
    remove: () => { globalThis.removeEventListener('playground-screen', opened); document.removeEventListener('click', started); clearTimeout(timer); if (unsubscribe) unsubscribe(); root.remove(); },
  };
}
