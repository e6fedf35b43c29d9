// What the Levels screen says and keeps: hand numbers, classes merged, runs whose old news is dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState } from '../../static/compare/state.js';
import { budgetWords, measuredBudget, plansOf } from '../../static/levels/budget.js';
import { ladderWords } from '../../static/levels/calculator.js';
import { runSeconds } from '../../static/levels/controls.js';
import { unfoldedOf } from '../../static/levels/failures.js';
import { allowedWords } from '../../static/levels/parts.js';
import { reliabilityRows } from '../../static/levels/reliability.js';
import { sharesOf } from '../../static/levels/right.js';
import { createRuns, empty, exampleProblem, levelProblem } from '../../static/levels/state.js';
import { LEVELS_BUDGET, failureCounts, failuresOf, fewerWords, lostWords, outputMs, perThousand, rateWords, whyWords } from '../../static/levels/words.js';

const PAGE = { rail: 'rail', sets: [], ladder: [0.91, 0.99, 1], ms_per_step: 25 };
const rate = (count, n, lower = 0, upper = 1) => ({ count, n, value: n ? count / n : null, lower, upper });
const cost = (total, n, valid) => ({ total, n, valid, mean: n ? total / n : null, per_valid: valid ? total / valid : null });

function summary(count, n, more = {}) {
  return { judge: 'schema', valid: rate(count, n, 0.1, 0.6), tokens: cost(120, n, count), steps: cost(120, n, count), attempts: cost(n, n, count), bits: { mean: null }, most_attempts: 1,
    categories: Object.fromEntries(['right', 'wrong', 'valid', 'invalid', 'truncated'].map((name) => [name, rate(0, n)])), ...more };
}

function world() {
  const store = createState(empty(PAGE));
  const asked = [];
  const stopped = [];
  let n = 0;
  const runs = createRuns(store, { ask: (what) => asked.push(what), stop: (run) => stopped.push(run), name: () => `run${(n += 1)}`, clock: () => 5 });
  const notice = (run, serial, more = {}) => runs.notice({ run, serial, progress: null, error: null, running: true, ...more });
  return { store, asked, stopped, runs, notice, show: (run, serial, document) => runs.show({ run, serial, document }) };
}

test('failures per 1,000 of 91, 99 and 100 % are 90, 10 and 0', () => {
  assert.deepEqual([0.91, 0.99, 1].map((q) => perThousand(1 - q)), ['90', '10', '0']);
  assert.equal(perThousand(1), '1,000');
  assert.equal(perThousand(0.0005), '0.5');
  assert.equal(perThousand(1e-6), '< 0.1');
});

test('the ladder is 9 times fewer, then none left, and says so of other rates too', () => {
  assert.match(ladderWords([0.91, 0.99, 1]), /91 % to 99 %: 9 times fewer\. From 99 % to 100 %: none left\. That last step/);
  assert.equal(ladderWords([0.9, 0.8, 0.99]).includes('That last step'), false);
  assert.equal(fewerWords(0.9, 0.8), '2 times as many');
  assert.equal(fewerWords(0.9, 0.9), 'as many');
  assert.equal(fewerWords(1, 1), 'none, as before');
  assert.equal(fewerWords(1, 0.9), 'some, where none failed');
});

test('a rate shows its share, its count and its interval, and a share of none is 0 %', () => {
  assert.deepEqual(rateWords(rate(3, 12, 0.0549, 0.5719)), { value: '25.0 %', of: '3 of 12', interval: '5.5 % to 57.2 %' });
  assert.equal(rateWords(rate(0, 12)).value, '0 %');
  assert.equal(rateWords(rate(0, 0)).value, '–');
  assert.equal(rateWords({ ...rate(1, 2), lower: null, upper: null }).interval, '');
});

test('time is measured steps times a step, and each attempt reads its prompt', () => {
  assert.equal(outputMs({ steps: { mean: 40 }, attempts: { mean: 1.5 } }, { step_ms: 25, prefill_ms: 100 }), 1150);
  assert.equal(outputMs({ steps: { mean: null }, attempts: { mean: null } }, { step_ms: 25, prefill_ms: 100 }), null);
});

test('what was lost is counted, and paid by what is valid', () => {
  assert.equal(lostWords('ask', summary(3, 12)), '9 outputs of 12, and the tokens in them: a valid one costs 40.0 tokens.');
  assert.match(lostWords('ask', summary(0, 12)), /12 outputs of 12, and the 120 tokens spent: none is valid\./);
  assert.match(lostWords('retry', summary(12, 12, { attempts: cost(20, 12, 12) })), /^No output\. 8 attempts refused and made again\.$/);
  assert.equal(lostWords('strict', summary(12, 12, { bits: { mean: 6.2 } })), 'No output. The mask took 6.2 bits of the model’s belief in the mean.');
  assert.match(lostWords('strict', summary(11, 12)), /1 output of 12: truncated/);
});

