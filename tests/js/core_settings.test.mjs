// The settings beside the stage: only what changed is sent, and what the stage changes comes back.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createSettings, LIMITS, maskComesFirst, mergedProblem } from '../../static/stage/settings.js';
import { createStore } from '../../static/stage/store.js';
import { makeClock, makeDoc, makeServer, settled } from './core_toy.mjs';

const SAMPLING = { temperature: 1, top_k: 0, top_p: 1, mask_order: 'after-filters', seed: 0 };
const PROBLEM = { model: 'toy:sky', method: 'masked', watch: [], max_tokens: 8, sampling: SAMPLING };

function made(options = {}) {
  const server = makeServer(options);
  const store = createStore({ doc: makeDoc([0, 2], { problem: PROBLEM }), server, clock: makeClock() });
  const clock = makeClock();
  const told = [];
  return { server, store, clock, told, settings: createSettings(store, { tell: (changed) => told.push(changed), clock }) };
}

test('one setting changes and the others stay, also those that the stage changed', async () => {
  const { store, server, clock, settings } = made();
  await store.actions.replay((problem) => ({ max_tokens: problem.max_tokens + 32 }));
  settings.change({ sampling: { temperature: 0.5 } });
  await clock.tick();
  const { problem } = server.calls[server.calls.length - 1];
  assert.deepEqual([problem.max_tokens, problem.sampling], [40, { ...SAMPLING, temperature: 0.5 }]);
});

test('changes in quick succession make one request with all of them', async () => {
  const { server, clock, settings } = made();
  settings.change({ sampling: { temperature: 0 } });
  settings.change({ sampling: { temperature: 0.7 } });
  settings.change({ sampling: { top_k: 3 } });
  settings.change({ max_tokens: 9 });
  assert.equal(clock.timers.length, 1);
  await clock.tick();
  assert.equal(server.calls.length, 1);
  assert.deepEqual(server.calls[0].problem, { ...PROBLEM, max_tokens: 9, sampling: { ...SAMPLING, temperature: 0.7, top_k: 3 } });
});

test('the inputs hear what the stage changed, and only that; their own changes are not echoed', async () => {
  const { store, clock, told, settings } = made();
  settings.change({ sampling: { temperature: 0.5 } });
  await clock.tick();
  assert.deepEqual(told, []);
  await store.actions.replay((problem) => mergedProblem(problem, { sampling: { mask_order: 'before-filters' } }));
  await store.actions.replay({ max_tokens: 40 });
  await settled();
  assert.deepEqual(told, [{ mask_order: 'before-filters' }, { max_tokens: 40 }]);
  await store.actions.watch(3);
  await settled();
  assert.equal(told.length, 2);
});

test('an undo across a Start tells what is asked for again; a fresh answer never does', async () => {
  const { store, told } = made();
  const asked = { model: 'toy:sky', prompt: 'One', chat: false, heal: false, constraint: { kind: 'regex', source: 'a' } };
  const other = { ...asked, prompt: 'Two' };
  store.actions.loadDoc(makeDoc([], { problem: { ...PROBLEM, ...asked } }));
  await settled();
  store.actions.loadDoc(makeDoc([], { problem: { ...PROBLEM, ...other } }));
  await settled();
  assert.deepEqual(told, []);
  store.actions.undo();
  await settled();
  store.actions.redo();
  await settled();
  assert.deepEqual(told, [{ asked }, { asked: other }]);
});

test('an undo of a setting is shown by the inputs too', async () => {
  const { store, clock, told, settings } = made();
  settings.change({ sampling: { temperature: 0.5 } });
  await clock.tick();
  store.actions.undo();
  await settled();
  assert.deepEqual(told, [{ temperature: 1 }]);
});

test('an input that is being changed is not written over by an answer to an older question', async () => {
  const { store, server, clock, told, settings } = made({ hold: true });
  const asked = store.actions.replay({ max_tokens: 40 });
  settings.change({ sampling: { temperature: 0.5 } });
  await server.release();
  await asked;
  await settled();
  assert.deepEqual(told, []);
  await clock.tick();
  await server.release();
  await settled();
  assert.deepEqual(told, [{ max_tokens: 40 }]);
  assert.equal(store.doc().problem.sampling.temperature, 0.5);
});

test('an emptied input asks nothing', () => {
  const { clock, settings } = made();
  settings.change({ max_tokens: null });
  settings.change({ sampling: { top_k: null } });
  assert.equal(clock.timers.length, 0);
});

test('one token more than can be watched is refused here, in words', async () => {
  const server = makeServer();
  const watch = Array.from({ length: LIMITS.watchedTokens }, (_, i) => i);
  const store = createStore({ doc: makeDoc([0], { problem: { ...PROBLEM, watch } }), server });
  await store.actions.watch(99);
  assert.equal(server.calls.length, 0);
  assert.match(store.error().what, /At most 16 tokens/);
  await store.actions.watch(3);
  assert.equal(server.calls.length, 1);
});

test('the mask comes first only where filters follow it', () => {
  assert.equal(maskComesFirst({ ...SAMPLING, mask_order: 'before-filters' }), false);
  assert.equal(maskComesFirst({ ...SAMPLING, mask_order: 'before-filters', top_k: 1 }), true);
  assert.equal(maskComesFirst({ ...SAMPLING, mask_order: 'before-filters', top_p: 0.9 }), true);
  assert.equal(maskComesFirst({ ...SAMPLING, top_k: 1 }), false);
  assert.equal(maskComesFirst(undefined), false);
});
