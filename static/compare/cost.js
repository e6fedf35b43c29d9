// What a valid text costs: kept of the tries, the chance of nothing valid, the estimates of q beside what is certified.

import { h, fill, setShown, setText } from '../stage/dom.js';
import { count, plain } from '../stage/format.js';
import { createPlot, tableToggle } from './plots.js';
import { statusBadge } from './header.js';
import { NO_LAW, amount, costWords, lawless, span, spanTitle, wilson } from './words.js';

const COST_DASHES = ['dash', 'dot', 'dashdot', 'longdash', 'longdashdot'];
const COST_PLAIN = ['rejection', 'unconstrained'];

/** The draws that everything said of acceptance counts: rejection's, or the model's own. */
export function plainMethod(doc) {
  return COST_PLAIN.filter((name) => doc.methods[name] && doc.methods[name].curve.length).sort((a, b) => doc.methods[b].draws - doc.methods[a].draws)[0] || null;
}

// What keeps all that it draws says nothing here.
function costOthers(doc) {
  return Object.entries(doc.methods).filter(([name, method]) => !COST_PLAIN.includes(name) && method.curve.length && method.accepted < method.draws).map(([, method]) => method);
}

/** The chart's data and layout, or null before anything was drawn. template: {data, layout} of this mode. */
export function costFigure(doc, template) {
  const [band, main, other] = template.data;
  const first = plainMethod(doc);
  const data = [];
  if (first) {
    const { curve } = doc.methods[first];
    const bounds = curve.map(([n, kept]) => { const { lower, upper } = wilson(kept, n); return [n, n * lower, n * upper]; });
    data.push({ ...band, x: [...bounds.map(([n]) => n), ...bounds.map(([n]) => n).reverse()], y: [...bounds.map((each) => each[1]), ...bounds.map((each) => each[2]).reverse()] });
    data.push({ ...main, name: doc.methods[first].title, x: curve.map(([n]) => n), y: curve.map(([, kept]) => kept) });
  }
  costOthers(doc).forEach((method, at) => {
    data.push({ ...other, name: method.title, line: { ...other.line, dash: COST_DASHES[at % COST_DASHES.length] }, x: method.curve.map(([n]) => n), y: method.curve.map(([, kept]) => kept) });
  });
  return data.length && Object.values(doc.methods).some((method) => method.curve.length > 1) ? { data, layout: { ...template.layout } } : null;
}

function costLegend(doc) {
  const first = plainMethod(doc);
  return h('ul', { class: 'cmp-legend' }, first ? h('li', null, h('i', { class: 'cmp-line is-tried', 'aria-hidden': 'true' }), `${doc.methods[first].title}, with its 95 % band`) : null,
    costOthers(doc).map((method, at) => h('li', null, h('i', { class: 'cmp-line', dataset: { dash: COST_DASHES[at % COST_DASHES.length] }, 'aria-hidden': 'true' }), method.title)));
}

function costTable(doc) {
  return h('table', { class: 'pg-table' }, h('caption', null, 'Kept of the draws tried'), h('thead', null, h('tr', null, ['method', 'tried', 'kept', 'share kept'].map((each, i) => h('th', { scope: 'col', class: i ? 'pg-num' : null }, each)))),
    h('tbody', null, Object.values(doc.methods).map((method) => h('tr', null, h('th', { scope: 'row' }, method.title), h('td', { class: 'pg-num' }, count(method.draws)), h('td', { class: 'pg-num' }, count(method.accepted)),
      h('td', { class: 'pg-num' }, method.draws ? plain(method.accepted / method.draws) : '–')))));
}

function estimateRow(name, estimate, status, why) {
  if (!estimate) return null;
  const value = estimate.value === undefined ? '' : plain(estimate.value);
  return h('tr', null, h('th', { scope: 'row', title: why }, name), h('td', { class: 'pg-num' }, value), h('td', { class: 'pg-num', title: spanTitle(estimate) }, span(estimate)), h('td', { class: 'pg-num' }, estimate.n === undefined ? '' : count(estimate.n)), h('td', null, statusBadge(status, why)));
}

