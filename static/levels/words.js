// What the Levels screen says: numbers with their intervals, laws, losses, reasons. No page here.

import { bits, count, counted, prob, seconds } from '../stage/format.js';
import { fewerFailures, latency } from './maths.js';

/** What the latency calculator opens with: 40 tokens of 25 ms are a second. ms and calls null: no limit. */
export const LEVELS_BUDGET = { q: 91, tokens: 40, msPerStep: 25, prefillMs: 0, ms: 1500, calls: 3, attempts: 3, measured: false };

/** What each level is called, wherever this screen names it; "parallel" is none of the levels, but a way to plan. */
export const TITLES = { ask: 'Ask', prefill: 'Ask, the { given', retry: 'Ask, parse, retry', parallel: 'Side by side, first valid', strict: 'Constrain' };

/** What each level draws from, in a sentence. */
export const LAWS = {
  ask: 'Draws from p, the model alone. Its valid outputs are draws from p_V.',
  prefill: 'Draws from p given that the first token is {. Its valid outputs follow p_V only if every valid run begins with exactly that token.',
  retry: 'A mixture: the first attempt draws from p, each later one from p under a prompt that holds the refused output and its error.',
  strict: 'Draws from p~: the mask erases and renormalises at every step. What ends is valid, but p~ is not p_V.',
};

/** What each level does to the distribution, and the screen that shows it. */
export const DOES = {
  ask: { words: 'Moves nothing. What is invalid is lost, and p_V is what is left.', screen: 'compare', open: 'Compare p and p_V' },
  prefill: { words: 'Moves all mass to outputs that begin with {, whatever the model wanted to say first.', screen: 'step', open: 'Step from the {' },
  retry: { words: 'Keeps what p made valid and fills up with answers to another prompt, the one that holds an error.', screen: 'compare', open: 'Compare on this prompt' },
  strict: { words: 'Squeezes: outputs behind a small Z_t come more often than the model believes in them.', screen: 'squeezing', open: 'See it squeeze' },
};

/** The names of the screens that are opened. */
export const SCREEN_NAMES = { step: 'Step', compare: 'Compare', squeezing: 'Squeezing' };

const WORDS_JUDGES = {
  schema: 'the whole text matches the schema',
  salvaged: 'the JSON found in the text matches the schema',
  language: 'the text is in the constraint’s language',
};

/** What counts as valid by a judge. */
export function judgeWords(judge) {
  return WORDS_JUDGES[judge] || judge;
}

/** A rate {count, n, value, lower, upper} as {value, of, interval}; dashes before the first output. */
export function rateWords(rate) {
  if (!rate || !rate.n) return { value: '–', of: 'nothing yet', interval: '' };
  const interval = rate.lower === null ? '' : `${prob(rate.lower).text} to ${prob(rate.upper).text}`;
  return { value: rate.count ? prob(rate.value).text : '0 %', of: `${count(rate.count)} of ${count(rate.n)}`, interval };
}

/** An interval of chances, with print as `prob`: one number where both ends print alike. */
export function between({ lower, upper }) {
  const [low, high] = [prob(lower).text, prob(upper).text];
  return low === high ? low : `${low} to ${high}`;
}

/** Failures among 1,000: "90", "0.5", "1,000"; "< 0.1" where it isn't 0. */
export function perThousand(failing) {
  const number = 1000 * failing;
  if (number <= 0) return '0';
  if (number < 0.1) return '< 0.1';
  return number >= 100 ? count(number) : String(Number(number.toFixed(1)));
}

/** How the failures of `after` stand to those of `before`: "9 times fewer", "none left", "twice as many". */
export function fewerWords(before, after) {
  if (before === 1 && after === 1) return 'none, as before';
  const times = fewerFailures(before, after);
  if (times === Infinity) return 'none left';
  const shown = (x) => String(Number(x.toPrecision(x < 10 ? 2 : 3)));
  if (Math.abs(times - 1) < 5e-3) return 'as many';
  if (times > 1) return `${shown(times)} times fewer`;
  return times === 0 ? 'some, where none failed' : `${shown(1 / times)} times as many`;
}

/** Milliseconds of one output at a level: every attempt reads its prompt, every step takes as long as one alone; null before any. */
export function outputMs({ steps, attempts }, pace) {
  if (!pace || steps.mean === null) return null;
  return latency(steps.mean, pace.step_ms, attempts.mean * pace.prefill_ms);
}

