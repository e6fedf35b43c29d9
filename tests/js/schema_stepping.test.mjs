// The stepper's arithmetic: where the caret may stand, what a token is, what has to be asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blank, cellText, cutWords, groups, hex, lastPlace, merged, moved, nearest, needed, tokenAt, tokenWords, windowAround } from '../../static/schema/stepping.js';

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

test('a text that the engine had no time to read ends at the last byte that is known', () => {
  const text = 'x'.repeat(100);
  const answer = (stopped, tokens = null) => ({ count: 100, from: 0, fails_at: null, stopped_after: stopped, bytes: bytes(0, (stopped ?? 61) - 1), tokens, tokens_stopped_after: tokens ? 9 : null });
  assert.equal(lastPlace(blank(text)), 100);
  assert.equal(cutWords(blank(text)), '');
  const first = merged(blank(text), answer(30));
  assert.equal(lastPlace(first), 29);
  assert.equal(moved(first, 29, 1), 29);
  assert.equal(moved(first, 3, Infinity), 29);
  assert.equal(needed(first, 29), false);
  assert.equal(cutWords(first), 'Stopped after 30 bytes: the engine needs more time than the page gives it.');
  // Another answer may come less far; what was read stays read.
  assert.equal(lastPlace(merged(first, answer(20))), 29);
  assert.equal(lastPlace(merged(first, answer(40))), 39);
  const whole = merged(first, answer(null));
  assert.equal(lastPlace(whole), 100);
  assert.equal(cutWords(whole), '');
  assert.equal(lastPlace(merged(whole, answer(20))), 100);
  assert.equal(cutWords(merged(whole, answer(null, []))), 'The tokens are known for the first 9 bytes: the engine needs more time than the page gives it.');
  assert.equal(lastPlace(merged({ ...first, fails: 25 }, answer(20))), 25);
  assert.equal(cutWords(merged(blank(text), answer(1))), 'Stopped after 1 byte: the engine needs more time than the page gives it.');
});

test('the place next to one that is not described is found', () => {
  assert.equal(nearest(blank('abc'), 2), null);
  const doc = known('x'.repeat(50), { from: 10, to: 20 });
  assert.deepEqual([0, 12, 49].map((at) => nearest(doc, at)), [10, 12, 20]);
});

test('a token is told from the byte that one looks at', () => {
  const token = { start: 4, end: 7, allowed: true, reached: true, straddles: false, allowed_count: 48771 };
  assert.deepEqual(tokenWords(token, 4), ['The token ', ' starts here. It is allowed here, as one of 48,771 tokens.']);
  assert.deepEqual(tokenWords(token), tokenWords(token, 4));
  assert.deepEqual(tokenWords(token, 6), ['This byte is inside the token ', ', which starts 2 bytes earlier. It is allowed there, as one of 48,771 tokens.']);
  assert.match(tokenWords({ ...token, allowed: false }, 5)[1], /starts 1 byte earlier. It is blocked there; 48,771 others are allowed/);
  assert.match(tokenWords({ ...token, allowed: false, allowed_count: 0 }, 4)[1], /blocked here; no token is allowed/);
  assert.match(tokenWords({ ...token, reached: false }, 4)[1], /not reached/);
  assert.match(tokenWords({ ...token, straddles: true }, 4)[1], /straddles/);
});
