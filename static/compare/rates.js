// How long a comparison takes: how far each method has come, and the rates that finished runs have told.

import { seconds } from '../stage/format.js';

/** How far a method has come, 0 to 1; cars and conditional count what they kept. */
export function methodDone(name, method, n) {
  if (method.done) return 1;
  const so = name === 'cars' || name === 'conditional' ? method.accepted : method.draws;
  return Math.min(1, so / n);
}

/** Seconds that a run on `model` would take by the last one's rates there, or null where one is unknown. */
export function runSeconds(rates, names, n, model) {
  if (!rates || rates.model !== model || names.some((name) => !Number.isFinite(rates.draws[name]))) return null;
  return rates.search + names.reduce((sum, name) => sum + n * rates.draws[name], 0);
}

/** A time to come, rounded up: "about 8 s". */
export function aboutWords(about) {
  return `about ${about < 1 ? seconds(about) : `${Math.ceil(about)} s`}`;
}

/** How long a run takes, before it was pressed: `about` seconds, or null where no run has told the rate. */
export function waitWords(about, real) {
  if (about !== null) return `It takes ${aboutWords(about)}; Stop keeps what was drawn.`;
  return real ? 'The first run on a real model takes from some seconds to some minutes; Stop keeps what was drawn.' : 'Stop keeps what was drawn.';
}

/** The rates of a finished comparison, over the earlier ones of the same model: {model, search: seconds, draws: {method: seconds a draw}}. */
export function ratesOf(doc, before = null) {
  const { model } = doc.problem;
  const draws = { ...(before && before.model === model ? before.draws : {}) };
  for (const [name, method] of Object.entries(doc.methods)) if (method.draws) draws[name] = method.seconds / method.draws;
  return { model, search: doc.exact ? doc.exact.seconds : 0, draws };
}
