// What the Study screen says of a study: rates with their intervals, costs, sentences. No page here.

import { count, counted, prob, seconds } from '../stage/format.js';

export const INTERVAL = '95 % intervals, Clopper-Pearson: they hold at every n';
export const CATEGORY_ORDER = ['right', 'wrong', 'valid', 'invalid', 'truncated', 'gave_up'];

/** A share: "61.2 %", a dash for none. */
export function share(p) {
  return prob(p).text;
}

function inPoints(x) {
  const scaled = Math.abs(100 * x);
  let digits = 1;
  while (scaled && digits < 6 && scaled < 0.5 * 10 ** -digits) digits += 1;
  return `${x < 0 ? '−' : '+'}${scaled.toFixed(digits)}`;
}

/** A difference of two rates with its interval: "+12.0 points (interval −3.1 to +20.4)". */
export function points(x, lower, upper) {
  return `${inPoints(x)} points (interval ${inPoints(lower)} to ${inPoints(upper)})`;
}

/** The step of an axis that has a tick at least every `width`: 1, 2 or 5 times a power of ten. */
export function niceStep(width) {
  const power = 10 ** Math.floor(Math.log10(width));
  return Number((power * [1, 2, 5, 10].find((times) => times * power >= width * (1 - 1e-9))).toPrecision(12));
}

/** An axis from 0 that holds `most` (above 0): {top, ticks}, about `parts` steps of 1, 2 or 5 times a power of ten. */
export function niceScale(most, parts = 4) {
  const step = niceStep(most / parts);
  const last = Math.ceil(most / step - 1e-9);
  const ticks = Array.from({ length: last + 1 }, (_, at) => Number((at * step).toPrecision(12)));
  return { top: ticks[last], ticks };
}

/** Proved bounds: one number where both ends print alike. */
export function between({ lower, upper }, print) {
  const [low, high] = [print(lower), print(upper)];
  return low === high ? low : `${low} to ${high}`;
}

/** The interval of a rate: "29.1 % to 70.9 %"; says so where there is none. */
export function ends(rate) {
  return rate.lower === null || rate.lower === undefined ? 'no interval' : `${share(rate.lower)} to ${share(rate.upper)}`;
}

/** "12 of 24, 50.0 % (29.1 % to 70.9 %)". */
export function rateWords(rate) {
  return rate.n ? `${count(rate.count)} of ${count(rate.n)}, ${share(rate.value)} (${ends(rate)})` : 'none yet';
}

/** A count or a mean of counts: "3", "41.2", "1,250". */
export function amount(x) {
  if (x === null || x === undefined) return '–';
  return x >= 100 ? count(x) : String(Number(x.toFixed(1)));
}

