import assert from 'node:assert/strict';
import test from 'node:test';

import { createPlayer } from '../../static/lesson/player.js';
import { createRoom, readCode, roomCode, roomWords } from '../../static/lesson/room.js';
import { lessonCommand } from '../../static/lesson/keys.js';
import { readSize } from '../../static/lesson/present.js';
import { aloneWords } from '../../static/links/pack.js';

const predict = { question: 'How often?', options: ['1 %', '90 %'], answer: 1 };
const form = () => ({ v: 1, recording: null, claims: [], lesson: { slug: 'two', scenes: { one: {} }, beats: [{ text: 'a' }, { text: 'b', predict }, { text: 'c' }] } });

function started({ fetchForm = async () => form() } = {}) {
  const told = [];
  const timers = [];
  const show = { beat: async (_, n) => { told.push(n); return null; }, leave: () => told.push('left') };
  const clock = { set: (fn) => timers.push(fn) - 1, clear: (id) => { timers[id] = null; } };
  return { player: createPlayer({ show, fetchForm, clock }), told, timers };
}

test('a lesson goes from its first beat to the page after its last, and no further', async () => {
  const { player, told } = started();
  await player.load(form());
  assert.deepEqual(player.state(), { slug: 'two', beat: 0, of: 3, own: true });
  await player.back();
  for (let i = 0; i < 6; i += 1) await player.next();
  assert.equal(player.state().beat, 3);
  assert.deepEqual(told, [0, 0, 1, 2, 2, 2, 2]);
  player.close();
  assert.equal(player.state(), null);
  assert.equal(told.at(-1), 'left');
});

test('a lesson that is opened twice at once is fetched once, and a later one replaces it', async () => {
  let fetched = 0;
  const { player } = started({ fetchForm: async (slug) => { fetched += 1; const found = form(); found.lesson.slug = slug; return found; } });
  await Promise.all([player.open('two', 1), player.open('two', 1)]);
  assert.equal(fetched, 1);
  assert.deepEqual(player.state(), { slug: 'two', beat: 1, of: 3, own: false });
  const first = player.open('three');
  const second = player.open('four');
  await Promise.all([first, second]);
  assert.equal(player.state().slug, 'four');
});

test('a lesson that can’t be had is an error, and what was open stays', async () => {
  const { player } = started({ fetchForm: async () => ({ error: { what: 'Gone.' } }) });
  await player.load(form(), 2);
  assert.deepEqual(await player.open('gone'), { what: 'Gone.' });
  assert.equal(player.state().slug, 'two');
});

test('a question is asked until it is answered, once, or shown', async () => {
  const { player } = started();
  await player.load(form());
  assert.equal(player.asking(), false);
  await player.next();
  assert.equal(player.asking(), true);
  player.predict(5);
  assert.equal(player.asking(), true);
  player.predict(0);
  player.predict(1);
  assert.deepEqual(player.store.get().answers, { 1: 0 });
  assert.equal(player.asking(), false);
  player.reset();
  await player.next();
  player.lift();
  assert.equal(player.asking(), false);
  player.predict(1);
  assert.deepEqual(player.store.get().answers, {});
});

test('going on from an open question shows its numbers first, and counts as no answer', async () => {
  const { player } = started();
  await player.load(form(), 1);
  assert.equal(player.questioned(), true);
  assert.equal(player.reveals(), true);
  await player.next();
  assert.equal(player.reveals(), false);
  assert.equal(player.state().beat, 1);
  assert.equal(player.asking(), false);
  assert.equal(player.questioned(), true);
  assert.deepEqual(player.store.get().answers, {});
  await player.next();
  assert.equal(player.state().beat, 2);
  assert.equal(player.questioned(), false);
  await player.back();
  await player.back();
  assert.equal(player.state().beat, 0);
});

test('a reset can’t be undone once the lesson has gone on', async () => {
  const { player } = started();
  await player.load(form(), 2);
  player.reset();
  assert.notEqual(player.store.get().reset, null);
  await player.next();
  assert.equal(player.store.get().reset, null);
  player.undoReset();
  assert.equal(player.state().beat, 1);
});

