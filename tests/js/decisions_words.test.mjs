// What the Decisions screen says: hand numbers for laws, scores, costs, curves and charts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baselineWords, costOf, costWords as compareWords, fasterWords, msWords, soFarWords, trainedWords } from '../../static/decisions/against.js';
import { costsAdvice, expectedCosts, parseCost, parseCosts, pointAt, usualCosts } from '../../static/decisions/costs.js';
import { epochAxis } from '../../static/decisions/curves.js';
import { cheapestWords, headWords } from '../../static/decisions/decided.js';
import { lineOf, places } from '../../static/decisions/plot.js';
import { bandOf, costAxis, costTexts, costWords, pointWords, routedRows, thinned, wideWords } from '../../static/decisions/outcomes.js';
import { beforeWords } from '../../static/decisions/parts.js';
import { exactDoc, noLaw } from '../../static/decisions/together.js';
import { bestOf, changesBy, massParts, normalisedLaw, normalisedWords } from '../../static/decisions/scores.js';
import { recordsWords } from '../../static/decisions/types.js';
import { abstainWords, between, callsWords, confidenceWords, eceWords, exactBits, incoherentShare, listed, noneWords, numberWords, pairOf, pairShown, rateWords, tcWords, timeWords, trainingWords } from '../../static/decisions/words.js';

const COUNTRY = { a: 'country', b: 'currency', joint: [[0.5, 0], [0, 0.5]], product: [[0.25, 0.25], [0.25, 0.25]], tc_bits: 1, allowed: null };

test('the product of country and currency is incoherent half of the time; its pair turns around', () => {
  assert.equal(incoherentShare(COUNTRY), 0.5);
  assert.equal(incoherentShare({ ...COUNTRY, allowed: [[true, true], [true, false]] }), 0.25);
  const uneven = { a: 'x', b: 'y', joint: [[0.1, 0.2, 0.3], [0.4, 0, 0]], product: [[0.3, 0.12, 0.18], [0.2, 0.08, 0.12]], tc_bits: 0.4, allowed: null };
  const turned = pairOf([COUNTRY, uneven], 'y', 'x');
  assert.deepEqual(turned.joint, [[0.1, 0.4], [0.2, 0], [0.3, 0]]);
  assert.equal(incoherentShare(turned), incoherentShare(uneven));
  assert.equal(pairOf([COUNTRY], 'x', 'y'), null);
  assert.equal(pairShown([uneven, COUNTRY], null), COUNTRY);
  assert.equal(pairShown([uneven, COUNTRY], ['x', 'y']), uneven);
  assert.equal(pairShown([uneven, COUNTRY], ['gone', 'y']), COUNTRY);
  assert.equal(pairShown([], null), null);
});

test('bits print exactly where they are whole', () => {
  assert.equal(exactBits(1), '1 bit');
  assert.equal(exactBits(2), '2 bits');
  assert.equal(exactBits(0.2134), '0.213 bits');
  assert.equal(exactBits(0), '0 bits');
  assert.equal(exactBits(0.0001), '< 0.001 bits');
  assert.equal(numberWords({ value: 0.0001, lower: 0, upper: 0.004 }), '< 0.001 (0 to 0.004)');
  assert.match(tcWords(0, 'factorised'), /nothing but the product/);
  assert.match(tcWords(0, 'joint'), /independent/);
  assert.match(tcWords(1), /^1 bit:/);
});

test('an interval prints as one number where its ends agree, and rates keep theirs', () => {
  assert.equal(between([0.5, 0.5]), '50.0 %');
  assert.equal(between([0.121, 0.134]), '12.1 to 13.4 %');
  assert.equal(rateWords({ value: 0.5, lower: 0.29, upper: 0.71 }), '50.0 % (29.0 % to 71.0 %)');
  assert.equal(rateWords({ value: null }), '–');
  assert.equal(rateWords(undefined), '–');
  assert.equal(numberWords({ value: 0.31, lower: 0.22, upper: 0.4 }, 2), '0.31 (0.22 to 0.40)');
});

