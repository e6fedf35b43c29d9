// What a pasted text is taken for, how verdicts and problems read, and where JSON pointers stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detected, offered } from '../../static/schema/detect.js';
import { pieces } from '../../static/schema/prose.js';
import { lineOf, offsets, placeIn } from '../../static/schema/places.js';
import { marksOf, problemsOf, problemWords } from '../../static/schema/problems.js';
import { LIMITS, createState, refusal } from '../../static/schema/state.js';
import { asExpected, expectedParts, tallyWords, verdictWords } from '../../static/schema/verdict.js';

test('a pasted text is taken for what it is, and for nothing where it could be anything', () => {
  assert.equal(detected('{"type": "object", "properties": {}}'), 'schema');
  assert.equal(detected('{"type": "object", "propertis": {"a": }'), 'schema');
  assert.equal(detected('{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}'), 'tool');
  assert.equal(detected('{"name": "f", "inputSchema": {"type": "object"}}'), 'tool');
  assert.equal(detected('[{"name": "f", "input_schema": {}}]'), 'tool');
  assert.equal(detected('from pydantic import BaseModel\n\nclass A(BaseModel):\n    x: int'), 'pydantic');
  assert.equal(detected('root ::= "a" | "b"'), 'grammar');
  assert.equal(detected('start: "a"+'), 'grammar');
  assert.equal(detected('\\d{3}-\\d{2}'), 'regex');
  assert.equal(detected('(yes|no)'), 'regex');
  assert.equal(detected('yes\nno\nmaybe'), 'choices');
  for (const text of ['', '   ', 'hello', '{"a": 1}', 'x = 1']) assert.equal(detected(text), null, text);
  assert.equal(offered('{"type": "object"}', 'schema'), null);
  assert.equal(offered('{"type": "object"}', 'regex'), 'schema');
  assert.equal(offered('(yes|no)', 'choices'), null);
});

test('every JSON pointer has its place, up to where the text breaks off', () => {
  const text = '{\n  "properties": {\n    "a/b": {"enum": [1,\n 2]}\n  }\n}';
  const found = offsets(text);
  assert.deepEqual(lineOf(text, found.get('')), { line: 1, column: 1 });
  assert.deepEqual(lineOf(text, found.get('/properties/a~1b')), { line: 3, column: 5 });
  assert.deepEqual(lineOf(text, found.get('/properties/a~1b/enum/1')), { line: 4, column: 2 });
  assert.deepEqual(placeIn(text, found, '/properties/a~1b', 'enum'), { line: 3, column: 13 });
  assert.deepEqual(placeIn(text, found, '#/properties/a~1b/nothing'), { line: 3, column: 5 });
  assert.equal(offsets('{"a": [1, {"b": ').get('/a/1/b'), 11);
  assert.ok(offsets('['.repeat(100_000)).size > 0);
});

test('a verdict says where, what it got and what was expected', () => {
  const bad = { status: 'invalid', offset: 12, line: 1, column: 13, got: 'x', expected: ['0-9', '}'], needs: '', message: 'no' };
  assert.equal(verdictWords(bad), 'at byte 12 (line 1, column 13): got x, expected 0-9 or }');
  assert.equal(verdictWords({ ...bad, status: 'incomplete', needs: '`"}`' }), 'it still needs `"}`');
  assert.equal(verdictWords({ ...bad, offset: null }), 'no');
  assert.equal(verdictWords({ ...bad, status: 'valid' }), '');
  assert.deepEqual(expectedParts(['a']), [{ code: 'a' }]);
  assert.deepEqual(expectedParts(['a', 'space', '0-9']), [{ code: 'a' }, ', ', 'space', ' or ', { code: '0-9' }]);
  assert.deepEqual(pieces('a `b` c `d'), [{ text: 'a ', code: false }, { text: 'b', code: true }, { text: ' c `d', code: false }]);
});

