// The Study screen: three steps on one page, a run on the server, and the study's name in the page's link.

import { h, setAttr, setShown, setText } from '../stage/dom.js';
import { runName } from '../stage/names.js';
import { errorCard } from '../stage/news.js';
import { createState } from '../compare/state.js';
import { createNewest, sure } from '../schema/newest.js';
import { railConstraint } from '../schema/rail.js';
import { misfit } from '../links/pack.js';
import { mountChoose } from './choose.js';
import { mountExperiments } from './experiments.js';
import { statusWords } from './finding_words.js';
import { held, keep, packed, unpacked } from './kept.js';
import { formOf as linkedForm, formPart } from './link.js';
import { mountProgress } from './progress.js';
import { mountResults } from './results.js';
import { createRuns, linkOf, linkOfExperiment, linked, linkedExperiment, studying } from './runs.js';
import { FIRST, SMALL_STUDY, formOf, refusal, requestOf } from './setting.js';

const MAIN_STEPS = [['choose', 'Choose'], ['run', 'Run'], ['results', 'Results']];
const MAIN_PARTS = [...MAIN_STEPS, ['experiments', 'Experiments']];
const MAIN_PLAN_MS = 350;
const MAIN_LOADING_MS = 2500;
const MAIN_KEEP_MS = 300;

/** Mounts the screen. server: its calls by name; tell: {run, rail, step} events to Gradio; page: {labels, models, kinds, most_text}.
 *  Returns {state, show(value), notice(news), rail(values)}: what Gradio's events call. */
