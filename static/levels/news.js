// Progress, and errors in words with a way to dismiss them.

import { h, icon, setAttr, setShown, setText } from '../stage/dom.js';

/** Renders the news into `root`. */
export function mountNews(root, store) {
  const words = h('span', null);
  const fraction = h('span', { class: 'pg-progress-done' });
  const meter = h('div', { class: 'pg-progress-bar' }, fraction);
  const progress = h('div', { class: 'pg-progress', role: 'status', hidden: true }, words, meter);
  const what = h('strong', { class: 'pg-error-what' });
  const where = h('span', { class: 'pg-error-where' });
  const hint = h('p', { class: 'pg-error-hint' });
  const card = h('div', { class: 'pg-error', role: 'alert', hidden: true }, icon('blocked'), h('div', { class: 'pg-error-words' }, h('p', null, what, where), hint),
    h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Dismiss', title: 'Dismiss', onclick: () => store.set({ error: null }) }, icon('close')));
  root.append(progress, card);
  const update = () => {
    const { error, progress: news, running, adrift, opening } = store.get();
    const waiting = news || (opening ? { words: 'Opening the prompt', done: null } : running && adrift ? { words: 'Starting', done: null } : null);
    setShown(progress, Boolean(waiting));
    if (waiting) {
      setText(words, waiting.words);
      const known = Number.isFinite(waiting.done) && waiting.done !== null;
      setAttr(meter, 'data-known', known);
      fraction.style.width = known ? `${100 * Math.max(0, Math.min(1, waiting.done))}%` : '';
    }
    setShown(card, Boolean(error));
    if (error) {
      setText(what, error.what || 'Something went wrong.');
      setText(where, error.where || '');
      setText(hint, error.hint || '');
    }
  };
  store.subscribe(update);
  update();
}
