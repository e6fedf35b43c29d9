// What the Study screen says of an experiment's finding, and where its marks stand. No page here.

import { counted } from '../stage/format.js';
import { niceStep, span } from './words.js';

const FINDING_HOW = {
  exact: 'exact: calculated for each prompt that was asked, nothing is drawn',
  bounded: 'bounded: proved to lie between two numbers at each prompt that was asked',
  estimated: 'estimated: counted on answers that were drawn',
};
const FINDING_UNITS = { share: 'points', TV: 'TV', tokens: 'tokens' };

/** "proved" (0, whatever the prompt and the model), "seen", "few" (the interval leaves out 0, the test doesn't reject) or "none". */
export function status(effect) {
  if (effect.proof && !effect.significant) return 'proved';
  if (effect.significant) return 'seen';
  return effect.p_value !== null && (effect.lower > 0 || effect.upper < 0) ? 'few' : 'none';
}

/** The status in words. */
export function statusWords(effect) {
  return { proved: '0, proved', seen: 'An effect was seen', few: 'Too few prompts to tell', none: 'No effect was seen' }[status(effect)];
}

/** What exact, bounded and estimated mean of a number of an experiment. */
export function howWords(how) {
  return FINDING_HOW[how] || how;
}

/** A p-value: "p < 0.001", "p = 0.38"; a dash where no chance is involved. */
export function pWords(p) {
  if (p === null || p === undefined) return '–';
  return p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`;
}

/** An effect on one line: "No effect was seen: −6.2 points (interval −26.4 to +14.1)"; with its p-value where that is why it can't be told. */
export function effectWords(effect) {
  const stands = status(effect);
  if (stands === 'proved') return statusWords(effect);
  return `${statusWords(effect)}: ${effect.unit === 'TV' ? 'TV ' : ''}${effect.words}${stands === 'few' ? `, ${pWords(effect.p_value)}` : ''}`;
}

/** A finding apart: {open, proved}, its effects as [{effect, sentence}], and `notes`, the other sentences. */
export function partsOf(finding) {
  const effects = [finding.effect, ...finding.also].map((effect, at) => ({ effect, sentence: finding.sentences[at] }));
  const open = effects.filter(({ effect }) => status(effect) !== 'proved');
  return { open, proved: effects.filter(({ effect }) => status(effect) === 'proved'), notes: finding.sentences.slice(effects.length) };
}

/** Effects by their unit, in order of appearance: [[unit, effects]]; a group shares one axis. */
export function byUnit(effects) {
  const groups = new Map();
  for (const each of effects) groups.set(each.unit, [...(groups.get(each.unit) || []), each]);
  return [...groups];
}

/** An axis that holds 0 and every interval: {low, high, ticks}, in the effects' own scale. */
export function axisOf(effects) {
  const least = Math.min(0, ...effects.map((each) => each.lower));
  const most = Math.max(0, ...effects.map((each) => each.upper));
  const width = most - least || 1;
  const step = niceStep(width / 5);
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  const ticks = [];
  for (let at = first; at <= last; at += 1) ticks.push(at === 0 ? 0 : Number((at * step).toPrecision(12)));
  return { low: first * step, high: last * step, ticks };
}

/** The unit of an effect in words. */
export function unitWords(unit) {
  return FINDING_UNITS[unit] || unit;
}

/** A text with real minus signs before its numbers. */
export function minus(text) {
  return text.replace(/(^|[\s([])-(?=\d)/g, '$1−');
}

/** A place on the axis in words; shares in points. */
export function tickWords(x, unit) {
  const scaled = Number((unit === 'share' ? 100 * x : x).toPrecision(6));
  const sign = unit === 'TV' || scaled <= 0 ? '' : '+';
  return `${sign}${minus(String(scaled))}`;
}

/** Where and how a finding was had: "smollm2, n = 32, seed 0, in 3 min 26 s". */
export function whereWords(finding) {
  return `${finding.model}, n = ${finding.n}, seed ${finding.seed}, in ${span(finding.seconds)}`;
}

/** What a run will take, by the recorded one. */
export function expectWords(recorded) {
  return recorded ? `The recorded run took ${span(recorded.seconds)} for ${counted(recorded.n, 'prompt')}.` : 'Usually minutes; the run tells it as it goes.';
}

/** How the measures of the arms are known: [["risk right, cut off", "estimated", "95 %, ..."]]. */
export function measuredBy(arms) {
  const found = new Map();
  for (const { measures } of arms) {
    for (const { name, how, interval } of measures) {
      const key = JSON.stringify([how, interval]);
      if (!found.has(key)) found.set(key, { how, interval, names: [] });
      if (!found.get(key).names.includes(name)) found.get(key).names.push(name);
    }
  }
  return [...found.values()].map(({ how, interval, names }) => [names.join(', '), how, interval]);
}

/** Of so many experiments, each with one effect that was tested: how often luck alone shows one. */
export function luckWords(count) {
  return `One effect of each is tested at 5 %: if none of the ${count} were there, one or more would still be seen with a chance of ${Math.round(100 * (1 - 0.95 ** count))} %.`;
}

/** What is wrong with the numbers of a run: null, or a sentence. */
export function refusedRun({ n, seed }, most) {
  if (!Number.isInteger(n) || n < 1 || n > most) return `Prompts must be a whole number from 1 to ${most}.`;
  if (!Number.isInteger(seed) || seed < 0 || seed > Number.MAX_SAFE_INTEGER) return 'The seed must be a whole number from 0.';
  return null;
}