/** Milliseconds as a time: "850 ms", "1.0 s". */
export function ms(value) {
  return seconds(value === null ? null : value / 1000);
}

/** What the levels' seconds are made of. */
export function paceWords(pace) {
  if (pace.toy) return `A toy’s rows are looked up in a table: ${ms(pace.step_ms)} a step. Its seconds say nothing about a model.`;
  return `Measured steps × ${ms(pace.step_ms)} a step (median of ${counted(pace.steps, 'step')} of one run alone, at the start of this run), and ${ms(pace.prefill_ms)} to read a prompt of ${counted(pace.prompt, 'token')} at each attempt. An estimate for this machine.`;
}

/** What a level has lost, in a sentence. */
export function lostWords(label, summary) {
  const { valid, tokens, bits: paid, attempts } = summary;
  if (!valid.n) return '';
  const invalid = valid.n - valid.count;
  const outputs = invalid ? `${counted(invalid, 'output')} of ${count(valid.n)}, and the ${tokens.per_valid === null ? `${count(tokens.total)} tokens spent: none is valid` : `tokens in them: a valid one costs ${tokens.per_valid.toFixed(1)} tokens`}.` : 'No output.';
  if (label === 'strict') {
    const mass = paid.mean === null ? '' : ` The mask took ${bits(paid.mean)} of the model’s belief in the mean.`;
    return invalid ? `${counted(invalid, 'output')} of ${count(valid.n)}: truncated, or refused by what the mask doesn’t enforce.${mass}` : `No output.${mass}`;
  }
  if (label === 'retry' && attempts.total > attempts.n) return `${outputs} ${counted(attempts.total - attempts.n, 'attempt')} refused and made again.`;
  return outputs;
}

/** Every class of failure over the levels: [{name, words, advice, total, of: [{level, label, count, refused, example}]}], the most
 *  frequent first. */
export function failuresOf(doc) {
  const found = new Map();
  for (const { level, label, failures } of doc.levels) {
    for (const { name, words, advice, count: times, refused, example } of failures) {
      const entry = found.get(name) || { name, words, advice, total: 0, of: [] };
      entry.total += times;
      entry.of.push({ level, label, count: times, refused, example });
      found.set(name, entry);
    }
  }
  return [...found.values()].sort((a, b) => b.total - a.total);
}

/** "7 at level 1, 2 at level 2 (1 salvaged, so valid)". */
export function failureCounts({ of }) {
  return of.map(({ level, count: times, refused }) => `${count(times)} at level ${level}${refused < times ? ` (${count(times - refused)} salvaged, so valid)` : ''}`).join(', ');
}

/** Why a level doesn't fit its budget, or that it does; `why` as `plans` gives it. */
export function whyWords(why, { mostMs, mostCalls }) {
  if (!why) return `Fits: at most ${ms(mostMs)}, ${counted(mostCalls, 'call')}.`;
  if (why.kind === 'calls') return `It may need ${counted(why.needs, 'call')}; the budget has ${count(why.has)}.`;
  if (why.kind === 'one') return `One attempt takes ${ms(why.needs)}; the budget has ${ms(why.has)}.`;
  const ruled = why.fit < 2 ? 'Latency rules out retries: ' : '';
  return `${ruled}${count(why.inARow)} attempts may take ${ms(why.needs)}; in ${ms(why.has)} ${why.fit === 1 ? 'one fits' : `${count(why.fit)} fit`}.`;
}

/** A number of attempts or calls between bounds: "1.1", "1.1 to 3", "∞". */
export function times({ lower, upper }) {
  const shown = (x) => (x === Infinity ? '∞' : String(Number(x.toFixed(2))));
  const [low, high] = [shown(lower), shown(upper)];
  return low === high ? low : `${low} to ${high}`;
}

/** Milliseconds between bounds. */
export function msBetween({ lower, upper }) {
  const [low, high] = [ms(lower), ms(upper)];
  return low === high ? low : `${low} to ${high}`;
}

/** The level of a document by its label; null where it is off or has nothing yet. */
export function measured(doc, label) {
  const level = doc && doc.levels.find((each) => each.label === label);
  return level && level.summary && level.summary.valid.n ? level.summary : null;
}
