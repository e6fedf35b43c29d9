// Asking while somebody types: only the newest answer counts, in whatever order answers come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNewest } from '../../static/schema/newest.js';

function world({ wait = 60 } = {}) {
  let time = 1000;
  let timers = [];
  const asked = [];
  const told = [];
  const busy = [];
  const clock = {
    now: () => time,
    set: (fn, ms) => { const timer = { at: time + ms, fn }; timers.push(timer); return timer; },
    clear: (timer) => { timers = timers.filter((each) => each !== timer); },
  };
  const newest = createNewest({ clock, wait, run: (input) => new Promise((resolve, reject) => asked.push({ input, resolve, reject })), take: (answer, input) => told.push([input, answer]), busy: (on) => busy.push(on) });
  const settle = () => new Promise((resolve) => { setImmediate(resolve); });
  const pass = async (ms) => {
    time += ms;
    const due = timers.filter(({ at }) => at <= time);
    timers = timers.filter(({ at }) => at > time);
    for (const { fn } of due) fn();
    await settle();
  };
  return { newest, asked, told, busy, pass, settle };
}

test('a single change is asked about at once, a burst once it has ended', async () => {
  const { newest, asked, pass } = world();
  newest.ask('a');
  await pass(0);
  assert.deepEqual(asked.map(({ input }) => input), ['a']);
  for (const each of ['ab', 'abc', 'abcd']) { newest.ask(each); await pass(20); }
  assert.deepEqual(asked.map(({ input }) => input), ['a']);
  await pass(60);
  assert.deepEqual(asked.map(({ input }) => input), ['a', 'abcd']);
});

test('an answer that was overtaken is never told', async () => {
  const { newest, asked, told, pass, settle } = world();
  newest.ask('old');
  await pass(0);
  await pass(500);
  newest.ask('new');
  await pass(0);
  asked[1].resolve('about new');
  await settle();
  asked[0].resolve('about old');
  await settle();
  assert.deepEqual(told, [['new', 'about new']]);
});

test('an old question that is slow does not hold up the newest, and no more than two are open', async () => {
  const { newest, asked, told, pass, settle } = world();
  for (const each of ['one', 'two', 'three', 'four']) { newest.ask(each); await pass(0); await pass(500); }
  assert.deepEqual(asked.map(({ input }) => input), ['one', 'two']);
  asked[0].resolve('1');
  await settle();
  assert.deepEqual(asked.map(({ input }) => input), ['one', 'two', 'four']);
  asked[2].resolve('4');
  asked[1].resolve('2');
  await settle();
  assert.deepEqual(told, [['four', '4']]);
});

test('a server that does not answer is told in words, and the next question is asked', async () => {
  const { newest, asked, told, busy, pass, settle } = world();
  newest.ask('a');
  await pass(0);
  asked[0].reject(new Error('gone'));
  await settle();
  assert.match(told[0][1].error.hint, /gone/);
  assert.equal(busy.at(-1), false);
  await pass(500);
  newest.ask('b');
  await pass(0);
  asked[1].resolve('B');
  await settle();
  assert.deepEqual(told[1], ['b', 'B']);
});

test('an answer of nothing is told as none', async () => {
  const { newest, asked, told, pass, settle } = world();
  newest.ask('a');
  await pass(0);
  asked[0].resolve(undefined);
  await settle();
  assert.match(told[0][1].error.what, /did not answer/);
});

test('what is dropped is not told', async () => {
  const { newest, asked, told, busy, pass, settle } = world();
  newest.ask('a');
  await pass(0);
  newest.drop();
  asked[0].resolve('A');
  await settle();
  assert.deepEqual(told, []);
  assert.equal(busy.at(-1), false);
  newest.ask('b');
  newest.drop();
  await pass(500);
  assert.equal(asked.length, 1);
});
