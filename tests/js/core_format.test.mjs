// Numbers and tokens on screen: honest at every size, and nothing hides.
import test from 'node:test';
import assert from 'node:assert/strict';
import { bits, count, isShort, logit, logOdds, logPlain, logProb, massWord, odds, plain, prob, seconds, tokenLabel, tokenSpoken, visible } from '../../static/stage/format.js';

test('probabilities print as the screens promise', () => {
  const cases = [[0.6123, '61.2 %', '0.6123'], [0.0043, '0.43 %', '0.0043'], [4.3e-5, '1 in 23,000', '4.3e-5'], [0, '0', 'exactly 0'], [1, '100 %', 'exactly 1'], [0.5, '50.0 %', '0.5'], [0.01, '1.0 %', '0.01'],
    [1e-4, '0.01 %', '0.0001'], [2.4e-7, '1 in 4.2 million', '2.4e-7'], [3e-10, '1 in 3.3 billion', '3.0e-10'], [2.5e-13, '1 in 4 trillion', '2.5e-13'], [1e-17, '1 in 10¹⁷', '1.0e-17'], [4.4e-18, '1 in 2.3·10¹⁷', '4.4e-18']];
  for (const [p, text, title] of cases) assert.deepEqual(prob(p), { text, title }, String(p));
});

test('what is not 1 never prints as 100, and what is not 0 never prints as 0', () => {
  const near = [0.9995, 0.99951, 0.99999, 1 - 1e-12, 1 - 2 ** -53];
  for (const p of near) assert.equal(prob(p).text, '> 99.9 %', String(p));
  assert.equal(prob(0.9994).text, '99.9 %');
  assert.match(prob(0.99999).title, /^1 − 1\.0e-5$/);
  for (let e = -330; e <= 0; e += 0.37) {
    const p = 10 ** e;
    const { text, title } = prob(p);
    assert.ok(p === 0 || p >= 1 || (!/^(0|0\.0+ %|100.*)$/.test(text) && !/^0(\.0+)?$/.test(title)), `${p} printed ${text}, ${title}`);
  }
});

test('rounding never jumps over a border of the format', () => {
  assert.equal(prob(0.009999).text, '1.0 %');
  assert.equal(prob(0.99949999).text, '99.9 %');
  assert.equal(prob(0.0000999999).text, '1 in 10,000');
  assert.equal(prob(1.0000001e-6).text, '1 in 1 million');
  assert.equal(prob(9.96e-10).text, '1 in 1 billion');
});

test('the order of probabilities is the order of what is read', () => {
  const read = (text) => {
    const value = (s) => Number(s.replaceAll(',', ''));
    if (text.startsWith('> ')) return 0.9999;
    if (text.endsWith('%')) return value(text.slice(0, -2)) / 100;
    const [, n, unit] = /^1 in ([\d.,]+) ?(\w*)$/.exec(text);
    return 1 / (value(n) * ({ million: 1e6, billion: 1e9, trillion: 1e12 }[unit] || 1));
  };
  let last = Infinity;
  for (let e = 0; e > -14; e -= 0.01) {
    const now = read(prob(10 ** e).text);
    assert.ok(now <= last * 1.000001, `${10 ** e} reads larger than its elder`);
    assert.ok(Math.abs(now / 10 ** e - 1) < 0.51, `${10 ** e} reads as ${now}`);
    last = now;
  }
});

test('a blocked zero says so, and a missing number is a dash with its reason', () => {
  assert.equal(prob(0, { blocked: true }).text, '0 (blocked)');
  for (const missing of [null, undefined, NaN]) assert.deepEqual(prob(missing, { reason: 'Z is 0' }), { text: '–', title: 'Z is 0' });
});

