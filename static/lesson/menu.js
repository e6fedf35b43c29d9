// The list of lessons: a dialog with the built-in ones, a file of one's own, and the way to make one.

import { fill, h, icon, setShown, setText } from '../stage/dom.js';
import { counted } from '../stage/format.js';
import { errorCard } from '../stage/news.js';
import { called } from './api.js';
import { MOST_FILE, kindWords } from './model.js';

function menuItem({ slug, title, question, minutes, kind, beats }, open) {
  return h('li', null, h('button', { type: 'button', class: 'lesson-choice', onclick: () => open(slug) },
    h('span', { class: 'lesson-choice-head' }, h('b', null, title), h('span', { class: 'pg-badge', dataset: { kind }, title: kindWords(kind) }, kind)),
    h('span', { class: 'lesson-choice-question' }, question), h('span', { class: 'pg-faint' }, `${counted(minutes, 'minute')} · ${counted(beats, 'beat')}`)));
}

/** The text of a file, or an error as a card. */
export async function fileText(file, most = MOST_FILE) {
  if (file.size > most) {
    return { error: { what: `The file has ${file.size.toLocaleString('en')} bytes; a lesson has at most ${most.toLocaleString('en')}.`, where: file.name, hint: 'Choose a file that was saved here, of type .lesson.json.', line: null, column: null } };
  }
  try {
    return { text: await file.text() };
  } catch (reason) {
    return { error: { what: `The browser could not read the file (${reason.message}).`, where: file.name, hint: 'Choose it again.', line: null, column: null } };
  }
}

/** The menu in `root`. api: see api.js; room: see room.js; load(form) and open(slug) start a lesson, each a promise of null or of an error; begun() comes after that, make() opens the maker.
 *  Returns {show()}. */
export function mountMenu(root, { api, server, room, most, open, load, begun, make }) {
  const error = errorCard();
  const list = h('ul', { class: 'lesson-list' });
  const waiting = h('p', { class: 'pg-faint', role: 'status' }, 'Loading the lessons …');
  const again = h('button', { type: 'button', class: 'pg-button', hidden: true, onclick: () => fetched() }, 'Try again');
  const empty = h('p', { class: 'pg-empty', hidden: true }, 'There are no lessons here yet. Make one from this page, or open a file.');
  const chooser = h('input', { type: 'file', accept: '.json,application/json', class: 'lesson-file', 'aria-label': 'A lesson’s file', tabindex: '-1', onchange: () => opened() });
  const file = h('button', { type: 'button', class: 'pg-button', disabled: !server || !server.open_lesson, onclick: () => chooser.click() }, 'Open a lesson file …');
  const own = h('button', { type: 'button', class: 'pg-button', disabled: !server || !server.save_lesson, onclick: () => { sheet.close(); make(); } }, 'Make a lesson from this page …');
  const code = h('input', { type: 'text', class: 'lesson-join', 'aria-label': 'Code of the room', placeholder: 'Code', maxlength: 8, size: 9, autocomplete: 'off' });
  const joined = h('p', { role: 'status' });
  const join = h('form', { class: 'lesson-room-join', hidden: !room.get().can, onsubmit: (event) => { event.preventDefault(); room.join(code.value); } },
    h('b', null, 'Join a room'), code, h('button', { type: 'submit', class: 'pg-button' }, 'Join'), joined);
  room.subscribe(() => { const { role, error: refusal, words } = room.get(); setText(joined, refusal || (role === 'guest' ? words : '')); });
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => sheet.close() }, icon('close'));
  const sheet = h('dialog', { class: 'pg-dialog lesson-menu', 'aria-label': 'Lessons' },
    h('div', { class: 'pg-dialog-head' }, h('h2', { class: 'lesson-menu-title' }, 'Lessons'), h('span', { class: 'pg-gap' }), close),
    join, error.node, waiting, list, empty, h('div', { class: 'lesson-menu-foot' }, again, file, own, chooser));
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  root.append(h('div', { class: 'pg' }, sheet));

  // The card stands above the list, which may have been scrolled.
  function refused(card) {
    error.show(card);
    error.node.scrollIntoView({ block: 'nearest' });
  }

  async function start(lesson) {
    const failed = await lesson;
    if (failed) { refused(failed); return; }
    error.show(null);
    // A dialog gives the focus back to what opened it; the lesson takes it after that.
    sheet.close();
    begun();
  }

  async function opened() {
    const [chosen] = chooser.files;
    chooser.value = '';
    if (!chosen) return;
    setText(waiting, 'Reading the file, and holding its claims against its numbers …');
    setShown(waiting, true);
    const { text, error: unread } = await fileText(chosen, most);
    const form = unread ? { error: unread } : await called(server, 'open_lesson', { text });
    setShown(waiting, false);
    if (form.error) refused(form.error);
    else await start(load(form));
  }

  async function fetched() {
    error.show(null);
    setShown(again, false);
    setText(waiting, 'Loading the lessons …');
    setShown(waiting, list.childElementCount === 0);
    const index = await api.index();
    setShown(waiting, false);
    setShown(again, Boolean(index.error));
    error.show(index.error || null);
    const lessons = index.lessons || [];
    setShown(empty, !index.error && lessons.length === 0);
    fill(list, lessons.map((each) => menuItem(each, (slug) => start(open(slug)))));
  }

  return { show: () => { if (!sheet.open) sheet.showModal(); return fetched(); } };
}
