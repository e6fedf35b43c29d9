// Finds the part of a JSON text that a JSON pointer names, without parsing it: the text may be unfinished or wrong elsewhere.

const POINTER_BLANK = /[\s,]/;

function pointerSkipBlank(text, at) {
  let i = at;
  while (i < text.length && POINTER_BLANK.test(text[i])) i += 1;
  return i;
}

// The index after the string that opens at `at`.
function pointerSkipString(text, at) {
  let i = at + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return Math.min(text.length, i + 1);
}

// The index after the value that begins at `at`. Brackets are only counted, so depth costs no stack.
function pointerSkipValue(text, at) {
  if (text[at] === '"') return pointerSkipString(text, at);
  if (text[at] !== '{' && text[at] !== '[') {
    let i = at;
    while (i < text.length && !/[\s,:\]}]/.test(text[i])) i += 1;
    return i;
  }
  let depth = 0;
  let i = at;
  while (i < text.length) {
    const c = text[i];
    if (c === '"') { i = pointerSkipString(text, i); continue; }
    if (c === '{' || c === '[') depth += 1;
    else if (c === '}' || c === ']') depth -= 1;
    i += 1;
    if (depth === 0) return i;
  }
  return text.length;
}

function pointerKey(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return raw.slice(1, -1);
  }
}

// The member `name` of the object at `at`: of equal keys the last, as JSON readers take it.
function pointerMember(text, at, name) {
  let found = null;
  let i = pointerSkipBlank(text, at + 1);
  while (i < text.length && text[i] === '"') {
    const keyEnd = pointerSkipString(text, i);
    const colon = pointerSkipBlank(text, keyEnd);
    if (text[colon] !== ':') return found;
    const start = pointerSkipBlank(text, colon + 1);
    const end = pointerSkipValue(text, start);
    if (pointerKey(text.slice(i, keyEnd)) === name) found = { keyStart: i, start, end };
    i = pointerSkipBlank(text, end);
  }
  return found;
}

function pointerItem(text, at, name) {
  if (!/^(0|[1-9]\d*)$/.test(name)) return null;
  let i = pointerSkipBlank(text, at + 1);
  for (let left = Number(name); i < text.length && text[i] !== ']'; left -= 1) {
    const end = pointerSkipValue(text, i);
    if (end === i) return null;
    if (left === 0) return { keyStart: i, start: i, end };
    i = pointerSkipBlank(text, end);
  }
  return null;
}

/** Where `pointer` ("/properties/age", "" is the whole) lies in `text`: {start, end} of the value, `keyStart` of its key (or of
 *  the value), `whole`: false when only an ancestor was found, which is then returned. Null when the text holds no value. */
export function pointerRange(text, pointer) {
  const root = pointerSkipBlank(text, 0);
  if (root >= text.length) return null;
  let range = { keyStart: root, start: root, end: pointerSkipValue(text, root), whole: true };
  const names = String(pointer || '').replace(/^#/, '').split('/').slice(1);
  for (const raw of names) {
    const name = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    const opening = text[range.start];
    const inner = opening === '{' ? pointerMember(text, range.start, name) : opening === '[' ? pointerItem(text, range.start, name) : null;
    if (!inner) return { ...range, whole: false };
    range = { ...inner, whole: true };
  }
  return range;
}

/** JSON text broken into indented lines for reading; nothing but blanks between tokens changes, and a text that has lines stays. */
export function pointerLines(text) {
  if (text.includes('\n') || text.length < 50 || text.length > 50000) return text;
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(Math.min(depth, 20))}`;
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (c === '"') { const end = pointerSkipString(text, i); out += text.slice(i, end); i = end; continue; }
    if (c === '{' || c === '[') {
      const inside = pointerSkipBlank(text, i + 1);
      if (text[inside] === '}' || text[inside] === ']') { out += c + text[inside]; i = inside + 1; continue; }
      const end = pointerSkipValue(text, i);
      if (c === '[' && end - i <= 40 && !/[{[]/.test(text.slice(i + 1, end))) { out += text.slice(i, end); i = end; continue; }
      depth += 1;
      out += c + line();
    } else if (c === '}' || c === ']') { depth = Math.max(0, depth - 1); out += line() + c; }
    else if (c === ',') out += c + line();
    else if (c === ':') out += ': ';
    else if (!/\s/.test(c)) out += c;
    i += 1;
  }
  return out;
}
