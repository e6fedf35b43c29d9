// The keys of lessons and of presenting: what each means, and the sheet that lists them where the screen has none of its own.

import { h, icon } from '../stage/dom.js';

/** What the sheets of keys list. */
export const KEYS = [
  ['PgDn, PgUp', 'lesson: next, previous beat; an open question is shown first'],
  ['Right, Left, Space', 'presenting a lesson: next, previous, next beat'],
  ['1 to 5', 'lesson: answer the question'],
  ['P', 'present; Esc leaves'],
  ['Home', 'presenting: first beat'],
  ['C', 'curtain over the numbers'],
  ['.', 'blank screen'],
  ['X', 'spotlight at the pointer'],
  ['Q', 'QR code of this place'],
  ['Shift R', 'lesson: start again; 10 s to undo by U'],
];

const KEYS_TYPING = 'input:not([type=checkbox]):not([type=button]),textarea,select,[contenteditable=""],[contenteditable="true"],.cm-editor,[role=slider],[role=combobox],[role=textbox],dialog';

// Space presses what has the focus.
const KEYS_PRESSING = 'button,a[href],summary,label,[role=button]';

/** What a key means here: the name of a command, or null. at: {inLesson, presenting, asking, questioned, undoing, ended, options, letters};
 *  `letters` is off where the visitor has switched keys of one letter off. */
export function lessonCommand({ key, shiftKey = false }, { inLesson, presenting, asking, questioned = asking, undoing = false, ended = false, options = 0, blank = false, letters = true }) {
  // A clicker sends these; nothing else on a blank screen means anything but light.
  if (blank) return ['.', 'Escape', 'PageDown', 'PageUp'].includes(key) ? 'blank' : null;
  if (inLesson && key === 'PageDown') return 'next';
  if (inLesson && key === 'PageUp') return 'back';
  if (inLesson && presenting) {
    if (ended && (key === 'ArrowDown' || key === 'ArrowUp')) return key === 'ArrowDown' ? 'down' : 'up';
    if (key === 'ArrowRight' || key === ' ') return 'next';
    if (key === 'ArrowLeft') return 'back';
    if (key === 'Home') return 'first';
  }
  if (presenting && key === 'Escape') return 'leave';
  // Where a digit may be an answer, and where a class looks on, none opens another screen.
  if ((questioned || presenting) && /^[1-9]$/.test(key)) return letters && asking && Number(key) <= options ? `answer ${key}` : 'nothing';
  if (!letters) return null;
  if (undoing && (key === 'u' || key === 'U')) return 'undo';
  switch (key) {
    case 'p': case 'P': return 'present';
    case 'c': case 'C': return 'curtain';
    case '.': return 'blank';
    case 'x': case 'X': return 'spotlight';
    case 'q': case 'Q': return 'qr';
    case 'R': return inLesson && shiftKey ? 'reset' : null;
    case '?': return 'help';
    default: return null;
  }
}

/** The sheet of these keys, in `root`: {open()}. */
function keySheet(root) {
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => sheet.close() }, icon('close'));
  const sheet = h('dialog', { class: 'pg-dialog', 'aria-label': 'Keys of lessons' }, h('div', { class: 'pg-dialog-head' }, h('h3', { class: 'pg-card-title' }, 'Keys'), h('span', { class: 'pg-gap' }), close),
    h('dl', { class: 'pg-keys' }, KEYS.map(([keys, words]) => h('div', null, h('dt', null, keys), h('dd', null, words)))));
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  root.append(h('div', { class: 'pg' }, sheet));
  return { open: () => { if (!sheet.open) sheet.showModal(); } };
}

/** Listens before the screens do. at() says how things stand; commands: what each does. A command that gives false lets the key go on. */
export function mountLessonKeys(root, { at, commands }) {
  const sheet = keySheet(root);
  const all = { ...commands, help: () => (document.body.dataset.screen === 'step' || document.body.dataset.screen === 'schema' ? false : sheet.open()), nothing: () => {} };

  function onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest && event.target.closest(KEYS_TYPING)) return;
    // A dialog over the page has the keys to itself.
    if (document.querySelector('dialog:modal')) return;
    if (event.key === ' ' && event.target.closest && event.target.closest(KEYS_PRESSING)) return;
    const command = lessonCommand(event, at());
    if (!command) return;
    if (event.repeat && !['next', 'back', 'down', 'up'].includes(command)) { event.preventDefault(); event.stopImmediatePropagation(); return; }
    const [name, option] = command.split(' ');
    if (all[name](option ? Number(option) - 1 : undefined) === false) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  globalThis.addEventListener('keydown', onKey, true);
  return { sheet };
}
