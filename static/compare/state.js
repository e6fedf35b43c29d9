// What the Compare screen knows: the run under way, its newest document, what was picked. No page here.

import { ratesOf } from './rates.js';

/** A store: get() is a frozen value, set(part) changes it and tells the listeners once a turn. */
export function createState(first) {
  let now = Object.freeze({ ...first });
  let telling = false;
  const listeners = new Set();
  return {
    get: () => now,
    set(part) {
      if (Object.entries(part).every(([name, value]) => Object.is(now[name], value))) return;
      now = Object.freeze({ ...now, ...part });
      if (telling) return;
      telling = true;
      queueMicrotask(() => {
        telling = false;
        for (const fn of [...listeners]) fn();
      });
    },
    subscribe(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
  };
}

export const USUAL = ['unconstrained', 'masked', 'rejection'];

export const EMPTY = { doc: null, run: null, running: false, adrift: false, progress: null, error: null, fits: null, since: null, picked: null, runs: null, rates: null,
  chosen: USUAL, n: null, problem: null, real: false, accept: 'language', held: false };

/** Draws of each method, unless the visitor has chosen: a toy's rows cost nothing. */
export function drawsOf({ n, real }) {
  return n === null ? (real ? 50 : 200) : n;
}

/** The runs of the screen. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name; clock() is seconds.
 *  Returns {run, look, stop, show, notice, hold}: what the visitor asks, what the server tells, and what a lesson shows. */
export function createRuns(store, { ask, stop, name, clock }) {
  let looking = null;
  let heard = { value: 0, notice: 0 };
  let started = 0;
  let own = null;

  const spec = () => {
    const { chosen, accept } = store.get();
    return { methods: chosen, n: drawsOf(store.get()), accept };
  };
  function begin(run) {
    const { run: before, running } = store.get();
    if (running && before) stop(before);
    heard = { value: 0, notice: 0 };
    started = clock();
    store.set({ run, running: true, adrift: true, progress: null, error: null, fits: true, since: null });
  }
  // A look that finds a toy changed becomes a run. The first that is heard of it may be its end: of updates that come at once the page sees the last.
  function became(run) {
    if (looking === null || run !== looking) return;
    looking = null;
    begin(run);
  }
  function ended() {
    const { doc, adrift } = store.get();
    store.set({ running: false, progress: null, adrift: false });
    if (doc && !adrift && doc.done && !doc.stopped) store.set({ since: clock() - started, rates: ratesOf(doc) });
  }
  // Whatever else is heard of another run is old.
  function ours(run) {
    return run !== null && run === store.get().run;
  }

  return {
    run() {
      looking = null;
      const run = name();
      begin(run);
      ask({ run, spec: spec() });
    },
    look() {
      const { doc, running, adrift } = store.get();
      if (running && adrift) return;
      looking = name();
      ask({ run: looking, look: true, shown: doc ? doc.problem : null, spec: spec() });
    },
    stop() {
      const { run, running } = store.get();
      if (running && run) stop(run);
    },
    notice(news) {
      if (!news) return;
      if (news.run === looking && looking !== null && !news.running && (news.error || 'fits' in news)) {
        looking = null;
        store.set(news.error ? { error: news.error } : { fits: Boolean(news.fits), real: Boolean(news.real) });
        return;
      }
      became(news.run);
      if (!ours(news.run) || news.serial <= heard.notice) return;
      heard.notice = news.serial;
      const part = { progress: news.progress, running: news.running };
      if (news.error) part.error = news.error;
      store.set(part);
      if (!news.running) ended();
    },
    /** Shows `document`, a recorded one or null, in place of the screen's own, which comes back with undefined. */
    hold(document) {
      const now = store.get();
      if (document !== undefined) {
        if (now.running && now.run) stop(now.run);
        if (!now.held) own = { doc: now.doc, picked: now.picked, since: now.since, fits: now.fits };
        looking = null;
        store.set({ doc: document, held: true, run: null, running: false, adrift: false, progress: null, error: null, fits: true, since: null, picked: null, runs: null });
      } else if (now.held) {
        store.set({ ...own, held: false, runs: null });
        own = null;
      }
    },
    show(value) {
      if (!value) return;
      became(value.run);
      if (!ours(value.run) || value.serial <= heard.value) return;
      heard.value = value.serial;
      store.set({ doc: value.document, adrift: false, runs: null });
      if (value.document.done || value.document.stopped) ended(); // its last notice may be lost to a look's
    },
  };
}
