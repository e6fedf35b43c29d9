// What the Study screen says: counts with intervals, times, plans, and where marks stand on an axis.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, amount, apartSentence, aucWords, between, binned, costSentence, decades, ends, niceScale, niceStep, onLog, outcomeSentence, planWords, points, rateWords, salvageWords, span, spreadWords, standing, timeWords, validSentence } from '../../static/study/words.js';

const RATE = { count: 12, n: 24, value: 0.5, lower: 0.2912, upper: 0.7088 };
const NONE = { count: 0, n: 0, value: null, lower: null, upper: null };

test('a rate says its count, its share and its interval, and says where there is none', () => {
  assert.equal(rateWords(RATE), '12 of 24, 50.0 % (29.1 % to 70.9 %)');
  assert.equal(rateWords(NONE), 'none yet');
  assert.equal(ends({ ...RATE, lower: null, upper: null }), 'no interval');
});

test('a difference of two rates is in points, with its interval', () => {
  assert.equal(points(0.12, -0.031, 0.204), '+12.0 points (interval −3.1 to +20.4)');
  assert.equal(points(-1, -1, -0.71), '−100.0 points (interval −100.0 to −71.0)');
  // What isn't 0 doesn't read as 0.
  assert.equal(points(0, -0.0004, 0.0004), '+0.0 points (interval −0.04 to +0.04)');
});

test('an axis from 0 has steps of 1, 2 or 5 times a power of ten, and holds what it is for', () => {
  assert.deepEqual(niceScale(7.4), { top: 8, ticks: [0, 2, 4, 6, 8] });
  assert.deepEqual(niceScale(1), { top: 1, ticks: [0, 0.5, 1] });
  for (let most = 0.013; most < 4000; most *= 1.37) {
    const { top, ticks } = niceScale(most);
    const step = ticks[1];
    assert.match(step.toExponential(), /^[125]e/);
    assert.ok(top >= most && top - step < most, `${most}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${ticks}`);
    ticks.forEach((tick, at) => assert.ok(Math.abs(tick - at * step) < 1e-9 * top));
  }
  assert.equal(niceStep(0.3), 0.5);
  assert.equal(niceStep(0.2), 0.2);
});

test('few prompts are said to be few', () => {
  const summary = { small: true, prompts: 8, gold: 8, methods: [{ label: 'ask', valid: RATE, right_when_valid: { ...NONE, count: 3, n: 12 } }] };
  assert.match(validSentence(summary), /ask 12 of 24.*Clopper-Pearson.*Only 8 prompts: read the intervals/);
  assert.doesNotMatch(validSentence({ ...summary, small: false }), /Only/);
  assert.match(outcomeSentence(summary), /of the valid answers of ask 3 of 12 are right/);
  assert.match(outcomeSentence({ ...summary, gold: 0 }), /only validity is known/);
});

test('a cost without a valid answer is no number', () => {
  const cost = (tokens, runs) => ({ tokens: { per_valid: tokens }, attempts: { per_valid: runs }, draws: 8 });
  const words = costSentence({ methods: [{ label: 'strict', ...cost(32.4, 1) }, { label: 'ask', ...cost(null, null) }] });
  assert.match(words, /strict 32.4 tokens in 1 run\b/);
  assert.match(words, /No valid answer yet by ask/);
  assert.match(costSentence({ methods: [{ label: 'ask', ...cost(null, null) }] }), /no price/);
});

test('times and amounts', () => {
  assert.equal(span(42), '42 s');
  assert.equal(span(185), '3 min 5 s');
  assert.equal(span(7800), '2 h 10 min');
  assert.equal(about(0.2), 'about a second');
  assert.equal(about(40.2), 'about 41 s');
  assert.equal(about(200), 'about 4 min');
  assert.equal(about(7200), 'about 2 h');
  assert.equal(amount(41.24), '41.2');
  assert.equal(amount(1250.2), '1,250');
  assert.equal(amount(null), '–');
});

