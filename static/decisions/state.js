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

/** The head for the type that is chosen: {base64, origin: recorded | trained | file, name, spec: how it was trained, where that is known}, or null. */
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
  const head = recorded.head ? { [type]: { base64: recorded.head, origin: 'recorded', name: 'recorded head', spec: recorded.spec || null } } : {};
  const documents = Object.fromEntries(['decision', 'scores', 'evaluation', 'table'].map((slot) => [slot, recorded[slot] || null]));
  const kept = Object.fromEntries(Object.keys(documents).filter((slot) => documents[slot]).map((slot) => [slot, { recorded: true, key: type, head: recorded.head || null }]));
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
    threshold: 0.5, mode: 'parallel', order: [], normalised: false, pair: null, field: null, costs: {}, costField: null, n: 10, law: null, place: 'ask',
    form: { size: page.sizes.includes(500) ? 500 : page.sizes[0], kind: page.defaults.head.kind, pooling: page.defaults.head.pooling, chain: 'full', joint: page.defaults.head.joint.length ? page.defaults.head.joint : first.fields.slice(0, 2).map(({ name }) => name), epochs: page.defaults.epochs, seed: page.defaults.seed },
    training: null, offered: null, explained: null, reading: null, ...stateRecorded(page),
    run: null, task: null, running: false, stopping: false, progress: null, error: null,
  };
}

/** What a task's document changes. context: {key, head, name, schema} of its request. */
export function took(state, task, document, context) {
  // How many test tickets were read so far: what is shown stays.
  if (document.reading) return { reading: document.reading };
  const slot = STATE_SLOTS[task];
  const value = task === 'check' ? { schema: context.schema, type: document.type, free: document.free || [] } : document;
  const part = { [slot]: value, kept: { ...state.kept, [slot]: { recorded: false, key: context.key, head: context.head || null } } };
  if (task === 'train' && document.head && (document.done || document.stopped)) {
    part.heads = { ...state.heads, [context.key]: { base64: document.head, origin: 'trained', name: document.file, spec: document.spec || null } };
  }
  if (task === 'open') part.heads = { ...state.heads, [context.key]: { base64: context.head, origin: 'file', name: context.name, spec: null } };
  return part;
}

/** The runs of the screen, one at a time. ask(what) sends a request; stop(run) ends one on the server; name() makes a run's name.
 *  Returns {start(task, request, context), stop, show, notice}. */
export function createRuns(store, { ask, stop, name }) {
  let heard = { value: 0, notice: 0 };
  let context = {};
  const ours = (run) => run !== null && run === store.get().run;

  return {
    start(task, request, about = {}) {
      const { run: before, running } = store.get();
      if (running && before) stop(before);
      heard = { value: 0, notice: 0 };
      context = about;
      const run = name();
      store.set({ run, task, running: true, stopping: false, progress: null, error: null, reading: null });
      ask({ run, task: task === 'open' ? 'decide' : task, ...request });
    },
    stop() {
      const { run, running } = store.get();
      if (!running || !run) return;
      store.set({ stopping: true });
      stop(run);
    },
    notice(news) {
      if (!news || !ours(news.run) || news.serial <= heard.notice) return;
      heard.notice = news.serial;
      const part = { progress: news.running ? news.progress : null, running: news.running };
      if (!news.running) Object.assign(part, { stopping: false, reading: null });
      if (news.error) part.error = news.error;
      store.set(part);
    },
    /** The first that is heard of a run may be its end: of updates that come at once the page sees the last. */
    show(value) {
      if (!value || !ours(value.run) || value.serial <= heard.value) return;
      heard.value = value.serial;
      store.set(took(store.get(), store.get().task, value.document, context));
    },
  };
}
