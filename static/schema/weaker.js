// Beside a fix: that the mask holds a model to less since it was applied, and the way back.

import { h, fill, setShown } from '../stage/dom.js';
import { prose } from './prose.js';
import { specKey } from './state.js';
import { weakened } from './weak.js';

/** What the fix that was applied last, and can be undone, took from the mask, in words; empty where nothing, or where that isn't known yet. */
export function weakerWords(now) {
  const { undo, analysis } = now;
  if (!undo || !undo.was || now.trouble || !analysis || analysis.key !== specKey(now)) return '';
  return weakened(undo.was, now);
}

/** The notice for the fixes of one card, by its name in `undo.from`. */
export function weakerNotice(state, from, undo) {
  const words = h('span', null);
  const box = h('p', { class: 'sc-weaker', role: 'status', hidden: true }, words, ' ', h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: undo }, 'Undo'));
  let said = null;
  state.subscribeLate(() => {
    const now = state.get();
    const told = now.undo && now.undo.from === from ? weakerWords(now) : '';
    setShown(box, Boolean(told));
    if (told !== said) { said = told; fill(words, prose(told)); }
  });
  return box;
}
