// Editing a toy: each change is a new spec that keeps its laws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toyAddRule, toyAddToken, toyColumns, toyCondition, toyEmptyRules, toyKey, toyNameProblem, toyNumber, toyPath, toyPlace, toyRemoveRule, toyRemoveToken, toyRenameToken, toySet, toyShares, toyValue } from '../../static/stage/toy_edit.js';

const SKY = { name: 'sky', title: 'Sky', tokens: ['sk', 'cloud', 'y', 'ill'], rules: [
  { prefix: [], last: null, position: null, p: { sk: 0.6, cloud: 0.25, y: 0.15 }, logits: null },
  { prefix: ['sk'], last: null, position: null, p: { y: 0.98, ill: 0.002 }, logits: null },
  { prefix: null, last: 'cloud', position: null, p: null, logits: { '<eos>': 2, y: 1 } },
  { prefix: null, last: null, position: null, p: { '<eos>': 1 }, logits: null },
] };
const FROZEN = JSON.stringify(SKY);
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test('shares sum to 1 for weights and for logits, and weights keep their ratios', () => {
  const columns = toyColumns(SKY);
  assert.deepEqual(columns, ['sk', 'cloud', 'y', 'ill', '<eos>']);
  for (const rule of SKY.rules) near(toyShares(rule, columns).reduce((a, b) => a + b), 1);
  near(toyShares(SKY.rules[1], columns)[2], 0.98 / 0.982);
  const [logits] = [toyShares(SKY.rules[2], columns)];
  near(logits[4] / logits[2], Math.E);
  assert.equal(logits[0], 0);
});

test('a change gives a new spec and leaves the old one as it was', () => {
  const next = toySet(SKY, 1, 'ill', 0.5);
  assert.equal(toyValue(next.rules[1], 'ill'), 0.5);
  assert.notEqual(toyKey(next), toyKey(SKY));
  toyAddToken(SKY, 'z');
  toyRemoveToken(SKY, 'sk');
  toyRenameToken(SKY, 'sk', 'z');
  toyAddRule(SKY, { position: 1 });
  toyRemoveRule(SKY, 0);
  assert.equal(JSON.stringify(SKY), FROZEN);
});

test('a rename reaches tables and conditions, and renaming back gives the same table', () => {
  const renamed = toyRenameToken(SKY, 'sk', 'sc');
  assert.deepEqual(renamed.rules[1].prefix, ['sc']);
  assert.equal(toyValue(renamed.rules[0], 'sc'), 0.6);
  assert.ok(!JSON.stringify(renamed).includes('"sk"'));
  assert.equal(toyKey(toyRenameToken(renamed, 'sc', 'sk')), toyKey(SKY));
});

test('removing a token takes the rules that name it', () => {
  const less = toyRemoveToken(SKY, 'sk');
  assert.equal(less.rules.length, 3);
  assert.ok(!JSON.stringify(less.rules).includes('"sk"'));
  assert.equal(toyRemoveToken(SKY, 'cloud').rules.length, 3);
});

test('a new rule stands before the last and starts from its numbers; the last rule stays', () => {
  const more = toyAddRule(SKY, { last: 'y' });
  assert.equal(more.rules.length, 5);
  assert.deepEqual(more.rules[3].p, { '<eos>': 1 });
  assert.equal(more.rules[3].last, 'y');
  assert.equal(toyRemoveRule(SKY, 3), SKY);
  assert.equal(toyKey(toyRemoveRule(more, 3)), toyKey(SKY));
});

test('a path follows its tokens by text when ids move, and is cut where a token is gone', () => {
  const path = [0, 3, 4];
  assert.deepEqual(toyPath(path, SKY, toyAddToken(SKY, 'new')), [0, 3, 5]);
  assert.deepEqual(toyPath(path, SKY, toyRemoveToken(SKY, 'ill')), [0]);
  assert.deepEqual(toyPath(path, SKY, toyRemoveToken(SKY, 'cloud')), [0, 2, 3]);
  assert.deepEqual(toyPath(path, SKY, toyRenameToken(SKY, 'sk', 'sc'), { sk: 'sc' }), [0, 3, 4]);
  assert.deepEqual(toyPath([99], SKY, SKY), []);
});

test('typed numbers: a decimal comma and a true minus are read, the rest says what is wrong', () => {
  assert.deepEqual(toyNumber(' 0,25 ', false), { value: 0.25 });
  assert.deepEqual(toyNumber('−3', true), { value: -3 });
  assert.deepEqual([toyNumber('', false), toyNumber('', true)], [{ value: 0 }, { value: null }]);
  for (const [text, logit] of [['x', false], ['-1', false], ['1e99', false], ['1e5', true], ['1 2', false], ['Infinity', true]]) assert.ok(toyNumber(text, logit).problem, text);
});

test('names: empty, taken and the end are refused with a sentence', () => {
  for (const name of ['', 'sk', '<eos>']) assert.match(toyNameProblem(SKY, name), /\.$/);
  assert.equal(toyNameProblem(SKY, 'sk', 'sk'), null);
  assert.equal(toyNameProblem(SKY, ' '), null);
});

test('a rule that comes to nothing is named', () => {
  assert.deepEqual(toyEmptyRules(SKY), []);
  assert.deepEqual(toyEmptyRules(toySet(SKY, 3, '<eos>', 0)), [3]);
});

test('conditions are said in words, and a server message finds its cell', () => {
  assert.deepEqual(SKY.rules.map((rule, i) => toyCondition(rule, i === 3)), ['at the start', 'after “sk”', 'when the last token is “cloud”', 'otherwise']);
  assert.deepEqual(toyPlace('toy.rules.1.p.ill'), { rule: 1, token: 'ill' });
  assert.deepEqual(toyPlace("rule 2, p, token 'y'"), { rule: 1, token: 'y' });
  assert.deepEqual(toyPlace('rules.0'), { rule: 0, token: null });
  assert.equal(toyPlace('constraint'), null);
});

test('equal tables have equal keys, whatever was left out', () => {
  const bare = { name: 'sky', tokens: [...SKY.tokens, '<eos>'], rules: [{ prefix: [], p: { y: 0.15, cloud: 0.25, sk: 0.6 } }, { prefix: ['sk'], p: { ill: 0.002, y: 0.98 } }, { last: 'cloud', logits: { y: 1, '<eos>': 2 } }, { p: { '<eos>': 1 } }] };
  assert.equal(toyKey(bare), toyKey(SKY));
});
