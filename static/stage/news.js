// Progress, and errors in words: the same line and the same card on every screen.

import { h, icon, setAttr, setShown, setText } from './dom.js';

/** The line of progress. Returns {node, show(news)}: news is {words, done: a share from 0 to 1, or null where it isn't known}, or null. */
export function progressLine() {
  const words = h('span', null);
  const fraction = h('span', { class: 'pg-progress-done' });
  const meter = h('div', { class: 'pg-progress-bar' }, fraction);
  const node = h('div', { class: 'pg-progress', role: 'status', hidden: true }, words, meter);
  return {
    node,
    show(news) {
      setShown(node, Boolean(news));
      if (!news) return;
      setText(words, news.words);
      const known = Number.isFinite(news.done);
      setAttr(meter, 'data-known', known);
      fraction.style.width = known ? `${100 * Math.max(0, Math.min(1, news.done))}%` : '';
    },
  };
}

/** Where an error is, with the line and the column that it names apart from that. */
export function placeWords({ where, line, column }) {
  const place = line ? `line ${line}${column ? `, column ${column}` : ''}` : '';
  return [where, (where || '').includes(place) ? '' : place].filter(Boolean).join(', ');
}

/** The card of an error: what, where, what to do. Returns {node, show(error)}: error is {what, where, hint, line, column}, or null.
 *  dismiss() is what its button does; without one it has none. */
export function errorCard(dismiss = null) {
  const what = h('strong', { class: 'pg-error-what' });
  const where = h('span', { class: 'pg-error-where' });
  const hint = h('p', { class: 'pg-error-hint' });
  const node = h('div', { class: 'pg-error', role: 'alert', hidden: true }, icon('blocked'), h('div', { class: 'pg-error-words' }, h('p', null, what, where), hint),
    dismiss ? h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Dismiss', title: 'Dismiss', onclick: dismiss }, icon('close')) : null);
  return {
    node,
    show(error) {
      setShown(node, Boolean(error));
      if (!error) return;
      setText(what, error.what || 'Something went wrong.');
      setText(where, placeWords(error));
      setText(hint, error.hint || '');
    },
  };
}

/** Renders both into `root`. waiting(state) says what to show while nothing is told; null for nothing. */
export function mountNews(root, store, waiting) {
  const progress = progressLine();
  const card = errorCard(() => store.set({ error: null }));
  root.append(progress.node, card.node);
  const update = () => {
    const now = store.get();
    progress.show(now.progress || waiting(now));
    card.show(now.error);
  };
  store.subscribe(update);
  update();
}