test('chances below the doubles print from their logarithm', () => {
  assert.equal(logProb(-1000).text, '1 in 2·10⁴³⁴');
  assert.equal(logProb(-1000).title, '5.1e-435');
  assert.equal(logOdds(-1000), '1 in 2·10⁴³⁴');
  assert.equal(logPlain(-1000), '5.1·10⁻⁴³⁵');
  assert.equal(prob(5e-324).text, '1 in 2·10³²³');
  for (const p of [0.3, 0.02, 5e-4, 1e-7, 1e-200]) assert.equal(logProb(Math.log(p)).text, prob(p).text);
  assert.equal(logProb(null).text, '0');
  assert.equal(logProb(0).text, '100 %');
});

test('odds', () => {
  const cases = [[0.002, '1 in 500'], [0.1, '1 in 10'], [0.5, '1 in 2'], [0.6, '1 in 1.7'], [0.95, 'all but 1 in 20'], [1, 'always'], [0, 'never'], [4.3e-5, '1 in 23,000'], [null, '–']];
  for (const [p, text] of cases) assert.equal(odds(p), text);
});

test('plain numbers keep two digits', () => {
  const cases = [[0.002, '0.0020'], [0.85, '0.850'], [0.4071, '0.407'], [0.1, '0.100'], [0.032416, '0.032'], [4.3e-5, '4.3·10⁻⁵'], [1, '1'], [0.99999, '> 0.999'], [0, '0'], [1e-9, '10⁻⁹']];
  for (const [p, text] of cases) assert.equal(plain(p), text);
});

test('bits, logits, counts and times', () => {
  assert.deepEqual([9, 0, 0.01, null, Infinity, 1443.2, 0.05].map(bits), ['9.0 bits', '0 bits', '< 0.1 bits', '∞ bits', '∞ bits', '1,443 bits', '0.1 bits']);
  assert.deepEqual([12.3, -4.018, -0.001, null].map(logit), ['12.30', '−4.02', '0.00', '−∞']);
  assert.deepEqual([49152, 7, 1234567, null].map(count), ['49,152', '7', '1,234,567', '–']);
  assert.deepEqual([0.05, 0.0002, 1.234, null].map(seconds), ['50 ms', '< 1 ms', '1.2 s', '–']);
});

test('whitespace, controls and text that turns around are visible', () => {
  assert.equal(visible(' a\n\tb\r'), '␣a↵⇥b⇤');
  assert.equal(visible('x\u202ey'), 'x⟨202E⟩y');
  assert.equal(visible('\u200b\ufeff\u00a0'), '⟨200B⟩⟨FEFF⟩⍽');
  assert.equal(visible('\u0000\u001b\u007f'), '\\x00\\x1b\\x7f');
  assert.equal(visible('\u{e0041}'), '⟨E0041⟩');
  assert.equal(visible('\u0301'), '◌\u0301', 'a mark gets something to stand on');
  assert.equal(visible('好é`${x}<b>'), '好é`${x}<b>');
});

test('labels of tokens', () => {
  assert.equal(tokenLabel({ text: '{"' }), '{"');
  assert.equal(tokenLabel({ text: '' }), '∅');
  assert.equal(tokenLabel(null), '–');
  assert.equal(tokenLabel({ text: '\\xf0\\x9f', partial: true }), '\\xf0\\x9f');
  assert.equal(tokenSpoken({ text: ' the' }), 'space the');
  assert.equal(tokenSpoken({ text: '<eos>', eos: true }), '<eos> (end)');
  assert.deepEqual([':', '-"', '😀', 'abc', '␣␣␣'].map(isShort), [true, true, true, false, false]);
});

test('the word for the allowed mass has its borders where the help says', () => {
  assert.deepEqual([1, 0.5, 0.49, 0.1, 0.09, 0.01, 0.009, 1e-300].map((z) => massWord(z)),
    ['agrees', 'agrees', 'leans away', 'leans away', 'objects', 'objects', 'refuses', 'refuses']);
});

test('a dead end is where nothing can be drawn, not where Z is 0', () => {
  assert.equal(massWord(0, true), 'dead end');
  assert.equal(massWord(0, false), 'refuses');
});
