// The page as a link: what goes in comes out, and what is no link of this page is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINK_MAX, pack, packedOf, unpack } from '../../static/schema/link.js';
import { LIMITS } from '../../static/schema/state.js';

const PAGE = {
  kind: 'schema', source: '{"type": "string", "maxLength": 3}', engine: 'bytes', whitespace: 'one', formats: true, selected: 1,
  strings: [{ text: '"a\nb"', should: 'pass' }, { text: '"häß \u{1f30d}"', should: 'fail' }],
};

test('a page comes out of its link as it went in', async () => {
  const packed = await pack(PAGE);
  assert.match(packed, /^[\w-]+$/);
  assert.deepEqual(await unpack(packed), PAGE);
  assert.equal(packedOf(`#schema?${packed}`), packed);
  assert.equal(packedOf(`#schema?${packed}).`), packed, 'a mail’s bracket and full stop');
  assert.equal(packedOf('#schema?'), '', 'cut at the question mark');
  assert.equal(packedOf('#schema'), null);
  assert.equal(packedOf('#compare'), null);
});

test('every byte survives the letters of the link', async () => {
  const source = Array.from({ length: 2000 }, (_, i) => String.fromCodePoint(1 + ((i * 7919) % 0xd000))).join('');
  const page = await unpack(await pack({ ...PAGE, source }));
  assert.equal(page.source, source);
});

test('a typical page fits, and compression is what makes it fit', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `    "field_${i}": {"type": "string", "maxLength": ${i}}`).join(',\n');
  const source = `{"type": "object", "properties": {\n${lines}\n}}`;
  const packed = await pack({ ...PAGE, source });
  assert.ok(packed.length < LINK_MAX);
  assert.ok(packed.length < source.length / 2, `${packed.length} of ${source.length}`);
});

test('what is no link of this page is refused, not guessed', async () => {
  const packed = await pack(PAGE);
  assert.equal(await unpack(packed.slice(0, -4)), null);
  assert.equal(await unpack(''), null);
  assert.equal(await unpack('%%%'), null);
  assert.equal(await unpack('AAAA'), null);
  const raw = async (plain) => {
    const stream = new Blob([JSON.stringify(plain)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
  };
  const good = { v: 1, k: 'schema', s: '{}', e: 'bytes', w: 'one', f: 0, t: [['x', 1]], i: 0 };
  assert.equal((await unpack(await raw(good))).source, '{}');
  for (const bad of [{ ...good, v: 2 }, { ...good, k: 'free' }, { ...good, k: '__proto__' }, { ...good, s: 7 }, { ...good, t: 'x' }, { ...good, t: [[1]] }, { ...good, w: 'many' },
    { ...good, t: Array.from({ length: LIMITS.strings + 1 }, () => ['x', 1]) }, null, []]) assert.equal(await unpack(await raw(bad)), null, JSON.stringify(bad).slice(0, 80));
  assert.equal((await unpack(await raw({ ...good, i: 99 }))).selected, 0);
});

test('a link that unpacks to far more than any page holds is refused', async () => {
  const stream = new Blob([' '.repeat(60_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bomb = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
  assert.ok(bomb.length < 100_000);
  assert.equal(await unpack(bomb), null);
});
