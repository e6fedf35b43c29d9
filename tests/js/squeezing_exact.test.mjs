// The third bar of Step: asked once a place, kept, never claimed where it isn't known.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExact, exactFormula, exactHere, exactLaw, exactOrder, exactRow, exactWords, nextLayer, nextOrder } from '../../static/stage/exact.js';
import { orderedRows, sharedAxis } from '../../static/stage/candidates.js';
import { createStore } from '../../static/stage/store.js';
import { makeDoc, makeServer, position } from './core_toy.mjs';

const between = (x) => ({ lower: x, upper: x });
const ANSWER = { future: between(0.2512), status: 'exact', rows_used: 4, tokens: [
  { token_id: 0, F: between(0.002), exact: between(0.0012 / 0.2512) }, { token_id: 1, F: between(1), exact: between(0.25 / 0.2512) }] };
const LAW = exactLaw(ANSWER);
const HERE = position([]);
const rowOf = (id) => HERE.candidates.find((row) => row.id === id);
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
async function until(holds) {
  for (let i = 0; i < 400 && !holds(); i += 1) await turn();
  assert.ok(holds(), String(holds));
}

function setup({ server = makeServer(), answer = ANSWER, doc = makeDoc([0, 2]) } = {}) {
  const asked = [];
  const given = server && { ...server, exact: async (payload) => { asked.push(payload.path); return typeof answer === 'function' ? answer(payload) : answer; } };
  const store = createStore({ doc, server: given });
  const exact = createExact(store, { clock: { set: (fn) => setTimeout(fn, 0), clear: clearTimeout } });
  return { store, exact, asked };
}

test('rows by the exact law: cloud first, blocked last; the axis has room for it', () => {
  assert.deepEqual(exactOrder(HERE.candidates, LAW).map((row) => row.id), [1, 0, 4]);
  assert.deepEqual(orderedRows(HERE, 'exact', LAW).map((row) => row.id), [1, 0, 4]);
  assert.deepEqual(orderedRows(HERE, 'exact', null).map((row) => row.id), orderedRows(HERE, 'masked').map((row) => row.id));
  assert.equal(sharedAxis([{ id: 9, allowed: true, p: 0.1, masked: 0.1 }], false).max, 0.1);
  assert.equal(sharedAxis([{ ...rowOf(1), p: 0.1, masked: 0.1 }], false, LAW).max, 1);
});

test('a blocked row is exactly 0, one that was not looked into is a dash with its reason', () => {
  assert.deepEqual(exactRow(rowOf(4), LAW).exact, between(0));
  const unknown = exactRow({ id: 77, allowed: true }, LAW);
  assert.equal(unknown.exact, null);
  assert.match(unknown.reason, /not looked into/);
  assert.equal(exactRow(rowOf(0), null, 'why').reason, 'why');
  assert.match(exactFormula(rowOf(1), { law: LAW, reason: '' }), /25\.0 % · 100 % \/ 25\.1 % = 99\.5 %/);
  assert.match(exactFormula(rowOf(4), { law: LAW, reason: '' }), /= 0/);
  assert.match(exactWords({ law: LAW }), /^F = 25\.1 % \(exact\)/);
});

test('a toy’s run is looked at whole, each place once, so that a scrub asks for nothing', async () => {
  const { store, exact, asked } = setup();
  assert.equal(exact.on(), true);
  await until(() => asked.length === 3 && exactHere(store).law);
  await turn();
  assert.equal(exactHere(store).law.rows, 4);
  assert.deepEqual(asked, [[], [0], [0, 2]]);
  store.actions.next();
  await turn();
  assert.ok(exactHere(store).law, 'the next place is known already');
  store.actions.back();
  await turn();
  assert.equal(asked.length, 3);
});

test('a model is asked only when the visitor turns it on', async () => {
  const doc = makeDoc([0, 2], { provenance: { model: 'm', kind: 'live' } });
  const { exact, asked } = setup({ doc });
  await turn();
  assert.equal(exact.on(), false);
  assert.deepEqual(asked, []);
  assert.match(exact.title(), /160 rows/);
  exact.toggle();
  await until(() => asked.length > 0);
  await turn();
  assert.deepEqual(asked, [[]]);
});

test('the order and the bars go round through exact while it is on, and leave it with it', async () => {
  const { store, exact } = setup();
  store.set({ order: 'masked', layer: 'mask' });
  assert.deepEqual([nextOrder(store), nextLayer(store)], ['exact', 'exact']);
  store.set({ order: 'exact', layer: 'exact' });
  exact.toggle();
  assert.deepEqual([store.view().order, store.view().layer], ['raw', 'both']);
  store.set({ order: 'masked', layer: 'mask' });
  assert.deepEqual([nextOrder(store), nextLayer(store)], ['raw', 'both']);
  await turn();
});

test('an error is a reason, not a number, and a changed problem is asked anew', async () => {
  let fails = true;
  const { store, asked } = setup({ answer: () => (fails ? { error: { what: 'No law at temperature 0.', hint: 'Raise it.' } } : ANSWER) });
  await until(() => asked.length === 3 && !exactHere(store).asking);
  assert.equal(exactHere(store).law, null);
  assert.match(exactHere(store).reason, /No law at temperature 0\. Raise it\./);
  assert.equal(store.error(), null);
  fails = false;
  const before = asked.length;
  store.actions.loadDoc(makeDoc([0, 2], { problem: { model: 'toy:sky', watch: [], max_tokens: 8, sampling: { temperature: 2 } } }));
  await until(() => asked.length > before && exactHere(store).law);
});

test('a recording has a dash and says why', async () => {
  const { store } = setup({ server: null });
  await turn();
  const here = exactHere(store);
  assert.equal(here.law, null);
  assert.match(exactWords(here), /recording/);
});