/** A time as people say it: "42 s", "3 min 5 s", "2 h 10 min". */
export function span(s) {
  if (s === null || s === undefined) return '–';
  if (s < 10) return seconds(s);
  const whole = Math.round(s);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** A time to come, rounded: "about 40 s", "about 3 min", "about 2 h". */
export function about(s) {
  if (s < 1) return 'about a second';
  if (s < 90) return `about ${Math.ceil(s)} s`;
  if (s < 5400) return `about ${Math.ceil(s / 60)} min`;
  return `about ${Number((s / 3600).toFixed(1))} h`;
}

/** How a study stands: "24 of 50 prompts in 2 min 10 s, about 3 min left". `since`: seconds since it was last heard of;
 *  `within`: {left, at}, what the chunk under way has told, and when (ms). */
export function standing(doc, running, { stopping = false, since = 0, within = null } = {}) {
  const done = `${count(doc.prompts_done)} of ${counted(doc.prompts, 'prompt')}`;
  const spent = doc.seconds === null ? null : doc.seconds + (running ? since : 0);
  const took = spent !== null && spent >= 0.001 ? ` in ${span(spent)}` : '';
  if (doc.done) return `${done}${took}, done`;
  if (stopping) return `${done}${took}, stopping`;
  if (!running) return `${done}${took}, ${doc.elsewhere ? 'running in another tab or window' : 'not finished'}`;
  const left = within && within.left !== null ? within.left - (Date.now() - within.at) / 1000 : doc.left === null || doc.left === undefined ? null : doc.left - since;
  return `${done}${took}${left === null ? '' : `, ${about(Math.max(1, left))} left (estimated from its pace)`}`;
}

/** What a row adds where its methods are judged by different V's: "after salvage", else ''. `labels`: those of the row;
 *  `methods`: all with which it is compared. */
export function salvageWords(labels, methods) {
  const by = (label) => (methods.find((each) => each.label === label) || {}).judge;
  const salvaged = labels.filter((label) => by(label) === 'salvaged');
  if (!salvaged.length || methods.every((each) => each.judge === 'salvaged')) return '';
  if (labels.length === 1) return 'after salvage';
  return salvaged.length === labels.length ? 'both after salvage' : `${salvaged.join(', ')} after salvage`;
}

/** How much of a study is done, 0 to 1, with what the chunk under way has told: {share}, or null. */
export function doneShare(doc, within) {
  const begun = within ? within.share * ((doc.prompts - doc.prompts_done) / Math.max(1, doc.chunks - doc.chunks_done)) : 0;
  return (doc.prompts_done + begun) / doc.prompts;
}

/** What a study will take, before it runs. */
export function planWords(plan) {
  const parts = [`at most ${counted(plan.runs, 'run')} of the model`, `${count(plan.tokens)} sampled tokens`];
  if (plan.rows) parts.push(`${counted(plan.rows, 'row')} to bound Z`);
  if (plan.readings) parts.push(`${counted(plan.readings, 'prompt')} read again for p(yes)`);
  const prompts = plan.prompt_tokens ? `, prompts of about ${counted(Math.round(plan.prompt_tokens), 'token')} each` : '';
  const ends = Object.entries(plan.gives_up).map(([name, most]) => ` ${name} goes on until it has a valid output and gives up after ${count(most)} attempts.`).join('');
  return `${counted(plan.prompts, 'prompt')}, ${counted(plan.outputs, 'output')}: ${parts.join(', ')}${prompts}.${ends}`;
}

/** How long, and how that is known. */
export function timeWords(plan) {
  if (plan.seconds !== null) {
    const how = plan.pace === 'study' ? 'at the pace of the last study here' : 'at the pace of one batch, timed just now';
    return `At most ${about(plan.seconds)} ${how}: an estimate, less if outputs end early, more if others use the server.`;
  }
  if (plan.model === 'loading' || plan.model === 'absent') return 'The time is estimated once the model has been loaded.';
  if (plan.model === 'failed') return 'The model could not be loaded.';
  return 'The model is a server’s, whose pace isn’t known: the run tells it as it goes.';
}

/** The sentence under the chart of valid rates. */
export function validSentence(summary) {
  const each = summary.methods.filter((method) => method.valid.n).map((method) => `${method.label} ${rateWords(method.valid)}`);
  const few = summary.small ? ` Only ${counted(summary.prompts, 'prompt')}: read the intervals, not the means.` : '';
  return each.length ? `Valid: ${each.join('; ')}. ${INTERVAL}.${few}` : 'No output yet.';
}

/** The sentence under the stacked bars. */
export function outcomeSentence(summary) {
  if (!summary.gold) return 'Without gold answers only validity is known, not whether the answers are right.';
  const each = summary.methods.filter((method) => method.right_when_valid.n).map((method) => `of the valid answers of ${method.label} ${count(method.right_when_valid.count)} of ${count(method.right_when_valid.n)} are right`);
  return `Valid is not right${each.length ? `: ${each.join('; ')}` : ''}.`;
}

/** The sentence under the costs. */
export function costSentence(summary) {
  const each = summary.methods.filter((method) => method.tokens.per_valid !== null).map((method) => `${method.label} ${amount(method.tokens.per_valid)} tokens in ${amount(method.attempts.per_valid)} ${method.attempts.per_valid === 1 ? 'run' : 'runs'}`);
  const none = summary.methods.filter((method) => method.draws && method.tokens.per_valid === null).map((method) => method.label);
  const without = none.length ? ` No valid answer yet by ${none.join(', ')}.` : '';
  return each.length ? `A valid answer takes, the invalid ones paid too: ${each.join('; ')}. Measured on these prompts.${without}` : 'No valid answer yet, so that there is no price of one.';
}

/** The middle half of a spread: "middle half 2 to 4.4, of 24". */
export function spreadWords(spread) {
  if (!spread.n) return '–';
  const n = (x) => Number(x.toFixed(1));
  return `middle half ${n(spread.low)} to ${n(spread.high)}, of ${count(spread.n)}`;
}

/** An AUC with its interval, or how few there were of each kind. */
export function aucWords(auc) {
  if (auc.value === null) return `too few: ${count(auc.positives)} and ${count(auc.negatives)}`;
  return `${auc.value.toFixed(2)} (${auc.lower.toFixed(2)} to ${auc.upper.toFixed(2)})`;
}

/** The sentence on disagreements. */
export function apartSentence(pair) {
  const { share: rate, constrained, conditional, listed } = pair;
  if (!rate.n) return `${constrained} and ${conditional} were both valid at no prompt yet.`;
  const more = listed.length < rate.count ? `; the first ${listed.length} are listed` : '';
  return `${constrained} and ${conditional} answer differently at ${rateWords(rate)} of the prompts where both are valid${more}. Two draws of one law differ too where it isn’t sure.`;
}

/** Bins of a law over [0, 1]: how many of the middles of [{lower, upper}] lie in each of `bins` equal parts. */
export function binned(bounds, bins = 10) {
  const counts = new Array(bins).fill(0);
  for (const { lower, upper } of bounds) counts[Math.min(bins - 1, Math.floor(((lower + upper) / 2) * bins))] += 1;
  return counts;
}

/** Where x lies on a log axis from `low` to `high`, 0 to 1. */
export function onLog(x, low, high) {
  if (!(x > 0) || high <= low) return 0;
  return Math.max(0, Math.min(1, Math.log(x / low) / Math.log(high / low)));
}

/** Powers of ten around the values, as [low, high]. */
export function decades(values) {
  const known = values.filter((x) => x > 0);
  if (!known.length) return [1, 10];
  const low = 10 ** Math.floor(Math.log10(Math.min(...known)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...known)));
  return [low, high > low ? high : low * 10];
}
