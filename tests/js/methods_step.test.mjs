// JSON mode, think, given text and asking again on the Step screen: the words, and what a change of them asks for.
import test from 'node:test';
import assert from 'node:assert/strict';
import { captionSentence } from '../../static/stage/caption.js';
import { eventAt } from '../../static/stage/events.js';
import { createExact } from '../../static/stage/exact.js';
import { weightWords } from '../../static/stage/inspector.js';
import { standing } from '../../static/stage/header.js';
import { againWords, freeWords, judgedChip, masksOtherwise, methodWords, ringWords, spanRegion, spanWords, spentWords, verdictLabel } from '../../static/stage/method.js';
import { outcomeWords } from '../../static/stage/outcome.js';
import { createSettings, startsAnew } from '../../static/stage/settings.js';
import { createStore } from '../../static/stage/store.js';
import { makeClock, makeDoc, makeServer, settled, step } from './core_toy.mjs';

const THINK = { method: 'think', markers: { open: '<<', close: '>>' }, max_tokens: 8 };
const free = (events = [], more = {}) => ({ ...step([], 0), free: true, events, ...more });

test('a token is free, inside a span, or crosses a marker; other methods have no spans, nor has an old record', () => {
  assert.equal(spanRegion(free(), THINK), 'free');
  assert.equal(spanRegion({ ...free(), free: false }, THINK), 'inside');
  for (const events of [['opens'], ['closes'], ['opens', 'closes']]) {
    assert.equal(spanRegion(free(events), THINK), 'crosses');
    assert.equal(spanRegion({ ...free(events), free: false }, THINK), 'crosses');
  }
  assert.equal(spanRegion(free(), { method: 'masked' }), null);
  assert.equal(spanRegion(step([], 0), THINK), null);
  assert.match(spanWords(free(['opens', 'closes']), THINK), /opens a constrained span and closes one/);
  assert.match(spanWords(free(['closes']), THINK), /closes a constrained span/);
});

test('free text is masked by nothing, or by nothing but the special tokens', () => {
  assert.equal(freeWords({ allowed: 5, vocab: 5 }), 'nothing is masked');
  assert.equal(freeWords({ allowed: 49136, vocab: 49152 }), 'nothing but special tokens is masked');
  assert.equal(spanWords({ ...free(), allowed: 4, vocab: 5 }, THINK), 'free text: nothing but special tokens is masked');
});

test('a run that ends without a closed span has no answer, in the header as on the card', () => {
  const lane = (outcome, judged) => ({ outcome, judged: judged && { status: judged, message: '' }, verdict: { status: 'invalid' } });
  for (const outcome of ['accepted', 'rejected', 'dead_end']) for (const judged of ['none', 'open']) assert.equal(standing(lane(outcome, judged)), 'no_answer');
  assert.equal(standing(lane('accepted', 'valid')), 'invalid');
  assert.equal(standing(lane('truncated', 'open')), 'invalid');
  assert.equal(standing(lane('dead_end', null)), 'dead_end');
});

test('free text may end, and is worth something only after a closed span', () => {
  const may = { may_stop: true };
  assert.deepEqual(ringWords(may, [], THINK), { words: 'no answer', valid: false });
  assert.deepEqual(ringWords(may, [free(['opens'])], THINK), { words: 'no answer', valid: false });
  assert.deepEqual(ringWords(may, [free(['opens']), free(['closes'])], THINK), { words: 'valid', valid: true });
  assert.deepEqual(ringWords(may, [], { method: 'masked' }), { words: 'valid', valid: true });
  assert.deepEqual(ringWords({ may_stop: false }, [free(['closes'])], THINK), { words: 'not valid yet', valid: false });
});

test('the caption of a free token says that nothing is masked, and of a given one that it was not sampled', () => {
  const lane = (each) => ({ steps: [each], frontier: null, outcome: 'running', verdict: null });
  assert.match(captionSentence({ lane: lane(free()), cursor: 0, position: null, problem: THINK }), /free text, nothing but special tokens is masked/);
  assert.match(captionSentence({ lane: lane(free(['opens'])), cursor: 0, position: null, problem: THINK }), /opens a constrained span/);
  assert.match(captionSentence({ lane: lane({ ...step([], 0), given: true }), cursor: 0, position: null, problem: { method: 'unconstrained' } }), /`sk` was given, not sampled/);
});

