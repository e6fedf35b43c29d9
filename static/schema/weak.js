// What of a schema the mask does not hold a model to, for the banner: from the notes at first, from the coverage once it is there.

const WEAK_NAMED = 4;

/** The parts that are weak: {off, partly, open}, lists of {keyword, line}; `held` says whether any keyword is known to be enforced. */
export function weakParts({ analysis, coverage }) {
  if (coverage && coverage.key === analysis.key && coverage.rows.length) {
    const of = (status) => coverage.rows.filter((row) => row.status === status);
    return { off: of('not enforced'), partly: of('partly'), open: of('undecided'), held: of('enforced').length > 0 || of('partly').length > 0 };
  }
  // What is no keyword makes no demand; the lint tells of it.
  const strange = new Set((analysis.lint || []).filter(({ name }) => name === 'unknown-keyword').map(({ pointer }) => pointer));
  const of = (level) => (analysis.notes || []).filter((note) => note.level === level && !strange.has(note.pointer) && !strange.has(`${note.pointer}/${note.keyword}`));
  return { off: of('not-enforced'), partly: of('partly'), open: [], held: true };
}

function named(parts) {
  const names = parts.map(({ keyword, pointer, line }) => `${keyword || pointer || 'a part'}${line ? ` (line ${line})` : ''}`);
  const each = [...new Set(names)];
  return each.length > WEAK_NAMED ? `${each.slice(0, WEAK_NAMED).join(', ')} and ${each.length - WEAK_NAMED} more` : each.join(', ');
}

/** Whether the constraint is only partly on, and what to say: {partly, words}. */
export function weakWords(now) {
  const { off, partly, open, held } = weakParts(now);
  const words = [
    off.length ? `NOT enforced: ${named(off)}. A model may write what the schema forbids.` : '',
    partly.length ? `Enforced in part: ${named(partly)}.` : '',
    open.length ? `Undecided, see Keywords below: ${named(open)}.` : '',
  ].filter(Boolean).join(' ');
  // Where no keyword is known to hold, nothing may be said to be on.
  return { partly: off.length > 0 || partly.length > 0 || (open.length > 0 && !held), words };
}
