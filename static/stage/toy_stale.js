// What was written about a toy as it was: set back, and said to be old, once the toy's table has been edited.

import { h, setShown } from './dom.js';

const STALE_WORDS = 'The toy’s table has been edited: this was written about the toy as it was.';

/** Keeps watch over the toy's `note` and over the lesson's sentences at the top of the stage that `root` is in.
 *  `restore()` puts the original table back; `canRestore()`: there is one. */
export function mountStale(root, store, { note, restore, canRestore }) {
  const atNote = h('p', { class: 'pg-toy-stale', hidden: true }, STALE_WORDS);
  note.before(atNote);
  const back = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: restore }, 'Back to the original');
  const line = h('span', null, STALE_WORDS, back);
  Object.assign(line.style, { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '2px 10px' });
  const atLesson = h('p', { class: 'pg-toy-stale', hidden: true }, line);
  atLesson.style.gridColumn = '1 / -1';
  const words = root.closest('.pg')?.querySelector('.pg-head-words') ?? null;
  if (words) words.append(atLesson);
  const update = () => {
    const doc = store.doc();
    const stale = Boolean(doc && doc.problem.toy && doc.toy_edited);
    setShown(atNote, stale && Boolean(doc.problem.toy.note));
    setShown(atLesson, stale && Boolean(doc.lesson));
    setShown(back, canRestore());
    const sentences = words ? words.querySelectorAll('.pg-question, .pg-lesson-caption') : [];
    // Set back by colour and slant; less contrast would make them hard to read.
    for (const each of [note, ...sentences]) Object.assign(each.style, { color: stale ? 'var(--pg-soft)' : '', fontStyle: stale ? 'italic' : '' });
  };
  store.subscribe(update);
  update();
}