test('a marker is an event each time, and a given token has no weight', () => {
  const steps = [free(['opens']), free(['closes']), free(['opens'])];
  assert.deepEqual(steps.map((_, i) => eventAt(steps, i)), ['opens', 'closes', 'opens']);
  const drawn = { ...step([], 0), log_proposal: 0, log_weight: Math.log(0.6), log_z: Math.log(0.85) };
  assert.notEqual(weightWords(drawn, { method: 'unconstrained' }), '');
  assert.equal(weightWords({ ...drawn, given: true }, { method: 'unconstrained' }), '');
});

test('the page says whose mask Z is of, and nothing where it is the constraint’s', () => {
  assert.match(methodWords({ method: 'json-mode' }), /any JSON object/);
  assert.match(methodWords(THINK), /<<.*>>/);
  assert.match(methodWords({ method: 'unconstrained', prefill: '{' }), /given, not sampled/);
  for (const problem of [null, {}, { method: 'masked', prefill: '{' }, { method: 'unconstrained' }, { method: 'unconstrained', prefill: '' }]) assert.equal(methodWords(problem), '');
  assert.deepEqual(['masked', 'unconstrained', 'json-mode', 'think', undefined].map((method) => masksOtherwise({ method })), [false, false, true, true, false]);
  assert.deepEqual([{ method: 'json-mode' }, THINK, {}].map(verdictLabel), ['as JSON:', 'answer:', 'whole text:']);
});

test('in JSON mode there are two verdicts, and the outcome is refused where the constraint refuses', () => {
  const problem = { method: 'json-mode', sampling: {} };
  const judged = { status: 'refused', offset: 5, message: 'At byte 6 it breaks.' };
  assert.deepEqual(judgedChip(problem, judged), { label: 'the constraint:', word: 'REFUSED', status: 'invalid', words: judged.message });
  assert.equal(judgedChip({ method: 'masked' }, judged), null);
  assert.equal(judgedChip(problem, null), null);
  const doc = { problem, outcome: 'accepted', verdict: null, judged };
  assert.deepEqual([outcomeWords(doc).title, outcomeWords(doc).message, outcomeWords(doc).kind], ['JSON, REFUSED', judged.message, 'rejected']);
  assert.equal(outcomeWords({ ...doc, judged: { status: 'valid', message: '' } }).title, 'VALID');
});

test('a run that thought has an answer or none', () => {
  const doc = (status, outcome = 'accepted') => ({ problem: { ...THINK, sampling: {} }, outcome, verdict: null, judged: { status, answer: status === 'valid' ? 'yes' : null, message: 'Said.' } });
  assert.equal(outcomeWords(doc('valid')).title, 'ANSWER');
  assert.equal(outcomeWords(doc('none')).title, 'NO ANSWER');
  assert.equal(outcomeWords(doc('open', 'truncated')).title, 'INCOMPLETE');
  assert.equal(outcomeWords(doc('running', 'running')), null);
});

test('a refused or cut free run can be asked for again until its attempts are used up', () => {
  const doc = (outcome, more = {}) => ({ problem: { method: 'unconstrained', attempts: 3 }, outcome, ...more });
  assert.match(againWords(doc('rejected')), /attempt 2 of 3/);
  assert.match(againWords(doc('truncated', { again: { attempt: 2 } })), /attempt 3 of 3/);
  assert.equal(againWords(doc('rejected', { again: { attempt: 3 } })), null);
  assert.match(spentWords(doc('rejected', { again: { attempt: 3 } })), /All 3 attempts/);
  for (const other of [doc('accepted'), doc('running'), { ...doc('rejected'), problem: { method: 'masked', attempts: 3 } }, { problem: { method: 'unconstrained' }, outcome: 'rejected' }]) {
    assert.equal(againWords(other), null);
    assert.equal(spentWords(other), '');
  }
});

const PROBLEM = { model: 'toy:sky', prompt: 'Why?', method: 'unconstrained', prefill: '{', attempts: 3, markers: { open: 'a', close: 'b' }, watch: [], max_tokens: 8, sampling: { temperature: 1 } };

