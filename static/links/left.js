// The run on Step lives in its page alone. What a reload would lose, or a phone that drops the tab, is kept in the tab's own store.

import { MOST_PACKED, pack, unpack } from './pack.js';

const LEFT_KEY = 'playground-left';
const LEFT_MS = 500;

/** What was left on Step when this page was loaded anew and its address names nothing else: a packed state, or null. */
export function leftBehind() {
  const [loaded] = performance.getEntriesByType('navigation');
  if (!loaded || loaded.type !== 'reload' || location.hash || location.search) return null;
  try { return sessionStorage.getItem(LEFT_KEY); } catch { return null; }
}

/** The state of `packed`, or null where it can't be read. */
export async function leftState(packed) {
  const { state, error } = await unpack(packed);
  return error ? null : state;
}

/** Keeps what `stage` shows from now on, once it rests; not what the page opened with, nor what a lesson shows. */
export function keepLeft(stage, inLesson) {
  const opened = JSON.stringify(stage.link());
  let timer = null;
  async function save() {
    if (inLesson()) return;
    const state = stage.link();
    const packed = state && JSON.stringify(state) !== opened ? await pack(state) : null;
    try {
      if (packed !== null && packed.length <= MOST_PACKED) sessionStorage.setItem(LEFT_KEY, packed);
      else sessionStorage.removeItem(LEFT_KEY);
    } catch { /* no storage: a reload begins anew */ }
  }
  stage.store.subscribe(() => { clearTimeout(timer); timer = setTimeout(save, LEFT_MS); });
}
