// Lessons on the page: puts the bar, the menu, the maker and presenting together, and follows the address.

import { h } from '../stage/dom.js';
import { saveFile } from '../stage/saving.js';
import { called, createApi } from './api.js';
import { mountAway } from './away.js';
import { mountBar } from './bar.js';
import { mountGlossary } from './glossary.js';
import { KEYS, mountLessonKeys } from './keys.js';
import { mountMaker } from './make.js';
import { mountMenu } from './menu.js';
import { createPlayer } from './player.js';
import { mountPresent } from './present.js';
import { createRoom } from './room.js';
import { createShow, found } from './show.js';

/** The query of the address with this lesson and beat (from 1) in it, or without one. */
export function queryWith(search, place) {
  const query = new URLSearchParams(search);
  for (const name of ['lesson', 'beat']) query.delete(name);
  if (place) { query.set('lesson', place.slug); query.set('beat', String(place.beat + 1)); }
  const text = query.toString();
  return text ? `?${text}` : '';
}

// A built-in lesson is in the query alone; a link to a visitor's own holds for as long as that is played.
const hashWith = (hash, form, own) => (form ? (own ? hash : '') : hash.replace(/^#lesson\?.*$/, ''));

/** The lesson and beat (from 0) that an address names, or null. */
export function placeOf(search) {
  const query = new URLSearchParams(search);
  const slug = query.get('lesson');
  if (!slug || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(slug)) return null;
  const beat = Number.parseInt(query.get('beat') || '1', 10);
  return { slug, beat: Number.isFinite(beat) ? Math.max(0, beat - 1) : 0, room: query.get('room') };
}

/** Mounts the lessons. server: {save_lesson, open_lesson, handout, vote, votes, qr}; page: what the maker is held to. */
export function mount(element, { server = null, page = null }) {
  const limits = page || {};
  const show = createShow({ pointed: (part) => present.solo(part) });
  const api = createApi();
  const player = createPlayer({ show, fetchForm: api.form });
  const { store } = player;
  const room = createRoom(player, server);
  const root = document.createElement('div');
  root.className = 'lesson-root';
  // It stands where the bar stood that was pressed.
  const loading = h('p', { class: 'pg lesson-loading', role: 'status', hidden: true }, 'Loading the model. Until its run is here you see what was on the page before, not the live run.');
  root.append(loading);
  element.append(root);

  const back = () => document.querySelector('#top [data-do="lessons"]');
  const begun = (error) => { if (!error) bar.focus(); return error; };
  const open = (slug, beat = 0) => player.open(slug, beat).then(begun);
  const load = (form, beat = 0) => player.load(form, beat).then(begun);
  const close = () => { player.close(); const to = back(); if (to) to.focus(); };

  async function live() {
    const stage = globalThis.playgroundStage;
    const state = stage.link ? stage.link() : null;
    if (!state) { store.set({ error: { what: 'This page cannot open the problem with a model.', where: 'Run it live', hint: 'The recording stays; write the problem in the rail of Step.', line: null, column: null } }); return; }
    player.close();
    globalThis.playgroundShell.screen('step');
    loading.hidden = false;
    const error = await stage.openLink(state, { live: true }).finally(() => { loading.hidden = true; });
    if (error) stage.store.actions.showError(error);
  }

  /** A visitor's lesson from a link, which holds it without its recording: null, or an error. */
  async function openOwn(lesson, beat) {
    const code = new URLSearchParams(location.search).get('room');
    const form = await called(server, 'save_lesson', { lesson });
    const error = form.error || await load(form, beat);
    if (!error && code) room.join(code);
    return error;
  }

  async function handout(form) {
    const made = await called(server, 'handout', { text: JSON.stringify(form) });
    if (made.error) return made.error;
    saveFile(`${form.lesson.slug}.html`, 'text/html', made.html);
    return null;
  }

  async function link() {
    const links = globalThis.playgroundLinks;
    const state = player.state();
    const made = links && links.make ? await links.make().catch(() => null) : null;
    const own = new URL(`${location.pathname}${queryWith(location.search, state && !state.own ? state : null)}`, location.href);
    const url = made && made.url ? new URL(made.url, location.href) : own;
    if (state && room.get().role === 'host') url.searchParams.set('room', room.get().code);
    return url.href;
  }

  // At the end of a lesson that is presented its page scrolls, as a clicker has no other keys.
  const endPage = () => (present.on() && player.state() && player.state().beat >= player.state().of ? bar.node.querySelector('.lesson-after') : null);
  function scrolled(share) {
    const page = endPage();
    const before = page ? page.scrollTop : 0;
    if (page) page.scrollBy({ top: share * page.clientHeight, behavior: 'instant' });
    return Boolean(page) && page.scrollTop !== before;
  }

  const bar = mountBar(root, player, { room, actions: { next: () => player.next(), back: () => player.back(), close, live, openLesson: open, handout } });
  const present = mountPresent(root, { server, link, changed: () => bar.update(), reset: () => player.reset() });
  const maker = mountMaker(root, { server, limits, load, player });
  const menu = mountMenu(root, { api, server, room, most: limits.bytes, open, load, begun: () => bar.focus(), make: () => maker.show() });
  mountGlossary(root);
  const away = mountAway(bar.node, { show, player });
  mountLessonKeys(root, {
    at: () => {
      const { form, beat, reset } = store.get();
      const asking = player.asking();
      const stage = globalThis.playgroundStage;
      return { inLesson: Boolean(form), presenting: present.on(), asking, questioned: player.questioned(), undoing: Boolean(reset), ended: Boolean(endPage()), options: asking ? form.lesson.beats[beat].predict.options.length : 0, blank: present.blanked(), letters: !stage || stage.store.view().keys };
    },
    commands: {
      next: () => { if (endPage()) return scrolled(0.8) || undefined; return store.get().beat < store.get().form.lesson.beats.length ? player.next() : false; },
      back: () => (scrolled(-0.8) ? true : store.get().beat > 0 ? player.back() : present.on() ? null : false),
      down: () => scrolled(0.2) || undefined, up: () => scrolled(-0.2) || undefined, undo: () => player.undoReset(),
      first: () => player.go(0), present: () => present.toggle(), leave: () => present.leave(),
      curtain: () => (player.asking() ? player.lift() : present.curtain()), blank: () => present.blank(), spotlight: () => present.spotlight(), qr: () => { present.qr(); },
      reset: () => player.reset(), answer: (option) => { player.predict(option); room.vote(option); },
    },
  });

  // What stands over the page is left free where it scrolls to something.
  const measure = () => {
    const phone = globalThis.matchMedia('(max-width: 900px)').matches && !present.on();
    const height = bar.node.hidden ? 0 : Math.round(bar.node.getBoundingClientRect().height);
    document.documentElement.style.setProperty('--lesson-top', `${phone ? 0 : height}px`);
    document.documentElement.style.setProperty('--lesson-foot', `${phone ? height + 64 : 0}px`);
  };
  new ResizeObserver(measure).observe(bar.node);

  let at = { form: null, beat: -1, own: false };
  const update = () => {
    const { form, beat, own } = store.get();
    present.asking(player.asking());
    if (form === at.form && beat === at.beat) return;
    const ended = at.form && !form;
    at = { form, beat, own };
    measure();
    // A reload comes back to the same beat, which opens its own screen.
    if (form || ended) history.replaceState(history.state, '', `${location.pathname}${queryWith(location.search, form && !own ? { slug: form.lesson.slug, beat: Math.min(beat, form.lesson.beats.length - 1) } : null)}${hashWith(location.hash, form, own)}`);
  };
  store.subscribe(update);
  found(() => globalThis.playgroundStage).then((stage) => { if (stage) stage.store.subscribe(() => { bar.update(); away(); }); });
  globalThis.addEventListener('playground-screen', away);

  globalThis.playgroundLesson = {
    state: player.state, open, openOwn, load, next: player.next, back: player.back, close,
    form: () => store.get().form, presenting: present.on, present: present.toggle, menu: menu.show, maker: maker.show, qr: present.qr, keys: KEYS,
  };
  present.resume();
  const named = placeOf(location.search);
  if (named) {
    open(named.slug, named.beat).then(async (error) => {
      if (!error && named.room) room.join(named.room);
      const stage = error && await found(() => globalThis.playgroundStage);
      if (stage) stage.store.actions.showError({ ...error, where: `?lesson=${named.slug}` });
    });
  }
  return { state: player.state, show: () => {}, notice: () => {} };
}
