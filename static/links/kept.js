// What a page that is loaded anew in the same tab comes back to: written when the page is left or hidden, in this tab's own storage alone.
// All of it is written at once: a page that goes away waits for nothing, so nothing is packed here.

const KEPT_NAME = 'playground-kept';
/** Most letters that are kept; of a page with more nothing is. */
export const KEPT_MOST = 500000;
/** These keep an address of their own, which opens them; what is kept is of the stage beside them. */
const KEPT_ADDRESSED = ['schema', 'study'];

/** A place as it is kept, or null where it is too large. app: what names the version of the page; stage: the state of a Step link,
 *  part: what the screen has besides; either may be null. */
export function keptText({ app, screen, hash, stage = null, part = null }) {
  const text = JSON.stringify({ app, screen, hash, stage, part });
  return text.length > KEPT_MOST ? null : text;
}

/** The place in such a text: {screen, stage, part}; null where there is none, it is of another version or damaged, or `hash`, the address's,
 *  names something else. */
export function keptPlace(text, { app, hash }) {
  let found;
  try { found = JSON.parse(text); } catch { return null; }
  if (!found || typeof found !== 'object' || found.app !== app || typeof found.screen !== 'string') return null;
  const { screen, stage = null, part = null } = found;
  if (![stage, part].every((each) => typeof each === 'object' && !Array.isArray(each))) return null;
  const [name, packed = null] = hash.replace(/^#/, '').split('?');
  if ((name || 'step') !== screen) return null;
  if (packed !== null) return KEPT_ADDRESSED.includes(screen) && hash === found.hash ? { screen, stage, part: null } : null;
  return { screen, stage, part };
}

/** Whether the browser brings back a page that this tab had, and the visitor doesn't ask for it anew. */
function isBack() {
  const [entry] = performance.getEntriesByType('navigation');
  return Boolean(document.wasDiscarded) || Boolean(entry) && entry.type !== 'navigate';
}

function stored(act) {
  try { return act(sessionStorage); } catch { return null; }  // a browser that keeps nothing, or is full
}

/** Keeps the place from now on, after it has come back to the one kept before. open(place) brings it back; here(): the stage once it is
 *  there; screenOf(name): that screen or null. */
export async function keepPlace({ app, here, screenOf, open }) {
  const kept = isBack() && !location.search ? keptPlace(stored((all) => all.getItem(KEPT_NAME)), { app, hash: location.hash }) : null;
  const mounted = await here();
  if (!mounted) return;
  const untouched = JSON.stringify(mounted.link());
  // A page that is left before it has come back keeps what it had.
  if (kept) await open(kept);
  const keep = () => {
    const { screen } = document.body.dataset;
    const now = mounted.link();
    const stage = JSON.stringify(now) === untouched ? null : now;
    const part = screenOf(screen)?.link?.() ?? null;
    // A lesson has its own address, and what it shows isn't the visitor's.
    const taught = Boolean(location.search || globalThis.playgroundLesson?.state());
    const text = (stage || part) && !taught ? keptText({ app, screen, hash: location.hash, stage, part }) : null;
    stored((all) => all.removeItem(KEPT_NAME));
    if (text) stored((all) => all.setItem(KEPT_NAME, text));
  };
  window.addEventListener('pagehide', keep);
  document.addEventListener('visibilitychange', () => { if (document.hidden) keep(); });
}
