import assert from 'node:assert/strict';
import test from 'node:test';

import { suggestions } from '../../static/lesson/make_facts.js';
import { checkedWords, says, unsaid } from '../../static/lesson/make_said.js';

const number = (value) => ({ fact: 'tv', step: null, of: '', relation: 'near', value });
const about = new Map([['tv', 'total variation'], ['argmax-blocked', 'the model’s first choice is blocked']]);

test('a number is said in any of the page’s spellings, rounded as it is written', () => {
  for (const text of ['0.00042', '.00042', '0.0004', '0.042 %', '0.04 %', '4.2·10⁻⁴', '4.2e-4', '1 in 2,400', '1 in 2.4 thousand']) assert.ok(says(`It is ${text}.`, number(0.00042)), text);
  assert.ok(says('more than 85.0 %', number(0.85)));
  assert.ok(says('all but 1 in 20', number(0.05)));
  assert.ok(says('11× too often', number(10.9)));
  assert.ok(says('1 in 38,000', number(1 / 37_980)));
  assert.ok(says('12,345 draws', number(12345)));
  assert.ok(says('A single token is left', number(1)));
  assert.ok(says('It fell by −0.25', number(-0.25)));
  assert.ok(says('10⁻⁵', number(1e-5)));
});

test('another number, or none, is not it', () => {
  for (const text of ['', 'almost nothing', '0', '0 %', '0.00052', '0.42 %', '42', '1 in 24,000', '1', 'At step 1 it is 90 %']) assert.ok(!says(`It is ${text}.`, number(0.00042)), text);
  assert.ok(!says('At step 7 it is allowed.', number(7)));
  assert.ok(!says('It is 1.', number(0.6)));
  assert.ok(!says('12 tokens', number(13)));
});

test('a sentence that does not say what is checked is warned of, with both', () => {
  assert.equal(unsaid('They are the same.', [number(0.00042)], about), 'The sentence doesn’t say 0.00042; what is checked is: total variation = 0.00042.');
  assert.equal(unsaid('TV is 0.042 %.', [number(0.00042)], about), '');
  assert.equal(unsaid('  ', [number(0.00042)], about), '');
  assert.match(unsaid('It takes the door.', [{ fact: 'taken', step: 0, of: '', relation: 'is', value: 'x' }], about), /doesn’t say “x”/);
  assert.equal(unsaid('It wants something else.', [{ fact: 'argmax-blocked', step: 0, of: '', relation: 'is', value: true }], about), '');
});

test('a check is told in plain words', () => {
  assert.equal(checkedWords({ fact: 'argmax-blocked', step: 0, of: '', relation: 'is', value: false }, about), 'the model’s first choice is blocked · step 1: no');
  assert.equal(checkedWords({ ...number(0.5), of: 'Ax', relation: '>' }, about), 'total variation · Ax > 0.500');
});

test('every sentence that is offered says its own number', () => {
  for (const z of [0.9996, 0.85, 0.5, 0.0123, 0.00042, 4.2e-5, 3e-9]) {
    const step = { z, argmax_blocked: true, allowed: 1, forced: true, may_stop: false, taken: { text: 'x', p: z, special: false }, argmax: { text: 'y', p: z } };
    const near = { lower: z, upper: z };
    const law = { exact: { Z: near, tv: { lower: z / 3, upper: z }, texts: [{ text: 'Ax', masked: near, p_V: { lower: z, upper: 1 }, squeeze: { lower: 1 / z, upper: 1 / z } }] } };
    for (const { sentence, check } of suggestions({ lane: { steps: [step], outcome: 'running' }, cursor: 0, toy: true, law })) assert.ok(says(sentence, check), `${sentence} ${check.value}`);
  }
});
