// The page as a link: constraint and test strings, compressed into the part of the address that no server sees.

import { base64url, bytesOf, deflated, inflated } from '../links/bytes.js';
import { EMPTY_STRINGS, KINDS, LIMITS } from './state.js';

const LINK_VERSION = 1;
/** Longest link that is made, characters: longer ones break in mails and chats. */
export const LINK_MAX = 16000;
// A link of that length can be made to unpack to gigabytes: no more than any page could have said is read of it.
const LINK_UNPACKED_MAX = 4 * (LIMITS.source + LIMITS.strings * LIMITS.text);

/** The page's state, as `state.js` holds it, packed for a link. */
export async function pack({ kind, source, engine, whitespace, formats, strings, selected }) {
  const plain = { v: LINK_VERSION, k: kind, s: source, e: engine, w: whitespace, f: formats ? 1 : 0, t: strings.map(({ text, should }) => [text, should === 'pass' ? 1 : 0]), i: selected };
  return base64url(await deflated(new TextEncoder().encode(JSON.stringify(plain))));
}

/** What a link holds, checked; null where it is no link of this page. */
export async function unpack(packed) {
  if (typeof packed !== 'string' || !/^[\w-]{1,200000}$/.test(packed)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await inflated(bytesOf(packed), LINK_UNPACKED_MAX));
    return checked(JSON.parse(text));
  } catch {
    return null; // whatever is wrong with it, it is no link of this page, and the page says so
  }
}

function checked(plain) {
  if (!plain || typeof plain !== 'object' || plain.v !== LINK_VERSION) return null;
  const { k: kind, s: source, e: engine, w: whitespace, f, t, i } = plain;
  if (!Object.hasOwn(KINDS, kind) || typeof source !== 'string' || typeof engine !== 'string' || engine.length > 40) return null;
  if (!['none', 'one', 'flexible'].includes(whitespace) || !Array.isArray(t) || t.length > LIMITS.strings) return null;
  if (!t.every((each) => Array.isArray(each) && typeof each[0] === 'string')) return null;
  const strings = t.map(([text, should]) => ({ text, should: should ? 'pass' : 'fail' }));
  return { kind, source, engine, whitespace, formats: f === 1, strings: strings.length ? strings : EMPTY_STRINGS, selected: Number.isInteger(i) && i >= 0 && i < strings.length ? i : 0 };
}

/** The packed part of an address's hash `#schema?...`, empty where it was cut off; null where there is none. */
export function packedOf(hash) {
  const match = /^#schema\?(.*)$/.exec(hash);
  // A sentence's end or a bracket that a mail or a chat took for a part of the link.
  return match ? match[1].replace(/[.,;:!?)\]}>"'*]{1,4}$/, '') : null;
}
