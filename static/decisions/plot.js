// A line chart as SVG: lines, bands and dots on two linear axes. Decoration: a table beside it has the numbers.

import { h, svg } from '../stage/dom.js';

const PLOT = { width: 560, height: 230, left: 54, right: 26, top: 10, bottom: 40 };

/** Places of a chart: x and y in data to pixels; a scale is {from, to}. */
export function places(x, y, box = PLOT) {
  const along = ({ from, to }, value) => (to === from ? 0.5 : (value - from) / (to - from));
  return {
    x: (value) => box.left + (box.width - box.left - box.right) * along(x, value),
    y: (value) => box.height - box.bottom - (box.height - box.top - box.bottom) * along(y, value),
  };
}

/** The `d` of a line through points [[x, y]]; a null y breaks it. */
export function lineOf(points, at) {
  let pen = 'M';
  return points.map(([x, y]) => {
    if (y === null || y === undefined) { pen = 'M'; return ''; }
    const out = `${pen}${at.x(x).toFixed(1)} ${at.y(y).toFixed(1)}`;
    pen = 'L';
    return out;
  }).join('');
}

function plotBand(points, at) {
  const known = points.filter((each) => each[2] !== null && each[2] !== undefined);
  if (known.length < 2) return '';
  const up = known.map(([x, , , hi]) => `${at.x(x).toFixed(1)} ${at.y(hi).toFixed(1)}`);
  const down = [...known].reverse().map(([x, , lo]) => `${at.x(x).toFixed(1)} ${at.y(lo).toFixed(1)}`);
  return `M${[...up, ...down].join('L')}Z`;
}

/** A chart. x, y: {from, to, ticks, title, words(tick)}; series: [{cls, points: [[x, y]] or [[x, y, lo, hi]], line, dots, band, whiskers}]; now: an x that is marked; diagonal: y = x. */
export function plot(label, { x, y, series, now = null, diagonal = false }) {
  const at = places(x, y);
  const line = (cls, x1, y1, x2, y2) => svg('line', { class: cls, x1, y1, x2, y2 });
  const text = (words, left, top, anchor) => svg('text', { x: left, y: top, 'text-anchor': anchor }, words);
  const words = (axis, tick) => (axis.words ? axis.words(tick) : String(tick));
  const dots = ({ cls, points, whiskers }) => points.filter(([, value]) => value !== null).map(([left, value, lo, hi]) => svg('g', { class: `dc-dot ${cls}` },
    whiskers && lo !== undefined ? line('', at.x(left), at.y(lo), at.x(left), at.y(hi)) : null, svg('circle', { cx: at.x(left), cy: at.y(value), r: 5 })));
  return svg('svg', { class: 'dc-plot', viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: 'img', 'aria-label': `${label}; the table has the numbers` },
    y.ticks.map((tick) => [line('dc-grid', PLOT.left, at.y(tick), PLOT.width - PLOT.right, at.y(tick)), text(words(y, tick), PLOT.left - 6, at.y(tick) + 4, 'end')]),
    x.ticks.map((tick) => text(words(x, tick), at.x(tick), PLOT.height - PLOT.bottom + 16, 'middle')),
    text(x.title, (PLOT.left + PLOT.width - PLOT.right) / 2, PLOT.height - 5, 'middle'),
    diagonal ? line('dc-diagonal', at.x(x.from), at.y(y.from), at.x(x.to), at.y(y.to)) : null,
    now === null ? null : line('dc-now', at.x(now), PLOT.top, at.x(now), PLOT.height - PLOT.bottom),
    series.filter(({ band }) => band).map(({ cls, points }) => svg('path', { class: `dc-band ${cls}`, d: plotBand(points, at) })),
    series.filter(({ line: drawn }) => drawn).map(({ cls, points }) => svg('path', { class: `dc-line ${cls}`, d: lineOf(points, at) })),
    series.filter((each) => each.dots).map(dots));
}

/** The legend of a chart: [[cls, words]]. */
export function legend(entries) {
  return h('ul', { class: 'dc-legend' }, entries.map(([cls, words]) => h('li', null, svg('svg', { viewBox: '0 0 30 12', width: 30, height: 12, 'aria-hidden': 'true' }, svg('path', { class: `dc-line ${cls}`, d: 'M1 6L29 6' })), words)));
}
