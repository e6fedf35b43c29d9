import assert from 'node:assert/strict';
import test from 'node:test';

import { EMPTY_DRAFT, addBeat, addClaim, beatTrouble, fromLesson, missing, moveBeat, readDraft, reworded, slugOf, toLesson, without } from '../../static/lesson/make_state.js';
import { suggestions } from '../../static/lesson/make_facts.js';

const scene = (path, more = {}) => ({ problem: { model: 'toy:sky' }, path, law: false, methods: [], n: 0, strings: [], ...more });
const beat = (text) => ({ text, view: 'step', step: 0, highlight: '', exact: false, predict: null });

test('a slug is made of a title, whatever it is written with', () => {
  assert.equal(slugOf('Two steps: the popular door!'), 'two-steps-the-popular-door');
  assert.equal(slugOf('Über Größe'), 'uber-gro-e');
  assert.equal(slugOf('   '), 'lesson');
  assert.equal(slugOf('空'), 'lesson');
  assert.match(slugOf('a'.repeat(39) + ' b'), /^[a-z0-9][a-z0-9-]{0,39}$/);
});

test('states of one run share a scene, which asks for what any of them needs', () => {
  let draft = addBeat(EMPTY_DRAFT, beat('a'), scene([1, 2]));
  draft = addBeat(draft, { ...beat('b'), view: 'squeezing' }, scene([1, 2], { law: true }));
  draft = addBeat(draft, beat('c'), scene([1, 3]));
  assert.deepEqual(draft.beats.map((each) => each.scene), ['scene-1', 'scene-1', 'scene-2']);
  assert.equal(draft.scenes['scene-1'].law, true);
  draft = addClaim(draft, 'So it is.', { fact: 'drawn' }, scene([1, 2], { methods: ['masked'], n: 50 }));
  assert.deepEqual([draft.scenes['scene-1'].methods, draft.scenes['scene-1'].n, draft.scenes['scene-1'].law], [['masked'], 50, true]);
  assert.equal(draft.claims[0].checks[0].scene, 'scene-1');
});

test('a beat that is taken out takes its scene along, if nothing else names it', () => {
  let draft = addBeat(addBeat(EMPTY_DRAFT, beat('a'), scene([1])), beat('b'), scene([2]));
  assert.deepEqual(moveBeat(draft, 1, -1).beats.map((each) => each.text), ['b', 'a']);
  assert.equal(moveBeat(draft, 0, -1), draft);
  draft = addClaim(draft, 'c', { fact: 'z' }, scene([1]));
  draft = without(draft, 'beats', 0);
  assert.deepEqual(Object.keys(draft.scenes), ['scene-1', 'scene-2']);
  assert.deepEqual(Object.keys(without(draft, 'claims', 0).scenes), ['scene-2']);
  // A name that was freed is not given to another run.
  const again = addBeat(without(draft, 'claims', 0), beat('d'), scene([3]));
  assert.equal(new Set(Object.values(again.scenes).map(({ path }) => path.join())).size, 2);
});

test('exercises stay with a lesson that is changed, and a beat keeps its state under other words', () => {
  const exercises = [{ question: 'Why?', answer: 'Because.' }];
  const draft = { ...addBeat({ ...EMPTY_DRAFT, title: 'T', question: 'Q' }, beat('a'), scene([1])), exercises };
  assert.deepEqual(toLesson(draft).exercises, exercises);
  assert.deepEqual(fromLesson(toLesson(draft)).exercises, exercises);
  assert.deepEqual(without(draft, 'exercises', 0).exercises, []);
  assert.deepEqual(reworded(draft, 0, 'b').beats, [{ ...draft.beats[0], text: 'b' }]);
  const { exercises: _, ...older } = draft;
  assert.deepEqual(readDraft(JSON.stringify(older)).exercises, []);
});

