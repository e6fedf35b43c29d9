// Whether a claim's sentence says the number that is checked, and what is checked in plain words.

import { figure } from './numbers.js';

const SAID_DIGITS = { '⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '-' };
const SAID_WORDS = { no: 0, none: 0, zero: 0, never: 0, one: 1, single: 1, only: 1, always: 1, two: 2, twice: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11, twelve: 12 };
const SAID_SCALES = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };
const SAID_NUMBER = /(> )?(\b1 in )?([-−]?)(\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s*[·×x*]\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|e([-+]?\d+))?(?:\s*(%|percent|per cent|thousand|million|billion|trillion))?/gi;
// Words of the facts that are texts; the others' values are names that no sentence has to use.
const SAID_TEXTS = ['taken', 'argmax', 'text'];
const SAID_ROOM = 1e-9;
const SAID_ONE = 0.005;

const shifted = (superscript) => Number([...superscript].map((each) => SAID_DIGITS[each]).join(''));

/** The numbers that a sentence says: [{value, half, odds}], `half` of the last digit written. Numbers of steps and digits inside words are none. */
export function numbersIn(text) {
  const found = [];
  const plain = String(text).replace(/\bsteps? \d+/gi, ' ');
  for (const [, word] of plain.matchAll(/\b(no|none|zero|never|one|single|only|always|two|twice|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi)) found.push({ value: SAID_WORDS[word.toLowerCase()], half: 0 });
  // A power of ten that stands alone.
  for (const [, power] of plain.matchAll(/(?<![\d·×])\b10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g)) found.push({ value: 10 ** shifted(power), half: 0.5 * 10 ** shifted(power) });
  for (const [, over, oneIn, sign, digits, power, exponent, unit] of plain.matchAll(SAID_NUMBER)) {
    const bare = digits.replaceAll(',', '');
    const places = (bare.split('.')[1] || '').length;
    // Round thousands are rounded: the last digit that is not 0 is the last one said.
    const zeros = places ? 0 : Math.max(0, bare.length - Math.max(2, bare.replace(/0+$/, '').length));
    const scale = (power ? 10 ** shifted(power) : 1) * (exponent ? 10 ** Number(exponent) : 1) * (unit ? SAID_SCALES[unit.toLowerCase()] || 0.01 : 1);
    const value = Number(bare) * scale * (sign ? -1 : 1);
    // The page prints what rounds to all as "> 99.9 %".
    const half = (over ? 1 : 0.5) * 10 ** (zeros - places) * scale;
    if (oneIn && value > 0) found.push({ value: 1 / value, half: half / (value * value) });
    else found.push({ value, half, bare: !unit && !power && !exponent && places === 0 });
  }
  return found;
}

/** Whether a number that was said is `value`, rounded as it was said. Nought and one stand for themselves alone. */
function saysNumber({ value: said, half, bare }, value) {
  const apart = Math.abs(said - value);
  if (said === 0) return Math.abs(value) <= SAID_ROOM;
  if (bare && Math.abs(value) < 1) return apart <= SAID_ONE * Math.abs(value);
  return apart <= half * (1 + 1e-6) + SAID_ROOM * Math.max(1e-3, Math.abs(value));
}

/** Whether `sentence` says what `check` holds it to: true too where that is a yes or no, or a name. */
export function says(sentence, { fact, value }) {
  if (typeof value === 'number') return numbersIn(sentence).some((each) => saysNumber(each, value));
  return !SAID_TEXTS.includes(fact) || sentence.includes(String(value).trim());
}

const SAID_RELATIONS = { near: '=', is: '=', '<': '<', '>': '>' };
const valueWords = (value) => (typeof value === 'number' ? figure(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : `“${value}”`);

/** What a check is about, in plain words. about: words by the fact's name. */
export function aboutWords(check, about) {
  const { fact, of, step } = check;
  return [about.get(fact) || fact, of ? `· ${of}` : '', step === null || step === undefined ? '' : `· step ${step + 1}`].filter(Boolean).join(' ');
}

/** A check in plain words: "the model's first choice is blocked · step 1: yes", "Z_t: … = 0.010". */
export function checkedWords(check, about) {
  const { value, relation } = check;
  return typeof value === 'boolean' ? `${aboutWords(check, about)}: ${valueWords(value)}` : `${aboutWords(check, about)} ${SAID_RELATIONS[relation] || relation} ${valueWords(value)}`;
}

/** The warning of a sentence that doesn't say what is checked; '' where it does. */
export function unsaid(sentence, checks, about) {
  if (!sentence.trim() || checks.some((check) => says(sentence, check))) return '';
  const [check] = checks;
  return `The sentence doesn’t say ${valueWords(check.value)}; what is checked is: ${checkedWords(check, about)}.`;
}
