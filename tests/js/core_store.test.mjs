// The store: scrubbing is local, presses are neither lost nor doubled, late answers are dropped, undo and forks are exact.
import test from 'node:test';
import assert from 'node:assert/strict';
import { createStore } from '../../static/stage/store.js';
import { eventAt, pausesAt } from '../../static/stage/events.js';
import { EOS, makeClock, makeDoc, makeServer, position, settled } from './core_toy.mjs';

const ids = (store) => store.lane().steps.map((step) => step.taken.id);
const open = (path, options = {}, fields = {}) => {
  const server = makeServer(options);
  return { server, store: createStore({ doc: makeDoc(path, fields), server }) };
};

test('a document opens at its cursor, and the cursor stays inside the run', () => {
  assert.equal(open([0, 2, EOS], {}, { cursor: 1 }).store.cursor(), 1);
  assert.equal(open([0, 2, EOS], {}, { cursor: 99 }).store.cursor(), 2, 'an ended run has no frontier');
  assert.equal(open([0], {}, { cursor: 99 }).store.cursor(), 1, 'a running one does');
});

test('scrubbing, jumping and choosing lanes never ask the server', async () => {
  const { store, server } = open([0, 2, EOS]);
  store.actions.next();
  store.actions.next();
  store.actions.next();
  store.actions.back();
  store.actions.home();
  store.actions.end();
  store.actions.go(1);
  store.actions.nextEvent(1);
  store.actions.nextEvent(-1);
  store.actions.branch();
  store.actions.selectLane(store.lanes()[0].id);
  store.set({ hoverToken: 3, order: 'masked', log: true });
  await settled();
  assert.deepEqual(server.calls, []);
});

test('a step at the end draws one token and shows what was drawn', async () => {
  const { store, server } = open([]);
  await store.actions.next();
  assert.deepEqual(ids(store), [0]);
  assert.equal(store.cursor(), 0);
  assert.equal(store.shown().taken.id, 0);
  await store.actions.next();
  assert.deepEqual(ids(store), [0, 2]);
  assert.equal(store.cursor(), 1);
  assert.deepEqual(server.calls.map((call) => [call.path, call.action]), [[[], { draw: 0 }], [[0], { draw: 0 }]]);
});

test('three quick presses give three tokens, one request at a time', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.next();
  store.actions.next();
  store.actions.next();
  await settled();
  assert.equal(server.calls.length, 1);
  assert.ok(store.view().busy);
  await server.release();
  assert.equal(server.calls.length, 2);
  await server.release();
  await server.release();
  assert.deepEqual(ids(store), [0, 2, EOS]);
  assert.equal(store.lane().outcome, 'accepted');
  assert.equal(store.view().busy, false);
});

test('presses beyond the end of the run ask for nothing', async () => {
  const { store, server } = open([0, 2]);
  for (let i = 0; i < 5; i += 1) store.actions.next();
  await settled();
  assert.deepEqual(ids(store), [0, 2, EOS]);
  assert.equal(server.calls.length, 1);
});

test('going back while a token is drawn keeps the token and leaves the visitor where they went', async () => {
  const { store, server } = open([0], { hold: true }, { cursor: 1 });
  store.actions.next();
  await settled();
  store.actions.back();
  await server.release();
  assert.deepEqual(ids(store), [0, 2]);
  assert.equal(store.cursor(), 0);
});

test('an answer for a path that undo left is dropped', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.next();
  await server.release();
  store.actions.next();
  await settled();
  store.actions.undo();
  await server.release();
  assert.deepEqual(ids(store), []);
  assert.equal(store.view().busy, false);
});

test('an answer for a document that was replaced is dropped', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.next();
  await settled();
  store.actions.loadDoc(makeDoc([1]));
  await server.release();
  assert.deepEqual(ids(store), [1]);
});

test('a token drawn in a lane that is no longer on screen lands in its own lane', async () => {
  const { store, server } = open([0, 2], { hold: true }, { cursor: 0 });
  store.actions.branch();
  const fork = store.lane().id;
  store.actions.next();
  await settled();
  store.actions.selectLane(store.lanes()[0].id);
  await server.release();
  assert.deepEqual(store.lanes().map((lane) => lane.steps.length), [2, 1]);
  assert.notEqual(store.lane().id, fork);
});

