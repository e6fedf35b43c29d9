// What of a schema the mask does not hold a model to, for the banner: from the notes at first, from the coverage once it is there.

import { pathOf, unescaped } from './places.js';

const WEAK_NAMED = 4;
const WEAK_GUESS = /Did you mean `([^`]+)`/;

// The last key of a pointer: the keyword that a row of the lint is about.
const lastKey = (pointer) => unescaped((pointer || '').slice((pointer || '').lastIndexOf('/') + 1));

/** The mistaken keywords of the lint, which the mask ignores: [{keyword, pointer, line, guess}]; `guess` is the keyword that was perhaps meant. */
export function ignoredParts({ lint }) {
  return (lint || []).filter(({ name, level }) => name === 'unknown-keyword' && level === 'error')
    .map(({ pointer, line, message }) => ({ keyword: lastKey(pointer), pointer, line, guess: (WEAK_GUESS.exec(message || '') || [])[1] || null }));
}

// The rows of the coverage about this very text; null while they aren't there.
function coverageOf({ analysis, coverage }) {
  return coverage && coverage.key === analysis.key ? coverage.rows : null;
}

/** The parts that are weak: {off, partly, open, ignored}, lists of {keyword, line}; `held` says whether any keyword is known to be enforced,
 *  `asked` whether each keyword was asked: true, false, or null while that is under way. */
export function weakParts({ analysis, coverage }) {
  const ignored = ignoredParts(analysis);
  const rows = coverageOf({ analysis, coverage });
  if (rows && rows.length) {
    const of = (status) => rows.filter((row) => row.status === status);
    return { off: of('not enforced'), partly: of('partly'), open: of('undecided'), ignored, held: of('enforced').length > 0 || of('partly').length > 0, asked: true };
  }
  // What is no keyword makes no demand; the lint tells of it.
  const strange = new Set((analysis.lint || []).filter(({ name }) => name === 'unknown-keyword').map(({ pointer }) => pointer));
  const of = (level) => (analysis.notes || []).filter((note) => note.level === level && !strange.has(note.pointer) && !strange.has(`${note.pointer}/${note.keyword}`));
  const asked = Boolean(rows) || typeof analysis.schema !== 'string' ? true : coverage && coverage.asking === analysis.key ? null : false;
  return { off: of('not-enforced'), partly: of('partly'), open: [], ignored, held: true, asked };
}

// With its line, else with the part of an instance that it speaks of.
function partName({ keyword, pointer, line }) {
  const path = line || !keyword || !pointer ? '$' : pathOf(pointer.endsWith(`/${keyword}`) ? pointer : `${pointer}/`);
  return `${keyword || pointer || 'a part'}${line ? ` (line ${line})` : path === '$' ? '' : ` of ${path}`}`;
}

function named(names) {
  const each = [...new Set(names)];
  return each.length > WEAK_NAMED ? `${each.slice(0, WEAK_NAMED).join(', ')} and ${each.length - WEAK_NAMED} more` : each.join(', ');
}

function ignoredWords(ignored) {
  const told = ignored.slice(0, WEAK_NAMED).map((part) => `${partName(part)} is ignored${part.guess ? `: did you mean ${part.guess}?` : '.'}`);
  return [...told, ignored.length > WEAK_NAMED ? `${ignored.length - WEAK_NAMED} more are ignored.` : ''].filter(Boolean).join(' ');
}

/** What is weak, in sentences; empty where nothing is. */
export function partWords({ off, partly, open = [], ignored }) {
  return [
    off.length ? `NOT enforced: ${named(off.map(partName))}. A model may write what the schema forbids.` : '',
    partly.length ? `Enforced in part: ${named(partly.map(partName))}.` : '',
    ignoredWords(ignored),
    open.length ? `Undecided, see Keywords below: ${named(open.map(partName))}.` : '',
  ].filter(Boolean).join(' ');
}

/** Whether the constraint is only partly on, and what to say: {partly, words}. */
export function weakWords(now) {
  const parts = weakParts(now);
  const { off, partly, open, ignored, held, asked } = parts;
  const known = asked ? '' : asked === null ? 'The keywords are being asked …' : 'Keywords not yet asked one by one: see Keywords below.';
  // Where no keyword is known to hold, nothing may be said to be on.
  return { partly: off.length > 0 || partly.length > 0 || ignored.length > 0 || (open.length > 0 && !held), words: [partWords(parts), known].filter(Boolean).join(' ') };
}

// The parts of `after` that `before` has fewer of, by keyword: lines move with an edit.
function added(before, after) {
  const left = new Map();
  for (const { keyword } of before) left.set(keyword, (left.get(keyword) || 0) + 1);
  return after.filter(({ keyword }) => {
    const n = left.get(keyword) || 0;
    left.set(keyword, n - 1);
    return n <= 0;
  });
}

/** What a fix took from the mask, in words; empty where it took nothing. before, after: {analysis, coverage}; the keywords' rows count only
 *  where both have them, since one alone would blame the fix for what was so before. */
export function weakened(before, after) {
  const works = ({ analysis }) => Boolean(analysis.compile) && !analysis.error && analysis.status !== 'unsatisfiable';
  if (!works(before)) return '';
  if (!works(after)) return after.analysis.status === 'unsatisfiable' ? 'After this fix no string at all satisfies the constraint.' : `This fix turned the constraint off. ${after.analysis.error ? after.analysis.error.what : ''}`.trim();
  const both = coverageOf(before) && coverageOf(after);
  const [was, is] = [before, after].map((each) => weakParts(both ? each : { ...each, coverage: null }));
  const news = Object.fromEntries(['off', 'partly', 'ignored'].map((name) => [name, added(was[name], is[name])]));
  // What was not enforced at all and is now in part is no loss.
  news.partly = added(was.off, news.partly);
  const words = partWords(news);
  return words ? `This fix made the mask weaker. ${words}` : '';
}
