// Presenting: large type for a projector, a curtain, a blank screen, a spotlight and a QR code.

import { fill, h, setAttr, setShown, setText, svg } from '../stage/dom.js';
import { aloneWords } from '../links/pack.js';
import { called } from './api.js';
import { PARTS, USUAL, partElement } from './parts.js';

const PRESENT_SIZE = 'playground-present-size';
/** Sizes of the type, px: smallest, usual, largest. */
export const SIZES = { least: 18, usual: 24, most: 40 };
const PRESENT_ON = 'playground-presenting';
const PRESENT_SOLO = 'lesson-solo';

/** A size within bounds; the usual one for what is none. */
export function readSize(text) {
  const size = Number.parseInt(text, 10);
  return Number.isFinite(size) ? Math.max(SIZES.least, Math.min(SIZES.most, size)) : SIZES.usual;
}

function storedSize() {
  try { return readSize(localStorage.getItem(PRESENT_SIZE)); } catch { return SIZES.usual; }
}

// A reload goes on presenting, in this tab.
function kept(to) {
  try {
    if (to) sessionStorage.setItem(PRESENT_ON, '1'); else sessionStorage.removeItem(PRESENT_ON);
  } catch { /* no storage: a reload ends it */ }
}

function wasOn() {
  try { return sessionStorage.getItem(PRESENT_ON) === '1'; } catch { return false; }
}

const PRESENT_TIGHT = 4;
const PRESENT_SMALLEST = 0.5;

const body = () => document.body;
const on = () => body().classList.contains('presenting');

/** A dialog with the QR code of the address that `link()` promises. */
function qrSheet(root, server, link) {
  const picture = h('div', { class: 'present-qr' });
  const address = h('p', { class: 'present-address' });
  const alone = h('p', { class: 'present-alone' });
  const sheet = h('dialog', { class: 'pg-dialog present-qr-sheet', 'aria-label': 'QR code of this place' },
    h('div', { class: 'pg-dialog-head' }, h('span', { class: 'pg-gap' }), h('button', { type: 'button', class: 'pg-button', onclick: () => sheet.close() }, 'Close')), picture, address, alone);
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  sheet.addEventListener('keydown', (event) => { if (event.key === 'q' || event.key === 'Q') { event.preventDefault(); sheet.close(); } });
  root.append(h('div', { class: 'pg' }, sheet));
  return async () => {
    const text = await link();
    setText(address, text);
    setText(alone, aloneWords(new URL(text, location.href).hostname));
    setShown(alone, alone.textContent !== '');
    fill(picture, h('p', { class: 'pg-faint' }, 'Drawing the code …'));
    if (!sheet.open) sheet.showModal();
    const answer = server && server.qr ? await called(server, 'qr', { text }) : { error: { what: 'The code is drawn by the server, which this page does not have.', hint: 'Give the address instead.' } };
    if (answer.error) { fill(picture, h('p', { role: 'alert' }, `${answer.error.what} ${answer.error.hint || ''}`)); return; }
    fill(picture, svg('svg', { viewBox: `0 0 ${answer.size} ${answer.size}`, role: 'img', 'aria-label': 'QR code', 'shape-rendering': 'crispEdges' },
      svg('rect', { width: answer.size, height: answer.size, fill: '#fff' }), svg('path', { d: answer.path, fill: '#000' })));
  };
}

/** Makes what is presented fit the screen: fewer rows first, then smaller. {soon()} does it after the next drawing. */
function fitting() {
  let due = false;
  const over = () => document.documentElement.scrollHeight > globalThis.innerHeight;
  const column = () => document.getElementById('stage-column');
  function fit() {
    due = false;
    delete body().dataset.tight;
    const node = column();
    if (!node) return;
    node.style.zoom = '';
    if (!on()) return;
    for (let level = 1; over() && level <= PRESENT_TIGHT; level += 1) body().dataset.tight = String(level);
    for (let zoom = 0.95; over() && zoom >= PRESENT_SMALLEST; zoom -= 0.05) node.style.zoom = zoom.toFixed(2);
  }
  const soon = () => { if (!due) { due = true; requestAnimationFrame(fit); } };
  globalThis.addEventListener('resize', soon);
  // A chart that is drawn later, or an answer: only what no longer fits is looked at again.
  new ResizeObserver(() => { if (on() && over()) soon(); }).observe(document.documentElement);
  return { soon };
}

