// Links of the page: made on demand, copied by S, opened when the page or its address's hash says so.

import { revisionWords } from './step.js';
import { MOST_PACKED, MOST_SCANNED, fragment, lessonOf, misfit, pack, searchOf, unpack } from './pack.js';
import { mountPanel, viewed } from './panel.js';
import { createSaid } from './said.js';
import { keepPlace } from './kept.js';

const MAIN_POLL_MS = 60;
const MAIN_WAIT_MS = 60000;
/** The screens that a link opens here; Schema reads its own. */
const MAIN_SCREENS = ['step', 'compare', 'squeezing', 'levels', 'study', 'decisions'];
// These are about the problem of the rail and the stage.
const MAIN_ABOUT_PROBLEM = ['compare', 'squeezing', 'levels'];
/** A lesson of a visitor's, in a link; it shows its own screens. */
const MAIN_LESSON = 'lesson';
const MAIN_TYPING = 'input:not([type=checkbox]):not([type=button]),textarea,select,[contenteditable=""],[contenteditable="true"],.cm-editor,[role=slider],[role=radiogroup],[role=combobox],[role=textbox],dialog';

/** Waits until `get()` gives something: that, or null after a minute. */
function soon(get) {
  return new Promise((resolve) => {
    const end = performance.now() + MAIN_WAIT_MS;
    const look = () => {
      const found = get();
      if (found || performance.now() > end) resolve(found || null);
      else setTimeout(look, MAIN_POLL_MS);
    };
    look();
  });
}

const screenOf = (name) => (globalThis.playgroundScreens || {})[name] || null;
const stageHere = () => globalThis.playgroundStage || null;

/** The hash for what is on screen, or null where there is nothing to link to yet. */
async function hashNow() {
  const name = document.body.dataset.screen;
  const screen = screenOf(name);
  if (name === 'step') {
    const state = stageHere() && stageHere().link();
    return state ? `#step?${await pack(state)}` : null;
  }
  if (!screen) return null;
  const own = screen.address ? await screen.address() : null;
  if (own) return own;
  const part = screen.link ? screen.link() : null;
  if (!part) return null;
  if (!MAIN_ABOUT_PROBLEM.includes(name)) return `#${name}?${await pack(part)}`;
  // Of the document that is on screen where there is one: the stage may have gone on.
  const state = typeof screen.state === 'function' ? screen.state() : screen.state.get();
  const about = stageHere() && stageHere().problemLink(state.doc && state.doc.problem ? state.doc.problem : null);
  return about ? `#${name}?${await pack({ ...about, f: part })}` : null;
}

/** The hash for a lesson of the visitor's: all of it but its recording, which the server makes anew. */
async function ownHash({ beat }) {
  const { lesson } = globalThis.playgroundLesson.form();
  return `#${MAIN_LESSON}?${await pack({ lesson, b: beat })}`;
}

/** A link to what is on screen: {url, length, tooLong, scannable}; null where there is nothing yet. A built-in lesson is linked by its beat. */
async function make() {
  const lesson = globalThis.playgroundLesson && globalThis.playgroundLesson.state();
  const page = location.origin + location.pathname;
  const tail = lesson ? await (lesson.own ? ownHash(lesson) : searchOf(lesson)) : await hashNow();
  if (tail === null) return null;
  const url = page + tail;
  return { url, length: url.length, tooLong: tail.length > MOST_PACKED, scannable: url.length <= MOST_SCANNED, lesson: tail.startsWith('?') };
}

