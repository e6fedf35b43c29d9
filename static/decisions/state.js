// What the Decisions screen knows: the type and the ticket, the heads at hand, the run under way and the documents told so far. No page here.

/** What each task's document is kept as. `open` is a decide that tries a head from a file. */
const STATE_SLOTS = { train: 'training', decide: 'decision', open: 'decision', score: 'scores', explain: 'explained', evaluate: 'evaluation', table: 'table', check: 'checked' };
export const OWN = 'own';
/** Most bytes of a head's file that are sent: in base64 they are two million characters. */
export const MOST_FILE = 1_500_000;

/** The key of the type that is chosen: its name, or the own schema's text as it was checked. */
export function typeKey({ type, checked }) {
  return type === OWN ? `${OWN} ${checked ? checked.schema : ''}` : type;
}

/** The document of the type that is chosen; null while an own schema is unchecked. */
export function typeOf(state) {
  if (state.type !== OWN) return state.page.types.find(({ name }) => name === state.type) || null;
  return state.checked ? state.checked.type : null;
}

/** The type as a request names it; an own schema goes without its free texts. */
export function typePart(state) {
  return state.type === OWN ? { type: OWN, schema: state.checked ? state.checked.type.schema : '' } : { type: state.type };
}

/** The head for the type that is chosen: {base64, origin: recorded | trained | file, name}, or null. */
export function headOf(state) {
  return state.heads[typeKey(state)] || null;
}

/** The order of the fields: those of the type, in the order chosen so far. */
export function orderOf(state) {
  const type = typeOf(state);
  if (!type) return [];
  const names = type.fields.map(({ name }) => name);
  return [...state.order.filter((name) => names.includes(name)), ...names.filter((name) => !state.order.includes(name))];
}

/** The examples of a type; an own schema may take any. */
export function examplesOf({ page, type }) {
  return page.examples.filter((each) => type === OWN || !each.type || each.type === type);
}

/** What choosing a type changes: an example of another type gives way to the first of its own; what was typed stays. */
export function chosenType(state, type) {
  const fitting = examplesOf({ page: state.page, type });
  const stays = state.example === null || !fitting.length || fitting.some(({ id }) => id === state.example);
  return { type, pair: null, ...(stays ? {} : { example: fitting[0].id, text: fitting[0].text }) };
}

function stateRecorded(page) {
  const { recorded } = page;
  if (!recorded) return { heads: {}, recordedHeads: {}, decision: null, scores: null, evaluation: null, table: null, kept: {} };
  const type = recorded.type || (page.types.find(({ trainable }) => trainable) || page.types[0]).name;
  const head = recorded.head ? { [type]: { base64: recorded.head, origin: 'recorded', name: 'head that comes with this page' } } : {};
  const documents = Object.fromEntries(['decision', 'scores', 'evaluation', 'table'].map((slot) => [slot, recorded[slot] || null]));
  const kept = Object.fromEntries(Object.keys(documents).filter((slot) => documents[slot]).map((slot) => [slot, { recorded: true, key: type, head: recorded.head || null, ...(slot === 'scores' && recorded.decision ? { text: recorded.decision.text } : {}) }]));
  return { heads: head, recordedHeads: head, ...documents, kept };
}

function statePretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** What the screen opens with; `page` is the server's. `kept` says of each document whether it is recorded, and of which type and head. */
export function empty(page) {
  const first = page.types[0];
  const example = page.examples[0] || { id: null, text: '' };
  return {
    page, type: first.name, schema: statePretty(first.schema), checked: null, example: example.id, text: example.text,
    threshold: 0.5, mode: 'parallel', order: [], normalised: false, pair: null, field: null, costs: {}, costField: null, n: 10, read: page.sizes.includes(500) ? 500 : page.sizes[0], tickets: page.measured[0], law: null, place: 'ask',
    form: { size: page.sizes.includes(500) ? 500 : page.sizes[0], kind: page.defaults.head.kind, pooling: page.defaults.head.pooling, chain: 'full', joint: page.defaults.head.joint.length ? page.defaults.head.joint : first.fields.slice(0, 2).map(({ name }) => name), epochs: page.defaults.epochs, seed: page.defaults.seed },
    training: null, offered: null, explained: null, reading: null, ...stateRecorded(page),
    light: STATE_IDLE, heavy: STATE_IDLE, running: false,
  };
}

/** The two places for a run: what takes a moment never waits for what takes minutes. */
export const SLOTS = ['light', 'heavy'];
const STATE_HEAVY = ['train', 'evaluate', 'table'];
const STATE_IDLE = { run: null, task: null, running: false, stopping: false, progress: null, error: null, failed: null, limit: null, ended: null };

