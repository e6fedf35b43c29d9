// The lesson under way: which one, which beat, what was predicted. The screens are told by `show`.

import { createState } from '../compare/state.js';
import { formError, recordedForm } from './model.js';

/** Nothing open. `beat` runs from 0; the number of beats stands for the page after the last. */
export const CLOSED = { form: null, beat: 0, own: false, loading: null, error: null, answers: {}, lifted: {}, tried: {}, reset: null };
const PLAYER_UNDO_MS = 10_000;

/** The player over `show` (see show.js) and `fetchForm(slug)`, a promise of a lesson's form or {error}. `clock` {set, clear} lets tests drive time.
 *  Returns its store and {open, load, next, back, go, close, predict, lift, asking, reveals, questioned, hold, reset, undoReset, state}. */
export function createPlayer({ show, fetchForm, clock = { set: (fn, ms) => setTimeout(fn, ms), clear: (id) => clearTimeout(id) } }) {
  const store = createState(CLOSED);
  let opening = 0;
  let pending = null;
  let timer = null;
  let held = () => false;

  const count = () => store.get().form.lesson.beats.length;

  async function shown(beat) {
    const { form } = store.get();
    const error = await show.beat(form, Math.min(beat, count() - 1));
    if (error && store.get().form === form && store.get().beat === beat) store.set({ error });
    return error || null;
  }

  function go(beat) {
    if (!store.get().form) return Promise.resolve(null);
    const to = Math.max(0, Math.min(count(), beat));
    // What is offered at the first beat is gone with it.
    if (to !== 0) forget();
    store.set({ beat: to, error: null });
    return shown(to);
  }

  function load(form, beat = 0, { own = true } = {}) {
    const error = formError(form);
    opening += 1;
    if (error) { store.set({ error, loading: null }); return Promise.resolve(error); }
    forget();
    store.set({ ...CLOSED, form: recordedForm(form), own });
    return go(beat);
  }

  async function open(slug, beat = 0) {
    const now = store.get();
    if (now.form && !now.own && now.form.lesson.slug === slug) return go(beat);
    // An address and the page may ask for the same lesson at once.
    if (pending && pending.slug === slug && now.loading === slug) return pending.done;
    const mine = ++opening;
    store.set({ loading: slug, error: null });
    const done = fetchForm(slug).then((form) => (mine === opening ? load(form, beat, { own: false }) : null));
    pending = { slug, done };
    return done;
  }

  function forget() {
    if (timer !== null) clock.clear(timer);
    timer = null;
    if (store.get().reset) store.set({ reset: null });
  }

  // A question that is passed over shows its numbers first, and counts as not tried.
  function next() {
    if (reveals()) { lift(); return Promise.resolve(null); }
    return go(store.get().beat + 1);
  }

  /** Whether going on shows the numbers of the beat on screen first. */
  function reveals() { return asking() && !held(); }

  /** Whether the beat on screen has a question that is still open. */
  function asking() {
    const { form, beat, answers, lifted } = store.get();
    return Boolean(form && form.lesson.beats[beat] && form.lesson.beats[beat].predict && !(beat in answers) && !lifted[beat]);
  }

  /** Shows the numbers without an answer. */
  function lift() {
    const { beat, lifted } = store.get();
    if (!held()) store.set({ lifted: { ...lifted, [beat]: true } });
  }

  return {
    store,
    open,
    load,
    go,
    next,
    back: () => go(store.get().beat - 1),
    close() {
      opening += 1;
      const { form } = store.get();
      forget();
      store.set(CLOSED);
      if (form) show.leave();
    },
    /** The option that is predicted at the beat on screen: it can be answered once. */
    predict(option) {
      const { beat, answers, lifted, form } = store.get();
      const { predict } = form.lesson.beats[beat] || {};
      if (!predict || held() || beat in answers || lifted[beat] || !(option >= 0 && option < predict.options.length)) return;
      store.set({ answers: { ...answers, [beat]: option } });
    },
    lift,
    asking,
    reveals,
    /** Whether the beat on screen has a question, open or not. */
    questioned() {
      const { form, beat } = store.get();
      return Boolean(form && form.lesson.beats[beat] && form.lesson.beats[beat].predict);
    },
    /** waits() says whether the answer is still kept from this page: then nothing is answered or shown. */
    hold(waits) { held = waits; },
    /** Back to the first beat with nothing answered; for ten seconds that can be undone. */
    reset() {
      const { form, beat, answers, lifted, tried } = store.get();
      if (!form) return;
      forget();
      store.set({ reset: { beat, answers, lifted, tried }, answers: {}, lifted: {}, tried: {} });
      timer = clock.set(forget, PLAYER_UNDO_MS);
      go(0);
    },
    undoReset() {
      const { reset } = store.get();
      if (!reset) return;
      forget();
      store.set({ answers: reset.answers, lifted: reset.lifted, tried: reset.tried });
      go(reset.beat);
    },
    try: (key, text) => store.set({ tried: { ...store.get().tried, [key]: text } }),
    /** {slug, beat, of, own} of the lesson on screen, or null. */
    state() {
      const { form, beat, own } = store.get();
      return form ? { slug: form.lesson.slug, beat, of: form.lesson.beats.length, own } : null;
    },
  };
}
