// How verdicts and problems read, and where JSON pointers stand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legible, pieces } from '../../static/schema/prose.js';
import { lineOf, offsets, pathOf, placeIn } from '../../static/schema/places.js';
import { marksOf, problemsOf, problemWords, shownAtOnce } from '../../static/schema/problems.js';
import { LIMITS, answered, createState, judgedKey, refusal, specKey, tooLong } from '../../static/schema/state.js';
import { createFolds } from '../../static/schema/explain.js';
import { standing } from '../../static/schema/head.js';
import { weakened } from '../../static/schema/weak.js';
import { asExpected, expectedParts, tallyWords, verdictWords } from '../../static/schema/verdict.js';

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
  assert.equal(verdictWords(bad), 'at byte 13 (line 1, column 13): got x, expected 0-9 or }');
  assert.equal(verdictWords({ ...bad, status: 'incomplete', needs: '`"}`' }), 'it still needs `"}`');
  assert.equal(verdictWords({ ...bad, offset: null }), 'no');
  assert.equal(verdictWords({ ...bad, status: 'valid' }), '');
  assert.deepEqual(expectedParts(['a']), [{ code: 'a' }]);
  assert.deepEqual(expectedParts(['a', 'space', '0-9']), [{ code: 'a' }, ', ', 'space', ' or ', { code: '0-9' }]);
  assert.deepEqual(pieces('a `b` c `d'), [{ text: 'a ', code: false }, { text: 'b', code: true }, { text: ' c `d', code: false }]);
});

test('nothing that a visitor typed hides in a sentence', () => {
  const got = (text) => verdictWords({ status: 'invalid', offset: 1, line: 1, column: 2, got: text, expected: ['{'] });
  assert.equal(got(' '), 'at byte 2 (line 1, column 2): got ␣, expected {');
  assert.equal(got('\u0000'), 'at byte 2 (line 1, column 2): got \\x00, expected {');
  assert.equal(got('the end'), 'at byte 2 (line 1, column 2): got the end, expected {');
  assert.equal(legible('a b\u0000c \u200b d\ne'), 'a b\\x00c ⟨200B⟩ d\ne');
});

test('a pointer into a schema says which part of an instance it speaks of', () => {
  for (const [pointer, path] of [
    ['/type', '$'], ['#/type', '$'], ['/properties/a/properties/b/type', '$.a.b'], ['/properties/type/type', '$.type'],
    ['/properties/list/items/properties/x/minimum', '$.list[*].x'], ['/prefixItems/2/type', '$[2]'], ['/items/1/type', '$[1]'],
    ['/properties/a/oneOf/1/properties/id/type', '$.a(oneOf 2).id'], ['/$defs/node/properties/next/$ref', '#node.next'],
    ['/properties/a~1b c/not/type', '$["a/b c"](not)'], ['/patternProperties/^x~1/type', '$[/^x//]'], ['/additionalProperties/type', '$.*'],
  ]) assert.equal(pathOf(pointer), path, pointer);
});

