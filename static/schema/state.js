// What the Schema screen knows: the constraint as edited, the test strings, and the server's newest documents about them.

/** The kinds that can be edited here, by the name the server has for them. */
export const KINDS = { schema: 'JSON Schema', regex: 'Regex', grammar: 'Grammar', pydantic: 'Pydantic', tool: 'Tool', choices: 'Choices', type: 'Type' };
/** What a text of a kind is, in a sentence. */
export const KIND_WORDS = { schema: 'a JSON Schema', regex: 'a regex', grammar: 'a grammar', pydantic: 'a Pydantic model', tool: 'a tool definition', choices: 'a list of choices' };
/** The server's limits, which the page tells before it asks; a test holds them to playground/. */
export const LIMITS = { source: 100000, strings: 100, text: 20000 };
/** The kinds whose texts are JSON. */
export const JSON_KINDS = ['schema', 'pydantic', 'tool'];
const STATE_FRAME_MS = 150;
export const EMPTY_STRINGS = [{ text: '', should: 'pass' }];

/** The constraint that the server is asked about. */
export function specOf({ kind, source, engine, whitespace }) {
  return { kind, source, engine, whitespace };
}

/** A constraint as a key: documents about another one are old. */
export function specKey(spec) {
  return JSON.stringify([spec.kind, spec.source, spec.engine, spec.whitespace]);
}

/** The same with what else the judges are told. */
export function judgedKey(now) {
  return `${specKey(now)}${now.formats}`;
}

const number = (n) => n.toLocaleString('en');

/** Why a test string isn't sent to be judged, in words; null where it is. */
export function tooLong(text) {
  return text.length > LIMITS.text ? `Not judged: it has ${number(text.length)} characters; at most ${number(LIMITS.text)} are judged. Shorten it.` : null;
}

/** Whether the verdict of `text` is there, or won't come: nothing else is asked before. */
export function answered(now, text) {
  const { judged } = now;
  return tooLong(text) !== null || (Boolean(judged) && judged.key === judgedKey(now) && (judged.byText.has(text) || judged.failed.has(text)));
}

/** Why nothing can be asked about this page, in words; null when all is within the limits. */
export function refusal({ kind, source, strings }) {
  if (source.length > LIMITS.source) return { what: `The ${KINDS[kind] || 'constraint'} has ${number(source.length)} characters; at most ${number(LIMITS.source)} are read.`, where: 'editor', hint: 'Nothing was sent. Paste a smaller part.', line: null, column: null };
  if (strings.length > LIMITS.strings) return { what: `There are ${strings.length} test strings; at most ${LIMITS.strings} are judged.`, where: 'test strings', hint: 'Remove some.', line: null, column: null };
  return null;
}

// After the next frame is on the screen; a page in the background draws none, and goes on all the same.
function afterFrame(fn) {
  let due = true;
  const once = () => { if (due) { due = false; fn(); } };
  if (globalThis.requestAnimationFrame) requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, STATE_FRAME_MS);
}

/** Creates the state. Fields: the constraint (kind, source, engine, whitespace, formats), strings [{id, text, should}], selected (index),
 *  and what the server said: `judged` {key, byText, failed (texts without an answer), error}, `analysis` {key, ...}, `coverage` {key, rows} of the newest constraint
 *  whose keywords were asked, and `asking`, the key of the one they are being asked of.
 *  Listeners are told once a turn, of all changes; those that are `late` once the others' work is on the screen. */
export function createState(first) {
  const listeners = new Set();
  const late = new Set();
  let notified = false;
  let waiting = false;
  let nextId = 1;
  const withIds = (strings) => Object.freeze(strings.map((each) => (each.id ? each : { ...each, id: nextId++ })));
  let now = Object.freeze({ judged: null, analysis: null, coverage: null, busy: false, trouble: null, touched: false, pinned: null, ...first, strings: withIds(first.strings) });

  const changed = () => {
    if (notified) return;
    notified = true;
    queueMicrotask(() => { notified = false; for (const each of [...listeners]) each(); tellLate(); });
  };
  const tellLate = () => {
    if (waiting) return;
    waiting = true;
    afterFrame(() => { waiting = false; for (const each of [...late]) each(); });
  };
  const set = (partial) => {
    const next = { ...now, ...partial };
    if (partial.strings) next.strings = withIds(partial.strings);
    next.selected = Math.max(0, Math.min(next.strings.length - 1, next.selected));
    now = Object.freeze(next);
    changed();
  };
  return {
    get: () => now,
    set,
    subscribe: (fn) => { listeners.add(fn); return () => listeners.delete(fn); },
    subscribeLate: (fn) => { late.add(fn); return () => late.delete(fn); },
    string: () => now.strings[now.selected] || null,
    editString: (id, fields) => set({ touched: true, strings: now.strings.map((each) => (each.id === id ? { ...each, ...fields } : each)) }),
    addString: (text = '', should = 'pass') => set({ touched: true, strings: [...now.strings, { text, should }], selected: now.strings.length }),
    removeString: (id) => {
      const left = now.strings.filter((each) => each.id !== id);
      set({ touched: true, strings: left.length ? left : EMPTY_STRINGS });
    },
  };
}
