// The Levels screen: puts its parts together, asks for runs, and opens prompts on the other screens.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted, seconds } from '../stage/format.js';
import { runName } from '../stage/names.js';
import { mountNews } from '../stage/news.js';
import { createState } from '../compare/state.js';
import { problemWords } from '../compare/words.js';
import { misfit } from '../links/pack.js';
import { mountExports } from '../export/main.js';
import { levelsTables } from '../export/tables.js';
import { mountBudget } from './budget.js';
import { mountCalculator } from './calculator.js';
import { mountCards } from './cards.js';
import { mountControls } from './controls.js';
import { mountFailures } from './failures.js';
import { formOf, formPart } from './link.js';
import { mountReliability } from './reliability.js';
import { mountRight } from './right.js';
import { createRuns, empty, exampleProblem, levelProblem } from './state.js';
import { paceWords } from './words.js';

const MAIN_LOOK_MS = 350;
const MAIN_OPEN_MS = 60000;

function mainWaiting({ opening, running, adrift }) {
  if (opening) return { words: 'Opening the prompt', done: null };
  return running && adrift ? { words: 'Starting', done: null } : null;
}

function mountEmpty(root, store, { page, actions }) {
  const words = h('p', null);
  const button = h('button', { type: 'button', class: 'pg-button pg-primary lv-begin', onclick: () => actions.run() });
  fill(root, h('p', { class: 'pg-empty-title' }, 'Ask, ask again, or constrain'), words, button);
  const update = () => {
    const { doc, running, error, source, n } = store.get();
    setShown(root, !doc && !running && !error);
    const own = source === page.rail;
    setText(words, `The same ${own ? 'prompt' : 'prompts'} at every level of guarantee: asking, asking with the { given, asking again with the error, and masking. ${own ? `Each level draws ${counted(n, 'output')} for the problem on the left` : `Each level answers ${counted(n, 'prompt')}`}; you see how often it is valid, what that cost and what was lost. On a real model this takes some minutes; Stop keeps what is there.`);
    setText(button, `Run ${counted(n, own ? 'draw' : 'prompt')} at each level`);
  };
  store.subscribe(update);
  update();
}

function mountHead(root, store, { page }) {
  const problem = h('p', { class: 'lv-problem' });
  const stale = h('p', { class: 'pg-doc-note', hidden: true }, 'The problem on the left has changed since: these numbers are about the one named here. Press Run for the new one.');
  const state = h('p', { class: 'lv-state', role: 'status' });
  const pace = h('p', { class: 'pg-quiet' });
  fill(root, h('div', { class: 'lv-head-top' }, h('div', null, h('h2', { class: 'pg-title' }, 'Levels of guarantee, side by side'), problem), state), stale, pace);
  const update = () => {
    const { doc, running, adrift, since, fits } = store.get();
    setShown(root, Boolean(doc));
    if (!doc) return;
    const { model, kind, source, prompt, settings } = problemWords(doc.problem);
    const set = page.sets.find(({ name }) => name === doc.source);
    fill(problem, h('b', null, model), ' · ', set ? `${set.title}, ${counted(doc.n, 'prompt')}` : [prompt ? h('span', { class: 'pg-faint' }, '“', prompt, '” · ') : null, `${counted(doc.n, 'draw')} each`],
      ' · ', kind, source && !set ? [' ', h('code', { class: 'pg-tok' }, source)] : null, h('span', { class: 'pg-faint' }, ` · ${settings}`));
    setShown(stale, fits === false && !running && !set);
    const done = `${count(doc.drawn)} of ${counted(doc.n, set ? 'prompt' : 'draw')} at each level`;
    setText(state, running ? (adrift ? 'Starting …' : `Running: ${done}`) : doc.done ? `Done${since ? ` in ${seconds(since)}` : ''}.` : doc.stopped ? `Stopped after ${done}: they are kept.` : `Ended early after ${done}.`);
    setAttr(state, 'data-running', running);
    // Read out once it is over, not at every draw.
    setAttr(state, 'aria-busy', running ? 'true' : null);
    setText(pace, `Time: ${paceWords(doc.pace)}`);
  };
  store.subscribe(update);
  update();
}

/** Mounts the screen in `element`. server: {stop}; page: what `playground/ui/levels.py` opens it with; ask(what) sends a request
 *  for a run, open(what) one that puts a problem into the rail and on the stage. Returns {state, show, notice, run, look, remove}. */
