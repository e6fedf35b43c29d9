// q and TV as temperature or top-p moves: curves with their bounds, drawn by Plotly in the looks of playground/views/squeezing.py.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { chartLoad } from '../stage/charts.js';
import { middle, numberBetween, probBetween } from '../stage/interval.js';
import { plotText } from '../compare/plots.js';
import { NO_LAW } from '../compare/words.js';
import { gradeBadge } from './known.js';
import { isOld } from './state.js';

const SWEEP_NAMES = { temperature: 'temperature', top_p: 'top-p' };

// Of bounds wider than this no place between is more likely than another: the span alone is drawn.
const SWEEP_WIDE = 0.5;

// Where nothing valid has mass there is no p_V, and so no distance to it.
function sweepNone(point) {
  return point.q.upper === 0;
}

function sweepWide(point, key) {
  return point[key].upper - point[key].lower > SWEEP_WIDE;
}

/** The traces' numbers for a sweep: [{x, y, error, customdata, spans}] for q and TV; y is null where there is no number, or where the
 *  bounds are so wide that only their span is drawn; `spans` has those, as {x, y, error, customdata}. */
export function sweepColumns(points) {
  return ['q', 'tv'].map((key) => {
    const words = (point) => [plotText(key === 'q' ? probBetween(point.q).text : numberBetween(point.tv)), gradeBadge(point.status).word];
    const half = (point) => (point[key].upper - point[key].lower) / 2;
    const seen = (point) => !(key === 'tv' && sweepNone(point));
    const wide = points.filter((point) => seen(point) && sweepWide(point, key));
    return {
      x: points.map((point) => point.value),
      y: points.map((point) => (seen(point) && !sweepWide(point, key) ? middle(point[key]) : null)),
      error: points.map(half),
      customdata: points.map(words),
      spans: { x: wide.map((point) => point.value), y: wide.map((point) => middle(point[key])), error: wide.map(half), customdata: wide.map(words) },
    };
  });
}

function sweepTv(point) {
  return sweepNone(point) ? '–' : numberBetween(point.tv);
}

/** What a sweep shows, in a sentence. */
export function sweepWords(sweep) {
  const points = sweep.points;
  if (!points.length) return 'No point was finished.';
  const [first, last] = [points[0], points[points.length - 1]];
  const name = SWEEP_NAMES[sweep.parameter];
  if (points.every(sweepNone)) return NO_LAW;
  const at = (point) => `at ${name} ${point.value} q is ${probBetween(point.q).text} and ${sweepNone(point) ? 'p_V does not exist' : `TV ${numberBetween(point.tv)} (${gradeBadge(point.status).word})`}`;
  return points.length === 1 ? `${at(first)}.` : `${at(first)}; ${at(last)}.`;
}

/** Builds the card. */
export function mountSweep(root, state, { figures }) {
  let parameter = 'temperature';
  let drawn = null;
  let plotly = null;
  const choose = Object.entries(SWEEP_NAMES).map(([key, name]) => h('button', { type: 'button', class: 'sq-choice', 'data-parameter': key, onclick: () => { parameter = key; draw(); } }, name));
  const run = h('button', { type: 'button', class: 'pg-button', onclick: () => state.start('sweep', { parameter }) }, 'Draw the curves');
  const stop = h('button', { type: 'button', class: 'pg-button', hidden: true, onclick: () => state.stop('sweep') }, 'Stop');
  const says = h('p', { class: 'pg-quiet', 'aria-live': 'polite' }, 'How the chance of a valid text and the distance of the mask’s law move with the sampling. Each point is a search of its own.');
  const chart = h('div', { class: 'sq-sweep', role: 'img', hidden: true });
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the sweep', hidden: true });
  const toTable = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': 'false', hidden: true, onclick: () => {
    setShown(table, table.hidden);
    setAttr(toTable, 'aria-pressed', String(!table.hidden));
  } }, 'Table');
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'If the sampling were another'), h('span', { class: 'sq-choices', role: 'group', 'aria-label': 'Parameter' }, choose), run, stop, h('span', { class: 'pg-gap' }), toTable), says, chart, table);

  async function plot(sweep) {
    try {
      plotly = plotly || await chartLoad();
    } catch (reason) {
      setText(says, `${reason.message}: the table has the numbers.`);
      setShown(table, true);
      return;
    }
    const mode = root.closest('.dark') ? 'dark' : 'light';
    const figure = figures.sweep[mode];
    const data = figure.data.flatMap((trace, i) => {
      const { x, y, error, customdata, spans } = sweepColumns(sweep.points)[i];
      const drawn = { ...trace, x, y, customdata, error_y: { ...trace.error_y, array: error } };
      const alone = { ...trace, mode: 'markers', x: spans.x, y: spans.y, customdata: spans.customdata, showlegend: false, marker: { ...trace.marker, opacity: 0 }, error_y: { ...trace.error_y, array: spans.error } };
      return spans.x.length ? [drawn, alone] : [drawn];
    });
    const xaxis = { ...figure.layout.xaxis, title: { ...figure.layout.xaxis.title, text: SWEEP_NAMES[sweep.parameter] } };
    await plotly.react(chart, data, { ...figure.layout, xaxis }, { displayModeBar: false, responsive: true, doubleClick: false });
  }

  function draw() {
    const now = state.get();
    setShown(root, Boolean(now.doc));
    choose.forEach((button) => setAttr(button, 'aria-pressed', String(button.dataset.parameter === parameter)));
    const news = now.runs.sweep;
    setShown(stop, Boolean(news && news.running));
    run.disabled = Boolean(news && news.running);
    const old = isOld(now);
    const sweep = old && now.sweep ? { ...now.sweep, points: now.sweep.points.map((point) => ({ ...point, status: 'old' })) } : now.sweep;
    if (news && news.error) setText(says, `${news.error.what} ${news.error.hint || ''}`);
    else if (sweep) setText(says, `${news && news.running ? 'So far: ' : ''}${sweepWords(sweep)}`);
    else if (news && news.running) setText(says, news.progress ? news.progress.words : 'Searching the first point …');
    setShown(chart, Boolean(sweep) && sweep.points.length > 0);
    setShown(toTable, !chart.hidden);
    if (chart.hidden) { setShown(table, false); drawn = null; return; }
    const mode = root.closest('.dark') ? 'dark' : 'light';
    if (drawn && drawn.sweep === now.sweep && drawn.mode === mode && drawn.old === old) return;
    drawn = { sweep: now.sweep, mode, old };
    setAttr(chart, 'aria-label', sweepWords(sweep));
    fill(table, h('table', { class: 'pg-table' }, h('thead', null, h('tr', null, [SWEEP_NAMES[sweep.parameter], 'q', 'TV(p~, p_V)', 'status'].map((each) => h('th', { scope: 'col' }, each)))),
      h('tbody', null, sweep.points.map((point) => h('tr', null, h('th', { scope: 'row' }, String(point.value)), h('td', { class: 'pg-num' }, probBetween(point.q).text), h('td', { class: 'pg-num', title: sweepNone(point) ? NO_LAW : null }, sweepTv(point)), h('td', null, gradeBadge(point.status).word))))));
    plot(sweep);
  }
  window.addEventListener('playground-theme', () => requestAnimationFrame(draw));
  state.subscribe(draw);
  draw();
}
