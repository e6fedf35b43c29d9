// The screens' parts of a link: what goes in comes out, what is usual is left out, and nothing is taken on trust.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lanesPart, stageOf, stagePart } from '../../static/links/lanes.js';
import { difference, over, problemOf, problemPart } from '../../static/links/problem.js';
import { revisionWords } from '../../static/links/step.js';
import * as compare from '../../static/compare/link.js';
import { EMPTY } from '../../static/compare/state.js';
import * as levels from '../../static/levels/link.js';
import { empty as emptyLevels } from '../../static/levels/state.js';
import { lookOf, lookPart } from '../../static/squeezing/link.js';
import * as study from '../../static/study/link.js';
import { FIRST } from '../../static/study/setting.js';
import * as decisions from '../../static/decisions/link.js';
import { empty as emptyDecisions } from '../../static/decisions/state.js';
import { createStore } from '../../static/stage/store.js';
import { makeDoc, makeServer } from './core_toy.mjs';

const USUAL = { model: 'toy:sky', toy: null, prompt: '', chat: true, heal: false, constraint: { kind: 'free', source: '', engine: 'bytes', whitespace: 'one' }, sampling: { temperature: 1, seed: 0 }, method: 'masked', prefill: '', attempts: 3, markers: { open: 'a', close: 'b' }, max_tokens: 64, watch: [] };
const EXAMPLES = { usual: USUAL, demos: { sky: { mark: 'aaaaaa', problem: { constraint: { kind: 'choices', source: 'skill\ncloud' } } } } };
const SKY = { ...USUAL, constraint: { ...USUAL.constraint, kind: 'choices', source: 'skill\ncloud' } };

test('a problem is what differs from the usual one or from an example, whichever is shorter', () => {
  const cold = { ...SKY, sampling: { temperature: 0.5, seed: 0 } };
  assert.deepEqual(problemPart(USUAL, false, EXAMPLES), {});
  assert.deepEqual(problemPart(SKY, false, EXAMPLES), { d: ['sky', 'aaaaaa'] });
  assert.deepEqual(problemPart(cold, false, EXAMPLES), { d: ['sky', 'aaaaaa'], p: { sampling: { temperature: 0.5 } } });
  assert.deepEqual(problemPart({ ...USUAL, model: 'm', prompt: 'x' }, false, EXAMPLES), { p: { model: 'm', prompt: 'x' } });
  const toy = { name: 'sky', tokens: ['a'], rules: [{ p: { a: 1 } }] };
  assert.deepEqual(problemPart({ ...SKY, toy }, false, EXAMPLES), { d: ['sky', 'aaaaaa'] }, 'a table that is the toy’s own stays here');
  assert.deepEqual(problemPart({ ...SKY, toy }, true, EXAMPLES).p, { toy });
  for (const problem of [USUAL, SKY, cold, { ...SKY, toy }]) assert.deepEqual(problemOf(problemPart(problem, problem.toy !== null, EXAMPLES), EXAMPLES).problem, problem);
  assert.deepEqual(over(USUAL, difference(USUAL, cold)), cold);
});

test('a problem that is none, or of another example, is refused', () => {
  const refused = (state) => assert.ok(problemOf(state, EXAMPLES).error.what, JSON.stringify(state));
  for (const d of [7, 'sky', ['sky'], ['sky', 1], ['nothing', 'aaaaaa'], ['__proto__', 'aaaaaa'], ['sky', 'bbbbbb']]) refused({ d });
  for (const p of [7, [], 'x', null, { unknown: 1 }, { prompt: 7 }, { chat: 'yes' }, { watch: [1.5] }, { watch: 'x' }, { constraint: 'x' }, { constraint: null }, { constraint: { unknown: 1 } }, { sampling: { temperature: '1' } }, { toy: [] }, { max_tokens: Infinity }, JSON.parse('{"__proto__": {"x": 1}}'), JSON.parse('{"constraint": {"__proto__": "x"}}')]) refused({ p });
  assert.match(problemOf({ d: ['sky', 'bbbbbb'] }, EXAMPLES).error.what, /has changed/);
});

const token = (id) => ({ taken: { id } });
const lane = (id, path, parent = null, forkAt = 0, run = 0, ghost = false) => ({ id, steps: path.map(token), parent, forkAt, run, ghost });

