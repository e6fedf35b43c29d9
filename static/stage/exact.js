// The third bar: the exact law of the next token, p(a) F(a) / F, asked of the server for the place on screen and kept.

import { counted, prob } from './format.js';
import { middle, probBetween } from './interval.js';
import { METHOD_NO_EXACT, masksOtherwise } from './method.js';

const EXACT_KEPT = 400;
// Places of a toy's run that are looked at ahead.
const EXACT_PLACES = 40;
const EXACT_WAIT_MS = 150;
const EXACT_RECORDED = 'this is a recording: the search needs the model.';
const EXACT_COST = 'A search of at most 160 rows of the model, about 3 s at each new place.';

// A problem is written out once and has a number from then on: a scrub asks for it at every place.
const exactTexts = new WeakMap();
const exactNumbers = new Map();

/** What a law's numbers depend on, as a key of the problem and the path. */
function exactKey(problem, path) {
  if (!exactTexts.has(problem)) {
    const { seed: _seed, ...sampling } = problem.sampling || {};
    const { method: _method, watch: _watch, prefill: _prefill, attempts: _attempts, markers: _markers, ...rest } = problem;
    const text = JSON.stringify([rest, sampling]);
    if (!exactNumbers.has(text)) exactNumbers.set(text, exactNumbers.size);
    exactTexts.set(problem, exactNumbers.get(text));
  }
  return `${exactTexts.get(problem)}: ${path.join(' ')}`;
}

/** A server's answer as a law by token id: {future, status, rows, tokens: Map id -> {F, exact}}. */
export function exactLaw(answer) {
  return Object.freeze({ future: answer.future, status: answer.status, rows: answer.rows_used, tokens: new Map(answer.tokens.map((each) => [each.token_id, each])) });
}

/** One row's part of a law: {F, exact} as bounds, exact 0 for a blocked one; null bounds, with the reason, where it isn't known. */
export function exactRow(row, law, reason = '') {
  if (!row.allowed) return { F: { lower: 0, upper: 0 }, exact: { lower: 0, upper: 0 }, reason: '' };
  const found = law ? law.tokens.get(row.id) : null;
  if (found) return { F: found.F, exact: found.exact, reason: '' };
  return { F: null, exact: null, reason: law ? 'one of the tokens that the search has not looked into by itself' : reason };
}

/** The rows in the order of the exact law, the likeliest first; unknown ones after, blocked ones last. */
export function exactOrder(rows, law) {
  const value = (row) => middle(exactRow(row, law).exact) ?? 0;
  return [...rows].sort((a, b) => value(b) - value(a) || Number(b.allowed) - Number(a.allowed) || a.rank - b.rank || a.id - b.id);
}

/** The line above the table: F of the prefix, and how it is known. */
export function exactWords({ law, reason, asking }) {
  if (law) {
    const how = law.status === 'exact' ? 'exact' : 'bounded';
    return `F = ${probBetween(law.future).text} (${how}): the chance that the model, left alone from here, ends valid. Exact = p · F(token) / F.`;
  }
  return asking ? 'Exact: searching …' : `Exact: – ${reason}`;
}