/** The estimates of q, one row each. */
export function qTable(doc) {
  const { acceptance, weights, certified, covers } = doc.q;
  const rows = [
    estimateRow('share of plain draws kept', acceptance, 'estimated', 'Clopper-Pearson, 95 %'),
    estimateRow('mean of prod Z_t', weights, 'estimated', 'Constrained runs, each weighed by prod Z_t: unbiased. 95 % for values up to Z_1, cut to what is certified.'),
    estimateRow('certified', certified, doc.exact ? doc.exact.status : 'bounded', 'Proved by the search'),
  ];
  const odd = weights && certified && (weights.value < certified.lower || weights.value > certified.upper);
  return [
    h('table', { class: 'pg-table cmp-wrapping' }, h('caption', null, 'q, the chance that the model alone writes a valid text, found three ways'), h('thead', null, h('tr', null, ['from', 'q', 'interval', 'draws', 'known'].map((each, i) => h('th', { scope: 'col', class: i > 0 && i < 4 ? 'pg-num' : null }, each)))), h('tbody', null, rows)),
    odd ? h('p', { class: 'pg-quiet' }, 'The mean of prod Z_t lies outside the certified bounds: that is its noise. Its interval is cut to them.') : null,
    !covers && !weights ? h('p', { class: 'pg-quiet' }, 'The mean of prod Z_t is not formed: no constrained run was drawn, or filters after the mask can’t draw all that p can.') : null,
    doc.accept !== 'language' ? h('p', { class: 'pg-quiet' }, `The share kept is by the other judge${certified ? '; the certified q is of the mask’s language' : ', for which the search proves nothing'}.`) : null,
  ];
}

// Another judge may keep what the mask's language has no mass for.
function costNone(doc) {
  return doc.accept === 'language' && lawless(doc.exact);
}

function noneTable(doc) {
  if (costNone(doc)) return null;
  if (!doc.none_valid.length) return h('p', { class: 'pg-quiet' }, 'No interval for q yet.');
  const { for_one_percent: need, parallel } = doc;
  return [
    h('table', { class: 'pg-table cmp-wrapping cmp-none' }, h('caption', null, 'Chance that none of N draws is valid: (1 − q)^N'),
      h('thead', null, h('tr', null, [0, 1].map(() => [h('th', { scope: 'col', class: 'pg-num' }, 'N'), h('th', { scope: 'col', class: 'pg-num' }, 'P(none)')]))),
      // Two pairs of columns: one row of all would be cut.
      h('tbody', null, doc.none_valid.slice(0, Math.ceil(doc.none_valid.length / 2)).map((first, i) => h('tr', null, [first, doc.none_valid[i + Math.ceil(doc.none_valid.length / 2)]].filter(Boolean)
        .map((each) => [h('th', { scope: 'row', class: 'pg-num' }, count(each.n)), h('td', { class: 'pg-num', title: spanTitle(each) }, span(each))]))))),
    need ? h('p', null, 'For a chance of 1 % or less: ', h('b', null, span(need, amount)), ' draws.') : null,
    typeof parallel === 'number' ? h('p', { class: 'pg-quiet' }, `Three draws side by side took ${parallel.toFixed(2)} times the time of one.`, ' ', statusBadge('measured')) : null,
  ];
}

/** Renders the cost panel into `root`. */
export function mountCost(root, store, { figures, actions }) {
  const words = h('p', { class: 'cmp-cost-words' });
  const starved = h('div', { class: 'cmp-starved', hidden: true },
    h('p', null, 'Plain draws give nothing here. These methods may still, and the proof beside them says how far they can be trusted.'),
    h('button', { type: 'button', class: 'pg-button', onclick: () => actions.instead() }, 'Run constrained samples, CARS and the future mass instead'));
  const chart = h('div', null);
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the tries' });
  const { button, fail } = tableToggle(chart, table);
  const legend = h('div', null);
  const q = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Estimates of q' });
  const none = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Chance of nothing valid' });
  fill(root, h('section', { class: 'pg-card pg-panel cmp-cost', 'aria-label': 'Cost of a valid text' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'What a valid text costs'), button), words, starved, legend, chart, table, none),
    h('section', { class: 'pg-card pg-panel', 'aria-label': 'Estimates' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'q, three ways')), q));

  let shown = null;
  const plot = createPlot(chart, { make: (mode) => (shown ? costFigure(shown, figures.cost[mode]) : null), onFail: fail, label: 'Draws kept against draws tried' });
  const update = () => {
    const { doc, running } = store.get();
    setShown(root, Boolean(doc));
    if (!doc) return;
    const waiting = running && COST_PLAIN.some((name) => doc.methods[name] && !doc.methods[name].done);
    const said = costNone(doc) ? { words: NO_LAW, zero: false } : costWords(doc.q, waiting);
    setText(words, said.words);
    setShown(starved, said.zero && !running && !doc.methods.cars);
    if (doc === shown) return;
    shown = doc;
    plot.label(said.words);
    fill(legend, costLegend(doc));
    fill(table, costTable(doc));
    fill(q, qTable(doc));
    fill(none, noneTable(doc));
    plot.draw();
  };
  store.subscribe(update);
  update();
}

