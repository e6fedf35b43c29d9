// The frame of the page: theme, the rail as a sheet on narrow screens, and a bound on what is pasted.
'use strict';
(() => {
  const THEME = 'playground-theme';
  const MAX_TEXT = 1_500_000;

  function stored() {
    try { return localStorage.getItem(THEME); } catch { return null; }
  }

  function setTheme(dark, keep) {
    document.body.classList.toggle('dark', dark);
    if (keep) { try { localStorage.setItem(THEME, dark ? 'dark' : 'light'); } catch { /* private window: the choice lasts for this page */ } }
    window.dispatchEvent(new CustomEvent('playground-theme', {detail: {dark}}));
  }

  // A part that is still on its way does what was asked of it once it is there.
  const soon = (name, act, tries = 200) => {
    if (window[name]) act(window[name]);
    else if (tries) setTimeout(soon, 100, name, act, tries - 1);
  };

  const actions = {
    rail: () => {
      const open = document.body.classList.toggle('rail-open');
      const rail = document.querySelector('#rail');
      // The sheet, not its first box: that is a list, which would open over all the rest.
      if (open && rail) { rail.tabIndex = -1; rail.focus({preventScroll: true}); }
    },
    steps: () => document.querySelector('#stage .pg-moves :is(.pg-back, .pg-play, .pg-step):enabled')?.focus(),
    theme: () => setTheme(!document.body.classList.contains('dark'), true),
    lessons: () => soon('playgroundLesson', (lesson) => lesson.menu()),
    present: () => soon('playgroundLesson', (lesson) => lesson.present()),
    share: () => soon('playgroundLinks', (links) => links.share()),
    help: () => soon('playgroundStage', () => window.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true}))),
  };

  const SCREENS = ['step', 'compare', 'squeezing', 'schema', 'levels', 'study', 'decisions'];
  // A screen may keep its own state behind a question mark.
  const named = () => location.hash.slice(1).split('?')[0];
  const places = {};

  function mark() {
    const tabs = document.querySelectorAll('#top [data-screen]');
    for (const tab of tabs) {
      if (tab.dataset.screen === document.body.dataset.screen) {
        tab.setAttribute('aria-current', 'page');
        // On a phone they are a strip that is wider than the page.
        const strip = tab.parentElement;
        strip.scrollLeft = tab.offsetLeft - strip.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
      } else tab.removeAttribute('aria-current');
    }
    return tabs.length > 0;
  }

  // One screen is on the page at a time; the hash keeps it over a reload, and each keeps its place. What the visitor has chosen is a
  // page of its own for Back; what Back leads to is not.
  function screen(name, chosen = true) {
    const before = document.body.dataset.screen;
    const to = SCREENS.includes(name) ? name : 'step';
    if (before === to) return;
    if (before) places[before] = window.scrollY;
    document.body.dataset.screen = to;
    mark();
    if (before) {
      if (chosen) history.pushState(null, '', to === 'step' ? location.pathname + location.search : `#${to}`);
      window.scrollTo(0, places[to] ?? 0);
    }
    window.dispatchEvent(new CustomEvent('playground-screen', {detail: {screen: to}}));
  }
  actions.screen = screen;

  function openedScreen() {
    screen(named(), false);
    // Gradio builds the bar later.
    if (!mark()) new MutationObserver((_, watching) => { if (mark()) watching.disconnect(); }).observe(document.body, {childList: true, subtree: true});
  }
  if (document.body) openedScreen(); else document.addEventListener('DOMContentLoaded', openedScreen);
  for (const name of ['popstate', 'hashchange']) window.addEventListener(name, () => screen(named(), false));

  const TYPING = 'input:not([type=checkbox]):not([type=button]),textarea,select,[contenteditable=""],[contenteditable="true"],[role=slider],[role=radiogroup],[role=combobox],[role=textbox],dialog';
  // Tab with a digit is the Step screen's own chord.
  let tabDown = false;
  document.addEventListener('keyup', (event) => { if (event.key === 'Tab') tabDown = false; });
  window.addEventListener('blur', () => { tabDown = false; });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') tabDown = true;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || tabDown || event.target.closest?.(TYPING)) return;
    if (/^[1-7]$/.test(event.key)) screen(SCREENS[Number(event.key) - 1]);
    // The Step screen has keys of its own, this one among them.
    else if (event.key === 't' && document.body.dataset.screen !== 'step') setTheme(!document.body.classList.contains('dark'), true);
  });
  window.playgroundShell = actions;

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-do]');
    if (button && actions[button.dataset.do]) actions[button.dataset.do]();
    const tab = event.target.closest?.('#top [data-screen]');
    if (tab) screen(tab.dataset.screen);
    if (event.target.closest?.('#start')) document.body.classList.remove('rail-open');
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !document.body.classList.contains('rail-open')) return;
    document.body.classList.remove('rail-open');
    document.querySelector('#top [data-do="rail"]')?.focus();
  });

  // A paste far beyond any limit would be sent whole only to be refused: refuse it here, in words.
  document.addEventListener('paste', (event) => {
    if (!event.target.closest?.('#rail')) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MAX_TEXT) return;
    event.preventDefault();
    window.playgroundStage?.notice({progress: null, error: {
      what: `The pasted text has ${text.length.toLocaleString('en')} characters, more than this page takes.`,
      where: 'paste', hint: 'Paste a shorter part; nothing was changed.', line: null, column: null,
    }});
  }, true);

  if (stored()) {
    const apply = () => setTheme(stored() === 'dark', false);
    if (document.body) apply(); else document.addEventListener('DOMContentLoaded', apply);
  }
})();
