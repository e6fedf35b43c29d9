// What a policy comes to on test tickets, as words, rows and axes. No page here.

import { count } from '../stage/format.js';
import { niceStep } from '../study/words.js';
import { chance, rateWords } from './words.js';

/** Costs with as many decimals each: three below 10, one less from every ten times of it on. */
export function costTexts(...costs) {
  const most = Math.max(...costs.map(Math.abs));
  const digits = most < 10 ? 3 : most < 100 ? 2 : most < 1000 ? 1 : 0;
  return costs.map((cost) => cost.toFixed(digits).replace('-', '−'));
}

/** A mean cost with its interval. Where every ticket costs the same, the mean of these is exact and the interval is of others. */
export function costWords({ cost, cost_low: low, cost_high: high, same, coverage }) {
  const [text, from, to] = costTexts(cost, low, high);
  if (same) return `exactly ${text} on these tickets (${from} to ${to} for others of their kind)`;
  // A document from before `same` was told: nothing decided is nothing risked.
  return coverage === 0 ? `exactly ${text} on these tickets` : `${text} (${from} to ${to})`;
}

/** The ends of a point's band. */
export function bandOf({ cost, cost_low: low, cost_high: high, same, coverage }) {
  return same === undefined && coverage === 0 ? [cost, cost] : [low, high];
}

/** Why a band is far wider than its line, in words; '' where no cost is far above what is paid. */
export function wideWords({ curve, costs, abstain }) {
  const dearest = Math.max(abstain, ...costs.flat());
  const paid = Math.max(...curve.map(({ cost }) => cost));
  const wide = curve.some((point) => { const [low, high] = bandOf(point); return high - low > Math.abs(point.cost); });
  return wide && dearest > 4 * paid ? ` The band is wide as the dearest mistake costs ${costTexts(dearest)[0]}: few enough tickets were seen that some more of those could be to come, and each would weigh so much.` : '';
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
