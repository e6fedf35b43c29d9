// A JSON pointer's place in a text, tolerant of what is wrong elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointerLines, pointerRange } from '../../static/stage/pointer.js';

const at = (text, pointer) => {
  const range = pointerRange(text, pointer);
  return range && text.slice(range.start, range.end);
};
const resolve = (value, pointer) => pointer.split('/').slice(1)
  .reduce((inner, name) => inner[name.replaceAll('~1', '/').replaceAll('~0', '~')], value);

const SCHEMA = `{
  "type": "object",
  "properties": {
    "name": {"type": "string", "title": "a } in a string, and a \\" too"},
    "a/b": {"~tilde": {"type": "null"}},
    "age": {"type": "integer", "minimum": 0},
    "lines": {"prefixItems": [{"const": 1}, [2, "x"], {"enum": ["[", "]"]}]}
  },
  "required": ["name", "age"]
}`;

function pointersOf(value, base = '') {
  if (value === null || typeof value !== 'object') return [base];
  return [base, ...Object.entries(value).flatMap(([key, inner]) => pointersOf(inner, `${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`))];
}

test('every pointer of a document finds exactly the text of its value', () => {
  const value = JSON.parse(SCHEMA);
  const pointers = pointersOf(value);
  assert.ok(pointers.length > 20);
  for (const pointer of pointers) assert.deepEqual(JSON.parse(at(SCHEMA, pointer)), resolve(value, pointer), pointer);
});

test('the key is part of the range, and a fragment hash is accepted', () => {
  const range = pointerRange(SCHEMA, '#/properties/age');
  assert.ok(SCHEMA.slice(range.keyStart, range.end).startsWith('"age": {'));
  assert.equal(range.whole, true);
});

test('a pointer that leaves the text gives its nearest ancestor and says so', () => {
  const range = pointerRange(SCHEMA, '/properties/age/maximum/0');
  assert.equal(range.whole, false);
  assert.deepEqual(JSON.parse(SCHEMA.slice(range.start, range.end)), { type: 'integer', minimum: 0 });
});

test('an escaped key is found by its meaning, and of equal keys the last counts', () => {
  assert.equal(at('{"a\\u0062c": 7}', '/abc'), '7');
  assert.equal(at('{"a": 1, "a": 2}', '/a'), '2');
});

test('a text that breaks off or is no JSON gives what can be found', () => {
  assert.equal(at('{"a": {"b": [1, 2', '/a/b/1'), '2');
  assert.equal(at('{"a": 1, oops, "b": 2}', '/a'), '1');
  assert.equal(pointerRange('{"a": 1, oops, "b": 2}', '/b').whole, false);
  assert.equal(pointerRange('   ', ''), null);
  assert.equal(pointerRange('nonsense', '/a').whole, false);
  assert.equal(at('[1,]', '/1'), '[1,]');
});

test('a hundred thousand brackets cost neither the stack nor seconds', () => {
  const deep = '['.repeat(100000);
  const before = process.cpuUsage(); // not the clock, which goes on while others run
  assert.equal(pointerRange(deep, '/0').whole, true);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('breaking into lines changes blanks between tokens only', () => {
  const flat = JSON.stringify(JSON.parse(SCHEMA));
  const lines = pointerLines(flat);
  assert.ok(lines.split('\n').length > 8);
  assert.equal(JSON.stringify(JSON.parse(lines)), flat);
  assert.equal(pointerLines(SCHEMA), SCHEMA);
});
