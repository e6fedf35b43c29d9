// The outcomes under every law on one axis: the chart, its table, and the outcome that was picked, in full.

import { h, fill, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { bits, counted, logProb, plain, visible } from '../stage/format.js';
import { createPlot, isPresenting, plotText, tableToggle } from './plots.js';
import { statusBadge } from './header.js';
import { NO_LAW, bitsSum, lawless, outcomeRows, runWords, seriesWords, shownRun, span, spanTitle, squeezeWords, triedMethods } from './words.js';

const OUTCOMES_ROW = 46;
const OUTCOMES_NARROW = 560;
// Rows that a room can read at once.
const OUTCOMES_ROOM = 6;
const OUTCOMES_WIDE = 0.2;
const OUTCOMES_FLOAT = 1e-3;
const OUTCOMES_LAWS = [['model', 'model p'], ['masked', 'after mask p~'], ['exact', 'p_V']];

function outcomesHover(row) {
  const lines = [`<b>${plotText(row.label)}</b>`, ...OUTCOMES_LAWS.map(([key, name]) => (row[key] ? `${name} ${plotText(seriesWords(row[key]))}` : null)),
    ...row.tried.map((each) => `${plotText(each.title)} ${plotText(seriesWords(each))}`), row.found && row.exact ? `s(y) ${plotText(squeezeWords(row.found.squeeze))}` : null];
  return lines.filter(Boolean).join('<br>');
}

function outcomesErrors(list) {
  // An exact number has no bar beside it, not even one of no width, unless floating point leaves one that shows.
  const known = (each) => each && (each.how !== 'exact' || each.upper - each.lower > OUTCOMES_FLOAT) && each.lower !== null && each.upper !== null;
  return {
    array: list.map((each) => (known(each) ? Math.max(0, each.upper - each.value) : null)),
    arrayminus: list.map((each) => (known(each) ? Math.max(0, each.value - each.lower) : null)),
  };
}

// Of a wide bracket no point is more likely than another: none is marked.
function outcomesWide(series) {
  return Boolean(series) && series.upper - series.lower > OUTCOMES_WIDE;
}

// A bar is as long as what is proved; from there its bracket goes on.
function outcomesProved(series) {
  return series.how === 'bounded' ? { ...series, value: series.lower } : series;
}

// A room sees the first rows and, the last of them, what becomes of the rest of the model's mass.
function roomRows(rows) {
  if (!isPresenting() || rows.length <= OUTCOMES_ROOM) return rows;
  const texts = rows.filter((row) => row.kind === 'text');
  const others = rows.filter((row) => row.kind !== 'text');
  return [...texts.slice(0, Math.max(1, OUTCOMES_ROOM - others.length)), ...others].slice(0, OUTCOMES_ROOM);
}

/** The chart's data and layout for `rows`. templates: {data, layout} of this mode; lanes and symbols as playground/views/compare.py
 *  gives them; `tried` the methods that stand for p_V, as [name, title]. */
export function outcomesFigure(rows, tried, template, { lanes, symbols, width }) {
  const hover = rows.map(outcomesHover);
  const place = (lane) => rows.map((_, i) => i + lane);
  const fold = (trace, key, more = {}) => {
    const bar = trace.type === 'bar';
    const list = rows.map((row) => (row[key] && bar ? outcomesProved(row[key]) : row[key]));
    const errors = outcomesErrors(list);
    return { ...trace, ...more, x: list.map((each) => (each ? each.value : null)), customdata: hover, error_x: { ...trace.error_x, ...errors } };
  };
  const [model, masked, stem, exact, dots] = template.data;
  const whole = rows.map((_, i) => i);
  const drawn = tried.map(([name, title], at) => {
    const list = rows.map((row) => row.tried.find((each) => each.name === name) || null);
    const spread = tried.length > 1 ? (at / (tried.length - 1) - 0.5) * 0.2 : 0;
    return { ...dots, name: title, x: list.map((each) => (each ? each.value : null)), y: place(lanes.tried + spread), customdata: hover,
      marker: { ...dots.marker, symbol: symbols[at % symbols.length] }, error_x: { ...dots.error_x, ...outcomesErrors(list) } };
  });
  const left = width < OUTCOMES_NARROW ? 104 : 168;
  const letters = width < OUTCOMES_NARROW ? 12 : 22;
  return {
    data: [fold(model, 'model', { y: whole }), fold(masked, 'masked', { y: whole }),
      { ...stem, x: rows.map((row) => (row.exact ? outcomesProved(row.exact).value : null)), y: whole }, fold(exact, 'exact', { y: place(lanes.exact), marker: { ...exact.marker, opacity: rows.map((row) => (outcomesWide(row.exact) ? 0 : 1)) } }), ...drawn],
    layout: { ...template.layout, height: rows.length * OUTCOMES_ROW + 56, margin: { ...template.layout.margin, l: left },
      yaxis: { ...template.layout.yaxis, range: [rows.length - 0.5, -0.5], tickvals: whole, ticktext: rows.map((row) => plotText(row.label.length > letters ? `${[...row.label].slice(0, letters - 1).join('')}…` : row.label)) } },
  };
}

/** The legend of meanings, one entry a law. */
export function outcomesLegend(tried, symbols) {
  const key = (kind, words, more = '') => h('li', null, h('i', { class: `cmp-key ${kind}`, 'aria-hidden': 'true' }, more), words);
  return h('ul', { class: 'cmp-legend' }, key('is-model', 'model: p, all texts'), key('is-masked', 'after mask: p~'), key('is-exact', 'exact law: p_V'),
    tried.map(([, title], at) => key('is-tried', `${title}: tried and kept`, { circle: '●', square: '■', 'triangle-up': '▲', cross: '✚', x: '✖', star: '★', hexagon: '⬢', pentagon: '⬟' }[symbols[at % symbols.length]])));
}

function outcomesTable(rows, tried, pick, picked) {
  const head = ['outcome', ...OUTCOMES_LAWS.map(([, name]) => name), ...tried.map(([, title]) => title), 's(y)'];
  return h('table', { class: 'pg-table' }, h('caption', null, 'Chance of each outcome under every law; brackets say how it is known.'),
    h('thead', null, h('tr', null, head.map((each, i) => h('th', { scope: 'col', class: i ? 'pg-num' : null }, each)))),
    h('tbody', null, rows.map((row) => h('tr', { 'aria-current': row.key === picked ? 'true' : null },
      h('th', { scope: 'row' }, row.kind === 'text' ? h('button', { type: 'button', class: 'pg-link', onclick: () => pick(row.key) }, h('code', null, row.label)) : row.label),
      OUTCOMES_LAWS.map(([key]) => h('td', { class: 'pg-num' }, seriesWords(row[key]))), tried.map(([name]) => h('td', { class: 'pg-num' }, seriesWords(row.tried.find((each) => each.name === name)))),
      h('td', { class: 'pg-num' }, row.found && row.exact ? squeezeWords(row.found.squeeze) : '–')))));
}

function outcomesRuns(answer, open) {
  if (answer.error) return h('p', { class: 'pg-quiet', role: 'alert' }, answer.error.what);
  if (!answer.runs.length) return h('p', { class: 'pg-quiet' }, 'The search has found no run that spells it.');
  const spoken = (run) => `${run.tokens.map((token) => visible(token) || '∅').join(' | ')}${run.canonical ? ' the tokenizer’s own' : ''}`;
  const rows = answer.runs.map((run) => h('tr', { 'aria-label': spoken(run) }, h('th', { scope: 'row', class: 'cmp-run-tokens', 'aria-label': spoken(run) }, run.tokens.map((token) => [h('code', { class: 'pg-tok' }, visible(token) || '∅'), ' ']), run.canonical ? h('span', { class: 'cmp-badge' }, 'the tokenizer’s own') : null),
    h('td', { class: 'pg-num', title: run.log_p === null ? null : `log p ${run.log_p.toFixed(3)}` }, logProb(run.log_p).text), h('td', { class: 'pg-num' }, logProb(run.log_masked).text),
    h('td', null, h('button', { type: 'button', class: 'pg-link', onclick: () => open(run.path, null) }, 'Step'))));
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Tokenisations' }, h('table', { class: 'pg-table cmp-wrapping cmp-runs' },
    h('caption', null, `${counted(answer.total, 'run')} found that ${answer.total === 1 ? 'spells' : 'spell'} it${answer.total > answer.runs.length ? `; the ${answer.runs.length} likeliest` : ''}. The text’s chance is their sum.`),
    h('thead', null, h('tr', null, ['tokens', 'p', 'p~', ''].map((each, i) => h('th', { scope: 'col', class: i === 1 || i === 2 ? 'pg-num' : null }, each || h('span', { class: 'pg-spoken' }, 'open in Step'))))), h('tbody', null, rows)));
}

