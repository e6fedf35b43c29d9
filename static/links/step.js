// The Step stage's link: what it shows, and opening what a link says in the rail and on the stage.

import { runName } from '../stage/names.js';
import { stageOf, stagePart } from './lanes.js';
import { problemOf, problemPart } from './problem.js';

const STEP_WAIT_MS = 300000;

const stepCard = (what, hint) => ({ what, where: 'link', hint, line: null, column: null });

/** What the words say about the revision of the model: '' where the numbers are those of the link's. link: the document's. */
export function revisionWords({ made, recorded }, { model, revision }) {
  if (!made) return '';
  const before = `This link was made with ${model}, revision ${made}`;
  return recorded ? `${before}. The model here is another one, so you see the recording of the lesson “${recorded}”.` : `${before}; the numbers here are of revision ${revision || 'unknown'} and may differ.`;
}

/** Gives the stage `link()` and `openLink(state)`. mounted: as `mountStage` returns it; server: its calls; open(what) sends the event that
 *  fills the rail and the stage; examples: the usual problem and the examples, as playground/links.py gives them. */
export function linkStage(mounted, { server, open, examples }) {
  const { store } = mounted;
  let newest = null;

  /** Waits until the page of this opening, or an error, is on the stage: null or the card. */
  function arrived(run) {
    return new Promise((resolve) => {
      let timer = null;
      const end = (error) => { clearTimeout(timer); unsubscribe(); resolve(error); };
      const unsubscribe = store.subscribe(() => {
        const doc = store.doc();
        if (newest !== run) end(null);
        else if (doc && doc.link && doc.link.run === run) end(null);
        else if (store.error()) { const error = store.error(); store.actions.dismissError(); end(error); }
      });
      timer = setTimeout(() => end(stepCard('The link did not open in time.', 'Reload the page to try again.')), STEP_WAIT_MS);
    });
  }

  /** The other lanes, each replayed on the server; one that can't be is left out, and its branches are taken whole. */
  async function branches(run, lanes) {
    const { problem } = store.doc();
    const found = [];
    for (const lane of lanes.slice(1)) {
      const page = await server.replay({ problem, path: lane.path }).catch(() => null);
      if (newest !== run || !store.doc().link || store.doc().link.run !== run) return null;
      found.push(page && !page.error ? { ...lane, page } : null);
    }
    return found;
  }

  async function openLink(state, { live = false, bare = false } = {}) {
    const about = problemOf(state, examples);
    const asked = about.error ? about : stageOf(bare ? { r: state.r } : state);
    if (asked.error) return asked.error;
    const { lanes, shown, cursor, view, revision } = asked;
    const run = runName();
    newest = run;
    store.actions.dismissError();
    const here = arrived(run);
    open({ run, problem: about.problem, path: lanes[0].path, demo: about.demo, revision, live });
    const error = await here;
    if (error || newest !== run) return error;
    const found = store.doc().link.recorded ? [] : await branches(run, lanes);
    if (found === null) return null;
    store.actions.openLanes(found, { run: lanes[0].run, shown, cursor });
    store.set(view);
    return null;
  }

  return Object.assign(mounted, {
    /** The problem part of a link, of the one on the stage or of another screen's document. */
    problemLink(problem = null) {
      const doc = store.doc();
      if (!doc) return null;
      const about = problem || doc.problem;
      // A toy's table travels with a document; whether it was edited only the stage knows.
      const edited = Boolean(about.toy) && (doc.toy_edited || JSON.stringify(about.toy) !== JSON.stringify(doc.problem.toy));
      return { ...problemPart(about, edited, examples), r: doc.provenance.revision };
    },
    /** The state of this screen for a link, or null. */
    link() { return store.doc() && store.lane() ? { ...this.problemLink(), ...stagePart(store) } : null; },
    /** Opens such a state: null, or why not, as a card. live: with the model that runs here, whatever revision the link is of;
     *  bare: the problem alone, without its run. */
    openLink,
  });
}
