// The stepper's arithmetic: where the caret may stand, what a token is, what has to be asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blank, cellText, groups, hex, lastPlace, merged, moved, needed, tokenAt, windowAround } from '../../static/schema/stepping.js';

const byte = (offset) => ({ offset, byte: 97, expected: [] });
const bytes = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => byte(from + i));

function known(text, { fails = null, tokens = null, from = 0, to = null } = {}) {
  const before = blank(text);
  const end = to ?? (fails === null ? before.count : fails);
  return merged(before, { count: before.count, from, fails_at: fails, bytes: bytes(from, end), tokens: tokens && tokens.map(([start, stop]) => ({ start, end: stop, text: '', chips: [] })), vocabulary: 'm' });
}

test('bytes are counted, not characters', () => {
  assert.equal(blank('aß\u{1f30d}').count, 7);
  assert.equal(cellText(0x20), '␣');
  assert.equal(cellText(0x7b), '{');
  assert.equal(cellText(0xc3), 'c3');
  assert.equal(cellText(0x00), '00');
  assert.equal(hex(0x0a), '0x0a');
});

test('the caret stops at the byte that can’t follow', () => {
  const doc = known('abcdef', { fails: 3 });
  assert.equal(lastPlace(doc), 3);
  assert.equal(moved(doc, 3, 1), 3);
  assert.equal(moved(doc, 0, -1), 0);
  assert.equal(lastPlace(known('abc')), 3);
  assert.equal(moved(known('abc'), 2, 1), 3);
});

test('whole tokens are stepped over, back to the start of the one that the caret is in', () => {
  const doc = known('abcdefg', { tokens: [[0, 3], [3, 4], [4, 7]] });
  assert.equal(moved(doc, 0, 1, true), 3);
  assert.equal(moved(doc, 3, 1, true), 4);
  assert.equal(moved(doc, 4, 1, true), 7);
  assert.equal(moved(doc, 6, -1, true), 4);
  assert.equal(moved(doc, 4, -1, true), 3);
  assert.equal(moved(known('abc'), 0, 1, true), 1);
  assert.equal(tokenAt(doc, 3).start, 3);
  assert.equal(tokenAt(doc, 7), null);
});

test('descriptions that come in parts are put together, and asked for before they run out', () => {
  const text = 'x'.repeat(300);
  const first = known(text, { to: 60 });
  assert.equal(needed(first, 20), false);
  assert.equal(needed(first, 50), true);
  const both = merged(first, { count: 300, from: 20, fails_at: null, bytes: bytes(20, 130), tokens: null, vocabulary: null });
  assert.equal(needed(both, 50), false);
  assert.equal(both.bytes.size, 131);
  assert.equal(needed(known('abc'), 3), false);
});

test('a long string is drawn in a window that a step does not move', () => {
  const doc = known('x'.repeat(2000), { to: 60 });
  assert.deepEqual(windowAround(doc, 0), { from: 0, to: 240 });
  assert.deepEqual(windowAround(doc, 700), windowAround(doc, 701));
  const { from, to } = windowAround(doc, 2000);
  assert.equal(to, 2000);
  assert.equal(to - from, 240);
  for (const at of [0, 119, 120, 500, 1337, 2000]) { const each = windowAround(doc, at); assert.ok(each.from <= at && at <= each.to, String(at)); }
});

test('every byte of the window stands in exactly one group', () => {
  const doc = known('abcdefgh', { tokens: [[0, 3], [3, 4], [4, 8]] });
  const found = groups(doc, { from: 1, to: 7 });
  assert.deepEqual(found.map(({ from, to }) => [from, to]), [[1, 3], [3, 4], [4, 7]]);
  assert.deepEqual(groups(known('abc'), { from: 0, to: 3 }).map(({ token, from, to }) => [token, from, to]), [[null, 0, 1], [null, 1, 2], [null, 2, 3]]);
});
