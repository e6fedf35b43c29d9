// The sentences of the panels: each says the record's numbers, and no more than the record knows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartSummary } from '../../static/stage/charts.js';
import { followAround } from '../../static/stage/follow.js';
import { outcomeWords } from '../../static/stage/outcome.js';
import { pipelineSentence, pipelineStages } from '../../static/stage/pipeline.js';
import { stateHops, stateSchemaText } from '../../static/stage/state.js';

const SAMPLING = { temperature: 1, top_k: 0, top_p: 1, mask_order: 'after-filters', seed: 0 };
const row = (text, more = {}) => ({ id: 1, text, hex: Buffer.from(text).toString('hex'), special: false, eos: false, allowed: true, states: [], killed_at: null, expected: [], p: 0.5, masked: 1, logit: 2, ...more });
const POSITION = { state: { name: 'q1' } };

test('a token’s way has one state a byte, in order', () => {
  const way = stateHops(row('":', { states: ['q1', 'q2', 'q3'] }), POSITION);
  assert.deepEqual(way.bytes.map((each) => [each.hex, each.to, each.killed]), [['22', 'q2', false], ['3a', 'q3', false]]);
  assert.match(way.sentence, /from q1 to q3 over 2 bytes and 3 states/);
});

test('a blocked token stops at the byte that kills it; what comes after is not read', () => {
  const way = stateHops(row('1x2', { allowed: false, states: ['q1', 'q2'], killed_at: 1, expected: ['0-9', '}'] }), POSITION);
  assert.deepEqual(way.bytes.map((each) => [each.killed, each.unread]), [[false, false], [true, false], [false, true]]);
  assert.match(way.sentence, /blocked at byte 2 of 3, `x`: q2 expects 0-9 or }/);
});

test('tokens without bytes: the end says whether it may, a special token says that it never matches', () => {
  assert.match(stateHops(row('<eos>', { hex: '', eos: true, special: true, states: ['q5'] }), POSITION).sentence, /ends the run here, in q5/);
  assert.match(stateHops(row('<eos>', { hex: '', eos: true, special: true, allowed: false }), POSITION).sentence, /can't end the run in q1/);
  assert.match(stateHops(row('<pad>', { hex: '', special: true, allowed: false }), POSITION).sentence, /never matches/);
});

test('the schema is found where there is one, and not where there is none', () => {
  const doc = (problem, constraint = {}) => ({ problem: { constraint: problem }, constraint });
  assert.equal(stateSchemaText(doc({ kind: 'schema', source: '{"type": "null"}' })), '{"type": "null"}');
  assert.equal(JSON.parse(stateSchemaText(doc({ kind: 'pydantic', source: 'class A: ...' }, { schema: { type: 'object' } }))).type, 'object');
  assert.equal(stateSchemaText(doc({ kind: 'regex', source: 'a{2}' }, { source: 'a{2}' })), null);
});

test('the excerpt of a followed text is cut at characters, not inside one', () => {
  const text = 'é😀x'.repeat(40);
  const bytes = new TextEncoder().encode(text);
  for (let offset = 0; offset <= bytes.length; offset += 1) {
    const [before, at, after] = followAround(text, offset, 5);
    assert.ok(!`${before}${at}${after}`.includes('\ufffd'), `offset ${offset}`);
    assert.equal([...at].length, offset < bytes.length ? 1 : 0);
  }
  assert.deepEqual(followAround('abc', 1), ['a', 'b', 'c']);
  assert.deepEqual(followAround('abc', 3), ['abc', '', '']);
});

test('each way a run can end says what to do, and a running one says nothing', () => {
  const doc = (outcome, sampling = {}) => ({ outcome, problem: { sampling: { ...SAMPLING, ...sampling }, max_tokens: 64 }, verdict: null });
  assert.equal(outcomeWords(doc('running')), null);
  assert.match(outcomeWords(doc('truncated')).words, /64 tokens.*incomplete, not invalid/);
  assert.equal(outcomeWords(doc('truncated')).offer, 'more');
  assert.match(outcomeWords(doc('dead_end', { top_k: 5 })).words, /top-k 5 kept only tokens that the mask blocks/);
  assert.equal(outcomeWords(doc('dead_end', { top_p: 0.9 })).offer, 'order');
  assert.equal(outcomeWords(doc('dead_end')).offer, null);
  assert.equal(outcomeWords(doc('dead_end', { top_k: 5, mask_order: 'before-filters' })).offer, null);
});

test('the stages stand in the order in which the problem applies them', () => {
  const keys = (sampling) => pipelineStages({ ...SAMPLING, ...sampling }).map((each) => each.key);
  assert.deepEqual(keys({}), ['scores', 'temperature', 'filters', 'mask', 'draw']);
  assert.deepEqual(keys({ mask_order: 'before-filters' }), ['scores', 'temperature', 'mask', 'filters', 'draw']);
  assert.equal(pipelineStages({ ...SAMPLING, temperature: 0 })[4].title, 'pick');
});

test('a stage’s sentence holds this step’s numbers', () => {
  const at = { argmax: row('y', { logit: 15.7, p: 0.98 }), argmax_blocked: true, vocab: 49152, allowed: 17, z: 0.002, bits: 8.966, entropy_before: 0.15, entropy_after: 0, dead: false, taken: row('ill', { p: 0.002 }) };
  assert.match(pipelineSentence('scores', SAMPLING, at), /49,152 tokens.*15\.70, for y, which the constraint blocks/);
  assert.match(pipelineSentence('mask', SAMPLING, at), /17 of 49,152.*Z = 0\.20 % \(1 in 500\), 9\.0 bits/);
  assert.match(pipelineSentence('draw', SAMPLING, at), /ill was taken.*100 %.*0\.20 %/);
  assert.match(pipelineSentence('mask', SAMPLING, { ...at, dead: true }), /dead end/);
  const first = pipelineSentence('mask', { ...SAMPLING, top_k: 1, mask_order: 'before-filters' }, { ...at, z: 0, bits: null });
  assert.match(first, /the filters then choose among these/);
  assert.doesNotMatch(first, /dead end|stretched to 1/);
  assert.match(pipelineSentence('temperature', { ...SAMPLING, temperature: 0.5 }, at), /divided by 0\.5.*sharper/);
  assert.match(pipelineSentence('filters', { ...SAMPLING, top_k: 3, mask_order: 'before-filters' }, at), /log weight/);
});

test('the summary of the charts adds the bits up and names the dearest step', () => {
  const step = (text, bits) => ({ taken: row(text), z: bits === null ? 0 : 2 ** -bits, bits, entropy_before: 1, entropy_after: 0 });
  assert.match(chartSummary([step('a', 1), step('b', 3), step('c', 0)]), /3 steps: the mask took 4\.0 bits, a product of 6\.3 %; most at step 2, b/);
  assert.match(chartSummary([step('a', 1), step('b', null)]), /a product of 0; most at step 2/);
  assert.match(chartSummary([]), /No steps yet/);
});
