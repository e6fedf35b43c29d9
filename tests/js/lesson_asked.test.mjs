import assert from 'node:assert/strict';
import test from 'node:test';

import { askedOf, isNewScene, mayAnswer } from '../../static/lesson/asked.js';

test('what may be answered is told in a few words, by the kind of constraint', () => {
  assert.equal(mayAnswer({ kind: 'choices', source: 'Amsterdam\n Rotterdam \n\nThe Hague\n' }), 'Amsterdam | Rotterdam | The Hague');
  assert.equal(mayAnswer({ kind: 'regex', source: '(A|B)x' }), '(A|B)x');
  assert.equal(mayAnswer({ kind: 'grammar', source: 'root ::= a\n  a ::= "x"\n' }), 'root ::= a a ::= "x"');
  assert.equal(mayAnswer({ kind: 'free', source: 'x' }), '');
  const keys = Object.fromEntries([...'abcdefghij'].map((key) => [key, {}]));
  assert.equal(mayAnswer({ kind: 'schema', source: JSON.stringify({ properties: { name: {}, indoor: {} } }) }), 'JSON with name, indoor');
  assert.equal(mayAnswer({ kind: 'schema', source: JSON.stringify({ title: 'Cat', properties: keys }) }), 'Cat with a, b, c, d, e, f, g, h, …');
  assert.equal(mayAnswer({ kind: 'schema', source: '{"title": "Cat"}' }), 'Cat');
  assert.equal(mayAnswer({ kind: 'schema', source: '{"type": "integer"}' }), '{"type": "integer"}');
  for (const source of ['{', 'null', '[]', '{"properties": 3}']) assert.equal(mayAnswer({ kind: 'schema', source }), source);
});

test('a scene says its prompt, and a toy has none', () => {
  assert.deepEqual(askedOf({ problem: { prompt: ' Why? ', constraint: { kind: 'regex', source: 'a' } } }), { prompt: 'Why?', may: 'a' });
  assert.deepEqual(askedOf({ problem: { prompt: '', constraint: { kind: 'free', source: '' } } }), { prompt: '', may: '' });
  assert.deepEqual(askedOf(undefined), { prompt: '', may: '' });
});

test('a beat is on a new scene where that differs from the one before it', () => {
  const lesson = { scenes: { one: {}, two: {} }, beats: [{ scene: null }, { scene: 'one' }, { scene: 'two' }, { scene: null }] };
  assert.deepEqual([0, 1, 2, 3].map((beat) => isNewScene(lesson, beat)), [true, false, true, false]);
});