test('classes are merged over the levels, the most frequent first, and what was salvaged is told', () => {
  const failure = (name, count, refused) => ({ name, words: name, advice: '', count, refused, example: {} });
  const doc = { levels: [
    { level: '1', label: 'ask', failures: [failure('comment', 1, 1), failure('preamble', 3, 3)] },
    { level: '2', label: 'retry', failures: [failure('preamble', 2, 1)] }] };
  const found = failuresOf(doc);
  assert.deepEqual(found.map(({ name, total }) => [name, total]), [['preamble', 5], ['comment', 1]]);
  assert.equal(failureCounts(found[0]), '3 at level 1, 2 at level 2 (1 salvaged, so valid)');
  assert.deepEqual(found[0].of.map(({ label }) => label), ['ask', 'retry']);
  assert.deepEqual([unfoldedOf(null, found), unfoldedOf([], found), unfoldedOf(['comment'], found), unfoldedOf(null, [])], [['preamble'], [], ['comment'], []]);
});

test('a number out of range is answered with what is allowed and what the results are for', () => {
  assert.equal(allowedWords({ least: 0, most: 100, unit: '%' }, 91.5), 'From 0 to 100 %. The results are still for 91.5 %.');
  assert.equal(allowedWords({ least: 1, most: 1000, whole: true, optional: true }, null), 'A whole number from 1 to 1,000, or nothing for no limit. The results are still for no limit.');
});

test('the budget reads off a second, 1/q attempts, and that latency rules out retries', () => {
  const words = budgetWords(LEVELS_BUDGET);
  assert.deepEqual(words, ['One attempt: 40 × 25 ms = 1.0 s.', 'Until a valid one: 1/q = 1.1 attempts in the mean; 2 attempts for a chance of 99 %.',
    'Nothing valid in 3 attempts: (1 − q)^3 = 0.07 %.', 'Only one attempt fits into the budget, so retries are ruled out.']);
  const [, none, nothing] = budgetWords({ ...LEVELS_BUDGET, q: 0 }, { lower: 0, upper: 0.5 });
  assert.equal(none, 'At a q of 0 no number of attempts is enough. 95 % for 1/q: 2 to ∞.');
  assert.match(nothing, /= 100 %, 95 %: 12\.5 % to 100 %\.$/);
  const retry = plansOf(LEVELS_BUDGET, null).find(({ level }) => level === '2');
  assert.equal(whyWords(retry.why, retry), 'Latency rules out retries: 3 attempts may take 3.0 s; in 1.5 s one fits.');
  const roomy = plansOf({ ...LEVELS_BUDGET, ms: null }, null).find(({ level }) => level === '2');
  assert.equal(whyWords(roomy.why, roomy), 'Fits: at most 3.0 s, 3 calls.');
  const few = plansOf({ ...LEVELS_BUDGET, ms: null, calls: 2 }, null).find(({ level }) => level === '2');
  assert.equal(whyWords(few.why, few), 'It may need 3 calls; the budget has 2.');
  const late = plansOf({ ...LEVELS_BUDGET, ms: 500 }, null)[0];
  assert.equal(whyWords(late.why, late), 'One attempt takes 1.0 s; the budget has 500 ms.');
});

test('what was measured goes into the budget with its interval, until q is typed', () => {
  const doc = { attempts: 5, pace: { step_ms: 30, prefill_ms: 90 }, levels: [{ label: 'ask', level: '1', summary: summary(3, 12) }, { label: 'prefill', level: '1.5', summary: null }, { label: 'strict', level: '3', summary: summary(12, 12) }] };
  const budget = measuredBudget(doc, LEVELS_BUDGET);
  assert.deepEqual([budget.q, budget.tokens, budget.msPerStep, budget.prefillMs, budget.attempts], [25, 10, 30, 90, 5]);
  assert.deepEqual(plansOf(budget, doc)[0].valid, { lower: 0.1, upper: 0.6 });
  assert.deepEqual(plansOf({ ...budget, measured: false }, doc)[0].valid, { lower: 0.25, upper: 0.25 });
  assert.equal(measuredBudget(null, LEVELS_BUDGET), null);
});

