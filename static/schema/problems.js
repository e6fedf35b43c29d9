// What is wrong with a constraint, from everything the server said of it: one list, the gravest first.

import { offsets, placeIn } from './places.js';

const PROBLEMS_RANK = { error: 0, off: 1, warning: 2, info: 3 };
const PROBLEMS_FEW = 8;
// A schema with more than this is wrong all over: the list isn't made to push all else off the page.
const PROBLEMS_MOST = 40;
/** The words of the levels. */
export const LEVEL_WORDS = { error: 'Error', off: 'NOT enforced', warning: 'Warning', info: 'Note' };

// The rule that repeats what the lowering says of a keyword that it doesn't enforce.
const PROBLEMS_HANDED = 'not-enforced';

function lintLevel({ level, name }) {
  if (name === PROBLEMS_HANDED && level === 'warning') return 'off';
  return level in PROBLEMS_RANK ? level : 'warning';
}

// Whether the lint has said already what a note says.
function linted(note, rows) {
  const at = (note.pointer || '').replace(/^#/, '');
  return rows.some(({ name, pointer }) => {
    const here = (pointer || '').replace(/^#/, '');
    if (note.level === 'warning') return here === at || (at !== '' && here.startsWith(`${at}/`));
    return here === at && (name === PROBLEMS_HANDED || name === 'unknown-keyword');
  });
}

/** Every problem of an analysis: [{level, advice, code, line, column, message, why, fix, demo}], the gravest first; of one level mistakes before advice, then by line. */
export function problemsOf(analysis, source) {
  if (!analysis) return [];
  const found = [];
  if (analysis.error) {
    const { what, hint, line, column, where } = analysis.error;
    found.push({ level: 'error', code: null, line: line || null, column: column || null, message: what, why: hint || '', where: where || '', fix: null, demo: null });
  }
  const rows = analysis.lint || [];
  for (const row of rows) {
    const { code, name, line, column, message, why, fix, demo, pointer } = row;
    found.push({ level: lintLevel(row), advice: Boolean(row.advice), code, name, line: line || null, column: column || null, message, why: why || '', where: pointer || '', fix: fix || null, demo: demo || null, partly: name === PROBLEMS_HANDED && row.level === 'info' });
  }
  const notes = (analysis.notes || []).filter((note) => note.level !== 'info' && !linted(note, rows));
  const places = notes.length && analysis.schema === source ? offsets(source) : null;
  for (const note of notes) {
    const at = note.line ? note : places ? placeIn(source, places, note.pointer, note.keyword) : null;
    found.push({ level: note.level === 'not-enforced' ? 'off' : 'warning', code: null, line: at ? at.line : null, column: at ? at.column : null, message: note.message, why: '', where: note.pointer || '', fix: null, demo: null, partly: note.level === 'partly' });
  }
  return found.map((each, index) => [each, index]).sort(([a, i], [b, j]) => PROBLEMS_RANK[a.level] - PROBLEMS_RANK[b.level] || Boolean(a.advice) - Boolean(b.advice) || (a.line || 1e9) - (b.line || 1e9) || i - j).map(([each]) => each);
}

/** How many of the problems, which come the gravest first, are shown at once: every one that is more than a note, and notes up to PROBLEMS_FEW. */
export function shownAtOnce(problems) {
  const grave = problems.filter(({ level }) => level !== 'info').length;
  return Math.min(problems.length, PROBLEMS_MOST, Math.max(PROBLEMS_FEW, grave));
}

/** The counts in words: "1 error, 2 not enforced, 3 warnings". */
export function problemWords(problems) {
  const of = (level) => problems.filter((each) => each.level === level).length;
  const words = [[of('error'), 'error', 'errors'], [of('off'), 'not enforced', 'not enforced'], [of('warning'), 'warning', 'warnings'], [of('info'), 'note', 'notes']]
    .filter(([n]) => n).map(([n, one, many]) => `${n} ${n === 1 ? one : many}`);
  return words.length ? words.join(', ') : 'Nothing found';
}

/** The marks beside the editor: one for a line, of its gravest problem: [{line, level, messages}]. */
export function marksOf(problems) {
  const lines = new Map();
  for (const { line, level, message } of problems) {
    if (!line) continue;
    const mark = lines.get(line) || { line, level, messages: [] };
    if (PROBLEMS_RANK[level] < PROBLEMS_RANK[mark.level]) mark.level = level;
    mark.messages.push(message);
    lines.set(line, mark);
  }
  return [...lines.values()].sort((a, b) => a.line - b.line);
}