test('a reset goes back to the first beat and can be undone until its time is over', async () => {
  const { player, timers } = started();
  await player.load(form(), 1);
  player.predict(1);
  await player.next();
  player.reset();
  assert.equal(player.state().beat, 0);
  assert.deepEqual(player.store.get().answers, {});
  player.undoReset();
  assert.equal(player.state().beat, 2);
  assert.deepEqual(player.store.get().answers, { 1: 1 });
  player.reset();
  timers.at(-1)();
  player.undoReset();
  assert.equal(player.state().beat, 0);
});

test('a key means what stands for it now', () => {
  const here = { inLesson: true, presenting: false, asking: false, options: 0, blank: false, letters: true };
  const means = (key, more = {}, event = {}) => lessonCommand({ key, ...event }, { ...here, ...more });
  assert.equal(means('PageDown'), 'next');
  assert.equal(means('PageDown', { inLesson: false }), null);
  assert.equal(means('Home'), null);
  assert.equal(means('Home', { presenting: true }), 'first');
  assert.equal(means('2'), null);
  assert.equal(means('2', { asking: true, options: 3 }), 'answer 2');
  assert.equal(means('5', { asking: true, options: 3 }), 'nothing');
  for (const digit of '123456789') {
    assert.equal(means(digit, { questioned: true }), 'nothing');
    assert.equal(means(digit, { presenting: true, letters: false }), 'nothing');
  }
  for (const key of ['ArrowRight', ' ']) assert.deepEqual([means(key), means(key, { presenting: true })], [null, 'next']);
  assert.deepEqual([means('ArrowLeft'), means('ArrowLeft', { presenting: true })], [null, 'back']);
  assert.deepEqual([means('ArrowDown', { presenting: true }), means('ArrowDown', { presenting: true, ended: true })], [null, 'down']);
  assert.deepEqual([means('u'), means('u', { undoing: true })], [null, 'undo']);
  assert.equal(means('R', {}, { shiftKey: true }), 'reset');
  assert.equal(means('r'), null);
  assert.equal(means('p', { letters: false }), null);
  assert.equal(means('PageUp', { letters: false }), 'back');
  assert.equal(means('Escape'), null);
  assert.equal(means('Escape', { presenting: true }), 'leave');
  for (const key of ['.', 'Escape', 'PageDown']) assert.equal(means(key, { blank: true, presenting: true }), 'blank');
  assert.equal(means('p', { blank: true }), null);
});

test('the size of the type stays within its bounds', () => {
  assert.deepEqual(['24', '5', '99', 'x', null].map(readSize), [24, 18, 40, 24, 24]);
});

test('a room’s code is of letters that are not mistaken for digits, and is read as it is typed', () => {
  assert.match(roomCode(() => Uint8Array.from([0, 31, 32, 200, 255])), /^[A-HJ-NP-Z2-9]{5}$/);
  assert.deepEqual([' ab12 ', 'ABC', 'ABCDEFGHI', 'A-BC', null].map(readCode), ['AB12', null, null, null, null]);
});

test('a vote goes to the room of the question that is on screen, and an unreachable server stops nothing', async () => {
  globalThis.document = { hidden: false };
  globalThis.sessionStorage = { getItem: () => 'me', setItem: () => {} };
  const { player } = started();
  await player.load(form(), 1, { own: false });
  const asked = [];
  const server = { vote: async (what) => { asked.push(what); return { counts: [1, 0], voters: 1 }; }, votes: async () => { throw new Error('gone'); } };
  const room = createRoom(player, server);
  room.vote(0);
  assert.deepEqual(asked, []);
  room.join('no');
  assert.equal(room.get().role, null);
  room.join('ab12');
  room.vote(0);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(asked, [{ room: 'AB12', question: 'two:1', options: 2, option: 0, voter: 'me' }]);
  assert.deepEqual(room.get().counts, { counts: [1, 0], voters: 1 });
  player.close();
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(room.get().role, null);
  assert.equal(createRoom(player, null).get().can, false);
});