/** Mounts all of it. view: what the address asks for, "embed", "lesson" or null. Sets window.playgroundLinks. */
export function mountLinks(view) {
  const said = createSaid();
  let seen = null;
  let opened = null;
  // What the page was opened with is the lessons' own to open.
  let taught = location.search;

  // The link is put into the address, so that a reload shows it again, and Back stays what it was.
  function keep({ url, lesson }) {
    const { hash, search } = new URL(url);
    const { screen, packed } = fragment(hash);
    seen = packed === null ? null : `${screen}?${packed}`;
    opened = lesson ? null : problemKey();
    if (lesson) taught = search;
    const own = new URL(viewed(location.origin + location.pathname + (lesson ? search : ''), view));
    history.replaceState(history.state, '', location.pathname + own.search + hash);
  }
  const problemKey = () => { const doc = stageHere() && stageHere().store.doc(); if (!doc) return null; const { watch: _watch, ...rest } = doc.problem; return JSON.stringify(rest); };

  async function copy() {
    const link = await make();
    if (!link) { said.say('There is nothing to link to yet.'); return null; }
    if (link.tooLong) { said.say(`Too long for a link: ${link.length.toLocaleString('en')} characters, at most ${MOST_PACKED.toLocaleString('en')}. Export the trace as a file instead.`); return link; }
    keep(link);
    const copied = await said.copied(link.url);
    said.say(copied ? `Link copied: ${link.length.toLocaleString('en')} characters.` : 'The browser doesn’t let the page copy. The link is in the address bar.');
    return link;
  }

  /** Opens a state that was read from a link: null, or a card. */
  async function openState(name, state, how = {}) {
    const stage = await soon(stageHere);
    if (!stage) return misfit('a state');
    if (name === 'step') return stage.openLink(state, how);
    const screen = await soon(() => screenOf(name));
    if (!screen) return misfit('a state');
    if (!MAIN_ABOUT_PROBLEM.includes(name)) return screen.openLink(state);
    const { f: part = {} } = state;
    // A form that is none leaves the rail as it is.
    const error = screen.refusesLink(part) || await stage.openLink(state, { ...how, bare: true });
    return error || screen.openLink(part);
  }

  /** Says what is to be known of the page that a link has opened. */
  function tell(name, state) {
    const doc = stageHere() && stageHere().store.doc();
    if (!doc || !doc.link || !(name === 'step' || MAIN_ABOUT_PROBLEM.includes(name))) return;
    const words = revisionWords(doc.link, doc.provenance);
    if (!words) return;
    const again = doc.link.recorded ? { label: 'Run again with the current model', press: () => opening(name, state, { live: true }) } : null;
    said.note(words, again);
  }

  async function opening(name, state, how = {}) {
    said.hide();
    const error = await openState(name, state, how);
    if (error) said.card(error);
    else { opened = name === 'study' || name === 'decisions' ? null : problemKey(); tell(name, state); }
    return error;
  }

  /** Shows a place that was kept; what of it can't be opened any more is left out. */
  async function comeBack({ screen: name, stage, part }) {
    if (stage) await stageHere().openLink(stage);
    const screen = part && await soon(() => screenOf(name));
    if (screen && !screen.refusesLink?.(part)) await screen.openLink(part);
  }

  async function openLesson({ slug, beat }) {
    const lesson = await soon(() => globalThis.playgroundLesson);
    if (!lesson) return { ...misfit('a lesson'), hint: 'This page has no lessons: open the link where it was made.' };
    return (await lesson.open(slug, beat)) || null;
  }

  async function openOwn({ lesson, b }) {
    said.note('Recording the lesson of this link, at most a minute …', null);
    const player = await soon(() => globalThis.playgroundLesson);
    const error = player && lesson && typeof lesson === 'object' ? await player.openOwn(lesson, Number.isSafeInteger(b) ? b : 0) : misfit('a lesson');
    said.hide();
    if (error) said.card(error);
    return error || null;
  }

  /** Opens what an address says, if anything: null, or a card that is then on the page. */
  async function openFrom(address) {
    const { screen, packed } = fragment(address.hash);
    if (![...MAIN_SCREENS, MAIN_LESSON].includes(screen) || packed === null) {
      const lesson = packed === null && address.search !== taught ? lessonOf(address.search) : null;
      taught = address.search;
      if (!lesson) return null;
      const error = await openLesson(lesson);
      if (error && error.what) said.card(error);
      return error && error.what ? error : null;
    }
    // A study or an experiment by its name is the Study screen's.
    if (screen === 'study' && /^(?:experiments(?:\/.*)?|recorded|[\w-]{22})$/.test(packed)) return null;
    const key = `${screen}?${packed}`;
    if (key === seen) return null;
    seen = key;
    opened = null;
    const { state, error } = await unpack(packed);
    if (error) { said.card(error); return error; }
    if (screen === MAIN_LESSON) return openOwn(state);
    return opening(screen, state);
  }

  // Once the visitor asks for another problem, the link in the address is about something else.
  function followStage() {
    soon(stageHere).then((stage) => stage && stage.store.subscribe(() => {
      if (opened === null || seen === null || problemKey() === opened) return;
      opened = null;
      seen = null;
      const { screen, packed } = fragment(location.hash);
      if (packed !== null && MAIN_SCREENS.includes(screen)) history.replaceState(history.state, '', location.pathname + location.search + (screen === 'step' ? '' : `#${screen}`));
    }));
  }

  const panel = mountPanel({ make, keep, said });
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || event.key.toLowerCase() !== 's' || event.target.closest?.(MAIN_TYPING)) return;
    event.preventDefault();
    copy();
  });
  for (const name of ['hashchange', 'popstate']) window.addEventListener(name, () => openFrom(location));
  globalThis.playgroundLinks = { make, copy, openFrom, share: panel.open };
  if (view === 'embed') said.home();
  followStage();
  if (lessonOf(location.search)) seen = location.hash.slice(1);
  else openFrom(location);
  if (!view) keepPlace({ app: document.querySelector('script[data-modules]').dataset.modules, here: () => soon(stageHere), screenOf, open: comeBack });
}
