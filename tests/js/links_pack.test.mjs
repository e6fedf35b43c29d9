// A state in the letters of an address: what goes in comes out, and what is no link is refused in words, whatever it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, deflated } from '../../static/links/bytes.js';
import { MIGRATIONS, MOST_BYTES, MOST_READ, VERSION, fragment, lessonOf, migrated, pack, searchOf, unpack } from '../../static/links/pack.js';
import { frameOf, viewed } from '../../static/links/panel.js';

// Mulberry32: the same numbers on every run.
function lots(seed) {
  let a = seed;
  return () => { a = (a + 0x6d2b79f5) | 0; let t = Math.imul(a ^ (a >>> 15), 1 | a); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32; };
}

const HOSTILE = ['<script>alert(1)</script>', '${process.exit(1)}', '{{7*7}}', '`', '\u202eRTL\u2066', 'NUL \u0000 in it', '\ud800 half', 'half \udc00', '\r\n\t\u2028\u2029', '"\\"', '%22&amp;', '\ufeffBOM', '👩‍👧 🜁', '__proto__', 'constructor', "=1+1"];

test('a state comes out as it went in, with its version', async () => {
  const state = { p: { prompt: 'x' }, l: [[[1, 2, 3]], [[4], 0, 1, 2]], c: 2, w: { log: true } };
  const packed = await pack(state);
  assert.match(packed, /^[\w-]+$/);
  assert.deepEqual(await unpack(packed), { state: { v: VERSION, ...state } });
});

test('whatever a visitor typed is data', async () => {
  for (const text of [...HOSTILE, HOSTILE.join('\n')]) {
    const state = JSON.parse(JSON.stringify({ text, nested: { list: [text] } }));
    state.keyed = Object.fromEntries([[text, text]]);
    const { state: found } = await unpack(await pack(state));
    assert.equal(found.text, text);
    assert.deepEqual(found, { v: VERSION, ...state });
    assert.equal(Object.getPrototypeOf(found), Object.prototype);
  }
});

test('random states come out as they went in', async () => {
  const random = lots(7);
  const some = (n) => Math.floor(random() * n);
  const value = (depth) => {
    switch (some(depth > 3 ? 5 : 7)) {
      case 0: return some(2) === 0;
      case 1: return some(2 ** 31);
      case 2: return random() * 10 ** (some(40) - 20);
      case 3: return String.fromCharCode(...Array.from({ length: some(30) }, () => some(0x10000)));
      case 4: return null;
      case 5: return Array.from({ length: some(5) }, () => value(depth + 1));
      default: return Object.fromEntries(Array.from({ length: some(5) }, (_, i) => [`${String.fromCharCode(some(0x10000))}${i}`, value(depth + 1)]));
    }
  };
  for (let i = 0; i < 200; i += 1) {
    const state = { x: value(0), v: VERSION };
    assert.deepEqual(await unpack(await pack(state)), { state: JSON.parse(JSON.stringify(state)) });
  }
});

test('a link that was cut, changed or made up gives a card, never a crash', async () => {
  const packed = await pack({ p: { prompt: 'A prompt of some length, so that there is something to cut.' }, l: [[[1, 2, 3]]] });
  const random = lots(11);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const tries = [...Array.from({ length: packed.length }, (_, i) => packed.slice(0, i)),
    ...Array.from({ length: 300 }, () => { const at = Math.floor(random() * packed.length); return packed.slice(0, at) + letters[Math.floor(random() * 64)] + packed.slice(at + 1); }),
    ...Array.from({ length: 300 }, () => Array.from({ length: 1 + Math.floor(random() * 80) }, () => letters[Math.floor(random() * 64)]).join('')),
    '', 'a%b', '=', ' ', `${packed}AAAA`, null, 7, 'é', '<script>'];
  let cards = 0;
  for (const each of tries) {
    const { state, error } = await unpack(each);
    if (error) { assert.ok(error.what && error.hint && error.where === 'link', String(each)); cards += 1; } else assert.equal(typeof state, 'object');
  }
  // A letter that was swapped can give the same bytes, or other words: most are told.
  assert.ok(cards > tries.length - 320, `${cards} of ${tries.length}`);
  for (const plain of ['null', '7', '[]', '"x"', '{"v":"1"}', '{"v":-1}', '{"v":1.5}', '{}', '{"v":1', 'NaN']) assert.ok((await unpack(base64url(await deflated(new TextEncoder().encode(plain))))).error, plain);
});