test('taking at the end extends the lane, taking before it makes a fork that shares the prefix', async () => {
  const { store, server } = open([0], {}, { cursor: 1 });
  await store.actions.take(2);
  assert.deepEqual(ids(store), [0, 2]);
  assert.equal(store.lanes().length, 1);
  store.actions.home();
  await store.actions.take(1);
  assert.deepEqual(ids(store), [1]);
  assert.deepEqual([store.lanes().length, store.lane().forkAt, store.lane().parent, store.cursor()], [2, 0, store.lanes()[0].id, 0]);
  assert.deepEqual(server.calls.at(-1).action, { take: 1 });
});

test('taking a token that a lane already took goes there instead of asking again', async () => {
  const { store, server } = open([0, 2]);
  await store.actions.take(1);
  const before = server.calls.length;
  store.actions.home();
  await store.actions.take(0);
  assert.equal(store.lane().id, store.lanes()[0].id);
  await store.actions.take(1);
  assert.equal(store.lane().id, store.lanes()[1].id);
  assert.equal(server.calls.length, before);
});

test('a double click takes once', async () => {
  const { store, server } = open([0, 2], { hold: true });
  store.actions.take(1);
  store.actions.take(1);
  await settled();
  await server.release();
  assert.equal(server.held.length, 0);
  assert.equal(store.lanes().length, 2);
  assert.equal(server.calls.length, 1);
});

test('a row taken while a draw is on its way wins over the draw', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.next();
  await settled();
  store.actions.take(1);
  await server.release();
  await server.release();
  assert.deepEqual(ids(store), [1]);
  assert.equal(store.lanes().length, 1);
});

test('a step pressed after a row was taken comes after it', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.take(1);
  store.actions.next();
  await settled();
  await server.release();
  await server.release();
  assert.deepEqual(ids(store), [1, EOS]);
});

test('a branch keeps the prefix, draws its own luck and leaves its parent alone', async () => {
  const { store, server } = open([0, 2], { draws: (run) => run }, { cursor: 0 });
  store.actions.branch();
  assert.deepEqual([ids(store), store.cursor(), store.lane().frontier.index], [[], 0, 0]);
  assert.equal(store.shown().taken, undefined, 'the frontier of a fork has no taken token');
  await store.actions.next();
  assert.deepEqual(server.calls.at(-1).action, { draw: 1 });
  assert.deepEqual(ids(store), [1]);
  assert.deepEqual(store.lanes()[0].steps.map((step) => step.taken.id), [0, 2]);
});

test('undo and redo walk over steps, forks and ghosts, and never ask the server', async () => {
  const { store, server } = open([]);
  await store.actions.next();
  await store.actions.next();
  store.actions.home();
  await store.actions.take(1);
  await store.actions.take(4);
  const asked = server.calls.length;
  assert.ok(store.lanes().some((lane) => lane.ghost));
  store.actions.undo();
  assert.equal(store.lanes().length, 2);
  store.actions.undo();
  assert.deepEqual([store.lanes().length, ids(store)], [1, [0, 2]]);
  store.actions.undo();
  store.actions.undo();
  assert.deepEqual(ids(store), []);
  assert.equal(store.canUndo(), false);
  store.actions.undo();
  for (let i = 0; i < 4; i += 1) store.actions.redo();
  assert.equal(store.lanes().length, 3);
  assert.equal(store.canRedo(), false);
  assert.equal(server.calls.length, asked);
});

test('a new step forgets what was undone', async () => {
  const { store } = open([]);
  await store.actions.next();
  store.actions.undo();
  assert.ok(store.canRedo());
  await store.actions.take(1);
  assert.equal(store.canRedo(), false);
});

test('a run to the end is one undo, and cancelling it keeps the tokens drawn so far', async () => {
  const { store, server } = open([]);
  await store.actions.toEnd();
  assert.deepEqual(ids(store), [0, 2, EOS]);
  assert.equal(store.view().running, false);
  store.actions.undo();
  assert.deepEqual(ids(store), []);
  assert.equal(server.calls.length, 3);

  const held = open([], { hold: true });
  held.store.actions.toEnd();
  await settled();
  await held.server.release();
  assert.ok(held.store.view().running);
  held.store.actions.stop();
  await held.server.release();
  assert.deepEqual(ids(held.store), [0, 2]);
  assert.equal(held.server.calls.length, 2);
});

