// What is asked on every edit: the verdicts first, then what there is to say about the constraint.

import { createNewest } from './newest.js';
import { judgedKey, refusal, specKey, specOf, tooLong } from './state.js';

/** Keeps `judged` and `analysis` of the state up to date with what is edited, while the screen is shown. Returns {reset, again}. */
export function mountAsking(state, server) {
  const now = state.get;
  let knownKey = null;
  let known = new Map();
  let askedFor = null;
  let analysed = null;
  const open = new Set();

  function busy(name, on) {
    if (on) open.add(name); else open.delete(name);
    if (state.get().busy !== open.size > 0) state.set({ busy: open.size > 0 });
  }

  const judging = createNewest({
    run: (payload) => server.judge({ spec: payload.spec, texts: payload.texts, formats: payload.formats }),
    take: (answer, { key, texts, spec }) => {
      if (key !== knownKey) known = new Map();
      knownKey = key;
      if (answer.error && !answer.verdicts) state.set({ judged: { key, byText: known, failed: new Set(texts), error: answer.error } });
      else {
        // How long it took when it was compiled; what is asked next finds it in the cache.
        const { compiled } = answer;
        if (compiled && (compiled.cached === 'no' || !now().compiled || now().compiled.key !== specKey(spec))) state.set({ compiled: { ...compiled, key: specKey(spec) } });
        texts.forEach((text, at) => known.set(text, answer.verdicts[at]));
        state.set({ judged: { key, byText: new Map(known), failed: new Set(), error: answer.error || null } });
      }
      analyse(spec);
    },
    busy: (on) => busy('judge', on),
  });
  const analysing = createNewest({
    wait: 0,
    run: ({ spec }) => server.analyse({ spec }),
    take: (answer, { key }) => {
      state.set({ analysis: answer.constraint === undefined ? { error: answer.error, lint: [], notes: [], explain: null, compile: null, schema: null, status: 'error', key } : { ...answer, key }, conflict: null });
      if (answer.status === 'unsatisfiable') conflicting.ask({ key, spec: specOf(state.get()) }, { now: true });
    },
    busy: (on) => busy('analyse', on),
  });
  const conflicting = createNewest({
    run: ({ spec }) => server.conflict({ spec }),
    take: (answer, { key }) => { const { analysis } = state.get(); if (analysis && analysis.key === key) state.set({ conflict: answer.conflict || null }); },
    busy: (on) => busy('conflict', on),
  });

  function analyse(spec) {
    const key = specKey(spec);
    if (key === analysed) return;
    analysed = key;
    analysing.ask({ key, spec }, { now: true });
  }

  function update() {
    const page = state.get();
    if (!page.shown) return;
    const trouble = refusal(page);
    if (trouble) {
      judging.drop();
      analysing.drop();
      [askedFor, analysed, knownKey] = [null, null, null];
      if (!page.trouble || page.trouble.what !== trouble.what) state.set({ trouble });
      return;
    }
    if (page.trouble) state.set({ trouble: null });
    const spec = specOf(page);
    const key = judgedKey(page);
    // Of the constraint as it is, only strings that haven't been judged.
    const every = [...new Set(page.strings.map(({ text }) => text))].filter((text) => !tooLong(text));
    const texts = key === knownKey ? every.filter((text) => !known.has(text)) : every;
    const asked = JSON.stringify([key, texts]);
    if (asked === askedFor) return;
    askedFor = asked;
    if (texts.length) { judging.ask({ key, spec, texts, formats: page.formats }, { now: !page.judged }); return; }
    judging.drop();
    if (!page.judged || page.judged.key !== key) state.set({ judged: { key, byText: new Map(known), failed: new Set(), error: null } });
    analyse(spec);
  }
  state.subscribe(update);
  update();
  return {
    /** Asks once more for what got no answer. */
    again() { askedFor = null; update(); },
    /** Forgets what was said: another constraint stands here, not an edited one. */
    reset() {
      judging.drop();
      analysing.drop();
      conflicting.drop();
      [askedFor, analysed, knownKey, known] = [null, null, null, new Map()];
      state.set({ judged: null, analysis: null, conflict: null });
    },
  };
}