test('lanes come out with their tokens, forks and luck; ghosts stay behind', () => {
  const lanes = [lane(1, [1, 2, 3]), lane(2, [1, 9], 1, 1, 0, true), lane(3, [1, 2, 7, 8], 1, 2), lane(4, [1, 2, 7], 3, 3, 5)];
  const l = lanesPart(lanes.filter((each) => !each.ghost));
  assert.deepEqual(l, [[[1, 2, 3]], [[7, 8], 0, 2], [[], 1, 3, 5]]);
  const { lanes: found } = stageOf({ l });
  assert.deepEqual(found.map(({ path }) => path), [[1, 2, 3], [1, 2, 7, 8], [1, 2, 7]]);
  assert.deepEqual(found.map(({ parent, at, run }) => [parent, at, run]), [[0, 0, 0], [0, 2, 0], [1, 3, 5]]);
});

test('of very many lanes the one on screen is among those kept', () => {
  const lanes = [lane(1, [1]), ...Array.from({ length: 30 }, (_, i) => lane(i + 2, [1, i], i + 1, 1))];
  const store = { lanes: () => lanes, lane: () => lanes[30], cursor: () => 1, view: () => ({ order: 'raw', log: true, layer: 'both', exact: null, panel: 'candidates' }), doc: () => ({ provenance: { revision: 'r' } }) };
  const part = stagePart(store);
  assert.equal(part.l.length, 12);
  const found = stageOf(part);
  assert.deepEqual(found.lanes[found.shown].path, [1, 29]);
  assert.deepEqual(found.view, { log: true });
});

test('a run that is none is refused', () => {
  for (const l of [7, [], [7], [[]], [['x']], [[[-1]]], [[[1.5]]], [[[1], 1]], [[[1], 0, 1]], [[[1]], [[2], 1, 0]], [[[1]], [[2], 0, 2]], [[[1]], [[2], -1, 0]], [[[1], 0, 0, -1]], [[[1], 0, 0, 0, 0]], [[Array(1025).fill(1)]], Array(13).fill([[1]]), [[[2 ** 40]]]]) assert.ok(stageOf({ l }).error, JSON.stringify(l).slice(0, 60));
  for (const more of [{ s: 1 }, { s: 'x' }, { c: -1 }, { c: 0.5 }, { w: 7 }, { w: { order: 'x' } }, { w: { log: 1 } }, { r: 7 }, { r: 'x'.repeat(81) }]) assert.ok(stageOf({ l: [[[1]]], ...more }).error, JSON.stringify(more));
  assert.deepEqual(stageOf({}).lanes, [{ path: [], parent: 0, at: 0, run: 0 }]);
});

test('the stage takes the lanes of a link, and one that can’t be shown is left out', () => {
  const store = createStore({ doc: makeDoc([0, 2]), server: makeServer() });
  const page = makeDoc([1, 5]);
  store.actions.openLanes([null, { parent: 1, at: 2, run: 3, page }], { run: 7, shown: 2, cursor: 9 });
  assert.deepEqual(store.lanes().map(({ name, run, steps }) => [name, run, steps.map((step) => step.taken.id)]), [['A', 7, [0, 2]], ['B', 3, [1, 5]]]);
  assert.equal(store.lane().name, 'B');
  assert.equal(store.cursor(), 1, 'no further than the run goes');
  assert.equal(store.lane().parent, store.lanes()[0].id);
  assert.deepEqual(stagePart(store).l, [[[0, 2], 0, 0, 7], [[], 0, 2, 3]]);
});

test('another revision is said, with what is shown instead', () => {
  const now = { model: 'smollm2', revision: 'new' };
  assert.equal(revisionWords({ made: null, recorded: null }, now), '');
  assert.match(revisionWords({ made: 'old', recorded: null }, now), /made with smollm2, revision old; the numbers here are of revision new/);
  assert.match(revisionWords({ made: 'old', recorded: 'Sky' }, now), /recording of the lesson “Sky”/);
});

const METHODS = ['unconstrained', 'masked', 'rejection', 'cars'].map((name) => ({ name }));

test('Compare: the form', () => {
  assert.deepEqual(compare.formPart(EMPTY, METHODS), {});
  const part = compare.formPart({ ...EMPTY, chosen: ['masked', 'cars'], n: 50, accept: 'syntax', doc: {} }, METHODS);
  assert.deepEqual(part, { chosen: ['masked', 'cars'], n: 50, accept: 'syntax' });
  assert.deepEqual(compare.formOf(part, METHODS), part);
  assert.deepEqual(compare.formOf({}, METHODS), { chosen: EMPTY.chosen, n: null, accept: 'language' });
  for (const bad of [null, 7, [], { chosen: ['x'] }, { chosen: [] }, { n: 1e9 }, { n: '5' }, { accept: 'x' }]) assert.equal(compare.formOf(bad, METHODS), null, JSON.stringify(bad));
});

