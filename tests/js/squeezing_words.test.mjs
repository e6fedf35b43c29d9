// How bounds, factors and what came of a way back print; which runs the screen believes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factor, numberBetween, point, probBetween, timesWords } from '../../static/stage/interval.js';
import { fixWords } from '../../static/squeezing/fix.js';
import { headline } from '../../static/squeezing/main.js';
import { createState, gradeOf, isOld, problemKey } from '../../static/squeezing/state.js';
import { probKnown } from '../../static/squeezing/known.js';
import { sweepColumns, sweepWords } from '../../static/squeezing/sweep.js';
import { waterRows } from '../../static/squeezing/water_table.js';

const between = (lower, upper = lower) => ({ lower, upper });

test('bounds that differ by rounding are one number, wider ones are both', () => {
  assert.equal(probBetween(between(0.9952229299362583, 0.9952229299363533)).text, '99.5 %');
  assert.equal(probBetween(between(0.999999999994, 1)).text, '100 %');
  assert.equal(probBetween(between(0.121, 0.134)).text, '12.1 to 13.4 %');
  assert.equal(probBetween(between(2.1e-6, 0.003)).text, '1 in 480,000 to 0.30 %');
  assert.equal(probBetween(null, { reason: 'no server' }).title, 'no server');
  assert.equal(probBetween(between(0.5, 0.52)).exact, false);
  assert.equal(point(between(0)), 0);
  assert.equal(numberBetween(between(0.7011052828762583, 0.7011052828787061)), '0.701');
  assert.equal(numberBetween({ lower: 0.2, upper: null }), '0.200 to ∞');
  assert.equal(numberBetween(between(0, 8e-12)), '0');
});

test('the squeeze is said in times, and never more than is proved', () => {
  assert.equal(timesWords(between(147.76470588, 147.764705884)), '148× too often');
  assert.equal(timesWords(between(0.29552941176, 0.29552941177)), '3.4× too rare');
  assert.equal(timesWords(between(297, 731)), '297 to 731× too often');
  assert.equal(timesWords({ lower: 12, upper: null }), 'at least 12× too often');
  assert.equal(timesWords(between(0, 0.5)), 'at least 2× too rare');
  assert.equal(timesWords(between(1)), 'just right');
  assert.match(timesWords(between(0.5, 3)), /^0\.5 to 3× as often/);
  assert.equal(factor(12345.6), '12,346');
});

const EXACT = { Z: between(2.139e-6), status: 'exact', texts: [{}] };

test('a way that kept nothing says how rare a valid draw is', () => {
  const doc = { methods: { rejection: { draws: 40, accepted: 0, rows_used: 50, seconds: 2, error: null, ess: null, texts: [], tv_to_p_V: { lower: null, status: 'off', why: 'Nothing was accepted yet.' } } } };
  const says = fixWords('rejection', doc, EXACT);
  assert.match(says, /Nothing was accepted yet\.$/);
  assert.match(says, /^0 of 40 kept/);
  assert.match(says, /1 in 470,000/);
  assert.match(says, /467,508 draws/);
  doc.methods.cars = doc.methods.rejection;
  assert.doesNotMatch(fixWords('cars', doc, EXACT), /on average|get there/);
});

test('few effective draws are said to be few', () => {
  const doc = { methods: { importance: { draws: 200, accepted: 200, rows_used: 5, seconds: 0.05, error: null, ess: 1.7, exact_law: false, texts: [], tv_to_p_V: { lower: 0.014, upper: 0.014, status: 'estimated' } } } };
  const says = fixWords('importance', doc, EXACT);
  assert.match(says, /Effective sample size 1\.7 of 200: few draws/);
  assert.match(says, /TV of these draws to p_V 0\.014 \(estimated\)\.$/);
  Object.assign(doc.methods.importance, { limited: true, accepted: 3 });
  doc.methods.importance.tv_to_p_V = { lower: 0, upper: 0, status: 'exact' };
  assert.match(fixWords('importance', { ...doc, n: 50 }, EXACT), /TV of the law to p_V 0 \(exact\)\.$/);
  assert.doesNotMatch(fixWords('importance', { ...doc, n: 50 }, { ...EXACT, status: 'old' }), /exact/);
  assert.match(fixWords('importance', { ...doc, n: 50 }, EXACT), /Limit of attempts reached: 3 of 50 kept/);
});

