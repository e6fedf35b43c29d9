// How long a comparison takes: how far each method has come, and the rates that finished runs have told.

import { count, seconds } from '../stage/format.js';
import { problemKey } from '../squeezing/state.js';

// CARS and the future mass go on until they have kept what was asked for.
function ratesKept(name) {
  return name === 'cars' || name === 'conditional';
}

/** How far a method has come, 0 to 1; cars and conditional count what they kept. */
export function methodDone(name, method, n) {
  if (method.done) return 1;
  return Math.min(1, (ratesKept(name) ? method.accepted : method.draws) / n);
}

/** The same in words, of a method under way: "12 of 50 drawn, 3 kept". */
export function soFar(name, method, n) {
  if (ratesKept(name)) return `${count(method.accepted)} of ${count(n)} kept so far`;
  return `${count(method.draws)} of ${count(n)} drawn, ${count(method.accepted)} kept`;
}

function ratesMethods(names) {
  return [...names].sort().join(' ');
}

/** Seconds that a run would take by the rates of the last one, or null where that was of another problem (as `problemKey` has it) or of
 *  other methods. */
export function runSeconds(rates, names, n, problem) {
  if (!rates || !problem || rates.problem !== problem || rates.methods !== ratesMethods(names) || names.some((name) => !Number.isFinite(rates.draws[name]))) return null;
  return rates.search + names.reduce((sum, name) => sum + n * rates.draws[name], 0);
}

/** A time to come, rounded up: "about 8 s". */
export function aboutWords(about) {
  return `about ${about < 1 ? seconds(about) : `${Math.ceil(about)} s`}`;
}

/** How long a run takes, before it was pressed: `about` seconds, or null where no run of the same has told the rate. */
export function waitWords(about, real) {
  if (about !== null) return `It takes ${aboutWords(about)}; Stop keeps what was drawn.`;
  return real ? 'A first run on a real model takes from some seconds to some minutes; Stop keeps what was drawn.' : 'Stop keeps what was drawn.';
}

/** The rates of a finished comparison: {problem, methods, search: seconds, draws: {method: seconds a draw}}. */
export function ratesOf(doc) {
  const draws = {};
  for (const [name, method] of Object.entries(doc.methods)) if (method.draws) draws[name] = method.seconds / method.draws;
  return { problem: problemKey(doc.problem), methods: ratesMethods(Object.keys(doc.methods)), search: doc.exact ? doc.exact.seconds : 0, draws };
}
