// The form over a reload: what was written comes back, what is damaged or foreign doesn't.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT_MOST, held, keep, packed, unpacked } from '../../static/study/kept.js';
import { FIRST } from '../../static/study/setting.js';

const PAGE = { labels: [{ name: 'ask' }, { name: 'strict' }, { name: 'parallel-3' }], models: ['m', 'toy:x'] };
const USUAL = { ...FIRST, model: 'm' };

test('a form comes back as it was, with the study that it belongs to, without the rail’s constraint', () => {
  const form = { ...USUAL, source: 'own', text: 'prompt\na<b>\n', n: 8, methods: ['strict'], model: 'toy:x', yes: true, rail: { kind: 'regex', source: 'a' } };
  assert.deepEqual(unpacked(packed(form, 'x'.repeat(22)), USUAL, PAGE), { form: { ...form, rail: null }, id: 'x'.repeat(22) });
  assert.equal(unpacked(packed(form, null), USUAL, PAGE).id, null);
});

test('what is too long isn’t kept', () => {
  assert.equal(packed({ ...USUAL, text: 'x'.repeat(KEPT_MOST) }, null), null);
});

test('what doesn’t fit is as it is at first', () => {
  for (const part of [{ n: null }, { n: '8' }, { methods: ['gone'] }, { methods: 'ask' }, { model: 'gone' }, { text: 3 }, { pastedAs: { kind: 'regex' } }, { rail: { kind: 'regex' } }, { unknown: 1 }]) {
    assert.deepEqual(unpacked(JSON.stringify({ form: part, id: 3 }), USUAL, PAGE), { form: USUAL, id: null }, JSON.stringify(part));
  }
  for (const text of [null, '', '{', '[]', '3', '{"form": 3}']) assert.equal(unpacked(text, USUAL, PAGE), null);
});

test('a browser that keeps nothing is no error', () => {
  keep('x');
  assert.equal(held(), null);
});