test('the headline names the worst text, or how near the laws are, or that nothing is valid', () => {
  const text = (name, masked, s) => ({ text: name, masked: between(masked), squeeze: between(s) });
  assert.equal(headline({ status: 'exact', tv: between(0.7011), texts: [text('cloud', 0.29, 0.2955), text('skill', 0.71, 147.76)] }), 'The mask gives “skill” 148× too often. TV(p~, p_V) = 0.701.');
  assert.match(headline({ status: 'exact', tv: between(0), texts: [text('x', 1, 1)] }), /is the exact one here, up to rounding/);
  // Never nearer than is proved: 0.00211 is not within 0.0021.
  assert.match(headline({ status: 'bounded', tv: between(0, 0.00211), texts: [text('x', 1, 1)] }), /^The mask’s law is within 0\.0022 of the exact one here/);
  assert.match(headline({ status: 'exact', tv: between(0), texts: [] }), /No text is valid/);
  assert.equal(headline({ status: 'exact', Z: between(0), tv: between(0, 1), texts: [text('x', 1, 1)] }), 'Nothing valid has any mass under the model, so p_V does not exist.');
  assert.match(headline({ status: 'bounded', tv: between(0, 1), texts: [] }), /not looked into/);
});

test('exact is said of the proof, not of a narrow interval', () => {
  assert.match(probKnown(between(0.3, 0.3001), 'exact').title, /^exact, up to floating point: between 0\.3 and 0\.3001$/);
  assert.match(probKnown(between(0.3), 'bounded').title, /^bounded: proved/);
  assert.equal(probKnown(between(0.3), 'exact').title, 'exact: 0.3');
  assert.equal(probKnown(null, 'exact', { reason: 'no row' }).title, 'no row');
});

test('the table of the costs adds up and gives Z with its bounds', () => {
  const steps = [{ token: 'sk', bits: 0.234, from: 0, to: 0.234 }, { token: ' ', bits: 8.966, from: 0.234, to: 9.2 }];
  assert.deepEqual(waterRows(steps, [2, 1.5], 'bounded'), [['sk', '0.23', '0.23', 'one row'], ['␣', '8.97', '9.20', 'one row'], ['∏ Z, in all', '9.20', '', 'one row each'], ['−log₂ Z', '1.50 to 2.00', '', 'bounded']]);
  assert.equal(waterRows([], [null, 2], 'bounded')[1][1], '2.00 to ∞');
});

test('a text without a path is not asked for its bits, and a sweep keeps its half widths', () => {
  const [q, tv] = sweepColumns([{ value: 1, q: between(0.2, 0.4), tv: between(0.7), status: 'bounded' }]);
  assert.deepEqual([q.x, q.y, q.error.map((x) => x.toFixed(3)), q.customdata], [[1], [0.30000000000000004], ['0.100'], [['20.0 to 40.0 %', 'bounded']]]);
  assert.deepEqual(tv.error, [0]);
});

test('a sweep has a gap where there is no p_V, and never a diamond in the middle of a wide span', () => {
  const points = [{ value: 1, q: between(0), tv: between(0, 1), status: 'exact' }, { value: 2, q: between(0.1), tv: between(0.2, 0.9), status: 'bounded' }, { value: 3, q: between(0.2), tv: between(0.5), status: 'exact' }];
  const [q, tv] = sweepColumns(points);
  assert.deepEqual(q.y, [0, 0.1, 0.2]);
  assert.deepEqual(tv.y, [null, null, 0.5]);
  assert.deepEqual([tv.spans.x, tv.spans.error.map((x) => x.toFixed(2))], [[2], ['0.35']]);
  assert.match(sweepWords({ parameter: 'temperature', points }), /^at temperature 1 q is 0 and p_V does not exist; at temperature 3 q is 20\.0 % and TV 0\.500 \(exact\)\.$/);
  assert.match(sweepWords({ parameter: 'top_p', points: points.slice(0, 1) }), /^Nothing valid/);
});

