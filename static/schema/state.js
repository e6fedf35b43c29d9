// What the Schema screen knows: the constraint as edited, the test strings, and the server's newest documents about them.

/** The kinds that can be edited here, by the name the server has for them. */
export const KINDS = { schema: 'JSON Schema', regex: 'Regex', grammar: 'Grammar', pydantic: 'Pydantic', tool: 'Tool', choices: 'Choices', type: 'Type' };
/** The server's limits, which the page tells before it asks; a test holds them to playground/. */
export const LIMITS = { source: 100000, strings: 100, text: 20000 };
/** The kinds whose texts are JSON. */
export const JSON_KINDS = ['schema', 'pydantic', 'tool'];
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

/** Why nothing can be asked about this page, in words; null when all is within the limits. */
export function refusal({ kind, source, strings }) {
  const number = (n) => n.toLocaleString('en');
  if (source.length > LIMITS.source) return { what: `The ${KINDS[kind] || 'constraint'} has ${number(source.length)} characters; at most ${number(LIMITS.source)} are read.`, where: 'editor', hint: 'Nothing was sent. Paste a smaller part.', line: null, column: null };
  if (strings.length > LIMITS.strings) return { what: `There are ${strings.length} test strings; at most ${LIMITS.strings} are judged.`, where: 'test strings', hint: 'Remove some.', line: null, column: null };
  const long = strings.findIndex(({ text }) => text.length > LIMITS.text);
  if (long >= 0) return { what: `Test string ${long + 1} has ${number(strings[long].text.length)} characters; at most ${number(LIMITS.text)} are judged.`, where: 'test strings', hint: 'Nothing was sent. Shorten it.', line: null, column: null };
  return null;
}

/** Creates the state. Fields: the constraint (kind, source, engine, whitespace, formats), strings [{id, text, should}], selected (index),
 *  and what the server said: `judged` {key, verdicts, error}, `analysis` {key, ...}. Listeners are told once a turn, of all changes. */
export function createState(first) {
  const listeners = new Set();
  let notified = false;
  let nextId = 1;
  const withIds = (strings) => Object.freeze(strings.map((each) => (each.id ? each : { ...each, id: nextId++ })));
  let now = Object.freeze({ judged: null, analysis: null, busy: false, trouble: null, touched: false, pinned: null, ...first, strings: withIds(first.strings) });

  const changed = () => {
    if (notified) return;
    notified = true;
    queueMicrotask(() => { notified = false; for (const each of [...listeners]) each(); });
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
    string: () => now.strings[now.selected] || null,
    editString: (id, fields) => set({ touched: true, strings: now.strings.map((each) => (each.id === id ? { ...each, ...fields } : each)) }),
    addString: (text = '', should = 'pass') => set({ touched: true, strings: [...now.strings, { text, should }], selected: now.strings.length }),
    removeString: (id) => {
      const left = now.strings.filter((each) => each.id !== id);
      set({ touched: true, strings: left.length ? left : EMPTY_STRINGS });
    },
  };
}
