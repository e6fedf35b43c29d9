// The runs of the Compare screen: old news is dropped, a stopped run keeps its last document, a look is no run of a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY, createRuns, createState } from '../../static/compare/state.js';

function world() {
  const store = createState(EMPTY);
  const asked = [];
  const stopped = [];
  let n = 0;
  const runs = createRuns(store, { ask: (what) => asked.push(what), stop: (run) => stopped.push(run), name: () => `run${(n += 1)}`, clock: () => 5 });
  const notice = (run, serial, more = {}) => runs.notice({ run, serial, progress: null, error: null, running: true, ...more });
  const show = (run, serial, document) => runs.show({ run, serial, document: { methods: {}, exact: null, problem: { model: 'm' }, ...document } });
  return { store, asked, stopped, runs, notice, show };
}

test('a run asks with what was chosen and shows its documents in order', () => {
  const { store, asked, runs, show } = world();
  store.set({ n: 50, accept: 'syntax' });
  runs.run();
  assert.deepEqual(asked[0], { run: 'run1', spec: { methods: EMPTY.chosen, n: 50, accept: 'syntax' } });
  show('run1', 3, { mark: 'newer' });
  show('run1', 2, { mark: 'older' });
  assert.equal(store.get().doc.mark, 'newer');
});

test('documents and notices of another run are dropped', () => {
  const { store, runs, notice, show, stopped } = world();
  runs.run();
  runs.run();
  assert.deepEqual(stopped, ['run1']);
  show('run1', 9, { mark: 'old' });
  notice('run1', 10, { running: false });
  assert.equal(store.get().doc, null);
  assert.equal(store.get().running, true);
});

test('an old notice that Gradio tells again doesn’t start a run anew', () => {
  const { store, runs, notice } = world();
  runs.run();
  notice('run1', 1);
  notice('run1', 5, { running: false });
  notice('run1', 1);
  assert.equal(store.get().running, false);
});

test('stop ends the run on the server and keeps what is then still told', () => {
  const { store, runs, stopped, show, notice } = world();
  runs.run();
  show('run1', 1, { done: false });
  runs.stop();
  assert.deepEqual(stopped, ['run1']);
  show('run1', 2, { done: true, stopped: true });
  notice('run1', 3, { running: false });
  assert.equal(store.get().doc.stopped, true);
  assert.equal(store.get().running, false);
  runs.stop();
  assert.equal(stopped.length, 1);
});

test('a look shows whether the numbers still fit, and becomes a run where the server makes it one', () => {
  const { store, asked, runs, notice, show } = world();
  runs.look();
  assert.equal(asked[0].look, true);
  notice('run1', 1, { running: false, fits: false });
  assert.equal(store.get().fits, false);
  assert.equal(store.get().running, false);
  runs.look();
  notice('run2', 1);
  show('run2', 2, { mark: 'toy' });
  assert.equal(store.get().doc.mark, 'toy');
  assert.equal(store.get().running, true);
});

test('a look that became a run is shown though the page only sees its end', () => {
  for (const first of ['value', 'notice']) {
    const { store, runs, notice, show } = world();
    runs.look();
    const told = [() => show('run1', 4, { mark: 'toy', done: true }), () => notice('run1', 5, { running: false })];
    for (const tell of first === 'value' ? told : told.reverse()) tell();
    assert.equal(store.get().doc.mark, 'toy', first);
    assert.equal(store.get().running, false, first);
    assert.equal(store.get().adrift, false, first);
  }
});

test('a run ends with its last document where a look’s answer took the place of its last notice', () => {
  for (const end of [{ done: true, stopped: false }, { done: false, stopped: true }]) {
    const { store, runs, show, notice } = world();
    runs.run();
    show('run1', 1, { done: false, stopped: false });
    runs.look();
    show('run1', 2, end);
    notice('run2', 1, { running: false, fits: true });
    assert.equal(store.get().running, false);
  }
});

test('an error is a card and leaves the last numbers', () => {
  const { store, runs, notice, show } = world();
  runs.run();
  show('run1', 1, { mark: 'kept' });
  notice('run1', 2, { running: false, error: { what: 'Wrong.' } });
  assert.equal(store.get().error.what, 'Wrong.');
  assert.equal(store.get().doc.mark, 'kept');
});
