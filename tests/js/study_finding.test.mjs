// What is said of an experiment's finding: seen, not seen or proved; marks on an axis that holds 0; refused numbers; links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisOf, byUnit, effectWords, expectWords, howWords, luckWords, measuredBy, minus, pWords, partsOf, refusedRun, status, statusWords, tickWords, whereWords } from '../../static/study/finding_words.js';
import { createState } from '../../static/compare/state.js';
import { createRuns, linkOfExperiment, linked, linkedExperiment, studying } from '../../static/study/runs.js';
import { doneShare, standing } from '../../static/study/words.js';

const effect = (more = {}) => ({ name: 'right', value: -0.0625, lower: -0.264, upper: 0.141, unit: 'share', how: 'estimated', interval: '95 %', test: 'McNemar', p_value: 0.7539, proof: '', significant: false, words: '−6.2 points (interval −26.4 to +14.1)', ...more });
const PROVED = effect({ name: 'last', value: 0, lower: 0, upper: 0, unit: 'TV', how: 'exact', proof: 'a set has no order', p_value: null, words: '0.000 (interval 0.000 to 0.000)' });

test('an effect is seen, not seen or proved, and it is said plainly', () => {
  assert.equal(effectWords(effect()), 'No effect was seen: −6.2 points (interval −26.4 to +14.1)');
  assert.equal(effectWords(effect({ significant: true, unit: 'TV', words: '0.164 (interval 0.142 to 0.188)' })), 'An effect was seen: TV 0.164 (interval 0.142 to 0.188)');
  assert.equal(status(PROVED), 'proved');
  assert.equal(effectWords(PROVED), '0, proved');
  // What an engine's rounding leaves of a proved 0 is none; a proof with an effect beside it would be a defect, and isn't hidden.
  assert.equal(status(effect({ ...PROVED, value: 1e-5 })), 'proved');
  assert.equal(status(effect({ ...PROVED, value: 0.2, significant: true })), 'seen');
  assert.equal(statusWords(effect()), 'No effect was seen');
  // The interval leaves out 0, the test doesn't reject: neither of the two.
  const few = effect({ lower: 2.8, upper: 10.8, unit: 'tokens', p_value: 0.125, words: '+7.0 tokens (interval +2.8 to +10.8)' });
  assert.equal(status(few), 'few');
  assert.equal(effectWords(few), 'Too few prompts to tell: +7.0 tokens (interval +2.8 to +10.8), p = 0.13');
  assert.equal(status({ ...few, p_value: null }), 'none');
});

test('proofs and notes are kept apart from what was measured', () => {
  const finding = { effect: effect(), also: [PROVED, effect({ name: 'other' })], sentences: ['one', 'proved', 'two', 'note'] };
  const { open, proved, notes } = partsOf(finding);
  assert.deepEqual(open.map((each) => [each.effect.name, each.sentence]), [['right', 'one'], ['other', 'two']]);
  assert.deepEqual(proved.map((each) => each.sentence), ['proved']);
  assert.deepEqual(notes, ['note']);
  assert.deepEqual(byUnit([effect(), PROVED, effect({ name: 'x' })]).map(([unit, group]) => [unit, group.length]), [['share', 2], ['TV', 1]]);
});

test('an axis holds 0 and every interval, with round places', () => {
  for (const [lower, upper] of [[-0.264, 0.141], [0.142, 0.188], [-22, -4], [0, 0], [-0.0037, -0.0025], [3.7, 6.5], [-1, 1], [1e-9, 2e-9]]) {
    const { low, high, ticks } = axisOf([{ lower, upper }]);
    assert.ok(low <= Math.min(0, lower) && high >= Math.max(0, upper) && high > low, `${lower} ${upper}`);
    assert.ok(ticks.includes(0) && ticks.length >= 2 && ticks.length <= 7, `${ticks}`);
    assert.ok(Math.abs(ticks[0] - low) < 1e-12 && Math.abs(ticks.at(-1) - high) < 1e-12);
  }
  assert.deepEqual(axisOf([effect()]).ticks, [-0.3, -0.2, -0.1, 0, 0.1, 0.2]);
  assert.deepEqual([-0.3, 0, 0.1].map((x) => tickWords(x, 'share')), ['−30', '0', '+10']);
  assert.deepEqual([0, 0.05].map((x) => tickWords(x, 'TV')), ['0', '0.05']);
  assert.equal(tickWords(-20, 'tokens'), '−20');
});

