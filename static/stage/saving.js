// Files that the browser saves, and their names.
import { h } from './dom.js';

/** Saves `content`, a text, bytes or a Blob, under `name`. */
export function saveFile(name, type, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: typeof content === 'string' ? `${type};charset=utf-8` : type });
  const url = URL.createObjectURL(blob);
  // Its click is no click on the page: an open menu stays, and tells what was saved.
  const link = h('a', { href: url, download: name, hidden: true, onclick: (event) => event.stopPropagation() });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Words as a part of a file name that is safe on every system. */
export function fileWords(words) {
  return String(words).toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40);
}