const settled = () => new Promise((done) => setTimeout(done, 5));

test('a guest’s page keeps the numbers back until the presenter’s shows them, and may change its vote', async (t) => {
  globalThis.document = { hidden: false };
  const votes = {};
  const server = {
    vote: async ({ question, option, voter }) => { (votes[question] = votes[question] || {})[voter] = option; return { voters: 1 }; },
    votes: async ({ question }) => ({ voters: Object.keys(votes[question] || {}).length }),
  };
  const [host, guest] = [started().player, started().player];
  t.after(() => { host.close(); guest.close(); });
  for (const player of [host, guest]) await player.load(form(), 1, { own: false });
  const rooms = [createRoom(host, server), createRoom(guest, server)];
  rooms[0].open();
  rooms[1].join(rooms[0].get().code);
  for (const option of [1, 0]) {
    guest.predict(option);
    await rooms[1].vote(option);
  }
  guest.lift();
  assert.equal(guest.asking(), true);
  assert.equal(guest.reveals(), false);
  assert.equal(rooms[1].get().waiting, true);
  assert.match(rooms[1].get().words, /Voted: 1 %; wait for the reveal/);
  assert.deepEqual(votes, { 'two:1': { me: 0 } });
  await host.next();
  await settled();
  assert.deepEqual(Object.keys(votes), ['two:1', 'two:1:shown']);
  await new Promise((done) => setTimeout(done, 1700));
  assert.deepEqual(guest.store.get().answers, { 1: 0 });
  assert.equal(rooms[1].get().waiting, false);
});

test('a room is joined by its code before any lesson, and votes at the question that is opened then', async (t) => {
  globalThis.document = { hidden: false };
  const asked = [];
  const server = { vote: async (what) => { asked.push(what); return what.room === 'AB12' ? { voters: 1 } : { error: { what: 'There is no room here.' } }; }, votes: async () => ({ voters: 0 }) };
  const { player } = started();
  const room = createRoom(player, server);
  t.after(() => player.close());
  await room.join('zz99');
  assert.deepEqual([room.get().role, room.get().error], [null, 'There is no room here.']);
  await room.join('ab12');
  assert.deepEqual([room.get().role, room.get().error], ['guest', null]);
  assert.match(room.get().words, /^In room AB12\. Its code names no lesson: open the one/);
  await player.open('two', 1);
  await room.vote(1);
  assert.deepEqual([room.get().code, room.get().waiting, asked.at(-1).question], ['AB12', true, 'two:1']);
  player.close();
  await settled();
  assert.equal(room.get().role, null);
});

test('a vote that is refused keeps no numbers back', async (t) => {
  globalThis.document = { hidden: false };
  const { player } = started();
  t.after(() => player.close());
  await player.load(form(), 1, { own: false });
  const room = createRoom(player, { vote: async () => ({ error: { what: 'There is no room.' } }), votes: async () => ({}) });
  room.join('ab12');
  await room.vote(0);
  assert.equal(room.get().error, 'There is no room.');
  assert.deepEqual(player.store.get().answers, { 1: 0 });
});

test('without a server there is no room, and a presenter is told how to join one', async () => {
  const { player } = started();
  await player.load(form(), 1);
  const room = createRoom(player, { vote: async () => ({}) });
  room.open();
  assert.deepEqual([room.get().can, room.get().role], [false, null]);
  const host = { role: 'host', code: 'AB12', counts: { voters: 3 } };
  assert.match(roomWords(host, true, null), /^Room AB12: 3 voted\. To join: Q shows the link/);
  assert.equal(roomWords(host, false, null), 'Room AB12: 3 voted');
});

test('an address of this machine alone is said to be one', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) assert.match(aloneWords(host), /this machine alone/);
  assert.equal(aloneWords('example.org'), '');
});
