// A head as the visitor's own file: saved by the browser, opened from it, never kept on the server.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { bytesOf } from '../study/downloads.js';
import { inTheWay, origin, taskNews } from './parts.js';
import { MOST_FILE, headOf, typeOf } from './state.js';
import { listed } from './words.js';

/** What is wrong with a file before it is read, as a card; null for nothing. */
export function fileRefusal({ name, size }) {
  const hint = 'Open a .safetensors file that this page has made.';
  if (size > MOST_FILE) return { what: `The file has ${count(size)} bytes, more than the ${count(MOST_FILE)} that are read.`, where: name, hint };
  if (size === 0) return { what: 'The file is empty.', where: name, hint };
  return null;
}

/** The fields that a refused head could be widened in: only options were added to them. */
export function addedTo({ task, error, offered }) {
  return task === 'open' && offered && error && Array.isArray(error.added) ? error.added.map(([name]) => name) : [];
}

/** Bytes as base64, in pieces that fit a call. */
export function base64Of(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

/** Saves a head as a file of the browser. */
export function saveHead({ base64 }, name) {
  const url = URL.createObjectURL(new Blob([bytesOf(base64)], { type: 'application/octet-stream' }));
  const link = h('a', { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Renders both ways into `root`. actions: download(), open(file), recorded(), widen(). */
export function mountFile(root, store, { actions }) {
  const news = h('div', { class: 'dc-news' });
  const which = h('p', null);
  const save = h('button', { type: 'button', class: 'pg-button', onclick: () => { if (headOf(store.get())) setText(status, `Saved ${actions.download()}.`); } }, 'Download the head (.safetensors)');
  const back = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: actions.recorded }, 'Back to the recorded head');
  const input = h('input', { type: 'file', class: 'dc-file', accept: '.safetensors', 'aria-describedby': 'dc-file-note', onchange: () => { const [file] = input.files; input.value = ''; if (file) actions.open(file); } });
  const widen = h('button', { type: 'button', class: 'pg-button', onclick: actions.widen });
  const status = h('p', { class: 'pg-quiet', role: 'status' });
  fill(root, h('div', { class: 'dc-file-box' }, news, widen, which, h('div', { class: 'dc-actions' }, save, back),
    h('label', { class: 'dc-labelled' }, 'Open a head file', input), h('p', { class: 'pg-quiet', id: 'dc-file-note' }, `At most ${MOST_FILE / 1e6} MB. It is tried on the ticket above. A head knows the schema that it was trained on: under another one it is refused, and you are told which field differs. The model that generates has no such tie; it reads a new option in its prompt.`), status));
  taskNews(news, store, ['open'], { open: 'Trying the head on the ticket' });
  const update = () => {
    const state = store.get();
    const head = headOf(state);
    fill(which, head ? ['At hand: ', h('b', null, head.name), ' ', origin(head.origin)] : 'No head at hand for this type.');
    setAttr(save, 'aria-disabled', head ? null : 'true');
    const type = typeOf(state);
    const added = addedTo(state);
    setShown(widen, added.length > 0);
    setText(widen, `Widen that head and fine-tune ${listed(added)}`);
    setShown(back, Boolean(head && head.origin !== 'recorded' && state.recordedHeads[state.type]));
    input.disabled = !type || Boolean(inTheWay(state, 'open'));
  };
  store.subscribe(update);
  update();
}