// The run of the path, and what of the numbers above it speaks of more than it.
function outcomesRun(run, sum) {
  const which = runWords(run);
  const all = run.runs > 1 ? ' The numbers above sum all of them.' : '';
  return `${which[0].toUpperCase()}${which.slice(1)}: the mask takes ${bits(sum)} on the way.${all}`;
}

function outcomesDetail(row, doc, actions, runs) {
  const { found } = row;
  const status = doc.exact ? doc.exact.status : 'bounded';
  const fact = (name, value, title, known = null) => h('div', { title }, h('dt', null, name), h('dd', null, value, known ? [' ', statusBadge(known)] : null));
  const series = (key, name) => fact(name, row[key] ? (row[key].how === 'estimated' ? plain(row[key].value) : span(row[key])) : '–', row[key] ? seriesWords(row[key]) : 'not known', row[key] ? row[key].how : null);
  const run = found ? shownRun(found) : null;
  const sum = run ? bitsSum(run.bits) : null;
  const none = lawless(doc.exact);
  return [
    h('header', { class: 'cmp-picked-head' }, h('pre', { class: 'cmp-sample' }, row.kind === 'text' ? visible(row.text).replaceAll('␣', ' ') || '∅' : row.label)),
    h('dl', { class: 'cmp-facts' },
      series('model', 'p'), series('masked', 'p~'),
      none ? h('div', { class: 'cmp-wide' }, h('dt', null, 'p_V'), h('dd', { class: 'cmp-why' }, NO_LAW)) : found ? fact('p_V', [span(found.p_V), found.fraction ? h('span', { class: 'cmp-fraction' }, ` = ${found.fraction}`) : null], found.fraction ? `p over Z: ${found.fraction}` : spanTitle(found.p_V), status) : series('exact', 'p_V'),
      found && !none ? h('div', { class: 'cmp-wide', title: `s(y) = p~ / p_V: ${spanTitle(found.squeeze)}` }, h('dt', null, 's(y)'), h('dd', null, squeezeWords(found.squeeze))) : null,
      row.tried.map((each) => h('div', { class: 'cmp-wide' }, h('dt', null, each.title), h('dd', null, seriesWords(each))))),
    run && run.tokens.length ? h('div', { class: 'cmp-path' },
      h('p', { class: 'pg-quiet' }, outcomesRun(run, sum)),
      h('ol', { class: 'cmp-tokens' }, run.tokens.map((token, i) => h('li', null, h('button', { type: 'button', class: 'cmp-token', title: 'Open at this token in Step', onclick: () => actions.openInStep(run.path, null, i) },
        h('code', null, visible(token) || '∅'), h('span', null, bits(run.bits[i]))))))) : null,
    row.kind === 'text' ? h('div', { class: 'cmp-picked-actions' },
      run && run.path.length ? h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => actions.openInStep(run.path, run.bits) }, icon('step'), 'Open in Step') : null,
      h('button', { type: 'button', class: 'pg-button pg-button-small', disabled: runs === 'asked', onclick: () => actions.tokenisations(row.text) }, 'Tokenisations')) : null,
    runs && runs !== 'asked' ? outcomesRuns(runs, actions.openInStep) : null,
  ];
}

