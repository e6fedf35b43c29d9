// Numbers in words: those of claims, and those within a text.

import { count, plain } from '../stage/format.js';

// Bounds this close to each other are one number up to the rounding of sums.
const NUMBERS_SAME = 1e-9;

/** Any number, short: "0.109", "12", "3.58", "−0.25". */
export function figure(x) {
  if (x < 0) return `−${figure(-x)}`;
  if (Number.isInteger(x)) return count(x);
  return x < 1 ? plain(x) : String(Number(x.toPrecision(4)));
}

/** Bounds as one number where they agree, else both; null stands for no bound. */
export function interval({ lower, upper }) {
  if (lower === null && upper === null) return 'unbounded';
  if (lower === null) return `at most ${figure(upper)}`;
  if (upper === null) return `at least ${figure(lower)}`;
  if (upper - lower > NUMBERS_SAME * Math.max(Math.abs(lower), Math.abs(upper), 1)) return `${figure(lower)} to ${figure(upper)}`;
  const middle = (lower + upper) / 2;
  // What the search proved of a whole number is that number.
  return figure(Math.abs(middle - Math.round(middle)) < NUMBERS_SAME ? Math.round(middle) : middle);
}

/** A text whose numbers stay whole where its lines break: "99.9 %", "1 in 400,000" and "2.6 million" are never parted. */
export function unbroken(text) {
  return String(text).replace(/(\d) (?=%|(?:million|billion|trillion|times|bits?)\b)/g, '$1\u00a0').replace(/\b1 in (?=\d)/g, '1\u00a0in\u00a0');
}
