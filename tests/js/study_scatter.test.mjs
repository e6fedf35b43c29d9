// The scatter of bits and outcomes: an axis that holds every dot, lanes in the page's order, a table that counts each dot once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scatterBins, scatterLanes, scatterScale, scatterSentence } from '../../static/study/scatter.js';

const point = (bits, category, index = 0) => ({ index, bits, category });
const POINTS = [point(0, 'right'), point(0.99, 'wrong'), point(1, 'right'), point(40, 'invalid'), point(3.2, 'wrong')];
const AUC = { value: 0.7, lower: 0.55, upper: 0.81, positives: 9, negatives: 9 };

test('the axis holds every dot', () => {
  assert.deepEqual(scatterScale([{ points: POINTS }]).ticks, [0, 10, 20, 30, 40]);
  assert.ok(scatterScale([{ points: [] }]).top >= 1);
  for (const bits of [0.3, 1, 1.01, 9.99, 10, 99, 101]) assert.ok(scatterScale([{ points: [point(bits, 'right')] }]).top >= bits);
});

test('lanes stand in the order of outcomes, wrong ones by their fields, without empty ones', () => {
  const lanes = (points) => scatterLanes(points, { wrong: 'valid and wrong' }).map(({ words, points: found }) => [words, found.length]);
  assert.deepEqual(lanes(POINTS), [['right', 2], ['valid and wrong', 2], ['invalid', 1]]);
  const some = (right, of) => ({ ...point(1, 'wrong'), fields: [right, of] });
  assert.deepEqual(lanes([some(0, 4), some(3, 4), point(2, 'right'), some(3, 4)]), [['right', 1], ['valid and wrong, 3 of 4 fields right', 2], ['valid and wrong, 0 of 4 fields right', 1]]);
  assert.deepEqual(lanes([some(0, 1)]), [['valid and wrong', 1]]);
});

test('the table counts each dot once', () => {
  const rows = scatterBins(scatterLanes(POINTS, {}));
  assert.deepEqual(rows[0], ['0 to below 1 bits', 1, 1, 0]);
  assert.equal(rows.at(-1)[0], '32 bits and more');
  assert.equal(rows.flatMap((row) => row.slice(1)).reduce((a, b) => a + b), POINTS.length);
  assert.equal(scatterBins(scatterLanes([point(0, 'right')], {})).length, 1);
});

test('the sentence gives the AUC with its interval and says what is left out', () => {
  assert.match(scatterSentence([{ label: 'strict', auc: AUC, count: 2, points: [1, 2] }]), /strict 0.70 \(0.55 to 0.81\)\. Estimated/);
  assert.match(scatterSentence([{ label: 'strict', auc: { value: null, positives: 0, negatives: 1 }, count: 900, points: [1, 2] }]), /strict has too few \(0 wrong, 1 right\), the first 2 of 900 prompts shown/);
});