/** Keeps the law of the place on screen. Puts itself at `store.hooks.exact`; returns it: {on(), toggle(), here(), learn(problem, path, answer), title()}. */
export function createExact(store, { clock = { set: (fn, ms) => setTimeout(fn, ms), clear: (id) => clearTimeout(id) } } = {}) {
  const known = new Map();
  let asking = null;
  let timer = null;

  const isToy = () => { const doc = store.doc(); return Boolean(doc && doc.provenance && doc.provenance.kind === 'toy'); };
  const on = () => { const { exact = null } = store.view(); return Boolean(store.doc()) && (exact === null ? isToy() && !off() : exact); };
  const off = () => masksOtherwise(store.doc() && store.doc().problem);
  const keyHere = () => (store.doc() && store.shown() ? exactKey(store.doc().problem, store.path()) : null);

  // The place on screen comes first. A toy's run is looked at whole, so that a scrub asks for nothing.
  function missing() {
    if (!store.doc() || !store.lane() || off()) return null;
    const { steps, frontier } = store.lane();
    const places = isToy() ? [...Array(Math.min(EXACT_PLACES, steps.length + (frontier ? 1 : 0))).keys()] : [];
    const paths = [...(store.shown() ? [store.path()] : []), ...places.map((n) => store.path(n))];
    const path = paths.find((each) => !known.has(exactKey(store.doc().problem, each)));
    return path ? { path, key: exactKey(store.doc().problem, path) } : null;
  }

  function keep(key, entry) {
    known.set(key, Object.freeze(entry));
    if (known.size > EXACT_KEPT) known.delete(known.keys().next().value);
  }

  async function ask() {
    timer = null;
    const place = on() ? missing() : null;
    if (!place) return;
    const { path, key } = place;
    if (asking) return;
    asking = key;
    const answer = await store.actions.exact(path);
    asking = null;
    if (answer && answer.error) keep(key, { law: null, reason: [answer.error.what, answer.error.hint].filter(Boolean).join(' ') });
    else if (answer) keep(key, { law: exactLaw(answer), reason: '' });
    else keep(key, { law: null, reason: EXACT_RECORDED });
    store.set({ exactSeen: key });
    look();
  }

  // A scrub passes through many places: only where the visitor stays is a model asked.
  function look() {
    if (timer !== null) { clock.clear(timer); timer = null; }
    if (!on()) return;
    const place = missing();
    if (!place) return;
    if (!store.live()) return;
    timer = clock.set(ask, isToy() ? 0 : EXACT_WAIT_MS);
  }

  const exact = {
    on,
    toggle: () => { const next = !on(); const { order, layer } = store.view(); store.set({ exact: next, ...(next ? {} : { order: order === 'exact' ? 'raw' : order, layer: layer === 'exact' ? 'both' : layer }) }); },
    /** {on, law, reason, asking} of the place on screen. */
    here: () => {
      if (off()) return { on: on(), law: null, reason: METHOD_NO_EXACT, asking: false };
      const key = keyHere();
      const entry = key === null ? null : known.get(key);
      return { on: on(), law: entry ? entry.law : null, reason: entry ? entry.reason : store.live() ? 'not searched yet' : EXACT_RECORDED, asking: !entry && store.live() };
    },
    /** Takes the law of a place from a recording: the server's answer for `path` of `problem`. */
    learn: (problem, path, answer) => { const key = exactKey(problem, path); keep(key, { law: exactLaw(answer), reason: '' }); store.set({ exactSeen: `${key}, learnt` }); },
    title: () => (off() ? METHOD_NO_EXACT : isToy() ? 'The exact law of the next token, beside the other two' : `The exact law of the next token. ${EXACT_COST}`),
  };
  store.hooks.exact = exact;
  store.subscribe(look);
  look();
  return exact;
}

/** What the store knows of the exact law here; off where nothing has been set up. */
export function exactHere(store) {
  return store.hooks && store.hooks.exact ? store.hooks.exact.here() : { on: false, law: null, reason: '', asking: false };
}

/** The order after this one, and the bars after these: the exact ones are among them while they are on. */
export function nextOrder(store) {
  return { raw: 'masked', masked: exactHere(store).on ? 'exact' : 'raw', exact: 'raw' }[store.view().order];
}

export function nextLayer(store) {
  return { both: 'model', model: 'mask', mask: exactHere(store).on ? 'exact' : 'both', exact: 'both' }[store.view().layer];
}

/** "F(sk) = 0.20 %: ..." for the inspector. */
export function exactFormula(row, { law, reason }) {
  const { exact, F, reason: why } = exactRow(row, law, reason);
  if (!row.allowed) return 'exact = 0: no valid text begins with it';
  if (!law || exact === null) return `exact: – ${why}`;
  return `exact = p · F(token) / F = ${prob(row.p).text} · ${probBetween(F).text} / ${probBetween(law.future).text} = ${probBetween(exact).text} (${counted(law.rows, 'row')}, ${law.status})`;
}