/** Renders the chart, its table and the picked outcome into `root`. */
export function mountOutcomes(root, store, { figures, actions }) {
  const chart = h('div', null);
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the outcomes' });
  const { button, fail } = tableToggle(chart, table);
  const legend = h('div', null);
  const note = h('p', { class: 'pg-quiet', hidden: true });
  const chips = h('div', { class: 'cmp-chips', role: 'group', 'aria-label': 'Outcomes' });
  const detail = h('section', { class: 'pg-card cmp-picked', 'aria-label': 'Outcome in full' });
  fill(root, h('section', { class: 'pg-card pg-panel cmp-outcomes', 'aria-label': 'Outcomes' },
    h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Outcomes'), button), legend, note, chart, table), h('div', { class: 'cmp-side' }, chips, detail));

  let shown = { rows: [], tried: [] };
  const plot = createPlot(chart, {
    make: (mode, width) => (shown.rows.length ? outcomesFigure(roomRows(shown.rows), shown.tried, figures.outcomes[mode], { lanes: figures.lanes, symbols: figures.symbols, width }) : null),
    onPoint: (point) => { const row = roomRows(shown.rows)[Math.round(point.pointIndex)]; if (row) pick(row.key); },
    onFail: fail,
  });
  function pick(key) {
    store.set({ picked: key, runs: null });
  }

  let seen = [];
  const update = () => {
    const { doc, picked, runs } = store.get();
    setShown(root, Boolean(doc));
    if (!doc || (seen[0] === doc && seen[1] === picked && seen[2] === runs)) return;
    const fresh = seen[0] !== doc;
    seen = [doc, picked, runs];
    if (fresh) {
      const tried = triedMethods(doc).map((name) => [name, doc.methods[name].title]);
      shown = { rows: outcomeRows(doc), tried };
      fill(legend, outcomesLegend(tried, figures.symbols));
      setText(note, doc.accept === 'language' ? '' : `Exact and after mask are laws over the mask’s language; the dots are judged by ${{ syntax: 'JSON syntax', salvaged: 'the schema after salvage' }[doc.accept] || 'the full schema'}.`);
      setShown(note, doc.accept !== 'language');
      plot.label(shown.rows.slice(0, 4).map((row) => `${row.label}: ${OUTCOMES_LAWS.map(([key, name]) => `${name} ${seriesWords(row[key])}`).join(', ')}`).join('. '));
      plot.draw();
    }
    const row = shown.rows.find((each) => each.key === picked) || shown.rows.find((each) => each.kind === 'text') || shown.rows[0] || null;
    const held = root.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(chips, shown.rows.map((each) => h('button', { type: 'button', class: 'cmp-chip', 'aria-pressed': String(each === row), onclick: () => pick(each.key) }, each.label)));
    fill(table, outcomesTable(shown.rows, shown.tried, pick, row && row.key));
    setShown(detail, Boolean(row));
    setShown(chips, shown.rows.length > 1);
    if (row) fill(detail, outcomesDetail(row, doc, actions, runs));
    setAttr(detail, 'data-key', row && row.kind);
    if (held) [...chips.children, ...detail.querySelectorAll('button')].find((each) => each.textContent === held)?.focus();
  };
  store.subscribe(update);
  update();
}