test('numbers say how they are known', () => {
  assert.match(howWords('exact'), /nothing is drawn/);
  assert.match(howWords('bounded'), /proved/);
  assert.match(howWords('estimated'), /counted on answers that were drawn/);
  assert.deepEqual([null, 0.0001, 0.3753, 1].map(pWords), ['–', 'p < 0.001', 'p = 0.38', 'p = 1']);
  const arms = [{ measures: [{ name: 'right', how: 'estimated', interval: 'a' }, { name: 'tokens', how: 'estimated', interval: 'b' }] }, { measures: [{ name: 'right', how: 'estimated', interval: 'a' }, { name: 'cut off', how: 'estimated', interval: 'a' }] }];
  assert.deepEqual(measuredBy(arms), [['right, cut off', 'estimated', 'a'], ['tokens', 'estimated', 'b']]);
  assert.equal(minus('p = 4.7e-10, (-2 [-3, -1]), a-1'), 'p = 4.7e-10, (−2 [−3, −1]), a-1');
  assert.match(luckWords(11), /none of the 11.*chance of 43 %/);
  assert.equal(whereWords({ model: 'smollm2', n: 32, seed: 0, seconds: 206 }), 'smollm2, n = 32, seed 0, in 3 min 26 s');
  assert.match(expectWords({ seconds: 36, n: 60 }), /took 36 s for 60 prompts/);
  assert.match(expectWords(null), /the run tells it/);
});

test('only whole numbers in range are asked', () => {
  assert.equal(refusedRun({ n: 32, seed: 0 }, 200), null);
  for (const n of [0, 201, 1.5, NaN, -1]) assert.match(refusedRun({ n, seed: 0 }, 200), /from 1 to 200/);
  for (const seed of [-1, 0.5, NaN, 2 ** 60]) assert.match(refusedRun({ n: 1, seed }, 200), /seed/);
});

test('a link names an experiment or their list, and no study', () => {
  assert.equal(linkedExperiment('#study?experiments'), '');
  assert.equal(linkedExperiment(linkOfExperiment('risk-law')), 'risk-law');
  assert.equal(linkedExperiment(linkOfExperiment(null)), '');
  for (const hash of ['#study', '#study?recorded', '#study?experiments/', '#study?experiments/<x>', `#study?${'a'.repeat(22)}`, '#levels?experiments']) assert.equal(linkedExperiment(hash), null);
  assert.equal(linked('#study?experiments'), null);
});

function world(first = {}) {
  const store = createState({ doc: null, run: null, running: false, stopping: false, progress: null, error: null, since: 0, step: 'experiments', sweep: null, sweeping: false, experimenting: null, live: null, stopped: null, findings: {}, ...first });
  const asked = [];
  const stopped = [];
  let n = 0;
  const runs = createRuns(store, { ask: (what) => asked.push(what), stop: (run) => stopped.push(run), name: () => `run${(n += 1)}` });
  const notice = (run, serial, more = {}) => runs.notice({ run, serial, progress: null, error: null, running: true, ...more });
  const show = (run, serial, experiment) => runs.show({ run, serial, document: { experiment } });
  return { store, asked, stopped, runs, notice, show };
}

test('an experiment runs beside a study that is shown, and its finding stays', () => {
  const { store, asked, runs, notice, show } = world({ doc: { id: 'a', done: true } });
  const request = { name: 'risk-law', model: 'm', n: 2, seed: 0 };
  runs.experiment(request);
  assert.deepEqual(asked, [{ run: 'run1', experiment: request }]);
  assert.equal(studying(store.get()), false);
  show('run1', 1, { done: 1, of: 2, finding: null });
  assert.equal(store.get().live.done, 1);
  show('run1', 2, { done: 2, of: 2, finding: { n: 2 } });
  notice('run1', 3, { running: false });
  const { step, doc, findings, experimenting, stopped } = store.get();
  assert.deepEqual([step, doc.id, findings['risk-law'].n, experimenting, stopped], ['experiments', 'a', 2, null, null]);
});

test('a stopped experiment keeps nothing and the last finding; one that failed shows its card', () => {
  const { store, stopped, runs, notice, show } = world({ findings: { x: { n: 9 } } });
  runs.experiment({ name: 'x' });
  show('run1', 1, { done: 1, of: 2, finding: null });
  runs.stop();
  notice('run1', 2, { running: false });
  assert.deepEqual(stopped, ['run1']);
  assert.equal(store.get().stopped, 'x');
  assert.equal(store.get().findings.x.n, 9);
  runs.experiment({ name: 'x' });
  assert.equal(store.get().stopped, null);
  notice('run2', 1, { running: false, error: { what: 'no' } });
  assert.deepEqual([store.get().step, store.get().error.what, store.get().stopped], ['experiments', 'no', null]);
});

test('a study that is asked for ends an experiment', () => {
  const { store, stopped, runs } = world();
  runs.experiment({ name: 'x' });
  runs.start({});
  assert.deepEqual(stopped, ['run1']);
  assert.equal(store.get().experimenting, null);
  assert.equal(studying(store.get()), true);
});

test('the chunk under way moves the bar and tells the time', () => {
  const doc = { prompts: 20, prompts_done: 8, chunks: 3, chunks_done: 1, seconds: 10, left: null, done: false };
  assert.equal(doneShare(doc, null), 0.4);
  assert.equal(doneShare(doc, { share: 0.5 }), 0.55);
  assert.equal(doneShare(doc, { share: 1 }), 0.7);
  assert.doesNotMatch(standing(doc, true), /left/);
  assert.match(standing(doc, true, { within: { left: 40, at: Date.now() } }), /about 40 s left/);
  assert.match(standing({ ...doc, left: 50 }, true, { since: 10, within: { left: null, at: Date.now() } }), /about 40 s left/);
});