const PROBLEM = { model: 'toy:sky', prompt: '', constraint: { kind: 'choices', source: 'a' }, sampling: { temperature: 1, seed: 0 }, method: 'masked', watch: [], toy: { tokens: ['a'], rules: [{ p: { a: 1 } }], note: 'x' } };
const flowDoc = (problem) => ({ problem, exact: { texts: [{ text: 'a' }], Z: between(1) }, nodes: [] });

test('masses do not depend on the seed, the method or a note; they do on the table', () => {
  assert.equal(problemKey(PROBLEM), problemKey({ ...PROBLEM, method: 'unconstrained', sampling: { seed: 7, temperature: 1 }, watch: [1], toy: { ...PROBLEM.toy, note: 'y' } }));
  assert.notEqual(problemKey(PROBLEM), problemKey({ ...PROBLEM, toy: { ...PROBLEM.toy, rules: [{ p: { a: 2 } }] } }));
  assert.notEqual(problemKey(PROBLEM), problemKey({ ...PROBLEM, sampling: { temperature: 2, seed: 0 } }));
});

test('a run that was replaced is not listened to, and a new problem drops what came of the old', () => {
  const sent = [];
  const stopped = [];
  const state = createState({ send: (what) => sent.push(what), stop: (run) => stopped.push(run) });
  const first = state.start('flow');
  const second = state.start('flow', { auto: true });
  assert.deepEqual(stopped, [first]);
  assert.equal(sent[1].auto, true);
  state.receive({ run: first, document: flowDoc(PROBLEM) });
  assert.equal(state.get().doc, null);
  state.receive({ run: second, document: flowDoc(PROBLEM) });
  assert.equal(state.get().leaf, 'a');
  const fix = state.start('cars');
  state.receive({ run: fix, document: { problem: PROBLEM, methods: {} } });
  assert.ok(state.get().fixes.cars);
  state.notice({ run: second, running: false, progress: null, error: null });
  assert.equal(state.running('flow'), false);
  const third = state.start('flow');
  state.receive({ run: third, document: flowDoc({ ...PROBLEM, prompt: 'other' }) });
  assert.deepEqual(state.get().fixes, {});
});

test('numbers that a change or an error has left behind are old, not exact', () => {
  const state = createState({ send: () => {}, stop: () => {} });
  const run = state.start('flow');
  state.receive({ run, document: { ...flowDoc(PROBLEM), exact: { texts: [], Z: between(1), status: 'exact' } } });
  state.notice({ run, running: false });
  assert.equal(gradeOf(state.get()), 'exact');
  const again = state.start('flow');
  state.notice({ run: again, running: false, error: { what: 'No.' } });
  assert.equal(gradeOf(state.get()), 'old');
  state.start('flow');
  assert.equal(isOld(state.get()), false);
  state.set({ stale: true });
  assert.equal(gradeOf(state.get()), 'old');
  assert.match(probKnown(between(0.3), 'old').title, /^of the problem before/);
});

test('being told that the same problem is idle keeps its picture; another one takes it away', () => {
  const state = createState({ send: () => {}, stop: () => {} });
  state.receive({ run: state.start('flow'), document: flowDoc(PROBLEM) });
  state.receive({ run: state.start('flow'), document: { idle: true, problem: { ...PROBLEM, method: 'unconstrained' } } });
  assert.ok(state.get().doc);
  state.receive({ run: state.start('flow'), document: { idle: true, problem: { ...PROBLEM, model: 'smollm2' } } });
  assert.equal(state.get().doc, null);
  assert.equal(state.get().idle.problem.model, 'smollm2');
});
