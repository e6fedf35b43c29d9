// Why TV is wide, and that no valid text fits in max tokens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apartWords, noLawWords, wideWords } from '../../static/compare/wide.js';

const problem = { max_tokens: 16, constraint: { kind: 'schema', whitespace: 'one' } };
const wide = { status: 'bounded', stopped: 'rows', Z: { lower: 0, upper: 1e-10 }, tv: { lower: 0, upper: 1 }, open: 1.2e-10, open_masked: 0.7, cut: 0.29 };

test('a wide range names what was cut and what was left open; a closed one says nothing', () => {
  const words = wideWords(wide, problem);
  assert.match(words, /^At least 29\.0 % of what the mask draws is cut at 16 tokens and gives no valid text: raise Max tokens\./);
  assert.match(words, /70\.0 % of p~ .* not looked into\. .*in blanks: the kind Choices/);
  assert.doesNotMatch(wideWords({ ...wide, cut: 0 }, { ...problem, constraint: { kind: 'regex' } }), /Max tokens|Choices/);
  assert.equal(wideWords({ ...wide, tv: { lower: 0.7, upper: 0.71 } }, problem), '');
});

test('where all is cut, no valid text fits', () => {
  assert.match(noLawWords({ cut: 1 }, problem), /^No valid text .* fits in 16 tokens.*Raise Max tokens\.$/);
  assert.match(noLawWords({ cut: 0 }, problem), /p_V does not exist/);
});

test('an exact number that prints as two says what keeps them apart', () => {
  assert.equal(apartWords('0.700 to 0.701', 'exact'), 'apart by floating point alone');
  assert.equal(apartWords('0.700 to 0.701', 'bounded'), '');
  assert.equal(apartWords('0.701', 'exact'), '');
});
