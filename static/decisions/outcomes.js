// What a policy comes to on test tickets, as words, rows and axes. No page here.

import { count } from '../stage/format.js';
import { niceStep } from '../study/words.js';
import { chance, rateWords } from './words.js';

/** A cost: three decimals at most. */
export function costText(cost) {
  return String(Number(cost.toFixed(3))).replace('-', '−');
}

/** A mean cost with its interval. */
export function costWords({ cost, cost_low: low, cost_high: high }) {
  return `${costText(cost)} (${costText(low)} to ${costText(high)})`;
}

/** What the policy does at a threshold, in words. n: test tickets. */
export function pointWords(point, n) {
  if (!point) return 'No ticket is measured.';
  const kept = Math.round(point.coverage * n);
  const right = point.accuracy === null ? 'nothing is answered, so nothing is right or wrong' : `right in ${selectiveWords(point)} of them`;
  return `At ${chance(point.threshold)}: ${count(kept)} of ${count(n)} tickets are decided (${chance(point.coverage)}), ${right}; the other ${count(n - kept)} go to a person. Cost a ticket ${costWords(point)}.`;
}

/** The share of the decided tickets that is right, with its interval. */
export function selectiveWords({ accuracy, low, high }) {
  return rateWords({ value: accuracy, lower: low, upper: high });
}

/** Where the tickets go, by option and last to a person: [where, tickets, share]. */
export function routedRows({ options, routed }) {
  const total = routed.reduce((sum, n) => sum + n, 0);
  return [...options, 'to a person (abstain)'].map((where, at) => [where, count(routed[at]), total ? chance(routed[at] / total) : '–']);
}

/** An axis that holds 0 and every value: {from, to, ticks}; costs may be gains. */
export function costAxis(values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = niceStep((high - low || 1) / 4);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9) || 1];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
  return { from: ticks[0], to: ticks[ticks.length - 1], ticks, words: (tick) => String(tick).replace('-', '−') };
}

/** Every so many points of a long curve, with its first and last: a table of a hundred rows is for nobody. */
export function thinned(curve, most = 21) {
  const step = Math.ceil((curve.length - 1) / (most - 1)) || 1;
  return curve.filter((_, at) => at % step === 0 || at === curve.length - 1);
}
