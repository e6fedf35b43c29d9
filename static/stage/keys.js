// The keyboard of the Step screen, and the sheet that lists it.

import { fill, h, icon } from './dom.js';
import { orderedRows } from './candidates.js';
import { exactHere, nextLayer, nextOrder } from './exact.js';
import { otherSpeed } from './transport.js';
import { STRIP_MARKS } from './strip.js';

const KEYS_LIST = [
  ['Right, l', 'step: forward, or a new token at the end'],
  ['Left, h', 'back'],
  ['Home, End', 'first step, end of the run'],
  ['Space', 'play, pause'],
  ['N, Shift N', 'next, previous event'],
  ['Up k, Down j', 'move in the rows'],
  ['Enter', 'take the row; a blocked one shows where it breaks'],
  ['B', 'fork here'],
  ['Tab + 1 to 9', 'lane'],
  ['U, Shift U', 'undo, redo'],
  ['O', 'order of the rows'],
  ['Shift L', 'log or linear bars'],
  ['M', 'bars: all, model, after mask, exact'],
  ['W', 'watch the row'],
  ['/', 'find a token'],
  ['E', 'export'],
  ['[ and ]', 'slower, faster'],
  ['T', 'light or dark'],
  ['Esc', 'stop, close'],
  ['?', 'this list'],
];

const KEYS_TYPING = 'input:not([type=checkbox]):not([type=button]),textarea,select,[contenteditable=""],[contenteditable="true"],.cm-editor,[role=slider],[role=tablist],[role=tab],[role=radiogroup],[role=combobox],[role=textbox],dialog';
const KEYS_PRESSING = 'button,a[href],summary,label,[role=button]';

/** What a key press means: the name of a command, or null. Pure, so that it can be tested: `event` needs key, shiftKey. */
export function keyCommand(event) {
  const { key, shiftKey = false } = event;
  switch (key) {
    case 'ArrowRight': case 'l': return 'next';
    case 'ArrowLeft': case 'h': case 'H': return 'back';
    case 'Home': return 'home';
    case 'End': return 'end';
    case ' ': return 'play';
    case 'n': return 'eventNext';
    case 'N': return shiftKey ? 'eventBack' : 'eventNext';
    case 'ArrowUp': case 'k': case 'K': return 'rowUp';
    case 'ArrowDown': case 'j': case 'J': return 'rowDown';
    case 'Enter': return 'take';
    case 'b': case 'B': return 'branch';
    case 'u': return 'undo';
    case 'U': return shiftKey ? 'redo' : 'undo';
    // Shift L: a bare l is a step to the right, as h is one to the left.
    case 'L': return 'log';
    case 'o': case 'O': return 'order';
    case 'm': case 'M': return 'layer';
    case 'w': case 'W': return 'watch';
    case '/': return 'find';
    case 'e': case 'E': return 'export';
    case 't': case 'T': return 'theme';
    case '[': return 'slower';
    case ']': return 'faster';
    case '?': return 'help';
    case 'Escape': return 'stop';
    default: return null;
  }
}