export function mount(element, { server, tell, page }) {
  const model = page.models.find((name) => !name.startsWith('toy:')) || null;
  const usual = model || page.models[0];
  const kept = unpacked(held(), { ...FIRST, model: usual }, page);
  const store = createState({ page, model, step: linkedExperiment(location.hash) === null ? 'choose' : 'experiments', opened: linkedExperiment(location.hash) || null, form: kept ? kept.form : { ...FIRST, model: usual }, mine: null, sets: null, recorded: false, checked: null, wrong: null, plan: null, refused: null,
    doc: null, run: null, running: false, stopping: false, progress: null, error: null, since: 0, sweep: null, sweeping: false,
    within: null, experiments: null, experimenting: null, live: null, stopped: null, findings: {} });
  const runs = createRuns(store, { ask: tell.run, stop: (run) => { server.stop({ run }).catch(() => {}); }, name: runName });
  const card = (error) => store.set({ error });

  const go = (step) => store.set({ step });
  async function look(id) {
    store.set({ progress: { words: 'Reading the study', done: null } });
    const answer = await sure(server.look({ id }));
    store.set({ progress: null });
    if (answer.error) { card(answer.error); forget(); return; }
    store.set({ doc: answer, sweep: null, error: null, step: answer.prompts_done ? 'results' : 'run' });
    if (!answer.recorded && belongs !== answer.id && store.get().form === settled) restore(answer);
  }
  // The form is a study's: of the one that it has started, or that has filled it. One that the visitor has changed stays.
  let belongs = kept ? kept.id : null;
  let settled = store.get().form;
  /** Fills the form from a study; its own prompts are asked for. */
  async function restore(doc) {
    const own = doc.own ? await sure(server.own({ id: doc.id })) : null;
    if (own && own.error) { card(own.error); return; }
    settled = formOf(doc.spec, store.get().form, own);
    belongs = doc.id;
    store.set({ form: settled });
    if (own) check(true);
  }
  let stored = [];
  function keepForm() {
    const { form } = store.get();
    if (stored[0] === form && stored[1] === belongs) return;
    stored = [form, belongs];
    keep(packed(form, belongs));
  }
  function forget() {
    if (linked(location.hash)) history.replaceState(null, '', '#study');
  }
  const openStep = (problem, path) => { tell.step({ problem, path }); globalThis.playgroundShell.screen('step'); };
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return 'Copied.';
    } catch {
      return 'The browser doesn’t let this page copy: mark the text and copy it yourself.';
    }
  }

  const checking = createNewest({ run: (own) => server.check(own), wait: MAIN_PLAN_MS, take: (answer) => {
    store.set(answer.error ? { checked: null, wrong: answer.error } : { checked: answer, wrong: null });
  } });
  const check = (now) => { const { text, kind } = store.get().form; if (text.trim()) checking.ask({ text, kind }, { now }); else { checking.drop(); store.set({ checked: null, wrong: null }); } };
  let asked = null;
  let timer = null;
  const planning = createNewest({ run: (request) => server.plan(request), wait: MAIN_PLAN_MS, take: (answer) => {
    store.set(answer.error ? { plan: null, refused: answer.error } : { plan: answer, refused: null });
    clearTimeout(timer);
    if (!answer.error && (answer.model === 'loading' || answer.model === 'absent')) timer = setTimeout(() => { asked = null; plan(); }, MAIN_LOADING_MS);
  } });
  function plan() {
    const { form, step } = store.get();
    if (step !== 'choose' || document.body.dataset.screen !== 'study') return;
    const refused = refusal(form, page);
    if (refused) {
      planning.drop();
      asked = null;
      // Equal cards are one: a new one would be news, and this is called for every news.
      if (JSON.stringify(refused) !== JSON.stringify(store.get().refused)) store.set({ refused, plan: null });
      return;
    }
    const request = requestOf(form);
    const key = JSON.stringify(request);
    if (key === asked) return;
    asked = key;
    planning.ask(request);
  }

  const actions = {
    run: () => { const { form } = store.get(); const refused = refusal(form, page); if (refused) store.set({ refused }); else runs.start(requestOf(form)); },
    small: () => { store.set({ form: { ...SMALL_STUDY, model: usual } }); runs.start(requestOf(store.get().form)); },
    recorded: () => look('recorded'),
    check: () => check(true), checkSoon: () => check(false), takeRail: tell.rail,
    stop: runs.stop, resume: () => runs.resume(store.get().doc.id), results: () => go('results'), sweep: (over) => runs.sweep(store.get().doc.id, over),
    mine: () => look(store.get().mine),
    again: async () => { const { doc } = store.get(); if (doc.spec && (!doc.own || belongs !== doc.id)) await restore(doc); go('choose'); },
    openStep, copy, copyLink: () => copy(location.origin + location.pathname + location.search + linkOf(store.get().doc.id)),
    experiment: runs.experiment, opened: (name, on) => { if (on) store.set({ opened: name }); else if (store.get().opened === name) store.set({ opened: null }); },
    within: async () => { const { doc } = store.get(); const answer = await sure(server.within({ id: doc.id })); if (!answer.error) store.set({ within: { ...answer, after: doc.chunks_done, at: Date.now() } }); },
    elsewhere: async () => {
      const { doc } = store.get();
      const still = () => store.get().doc === doc && !store.get().running;
      const told = await sure(server.within({ id: doc.id }));
      if (told.error || told.held || !still()) return;
      const answer = await sure(server.look({ id: doc.id }));
      if (!answer.error && still()) store.set({ doc: answer });
    },
    scatter: () => sure(server.scatter({ id: store.get().doc.id })),
    rows: (filter) => server.rows({ ...filter, id: store.get().doc.id }), row: ({ index, method, draw }) => server.row({ id: store.get().doc.id, index, method, draw }), export: (kind) => sure(server.export({ id: store.get().doc.id, kind })),
  };

  const error = errorCard(() => card(null));
  const steps = MAIN_STEPS.map(([name, title], at) => h('button', { type: 'button', class: 'st-step', dataset: { step: name }, onclick: () => go(name) }, h('span', { class: 'st-step-number' }, String(at + 1)), title));
  const aside = h('button', { type: 'button', class: 'st-step st-aside', dataset: { step: 'experiments' }, onclick: () => go('experiments') }, 'Experiments');
  const tabs = [...steps, aside];
  const panels = Object.fromEntries(MAIN_PARTS.map(([name, title]) => [name, h('div', { class: 'st-panel', dataset: { panel: name }, role: 'group', 'aria-label': title })]));
  const spoken = h('p', { class: 'pg-spoken', role: 'status', 'aria-live': 'polite' });
  const root = h('div', { class: 'pg st', role: 'region', 'aria-label': 'Study: methods over many prompts' }, h('nav', { class: 'st-steps', 'aria-label': 'Steps of the study, and experiments' }, tabs), spoken, error.node, Object.values(panels));
  element.append(root);
  const parts = { choose: mountChoose(panels.choose, store, actions), run: mountProgress(panels.run, store, actions), results: mountResults(panels.results, store, actions),
    experiments: mountExperiments(panels.experiments, store, { run: actions.experiment, stop: actions.stop, copy, opened: actions.opened }) };

  /** What is new of an experiment, for who can't see it; '' where there is nothing. */
  function experimentNews() {
    const { experiments, experimenting, live, findings, stopped, opened, step } = store.get();
    const title = (name) => { const found = experiments && experiments.experiments.find((each) => each.name === name); return found ? found.title : name; };
    if (experimenting) return live && live.done ? `${title(experimenting)}: ${live.done} of ${live.of} prompts done.` : `${title(experimenting)} has begun.`;
    if (step !== 'experiments' || studying(store.get())) return '';
    if (stopped) return `${title(stopped)} has stopped.`;
    return opened && findings[opened] ? `${title(opened)}: ${statusWords(findings[opened].effect)}.` : '';
  }
  let asking = false;
  async function listed() {
    if (asking || store.get().experiments) return;
    asking = true;
    const answer = await sure(server.experiments({}));
    asking = false;
    store.set(answer.error ? { error: answer.error, step: 'choose' } : { experiments: answer });
  }

  let stood = null;
  let keeping = null;
  const update = () => {
    const { step, doc, running, error: told, form, opened } = store.get();
    for (const [name, panel] of Object.entries(panels)) setShown(panel, name === step);
    const news = experimentNews();
    if (news) setText(spoken, news);
    else if (doc && studying(store.get())) setText(spoken, `${doc.prompts_done} of ${doc.prompts} prompts done.`);
    else if (doc && step !== 'experiments') setText(spoken, doc.done ? 'The study is done.' : doc.elsewhere ? 'The study is running in another tab or window.' : 'The study has stopped; what is done is kept.');
    for (const each of tabs) {
      const name = each.dataset.step;
      setAttr(each, 'aria-current', name === step ? 'step' : null);
      each.disabled = (name === 'run' && !doc && !studying(store.get())) || (name === 'results' && !(doc && doc.prompts_done));
    }
    if (stood !== null && stood !== step) {
      // What had the focus is hidden now; where the page was read further down, the new step begins at its top.
      if (!document.activeElement || document.activeElement === document.body || root.contains(document.activeElement)) tabs.find((each) => each.dataset.step === step).focus({ preventScroll: true });
      if (root.getBoundingClientRect().top < 0) root.scrollIntoView({ block: 'start' });
    }
    stood = step;
    setAttr(root, 'aria-busy', running ? 'true' : null);
    error.show(told);
    parts[step].update();
    const link = step === 'experiments' ? linkOfExperiment(opened) : doc ? linkOf(doc.id) : linkedExperiment(location.hash) === null ? null : '#study';
    if (link !== null && link !== location.hash && document.body.dataset.screen === 'study') history.replaceState(null, '', link);
    if (step === 'experiments') listed();
    plan();
    if (doc && studying(store.get())) belongs = doc.id;
    if (doc && !doc.recorded) store.set({ mine: doc.id });
    clearTimeout(keeping);
    keeping = setTimeout(keepForm, MAIN_KEEP_MS);
    if (form.source === 'own' && form.schema === 'set') store.set({ form: { ...form, schema: 'pasted' } });
  };
  store.subscribe(update);
  update();

  sure(server.sets({})).then((answer) => { if (answer.error) card(answer.error); else store.set({ sets: answer.sets, recorded: answer.recorded }); });
  const named = () => {
    if (document.body.dataset.screen !== 'study') return;
    const id = linked(location.hash);
    const experiment = linkedExperiment(location.hash);
    const { doc, running, form } = store.get();
    if (experiment !== null) store.set({ step: 'experiments', opened: experiment || null });
    if (form.schema === 'rail') tell.rail();
    if (id && (!doc || doc.id !== id) && !running) look(id);
    else update();
  };
  globalThis.addEventListener('pagehide', keepForm);
  if (store.get().form.source === 'own') check(true);
  globalThis.addEventListener('playground-screen', named);
  globalThis.addEventListener('hashchange', named);
  named();
  return {
    state: store.get, show: runs.show, notice: runs.notice,
    /** The hash of the study or the experiment on screen, which the screen reads by itself; null where it is the form. */
    address: () => { const { step, opened, doc } = store.get(); return step === 'experiments' ? linkOfExperiment(opened) : doc && step !== 'choose' ? linkOf(doc.id) : null; },
    /** The form for a link, and opening one: nothing is run. */
    link: () => formPart(store.get().form, usual),
    openLink: async (part) => {
      const form = linkedForm(part, usual, page);
      if (!form) return misfit('a study');
      belongs = null;
      store.set({ form, step: 'choose', refused: null, ...(store.get().running ? {} : { doc: null, run: null, error: null }) });
      if (form.source === 'own') check(true);
      return null;
    },
    /** What the rail holds, by field. */
    rail(values) { store.set({ form: { ...store.get().form, rail: railConstraint(values, page.kinds) || false } }); },
  };
}
