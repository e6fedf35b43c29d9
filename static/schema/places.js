// Where the parts of a JSON text stand: the line of each JSON pointer.

const PLACES_SPACE = /[ \t\r\n]/;

/** A key as it was before it stood in a JSON pointer. */
export function unescaped(key) {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

const PLACES_BRANCHES = ['anyOf', 'oneOf', 'allOf'];
const PLACES_NAMED = ['$defs', 'definitions'];
const PLACES_SINGLE = { additionalProperties: '.*', unevaluatedProperties: '.*', items: '[*]', additionalItems: '[*]', unevaluatedItems: '[*]', contains: '[*]' };

// A name as a step of a path: bare where it is a plain word.
const stepName = (name) => (/^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** Which part of an instance the keyword at `pointer`, its last key, speaks of: "$.a.b", "$.list[*]", "$(anyOf 2).x"; below a definition "#name". */
export function pathOf(pointer) {
  const keys = (pointer || '').replace(/^#/, '').split('/').slice(1).map(unescaped);
  keys.pop();
  let path = '$';
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at];
    const next = keys[at + 1];
    if (next === undefined) { path += PLACES_SINGLE[key] || `(${key})`; break; }
    if (key === 'properties') { path += stepName(next); at += 1; }
    else if (key === 'patternProperties') { path += `[/${next}/]`; at += 1; }
    else if (PLACES_NAMED.includes(key)) { path = `#${next}`; at += 1; }
    else if (PLACES_BRANCHES.includes(key)) { path += `(${key} ${Number(next) + 1})`; at += 1; }
    else if ((key === 'prefixItems' || key === 'items') && /^\d+$/.test(next)) { path += `[${next}]`; at += 1; }
    else path += PLACES_SINGLE[key] || `(${key})`;
  }
  return path;
}

/** The offset of the value (of a member: of its key) at every JSON pointer of `text`, as far as it can be read. */
export function offsets(text) {
  const found = new Map();
  let at = 0;
  const skip = () => { while (at < text.length && PLACES_SPACE.test(text[at])) at += 1; };
  const string = () => {
    const from = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    try { return JSON.parse(text.slice(from, at)); } catch { return null; }
  };
  // A stack of its own, since schemas may be deeper than the browser's.
  const stack = [];
  const begin = (pointer, offset) => {
    if (!found.has(pointer)) found.set(pointer, offset);
    skip();
    if (text[at] === '{' || text[at] === '[') { stack.push({ pointer, list: text[at] === '[', index: 0 }); at += 1; return; }
    if (text[at] === '"') { string(); return; }
    const from = at;
    while (at < text.length && !/[,\]}\s]/.test(text[at])) at += 1;
    if (at === from) at = text.length;
  };
  skip();
  if (at < text.length) begin('', at);
  while (stack.length && at < text.length) {
    const open = stack[stack.length - 1];
    skip();
    const c = text[at];
    if (c === undefined) break;
    if (c === '}' || c === ']') { stack.pop(); at += 1; continue; }
    if (c === ',') { at += 1; continue; }
    if (open.list) { begin(`${open.pointer}/${open.index}`, at); open.index += 1; continue; }
    if (c !== '"') break;
    const offset = at;
    const key = string();
    skip();
    if (key === null || text[at] !== ':') break;
    at += 1;
    begin(`${open.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, offset);
  }
  return found;
}

/** Line and column, from 1, of an offset. */
export function lineOf(text, offset) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1 };
}

/** Line and column of `keyword` at `pointer` (with or without the keyword in it); the nearest part above where it isn't there. */
export function placeIn(text, found, pointer, keyword = '') {
  const clean = (pointer || '').replace(/^#/, '');
  const tries = [];
  if (keyword) tries.push(`${clean}/${keyword}`);
  for (let part = clean; ; part = part.slice(0, part.lastIndexOf('/'))) { tries.push(part); if (!part) break; }
  const hit = tries.find((each) => found.has(each));
  return hit === undefined ? null : lineOf(text, found.get(hit));
}