/** Listens on the window while the stage is on screen. Returns {openHelp, remove}. */
export function mountKeys(root, store, { onEscape = () => false } = {}) {
  const use = h('input', { type: 'checkbox', checked: true, onchange: () => store.set({ keys: use.checked }) });
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => sheet.close() }, icon('close'));
  const keyRow = ([keys, words]) => h('div', null, h('dt', null, keys), h('dd', null, words));
  const list = h('dl', { class: 'pg-keys' });
  const sheet = h('dialog', { class: 'pg-dialog', 'aria-label': 'Keys and marks' },
    h('div', { class: 'pg-dialog-head' }, h('h3', { class: 'pg-card-title' }, 'Keys'), h('span', { class: 'pg-gap' }), close),
    h('label', { class: 'pg-check' }, use, 'use these keys (never while typing)'),
    list,
    h('h3', { class: 'pg-card-title' }, 'Marks'),
    h('ul', { class: 'pg-marks' }, STRIP_MARKS.map(([event, name, words]) => h('li', null, icon(name), words)),
      h('li', null, h('span', { class: 'pg-token' }, '␣ ↵ ⇥'), 'space, newline, tab'), h('li', null, h('span', { class: 'pg-token' }, '\\xf0'), 'a byte that is no whole character')));
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  root.append(sheet);

  let tabDown = false;
  let before = null;

  function moveRow(by) {
    const position = store.shown();
    if (!position) return;
    const rows = orderedRows(position, store.view().order, exactHere(store).law);
    const now = store.view().focusRow;
    const start = position.taken ? rows.findIndex((row) => row.id === position.taken.id) : -1;
    const next = now === null ? (by > 0 ? Math.max(0, start) : start < 0 ? rows.length - 1 : start) : Math.max(0, Math.min(rows.length - 1, now + by));
    store.set({ focusRow: next, hoverToken: rows[next].id, lockedToken: null });
  }

  function focusedToken() {
    const position = store.shown();
    if (!position) return null;
    const { focusRow, lockedToken, hoverToken, order } = store.view();
    const row = focusRow === null ? null : orderedRows(position, order, exactHere(store).law)[focusRow];
    return row ? row.id : lockedToken !== null ? lockedToken : hoverToken;
  }

  const act = store.actions;
  const commands = {
    next: () => act.next(), back: () => act.back(), home: () => act.home(), end: () => act.end(),
    play: () => (store.view().playing ? act.stop() : act.play()),
    eventNext: () => act.nextEvent(1), eventBack: () => act.nextEvent(-1), rowUp: () => moveRow(-1), rowDown: () => moveRow(1),
    take: () => { const position = store.shown(); const { focusRow, order } = store.view(); if (position && focusRow !== null) act.take(orderedRows(position, order, exactHere(store).law)[focusRow].id); },
    branch: () => { if (store.live()) act.branch(); }, undo: () => act.undo(), redo: () => act.redo(),
    log: () => store.set({ log: !store.view().log }),
    order: () => store.set({ order: nextOrder(store), focusRow: null }),
    layer: () => store.set({ layer: nextLayer(store) }),
    watch: () => { const token = focusedToken(); if (token !== null && store.live()) act.watch(token); },
    find: () => { if (store.hooks.openFind) store.hooks.openFind(); },
    'export': () => { if (store.hooks.openExport) store.hooks.openExport(); },
    theme: () => { if (globalThis.playgroundShell) globalThis.playgroundShell.theme(); },
    slower: () => store.set({ speed: otherSpeed(store.view().speed, -1) }),
    faster: () => store.set({ speed: otherSpeed(store.view().speed, 1) }),
    help: () => openHelp(),
    stop: () => { if (onEscape()) return; act.stop(); store.set({ lockedToken: null, hoverToken: null, focusRow: null }); },
  };

  function openHelp() {
    use.checked = store.view().keys;
    // A page with lessons has their keys too; an export has none.
    fill(list, [...KEYS_LIST, ...(globalThis.playgroundLesson ? globalThis.playgroundLesson.keys : [])].map(keyRow));
    if (!sheet.open) sheet.showModal();
  }

  const seen = () => root.isConnected && root.getClientRects().length > 0;

  function onKey(event) {
    if (!root.isConnected) { remove(); return; }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !seen()) return;
    const target = event.target;
    if (target.closest && target.closest(KEYS_TYPING)) return;
    if (event.key === 'Tab') { tabDown = true; before = document.activeElement; return; }
    const command = keyCommand(event);
    if (!store.view().keys && command !== 'help' && command !== 'stop') return;
    if (tabDown && /^[1-9]$/.test(event.key)) {
      const lane = store.lanes().filter((each) => !each.ghost)[Number(event.key) - 1];
      if (lane) act.selectLane(lane.id);
      // Tab moved the focus on its way; a chord shouldn't.
      if (before && before.isConnected && before.focus) before.focus({ preventScroll: true });
      event.preventDefault();
      return;
    }
    if (!command || !store.lane()) return;
    if ((event.key === ' ' || event.key === 'Enter') && target.closest && target.closest(KEYS_PRESSING)) return;
    if (command === 'take' && store.view().focusRow === null) return;
    // A key held down scrubs, but does not pile up requests.
    if (event.repeat && (['play', 'take', 'branch', 'help', 'watch', 'layer', 'log', 'order'].includes(command) || store.view().busy)) { event.preventDefault(); return; }
    event.preventDefault();
    commands[command]();
  }

  function onKeyUp(event) {
    if (event.key === 'Tab') tabDown = false;
  }

  const onBlur = () => { tabDown = false; };

  function remove() {
    window.removeEventListener('keydown', onKey);
    window.removeEventListener('keyup', onKeyUp);
    window.removeEventListener('blur', onBlur);
  }

  window.addEventListener('keydown', onKey);
  window.addEventListener('keyup', onKeyUp);
  window.addEventListener('blur', onBlur);
  return { openHelp, remove };
}