export function mount(element, { server, page, ask, open }) {
  const store = createState(empty(page));
  const runs = createRuns(store, { ask, stop: (run) => { server.stop({ run }); }, name: runName, clock: () => performance.now() / 1000 });
  const go = (screen) => globalThis.playgroundShell.screen(screen);

  // The other screens read the rail: they are shown once the rail and the stage have the problem.
  function openProblem(screen, problem, path = []) {
    const stage = globalThis.playgroundStage;
    const run = runName();
    const before = stage.store.doc();
    let timer = null;
    const unsubscribe = stage.store.subscribe(() => {
      if (store.get().opening !== run) { clearTimeout(timer); unsubscribe(); return; }
      if (stage.store.doc() === before) return;
      clearTimeout(timer);
      unsubscribe();
      store.set({ opening: null });
      go(screen);
    });
    timer = setTimeout(() => {
      unsubscribe();
      if (store.get().opening === run) store.set({ opening: null, error: { what: 'The prompt did not open in time.', where: '', hint: 'Try again.' } });
    }, MAIN_OPEN_MS);
    store.set({ opening: run, error: null });
    open({ run, problem, path });
  }

  const actions = {
    run: () => runs.run(),
    stop: () => runs.stop(),
    look: () => runs.look(),
    choose: (source) => { store.set({ source }); root.querySelector('#lv-source').focus(); },
    openLevel: (screen, label) => {
      const { doc, fits } = store.get();
      if (doc.source === page.rail && fits !== false && screen !== 'step') go(screen);
      else openProblem(screen, levelProblem(doc, label));
    },
    openExample: (example) => openProblem('step', exampleProblem(store.get().doc, example), example.path),
  };
  const names = ['controls', 'news', 'head', 'cards', 'failures-box', 'right-box', 'calculator-box', 'budget-box', 'reliability-box-outer'];
  const parts = Object.fromEntries(names.map((name) => [name, h('div', { class: `lv-${name}` })]));
  const blank = h('div', { class: 'pg-empty lv-empty' });
  const exports = h('div', { class: 'pg-exports' });
  const root = h('div', { class: 'pg lv', role: 'region', 'aria-label': 'Levels of guarantee' }, h('div', { class: 'pg-card lv-controls-card' }, parts.controls), parts.news, blank,
    h('div', { class: 'lv-content' }, exports, parts.head, parts.cards, parts['failures-box'], parts['right-box'], parts['calculator-box'], parts['budget-box'], parts['reliability-box-outer']));
  fill(element, root);
  mountControls(parts.controls, store, { page, actions });
  mountNews(parts.news, store, mainWaiting);
  mountEmpty(blank, store, { page, actions });
  mountHead(parts.head, store, { page });
  mountExports(exports, { screen: 'levels', title: 'Levels of guarantee, side by side', within: root, shown: () => store.get().doc, tables: levelsTables });
  mountCards(parts.cards, store, { actions });
  mountFailures(parts['failures-box'], store, { actions });
  mountRight(parts['right-box'], store, { actions });
  mountCalculator(parts['calculator-box'], store, { ladder: page.ladder });
  mountBudget(parts['budget-box'], store, { msPerStep: page.ms_per_step });
  mountReliability(parts['reliability-box-outer'], store);
  const update = () => {
    const { doc, adrift, running } = store.get();
    setAttr(root, 'data-adrift', Boolean(doc) && adrift && running);
    setAttr(root, 'aria-busy', running ? 'true' : null);
  };
  store.subscribe(update);
  update();

  // The problem is the rail's: whether the numbers are still about it is asked when the screen is opened.
  const shown = () => document.body.dataset.screen === 'levels';
  let timer = null;
  const opened = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (shown() && store.get().doc?.source === page.rail) runs.look(); }, MAIN_LOOK_MS);
  };
  // Start in the rail opens the problem on the Step screen; here it runs it too.
  const started = (event) => { if (shown() && store.get().source === page.rail && event.target.closest && event.target.closest('#start')) runs.run(); };
  document.addEventListener('click', started);
  globalThis.addEventListener('playground-screen', opened);
  return {
    state: store.get, show: runs.show, notice: runs.notice, run: runs.run, look: runs.look,
    /** The form for a link, and opening one: nothing is run. */
    link: () => formPart(store.get(), page),
    refusesLink: (part) => (formOf(part, page) ? null : misfit('levels')),
    openLink: async (part) => {
      const form = formOf(part, page);
      if (!form) return misfit('levels');
      runs.stop();
      store.set({ ...empty(page), ...form });
      return null;
    },
    remove: () => { globalThis.removeEventListener('playground-screen', opened); document.removeEventListener('click', started); clearTimeout(timer); root.remove(); },
  };
}
