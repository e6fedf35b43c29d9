// What the Squeezing screen knows: its documents, its runs, and what the visitor looks at.

/** The part of a problem that its masses depend on, as a key: not the seed, the method or what is watched. */
export function problemKey(problem) {
  if (!problem) return '';
  const { seed: _seed, ...sampling } = problem.sampling || {};
  const { method: _method, prefill: _prefill, attempts: _attempts, markers: _markers, watch: _watch, sampling: _sampling, toy, ...rest } = problem;
  return JSON.stringify([Object.entries(rest).sort(), Object.entries(sampling).sort(), toy ? [toy.tokens, toy.rules] : null]);
}

/** What a screen says where a lesson has recorded nothing for it. */
export const NOTHING_RECORDED = 'This lesson has recorded nothing for this screen.';

/** A new run's name. */
export function runName(kind) {
  return `${kind}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}

const FRESH = { doc: null, idle: null, fixes: {}, sweep: null, boundary: null, leaf: null, picked: false, t: 1, hover: null, locked: null, spellings: {}, trouble: null, byRuns: false, stale: false };
const HELD = ['doc', 'idle', 'fixes', 'sweep', 'boundary', 'leaf', 'picked', 't', 'spellings', 'trouble', 'byRuns', 'stale'];

/** Whether the numbers shown are of a problem that the page has left: it changed, or the newest one was an error. */
export function isOld({ doc, stale, runs }) {
  const flow = runs.flow;
  return Boolean(doc) && (stale || Boolean(flow && !flow.running && flow.error));
}

/** How the numbers shown are known: "exact", "bounded", or "old", of a problem that the page has left. */
export function gradeOf(now) {
  return isOld(now) ? 'old' : now.doc.exact.status;
}

/** The text to look at first: the one that the mask favours most, if any; else the likeliest. */
export function telling(texts) {
  const score = (text) => (text.masked && text.masked.upper > 0.01 && text.squeeze.lower > 1.05 ? text.squeeze.lower : 0);
  const best = texts.reduce((top, text) => (score(text) > (top ? score(top) : 0) ? text : top), null);
  return best ? best.text : texts.length ? texts[0].text : null;
}

/** Creates the state. `send(event, payload)` starts a run on the server, `stop(run)` ends one. */
export function createState({ send, stop }) {
  const listeners = new Set();
  let notified = false;
  let now = Object.freeze({ ...FRESH, runs: {}, held: false });
  let own = null;

  const changed = () => {
    if (notified) return;
    notified = true;
    queueMicrotask(() => { notified = false; for (const each of [...listeners]) each(); });
  };
  const set = (partial) => { now = Object.freeze({ ...now, ...partial }); changed(); };
  const setRun = (kind, fields) => set({ runs: { ...now.runs, [kind]: { ...now.runs[kind], ...fields } } });
  const kindOf = (run) => Object.keys(now.runs).find((kind) => now.runs[kind].run === run) || null;

  function start(kind, payload = {}) {
    if (now.held) return null;
    if (now.trouble) set({ trouble: null });
    const old = now.runs[kind];
    if (old && old.running) stop(old.run);
    const run = runName(kind);
    setRun(kind, { run, running: true, stopping: false, progress: null, error: null, misplaced: null, asked: payload });
    send({ run, kind, ...payload });
    return run;
  }

  function takeFlow(document) {
    const key = problemKey(document.problem);
    const same = now.doc && problemKey(now.doc.problem) === key;
    // What goes on about another problem is ended, and what it still gives is not listened to.
    if (!same) for (const [kind, run] of Object.entries(now.runs)) if (kind !== 'flow' && run.running) stop(run.run);
    const runs = same ? now.runs : { flow: now.runs.flow };
    if (document.idle) {
      if (same) set({ idle: null, stale: false });
      else set({ ...FRESH, runs, t: now.t, byRuns: now.byRuns, idle: document });
      return;
    }
    const texts = document.exact.texts;
    const leaf = same && now.picked && texts.some((each) => each.text === now.leaf) ? now.leaf : telling(texts);
    if (same) set({ doc: document, idle: null, stale: false, leaf });
    else set({ ...FRESH, runs, t: now.t, byRuns: now.byRuns, leaf, doc: document });
  }

  function takeBoundary(document) {
    const shown = now.idle || now.doc;
    const unhealed = (problem) => problemKey({ ...problem, heal: false });
    if (shown && unhealed(document.problem) === unhealed(shown.problem)) set({ boundary: document });
    else setRun('heal', { misplaced: { what: 'The inputs hold another problem than this screen shows.', hint: 'Press Start in Step, then run this again.' } });
  }

  return {
    get: () => now,
    set,
    subscribe: (fn) => { listeners.add(fn); return () => listeners.delete(fn); },
    start,
    stop: (kind) => { const run = now.runs[kind]; if (run && run.running) { setRun(kind, { stopping: true }); stop(run.run); } },
    /** Shows `document`, a recorded one or null, in place of the screen's own, which comes back with undefined. */
    hold(document) {
      if (document !== undefined) {
        for (const run of Object.values(now.runs)) if (run.running) stop(run.run);
        if (!now.held) own = Object.fromEntries(HELD.map((name) => [name, now[name]]));
        set({ ...FRESH, runs: {}, held: true, doc: document, leaf: document ? telling(document.exact.texts) : null });
      } else if (now.held) {
        set({ ...FRESH, ...own, held: false });
        own = null;
      }
    },
    running: (kind) => Boolean(now.runs[kind] && now.runs[kind].running),
    /** A document from the server: {run, document}. One of a run that was replaced is left alone. */
    receive(value) {
      const kind = value ? kindOf(value.run) : null;
      if (!kind || !value.document) return;
      if (kind === 'flow') takeFlow(value.document);
      else if (kind === 'sweep') set({ sweep: value.document });
      else if (kind === 'heal') takeBoundary(value.document);
      else if (now.doc && problemKey(value.document.problem) === problemKey(now.doc.problem)) set({ fixes: { ...now.fixes, [kind]: value.document } });
    },
    /** News of a run: {run, progress, error, running}. */
    notice(news) {
      const kind = news ? kindOf(news.run) : null;
      if (!kind) return;
      setRun(kind, { progress: news.progress, error: news.error, running: news.running !== false });
    },
  };
}

/** The text in focus, from the document. */
export function leafOf({ doc, leaf }) {
  return (doc && doc.exact.texts.find((each) => each.text === leaf)) || null;
}