test('a string is as it should be only if both judges say so', () => {
  const says = (mask, reference) => ({ mask: { status: mask }, reference: { status: reference } });
  assert.equal(asExpected(says('valid', 'valid'), 'pass'), true);
  assert.equal(asExpected(says('valid', 'invalid'), 'pass'), false);
  assert.equal(asExpected(says('valid', 'invalid'), 'fail'), false);
  assert.equal(asExpected(says('invalid', 'invalid'), 'fail'), true);
  assert.equal(asExpected(says('incomplete', 'invalid'), 'fail'), true);
  assert.equal(asExpected(says('unknown', 'unknown'), 'pass'), null);
  assert.equal(asExpected(says('valid', 'unknown'), 'pass'), null, 'the mask may be wrong');
  assert.equal(asExpected(says('invalid', 'unknown'), 'fail'), null);
  assert.equal(asExpected(says('valid', 'unknown'), 'fail'), false);
  assert.equal(asExpected(says('unknown', 'valid'), 'pass'), null, 'without a mask nothing was tested');
  assert.equal(tallyWords([{ should: 'pass' }, { should: 'pass' }], [says('valid', 'unknown'), null]), '0 of 2 as they should be; 1 undecided; 1 not judged');
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

test('of one level mistakes come before advice, and only notes are folded', () => {
  const row = (level, advice, line) => ({ code: 'L000', name: 'x', level, advice, pointer: '', line, column: 1, message: 'y', why: '', fix: null, demo: null });
  const found = (lint) => problemsOf({ schema: '', error: null, notes: [], lint }, '');
  assert.deepEqual(found([row('info', false, 1), row('warning', true, 2), row('warning', false, 9), row('error', false, 10)]).map(({ line }) => line), [10, 9, 2, 1]);
  const many = (level, n) => Array.from({ length: n }, (_, at) => row(level, true, at + 1));
  assert.equal(shownAtOnce(found([...many('info', 20), ...many('warning', 12)])), 12, 'every warning, and no note');
  assert.equal(shownAtOnce(found([...many('info', 20), ...many('warning', 3)])), 8);
  assert.equal(shownAtOnce(found(many('info', 5))), 5);
  assert.equal(shownAtOnce(found(many('error', 500))), 40);
});

test('what is beyond the limits is refused before it is sent, in words', () => {
  const page = { kind: 'schema', source: '', strings: [{ text: '' }] };
  assert.equal(refusal(page), null);
  assert.match(refusal({ ...page, source: 'x'.repeat(LIMITS.source + 1) }).what, /100,001 characters; at most 100,000/);
  assert.equal(refusal({ ...page, strings: [{ text: '' }, { text: 'x'.repeat(LIMITS.text + 1) }] }), null, 'the other strings are judged all the same');
  assert.match(tooLong('x'.repeat(LIMITS.text + 1)), /20,001 characters; at most 20,000/);
  assert.equal(tooLong('x'.repeat(LIMITS.text)), null);
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

test('nothing else is asked about a string before its verdict is there or won’t come', () => {
  const page = { kind: 'regex', source: 'a', engine: 'bytes', whitespace: 'one', formats: false, judged: null };
  assert.equal(answered(page, 'a'), false);
  const judged = { key: judgedKey(page), byText: new Map([['a', {}]]), failed: new Set(['b']), error: {} };
  assert.equal(answered({ ...page, judged }, 'a'), true);
  assert.equal(answered({ ...page, judged }, 'b'), true);
  assert.equal(answered({ ...page, judged }, 'c'), false);
  assert.equal(answered({ ...page, source: 'b', judged }, 'a'), false);
  assert.equal(answered(page, 'x'.repeat(LIMITS.text + 1)), true);
});

test('the banner says ON only where something is known to hold a model', () => {
  const page = { kind: 'schema', source: '{}', engine: 'bytes', whitespace: 'one', trouble: null, coverage: null };
  const key = specKey(page);
  const compile = { engine: 'bytes', states: 3, compile_seconds: 0.1, cached: 'no' };
  const of = (analysis, rows = null) => standing({ ...page, analysis: { key, status: 'ok', error: null, compile, notes: [], lint: [], ...analysis }, coverage: rows && { key, rows } });
  const row = (keyword, status) => ({ keyword, status, pointer: `/${keyword}`, line: 2 });
  assert.equal(of({}).word, 'CONSTRAINT ON');
  assert.equal(of({ compile: null, error: { what: 'Too large.' } }).word, 'CONSTRAINT OFF');
  assert.equal(of({ compile: null }).word, 'CONSTRAINT OFF');
  const note = { level: 'not-enforced', keyword: 'uniqueItems', pointer: '/uniqueItems', line: null };
  assert.deepEqual([of({ notes: [note] }).word, /NOT enforced: uniqueItems/.test(of({ notes: [note] }).words)], ['PARTLY ON', true]);
  assert.equal(of({ notes: [note], lint: [{ name: 'unknown-keyword', pointer: '/uniqueItems' }] }).word, 'CONSTRAINT ON');
  const open = of({}, [row('$ref', 'undecided')]);
  assert.deepEqual([open.word, /Undecided.*\$ref \(line 2\)/.test(open.words)], ['PARTLY ON', true]);
  assert.equal(of({}, [row('$ref', 'undecided'), row('type', 'enforced')]).word, 'CONSTRAINT ON');
  assert.equal(of({}, [row('type', 'enforced'), row('pattern', 'partly')]).word, 'PARTLY ON');
  assert.equal(of({}, [row('type', 'enforced'), row('title', 'annotation')]).words.includes('enforced'), false);
});

test('the banner names what is ignored, and says whether the keywords were asked', () => {
  const page = { kind: 'schema', source: '{}', engine: 'bytes', whitespace: 'one', trouble: null };
  const key = specKey(page);
  const analysis = { key, schema: '{}', status: 'ok', error: null, compile: { engine: 'bytes', states: 3, compile_seconds: 0.1, cached: 'no' }, notes: [], lint: [] };
  const of = (changed, coverage = null) => standing({ ...page, coverage, analysis: { ...analysis, ...changed } });
  const lint = [{ name: 'unknown-keyword', level: 'error', pointer: '/properties/a/anyof', line: 54, message: '`anyof` is no keyword of JSON Schema. Did you mean `anyOf`?' }];
  assert.equal(of({ lint }).word, 'PARTLY ON');
  assert.match(of({ lint }).words, /anyof \(line 54\) is ignored: did you mean anyOf\?/);
  assert.match(of({ lint }, { key, rows: [{ keyword: 'type', status: 'enforced', pointer: '/type', line: 1 }], asking: null }).words, /anyof \(line 54\) is ignored/);
  assert.equal(of({ lint: [{ ...lint[0], level: 'info', message: '`extra` is no keyword of JSON Schema: it is ignored.' }] }).word, 'CONSTRAINT ON');
  const rows = [{ keyword: 'pattern', status: 'undecided', pointer: '/pattern', line: 2 }, { keyword: 'type', status: 'enforced', pointer: '/type', line: 1 }];
  assert.match(of({}).words, /Keywords not yet asked/);
  assert.match(of({}, { key: 'of another text', rows, asking: null }).words, /Keywords not yet asked/);
  assert.match(of({}, { key: 'of another text', rows, asking: key }).words, /being asked/);
  assert.match(of({}, { key, rows, asking: null }).words, /Undecided.*pattern \(line 2\)/);
  assert.doesNotMatch(of({}, { key, rows, asking: null }).words, /asked/);
  assert.doesNotMatch(of({ schema: null }).words, /asked/, 'a regex has no keywords');
});

test('a fix that takes from the mask is told so, by the same source before and after', () => {
  const analysis = { key: 'a', status: 'ok', error: null, compile: {}, notes: [], lint: [] };
  const before = { analysis, coverage: null };
  const note = (level, keyword, line) => ({ level, keyword, pointer: `/${keyword}`, line });
  const after = (changed, coverage = null) => ({ analysis: { ...analysis, key: 'b', ...changed }, coverage });
  assert.equal(weakened(before, after({})), '');
  assert.match(weakened(before, after({ notes: [note('partly', 'maxItems', 7)] })), /made the mask weaker. Enforced in part: maxItems \(line 7\)/);
  assert.match(weakened(before, after({ notes: [note('not-enforced', 'maxItems', 7)] })), /NOT enforced: maxItems \(line 7\)/);
  const loose = { analysis: { ...analysis, notes: [note('not-enforced', 'maxItems', 3)] }, coverage: null };
  assert.equal(weakened(loose, after({ notes: [note('not-enforced', 'maxItems', 9)] })), '', 'it was so before');
  assert.equal(weakened(loose, after({ notes: [note('partly', 'maxItems', 9)] })), '', 'better than before');
  assert.match(weakened(loose, after({ notes: [note('not-enforced', 'maxItems', 9), note('not-enforced', 'maxItems', 12)] })), /maxItems \(line 12\)/);
  const rows = (status) => [{ keyword: 'type', status, pointer: '/type', line: 1 }];
  assert.equal(weakened(before, after({}, { key: 'b', rows: rows('not enforced') })), '', 'of the schema before nothing is known');
  assert.match(weakened({ analysis, coverage: { key: 'a', rows: rows('enforced') } }, after({}, { key: 'b', rows: rows('not enforced') })), /NOT enforced: type/);
  assert.match(weakened(before, after({ compile: null, error: { what: 'Too large.' } })), /turned the constraint off. Too large/);
  assert.match(weakened(before, after({ compile: null, status: 'unsatisfiable' })), /no string at all/);
  assert.equal(weakened({ analysis: { ...analysis, compile: null }, coverage: null }, after({ notes: [note('partly', 'x', 1)] })), '');
});

test('what was opened or closed stays so when the tree is drawn anew', () => {
  const folds = createFolds(3);
  assert.deepEqual([folds.open('a', 0), folds.open('b', 5)], [true, false]);
  folds.told('a', false);
  folds.all(true);
  assert.deepEqual([folds.open('a', 0), folds.open('b', 5)], [true, true]);
  folds.told('b', false);
  assert.deepEqual([folds.open('a', 0), folds.open('b', 5)], [true, false]);
  folds.all(false);
  assert.equal(folds.open('a', 0), false);
});

test('what is drawn late is told after what has to be on the screen at once', async () => {
  const state = createState({ kind: 'regex', source: '', engine: 'bytes', whitespace: 'one', formats: false, selected: 0, strings: [{ text: 'a', should: 'pass' }] });
  const told = [];
  state.subscribeLate(() => told.push('late'));
  state.subscribe(() => told.push('at once'));
  state.set({ source: 'a' });
  await null;
  assert.deepEqual(told, ['at once']);
  state.set({ source: 'ab' });
  await new Promise((resolve) => { setTimeout(resolve, 250); });
  assert.deepEqual(told, ['at once', 'at once', 'late']);
});
