// What the Decisions screen says of laws, scores and heads. No page here.

import { count, counted, plain, prob, seconds } from '../stage/format.js';
import { probBetween } from '../stage/interval.js';

export const KNOWN = {
  exact: 'Computed from the law itself, no sampling; what remains is rounding.',
  bounded: 'Proved to lie between the two ends.',
  estimated: 'From examples: the interval says how far it may be off.',
};

const bounds = ([lower, upper]) => ({ lower, upper });

/** A chance: "61.2 %", a dash for none. */
export function chance(p) {
  return prob(p).text;
}

/** A chance between proved ends [lo, hi]: one number where both print alike. */
export function between(ends) {
  return ends ? probBetween(bounds(ends)).text : '–';
}

/** Half-way between the ends. */
export function middle([lower, upper]) {
  return (lower + upper) / 2;
}

/** A measured rate: "61.2 % (50.1 % to 70.3 %)"; `value` null is a dash. */
export function rateWords(rate) {
  if (!rate || rate.value === null || rate.value === undefined) return '–';
  if (rate.lower === null || rate.lower === undefined) return chance(rate.value);
  return `${chance(rate.value)} (${chance(rate.lower)} to ${chance(rate.upper)})`;
}

/** A plain measured number with its interval: "0.31 (0.22 to 0.40)". */
export function numberWords(found, digits = 3) {
  if (!found || found.value === null || found.value === undefined) return '–';
  const least = 10 ** -digits;
  const text = (x) => (x > 0 && x < least / 2 ? `< ${least}` : x === 0 ? '0' : x.toFixed(digits));
  if (found.lower === null || found.lower === undefined) return text(found.value);
  return `${text(found.value)} (${text(found.lower)} to ${text(found.upper)})`;
}

/** Bits without the rounding of a bar's label: "1 bit", "0.213 bits". */
export function exactBits(b) {
  if (b === null || b === undefined) return '–';
  if (Math.abs(b - Math.round(b)) < 1e-9) return counted(Math.round(b), 'bit');
  return b < 0.0005 ? '< 0.001 bits' : `${b.toFixed(3)} bits`;
}

/** A list in words: "a, b and c". */
export function listed(names) {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** Whether a decision of this confidence is kept at a threshold, in words. */
export function abstainWords(confidence, threshold) {
  return confidence < threshold ? `would abstain: ${chance(confidence)} is below ${chance(threshold)}` : `would answer: ${chance(confidence)} is not below ${chance(threshold)}`;
}

/** What scoring cost against writing the record. */
export function callsWords({ options, rows, passes, steps_of_generation: steps }) {
  const work = `Scored ${counted(options, 'option')} in ${counted(rows, 'row')} of the model${passes ? `, ${passes === 1 ? '1 batch' : `${count(passes)} batches`} one after another` : ''}`;
  return steps ? `${work}, against about ${counted(steps, 'decoding step')} one after another for the same record as text.` : `${work}.`;
}

/** What a decision cost. */
export function timeWords({ ms, tokens, truncated }) {
  return `${seconds(ms.prefill / 1000)} to read ${counted(tokens, 'token')} once, ${seconds(ms.head / 1000)} for the head; no decoding step.${truncated ? ' The ticket was longer than the head reads: its end was left out.' : ''}`;
}

/** What the mass outside the options means; '' where it is unremarkable. */
export function noneWords(none, best) {
  if (none[0] < 0.5) return '';
  return `${between(none)} of what the model would say here is none of these options. A mask can’t show that: it rescales what is left, and ${best} gets its share of 100 %.`;
}

/** What a head of that kind gives as confidence. */
export function confidenceWords(field, kind) {
  const conditional = Math.abs(field.confidence - field.marginal) > 1e-9;
  if (!conditional) return `Confidence ${chance(field.confidence)}`;
  return `Confidence ${chance(field.confidence)}${kind === 'chained' ? ', given the fields decided before it' : ', as part of the most likely record'}; its marginal is ${chance(field.marginal)}`;
}

/** What the total correlation of a law says. */
export function tcWords(tc, kind = '') {
  if (tc < 1e-9) return kind === 'factorised' ? '0 bits: a factorised head can give nothing but the product, whatever the ticket.' : '0 bits: for this text the fields are independent, and nothing is lost by choosing each alone.';
  return `${exactBits(tc)}: so much the fields say about each other, and so much is lost by choosing each from its own marginal.`;
}

/** The share of a product's mass on combinations that the joint law never gives (or that aren't allowed). */
export function incoherentShare({ joint, product, allowed }) {
  return product.reduce((sum, row, i) => sum + row.reduce((part, p, j) => part + ((allowed ? !allowed[i][j] : joint[i][j] <= 0) ? p : 0), 0), 0);
}

/** A pair with its two fields swapped. */
export function swapped(pair) {
  const turn = (table) => (table ? table[0].map((_, j) => table.map((row) => row[j])) : table);
  return { ...pair, a: pair.b, b: pair.a, joint: turn(pair.joint), product: turn(pair.product), allowed: turn(pair.allowed) };
}

/** The pair of two fields, `a` down and `b` across; null where it isn't told. */
export function pairOf(pairs, a, b) {
  const found = pairs.find((each) => each.a === a && each.b === b);
  if (found) return found;
  const other = pairs.find((each) => each.a === b && each.b === a);
  return other ? swapped(other) : null;
}

/** The pair shown: the one chosen, else the one with the most bits; null without pairs. */
export function pairShown(pairs, chosen) {
  const found = chosen ? pairOf(pairs, chosen[0], chosen[1]) : null;
  return found || pairs.reduce((best, each) => (best === null || each.tc_bits > best.tc_bits ? each : best), null);
}

/** How training stands: "epoch 12 of 40, 3.2 s". */
export function trainingWords(doc, running) {
  const { features, epochs, parameters, done, stopped } = doc;
  if (doc.stage === 'features') return `Reading the tickets: ${count(features.done)} of ${count(features.total)}, once; the head then trains on what is kept.`;
  const last = epochs[epochs.length - 1];
  const made = last ? `${counted(last.epoch, 'epoch')} in ${seconds(doc.seconds)}` : 'No epoch yet';
  const best = doc.best !== null && doc.best !== undefined && epochs.length ? `; the head after epoch ${doc.best}, with the least loss on dev, is kept` : '';
  const size = parameters ? ` ${counted(parameters, 'parameter')}.` : '';
  if (running && !done) return `${made}${last ? `: dev loss ${last.dev_loss.toFixed(3)} nats a record` : ''}.${size}`;
  return `${stopped ? 'Stopped: ' : ''}${made}${best}.${size}`;
}

/** Expected calibration error as text. */
export function eceWords(before, after, temperature, bins) {
  const way = after < before - 5e-4 ? 'falls to' : after > before + 5e-4 ? 'rises to' : 'stays at';
  return `ECE ${plain(before)} (${counted(bins, 'bin')} of equal width) ${way} ${plain(after)} at temperature ${temperature.toFixed(2)}, fitted on dev alone.`;
}
