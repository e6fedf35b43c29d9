// Many test strings pasted at once: JSON values, objects that say what a text should do, or one string a line.

const MANY_SPACE = /[ \t\r\n]/;

function parsed(text) {
  try { return { value: JSON.parse(text) }; } catch { return null; }
}

// The command line's form of a test string: {"text": …, "valid": …}.
function testOf(value) {
  if (!value || typeof value !== 'object' || Array.isArray(value) || typeof value.text !== 'string') return null;
  if (Object.keys(value).some((key) => key !== 'text' && key !== 'valid')) return null;
  if (value.valid !== undefined && typeof value.valid !== 'boolean') return null;
  return { text: value.text, should: value.valid === undefined ? null : value.valid ? 'pass' : 'fail' };
}

// The end of the JSON value that begins at `from`, by its quotes and brackets.
function endOf(text, from) {
  let [at, depth] = [from, 0];
  while (at < text.length) {
    const c = text[at];
    if (c === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    } else if (c === '{' || c === '[') depth += 1;
    else if (c === '}' || c === ']') depth -= 1;
    else if (depth === 0) {
      while (at + 1 < text.length && !/[\s,{}[\]"]/.test(text[at + 1])) at += 1;
    }
    at += 1;
    if (depth <= 0) return depth < 0 ? at - 1 : at;
  }
  return at;
}

/** The texts of the JSON values that follow one another in `text`, as they are written, with blanks or commas between them; null where something else stands there. */
export function jsonValues(text) {
  const found = [];
  let at = 0;
  for (;;) {
    while (at < text.length && MANY_SPACE.test(text[at])) at += 1;
    if (at >= text.length) return found;
    if (found.length && text[at] === ',') { at += 1; continue; }
    const end = endOf(text, at);
    const part = text.slice(at, end);
    if (!parsed(part)) return null;
    found.push(part);
    at = end;
  }
}

/** A JSON text without the blanks between its parts; the parts stay as they are written. */
export function compact(text) {
  return text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g, (_, string) => string || '');
}

function ofLines(text) {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, '')).filter((line) => line.trim());
  const tests = lines.map((line) => testOf((parsed(line) || {}).value));
  const told = tests.filter(Boolean).length;
  return { strings: lines.map((line, at) => tests[at] || { text: line, should: null }), from: told === 0 ? 'lines' : told === lines.length ? 'JSON lines with a text' : `lines, ${told} of them JSON with a text` };
}

function ofValues(parts, json, what) {
  const values = parts.map((part) => JSON.parse(part));
  const tests = values.map(testOf);
  if (tests.length && tests.every(Boolean)) return { strings: tests, from: `${what} with a text` };
  if (!json && values.every((value) => typeof value === 'string')) return { strings: values.map((value) => ({ text: value, should: null })), from: what };
  const broken = json && parts.some((part) => part.includes('\n'));
  return { strings: parts.map((part) => ({ text: broken && part.includes('\n') ? compact(part) : part, should: null })), from: `${what}${broken ? ', those over several lines without their blanks' : ''}` };
}

/** What was pasted, as test strings: {strings: [{text, should: 'pass', 'fail' or null where it isn't said}], from: what it was read from}.
 *  `json`: the constraint's texts are JSON. `how`: 'found' (by its looks), 'lines' or 'whole'. */
export function readMany(text, { json, how = 'found' }) {
  if (how === 'whole') return { strings: text ? [{ text, should: null }] : [], from: 'the whole text' };
  const lines = ofLines(text);
  if (how === 'lines') return lines;
  const trimmed = text.trim();
  const whole = /^\[/.test(trimmed) ? parsed(trimmed) : null;
  if (whole && whole.value.length && (json || whole.value.every((each) => testOf(each) || typeof each === 'string'))) return ofValues(jsonValues(trimmed.slice(1, -1)), json, 'the items of a JSON array');
  if (!/^[{["]/.test(trimmed) || !trimmed.includes('\n')) return lines;
  const parts = jsonValues(trimmed);
  return parts && parts.some((part) => part.includes('\n')) ? ofValues(parts, json, 'JSON values') : lines;
}

/** The strings that were not taken, in a form that is read again as they are. */
export function writtenMany(strings) {
  return strings.map(({ text, should }) => JSON.stringify(should ? { text, valid: should === 'pass' } : { text })).join('\n');
}
