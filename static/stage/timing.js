// When the parts of a live step ran: the draw, then the next position's forward pass and mask, side by side.
import { h } from './dom.js';

const TIMING_PARTS = { draw: 'draw', pass: 'forward pass', mask: 'mask' };

const timingMs = (ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

/** The parts that were measured: {key, title, start, end} in ms from the step's beginning. */
export function timingRows(timing) {
  return Object.entries(TIMING_PARTS)
    .filter(([key]) => Array.isArray(timing?.[key]))
    .map(([key, title]) => ({ key, title, start: timing[key][0], end: timing[key][1] }));
}

/** What the times say: how much of the mask's work the forward pass has hidden. */
export function timingSentence(timing) {
  const { pass, mask } = timing;
  const took = mask[1] - mask[0];
  const beside = Math.max(0, Math.min(pass[1], mask[1]) - Math.max(pass[0], mask[0]));
  const hidden = beside >= took ? 'all of it' : `${timingMs(beside)} of it`;
  return `Once the token is drawn, the next forward pass and the next mask need nothing of each other. The pass took ${timingMs(pass[1] - pass[0])}, waiting included; the mask took ${timingMs(took)}, ${hidden} while the pass ran. Measured on the server, once, for this step.`;
}

/** A table of the parts whose last column draws them on one scale; null where nothing was measured. */
export function timingTable(timing) {
  const rows = timingRows(timing);
  if (!timing?.pass || !timing.mask) return null;
  const whole = Math.max(...rows.map((row) => row.end), 1e-6);
  const percent = (ms) => `${((100 * ms) / whole).toFixed(2)}%`;
  return h('div', { class: 'pg-time' }, h('p', null, timingSentence(timing)), h('table', null,
    h('thead', null, h('tr', null, ['part', 'from', 'to'].map((name) => h('th', { scope: 'col' }, name)), h('td', { 'aria-hidden': 'true' }))),
    h('tbody', null, rows.map((row) => h('tr', null, h('th', { scope: 'row' }, row.title), h('td', { class: 'pg-num' }, timingMs(row.start)), h('td', { class: 'pg-num' }, timingMs(row.end)),
      h('td', { class: 'pg-time-track', 'aria-hidden': 'true' }, h('i', { 'data-part': row.key, style: { 'margin-left': percent(row.start), width: percent(row.end - row.start) } })))))));
}
