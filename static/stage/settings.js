// The settings that act at once: how one is put into the problem, and how the inputs beside the stage learn what the stage changed.

const SETTINGS_OF_SAMPLING = ['temperature', 'top_k', 'top_p', 'mask_order', 'seed'];
const SETTINGS_OF_PROBLEM = ['method', 'prefill', 'attempts', 'markers', 'max_tokens'];
// Of these two a change may change what the run begins with.
const SETTINGS_BEGINNING = ['method', 'prefill'];
const SETTINGS_WAIT_MS = 200;

/** The server's limits that the page tells before it asks; a test holds them to playground/problem.py. */
export const LIMITS = { textCharacters: 20000, watchedTokens: 16 };

/** `problem` with a partial one over it; of the sampling, only the fields that are given change. */
export function mergedProblem(problem, patch) {
  return { ...problem, ...patch, ...(patch.sampling ? { sampling: { ...problem.sampling, ...patch.sampling } } : {}) };
}

/** The settings of a problem, or of a part of one, by name. */
export function liveSettings(problem) {
  const sampling = problem.sampling || {};
  return Object.fromEntries([...SETTINGS_OF_PROBLEM.map((name) => [name, problem[name]]), ...SETTINGS_OF_SAMPLING.map((name) => [name, sampling[name]])].filter(([, value]) => value !== undefined));
}

/** The text that a run of a problem begins with, unasked. */
function settingsGiven(problem) {
  return (problem.method === 'unconstrained' && problem.prefill) || '';
}

/** Whether `patch` changes what the run of `problem` begins with: it then starts again. */
export function startsAnew(problem, patch) {
  return SETTINGS_BEGINNING.some((name) => name in patch) && settingsGiven(problem) !== settingsGiven(mergedProblem(problem, patch));
}

function settingsEmpty(value) {
  return value === null || (typeof value === 'object' && Object.values(value).some((each) => each === ''));
}

function settingsSame(left, right) {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** What a press of Start asks for, which no live setting changes. */
function askedFor({ model, prompt, chat, heal, constraint }) {
  return { model, prompt, chat, heal: heal === true, constraint };
}

/** Whether the filters come after the mask and are on: what is drawn from is then not p / Z. */
export function maskComesFirst(sampling) {
  return Boolean(sampling) && sampling.mask_order === 'before-filters' && (sampling.top_k > 0 || sampling.top_p < 1);
}

/** Keeps a store and the inputs beside it together. `tell(settings)` hears by name what the stage changed by itself (more tokens, an
 *  undo); where an undo crosses a Start, `asked` among them says what is asked for again. Returns {change}: takes a partial problem from the inputs; changes in quick succession make one request. */
export function createSettings(store, { tell = null, clock = { set: (fn, ms) => setTimeout(fn, ms), clear: (id) => clearTimeout(id) } } = {}) {
  let waiting = null;
  let timer = null;
  let unanswered = 0;
  let problem = store.doc() ? store.doc().problem : null;
  let attempt = (store.doc() && store.doc().again) || null;
  // What the inputs show.
  let shown = problem ? liveSettings(problem) : {};
  // A problem comes from the server once; one that comes again is brought back by undo or redo.
  const seen = new WeakSet(problem ? [problem] : []);

  function compare() {
    const doc = store.doc();
    // A change on its way is newer than the document; a refused one leaves the document and what was typed.
    if (!doc || doc.problem === problem || waiting || unanswered) return;
    const before = problem;
    problem = doc.problem;
    // An undo brings a problem back; another attempt asks for one that the inputs have not seen.
    const again = seen.has(problem) || attempt !== (doc.again || null);
    attempt = doc.again || null;
    seen.add(problem);
    const changed = Object.fromEntries(Object.entries(liveSettings(problem)).filter(([name, value]) => !settingsSame(shown[name], value)));
    shown = { ...shown, ...changed };
    // What a fresh answer asks for stands in the inputs already, or is being typed over.
    const asked = askedFor(problem);
    if (again && before && JSON.stringify(asked) !== JSON.stringify(askedFor(before))) changed.asked = asked;
    if (tell && Object.keys(changed).length) tell(changed);
  }

  async function send() {
    const patch = waiting;
    waiting = null;
    timer = null;
    unanswered += 1;
    const path = startsAnew(store.doc().problem, patch) ? [] : null;
    await store.actions.replay((now) => mergedProblem(now, patch), { path });
    unanswered -= 1;
    compare();
  }

  store.subscribe(compare);
  return {
    change(patch) {
      // An input that was emptied is about to be filled again.
      if (!store.doc() || !store.live() || Object.values(liveSettings(patch)).some(settingsEmpty)) return;
      // A box that is left says again what it said before.
      const same = Object.entries(liveSettings(patch)).every(([name, value]) => settingsSame(shown[name], value));
      if (same && !waiting) return;
      waiting = mergedProblem(waiting || {}, patch);
      shown = { ...shown, ...liveSettings(patch) };
      // Typing 0.7 passes through 0.
      if (timer !== null) clock.clear(timer);
      timer = clock.set(send, SETTINGS_WAIT_MS);
    },
  };
}
