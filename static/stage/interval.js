// How a number known to lie between two bounds prints: as one number where the bounds print alike, else as both.

import { prob } from './format.js';

const INTERVAL_ROUNDING = 1e-6;
const INTERVAL_NOTHING = 1e-9;

function intervalMissing(bounds) {
  return !bounds || bounds.lower === null || bounds.lower === undefined;
}

/** The one number of an interval whose bounds differ by rounding alone, else null. */
export function point(bounds) {
  if (intervalMissing(bounds) || bounds.upper === null || bounds.upper === undefined) return null;
  const { lower, upper } = bounds;
  if (upper - lower > INTERVAL_ROUNDING * Math.abs(upper)) return null;
  return upper >= 1 && lower < 1 && 1 - lower <= INTERVAL_ROUNDING ? 1 : (lower + upper) / 2;
}

/** Half-way between the bounds; the lower one where the upper is infinite; null for nothing. */
export function middle(bounds) {
  if (intervalMissing(bounds)) return null;
  return bounds.upper === null || bounds.upper === undefined ? bounds.lower : (bounds.lower + bounds.upper) / 2;
}

/** A chance between bounds as {text, title, exact}: "99.5 %", "12.1 to 13.4 %", "1 in 470,000 to 0.30 %". */
export function probBetween(bounds, { reason = 'not available' } = {}) {
  if (intervalMissing(bounds)) return { ...prob(null, { reason }), exact: false };
  const one = point(bounds);
  if (one !== null) { const { text, title } = prob(one); return { text, title: `exact up to rounding: ${title}`, exact: true }; }
  const [low, high] = [prob(bounds.lower), prob(bounds.upper)];
  const title = `proved to lie between ${low.text} and ${high.text}`;
  if (low.text === high.text) return { text: low.text, title, exact: false };
  const short = low.text.endsWith(' %') && high.text.endsWith(' %') && !low.text.startsWith('>') ? low.text.slice(0, -2) : low.text;
  return { text: `${short} to ${high.text}`, title, exact: false };
}

/** A plain number between bounds: "0.701", "0.62 to 0.71"; `digits` after the point. */
export function numberBetween(bounds, digits = 3) {
  if (intervalMissing(bounds)) return '–';
  const text = (x) => (x === null || x === undefined ? '∞' : x !== 0 && Math.abs(x) < 10 ** -digits ? x.toExponential(1).replace('-', '−') : x.toFixed(digits));
  // Rounding alone, where the bounds are those of a difference.
  if (bounds.lower <= 0 && bounds.upper !== null && bounds.upper < INTERVAL_NOTHING) return '0';
  const one = point(bounds);
  if (one !== null) return text(one);
  const [low, high] = [text(bounds.lower), text(bounds.upper)];
  return low === high ? low : `${low} to ${high}`;
}

/** A factor from 1 on: "148", "12.5", "3.4", "1.02". */
export function factor(x) {
  if (x === null || x === undefined || x === Infinity) return '∞';
  if (x >= 1e6) return x.toExponential(1).replace('e+', 'e');
  if (x >= 100) return String(Math.round(x)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return String(Number(x.toPrecision(x < 1.095 ? 3 : 2)));
}

/** The squeeze s(y) in words: "148× too often", "3.4× too rare", "just right", "0.80 to 1.3× as often as it should be". */
export function timesWords(bounds) {
  if (intervalMissing(bounds)) return '–';
  const { lower } = bounds;
  const upper = bounds.upper === null || bounds.upper === undefined ? Infinity : bounds.upper;
  const both = (a, b) => (factor(a) === factor(b) ? factor(a) : `${factor(a)} to ${factor(b)}`);
  if (lower >= 0.995 && upper <= 1.005) return 'just right';
  if (lower >= 1) return upper === Infinity ? `at least ${factor(lower)}× too often` : `${both(lower, upper)}× too often`;
  if (upper <= 1) return lower <= 0 ? (upper <= 0 ? 'never given' : `at least ${factor(1 / upper)}× too rare`) : `${both(1 / upper, 1 / lower)}× too rare`;
  return `${lower <= 0 ? '0' : Number(lower.toPrecision(2))} to ${factor(upper)}× as often as it should be`;
}