test('Squeezing: the text in focus only where it was chosen', () => {
  const state = { leaf: 'skill', picked: false, byRuns: false, t: 1 };
  assert.deepEqual(lookPart(state, null), {});
  assert.deepEqual(lookPart({ ...state, picked: true, t: 2 }, 'fix'), { leaf: 'skill', t: 2, section: 'fix' });
  assert.deepEqual(lookOf({ leaf: 'skill' }), { leaf: 'skill', byRuns: false, t: 1, section: null });
  for (const bad of [{ t: 9 }, { section: 'x' }, { leaf: 7 }]) assert.equal(lookOf(bad), null);
});

test('Levels: the form and the calculators', () => {
  const page = { rail: 'rail', sets: [{ name: 'tickets' }], ladder: [0.9, 0.99], ms_per_step: 25 };
  const state = { ...emptyLevels(page), source: 'tickets', n: 30, rates: [50, 99], steps: 7 };
  const part = levels.formPart(state, page);
  assert.deepEqual(part, { source: 'tickets', n: 30, rates: [50, 99], steps: 7 });
  const form = levels.formOf(part, page);
  assert.equal(form.source, 'tickets');
  assert.deepEqual(levels.formPart({ ...emptyLevels(page), ...form }, page), part);
  for (const bad of [{ source: 'x' }, { rates: [1] }, { budget: { x: 1 } }, { budget: { q: 'x' } }, { budget: null }, { n: 0 }]) assert.equal(levels.formOf(bad, page), null, JSON.stringify(bad));
});

test('Study: the form with own prompts; the rail’s constraint goes as a pasted one', () => {
  const page = { labels: [{ name: 'ask' }, { name: 'strict' }, { name: 'parallel-3' }], models: ['smollm2', 'toy:sky'] };
  const form = { ...FIRST, model: 'smollm2', source: 'own', text: 'input\n<script>', n: 8, schema: 'rail', rail: { kind: 'regex', source: 'a|b', engine: 'bytes', whitespace: 'one' } };
  const part = study.formPart(form, 'smollm2');
  assert.deepEqual(Object.keys(part.form).sort(), ['n', 'pasted', 'pastedAs', 'pastedKind', 'schema', 'source', 'text']);
  const found = study.formOf(part, 'smollm2', page);
  assert.equal(found.text, 'input\n<script>');
  assert.equal(found.pasted, 'a|b');
  assert.deepEqual(study.formPart(found, 'smollm2'), part);
  assert.deepEqual(study.formOf({ form: {} }, 'smollm2', page), { ...FIRST, model: 'smollm2' });
  for (const bad of [null, {}, { form: [] }, { form: { model: 'gone' } }, { form: { methods: ['x'] } }, { form: { n: '8' } }, { form: { unknown: 1 } }, { form: { rail: {} } }]) assert.equal(study.formOf(bad, 'smollm2', page), null, JSON.stringify(bad));
});

test('Decisions: the form, and never a head', () => {
  const page = { types: [{ name: 'ticket', schema: '{}', fields: [{ name: 'intent' }, { name: 'urgent' }], trainable: true }], examples: [{ id: 'a', text: 'first', type: 'ticket' }, { id: 'b', text: 'second', type: 'ticket' }], sizes: [100, 500], measured: [100, 500], defaults: { epochs: 20, seed: 0, head: { kind: 'independent', pooling: 'last', joint: [] } }, heads: [{ name: 'independent' }, { name: 'joint' }], poolings: [{ name: 'last' }, { name: 'mean' }], recorded: null };
  const first = emptyDecisions(page);
  assert.deepEqual(decisions.formPart(first), {});
  const state = { ...first, example: null, text: 'mine', mode: 'autoregressive', order: ['urgent', 'intent'], place: 'train', heads: { ticket: { base64: 'SECRET' } }, form: { ...first.form, kind: 'joint', epochs: 3 } };
  const part = decisions.formPart(state);
  assert.ok(!JSON.stringify(part).includes('SECRET'));
  const found = decisions.formOf(part, page);
  for (const name of ['text', 'example', 'mode', 'order', 'place', 'form', 'type']) assert.deepEqual(found[name], state[name], name);
  assert.equal(decisions.formOf({ example: 'b' }, page).text, 'second');
  assert.deepEqual(decisions.formPart({ ...first, type: 'own', schema: '{"x":1}' }).schema, '{"x":1}');
  for (const bad of [null, { type: 'x' }, { place: 'x' }, { text: 'x'.repeat(8001) }, { form: 7 }, { form: { size: 7 } }, { form: null }, { example: 'x' }, { order: [7] }]) assert.equal(decisions.formOf(bad, page), null, JSON.stringify(bad));
});
