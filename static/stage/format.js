// How numbers and tokens print: honestly, and everywhere the same.

const FORMAT_SUPERSCRIPT = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const FORMAT_DASH = '–';
const FORMAT_MINUS = '−';

function formatMissing(x) {
  return x === null || x === undefined || Number.isNaN(x);
}

function formatGrouped(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function formatPower(mantissa, exponent) {
  const power = '10' + String(exponent).replace(/[-0-9]/g, (c) => FORMAT_SUPERSCRIPT[c]);
  return mantissa === '1' || mantissa === '1.0' ? power : `${mantissa}·${power}`;
}

// "1 in N" for a chance given as its base-10 logarithm, which may lie far below what a double holds.
function formatOneIn(log10p) {
  const size = -log10p;
  let exponent = Math.floor(size + 1e-12);
  let mantissa = Number((10 ** (size - exponent)).toPrecision(2));
  if (mantissa >= 10) { mantissa /= 10; exponent += 1; }
  if (exponent < 1) return `1 in ${Number(mantissa.toFixed(1))}`;
  const n = mantissa * 10 ** exponent;
  if (exponent < 6) return `1 in ${exponent < 2 ? Number(n.toPrecision(2)) : formatGrouped(n)}`;
  for (const [least, word] of [[12, 'trillion'], [9, 'billion'], [6, 'million']]) {
    if (exponent >= least && exponent < 15) return `1 in ${Number((mantissa * 10 ** (exponent - least)).toPrecision(2))} ${word}`;
  }
  return `1 in ${formatPower(String(mantissa), exponent)}`;
}

function formatScientific(log10p) {
  let exponent = Math.floor(log10p + 1e-12);
  let mantissa = (10 ** (log10p - exponent)).toFixed(1);
  if (mantissa === '10.0') { mantissa = '1.0'; exponent += 1; }
  return `${mantissa}e${exponent}`;
}

// Text and title of a chance strictly between 0 and 1.
function formatInside(p, log10p) {
  if (p >= 0.01) {
    const text = (100 * p).toFixed(1);
    if (text === '100.0') return { text: '> 99.9 %', title: `1 ${FORMAT_MINUS} ${formatScientific(Math.log10(1 - p))}` };
    return { text: `${text} %`, title: String(Number(p.toPrecision(6))) };
  }
  if (p >= 1e-4) {
    const text = (100 * p).toFixed(2);
    return { text: text === '1.00' ? '1.0 %' : `${text} %`, title: String(Number(p.toPrecision(6))) };
  }
  return { text: formatOneIn(log10p), title: formatScientific(log10p) };
}

/** A probability as {text, title}: "61.2 %", "0.43 %", "1 in 23,000" (title 4.3e-5); exactly 0 and exactly 1 alone
 *  print as 0 and 100 %. Null is a dash whose title is `reason`. `blocked`: a 0 that the mask made. */
export function prob(p, { reason = 'not available', blocked = false } = {}) {
  if (formatMissing(p)) return { text: FORMAT_DASH, title: reason };
  if (p <= 0) return blocked ? { text: '0 (blocked)', title: 'exactly 0: the mask blocks this token' } : { text: '0', title: 'exactly 0' };
  if (p >= 1) return { text: '100 %', title: 'exactly 1' };
  return formatInside(p, Math.log10(p));
}

/** The same for a natural logarithm, for chances too small for a double (null, -inf: exactly 0). */
export function logProb(logP) {
  if (formatMissing(logP) || logP === -Infinity) return prob(0);
  if (logP >= 0) return prob(1);
  return formatInside(Math.exp(logP), logP / Math.LN10);
}

/** A chance as odds: "1 in 500", "1 in 1.8", "all but 1 in 20" from nine in ten, "never", "always". */
export function odds(p) {
  if (formatMissing(p)) return FORMAT_DASH;
  if (p <= 0) return 'never';
  if (p >= 1) return 'always';
  return p >= 0.9 ? `all but ${formatOneIn(Math.log10(1 - p))}` : formatOneIn(Math.log10(p));
}

/** The odds of exp(logP), for chances too small for a double. */
export function logOdds(logP) {
  if (formatMissing(logP) || logP === -Infinity) return 'never';
  return logP < -300 ? formatOneIn(logP / Math.LN10) : odds(Math.exp(logP));
}

/** A probability as a plain number, three decimals, two significant digits when small: "0.850", "0.0020", "4.3·10⁻⁵", "> 0.999". */
export function plain(p) {
  if (formatMissing(p)) return FORMAT_DASH;
  if (p <= 0) return '0';
  if (p >= 1) return '1';
  if (p > 0.999) return '> 0.999';
  if (p >= 0.1) return p.toFixed(3);
  if (p >= 1e-4) return p.toPrecision(2);
  const [mantissa, exponent] = p.toExponential(1).split('e');
  return formatPower(mantissa, Number(exponent));
}

/** The plain number of exp(logP). */
export function logPlain(logP) {
  if (formatMissing(logP) || logP === -Infinity) return '0';
  if (logP > -690) return plain(Math.exp(logP));
  const [mantissa, exponent] = formatScientific(logP / Math.LN10).split('e');
  return formatPower(mantissa, Number(exponent));
}

/** Bits as text: "9.0 bits", "0 bits" only for exactly 0, "∞ bits" for null (Z is 0). */
export function bits(b) {
  if (formatMissing(b) || b === Infinity) return '∞ bits';
  if (b === 0) return '0 bits';
  if (b > 0 && b < 0.05) return '< 0.1 bits';
  return `${b >= 1000 ? formatGrouped(b) : b.toFixed(1)} bits`.replace('-', FORMAT_MINUS);
}

/** A logit with a true minus sign: "12.30", "−4.02", "−∞" for null. */
export function logit(x) {
  if (formatMissing(x) || x === -Infinity) return `${FORMAT_MINUS}∞`;
  const text = x.toFixed(2);
  return text === '-0.00' ? '0.00' : text.replace('-', FORMAT_MINUS);
}

/** A whole number with thousands separated: "49,152". */
export function count(n) {
  return formatMissing(n) ? FORMAT_DASH : formatGrouped(n);
}

/** A number of things in words: "1 state", "2,000 states". */
export function counted(n, word) {
  return `${count(n)} ${word}${n === 1 ? '' : 's'}`;
}

/** What the mask did to a run's mass: nothing was taken where the draws ignored it. */
export function maskTook(problem) {
  return `the mask ${problem && problem.method === 'unconstrained' ? 'would have taken' : 'took'}`;
}

/** A time: "43 ms", "1.2 s". */
export function seconds(s) {
  if (formatMissing(s)) return FORMAT_DASH;
  if (s < 0.001) return '< 1 ms';
  return s < 1 ? `${Math.round(1000 * s)} ms` : `${s.toFixed(1)} s`;
}

const FORMAT_VISIBLE = { ' ': '␣', '\n': '↵', '\r': '⇤', '\t': '⇥', '\u00a0': '⍽' };

// Controls, spaces of other widths, marks that join or turn the text around: none may hide in a label.
const FORMAT_HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** Text with whitespace and hidden characters made visible. */
export function visible(text) {
  const shown = String(text).replace(/[ \n\r\t\u00a0]/g, (c) => FORMAT_VISIBLE[c]).replace(FORMAT_HIDDEN, (c) => {
    const code = c.codePointAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
  return /^\p{M}/u.test(shown) ? `◌${shown}` : shown;
}

/** The label of a TokenDoc: whitespace visible, "∅" for a token without text. */
export function tokenLabel(token) {
  return token ? visible(token.text) || '∅' : FORMAT_DASH;
}

/** Whether a label is so short that a line through it would make another sign: `:` struck through reads as ÷. */
export function isShort(label) {
  return [...label].length <= 2;
}

/** How a token is called aloud: its text with whitespace named. */
export function tokenSpoken(token) {
  if (!token) return 'no token';
  if (token.eos) return `${token.text || 'EOS'} (end)`;
  const names = { ' ': 'space ', '\n': 'newline ', '\r': 'return ', '\t': 'tab ' };
  const text = String(token.text).replace(/^\s+|\s+$/g, (run) => ` ${[...run].map((c) => names[c] || '').join('')}`).trim();
  return text ? visible(text).replaceAll('␣', ' ') : 'empty token';
}

/** The word for an allowed mass: a convention of this screen, not a theorem. `dead`: nothing can be drawn, which a Z of 0 alone does
 *  not say, since filters that come after the mask choose among the allowed tokens. The words "squeezed" and "crushed" are not used
 *  here: they belong to s(y), the ratio of two laws of whole texts. A small Z at one step distorts nothing by itself. */
export function massWord(z, dead = false) {
  if (dead) return 'dead end';
  if (z >= 0.5) return 'agrees';
  if (z >= 0.1) return 'leans away';
  return z >= 0.01 ? 'objects' : 'refuses';
}

export const MASS_WORD_HELP = 'How much of its belief the model has put on tokens that the constraint allows here. A convention for reading: '
  + 'agrees from 50 %, leans away from 10 %, objects from 1 %, refuses below. A small Z at one step says nothing yet about a wrong answer: '
  + 'if every valid output pays the same, nothing moves.';
