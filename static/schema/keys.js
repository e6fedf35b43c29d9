// The keyboard of the Schema screen, and the sheet that lists it.

import { h, icon } from '../stage/dom.js';

const KEYS_LIST = [
  ['Right, l', 'one byte on'], ['Left, h', 'one byte back'], ['Shift Right, Shift Left', 'one token on, back'], ['Home, End', 'first byte, the end'], ['F', 'to the byte where it fails'],
  ['j, k', 'next, previous string'], ['A', 'add a string'], ['E', 'to the editor; Tab leaves it, Ctrl ] indents'], ['1 to 4', 'screens'], ['T', 'light or dark'], ['?', 'this list'],
];
const KEYS_TYPING = 'input:not([type=checkbox]):not([type=button]),textarea,select,[contenteditable=""],[contenteditable="true"],.cm-editor,[role=slider],[role=tablist],[role=tab],[role=radiogroup],[role=radio],[role=combobox],[role=textbox],dialog';

/** What a key press means here: the name of a command, or null. `event` needs key and shiftKey. */
export function keyCommand({ key, shiftKey = false }) {
  switch (key) {
    case 'ArrowRight': return shiftKey ? 'nextToken' : 'next';
    case 'ArrowLeft': return shiftKey ? 'backToken' : 'back';
    case 'l': return 'next';
    case 'h': return 'back';
    case 'Home': return 'home';
    case 'End': return 'end';
    case 'f': case 'F': return 'fail';
    case 'j': return 'stringNext';
    case 'k': return 'stringBack';
    case 'a': case 'A': return 'add';
    case 'e': case 'E': return 'edit';
    case '?': return 'help';
    default: return null;
  }
}

/** Listens on the window while `root` is on screen. `commands`: what each does. Returns {open}. */
export function mountKeys(root, commands) {
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => sheet.close() }, icon('close'));
  const sheet = h('dialog', { class: 'pg-dialog', 'aria-label': 'Keys' }, h('div', { class: 'pg-dialog-head' }, h('h3', { class: 'pg-card-title' }, 'Keys'), h('span', { class: 'pg-gap' }), close),
    h('dl', { class: 'pg-keys' }, KEYS_LIST.map(([keys, words]) => h('div', null, h('dt', null, keys), h('dd', null, words)))));
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  root.append(sheet);
  const open = () => { if (!sheet.open) sheet.showModal(); };
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || root.getClientRects().length === 0) return;
    if (event.target.closest && event.target.closest(KEYS_TYPING)) return;
    const command = keyCommand(event);
    if (!command) return;
    event.preventDefault();
    if (command === 'help') open(); else commands[command]();
  });
  return { open };
}
