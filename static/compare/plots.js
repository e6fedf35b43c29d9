// One Plotly chart in a box: drawn when it is on screen, again when its size or the theme changes, one drawing at a time.

import { h, setShown, setText } from '../stage/dom.js';
import { chartLoad } from '../stage/charts.js';

/** Text as plotly shows it: its strings are pseudo-HTML with entities. */
export function plotText(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** "dark" or "light", as the page is now. */
export function plotMode() {
  return document.body.classList.contains('dark') ? 'dark' : 'light';
}

// On a projector every mark keeps 4.5 : 1 on white.
const PLOTS_PROJECTOR = { '#8e93a3': '#6c7389', '#0699fc': '#02325c', '#ef5c0e': '#683204', '#165d41': '#088656', '#921e95': '#a924d1' };

/** The figure in the colours of a projector. */
export function projected(value) {
  if (typeof value === 'string') return PLOTS_PROJECTOR[value.toLowerCase()] || value;
  if (Array.isArray(value)) return value.map(projected);
  return value && typeof value === 'object' && !ArrayBuffer.isView(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, projected(each)])) : value;
}

/** Whether the page is shown to a room. */
export function isPresenting() {
  return document.body.classList.contains('presenting');
}

/** Calls `fn` after the theme has changed. Returns a function that ends it. */
export function onTheme(fn) {
  const watching = new MutationObserver(fn);
  for (const each of [document.documentElement, document.body]) watching.observe(each, { attributes: true, attributeFilter: ['class'] });
  return () => watching.disconnect();
}

/** A chart in `root`. make(mode, width) -> {data, layout} or null; onPoint(point) hears clicks. Returns {draw, remove}: `draw` asks for
 *  a drawing, soon. `onFail` is called once where the library can't be had: the table twin then stands alone. */
export function createPlot(root, { make, onPoint = null, onFail = null, label = '' }) {
  const box = h('div', { class: 'cmp-plot', role: 'img', 'aria-label': label });
  const note = h('p', { class: 'pg-quiet', hidden: true });
  root.append(box, note);
  let plotly = null;
  let failed = false;
  let frame = null;
  let drawing = false;
  let again = false;
  let listening = false;

  async function paint() {
    frame = null;
    const size = Math.floor(root.clientWidth);
    if (!size || failed) return;
    if (drawing) { again = true; return; }
    drawing = true;
    try {
      plotly = plotly || await chartLoad();
      const made = make(plotMode(), size);
      const figure = made && isPresenting() && plotMode() === 'light' ? projected(made) : made;
      setShown(box, figure !== null);
      // Left to itself it keeps the width of its first drawing.
      if (figure) await plotly.react(box, figure.data, { ...figure.layout, width: size }, { displayModeBar: false, responsive: false, doubleClick: false });
      if (figure && !listening && onPoint) {
        listening = true;
        box.on('plotly_click', (event) => onPoint(event.points[0]));
      }
    } catch (reason) {
      failed = true;
      setText(note, `The chart could not be drawn (${reason.message}); the table has its numbers.`);
      setShown(note, true);
      if (onFail) onFail();
    } finally {
      drawing = false;
      if (again) { again = false; soon(); }
    }
  }
  function soon() {
    if (frame === null) frame = requestAnimationFrame(paint);
  }
  const sized = new ResizeObserver(soon);
  sized.observe(root);
  const unthemed = onTheme(soon);
  return {
    draw: soon,
    label: (words) => box.setAttribute('aria-label', words),
    remove: () => { sized.disconnect(); unthemed(); },
  };
}

/** A button that swaps a chart for its table. `fail()` shows the table for good. */
export function tableToggle(chart, table) {
  setShown(table, false);
  const button = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': 'false' }, 'Table');
  const show = (asTable) => {
    setShown(table, asTable);
    setShown(chart, !asTable);
    button.setAttribute('aria-pressed', String(asTable));
  };
  button.addEventListener('click', () => show(table.hidden));
  return { button, fail: () => { show(true); button.disabled = true; } };
}
