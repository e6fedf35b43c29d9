// Sentences of the server on the page: what stands between backticks is code.

import { h } from '../stage/dom.js';
import { visible } from '../stage/format.js';

/** `text` cut at its backticks: [{text, code}]; one that isn't closed stands for itself. */
export function pieces(text) {
  const found = [];
  const add = (part, code) => { if (part) found.push({ text: part, code }); };
  let rest = String(text ?? '');
  for (;;) {
    const match = /`([^`\n]+)`/.exec(rest);
    if (!match) { add(rest, false); return found; }
    add(rest.slice(0, match.index), false);
    add(match[1], true);
    rest = rest.slice(match.index + match[0].length);
  }
}

/** A sentence with its hidden characters visible; the blanks between its words stay. */
export function legible(text) {
  return String(text ?? '').replace(/[^ \n]+/g, visible);
}

// Code also shows the blanks that it begins or ends with, which would be lost there.
const legibleCode = (text) => legible(text).replace(/^ +| +$/g, (blanks) => '␣'.repeat(blanks.length));

/** The same as nodes. */
export function prose(text) {
  return pieces(text).map((each) => (each.code ? h('code', { class: 'sc-code-word' }, legibleCode(each.text)) : legible(each.text)));
}

/** A sentence that begins with a capital. */
export function sentence(text) {
  const whole = String(text ?? '');
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

/** Parts of a sentence, strings and {code}, as nodes. */
export function partNodes(parts) {
  return parts.map((part) => (typeof part === 'string' ? prose(part) : h('code', { class: 'sc-code-word' }, legibleCode(part.code))));
}

/** The same as plain text. */
export function partText(parts) {
  return parts.map((part) => (typeof part === 'string' ? legible(part) : legibleCode(part.code))).join('');
}
