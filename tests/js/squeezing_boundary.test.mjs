// What the section about the prompt's boundary says, and which documents it believes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betweenWords, boundaryCost, boundaryOff, boundaryWords } from '../../static/squeezing/boundary.js';
import { createState } from '../../static/squeezing/state.js';

const at = (lower, upper = lower) => ({ lower, upper });
const problem = (more = {}) => ({ model: 'smollm2', toy: null, prompt: 'It is ', chat: false, heal: false, constraint: { kind: 'regex', source: 'a', engine: 'bytes' }, sampling: { seed: 0, temperature: 1 }, ...more });
const row = (text, left, right) => ({ text, left: { p_V: at(left), masked: at(left) }, right: { p_V: at(right), masked: at(right) } });
const doc = (tv, more = {}) => ({
  problem: problem(), healed: { left: null, right: { token: 216, text: ' ' } }, tv: { p_V: { status: 'bounded', why: '', ...tv }, masked: { ...tv, status: 'bounded', why: '' } }, texts: [row('Paris', 0.29, 0.933), row('London', 0.701, 0.065)], others: 0, moved: 'Paris',
  Z: { left: at(0.1), right: at(0.2) }, unfinished: { left: 0, right: 0 }, rows_used: 90, seconds: 2.3, stopped: 'tolerance', status: 'bounded', ...more,
});

test('a boundary that is in the way is named with the text that moves most', () => {
  assert.equal(boundaryWords(doc(at(0.6418, 0.6435))), 'Yes: the prompt’s last token “␣” is in the way. The two laws differ: TV = 0.642 to 0.643. “Paris” goes from 29.0 % to 93.3 %.');
});

test('what is not proved is not said', () => {
  assert.match(boundaryWords(doc(at(0, 0.98))), /^Not closed yet: TV between the two laws lies anywhere in 0\.00 to 0\.98/);
  assert.match(boundaryWords(doc(at(0, 0.12))), /^Not decided: .* moves at most 0\.120 of the mass/);
  assert.match(boundaryWords(doc(at(0, 0.003))), /^No: the prompt’s last token “␣” is not in the way\. The two laws are the same up to 0\.003/);
  assert.match(boundaryWords(doc(at(0, 1e-13))), /the same, up to rounding/);
  assert.equal(betweenWords(doc({ lower: null, upper: null, status: 'off', why: 'No law.' })), 'No law.');
  assert.equal(betweenWords(doc(at(0.4), { moved: null })), 'The two laws differ: TV = 0.400.');
});

test('where there is no boundary the reason is plain', () => {
  assert.equal(boundaryOff(problem()), null);
  assert.match(boundaryOff(problem({ chat: true })), /chat template/);
  assert.match(boundaryOff(problem({ model: 'toy:sky' })), /toy has no prompt/);
  assert.match(boundaryOff(problem({ toy: {} })), /toy has no prompt/);
  assert.match(boundaryOff(problem({ constraint: { engine: 'outlines' } })), /exact byte automaton/);
});

test('the cost names both Z, the rows, and what does not finish', () => {
  assert.match(boundaryCost(doc(at(0.4))), /^90 rows read; both laws are closed to 1 %, after 2\.3 s\. Z is 10\.0 % as it is and 20\.0 % rewritten/);
  assert.match(boundaryCost(doc(at(0.4), { unfinished: { left: 0, right: 0.3 } })), /up to 30\.0 % does not finish/);
  assert.match(boundaryCost(doc(at(0.4), { stopped: null })), /read so far/);
});

test('both laws are kept for the problem shown, and dropped with it', () => {
  const sent = [];
  const state = createState({ send: (what) => sent.push(what), stop: () => {} });
  const flow = state.start('flow');
  state.receive({ run: flow, document: { idle: true, problem: problem() } });
  const heal = state.start('heal', { more: false });
  state.receive({ run: heal, document: doc(at(0.4)) });
  assert.equal(state.get().boundary.rows_used, 90);
  state.receive({ run: 'heal-of-another-page', document: doc(at(0.1)) });
  assert.equal(state.get().boundary.tv.p_V.lower, 0.4);
  const edited = state.start('heal', { more: false });
  state.receive({ run: edited, document: { ...doc(at(0.1)), problem: problem({ prompt: 'Not started ' }) } });
  assert.equal(state.get().boundary.tv.p_V.lower, 0.4);
  assert.match(state.get().runs.heal.misplaced.what, /another problem/);
  const again = state.start('flow');
  state.receive({ run: again, document: { idle: true, problem: problem({ prompt: 'Other ' }) } });
  assert.equal(state.get().boundary, null);
  assert.deepEqual(sent.map((what) => what.kind), ['flow', 'heal', 'heal', 'flow']);
});
