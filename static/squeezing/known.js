// How a number of the search is known: by the status of the whole proof, not by how narrow its bounds are.

import { probBetween } from '../stage/interval.js';
import { STATUS_WORDS } from '../compare/words.js';

function knownEnds({ lower, upper }) {
  const end = (x) => (x === null || x === undefined ? '∞' : String(Number(x.toPrecision(9))));
  return end(lower) === end(upper) ? [end(lower)] : [end(lower), end(upper)];
}

/** The badge of a status as {word, title}. */
export function gradeBadge(status) {
  if (status === 'old') return { word: 'old problem', title: 'Of the problem named at the top, not of the one that the page holds now' };
  return { word: status, title: STATUS_WORDS[status] || '' };
}

/** A chance as {text, title}. `status` "exact": nothing was left open, and floating point alone keeps the bounds apart; "bounded": it is
 *  proved to lie between them, however close they are; "old": it is of the problem that was shown before. */
export function probKnown(bounds, status, { reason } = {}) {
  const { text, title } = probBetween(bounds, { reason });
  if (!bounds || bounds.lower === null || bounds.lower === undefined) return { text, title };
  const ends = knownEnds(bounds);
  const both = ends.length === 2 ? `between ${ends[0]} and ${ends[1]}` : ends[0];
  if (status === 'old') return { text, title: `of the problem before: ${both}` };
  return { text, title: status === 'exact' ? `exact${ends.length === 2 ? `, up to floating point: ${both}` : `: ${both}`}` : `bounded: proved to be ${both}${ends.length === 2 ? '' : ' to nine digits'}` };
}