test('asking again starts the other prompt’s run with fresh luck, without the given text, and each time from the first prompt', async () => {
  const server = makeServer();
  server.again = (request) => { server.calls.push({ name: 'again', ...request }); return Promise.resolve({ prompt: `${request.problem.prompt} Again.`, error: 'It broke.' }); };
  const store = createStore({ doc: makeDoc([0], { problem: PROBLEM, outcome: 'rejected', frontier: null }), server, clock: makeClock() });
  const told = [];
  createSettings(store, { tell: (changed) => told.push(changed), clock: makeClock() });
  await store.actions.askAgain();
  await settled();
  let last = server.calls[server.calls.length - 1];
  assert.deepEqual([last.name, last.path, last.problem.prompt, last.problem.prefill], ['replay', [], 'Why? Again.', '']);
  assert.deepEqual(store.doc().again, { attempt: 2, prompt: 'Why?', error: 'It broke.' });
  assert.equal(store.lane().run, 1);
  assert.equal(told[0].prefill, '');
  assert.equal(told[0].asked.prompt, 'Why? Again.');
  await store.actions.askAgain();
  last = server.calls[server.calls.length - 1];
  assert.equal(last.problem.prompt, 'Why? Again.', 'not a pile of all refusals');
  assert.deepEqual([store.doc().again.attempt, store.lane().run], [3, 2]);
  await store.actions.replay({ max_tokens: 9 });
  assert.equal(store.doc().again.attempt, 3, 'another setting is not another question');
  for (let i = 0; i < 3; i += 1) store.actions.undo();
  assert.equal(store.doc().problem.prompt, 'Why?');
  assert.equal(store.doc().again || null, null);
});

test('a refusal to ask again stays on screen as a card and changes nothing', async () => {
  const server = makeServer();
  server.again = () => Promise.resolve({ error: { what: 'The run goes on.', where: 'path', hint: '' } });
  const store = createStore({ doc: makeDoc([0], { problem: PROBLEM }), server, clock: makeClock() });
  await store.actions.askAgain();
  assert.equal(store.error().what, 'The run goes on.');
  assert.equal(store.doc().problem.prompt, 'Why?');
});

test('what a run begins with is its own only where the model is left alone; a change of it starts the run again', async () => {
  assert.equal(startsAnew(PROBLEM, { prefill: '[' }), true);
  assert.equal(startsAnew(PROBLEM, { prefill: '{' }), false);
  assert.equal(startsAnew(PROBLEM, { method: 'masked' }), true);
  assert.equal(startsAnew({ ...PROBLEM, prefill: '' }, { method: 'masked' }), false);
  assert.equal(startsAnew({ ...PROBLEM, method: 'masked' }, { prefill: '[' }), false);
  assert.equal(startsAnew(PROBLEM, { sampling: { temperature: 0.5 } }), false);
  const server = makeServer();
  const clock = makeClock();
  const store = createStore({ doc: makeDoc([0, 2], { problem: PROBLEM }), server, clock: makeClock() });
  const settings = createSettings(store, { clock });
  settings.change({ attempts: 4 });
  await clock.tick();
  settings.change({ prefill: '[' });
  await clock.tick();
  assert.deepEqual(server.calls.map((call) => call.path), [[0, 2], []]);
});

test('markers are told only where they differ, and an emptied one asks nothing', async () => {
  const server = makeServer();
  const clock = makeClock();
  const told = [];
  const store = createStore({ doc: makeDoc([0], { problem: PROBLEM }), server, clock: makeClock() });
  const settings = createSettings(store, { tell: (changed) => told.push(changed), clock });
  await store.actions.replay((problem) => ({ max_tokens: 9, markers: { ...problem.markers } }));
  await settled();
  assert.deepEqual(told, [{ max_tokens: 9 }]);
  settings.change({ markers: { open: '', close: 'b' } });
  assert.equal(clock.timers.length, 0);
});

test('the exact layer is off for a method that masks otherwise, with the reason, and asks the server nothing', async () => {
  const server = makeServer();
  server.exact = () => { server.calls.push({ name: 'exact' }); return Promise.resolve({ future: { lower: 0, upper: 1 }, status: 'bounded', rows_used: 1, tokens: [] }); };
  const clock = makeClock();
  const store = createStore({ doc: makeDoc([0], { problem: { ...PROBLEM, method: 'masked' } }), server, clock: makeClock() });
  const exact = createExact(store, { clock });
  while (await clock.tick());
  assert.ok(exact.on() && exact.here().law);
  const asked = server.calls.length;
  await store.actions.replay({ method: 'json-mode' });
  while (await clock.tick());
  assert.equal(exact.on(), false);
  exact.toggle();
  while (await clock.tick());
  assert.equal(exact.here().law, null);
  assert.match(exact.here().reason, /constraint alone/);
  assert.match(exact.title(), /constraint alone/);
  assert.equal(server.calls.filter((call) => call.name === 'exact').length, server.calls.slice(0, asked).filter((call) => call.name === 'exact').length);
});
