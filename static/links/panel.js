// The sheet of "Share": the link, its QR code, and the same without controls or inside another page.

import { h, icon, setShown, setText } from '../stage/dom.js';
import { MOST_PACKED, MOST_SCANNED, aloneWords } from './pack.js';

/** `url` with what the page is to show: "lesson" hides its controls, "embed" its bars too. */
export function viewed(url, view) {
  const found = new URL(url);
  if (view) found.searchParams.set('view', view);
  return found.href;
}

/** The markup that puts the page inside another one. */
export function frameOf(url) {
  const safe = viewed(url, 'embed').replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${safe}" title="Constrained decoding, step by step" width="100%" height="640" style="border:0" loading="lazy" allow="clipboard-write"></iframe>`;
}

/** Mounts it. make and keep: of the page's links; said: what tells. Returns {open}. */
export function mountPanel({ make, keep, said }) {
  let link = null;
  const about = h('p', { class: 'pg-quiet link-about' });
  // The page's own line is behind a sheet.
  const told = h('p', { class: 'pg-quiet', role: 'status' });
  const field = (label, words) => {
    const input = h('input', { type: 'text', class: 'link-field', readonly: true, 'aria-label': label, onfocus: () => input.select() });
    const copy = h('button', { type: 'button', class: 'pg-button', onclick: async () => { input.select(); setText(told, await said.copied(input.value) ? `${label} copied.` : 'The browser doesn’t let the page copy: copy the marked text yourself.'); } }, 'Copy');
    return { input, node: h('div', { class: 'link-row' }, h('b', null, label), words ? h('span', { class: 'pg-quiet' }, words) : null, h('div', { class: 'link-copy' }, input, copy)) };
  };
  const plain = field('Link', null);
  const quiet = field('Link without controls', 'For a class: only the steps and the beat.');
  const frame = field('Embed code', 'For a page of your own: no bars, with a way back here.');
  const code = h('button', { type: 'button', class: 'pg-button link-code', title: 'Q', onclick: () => { sheet.close(); globalThis.playgroundLesson.qr(); } }, 'Show as a QR code');
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => sheet.close() }, icon('close'));
  const alone = h('p', { class: 'link-alone' });
  const fields = h('div', null, alone, plain.node, code, quiet.node, frame.node, told);
  const sheet = h('dialog', { class: 'pg-dialog link-sheet', 'aria-label': 'Share' }, h('div', { class: 'pg-dialog-head' }, h('h3', { class: 'pg-card-title' }, 'Share what is on screen'), h('span', { class: 'pg-gap' }), close), about, fields);
  sheet.addEventListener('click', (event) => { if (event.target === sheet) sheet.close(); });
  document.body.append(h('div', { class: 'pg link-holder' }, sheet));

  async function open() {
    link = await make();
    setText(told, '');
    const usable = Boolean(link) && !link.tooLong;
    setShown(fields, usable);
    if (!link) setText(about, 'There is nothing to link to yet.');
    else if (link.tooLong) setText(about, `Too long for a link: ${link.length.toLocaleString('en')} characters, at most ${MOST_PACKED.toLocaleString('en')}. Export the trace as a file instead.`);
    else setText(about, `${link.length.toLocaleString('en')} characters. The state travels in the link itself, after the #, which no server sees.${link.scannable ? '' : ` Above ${MOST_SCANNED.toLocaleString('en')} a QR code can’t be scanned well: send the link, or export the trace.`}`);
    if (usable) {
      keep(link);
      setText(alone, aloneWords(location.hostname));
      setShown(alone, alone.textContent !== '');
      plain.input.value = link.url;
      quiet.input.value = viewed(link.url, 'lesson');
      frame.input.value = frameOf(link.url);
      setShown(code, link.scannable && Boolean(globalThis.playgroundLesson && globalThis.playgroundLesson.qr));
    }
    if (!sheet.open) sheet.showModal();
    if (usable) plain.input.focus();
  }
  return { open };
}