/** The place of a task: `heavy` for what takes minutes, else `light`. */
export function slotOf(task) {
  return STATE_HEAVY.includes(task) ? 'heavy' : 'light';
}

/** The run in the place of a task: {run, task, running, stopping, progress, error, failed: the task of the error, limit, ended}. */
export function runOf(state, task) {
  return state[slotOf(task)];
}

/** What a task's document changes. context: {key, head, name, schema, text} of its request. */
export function took(state, task, document, context) {
  // How many tickets were read so far: what is shown stays.
  if (document.reading) return { reading: document.reading };
  const slot = STATE_SLOTS[task];
  const value = task === 'check' ? { schema: context.schema, type: document.type, free: document.free || [], reasons: document.reasons || [] } : document;
  const text = context.text === undefined ? {} : { text: context.text };
  const part = { [slot]: value, kept: { ...state.kept, [slot]: { recorded: false, key: context.key, head: context.head || null, ...text } } };
  if (task === 'train' && document.head && (document.done || document.stopped)) {
    part.heads = { ...state.heads, [context.key]: { base64: document.head, origin: 'trained', name: document.file } };
  }
  if (task === 'open') part.heads = { ...state.heads, [context.key]: { base64: context.head, origin: 'file', name: context.name } };
  return part;
}

/** The runs of the screen, one in each place. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name.
 *  Returns {start(task, request, context), stop(task), refuse(task, error), leave, show, notice}. */
export function createRuns(store, { ask, stop, name }) {
  const fresh = () => ({ value: 0, notice: 0, wrote: false, about: {} });
  const heard = Object.fromEntries(SLOTS.map((slot) => [slot, fresh()]));
  const slotIn = (run) => (run ? SLOTS.find((slot) => store.get()[slot].run === run) : undefined);

  function put(slot, part, more = {}) {
    const next = { ...store.get()[slot], ...part };
    store.set({ ...more, [slot]: next, running: SLOTS.some((each) => (each === slot ? next : store.get()[each]).running) });
  }

  /** Notes beside what a run has left why it ended: you, another, limit, error, link or server. */
  function end(slot, why, part) {
    const { task, limit } = store.get()[slot];
    const { kept } = store.get();
    const at = STATE_SLOTS[task];
    const noted = heard[slot].wrote && why ? { kept: { ...kept, [at]: { ...kept[at], ended: why, limit } } } : {};
    put(slot, { ...part, ended: why }, noted);
  }

  /** Ends what runs there, for another reason than Stop. */
  function quit(slot, why) {
    const { run, running } = store.get()[slot];
    if (!running) return;
    stop(run);
    end(slot, why, { running: false });
  }

  return {
    start(task, request, about = {}) {
      const slot = slotOf(task);
      quit(slot, 'another');
      heard[slot] = { ...fresh(), about };
      const run = name();
      put(slot, { ...STATE_IDLE, run, task, running: true }, task === 'evaluate' ? { reading: null } : {});
      ask({ run, task: task === 'open' ? 'decide' : task, ...request });
    },
    stop(task) {
      const slot = slotOf(task);
      const { run, running } = store.get()[slot];
      if (!running || !run) return;
      put(slot, { stopping: true });
      stop(run);
    },
    /** The card of a task that can't begin. */
    refuse: (task, error) => put(slotOf(task), { error, failed: error ? task : null }),
    /** Ends every run: the form becomes another one. */
    leave() {
      for (const slot of SLOTS) {
        quit(slot, 'link');
        put(slot, STATE_IDLE);
      }
    },
    notice(news) {
      const slot = news ? slotIn(news.run) : undefined;
      if (!slot || news.serial <= heard[slot].notice) return;
      heard[slot].notice = news.serial;
      const { task, stopping, limit } = store.get()[slot];
      const failed = news.error ? { error: news.error, failed: task } : {};
      if (news.running) { put(slot, { progress: news.progress, ...failed }); return; }
      const why = news.error ? 'error' : stopping ? 'you' : limit ? 'limit' : null;
      end(slot, why, { running: false, stopping: false, progress: null, ...failed });
      if (task === 'evaluate') store.set({ reading: null });
    },
    /** The first that is heard of a run may be its end: of updates that come at once the page sees the last. */
    show(value) {
      const slot = value ? slotIn(value.run) : undefined;
      if (!slot || value.serial <= heard[slot].value) return;
      heard[slot].value = value.serial;
      const { document } = value;
      const { task, ended } = store.get()[slot];
      if (document.limit) put(slot, { limit: document.limit });
      store.set(took(store.get(), task, document, heard[slot].about));
      heard[slot].wrote ||= !document.reading;
      if (ended || document.limit) end(slot, ended || 'limit', {});
    },
  };
}