test('a blocked row gives a ghost, not a token, and only one at a time', async () => {
  const { store, server } = open([0], {}, { cursor: 1 });
  await store.actions.take(3);
  assert.deepEqual(server.calls.map((call) => call.name), ['ghost']);
  assert.deepEqual(ids(store), [0]);
  const [ghost] = store.lanes().filter((lane) => lane.ghost);
  assert.deepEqual([ghost.parent, ghost.forkAt, ghost.info.bad_part], [store.lane().id, 1, 'y']);
  await store.actions.take(3);
  assert.equal(server.calls.length, 1);
  await store.actions.take(4);
  assert.equal(store.lanes().filter((lane) => lane.ghost).length, 1);
});

test('an error is shown, and what was on screen stays', async () => {
  const { store, server } = open([0], {}, { cursor: 1 });
  server.advance = async () => ({ error: { what: 'No mass.', where: 'token 2', hint: 'Raise the temperature.', line: null, column: null } });
  await store.actions.next();
  assert.equal(store.error().what, 'No mass.');
  assert.deepEqual(ids(store), [0]);
  assert.equal(store.view().busy, false);
  store.actions.dismissError();
  assert.equal(store.error(), null);
});

test('a server that throws or answers nothing is an error in words', async () => {
  const { store, server } = open([]);
  server.advance = () => Promise.reject(new Error('Failed to fetch'));
  await store.actions.next();
  assert.match(store.error().what, /did not answer/);
  assert.match(store.error().hint, /Failed to fetch/);
  server.advance = async () => null;
  await store.actions.next();
  assert.match(store.error().what, /empty answer/);
  assert.equal(store.view().busy, false);
});

test('a document that brings only an error leaves the trace', () => {
  const { store } = open([0, 2]);
  const put = store.actions.loadDoc({ ...makeDoc([]), frontier: null, error: { what: 'Invalid JSON.', where: 'schema', hint: '', line: 7, column: 2 } });
  assert.equal(put, false);
  assert.deepEqual(ids(store), [0, 2]);
  assert.equal(store.error().line, 7);
  store.actions.loadDoc(makeDoc([1]));
  assert.equal(store.error(), null);
});

test('replays that wait are merged into one request', async () => {
  const { store, server } = open([0], { hold: true });
  store.actions.replay({ a: 1 });
  store.actions.replay({ a: 2 });
  store.actions.replay({ a: 3, b: 4 });
  await settled();
  await server.release();
  await server.release();
  assert.equal(server.held.length, 0);
  assert.deepEqual(server.calls.map((call) => [call.problem.a, call.problem.b]), [[1, undefined], [3, 4]]);
  assert.equal(store.doc().problem.a, 3);
});

test('a step pressed while a change is on its way comes after it, on the new problem', async () => {
  const { store, server } = open([], { hold: true });
  store.actions.replay({ a: 1 });
  store.actions.next();
  await settled();
  await server.release();
  await server.release();
  assert.deepEqual(ids(store), [0]);
  assert.equal(server.calls[1].problem.a, 1);
});

test('a step pressed just before a change is not lost: it comes after the change, on the new problem', async () => {
  const { store, server } = open([], { hold: true });
  const pressed = [store.actions.next(), store.actions.next()];
  store.actions.replay({ a: 1 });
  await settled();
  for (let i = 0; i < 4; i += 1) await server.release();
  await Promise.all(pressed);
  assert.equal(server.held.length, 0);
  assert.deepEqual(server.calls.map((call) => [call.name, call.problem.a]), [['advance', undefined], ['replay', 1], ['advance', 1], ['advance', 1]]);
  assert.equal(ids(store).length, 2);
  assert.equal(store.view().busy, false);
});

test('a run to the end goes on after a change, on the new problem', async () => {
  const { store, server } = open([], { hold: true });
  const done = store.actions.toEnd();
  store.actions.replay({ a: 1 });
  await settled();
  while (server.held.length) await server.release();
  await done;
  assert.deepEqual(server.calls.slice(0, 3).map((call) => [call.name, call.problem.a]), [['advance', undefined], ['replay', 1], ['advance', 1]]);
  assert.equal(store.lane().outcome, 'accepted');
  store.actions.undo();
  assert.deepEqual(ids(store), [], 'the run is one undo');
  assert.equal(store.doc().problem.a, 1);
});

test('two tokens watched at once are both watched, and the other lanes stay', async () => {
  const { store, server } = open([0, 2], { hold: true });
  store.actions.branch();
  store.actions.watch(3);
  store.actions.watch(1);
  await settled();
  await server.release(1);
  await server.release(1);
  assert.deepEqual(store.doc().problem.watch, [3, 1]);
  assert.equal(store.lanes().length, 2);
});