test('what the model would rather say than an option is part of its mass', () => {
  const field = { options: [{ label: 'A', p_V: [0.9, 0.9], p: [0.054, 0.054] }, { label: 'B', p_V: [0.1, 0.1], p: [0.006, 0.006] }], none: [0.94, 0.94] };
  const parts = massParts(field);
  assert.deepEqual(parts.map(({ name }) => name), ['A', 'B', 'none of these']);
  assert.ok(Math.abs(parts.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-12);
  assert.ok(Math.abs(parts[2].share - 0.94) < 1e-12);
  assert.equal(bestOf(field).label, 'A');
  assert.match(noneWords(field.none, 'A'), /^94\.0 % of what the model would say/);
  assert.equal(noneWords([0.1, 0.6], 'A'), '');
});

test('normalised by length a long option can win: the mean of a token is no chance of the whole', () => {
  const field = { options: [{ label: 'Paris', p_V: [0.9, 0.9], per_token: -1, tokens: 1 }, { label: 'Antidisestablishmentarianism', p_V: [0.1, 0.1], per_token: -0.5, tokens: 6 }] };
  const law = normalisedLaw(field);
  assert.ok(Math.abs(law[0] + law[1] - 1) < 1e-12);
  assert.ok(Math.abs(law[1] / law[0] - Math.exp(0.5)) < 1e-12);
  assert.match(normalisedWords(field, law), /would choose Antidisestablishmentarianism instead of Paris/);
  assert.match(normalisedWords(field, [0.6, 0.4]), /Paris too/);
  assert.deepEqual([changesBy(field, law), changesBy(field, [0.6, 0.4]), changesBy(field, null)], [true, false, false]);
  assert.equal(normalisedLaw({ options: [{ label: 'a', per_token: null, tokens: null }] }), null);
  assert.match(normalisedWords(field, null), /nothing to normalise/);
});

test('confidence and marginal are told apart only where they differ', () => {
  assert.equal(confidenceWords({ confidence: 0.8, marginal: 0.8 }, 'factorised'), 'Confidence 80.0 %');
  assert.match(confidenceWords({ confidence: 0.8, marginal: 0.6 }, 'chained'), /80\.0 %, given the fields decided before it; its marginal is 60\.0 %/);
  assert.match(abstainWords(0.43, 0.6), /^would abstain: 43\.0 % is below 60\.0 %/);
  assert.match(abstainWords(0.6, 0.6), /^would answer/);
});

test('costs are told in words, by the place that is wrong', () => {
  assert.deepEqual(usualCosts(2), [[0, 1], [1, 0]]);
  assert.deepEqual(parseCost(' 1.5 '), { value: 1.5 });
  assert.deepEqual(parseCost('2e3'), { value: 2000 });
  assert.deepEqual(parseCost('−3'), { value: -3 });
  for (const [text, words] of [['', /missing/], ['1,5', /write 1\.5/], ['x', /no number/], ['-1e9', /at most/], ['1e9', /at most/], ['1e999', /no number/], ['NaN', /no number/], ['0x10', /no number/]]) assert.match(parseCost(text).wrong, words, text);
  assert.deepEqual(parseCosts([['0', '1'], ['5', '0']], '0.2', ['a', 'b']), { costs: [[0, 1], [5, 0]], abstain: 0.2 });
  const wrong = parseCosts([['0', '1'], ['y', '0']], '0.2', ['a', 'b']);
  assert.deepEqual(wrong.place, [1, 0]);
  assert.match(wrong.wrong, /^True b, decided a: “y” is no number/);
  assert.equal(parseCosts([['0']], '', ['a']).place, 'abstain');
  assert.match(costsAdvice([[0, 1], [5, 0]], 0), /free/);
  assert.match(costsAdvice([[0, 1], [5, 0]], 5), /never abstains/);
  assert.match(costsAdvice([[2, 1], [5, 0]], 0.5), /wrong decision costs less/);
  assert.equal(costsAdvice([[0, 1], [5, 0]], 0.5), '');
});

test('the decision of least expected cost need not be the likeliest', () => {
  assert.deepEqual(expectedCosts([0.75, 0.25], [[0, 1], [8, 0]], 0.5), [2, 0.75, 0.5]);
  const field = { options: [{ label: 'low', p: 0.75 }, { label: 'high', p: 0.25 }] };
  assert.equal(cheapestWords(field, { options: ['low', 'high'], costs: [[0, 1], [8, 0]], abstain: 0.5 }), 'Least expected cost: abstain, 0.500');
  assert.equal(cheapestWords(field, { options: ['low', 'high'], costs: [[0, 1], [8, 0]], abstain: 2 }), 'Least expected cost: high, 0.750');
  assert.equal(cheapestWords(field, null), '');
  assert.equal(cheapestWords(field, { options: ['low'], costs: [[0]], abstain: 0 }), '');
});

const point = (threshold, coverage, accuracy) => ({ threshold, coverage, accuracy, low: 0.7, high: 0.9, cost: 0.1254, cost_low: 0.05, cost_high: 0.2 });

test('a threshold finds its point on the curve, in whatever order that stands', () => {
  const curve = [0.5, 0, 0.9].map((threshold) => ({ threshold }));
  assert.equal(pointAt(curve, 0.6).threshold, 0.5);
  assert.equal(pointAt(curve, 0.9).threshold, 0.9);
  assert.equal(pointAt(curve.filter(({ threshold }) => threshold), 0.2).threshold, 0.5);
  assert.equal(pointAt([], 0.2), null);
});

test('a policy in words and rows: what is decided, what is right of it, where the tickets go', () => {
  assert.equal(pointWords(point(0.5, 0.5, 0.8), 200), 'At 50.0 %: 100 of 200 tickets are decided (50.0 %), right in 80.0 % (70.0 % to 90.0 %) of them; the other 100 go to a person. Cost a ticket 0.125 (0.050 to 0.200).');
  assert.match(pointWords({ ...point(1, 0, null), low: null, high: null }, 200), /nothing is answered/);
  assert.equal(pointWords(null, 0), 'No ticket is measured.');
  assert.deepEqual(routedRows({ options: ['refund', 'bug'], routed: [70, 30, 100] }), [['refund', '70', '35.0 %'], ['bug', '30', '15.0 %'], ['to a person (abstain)', '100', '50.0 %']]);
});

test('a cost that every ticket has is exact on these, and a wide band is explained', () => {
  const passed = { cost: 0.3, cost_low: 0.298, cost_high: 0.305, coverage: 0 };
  assert.equal(costWords({ ...passed, same: true }), 'exactly 0.300 on these tickets (0.298 to 0.305 for others of their kind)');
  assert.equal(costWords(passed), 'exactly 0.300 on these tickets');
  assert.equal(costWords({ ...passed, coverage: 0.5, same: false }), '0.300 (0.298 to 0.305)');
  assert.deepEqual(bandOf({ ...passed, same: true }), [0.298, 0.305]);
  assert.deepEqual(bandOf({ ...passed, cost_high: 0.9 }), [0.3, 0.3]);
  assert.deepEqual(costTexts(0.25, 12.5, -3), ['0.25', '12.50', '−3.00']);
  assert.deepEqual(costTexts(1e5, 0.4), ['100000', '0']);
  const curve = [{ cost: 0.4, cost_low: 0.3, cost_high: 3.2, coverage: 1, same: false }];
  assert.match(wideWords({ curve, costs: [[0, 50], [1, 0]], abstain: 0.3 }), /dearest mistake costs 50\.00/);
  assert.equal(wideWords({ curve, costs: [[0, 1], [1, 0]], abstain: 0.3 }), '');
});

test('a comparison says beforehand what it takes, and while it runs what is answered', () => {
  const rows = [{ typed: false, passes: 40, ms: 2000 }, { typed: true, passes: 1, ms: 240 }];
  assert.deepEqual(costOf({ rows }, 10, 500), { read: 120, answer: 31.2 });
  assert.deepEqual(costOf(null, 10, 500), { read: 100, answer: null });
  assert.match(compareWords(costOf({ rows }, 100, 2000), 100, 2000), /^Answering 100 tickets takes about 4 minutes.* Then the heads are trained, on 2,000 training tickets.*from a moment, where all are kept, to about 8 minutes\./);
  const doc = { n: 10, methods: 8, rows: [{ n: 10 }, { n: 4 }] };
  assert.equal(soFarWords(doc), 'so far 1 of 8 methods have answered all 10 tickets.');
  assert.equal(trainedWords({ training: { train: 400, dev: 100 } }), ' Heads: 400 training tickets, 100 of dev.');
  assert.equal(trainedWords({}), '');
});

test('old answers are of the text before', () => {
  assert.equal(beforeWords('Decided', 'a', 'a', 'Press Decide'), '');
  assert.equal(beforeWords('Scored', undefined, 'a', 'Press Score'), '');
  assert.equal(beforeWords('Scored', 'b', 'a', 'Press Score'), 'Scored of the text before, “b”. Press Score for the one above.');
  assert.match(beforeWords('Decided', 'x'.repeat(200), 'a', 'Press Decide'), /“x{100}…”/);
});

test('country and currency have their exact law at once; other types say what leads to one', () => {
  const country = { names: ['country', 'currency'], options: { a: ['US', 'DE'], b: ['USD', 'EUR'] }, joint: COUNTRY.joint, product: COUNTRY.product, tc_bits: 1, known: 'exact' };
  const type = { fields: [{ name: 'country' }, { name: 'currency' }] };
  const doc = exactDoc(country, type);
  assert.deepEqual(doc.coupling, [[null, 0.5], [0.5, null]]);
  assert.equal(exactDoc(country, type), doc);
  assert.equal(exactDoc(country, { fields: [{ name: 'a' }, { name: 'b' }] }), null);
  const state = { heads: {}, type: 'own', checked: null };
  assert.match(noLaw(state, null), /Check the schema/);
  assert.match(noLaw(state, { fields: [{}] }), /no other/);
  assert.match(noLaw(state, { fields: [{}, {}] }), /Press Score/);
  assert.match(noLaw(state, { fields: [{}, {}], trainable: true }), /train one below/);
  assert.match(noLaw({ ...state, heads: { 'own ': {} } }, { fields: [{}, {}] }), /Press Decide/);
});

test('the axis of costs holds 0 and every value, gains too', () => {
  for (const values of [[0.1, 0.33], [-3, 2], [-5, -1], [0, 0], [1e6, 5]]) {
    const { from, to, ticks } = costAxis(values);
    assert.ok(from <= Math.min(0, ...values) && to >= Math.max(0, ...values), String(values));
    assert.ok(from < to && ticks.includes(0) && ticks.length <= 8, String(ticks));
  }
  assert.equal(costAxis([-3, 2]).words(-2), '−2');
});

test('a long curve is thinned to its first, its last and some between', () => {
  const curve = Array.from({ length: 101 }, (_, at) => at);
  assert.deepEqual(thinned(curve), Array.from({ length: 21 }, (_, at) => 5 * at));
  assert.deepEqual(thinned([1, 2, 3]), [1, 2, 3]);
  assert.equal(thinned(Array.from({ length: 100 }, (_, at) => at)).at(-1), 99);
});

test('places and lines of a chart; a missing value breaks the line', () => {
  const at = places({ from: 0, to: 10 }, { from: 0, to: 1 }, { width: 120, height: 120, left: 10, right: 10, top: 10, bottom: 10 });
  assert.equal(at.x(5), 60);
  assert.equal(at.y(1), 10);
  assert.equal(at.y(0), 110);
  assert.equal(lineOf([[0, 0], [5, null], [10, 1], [10, 0]], at), 'M10.0 110.0M110.0 10.0L110.0 110.0');
  assert.equal(places({ from: 1, to: 1 }, { from: 0, to: 1 }).x(1) > 0, true);
});

test('the axis of epochs has whole ticks within its ends', () => {
  const axis = epochAxis(Array.from({ length: 37 }, (_, at) => ({ epoch: at + 1 })));
  assert.deepEqual([axis.from, axis.to], [1, 37]);
  for (const tick of axis.ticks) assert.ok(Number.isInteger(tick) && tick >= 1 && tick <= 37);
  assert.deepEqual(epochAxis([{ epoch: 1 }]).ticks, [1, 2]);
});

test('sentences about training, time, calls and calibration', () => {
  const epochs = [{ epoch: 1, train_loss: 3, dev_loss: 2.5, dev_accuracy: {} }];
  assert.match(trainingWords({ stage: 'features', features: { done: 40, total: 500 }, epochs: [] }, true), /40 of 500/);
  assert.match(trainingWords({ stage: 'training', epochs, best: 1, seconds: 1.5, parameters: 9000, done: false, stopped: false }, true), /1 epoch in 1\.5 s: dev loss 2\.500 nats a record\. 9,000 parameters/);
  assert.match(trainingWords({ stage: 'training', epochs, best: 1, seconds: 1.5, parameters: 9000, done: false, stopped: true }, false), /^Stopped: 1 epoch.*after epoch 1, with the least loss on dev, is kept/);
  assert.match(callsWords({ options: 12, rows: 3, steps_of_generation: 37 }), /12 options in 3 rows of the model, against about 37 decoding steps/);
  assert.equal(callsWords({ options: 12, rows: 30, passes: 2, steps_of_generation: null }), 'Scored 12 options in 30 rows of the model, 2 batches one after another.');
  assert.match(timeWords({ ms: { prefill: 43, head: 0.2 }, tokens: 61, truncated: false }), /^43 ms to read 61 tokens once, < 1 ms for the head; no decoding step\.$/);
  assert.match(timeWords({ ms: { prefill: 43, head: 2 }, tokens: 256, truncated: true }), /longer than the head reads/);
  assert.match(eceWords(0.12, 0.05, 1.7, 10), /^ECE 0\.120 \(10 bins of equal width\) falls to 0\.050 at temperature 1\.70, fitted on dev alone\.$/);
  assert.match(eceWords(0.05, 0.12, 0.9, 10), /rises to/);
});

test('small words: lists, heads, laws, records, times', () => {
  assert.equal(listed(['a', 'b', 'c']), 'a, b and c');
  assert.equal(listed(['a']), 'a');
  assert.equal(headWords({ kind: 'chained', pooling: 'mean', order: ['intent', 'priority'] }), 'chained head (intent, then priority), mean pooling');
  assert.equal(headWords({ kind: 'joint', pooling: 'last', joint: ['intent', 'priority'] }), 'joint head (intent × priority), last pooling');
  const fields = [{ options: ['a', 'b'] }, { options: ['x', 'y'] }];
  assert.equal(recordsWords({ fields, combinations: 4 }), '2 × 2 = 4 records');
  assert.equal(recordsWords({ fields: fields.slice(1), combinations: 2 }), '2 records');
  assert.equal(recordsWords({ fields: [{ options: ['a'] }], combinations: 1 }), '1 record');
  assert.equal(baselineWords({ majority: { intent: { value: 0.3 }, priority: { value: 0.25 } }, gold_incoherent: { value: 0, lower: 0, upper: 0.02 } }), 'Always the most common option of the training labels: intent 30.0 % and priority 25.0 % right. Of the right answers themselves 0 (0 to 2.0 %) count as incoherent.');
  assert.equal(baselineWords({}), '');
  assert.equal(msWords(null), '–');
  assert.equal(msWords(43), '43 ms');
  const [head, text] = [(ms) => ({ typed: true, passes: 1, right: {}, ms }), (ms) => ({ typed: false, passes: 40, right: {}, ms })];
  assert.match(fasterWords([head(20), head(10), text(400), text(900)]), /1\/20 of the time/);
  assert.match(fasterWords([head(500), text(400)]), /longer/);
  assert.equal(fasterWords([head(500)]), '');
  // Options that are scored are many passes, and a part of a record is no record.
  assert.match(fasterWords([head(20), { ...head(2000), passes: 21 }, text(400), { ...text(30), right: null }]), /1\/20 of the time/);
});
