// The byte and token stepper's arithmetic: what is known of a string, where the caret is, and what stands around it.

import { count, counted } from '../stage/format.js';

/** Bytes drawn at once on either side of the caret. */
export const AROUND = 120;
const STEPPING_SHOWN = { 0x20: '␣', 0x0a: '↵', 0x0d: '⇤', 0x09: '⇥' };

/** What is known of `text`, before the server has said anything: {text, data: its bytes, bytes, tokens, fails, vocabulary}. The engine
 *  had the time to read `read` bytes, Infinity if all of them, null before an answer; and to find the tokens of `tokensRead`. */
export function blank(text) {
  const data = new TextEncoder().encode(text);
  return { text, data, count: data.length, bytes: new Map(), tokens: new Map(), cut: false, fails: null, read: null, tokensRead: Infinity, vocabulary: null };
}

/** The same with a document of the server added, which describes the bytes and tokens around one place. */
export function merged(known, doc) {
  const bytes = new Map(known.bytes);
  for (const each of doc.bytes) bytes.set(each.offset, each);
  const tokens = new Map(known.tokens);
  for (const each of doc.tokens || []) tokens.set(each.start, each);
  // One answer may come further than another in the same time.
  const stopped = doc.stopped_after ?? null;
  const read = Math.max(known.read ?? 0, stopped ?? Infinity);
  const fails = doc.fails_at ?? (stopped === null ? null : known.fails);
  return { ...known, count: doc.count, bytes, tokens, cut: Boolean(doc.tokens), fails, read, tokensRead: doc.tokens_stopped_after ?? Infinity, vocabulary: doc.vocabulary ?? null };
}

/** The last place the caret can stand at: the byte that can't follow, the last one that the engine had the time to read, or the end. */
export function lastPlace({ fails, count, read }) {
  if (fails !== null) return fails;
  return read === null ? count : Math.max(0, Math.min(count, read - 1));
}

/** The described place that is nearest to `at`; null where none is described. */
export function nearest({ bytes }, at) {
  let found = null;
  for (const offset of bytes.keys()) if (found === null || Math.abs(offset - at) < Math.abs(found - at)) found = offset;
  return found;
}

/** That the engine had too little time for all bytes, or for all tokens around the caret; empty where it had enough. */
export function cutWords({ read, tokensRead }) {
  const why = 'the engine needs more time than the page gives it.';
  if (read !== null && read !== Infinity) return `Stopped after ${counted(read, 'byte')}: ${why}`;
  return tokensRead === Infinity ? '' : `The tokens are known for the first ${counted(tokensRead, 'byte')}: ${why}`;
}

/** The token that byte `at` belongs to; null where none is known. The end belongs to none. */
export function tokenAt({ tokens }, at) {
  for (const token of tokens.values()) if (token.start <= at && at < token.end) return token;
  return null;
}

/** A token's standing in words around its chip, [before, after], seen from byte `at` of it: what may stand at the byte is another question than
 *  which tokens may stand at the token's start, so inside a token the start is named. */
export function tokenWords({ start, allowed, reached = true, straddles, allowed_count: allowedCount }, at = start) {
  const inside = at - start;
  const there = inside > 0 ? 'there' : 'here';
  const says = !reached ? 'It is not reached: an earlier token is blocked.'
    : allowed ? (allowedCount === 1 ? `It is the only token that is allowed ${there}.` : `It is allowed ${there}, as one of ${count(allowedCount)} tokens.`)
      : `It is blocked ${there}; ${allowedCount === 0 ? 'no token is' : `${counted(allowedCount, 'other')} ${allowedCount === 1 ? 'is' : 'are'}`} allowed.`;
  const more = straddles ? ' It straddles: it holds the end of one part of the text and the beginning of the next.' : '';
  return inside > 0 ? ['This byte is inside the token ', `, which starts ${counted(inside, 'byte')} earlier. ${says}${more}`] : ['The token ', ` starts here. ${says}${more}`];
}

/** The place after a move of `by` bytes, or with `whole` to the next token's start, or the start of this or the one before. */
export function moved(known, at, by, whole = false) {
  const last = lastPlace(known);
  const clamp = (to) => Math.max(0, Math.min(last, to));
  if (!whole || !known.tokens.size) return clamp(at + by);
  const starts = [...known.tokens.keys()].sort((a, b) => a - b);
  const next = by > 0 ? starts.find((start) => start > at) : starts.filter((start) => start < at).pop();
  if (next !== undefined) return clamp(next);
  return by > 0 ? last : clamp(at - 1);
}

/** Whether the server has to be asked about the surroundings of `at`: it isn't described, or the description ends near it. */
export function needed(known, at, ahead = 15) {
  const last = lastPlace(known);
  return [at, Math.min(last, at + ahead), Math.max(0, at - ahead)].some((each) => !known.bytes.has(each));
}

/** What is drawn around `at`: {from, to}, bytes from..to (exclusive). In strides, so that a step doesn't move everything. */
export function windowAround({ count }, at, around = AROUND) {
  if (count <= 2 * around) return { from: 0, to: count };
  const middle = Math.round(at / around) * around;
  const from = Math.max(0, Math.min(count - 2 * around, middle - around));
  return { from, to: from + 2 * around };
}

/** The bytes from..to in groups: one for each token, and one for each byte that no token is known for: [{token, from, to}]. */
export function groups(known, { from, to }) {
  const found = [];
  let at = from;
  while (at < to) {
    const token = tokenAt(known, at);
    const end = token ? Math.min(to, token.end) : at + 1;
    found.push({ token, from: at, to: end });
    at = end;
  }
  return found;
}

/** A byte in a cell: its character with blanks visible, or two hex digits where it is a part of one or invisible. */
export function cellText(byte) {
  if (STEPPING_SHOWN[byte]) return STEPPING_SHOWN[byte];
  return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte.toString(16).padStart(2, '0');
}

/** A byte as "0x7b". */
export function hex(byte) {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}