test('how a study stands', () => {
  const doc = { prompts: 50, prompts_done: 24, seconds: 130, left: 150, done: false };
  assert.equal(standing(doc, true), '24 of 50 prompts in 2 min 10 s, about 3 min left (estimated from its pace)');
  assert.equal(standing(doc, true, { since: 30 }), '24 of 50 prompts in 2 min 40 s, about 2 min left (estimated from its pace)');
  assert.equal(standing({ ...doc, seconds: 0, left: null }, true), '24 of 50 prompts');
  assert.equal(standing(doc, false), '24 of 50 prompts in 2 min 10 s, not finished');
  assert.equal(standing({ ...doc, elsewhere: true }, false), '24 of 50 prompts in 2 min 10 s, running in another tab or window');
  assert.equal(standing(doc, true, { stopping: true }), '24 of 50 prompts in 2 min 10 s, stopping');
  assert.equal(standing({ ...doc, prompts_done: 50, done: true }, false), '50 of 50 prompts in 2 min 10 s, done');
});

test('a plan is an upper bound and says when a method gives up', () => {
  const plan = { prompts: 8, outputs: 24, runs: 40, tokens: 2560, rows: 0, readings: 0, gives_up: {}, prompt_tokens: 151.4, seconds: 90, pace: 'study', model: 'ready' };
  assert.equal(planWords(plan), '8 prompts, 24 outputs: at most 40 runs of the model, 2,560 sampled tokens, prompts of about 151 tokens each.');
  assert.match(planWords({ ...plan, rows: 800, readings: 24 }), /2,560 sampled tokens, 800 rows to bound Z, 24 prompts read again for p\(yes\), prompts of about/);
  assert.match(planWords({ ...plan, gives_up: { cars: 100 } }), /at most 40 runs.* cars goes on until it has a valid output and gives up after 100 attempts\.$/);
  assert.match(timeWords(plan), /At most about 2 min at the pace of the last study here: an estimate/);
  assert.match(timeWords({ ...plan, pace: 'probe' }), /timed just now/);
  assert.match(timeWords({ ...plan, seconds: null, model: 'loading' }), /once the model has been loaded/);
  assert.match(timeWords({ ...plan, seconds: null, model: 'server' }), /a server’s, whose pace isn’t known/);
});

test('spreads and AUCs say what they are of', () => {
  assert.equal(spreadWords({ n: 24, low: 2, median: 3.141, high: 4.4 }), 'middle half 2 to 4.4, of 24');
  assert.equal(aucWords({ value: null, positives: 0, negatives: 16 }), 'too few: 0 and 16');
  assert.equal(aucWords({ value: 0.7, lower: 0.55, upper: 0.81 }), '0.70 (0.55 to 0.81)');
});

test('bounds that print alike are one number', () => {
  const print = (x) => x.toFixed(2);
  assert.equal(between({ lower: 0.10899, upper: 0.10901 }, print), '0.11');
  assert.equal(between({ lower: 0.1, upper: 0.2 }, print), '0.10 to 0.20');
});

test('what is judged after salvage is marked where others are not', () => {
  const methods = [{ label: 'ask', judge: 'schema' }, { label: 'retry', judge: 'salvaged' }, { label: 'retry-prefill', judge: 'salvaged' }];
  assert.equal(salvageWords(['ask'], methods), '');
  assert.equal(salvageWords(['retry'], methods), 'after salvage');
  assert.equal(salvageWords(['ask', 'retry'], methods), 'retry after salvage');
  assert.equal(salvageWords(['retry', 'retry-prefill'], methods), 'both after salvage');
  assert.equal(salvageWords(['retry'], methods.slice(1)), '');
});

test('disagreements name how many are listed', () => {
  const pair = { constrained: 'strict', conditional: 'parallel-3', share: RATE, listed: new Array(5) };
  assert.match(apartSentence(pair), /differently at 12 of 24.*the first 5 are listed/);
  assert.match(apartSentence({ ...pair, share: NONE }), /at no prompt yet/);
});

test('marks stand where their value is', () => {
  assert.deepEqual(binned([{ lower: 0, upper: 0 }, { lower: 0.1, upper: 0.2 }, { lower: 1, upper: 1 }], 10), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(decades([3, 32.4, null]), [1, 100]);
  assert.deepEqual(decades([null]), [1, 10]);
  assert.deepEqual(decades([10, 10]), [10, 100]);
  assert.equal(onLog(10, 1, 100), 0.5);
  assert.equal(onLog(0.5, 1, 100), 0);
});
