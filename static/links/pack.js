// A screen's state as a short text for the address, and back: versioned, bounded, and refused in words. No page here.

import { TooMuch, base64url, bytesOf, deflated, inflated } from './bytes.js';

/** The version of the states that this page writes. playground/links.py holds the same numbers, and a test holds the two together. */
export const VERSION = 1;
/** Longest link that is made, characters of its packed part: longer ones break in mails and chats. */
export const MOST_PACKED = 16000;
/** Longest that is read. */
export const MOST_READ = 32000;
/** Most bytes that one is unpacked to. */
export const MOST_BYTES = 500000;
/** Longest address that a phone reads well from a QR code, characters. */
export const MOST_SCANNED = 1800;

/** What brings a state of an older version to the next one, by the older one's number. */
export const MIGRATIONS = {};

const AGAIN = 'Copy the whole link again, or ask for a new one. The page shows what it had.';

function card(what, hint) {
  return { what, where: 'link', hint, line: null, column: null };
}

const BROKEN = () => card('The link in the address can’t be read: a part of it is missing or was changed.', AGAIN);

/** A state of the version `now`, through the steps of `table`: {state}, or {error}, a card. */
export function migrated(plain, table = MIGRATIONS, now = VERSION) {
  if (!plain || typeof plain !== 'object' || Array.isArray(plain) || !Number.isSafeInteger(plain.v) || plain.v < 0) return { error: BROKEN() };
  if (plain.v > now) return { error: card(`This link was made by a newer version of this page: its form is ${plain.v}, and this page reads up to ${now}.`, 'Reload the page. If that changes nothing, open the link where it was made.') };
  let state = plain;
  while (state.v < now) {
    const step = Object.hasOwn(table, state.v) ? table[state.v] : null;
    if (!step) return { error: card(`This link was made by an older version of this page: its form ${plain.v} can no longer be read.`, 'Ask for a new link, or set the problem up again.') };
    state = { ...step(state), v: state.v + 1 };
  }
  return { state };
}

/** A screen's state in the letters of an address; `v` is put to it. */
export async function pack(state) {
  // JSON spells the half of a surrogate pair as an escape, so that any text comes back.
  return base64url(await deflated(new TextEncoder().encode(JSON.stringify({ v: VERSION, ...state }))));
}

/** What `pack` made: {state}, or {error}, a card. Nothing in it is checked but its version. */
export async function unpack(packed) {
  if (typeof packed !== 'string' || !/^[\w-]+$/.test(packed)) return { error: BROKEN() };
  if (packed.length > MOST_READ) return { error: card(`The link in the address has ${packed.length.toLocaleString('en')} characters; at most ${MOST_READ.toLocaleString('en')} are read.`, 'Ask for the trace as a file instead.') };
  let plain;
  try {
    const bytes = await inflated(bytesOf(packed), MOST_BYTES);
    plain = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (reason) {
    if (reason instanceof TooMuch) return { error: card(`The link in the address unpacks to more than ${MOST_BYTES.toLocaleString('en')} bytes, which no link of this page does.`, 'It was not made by this page; nothing of it was opened.') };
    return { error: BROKEN() };
  }
  return migrated(plain);
}

/** What stands in an address's hash: {screen, packed}; packed is null where there is no state. */
export function fragment(hash) {
  const [screen, ...rest] = hash.replace(/^#/, '').split('?');
  // A sentence's end or a bracket that a mail or a chat took for a part of the link.
  return { screen, packed: rest.length ? rest.join('?').replace(/(?:[.,;:!?)\]}>"'*]|%22|%27|%3E){1,4}$/, '') : null };
}

/** A card for a state that was unpacked but isn't one of this screen. */
export function misfit(about) {
  return card(`The link in the address holds ${about} that this page can’t open.`, AGAIN);
}

/** The lesson that an address names: {slug, beat} with the beat from 0, or null. */
export function lessonOf(search) {
  const given = new URLSearchParams(search);
  const slug = given.get('lesson');
  if (slug === null || !/^[a-z0-9][a-z0-9-]{0,59}$/.test(slug)) return null;
  const beat = given.get('beat');
  return { slug, beat: beat !== null && /^[0-9]{1,3}$/.test(beat) ? Math.max(0, Number(beat) - 1) : 0 };
}

/** The search of an address for a lesson's beat, from 0. */
export function searchOf({ slug, beat }) {
  return `?lesson=${slug}&beat=${beat + 1}`;
}

/** What is said of an address that no other machine can open; '' for one that others may. */
export function aloneWords(hostname) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) ? 'This address works on this machine alone; start with --host 0.0.0.0 and open the page by this machine’s name.' : '';
}
