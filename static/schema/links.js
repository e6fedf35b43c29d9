// The page's own address: it holds the constraint and the strings, so that a reload and a copied link bring them back.

import { LINK_MAX, pack, packedOf, unpack } from './link.js';

const LINKS_WAIT_MS = 350;
const LINKS_NOTE_MS = 4000;
const LINKS_KEY = 'playground-schema';
const LINKS_BROKEN = 'The link in the address can’t be read';

function brokenWords(touched) {
  return `${LINKS_BROKEN}: a part of it is missing, or another version of this page made it. What stands here is ${touched ? 'what the page had' : 'the example that the page opens with'}. Copy the whole link again, or ask for a new one.`;
}

/** Keeps the address's hash in step with the state, and takes over a link that is opened by `load(page, touched)`. Returns {copy}. */
export function mountLinks(state, { load }) {
  let timer = null;
  let wrote = null;
  let seen = null;
  let noteTimer = null;

  function note(words, stays = false, bad = false) {
    state.set({ linkNote: words, linkBad: bad });
    clearTimeout(noteTimer);
    if (!stays && words) noteTimer = setTimeout(() => state.set({ linkNote: '' }), LINKS_NOTE_MS);
  }

  function held(packed) {
    try { if (packed === null) sessionStorage.removeItem(LINKS_KEY); else sessionStorage.setItem(LINKS_KEY, packed); return true; } catch { return false; }
  }

  async function write() {
    timer = null;
    const now = state.get();
    if (!now.shown || !now.touched) return;
    const packed = await pack(now);
    // A lesson's address is its beat.
    if (document.body.dataset.screen !== 'schema' || document.body.classList.contains('in-lesson')) return;
    const long = packed.length > LINK_MAX;
    wrote = long ? null : packed;
    history.replaceState(history.state, '', long ? '#schema' : `#schema?${packed}`);
    // What is too long for a link still outlives a reload.
    const kept = held(long ? packed : null);
    if (long && kept !== undefined && !state.get().linkNote) note(kept ? 'This page is too long for a link. It is kept in this tab.' : 'This page is too long for a link.', true);
    else if (!long && ['This page is too long', LINKS_BROKEN].some((words) => state.get().linkNote.startsWith(words))) note('');
  }

  const keyOf = ({ kind, source, engine, whitespace, formats, strings, selected, shown, touched }) => [kind, engine, whitespace, formats, selected, shown, touched, source, strings];
  state.subscribeLate(() => {
    const next = keyOf(state.get());
    if (seen && next.every((value, at) => Object.is(value, seen[at]))) return;
    seen = next;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(write, LINKS_WAIT_MS);
  });

  async function read() {
    const packed = packedOf(location.hash);
    if (packed === null || packed === wrote) return;
    wrote = packed;
    const page = await unpack(packed);
    if (page) load(page, true);
    else note(brokenWords(state.get().touched), true, true);
  }
  window.addEventListener('hashchange', read);
  window.addEventListener('popstate', read);

  async function restore() {
    if (packedOf(location.hash) !== null) { await read(); return; }
    if (!location.hash.startsWith('#schema')) return;
    let kept = null;
    try { kept = sessionStorage.getItem(LINKS_KEY); } catch { /* a private window keeps nothing */ }
    const page = kept ? await unpack(kept) : null;
    if (page) load(page, true);
  }
  restore();

  return {
    async copy(copied) {
      const packed = await pack(state.get());
      if (packed.length > LINK_MAX) { note(`Too long for a link: ${packed.length.toLocaleString('en')} characters, at most ${LINK_MAX.toLocaleString('en')}. Take out strings, or shorten the constraint.`, true); return; }
      wrote = packed;
      history.replaceState(history.state, '', `#schema?${packed}`);
      const url = location.href;
      note(await copied(url) ? `Link copied: ${url.length.toLocaleString('en')} characters.` : 'The browser doesn’t let the page copy. The link is in the address bar.');
    },
  };
}