test('another change of the problem leaves one lane, and undo brings all back', async () => {
  const { store } = open([0, 2]);
  store.actions.branch();
  await store.actions.replay({ max_tokens: 40 });
  assert.equal(store.lanes().length, 1);
  store.actions.undo();
  assert.equal(store.lanes().length, 2);
  assert.equal(store.doc().problem.max_tokens, 8);
});

test('without a server a recording can be walked, forked and undone, and says what it cannot do', async () => {
  const store = createStore({ doc: makeDoc([0, 2]) });
  assert.ok(store.view().recorded);
  await store.actions.next();
  await store.actions.next();
  assert.equal(store.cursor(), 2);
  assert.equal(store.error(), null, 'the end of a recording is no error');
  store.actions.home();
  await store.actions.take(1);
  assert.match(store.error().what, /recording/);
  store.actions.dismissError();
  store.actions.branch();
  assert.equal(store.lanes().length, 2);
  store.actions.undo();
  assert.equal(store.lanes().length, 1);
});

test('playing steps through the record, pauses where the model was overruled and stops at the end', async () => {
  const clock = makeClock();
  const store = createStore({ doc: makeDoc([0, 2, EOS]), clock });
  store.actions.play();
  await clock.tick();
  assert.equal(store.cursor(), 1);
  assert.equal(store.view().playing, false, 'paused at Z = .002');
  store.set({ speed: 4 });
  store.actions.play();
  await clock.tick();
  assert.deepEqual([store.cursor(), store.view().playing, clock.timers.length], [2, false, 0]);
  store.set({ pauseOnEvents: false });
  store.actions.play();
  assert.equal(store.cursor(), 0, 'playing from the end starts over');
  await clock.tick();
  assert.equal(clock.timers[0].ms, 175);
  await clock.tick();
  assert.deepEqual([store.cursor(), store.view().playing], [2, false]);
});

test('playing at the end of a live run draws, one token a tick', async () => {
  const clock = makeClock();
  const server = makeServer();
  const store = createStore({ doc: makeDoc([]), server, clock });
  store.set({ pauseOnEvents: false });
  store.actions.play();
  while (await clock.tick());
  assert.deepEqual(ids(store), [0, 2, EOS]);
  assert.equal(server.calls.length, 3);
  assert.equal(store.view().playing, false);
});

test('the next event is found in the record first, then by drawing on', async () => {
  const recorded = open([0, 2, EOS]);
  await recorded.store.actions.nextEvent(1);
  assert.equal(recorded.store.cursor(), 1);
  assert.equal(recorded.server.calls.length, 0);
  const live = open([]);
  await live.store.actions.nextEvent(1);
  assert.deepEqual(ids(live.store), [0, 2]);
  assert.equal(live.store.cursor(), 1);
});

test('an event that lasts counts once, a blocked argmax each time', () => {
  const steps = [['forced'], ['forced'], ['forced', 'argmax_blocked'], ['argmax_blocked'], []].map((events) => ({ events, z: 0.9 }));
  assert.deepEqual(steps.map((_, i) => eventAt(steps, i)), ['forced', null, 'argmax_blocked', 'argmax_blocked', null]);
  assert.equal(eventAt([{ events: [], z: 0.01 }], 0), 'low_mass');
  assert.equal(eventAt(steps, 9), null);
  assert.equal(pausesAt(steps[0]), false);
  assert.equal(pausesAt(undefined), false);
});

test('listeners hear once for many changes, and not for none', async () => {
  const { store } = open([0, 2]);
  let heard = 0;
  const stop = store.subscribe(() => { heard += 1; });
  store.set({ log: true });
  store.set({ order: 'masked' });
  store.actions.next();
  await settled();
  assert.equal(heard, 1);
  store.set({ log: true });
  await settled();
  assert.equal(heard, 1);
  stop();
  store.actions.home();
  await settled();
  assert.equal(heard, 1);
});

test('what the store hands out cannot be changed from outside', () => {
  const { store } = open([0]);
  assert.throws(() => { store.doc().steps = []; }, TypeError);
  assert.throws(() => { store.lanes().push({}); }, TypeError);
  assert.throws(() => { store.view().log = true; }, TypeError);
});

test('the document handed out is the lane on screen', async () => {
  const { store } = open([0, 2]);
  await store.actions.take(1);
  assert.deepEqual(store.doc().steps.map((step) => step.taken.id), [1]);
  assert.deepEqual(store.path(), []);
  assert.deepEqual(store.path(1), [1]);
  assert.equal(store.doc().frontier.index, position([1]).index);
});
