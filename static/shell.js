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

  const actions = {
    rail: () => {
      const open = document.body.classList.toggle('rail-open');
      if (open) document.querySelector('#rail input, #rail textarea')?.focus();
    },
    steps: () => document.querySelector('#stage .pg-moves :is(.pg-back, .pg-play, .pg-step):enabled')?.focus(),
    theme: () => setTheme(!document.body.classList.contains('dark'), true),
    help: () => window.dispatchEvent(new KeyboardEvent('keydown', {key: '?', bubbles: true})),
  };
  window.playgroundShell = actions;

  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-do]');
    if (button && actions[button.dataset.do]) actions[button.dataset.do]();
    if (event.target.closest?.('#start')) document.body.classList.remove('rail-open');
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') document.body.classList.remove('rail-open');
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