test('a string is as it should be only if both judges say so', () => {
  const says = (mask, reference) => ({ mask: { status: mask }, reference: { status: reference } });
  assert.equal(asExpected(says('valid', 'valid'), 'pass'), true);
  assert.equal(asExpected(says('valid', 'invalid'), 'pass'), false);
  assert.equal(asExpected(says('valid', 'invalid'), 'fail'), false);
  assert.equal(asExpected(says('invalid', 'invalid'), 'fail'), true);
  assert.equal(asExpected(says('incomplete', 'invalid'), 'fail'), true);
  assert.equal(asExpected(says('unknown', 'unknown'), 'pass'), null);
  assert.equal(asExpected({ mask: { status: 'valid' }, reference: null }, 'pass'), true);
  assert.equal(asExpected(null, 'pass'), null);
  const strings = [{ should: 'pass' }, { should: 'fail' }];
  assert.equal(tallyWords(strings, [says('valid', 'valid'), { ...says('valid', 'invalid'), finding: {} }]), '1 of 2 as they should be; 1 finding');
  assert.equal(tallyWords(strings, [null, null]), 'Not judged yet.');
});

test('problems come the gravest first, each line with one mark', () => {
  const source = '{\n "type": "string",\n "format": "date",\n "maxium": 3\n}';
  const problems = problemsOf({ schema: source, error: null,
    notes: [{ level: 'not-enforced', keyword: 'format', pointer: '/format', message: '`format` is NOT enforced.' }, { level: 'info', keyword: '', pointer: '', message: 'x' }, { level: 'not-enforced', keyword: 'maxium', pointer: '/maxium', message: '`maxium` is NOT enforced' }],
    lint: [{ code: 'L013', name: 'unknown-keyword', level: 'error', pointer: '/maxium', line: 4, column: 2, message: '`maxium` is no keyword', why: '', fix: { title: 'maximum', source: '' }, demo: null },
      { code: 'L002', name: 'x', level: 'info', pointer: '', line: 2, column: 2, message: 'y', why: '', fix: null, demo: null }] }, source);
  assert.deepEqual(problems.map(({ level, line }) => [level, line]), [['error', 4], ['off', 3], ['info', 2]]);
  assert.equal(problemWords(problems), '1 error, 1 not enforced, 1 note');
  assert.equal(problemWords([]), 'Nothing found');
  assert.deepEqual(marksOf([...problems, { level: 'warning', line: 3, message: 'z' }]).map(({ line, level, messages }) => [line, level, messages.length]), [[2, 'info', 1], [3, 'off', 2], [4, 'error', 1]]);
});

test('what is beyond the limits is refused before it is sent, in words', () => {
  const page = { kind: 'schema', source: '', strings: [{ text: '' }] };
  assert.equal(refusal(page), null);
  assert.match(refusal({ ...page, source: 'x'.repeat(LIMITS.source + 1) }).what, /100,001 characters; at most 100,000/);
  assert.match(refusal({ ...page, strings: [{ text: '' }, { text: 'x'.repeat(LIMITS.text + 1) }] }).what, /Test string 2 has 20,001/);
  assert.match(refusal({ ...page, strings: Array.from({ length: LIMITS.strings + 1 }, () => ({ text: '' })) }).what, /101 test strings/);
});

test('strings keep their identity, and the last one leaves an empty one', async () => {
  const state = createState({ kind: 'regex', source: '', engine: 'bytes', whitespace: 'one', formats: false, selected: 0, strings: [{ text: 'a', should: 'pass' }] });
  const [{ id }] = state.get().strings;
  state.addString('b', 'fail');
  assert.equal(state.get().selected, 1);
  state.editString(id, { text: 'c' });
  assert.deepEqual(state.get().strings.map(({ text }) => text), ['c', 'b']);
  state.removeString(state.get().strings[1].id);
  state.removeString(id);
  assert.deepEqual(state.get().strings.map(({ text }) => text), ['']);
  assert.equal(state.get().selected, 0);
});
