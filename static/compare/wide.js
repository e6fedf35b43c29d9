// Why TV is a wide range, or p_V missing, and what helps: said from the masses that the search knows. No page here.

import { counted, prob } from '../stage/format.js';
import { NO_LAW, lawless, width } from './words.js';

const WIDE_RANGE = 0.1;
const WIDE_CUT = 0.01;
const WIDE_ALL = 1 - 1e-9;
// Kinds whose texts may have blanks between JSON tokens.
const WIDE_BLANKS = ['schema', 'pydantic', 'tool', 'type'];

/** Said where nothing valid has any mass: that nothing fits in max tokens, where all runs are cut there. */
export function noLawWords(exact, problem) {
  if (!(exact.cut >= WIDE_ALL)) return NO_LAW;
  return `No valid text that the model can draw fits in ${counted(problem.max_tokens, 'token')}, its end counted: all that the mask draws is cut there. Raise Max tokens.`;
}

/** Why TV lies in a wide range once the search has ended, and what to do; '' where it doesn't. */
export function wideWords(exact, problem) {
  if (!exact || !exact.stopped || exact.status === 'exact' || lawless(exact) || width(exact.tv) <= WIDE_RANGE) return '';
  const { kind, whitespace } = problem.constraint;
  const fewer = !WIDE_BLANKS.includes(kind) ? ''
    : ` One JSON text has many spellings, in tokens${whitespace === 'none' ? '' : ' and in blanks'}: the kind Choices, with the whole texts, has fewer and closes sooner.`;
  return [
    exact.cut > WIDE_CUT ? `${exact.open_masked > 0 ? 'At least ' : ''}${prob(exact.cut).text} of what the mask draws is cut at ${counted(problem.max_tokens, 'token')} and gives no valid text: raise Max tokens.` : '',
    `The range is wide because the search ended with ${prob(exact.open_masked).text} of p~ and ${prob(exact.open).text} of p not looked into.${fewer}`,
  ].filter(Boolean).join(' ');
}

/** Why a number that is exact prints as two: said beside it; '' where it doesn't. */
export function apartWords(value, status) {
  return status === 'exact' && value.includes(' to ') ? 'apart by floating point alone' : '';
}
