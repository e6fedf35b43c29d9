// The timeline of a live step says what was measured, and how much of the mask the pass has hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timingRows, timingSentence } from '../../static/stage/timing.js';

test('the parts come in their order, those that were measured', () => {
  const timing = { mask: [3, 5], pass: [3, 43], draw: [0, 2.5] };
  assert.deepEqual(timingRows(timing).map((row) => [row.key, row.start, row.end]), [['draw', 0, 2.5], ['pass', 3, 43], ['mask', 3, 5]]);
  assert.deepEqual(timingRows({ pass: [0, 1] }).map((row) => row.title), ['forward pass']);
  assert.deepEqual(timingRows(undefined), []);
});

test('a mask within the pass is hidden whole, one that ends after it in part, one after it not at all', () => {
  assert.match(timingSentence({ draw: [0, 2], pass: [2, 42], mask: [2, 5] }), /pass took 40 ms.*mask took 3\.0 ms, all of it while/);
  assert.match(timingSentence({ draw: [0, 2], pass: [2, 42], mask: [32, 52] }), /mask took 20 ms, 10 ms of it while/);
  assert.match(timingSentence({ draw: [0, 2], pass: [2, 42], mask: [50, 52] }), /mask took 2\.0 ms, 0\.0 ms of it while/);
});