test('r^n takes the measured levels, the textbook’s before any', () => {
  assert.deepEqual(reliabilityRows(null, [91, 99, 100]).map(({ value }) => value), [0.91, 0.99, 1]);
  const doc = { levels: [{ level: '1', label: 'ask', summary: summary(6, 12) }, { level: '1.5', label: 'prefill', summary: null }] };
  assert.deepEqual(reliabilityRows(doc, [91, 99, 100]).map(({ level, label, value, r }) => [level, label, value, r]), [['1', 'ask', 0.5, { lower: 0.1, upper: 0.6 }]]);
});

test('what outputs come to is shown without what never came', () => {
  const parts = sharesOf({ categories: { right: rate(3, 12), wrong: rate(6, 12), valid: rate(0, 12), invalid: rate(3, 12), truncated: rate(0, 12) } });
  assert.deepEqual(parts.map(({ name, share }) => [name, share]), [['right', 0.25], ['wrong', 0.5], ['invalid', 0.25]]);
});

test('a run asks with what was chosen, and old news of it or of another is dropped', () => {
  const { store, asked, runs, notice, show, stopped } = world();
  store.set({ n: 4, source: 'tickets', showSchema: true });
  runs.run();
  assert.deepEqual(asked[0], { run: 'run1', spec: { source: 'tickets', n: 4, attempts: 3, show_schema: true } });
  show('run1', 3, { mark: 'newer' });
  show('run1', 2, { mark: 'older' });
  assert.equal(store.get().doc.mark, 'newer');
  runs.run();
  assert.deepEqual(stopped, ['run1']);
  show('run1', 9, { mark: 'old' });
  notice('run1', 10, { running: false });
  assert.deepEqual([store.get().doc.mark, store.get().running], ['newer', true]);
});

test('stop ends the run on the server and keeps what is then still told', () => {
  const { store, runs, stopped, show, notice } = world();
  runs.run();
  show('run1', 1, { drawn: 2 });
  runs.stop();
  assert.deepEqual(stopped, ['run1']);
  show('run1', 2, { drawn: 4, stopped: true });
  notice('run1', 3, { running: false });
  assert.deepEqual([store.get().doc.drawn, store.get().running], [4, false]);
  runs.stop();
  assert.equal(stopped.length, 1);
});

test('an error leaves the last numbers, one of an opening too', () => {
  const { store, runs, show, notice } = world();
  runs.run();
  show('run1', 1, { mark: 'kept' });
  notice('run1', 2, { running: false, error: { what: 'Wrong.' } });
  assert.deepEqual([store.get().error.what, store.get().doc.mark], ['Wrong.', 'kept']);
  store.set({ opening: 'a', error: null });
  runs.notice({ opening: 'b', error: { what: 'Another’s.' } });
  assert.equal(store.get().error, null);
  runs.notice({ opening: 'a', error: { what: 'Not opened.' } });
  assert.deepEqual([store.get().error.what, store.get().opening], ['Not opened.', null]);
});

test('a look tells whether the numbers still fit, and asks nothing without any', () => {
  const { store, asked, runs, show, notice } = world();
  runs.look();
  assert.equal(asked.length, 0);
  runs.run();
  show('run1', 1, { problem: { model: 'm' } });
  notice('run1', 2, { running: false });
  runs.look();
  assert.deepEqual(asked[1], { run: 'run2', look: true, shown: { model: 'm' } });
  runs.notice({ run: 'run2', serial: 1, running: false, error: null, fits: false });
  assert.equal(store.get().fits, false);
});

test('an example opens with its own prompt and seed, level 1.5 with the brace', () => {
  const doc = { problem: { model: 'm', prompt: 'first', method: 'masked', sampling: { seed: 0, temperature: 1 } } };
  assert.deepEqual(exampleProblem(doc, { prompt: 'fifth', seed: 4 }), { model: 'm', prompt: 'fifth', method: 'masked', sampling: { seed: 4, temperature: 1 } });
  assert.deepEqual([levelProblem(doc, 'prefill').method, levelProblem(doc, 'prefill').prefill], ['unconstrained', '{']);
  assert.equal(levelProblem(doc, 'strict').method, 'masked');
});

test('how long a run takes is told from a finished run of the same prompts alone', () => {
  const done = { doc: { done: true, source: 'rail', n: 12 }, source: 'rail', n: 30, since: 6, running: false, fits: true };
  assert.equal(runSeconds(done), 15);
  for (const part of [{ source: 'tickets' }, { fits: false }, { running: true }, { doc: null }, { doc: { ...done.doc, done: false } }]) assert.equal(runSeconds({ ...done, ...part }), null);
});