test('a link bomb is refused before it has gone off', async () => {
  const bomb = base64url(await deflated(new Uint8Array(20_000_000)));
  assert.ok(bomb.length < MOST_READ, `${bomb.length}`);
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  for (let i = 0; i < 20; i += 1) assert.match((await unpack(bomb)).error.what, /unpacks to more than 500,000 bytes/);
  assert.ok(performance.now() - begun < 3000, 'it is stopped early');
  assert.ok(process.memoryUsage().rss - before < 150e6, 'and holds little');
  assert.match((await unpack('A'.repeat(MOST_READ + 1))).error.what, /at most 32,000 are read/);
  const deep = base64url(await deflated(new TextEncoder().encode(`{"v":1,"x":${'['.repeat(MOST_BYTES / 4)}`)));
  assert.ok((await unpack(deep)).error);
});

test('an older version is brought to this one step by step, and what can’t be is refused in words', () => {
  const table = { 0: (state) => ({ ...state, a: 1 }), 1: ({ a, ...state }) => ({ ...state, b: a + 1 }) };
  assert.deepEqual(migrated({ v: 0, x: 'kept' }, table, 2), { state: { v: 2, x: 'kept', b: 2 } });
  assert.deepEqual(migrated({ v: 2 }, table, 2), { state: { v: 2 } });
  assert.match(migrated({ v: 0 }, { 1: table[1] }, 2).error.what, /older version.*form 0/);
  assert.match(migrated({ v: 3 }, table, 2).error.what, /newer version.*form is 3/);
  for (const none of [null, 7, [], {}, { v: '1' }, { v: -1 }, { v: NaN }]) assert.match(migrated(none, table, 2).error.what, /can’t be read/);
  // No step is missing between the oldest version that is known and this one.
  const known = Object.keys(MIGRATIONS).map(Number).sort((a, b) => a - b);
  assert.deepEqual(known, known.map((_, i) => VERSION - known.length + i));
});

test('the hash says the screen and the state; what a mail puts after it is none of it', () => {
  assert.deepEqual(fragment('#step?abc-_1'), { screen: 'step', packed: 'abc-_1' });
  for (const tail of ['.', ').', '">', "'", '%22', '!?']) assert.equal(fragment(`#step?abc${tail}`).packed, 'abc', tail);
  assert.deepEqual(fragment('#step'), { screen: 'step', packed: null });
  assert.deepEqual(fragment('#step?'), { screen: 'step', packed: '' });
  assert.deepEqual(fragment(''), { screen: '', packed: null });
});

test('a lesson’s address is short, and only a slug and a number are read of it', () => {
  assert.equal(searchOf({ slug: 'sky', beat: 3 }), '?lesson=sky&beat=4');
  assert.deepEqual(lessonOf('?lesson=sky&beat=4'), { slug: 'sky', beat: 3 });
  assert.deepEqual(lessonOf('?beat=x&lesson=two-step'), { slug: 'two-step', beat: 0 });
  for (const beat of ['0', '-1', '1e9', '99999', '', '1.5', '٣']) assert.equal(lessonOf(`?lesson=sky&beat=${beat}`).beat, 0, beat);
  for (const slug of ['', '../x', '<script>', 'A', 'x'.repeat(61), '-x', 'a b']) assert.equal(lessonOf(`?lesson=${encodeURIComponent(slug)}`), null, slug);
  assert.equal(lessonOf('?view=embed'), null);
});

test('the embed code is one tag, whatever the address', () => {
  const code = frameOf('https://a.b/p?lesson=sky&beat=4#step?abc');
  assert.match(code, /^<iframe src="https:\/\/a\.b\/p\?lesson=sky&amp;beat=4&amp;view=embed#step\?abc" title="[^"]+" [^<>]*><\/iframe>$/);
  assert.equal(frameOf('https://a.b/?x="><script>').match(/</g).length, 2);
  assert.equal(viewed('https://a.b/#step?abc', 'lesson'), 'https://a.b/?view=lesson#step?abc');
});
