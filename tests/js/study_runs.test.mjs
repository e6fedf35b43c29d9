// The runs of the Study screen: a new study forgets the old one, old news is dropped, Stop keeps what is shown, a link names one study.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState } from '../../static/compare/state.js';
import { createRuns, linkOf, linked } from '../../static/study/runs.js';

function world(first = {}) {
  const store = createState({ doc: null, run: null, running: false, stopping: false, progress: null, error: null, since: 0, step: 'choose', sweep: null, sweeping: false, ...first });
  const asked = [];
  const stopped = [];
  let n = 0;
  const runs = createRuns(store, { ask: (what) => asked.push(what), stop: (run) => stopped.push(run), name: () => `run${(n += 1)}` });
  const notice = (run, serial, more = {}) => runs.notice({ run, serial, progress: null, error: null, running: true, ...more });
  const show = (run, serial, document) => runs.show({ run, serial, document });
  return { store, asked, stopped, runs, notice, show };
}

test('a study runs, grows and ends at its results', () => {
  const { store, asked, runs, notice, show } = world();
  runs.start({ spec: 1, own: null });
  assert.deepEqual(asked, [{ run: 'run1', spec: 1, own: null }]);
  assert.equal(store.get().step, 'run');
  show('run1', 2, { id: 'a', done: false });
  show('run1', 1, { id: 'old', done: false });
  assert.equal(store.get().doc.id, 'a');
  show('run1', 3, { id: 'a', done: true });
  notice('run1', 4, { running: false });
  assert.equal(store.get().step, 'results');
  assert.equal(store.get().running, false);
});

test('Stop asks once and keeps the rows; Resume goes on with the same name', () => {
  const { store, asked, stopped, runs, notice, show } = world();
  runs.start({});
  show('run1', 1, { id: 'a', done: false });
  runs.stop();
  assert.equal(store.get().stopping, true);
  notice('run1', 2, { running: false });
  runs.stop();
  assert.deepEqual(stopped, ['run1']);
  assert.equal(store.get().doc.id, 'a');
  assert.equal(store.get().step, 'run');
  runs.resume('a');
  assert.deepEqual(asked[1], { run: 'run2', id: 'a' });
  assert.equal(store.get().doc.id, 'a');
});

test('a study that is refused leads back to the form with its card', () => {
  const { store, runs, notice } = world();
  runs.start({});
  notice('run1', 1, { running: false, error: { what: 'No.' } });
  assert.equal(store.get().step, 'choose');
  assert.equal(store.get().error.what, 'No.');
});

test('news of another run is dropped, and a new run stops the one before', () => {
  const { store, stopped, runs, notice, show } = world();
  runs.start({});
  runs.start({});
  assert.deepEqual(stopped, ['run1']);
  show('run1', 9, { id: 'old' });
  notice('run1', 9, { running: false });
  assert.equal(store.get().doc, null);
  assert.equal(store.get().running, true);
});

test('a sweep leaves the study on the page', () => {
  const { store, asked, runs, notice, show } = world({ doc: { id: 'a', done: true }, step: 'results' });
  runs.sweep('a', 'top_p');
  assert.deepEqual(asked[0], { run: 'run1', id: 'a', sweep: 'top_p' });
  show('run1', 1, { sweep: { points: [1], done: false } });
  assert.deepEqual(store.get().doc, { id: 'a', done: true });
  assert.deepEqual(store.get().sweep.points, [1]);
  notice('run1', 2, { running: false });
  assert.equal(store.get().sweeping, false);
  assert.equal(store.get().step, 'results');
});

test('a link names one study, by a name that a server could have made', () => {
  const id = 'KobfcgMmmOzbR3HDdsr-AQ';
  assert.equal(linked(linkOf(id)), id);
  assert.equal(linked('#study?recorded'), 'recorded');
  for (const bad of ['#study', '#study?', '#study?../../etc/passwd', `#study?${id}x`, `#schema?${id}`, '#study?<b>']) assert.equal(linked(bad), null, bad);
});
