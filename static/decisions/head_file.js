// A head as the visitor's own file: saved by the browser, opened from it, never kept on the server.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { saveFile } from '../stage/saving.js';
import { bytesOf } from '../study/downloads.js';
import { inTheWay, origin, taskNews } from './parts.js';
import { MOST_FILE, headOf, runOf, typeOf } from './state.js';
import { listed } from './words.js';

/** What is wrong with a file before it is read, as a card; null for nothing. */
export function fileRefusal({ name, size }) {
  const hint = 'Open a .safetensors file that this page has made.';
  if (size > MOST_FILE) return { what: `The file has ${count(size)} bytes, more than the ${count(MOST_FILE)} that are read.`, where: name, hint };
  if (size === 0) return { what: 'The file is empty.', where: name, hint };
  return null;
}

/** What a refused head could be widened by, [[field, labels]]: only options were added. */
export function addedTo(state) {
  const { failed, error } = runOf(state, 'open');
  return failed === 'open' && state.offered && error && Array.isArray(error.added) ? error.added : [];
}

/** Of options [[field, labels]] those that no built-in ticket has, in words; '' where all are taught. */
export function untaughtWords(added, { types }) {
  const known = types.find(({ trainable }) => trainable)?.fields || [];
  const has = (name, label) => known.some((field) => field.name === name && field.options.includes(label));
  const left = added.map(([name, labels]) => [name, labels.filter((label) => !has(name, label))]).filter(([, labels]) => labels.length);
  return left.length ? untaughtSentence(left) : '';
}

/** What it means that no built-in ticket has some options [[field, labels]]. */
export function untaughtSentence(left) {
  return `No built-in ticket has ${listed(left.map(([name, labels]) => `${name} ${labels.join(' or ')}`))}: fine-tuning can’t teach it, only its prior falls. The head fits the schema again, and all but never decides it.`;
}

/** Bytes as base64, in pieces that fit a call. */
export function base64Of(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

/** Saves a head as a file of the browser. */
export function saveHead({ base64 }, name) {
  saveFile(name, 'application/octet-stream', bytesOf(base64));
}

/** Renders both ways into `root`. actions: download(), open(file), recorded(), widen(). */
export function mountFile(root, store, { actions }) {
  const news = h('div', { class: 'dc-news' });
  const which = h('p', null);
  const untaught = h('p', { class: 'dc-warning' });
  let saved = null;
  const save = h('button', { type: 'button', class: 'pg-button', onclick: () => { saved = headOf(store.get()); if (saved) setText(status, `Saved ${actions.download()}.`); } }, 'Download the head (.safetensors)');
  const back = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: actions.recorded }, 'Back to the recorded head');
  const input = h('input', { type: 'file', class: 'dc-file', accept: '.safetensors', 'aria-describedby': 'dc-file-note', onchange: () => { const [file] = input.files; input.value = ''; if (file) actions.open(file); } });
  const widen = h('button', { type: 'button', class: 'pg-button', onclick: actions.widen });
  const status = h('p', { class: 'pg-quiet', role: 'status' });
  fill(root, h('div', { class: 'dc-file-box' }, news, untaught, widen, which, h('div', { class: 'dc-actions' }, save, back),
    h('label', { class: 'dc-labelled' }, 'Open a head file', input), h('p', { class: 'pg-quiet', id: 'dc-file-note' }, `At most ${MOST_FILE / 1e6} MB. It is tried on the ticket above. A head knows the schema that it was trained on: under another one it is refused, and you are told which field differs. The model that generates has no such tie; it reads a new option in its prompt.`), status));
  taskNews(news, store, ['open'], { open: 'Trying the head on the ticket' }, actions);
  const update = () => {
    const state = store.get();
    const head = headOf(state);
    fill(which, head ? ['At hand: ', h('b', null, head.name), ' ', origin(head.origin), head.origin === 'recorded' ? null : ' It lives in this page alone, and a reload loses it: download it to keep it.'] : 'No head at hand for this type.');
    setAttr(save, 'aria-disabled', head ? null : 'true');
    const type = typeOf(state);
    const added = addedTo(state);
    setShown(widen, added.length > 0);
    setText(widen, `Widen that head and fine-tune ${listed(added.map(([name]) => name))}`);
    setText(untaught, added.length ? untaughtWords(added, state.page) : '');
    setShown(untaught, untaught.textContent !== '');
    if (saved !== head) setText(status, '');
    setShown(back, Boolean(head && head.origin !== 'recorded' && state.recordedHeads[state.type]));
    input.disabled = !type || Boolean(inTheWay(state, 'open'));
  };
  store.subscribe(update);
  update();
}
