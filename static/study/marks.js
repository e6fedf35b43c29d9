// The charts of the screen: rows of marks on one axis, each with a table twin and a sentence. Data enters as text alone.

import { h, setShown, setText } from '../stage/dom.js';
import { tableToggle } from '../compare/plots.js';
import { count } from '../stage/format.js';
import { CATEGORY_ORDER, ends, share } from './words.js';

const percent = (p) => `${100 * Math.max(0, Math.min(1, p))}%`;

/** A class for the law that a label's draws stand for. */
export function tone(label, labels) {
  const found = labels.find((each) => each.name === label);
  if (found) return `is-${found.target}`;
  return /^parallel-/.test(label) ? 'is-conditional' : 'is-other';
}

/** The sign of a method, as its marks have it. */
export function sign(label, labels) {
  return h('i', { class: `st-sign ${tone(label, labels)}`, 'aria-hidden': 'true' });
}

function row(label, lane, words, labels, extra = null) {
  return h('div', { class: 'st-row' }, h('span', { class: 'st-row-name' }, labels ? sign(label, labels) : null, label, extra), lane, h('span', { class: 'st-row-words' }, words));
}

/** An axis of shares from 0 to 100 %. */
export function shareAxis() {
  return h('div', { class: 'st-row st-axis', 'aria-hidden': 'true' }, h('span'), h('span', { class: 'st-ticks' }, [0, 25, 50, 75, 100].map((at) => h('i', { style: { left: `${at}%` } }, `${at} %`))), h('span'));
}

/** A rate as a dot on its interval; the share is bold only where there are enough prompts. */
export function rateRow(label, rate, { labels = null, small = false, name = label, extra = null } = {}) {
  const lane = h('span', { class: `st-lane ${labels ? tone(label, labels) : 'is-other'}`, 'aria-hidden': 'true' });
  if (rate.n) {
    if (rate.lower !== null) lane.append(h('i', { class: 'st-range', style: { left: percent(rate.lower), width: percent(rate.upper - rate.lower) } }));
    lane.append(h('i', { class: 'st-dot', style: { left: percent(rate.value) } }));
  }
  const value = h(small ? 'span' : 'b', null, share(rate.value));
  return row(name, lane, rate.n ? [value, h('small', null, `${ends(rate)}, ${count(rate.count)} of ${count(rate.n)}`)] : h('small', null, 'none yet'), labels, extra);
}

/** The outcomes of a method as parts of one bar. */
export function stackRow(label, categories, names, labels) {
  const lane = h('span', { class: 'st-lane st-stack', 'aria-hidden': 'true' });
  const parts = CATEGORY_ORDER.filter((each) => categories[each] && categories[each].count);
  for (const each of parts) lane.append(h('i', { class: `st-part is-${each}`, style: { width: percent(categories[each].value) }, title: `${names[each]}: ${share(categories[each].value)}` }));
  const words = parts.map((each) => h('small', null, `${names[each]} ${count(categories[each].count)}`));
  return row(label, lane, words.length ? words : h('small', null, 'none yet'), labels);
}

/** The legend of the stacked bars. */
export function stackLegend(names, used) {
  return h('ul', { class: 'st-legend' }, CATEGORY_ORDER.filter((each) => used.includes(each)).map((each) => h('li', null, h('i', { class: `st-part is-${each}`, 'aria-hidden': 'true' }), names[each])));
}

/** An amount as a dot on an axis whose ends and position `at` gives. */
export function amountRow(label, x, words, at, labels) {
  const lane = h('span', { class: `st-lane ${tone(label, labels)}`, 'aria-hidden': 'true' });
  if (x !== null) lane.append(h('i', { class: 'st-stem', style: { width: percent(at(x)) } }), h('i', { class: 'st-dot', style: { left: percent(at(x)) } }));
  return row(label, lane, words, labels);
}

/** A spread as its middle half and its median. */
export function spreadRow(label, spread, words, at, labels) {
  const lane = h('span', { class: `st-lane ${tone(label, labels)}`, 'aria-hidden': 'true' });
  if (spread.n) lane.append(h('i', { class: 'st-range', style: { left: percent(at(spread.low)), width: percent(at(spread.high) - at(spread.low)) } }), h('i', { class: 'st-dot', style: { left: percent(at(spread.median)) } }));
  return row(label, lane, words, labels);
}

/** An axis with words at places from 0 to 1. */
export function axis(ticks) {
  return h('div', { class: 'st-row st-axis', 'aria-hidden': 'true' }, h('span'), h('span', { class: 'st-ticks' }, ticks.map(([at, words]) => h('i', { style: { left: percent(at) } }, words))), h('span'));
}

/** The rows with their upright lines at the ticks of an axis of so many equal parts. */
export function gridded(rows, parts) {
  for (const each of rows) each.style.setProperty('--st-grid', `${100 / parts}%`);
  return rows;
}

/** Columns of counts, with words under them; `cls` colours them. */
export function columns(counts, words, cls = 'is-exact') {
  const most = Math.max(1, ...counts);
  return h('div', { class: `st-columns ${cls}`, 'aria-hidden': 'true' }, counts.map((each, at) => h('span', { class: 'st-column' }, h('small', null, each ? count(each) : ''), h('i', { style: { height: `${(100 * each) / most}%` } }), h('small', null, words[at]))));
}

/** A table: caption, heads, rows of cells (the first one names the row); cells are nodes or text. */
export function table(caption, heads, rows) {
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', { class: 'pg-table' }, h('caption', null, caption), h('thead', null, h('tr', null, heads.map((each, at) => h('th', { scope: 'col', class: at ? 'pg-num' : null }, each)))),
    h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell, at) => (at ? h('td', { class: 'pg-num' }, cell) : h('th', { scope: 'row' }, cell))))))));
}

/** A section with a chart, its table twin and a sentence. Returns {node, fill({sentence, chart, table})}. */
export function chartSection(title, { note = '', cls = '' } = {}) {
  const chart = h('div', { class: 'st-chart', role: 'group', 'aria-label': title });
  const twin = h('div', { class: 'st-twin' });
  const sentence = h('p', { class: 'st-sentence' });
  const { button } = tableToggle(chart, twin);
  button.setAttribute('aria-label', `${title}: table`);
  const node = h('section', { class: `pg-card pg-panel st-section ${cls}`, 'aria-label': title }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, title), button), sentence, chart, twin, note ? h('p', { class: 'pg-quiet' }, note) : null);
  return {
    node,
    fill(parts) {
      setShown(node, parts !== null);
      if (!parts) return;
      setText(sentence, parts.sentence);
      setShown(sentence, Boolean(parts.sentence));
      chart.replaceChildren(...[parts.chart].flat());
      twin.replaceChildren(parts.table);
    },
  };
}

/** A section without a chart: a title, and whatever `fill` is given; null hides it. */
export function plainSection(title, cls = '') {
  const body = h('div', { class: 'st-body' });
  const node = h('section', { class: `pg-card pg-panel st-section ${cls}`, 'aria-label': title }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, title)), body);
  return { node, body, fill(...parts) { setShown(node, parts[0] !== null); if (parts[0] !== null) body.replaceChildren(...parts.flat().filter(Boolean)); } };
}
