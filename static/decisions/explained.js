// The free texts of an own schema: written by the model after the typed fields, which it is given.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { counted } from '../stage/format.js';
import { beforeWords, taskButtons, taskNews } from './parts.js';
import { bestOf } from './scores.js';
import { OWN, typeKey } from './state.js';
import { listed } from './words.js';

/** (F) the option decided for each field of a type, by its scores. */
export function choicesOf(scores, fields) {
  return fields.map(({ name, options }) => options.indexOf(bestOf(scores.fields.find((each) => each.name === name)).label));
}

/** Renders it into `root`, below the scores. actions: explain, stop. */
export function mountExplained(root, store, { actions }) {
  const about = h('p', null);
  const write = taskButtons(store, 'explain', 'Write them', { press: actions.explain, stop: actions.stop });
  const news = h('div', { class: 'dc-news' });
  const text = h('pre', { class: 'pg-snippet', tabindex: '0', dir: 'auto', 'aria-label': 'The record as the model wrote it' });
  const old = h('p', { class: 'dc-warning' });
  const note = h('p', { class: 'pg-quiet' });
  fill(root, h('h4', { class: 'dc-result-title' }, 'Then the free texts'), about, h('div', { class: 'dc-actions' }, write.node), news, old, text, note);
  taskNews(news, store, ['explain'], { explain: 'Writing' }, actions);
  const update = () => {
    const state = store.get();
    const { checked, scores, kept, explained: doc } = state;
    const key = typeKey(state);
    const free = state.type === OWN && checked ? checked.free : [];
    const scored = Boolean(scores) && kept.scores.key === key && checked && scores.fields.length === checked.type.fields.length;
    setShown(root, free.length > 0 && Boolean(scored));
    if (root.hidden) return;
    write.update();
    setText(about, `${listed(free)} can’t be chosen from a list: the model writes ${free.length === 1 ? 'it' : 'them'} under the mask of the whole schema, with the decided fields given.`);
    const fits = Boolean(doc) && kept.explained.key === key;
    setShown(text, fits);
    setShown(note, fits);
    setShown(old, false);
    if (!fits) return;
    setText(text, doc.text);
    setText(old, beforeWords('Written', kept.explained.text, state.text, 'Press Write them'));
    setShown(old, old.textContent !== '');
    setText(note, `${counted(doc.tokens, 'decoding step')}. ${doc.law ? `Law: ${doc.law}.` : ''}${doc.finished ? '' : ' Cut off before its end.'}`);
  };
  store.subscribe(update);
  update();
}
