import assert from 'node:assert/strict';
import test from 'node:test';

import { HEADINGS, TERMS, meaningOf, termAt, termParts } from '../../static/lesson/glossary.js';
import { placeOf, queryWith } from '../../static/lesson/main.js';

const found = (text) => termParts(text).filter((part) => part.term).map((part) => [part.text, part.term]);

test('a term is found as a whole word, once, whatever its case', () => {
  assert.deepEqual(found('Masking is what the mask does, token by token.'), [['Masking', 'mask'], ['token', 'token']]);
  assert.deepEqual(found('Unmasked, notional, Zeta.'), []);
  assert.equal(termParts('Both tokens are allowed.').map((part) => part.text).join(''), 'Both tokens are allowed.');
});

test('symbols are found as they are written, the longest first', () => {
  assert.deepEqual(found('p_V is not p~, and Z is not Z_t.'), [['p_V', 'p_V'], ['p~', 'p~'], ['Z', 'Z'], ['Z_t', 'allowed mass']]);
  assert.deepEqual(found('TV(p~, p_V) = 0.8'), [['TV(p~, p_V)', 'TV']]);
});

test('each term has one meaning of one line, and each heading a term', () => {
  const names = TERMS.flatMap(([term, others]) => [term, ...others]);
  assert.equal(new Set(names).size, names.length);
  for (const [term, , meaning] of TERMS) assert.ok(meaning.length > 20 && meaning.length < 140 && !meaning.includes('\n'), term);
  for (const [, term] of HEADINGS) assert.notEqual(meaningOf(term), '');
});

test('Z in the formula of a step is the mass that the mask keeps there, and the language’s elsewhere', () => {
  const stands = (where) => (selector) => selector === where;
  assert.equal(termAt('Z', stands('.lesson-formula')), 'allowed mass');
  assert.match(meaningOf(termAt('Z', stands('.lesson-formula'))), /^Z_t: /);
  assert.equal(termAt('Z', stands('.lesson-text')), 'Z');
  assert.equal(termAt('TV', stands('.lesson-formula')), 'TV');
});

test('a text of no term is itself, and nothing in it is read as markup', () => {
  assert.deepEqual(termParts(''), []);
  assert.deepEqual(termParts('<b>${x}</b>'), [{ text: '<b>${x}</b>', term: null }]);
});

test('the address names lesson and beat from 1, and keeps what else is in it', () => {
  assert.equal(queryWith('?view=lesson&lesson=a&beat=9', { slug: 'two-step', beat: 3 }), '?view=lesson&lesson=two-step&beat=4');
  assert.equal(queryWith('?lesson=a&beat=9', null), '');
  assert.deepEqual(placeOf('?lesson=two-step&beat=4&room=AB12'), { slug: 'two-step', beat: 3, room: 'AB12' });
  assert.equal(placeOf('?lesson=two-step').beat, 0);
  assert.equal(placeOf('?lesson=two-step&beat=-3').beat, 0);
  assert.equal(placeOf('?lesson=../x'), null);
  assert.equal(placeOf(''), null);
});
