// The stack of a state: all its frames, or the two ends of a deep one; and how sure the way to finish is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackFrames, stateHasStack } from '../../static/stage/state.js';

const named = (count) => Array.from({ length: count }, (_, i) => `frame ${i}`);

test('a shallow stack is shown whole, the outermost first', () => {
  assert.deepEqual(stackFrames(named(3)), [{ words: 'frame 0' }, { words: 'frame 1' }, { words: 'frame 2' }]);
  assert.deepEqual(stackFrames([]), []);
});

test('of a deep stack both ends are shown, and between them how many frames are left out', () => {
  const frames = stackFrames(named(40));
  const gap = frames.findIndex((each) => each.gap);
  const before = frames.slice(0, gap), after = frames.slice(gap + 1);
  assert.equal(before[0].words, 'frame 0');
  assert.equal(after.at(-1).words, 'frame 39');
  assert.equal(frames[gap].words, `${40 - before.length - after.length} frames more`);
});

test('only an engine with a stack searches for a way to finish', () => {
  assert.equal(stateHasStack({ constraint: { engine_used: 'xgrammar' } }), true);
  assert.equal(stateHasStack({ constraint: { engine_used: 'bytes' } }), false);
  assert.equal(stateHasStack({ constraint: null }), false);
  assert.equal(stateHasStack(null), false);
});
