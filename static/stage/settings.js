// The settings that act at once: how one is put into the problem, and how the inputs beside the stage learn what the stage changed.

const SETTINGS_OF_SAMPLING = ['temperature', 'top_k', 'top_p', 'mask_order', 'seed'];
const SETTINGS_OF_PROBLEM = ['method', 'max_tokens'];
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
    const again = seen.has(problem);
    seen.add(problem);
    const changed = Object.fromEntries(Object.entries(liveSettings(problem)).filter(([name, value]) => shown[name] !== value));
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
    await store.actions.replay((now) => mergedProblem(now, patch));
    unanswered -= 1;
    compare();
  }

  store.subscribe(compare);
  return {
    change(patch) {
      // An input that was emptied is about to be filled again.
      if (!store.doc() || !store.live() || Object.values(liveSettings(patch)).some((value) => value === null)) return;
      waiting = mergedProblem(waiting || {}, patch);
      shown = { ...shown, ...liveSettings(patch) };
      // Typing 0.7 passes through 0.
      if (timer !== null) clock.clear(timer);
      timer = clock.set(send, SETTINGS_WAIT_MS);
    },
  };
}
