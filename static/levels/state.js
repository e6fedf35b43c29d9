// What the Levels screen knows: what to run, the run under way and its newest document, the calculators' inputs. No page here.

import { LEVELS_BUDGET } from './words.js';

/** What the screen opens with; `page` is the server's: {rail, sets, ladder, ms_per_step}. `unfolded`: the classes of failure that stand open,
 *  by name; null until the visitor chooses: the first one. */
export function empty(page) {
  return {
    source: page.rail, n: 12, attempts: 3, showSchema: false,
    doc: null, run: null, running: false, adrift: false, progress: null, error: null, fits: null, since: null, opening: null,
    rates: page.ladder.map((rate) => 100 * rate), budget: { ...LEVELS_BUDGET, msPerStep: page.ms_per_step }, steps: 20, unfolded: null,
  };
}

/** The runs of the screen. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name; clock() is seconds.
 *  Returns {run, look, stop, show, notice}: what the visitor asks, and what the server tells. */
export function createRuns(store, { ask, stop, name, clock }) {
  let looking = null;
  let heard = { value: 0, notice: 0 };
  let started = 0;
  const ours = (run) => run !== null && run === store.get().run;
  const spec = () => {
    const { source, n, attempts, showSchema } = store.get();
    return { source, n, attempts, show_schema: showSchema };
  };

  return {
    run() {
      const { run: before, running } = store.get();
      if (running && before) stop(before);
      looking = null;
      heard = { value: 0, notice: 0 };
      started = clock();
      const run = name();
      store.set({ run, running: true, adrift: true, progress: null, error: null, fits: true, since: null, unfolded: null });
      ask({ run, spec: spec() });
    },
    /** Asks whether what is shown is still the problem on the left. */
    look() {
      const { doc, running } = store.get();
      if (running || !doc) return;
      looking = name();
      ask({ run: looking, look: true, shown: doc.problem });
    },
    stop() {
      const { run, running } = store.get();
      if (running && run) stop(run);
    },
    notice(news) {
      if (!news) return;
      if (news.opening !== undefined) {
        if (news.opening === store.get().opening) store.set({ opening: null, error: news.error });
        return;
      }
      if (looking !== null && news.run === looking) {
        looking = null;
        store.set(news.error ? { fits: false } : { fits: Boolean(news.fits) });
        return;
      }
      if (!ours(news.run) || news.serial <= heard.notice) return;
      heard.notice = news.serial;
      const part = { progress: news.progress, running: news.running };
      if (news.error) part.error = news.error;
      if (!news.running) Object.assign(part, { progress: null, adrift: false, since: clock() - started });
      store.set(part);
    },
    show(value) {
      if (!value || !ours(value.run) || value.serial <= heard.value) return;
      heard.value = value.serial;
      store.set({ doc: value.document, adrift: false });
    },
  };
}

/** The problem of an example, as the other screens open it. */
export function exampleProblem(doc, example) {
  return { ...doc.problem, prompt: example.prompt, sampling: { ...doc.problem.sampling, seed: example.seed } };
}

/** The problem of a document as the way of its level draws on the Step screen: free after a given { at level 1.5. */
export function levelProblem(doc, label) {
  if (label === 'prefill') return { ...doc.problem, method: 'unconstrained', prefill: '{' };
  if (label === 'strict') return { ...doc.problem, method: 'masked' };
  return doc.problem;
}
