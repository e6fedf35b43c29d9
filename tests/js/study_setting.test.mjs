// The form of the Study screen: what it asks, what it refuses before anything is sent, what a link brings back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST, formOf, hasSchema, kindOf, methodsOf, refusal, requestOf, tooLarge, validOf } from '../../static/study/setting.js';

const PAGE = { most_text: 100 };
const FORM = { ...FIRST, model: 'm' };

test('a built-in set is asked for by name, with its own schema and its split', () => {
  const { spec, own } = requestOf({ ...FORM, n: 8 });
  assert.equal(own, null);
  assert.equal(spec.prompts, 'builtin:tickets');
  assert.equal(spec.split, 'test');
  assert.equal(spec.constraint, null);
  assert.deepEqual(spec.methods, ['ask', 'strict', 'parallel-3']);
  assert.ok(!('instruction' in spec));
});

test('own prompts go as text beside the spec, and carry no split', () => {
  const { spec, own } = requestOf({ ...FORM, source: 'own', text: 'prompt\na\n', name: 'mine.csv', schema: 'pasted', pasted: 'a|b', pastedKind: 'regex' });
  assert.deepEqual(own, { text: 'prompt\na\n', kind: 'csv' });
  assert.equal(spec.prompts, 'mine.csv');
  assert.ok(!('split' in spec) && !('items' in spec));
  assert.deepEqual(spec.constraint, { kind: 'regex', source: 'a|b' });
});

test('without a JSON Schema only the mask’s language judges, whatever was chosen', () => {
  for (const [pastedKind, judge] of [['regex', 'language'], ['choices', 'language'], ['schema', 'salvaged'], ['tool', 'salvaged'], ['pydantic', 'salvaged']]) {
    assert.equal(validOf({ ...FORM, schema: 'pasted', pastedKind, valid: 'salvaged' }), judge, pastedKind);
  }
  assert.equal(hasSchema({ ...FORM, schema: 'rail', rail: { kind: 'type', source: 'date' } }), false);
  assert.equal(hasSchema({ ...FORM, schema: 'rail', rail: null }), false);
  assert.equal(hasSchema(FORM), true);
});

test('the number of samples side by side is part of the label', () => {
  assert.deepEqual(methodsOf({ ...FORM, parallel: 7 }), ['ask', 'strict', 'parallel-7']);
});

test('what can’t be asked is refused with its place, and nothing else is', () => {
  assert.equal(refusal(FORM, PAGE), null);
  const own = { ...FORM, source: 'own', schema: 'pasted', pasted: 'x', text: 'prompt\na\n' };
  assert.equal(refusal(own, PAGE), null);
  for (const [part, where] of [[{ n: 0 }, 'size and sampling'], [{ n: 2.5 }, 'size and sampling'], [{ n: NaN }, 'size and sampling'], [{ temperature: 0 }, 'size and sampling'], [{ topP: 1.2 }, 'size and sampling'], [{ methods: [] }, 'methods'], [{ text: ' ' }, 'prompts'], [{ text: 'é'.repeat(51) }, 'prompts'], [{ schema: 'set' }, 'constraint'],
    [{ pasted: '' }, 'constraint'], [{ schema: 'rail', rail: false }, 'constraint'], [{ instruction: 'no place' }, 'instruction'], [{ instruction: '{input} {input}' }, 'instruction']]) {
    const found = refusal({ ...own, ...part }, PAGE);
    assert.ok(found && found.what && found.hint, JSON.stringify(part));
    assert.equal(found.where, where, JSON.stringify(part));
  }
});

test('a text is measured in bytes, as the request carries it', () => {
  assert.equal(tooLarge('a'.repeat(100), 100), null);
  assert.match(tooLarge('é'.repeat(51), 100).what, /102 bytes/);
});

test('the format is told by the name, else by how the text begins', () => {
  assert.equal(kindOf('a.jsonl', 'prompt'), 'jsonl');
  assert.equal(kindOf('a.CSV', '{"a": 1}'), 'csv');
  assert.equal(kindOf('', ' {"prompt": "a"}'), 'jsonl');
  assert.equal(kindOf('', 'prompt,gold'), 'csv');
});

test('a study’s spec fills the form again, and asks for the same study', () => {
  const asked = requestOf({ ...FORM, set: 'invoices', split: 'all', n: 9, parallel: 5, temperature: 0.7, seed: 4, showSchema: true, yes: true, exactRows: 20, schema: 'pasted', pasted: '{"type": "object"}', instruction: 'Say {input}' }).spec;
  assert.deepEqual(requestOf(formOf(asked, FORM)).spec, asked);
});

test('a study of own prompts fills the form with them, and keeps its constraint’s engine until another kind is chosen', () => {
  const constraint = { kind: 'schema', source: '{}', engine: 'xgrammar', whitespace: 'none' };
  const asked = { ...requestOf({ ...FORM, source: 'own', name: 'mine.csv', text: 'x', schema: 'pasted', pasted: '{}' }).spec, constraint };
  const form = formOf(asked, FORM, { text: '{"prompt":"a"}\n', kind: 'jsonl' });
  assert.deepEqual(requestOf(form), { spec: asked, own: { text: '{"prompt":"a"}\n', kind: 'jsonl' } });
  assert.equal(requestOf({ ...form, pasted: '{"type":"object"}' }).spec.constraint.engine, 'xgrammar');
  assert.deepEqual(requestOf({ ...form, pastedKind: 'regex', pasted: 'a' }).spec.constraint, { kind: 'regex', source: 'a' });
});
