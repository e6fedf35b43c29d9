// Puts a beat on the screens, and gives back what was there before the lesson.

import { reducedMotion } from '../stage/dom.js';
import { cursorOf, sceneOf } from './model.js';
import { partElement } from './parts.js';

const SHOW_LOOK_MS = 50;
const SHOW_TRIES = 400;
const SHOW_RING = 'lesson-ring';
// On a phone one part of a screen is shown at a time: which one a beat's is in.
const SHOW_PANELS = { state: 'state', charts: 'charts' };
const SHOW_SEGMENTS = { constraint: 'schema', strings: 'strings', verdict: 'strings', explanation: 'explain' };

/** Waits until `find()` gives something: a promise of that, or of null after twenty seconds or once `stale()`. */
export function found(find, stale = () => false, { ms = SHOW_LOOK_MS, tries = SHOW_TRIES } = {}) {
  return new Promise((resolve) => {
    let left = tries;
    const look = () => {
      const thing = find();
      if (thing) resolve(thing);
      else if (stale() || left-- <= 0) resolve(null);
      else setTimeout(look, ms);
    };
    look();
  });
}

const screens = () => globalThis.playgroundScreens || {};
const stage = () => globalThis.playgroundStage || null;

/** A scene as the Schema screen holds it. */
function schemaHeld({ problem, strings }) {
  const { kind, source, engine, whitespace } = problem.constraint;
  return { kind, source, engine, whitespace, formats: false, strings: strings.length ? strings.map(({ text, should }) => ({ text, should })) : [{ text: '', should: 'pass' }], selected: 0 };
}

function same(store, page) {
  const doc = store.doc();
  return Boolean(doc) && doc.problem === page.problem && store.lanes().length === 1 && store.lane().steps.length === page.steps.length && page.steps.every((step, at) => store.lane().steps[at] === step);
}

