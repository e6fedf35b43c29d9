import assert from 'node:assert/strict';
import test from 'node:test';

import { asRecorded, badgeOf, checkWords, cursorOf, formError, formulaOf, recordedForm, sceneName, sceneOf, scoreWords, verdictOf, voteBars, wordCount } from '../../static/lesson/model.js';
import { figure, interval } from '../../static/lesson/numbers.js';

const predict = { question: 'How often?', options: ['1 %', '8 %', '90 %'], answer: 2 };
const lesson = { slug: 'two', title: 'Two', scenes: { one: { problem: 1 }, other: { problem: 2 } },
  beats: [{ text: 'a', scene: null, predict: null }, { text: 'b', scene: 'other', predict }, { text: 'c', scene: null, predict }] };

test('a beat without a scene shows that of the beats before it, and the first one the first scene', () => {
  assert.deepEqual([0, 1, 2].map((beat) => sceneName(lesson, beat)), ['one', 'other', 'other']);
  const { name, page, compare } = sceneOf({ lesson, recording: { scenes: { other: { page: { steps: [] } } } } }, 2);
  assert.deepEqual([name, page, compare], ['other', { steps: [] }, null]);
  assert.equal(sceneOf({ lesson, recording: null }, 0).page, null);
});

test('no step is the last token, and a step beyond the run the place after it', () => {
  const page = { steps: [1, 2, 3] };
  assert.deepEqual([null, 0, 2, 3, 9].map((step) => cursorOf(page, step)), [2, 0, 2, 3, 3]);
  assert.equal(cursorOf({ steps: [] }, null), 0);
});

test('what a model gave is shown as recorded, and a toy stays a toy', () => {
  assert.equal(asRecorded({ provenance: { kind: 'live', model: 'm' } }).provenance.kind, 'recorded');
  assert.equal(asRecorded({ provenance: { kind: 'toy' } }).provenance.kind, 'toy');
  assert.equal(asRecorded(null), null);
  const form = recordedForm({ lesson, recording: { v: 1, scenes: { one: { page: { provenance: { kind: 'live' } }, squeezing: null, compare: { provenance: { kind: 'live' } }, judged: 7 } } } });
  assert.equal(form.recording.scenes.one.page.provenance.kind, 'recorded');
  assert.equal(form.recording.scenes.one.compare.provenance.kind, 'recorded');
  assert.equal(form.recording.scenes.one.judged, 7);
});

test('the badge names the model of all but a toy, and its title the revision', () => {
  assert.deepEqual(badgeOf({ provenance: { kind: 'toy', model: 'toy:sky', revision: 'x' } }), { kind: 'toy', words: 'toy', title: '' });
  assert.deepEqual(badgeOf({ provenance: { kind: 'recorded', model: 'SmolLM2', revision: '12fd25f' } }), { kind: 'recorded', words: 'recorded · SmolLM2', title: 'revision 12fd25f' });
  assert.equal(badgeOf(null), null);
});

test('what is no lesson is refused in words, and an error of the server is passed on', () => {
  assert.equal(formError({ lesson }), null);
  for (const form of [null, {}, { lesson: { slug: 'x', scenes: {}, beats: [] } }, { lesson: { ...lesson, beats: [] } }]) assert.match(formError(form).what, /no lesson/);
  assert.deepEqual(formError({ error: { what: 'Gone.' } }), { what: 'Gone.' });
});

test('the formula has the numbers of the token taken', () => {
  const step = { z: 0.01, log_z: Math.log(0.01), bits: 6.64, dead: false, taken: { text: 'x', p: 0.01, masked: 1, allowed: true } };
  assert.equal(formulaOf(step, { temperature: 1 }).words, 'after mask = p / Z = 0.010 / 0.010 = 100 %');
  assert.equal(formulaOf({ ...step, given: true }, null), null);
  assert.equal(formulaOf(null, null), null);
  assert.match(formulaOf({ ...step, taken: { ...step.taken, allowed: false } }, null).words, /sets blocked tokens to exactly 0/);
});

test('a prediction is judged in words, and the score counts what was answered', () => {
  assert.deepEqual(verdictOf(predict, 2), { right: true, words: 'Right: 90 %.' });
  assert.equal(verdictOf(predict, 0).words, 'Not quite: you said 1 %, it is 90 %.');
  assert.equal(scoreWords(lesson, {}), '');
  assert.equal(scoreWords(lesson, { 1: 2 }), 'You predicted 1 of 1 right; 1 not tried.');
  assert.equal(scoreWords(lesson, { 1: 2, 2: 0 }), 'You predicted 1 of 2 right.');
  assert.equal(scoreWords(lesson, { 0: 1 }), '');
});

test('votes are bars of their share, and none at all before the first', () => {
  assert.deepEqual(voteBars(['a', 'b'], { counts: [3, 1], voters: 4 }).map(({ count, share }) => [count, share]), [[3, 0.75], [1, 0.25]]);
  assert.equal(voteBars(['a', 'b'], { counts: [3, 1], voters: 4 })[0].words, '3 of 4, 75.0 %');
  assert.deepEqual(voteBars(['a'], {}), [{ option: 'a', count: 0, share: 0, right: false, words: '0 of 0' }]);
  assert.deepEqual(voteBars(['a', 'b'], { counts: [3, 1], voters: 4 }, 1).map(({ words }) => words), ['3 of 4, 75.0 %', '1 of 4, 25.0 % ✓ right']);
});

test('words are counted as they are read', () => {
  assert.deepEqual(['', '  ', 'one', ' one  two\nthree '].map(wordCount), [0, 0, 1, 3]);
});

test('a check is told as what was looked at, what it had to be, and what was found', () => {
  const check = { fact: 'z', step: 1, of: '', scene: null, relation: 'near', value: 0.01, within: 1e-9, found: { lower: 0.01, upper: 0.01 }, why: '' };
  assert.deepEqual(checkWords(check), { about: 'z at step 2', wanted: 'near 0.010 ± 10⁻⁹', found: '0.010' });
  assert.equal(checkWords({ ...check, found: null, why: 'There is no step.' }).found, 'There is no step.');
  assert.deepEqual(checkWords({ fact: 'text', step: null, of: '', scene: 'b', relation: 'is', value: 'Ax', within: 0, found: 'Ay', why: '' }), { about: 'text in b', wanted: 'is Ax', found: 'Ay' });
});

test('numbers are short, and bounds are one number only where they agree', () => {
  assert.deepEqual([0, 1, 12345, 0.109, 3.5812345, -0.25, 2.5e-7].map(figure), ['0', '1', '12,345', '0.109', '3.581', '−0.250', '2.5·10⁻⁷']);
  assert.equal(interval({ lower: 0.109 - 1e-12, upper: 0.109 + 1e-12 }), '0.109');
  assert.equal(interval({ lower: 1 - 1e-12, upper: 1 + 1e-12 }), '1');
  assert.equal(interval({ lower: 0.1, upper: 0.2 }), '0.100 to 0.200');
  assert.equal(interval({ lower: 2, upper: null }), 'at least 2');
  assert.equal(interval({ lower: null, upper: 2 }), 'at most 2');
});