test('what is missing is told', () => {
  assert.deepEqual(missing(EMPTY_DRAFT), ['a title', 'the question that it answers', 'a beat', 'a claim']);
  const draft = addClaim(addBeat({ ...EMPTY_DRAFT, title: 'T', question: 'Q' }, beat('a'), scene([1])), 'c', { fact: 'z' }, scene([2]));
  assert.deepEqual(missing(draft, { scenes: 6 }), []);
  assert.match(missing(draft, { scenes: 1 })[0], /at most 1 are recorded/);
  assert.match(beatTrouble({ text: ' ' }), /Write what is said/);
  assert.match(beatTrouble({ text: 'w '.repeat(26) }), /26 words; at most 25/);
  const predict = { question: 'Q', options: ['a', 'b'], answer: 0 };
  assert.equal(beatTrouble({ text: 'a', predict }), '');
  assert.match(beatTrouble({ text: 'a', predict: { ...predict, question: '' } }), /question/);
  assert.match(beatTrouble({ text: 'a', predict: { ...predict, options: ['a'] } }), /two to five/);
  assert.match(beatTrouble({ text: 'a', predict: { ...predict, options: [...'abcdef'] } }), /at most five/);
  assert.match(beatTrouble({ text: 'a', predict: { ...predict, answer: 2 } }), /1 to 2/);
});

test('a draft becomes a lesson and a lesson a draft; the first beat’s scene comes first', () => {
  let draft = addBeat(addBeat({ ...EMPTY_DRAFT, title: ' T ', question: 'Q' }, beat('a'), scene([1])), beat('b'), scene([2]));
  draft = moveBeat(draft, 1, -1);
  const lesson = toLesson(draft);
  assert.deepEqual([lesson.title, lesson.slug, Object.keys(lesson.scenes)], ['T', 't', ['scene-2', 'scene-1']]);
  assert.deepEqual(fromLesson({ ...lesson, beats: [lesson.beats[0], { ...lesson.beats[1], scene: null }] }).beats.map((each) => each.scene), ['scene-2', 'scene-2']);
  assert.deepEqual(readDraft(JSON.stringify(draft)), draft);
  for (const text of [null, '', '{', '[]', '{"title": 3}']) assert.equal(readDraft(text), EMPTY_DRAFT);
});

const step = { z: 0.01, argmax_blocked: true, allowed: 1, forced: true, may_stop: false, taken: { text: 'x', p: 0.01, special: false }, argmax: { text: 'y', p: 0.99 } };
const law = { exact: { Z: { lower: 0.109, upper: 0.109 }, tv: { lower: 0.5, upper: 0.9 }, texts: [{ text: 'Ax', masked: { lower: 0.9, upper: 0.9 }, p_V: { lower: 0, upper: 0.4 }, squeeze: { lower: 10, upper: null } }] } };

test('offered are the facts that the page has, each with its value and a sentence', () => {
  const none = suggestions({ lane: { steps: [], outcome: 'running' }, cursor: 0, toy: true });
  assert.deepEqual(none, []);
  const found = suggestions({ lane: { steps: [step], outcome: 'running' }, cursor: 0, toy: true, law, comparison: { methods: { masked: { title: 'Masked', accepted: 7, draws: 9 } } }, judged: [{ text: 'Ax', status: 'valid' }] });
  const of = (fact) => found.find((each) => each.check.fact === fact);
  assert.deepEqual(of('z').check, { fact: 'z', step: 0, of: '', relation: 'near', value: 0.01, within: 1e-9 });
  assert.match(of('z').sentence, /At step 1 the mask keeps 1.0 %/);
  assert.deepEqual([of('argmax-blocked').check.relation, of('argmax-blocked').check.value], ['is', true]);
  assert.equal(of('text').check.value, 'x');
  assert.equal(of('Z').needs, 'law');
  assert.deepEqual([of('accepted').needs, of('accepted').check.of, of('accepted').check.value], ['methods', 'masked', 7]);
  assert.deepEqual([of('verdict').needs, of('verdict').check.value], ['strings', 'valid']);
});

test('of wide bounds only what is proved is claimed, and nothing where nothing is', () => {
  const found = suggestions({ lane: null, cursor: 0, toy: false, law });
  const tv = found.find((each) => each.check.fact === 'tv').check;
  assert.equal(tv.relation, '>');
  assert.ok(tv.value < 0.5);
  assert.ok(!found.some((each) => ['exact-of', 'squeeze-of'].includes(each.check.fact)));
});

test('a model’s number is claimed with room for the rounding of its logits', () => {
  const [z] = suggestions({ lane: { steps: [step], outcome: 'running' }, cursor: 0, toy: false });
  assert.ok(z.check.within > 1e-5 && z.check.within < 1e-4);
});
