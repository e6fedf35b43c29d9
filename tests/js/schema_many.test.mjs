// Many strings pasted at once: what they are read as.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compact, jsonValues, readMany, writtenMany } from '../../static/schema/many.js';

const texts = (text, options = {}) => readMany(text, { json: true, ...options }).strings.map((each) => each.text);
const both = (text, options = {}) => readMany(text, { json: true, ...options }).strings.map((each) => [each.text, each.should]);
const from = (text, options = {}) => readMany(text, { json: true, ...options }).from;

test('a pretty-printed value is one string, as it is written but for its blanks', () => {
  const value = '{\n  "10": 1.0,\n  "2": 12345678901234567890,\n  "a b": "c  \\" { ,"\n}';
  assert.deepEqual(texts(value), ['{"10":1.0,"2":12345678901234567890,"a b":"c  \\" { ,"}']);
  assert.deepEqual(texts(`${value}\n${value}\n\n{"c": 1}`), [compact(value), compact(value), '{"c": 1}'], 'a value of one line stays as it is');
  assert.deepEqual(texts(`${value},\n[1,\n 2]`), [compact(value), '[1,2]']);
  assert.match(from(value), /^JSON values/);
  assert.deepEqual(texts(value, { json: false }), [value], 'a grammar may want its blanks');
});

test('a JSON array is its items', () => {
  assert.deepEqual(texts('[{"a": 1}, [2, 3], "x", 4.0, null]'), ['{"a": 1}', '[2, 3]', '"x"', '4.0', 'null']);
  assert.deepEqual(texts('[\n  {\n    "a": 1\n  },\n  {"b": 2}\n]'), ['{"a":1}', '{"b": 2}']);
  assert.deepEqual(texts('["yes", "no\\n"]', { json: false }), ['yes', 'no\n']);
  assert.deepEqual(texts('["yes", "no"]'), ['"yes"', '"no"'], 'where JSON is wanted a text is JSON');
  assert.deepEqual(texts('[0-9]+\n[ab]', { json: false }), ['[0-9]+', '[ab]']);
  assert.deepEqual(texts('[1, 2]', { json: false }), ['[1, 2]']);
  assert.deepEqual(texts('[]'), ['[]']);
});

test('objects with a text say what it should do', () => {
  const wanted = [['a', 'pass'], ['b\n', 'fail'], ['c', null]];
  const list = [{ text: 'a', valid: true }, { text: 'b\n', valid: false }, { text: 'c' }];
  for (const json of [true, false]) {
    assert.deepEqual(both(JSON.stringify(list), { json }), wanted);
    assert.deepEqual(both(JSON.stringify(list, null, 2), { json }), wanted);
    assert.deepEqual(both(list.map((each) => JSON.stringify(each)).join('\r\n'), { json }), wanted);
    assert.deepEqual(both(list.map((each) => JSON.stringify(each, null, 1)).join('\n'), { json }), wanted);
  }
  assert.deepEqual(both('{"text": "a", "valid": false}\nplain'), [['a', 'fail'], ['plain', null]]);
  for (const other of ['{"text": 1}', '{"text": "a", "valid": "no"}', '{"text": "a", "more": 1}']) assert.deepEqual(both(other), [[other, null]]);
  assert.match(from('{"text": "a"}'), /JSON lines/);
});

test('anything else is one string a line', () => {
  assert.deepEqual(texts('{"a": 1}\r\n\n{"a": \n 12 '), ['{"a": 1}', '{"a": ', ' 12 ']);
  assert.deepEqual(texts('{"a": 1}\n{"b": 2} '), ['{"a": 1}', '{"b": 2} ']);
  assert.equal(from('{"a": 1}\n{"b": 2}'), 'lines');
  assert.deepEqual(texts(''), []);
  const value = '{\n "a": 1\n}';
  assert.deepEqual(texts(value, { how: 'lines' }), ['{', ' "a": 1', '}']);
  assert.deepEqual(texts(value, { how: 'whole' }), [value]);
  assert.equal(jsonValues('{"a": 1} x'), null);
  assert.equal(jsonValues('}'), null);
  assert.equal(jsonValues('"a'), null);
  assert.deepEqual(jsonValues('1 true"x"[]{}'), ['1', 'true', '"x"', '[]', '{}']);
});

test('what was not taken is read again as it is', () => {
  const strings = [{ text: 'a\nb', should: 'fail' }, { text: '{"x": 1}', should: null }];
  assert.deepEqual(readMany(writtenMany(strings), { json: true }).strings, strings);
});
