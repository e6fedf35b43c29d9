// The page as it stands, for a lesson: the scene that a beat would stand on, and what can be claimed of it.

import { problemKey } from '../squeezing/state.js';
import { specOf } from '../schema/state.js';
import { suggestions } from './make_facts.js';

const screens = () => globalThis.playgroundScreens || {};

/** {view, step, exact, scene, facts, words}, or null where the stage shows no problem. */
export function pageNow() {
  const stage = globalThis.playgroundStage;
  const doc = stage && stage.store.doc();
  if (!doc) return null;
  const { store } = stage;
  const view = document.body.dataset.screen;
  const lane = store.lane();
  const cursor = store.cursor();
  const key = problemKey(doc.problem);
  // What the other screens show is about this problem, or left out.
  const about = (found) => (found && problemKey(found.problem) === key ? found : null);
  const compare = screens().compare ? about(screens().compare.state().doc) : null;
  const law = screens().squeezing ? about(screens().squeezing.state.get().doc) : null;
  const schema = view === 'schema' && screens().schema ? screens().schema.state.get() : null;
  const strings = schema ? schema.strings.filter(({ text }) => text !== '').map(({ text, should }) => ({ text, should })) : [];
  const problem = schema ? { ...doc.problem, toy: doc.problem.toy, constraint: specOf(schema) } : doc.problem;
  const scene = {
    problem, path: schema ? [] : lane.steps.map((step) => step.taken.id), law: view === 'squeezing', methods: view === 'compare' && compare ? Object.keys(compare.methods) : [],
    n: compare ? compare.n : 0, strings,
  };
  const judged = schema && schema.judged ? strings.map(({ text }) => ({ text, told: schema.judged.byText.get(text) })).filter(({ told }) => told && told.reference).map(({ text, told }) => ({ text, status: told.reference.status })) : null;
  const toy = Boolean(doc.provenance && doc.provenance.kind === 'toy');
  return {
    view, step: view === 'step' && cursor < lane.steps.length ? cursor : null, exact: Boolean(store.hooks.exact && store.hooks.exact.on()), scene,
    facts: suggestions({ lane: schema ? null : lane, cursor, toy, law, comparison: compare, judged }), compare,
  };
}

/** The scene of a fact: the page's, with what the fact needs of a recording. */
export function sceneFor(page, { needs }) {
  return { ...page.scene, law: page.scene.law || needs === 'law', methods: needs === 'methods' && page.compare ? Object.keys(page.compare.methods) : page.scene.methods };
}
