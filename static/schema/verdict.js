// Verdicts in words: what each judge says of a string, and what is wrong where they differ.

import { count, visible } from '../stage/format.js';
import { partText } from './prose.js';

const VERDICT_WORDS = { valid: 'VALID', incomplete: 'INCOMPLETE', invalid: 'INVALID', unsatisfiable: 'UNSATISFIABLE', unknown: 'UNKNOWN' };

/** The word for a verdict's status. */
export function verdictWord(verdict) {
  return verdict ? VERDICT_WORDS[verdict.status] || String(verdict.status).toUpperCase() : '…';
}

/** Where it went wrong: "at byte 13 (line 1, column 13)", each counted from 1, of an offset from 0; empty where there is no place. */
export function placeWords({ offset, line, column }) {
  if (offset === null || offset === undefined) return '';
  return `at byte ${count(offset + 1)}${line ? ` (line ${line}, column ${column})` : ''}`;
}

// A class of characters is code; a name of some ("space", "any other character") is a word.
const asPart = (text) => (/^[a-z][a-z ]+|^and \d|UTF-8/.test(text) && text.length > 3 && !['true', 'false', 'null'].includes(text) ? text : { code: text });

/** The classes that may follow, as parts of a sentence: "0-9", " or ", "}". */
export function expectedParts(expected) {
  const list = expected || [];
  return list.flatMap((each, at) => [at === 0 ? null : at === list.length - 1 ? ' or ' : ', ', asPart(each)]).filter((part) => part !== null);
}

/** The parts of a verdict's sentence after its word: place, got, expected; or what it still needs. */
export function verdictParts(verdict) {
  if (!verdict || verdict.status === 'valid') return [];
  const { status, got, needs, message, offset, errors = [] } = verdict;
  const place = placeWords(verdict);
  if (status === 'invalid' && errors.length) return [`${place}${place ? ': ' : ''}`, errors[0].message];
  if (status === 'invalid' && offset !== null && offset !== undefined) {
    const expected = expectedParts(verdict.expected);
    const found = got === null || got === undefined || got === '' ? [] : ['got ', /^the /.test(got) ? got : { code: visible(got) }];
    if (!found.length && !expected.length) return [`${place}${message ? `: ${message}` : ''}`];
    return [place, ': ', ...found, found.length && expected.length ? ', ' : '', ...(expected.length ? ['expected ', ...expected] : [])].filter((part) => part !== '');
  }
  if (status === 'incomplete' && needs) return ['it still needs ', { code: needs }];
  return message ? [message] : [];
}

/** The same as plain text. */
export function verdictWords(verdict) {
  return partText(verdictParts(verdict));
}

/** Whether a string does what it should: true, false, or null where a judge doesn't know. Both judges have to agree. */
export function asExpected(judged, should) {
  if (!judged) return null;
  const says = [judged.mask, judged.reference].filter(Boolean);
  if (!says.length) return null;
  const wanted = should === 'pass';
  if (says.some(({ status }) => status !== 'unknown' && (status === 'valid') !== wanted)) return false;
  // What one judge alone says is not enough: the mask may be wrong, or there is none.
  return says.some(({ status }) => status === 'unknown') ? null : true;
}

/** The head of the table: "7 of 10 as they should be, 1 finding". */
export function tallyWords(strings, verdicts) {
  const known = strings.filter((_, at) => verdicts[at]);
  if (!known.length) return 'Not judged yet.';
  const right = strings.filter(({ should }, at) => asExpected(verdicts[at], should) === true).length;
  const findings = verdicts.filter((each) => each && each.finding).length;
  const unknown = strings.filter(({ should }, at) => verdicts[at] && asExpected(verdicts[at], should) === null).length;
  const unjudged = strings.length - known.length;
  return [right === strings.length ? (strings.length === 1 ? 'The string is as it should be' : `All ${strings.length} are as they should be`) : `${right} of ${strings.length} as they should be`,
    findings ? `${findings} finding${findings === 1 ? '' : 's'}` : null, unknown ? `${unknown} undecided` : null, unjudged ? `${unjudged} not judged` : null].filter(Boolean).join('; ');
}

/** The branches of an error in order, the closest one first: {closest, others}. */
export function branchesOf(error) {
  const [closest = null, ...others] = error.branches || [];
  return { closest, others };
}