/** The tools of presenting in `root`. link() promises the address of this place. Returns {resume, toggle, leave, on, blank, curtain, spotlight, qr, solo}. */
export function mountPresent(root, { server, link, changed, reset }) {
  const size = h('input', { type: 'range', min: SIZES.least, max: SIZES.most, step: 1, 'aria-label': 'Size of the type, px', oninput: () => resize(size.value) });
  const sizeWords = h('output', null);
  const tool = (label, keys, press) => h('button', { type: 'button', class: 'pg-button pg-button-small', title: keys, onclick: press }, label);
  const panel = h('div', { class: 'present-tools', hidden: true }, h('label', null, 'Type ', size, sizeWords),
    tool('Curtain', 'C', () => curtain()), tool('Blank', '.', () => blank()), tool('Spotlight', 'X', () => spotlight()), tool('QR code', 'Q', () => qr()), tool('Start again', 'Shift R', () => reset()), tool('Leave', 'Esc', () => leave()));
  const light = h('button', { type: 'button', class: 'present-light', 'aria-expanded': 'false', onclick: () => open(panel.hidden) }, h('i', { 'aria-hidden': 'true' }), 'PRESENTING');
  const corner = h('div', { class: 'pg present-corner', hidden: true }, light, panel);
  const dark = h('div', { class: 'present-blank', hidden: true, onclick: () => blank() }, h('p', { role: 'status' }, 'The screen is blank. Press . to go on.'));
  const spot = h('div', { class: 'present-spot', hidden: true, 'aria-hidden': 'true' });
  const note = h('p', { class: 'pg present-curtain', role: 'status', hidden: true }, 'The numbers are behind the curtain.');
  root.append(corner, spot, note, dark);
  const qr = qrSheet(root, server, link);
  const fit = fitting();

  function open(shown) {
    setShown(panel, shown);
    setAttr(light, 'aria-expanded', String(shown));
  }
  function resize(text) {
    const now = readSize(text);
    document.documentElement.style.setProperty('--present-size', `${now}px`);
    size.value = String(now);
    setText(sizeWords, `${now} px`);
    fit.soon();
    try { localStorage.setItem(PRESENT_SIZE, String(now)); } catch { /* private window: the size lasts for this page */ }
  }
  resize(storedSize());

  // A room sees one part of a screen: the one that the beat points at, or the screen's usual one.
  let part = '';
  function solo(wanted = part) {
    part = wanted;
    for (const node of document.querySelectorAll(`.${PRESENT_SOLO}`)) node.classList.remove(PRESENT_SOLO);
    delete body().dataset.part;
    fit.soon();
    if (!on()) return;
    const name = wanted && PARTS[wanted] ? wanted : USUAL[body().dataset.screen] || '';
    if (!name) return;
    // Named first: some parts are on screen only while they are what is shown.
    body().dataset.part = name;
    const node = partElement(name);
    if (node) node.classList.add(PRESENT_SOLO);
  }
  globalThis.addEventListener('playground-screen', () => solo(part));

  function toggle(to = !on()) {
    body().classList.toggle('presenting', to);
    for (const link of document.querySelectorAll('link.presenting-style')) link.media = to ? 'all' : 'not all';
    setShown(corner, to);
    if (!to) { open(false); spotlight(false); curtain(false); }
    kept(to);
    solo();
    globalThis.scrollTo(0, 0);
    changed();
  }
  const leave = () => toggle(false);

  function blank(to = dark.hidden) {
    setShown(dark, to);
    body().classList.toggle('blanked', to);
  }

  let byHand = false;
  let asked = false;
  function drape() {
    const drawn = byHand || asked;
    setAttr(body(), 'data-curtain', drawn);
    setShown(note, drawn && !asked);
  }
  function curtain(to = !byHand) {
    byHand = to;
    drape();
  }

  let pointer = null;
  document.addEventListener('pointermove', ({ clientX, clientY }) => { pointer = { clientX, clientY }; }, { passive: true });
  function move({ clientX, clientY }) {
    spot.style.setProperty('--x', `${clientX}px`);
    spot.style.setProperty('--y', `${clientY}px`);
  }
  function spotlight(to = spot.hidden) {
    if (to === !spot.hidden) return;
    setShown(spot, to);
    if (to) {
      // Where the pointer is; by keys alone on what the beat points at.
      const box = (document.querySelector('.lesson-ring') || document.querySelector('.lesson-solo') || body()).getBoundingClientRect();
      move(pointer || { clientX: box.left + box.width / 2, clientY: box.top + Math.min(box.height, globalThis.innerHeight) / 2 });
      document.addEventListener('pointermove', move);
    } else document.removeEventListener('pointermove', move);
  }

  return {
    /** Goes on presenting after a reload. */
    resume() { if (wasOn()) toggle(true); },
    on, toggle, qr, blank, curtain, solo,
    spotlight: () => spotlight(),
    blanked: () => !dark.hidden,
    /** The curtain of an open question, which needs more room than its answer. */
    asking(to) { if (asked !== to) { asked = to; drape(); fit.soon(); } },
    /** One thing at a time: the spotlight, then the mode. */
    leave() { if (!spot.hidden) spotlight(false); else leave(); },
  };
}