/** What shows beats; pointed(part) hears what each points at, and again once that is on screen. Returns {beat(form, n), leave(), away(), unring()}; `beat` resolves to null, or to an error as a card. */
export function createShow({ pointed = () => {} } = {}) {
  let before = null;
  let shown = 0;
  let on = { scene: null, form: null };
  let schema = null;
  let put = null;
  let placed = null;

  async function keep() {
    if (before) return;
    before = { screen: document.body.dataset.screen, scroll: globalThis.scrollY };
    const { store } = stage();
    const { exact, order, layer, log } = store.view();
    before.stage = store.kept();
    before.view = { exact, order, layer, log };
  }

  function page(store, { page: recorded, exact: laws }, { step, exact, highlight }) {
    if (!recorded) return;
    store.actions.stop();
    if (!same(store, recorded)) store.actions.loadDoc({ ...recorded, cursor: cursorOf(recorded, step), lesson: null });
    else store.actions.go(cursorOf(recorded, step));
    const ids = recorded.steps.map((each) => each.taken.id);
    if (store.hooks.exact) for (const [at, law] of Object.entries(laws || {})) store.hooks.exact.learn(recorded.problem, ids.slice(0, Number(at)), law);
    store.set({ exact, order: 'raw', layer: 'both', log: false, focusRow: null, lockedToken: null, hoverToken: null, panel: SHOW_PANELS[highlight] || 'candidates' });
  }

  // What a scene has recorded for them is on these screens, whichever is open; a screen with nothing recorded says so.
  function hold(scene, stale) {
    for (const name of ['compare', 'squeezing']) {
      found(() => screens()[name], stale).then((screen) => { if (screen && !stale()) screen.recorded(scene[name]); });
    }
  }

  async function open({ scene }, { view, highlight }, stale) {
    if (view === 'schema') {
      const screen = await found(() => screens().schema, stale);
      if (!screen || stale()) return null;
      schema = schema || screen.held();
      const held = schemaHeld(scene);
      if (put !== scene) { put = scene; screen.put(held); }
      const segment = document.querySelector(`#schema .sc-segments [data-segment="${SHOW_SEGMENTS[highlight]}"]`);
      if (segment && segment.checkVisibility()) segment.click();
    } else if (view === 'decisions' && scene.place) {
      const screen = await found(() => screens().decisions, stale);
      if (screen && !stale()) return screen.openLink({ ...screen.link(), place: scene.place });
    }
    return null;
  }

  /** Rings the part that the beat points at and brings it on screen; `part` '' takes the ring away. */
  async function ring(part, stale = () => false) {
    pointed(part);
    for (const node of document.querySelectorAll(`.${SHOW_RING}`)) node.classList.remove(SHOW_RING);
    if (!part) return;
    const node = await found(() => partElement(part), stale, { tries: 100 });
    if (!node || stale()) return;
    node.classList.add(SHOW_RING);
    pointed(part);
    inView(node);
  }

  async function beat(form, n) {
    const mine = ++shown;
    placed = null;
    const stale = () => mine !== shown;
    const told = form.lesson.beats[n];
    const scene = sceneOf(form, n);
    if (!await found(stage, stale) || stale()) return null;
    await keep();
    const { store } = stage();
    page(store, scene, told);
    if (on.form !== form || on.scene !== scene.name) { on = { form, scene: scene.name }; hold(scene, stale); }
    globalThis.playgroundShell.screen(told.view, false);
    placed = { form, n };
    const error = await open(scene, told, stale);
    if (!stale()) await ring(told.highlight, stale);
    return error;
  }

  /** Puts back what was on the screens before the lesson. */
  function leave() {
    shown += 1;
    placed = null;
    ring('');
    for (const name of ['compare', 'squeezing']) if (screens()[name]) screens()[name].recorded(undefined);
    if (schema) screens().schema.put(schema);
    if (before) {
      const { store } = stage();
      if (before.stage.base) store.actions.putBack(before.stage);
      store.set(before.view);
      globalThis.playgroundShell.screen(before.screen, false);
      globalThis.scrollTo(0, before.scroll);
    }
    before = null;
    schema = null;
    put = null;
    on = { scene: null, form: null };
  }

  /** Whether the page was moved off the beat that was put on it: another screen, problem or step. */
  function away() {
    const { store } = stage() || {};
    if (!placed || !store) return false;
    const told = placed.form.lesson.beats[placed.n];
    if (document.body.dataset.screen !== told.view) return true;
    const { page: recorded } = sceneOf(placed.form, placed.n);
    return told.view === 'step' && Boolean(recorded) && (!same(store, recorded) || store.cursor() !== cursorOf(recorded, told.step));
  }

  return { beat, leave, away, unring: () => { for (const node of document.querySelectorAll(`.${SHOW_RING}`)) node.classList.remove(SHOW_RING); } };
}

// On a phone the strip of tokens stays at the top, over what comes after it.
function stripOver(node) {
  const strip = document.querySelector('#stage .pg-strip-box');
  if (!strip || getComputedStyle(strip).position !== 'sticky' || strip.contains(node) || node.contains(strip)) return 0;
  return strip.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING ? strip.getBoundingClientRect().height + 8 : 0;
}

// Below what stands over the page at its top and above what stands over it at its foot.
function inView(node) {
  const style = getComputedStyle(document.documentElement);
  const [top, foot] = ['--lesson-top', '--lesson-foot'].map((name) => Number.parseFloat(style.getPropertyValue(name)) || 0);
  const box = node.getBoundingClientRect();
  const over = top + stripOver(node);
  const room = globalThis.innerHeight - over - foot;
  if (box.top >= over + 8 && box.bottom <= globalThis.innerHeight - foot - 8) return;
  const to = globalThis.scrollY + box.top - over - (box.height < room ? Math.min(24, (room - box.height) / 2) : 12);
  globalThis.scrollTo({ top: Math.max(0, to), behavior: reducedMotion() ? 'auto' : 'smooth' });
}
