// The lists of the rail: one that was closed with Escape opens again on a click.
'use strict';
(() => {
  // Gradio opens a list when its box gains the focus, and Escape leaves the focus in the box.
  document.addEventListener('pointerdown', (event) => {
    const box = event.target.closest?.('#rail input[role=combobox]');
    if (box && box === document.activeElement && box.getAttribute('aria-expanded') !== 'true') box.blur();
  }, true);
})();
