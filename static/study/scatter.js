// Bits of the mask against right and wrong: a dot a prompt, a lane an outcome, and a table of how many lie where.

import { h } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { axis, gridded, table, tone } from './marks.js';
import { CATEGORY_ORDER, aucWords, niceScale } from './words.js';

const SCATTER_EDGES = [0, 1, 2, 4, 8, 16, 32];

/** The axis that holds every dot, at least 1 bit long: {top, ticks}. */
export function scatterScale(methods) {
  return niceScale(methods.reduce((most, each) => each.points.reduce((found, { bits }) => Math.max(found, bits), most), 1));
}

/** The lanes of points: an outcome each, wrong answers by how many of their fields are right: [{name, words, points}]. */
export function scatterLanes(points, categories) {
  const lanes = new Map();
  const key = ({ category, fields }) => (category === 'wrong' && fields && fields[1] > 1 ? JSON.stringify(fields) : '');
  for (const name of CATEGORY_ORDER) {
    const mine = points.filter(({ category }) => category === name);
    const right = (point) => (point.fields ? point.fields[0] : 0);
    for (const point of [...mine].sort((a, b) => right(b) - right(a))) {
      const id = name + key(point);
      const fields = key(point) ? `, ${point.fields[0]} of ${point.fields[1]} fields right` : '';
      if (!lanes.has(id)) lanes.set(id, { name, words: `${categories[name] || name}${fields}`, points: [] });
      lanes.get(id).points.push(point);
    }
  }
  return [...lanes.values()];
}

/** How many points of each lane lie where: rows [range, a count for each lane]. */
export function scatterBins(lanes) {
  const rows = SCATTER_EDGES.map((low, at) => {
    const high = SCATTER_EDGES[at + 1] ?? Infinity;
    return [high === Infinity ? `${low} bits and more` : `${low} to below ${high} bits`, ...lanes.map(({ points }) => points.filter(({ bits }) => bits >= low && bits < high).length)];
  });
  while (rows.length > 1 && rows.at(-1).slice(1).every((each) => !each)) rows.pop();
  return rows;
}

/** What the scatter says of each method. */
export function scatterSentence(methods) {
  const each = methods.map(({ label, auc, count: all, points }) => `${label} ${auc.value === null ? `has too few (${count(auc.positives)} wrong, ${count(auc.negatives)} right)` : aucWords(auc)}${all > points.length ? `, the first ${count(points.length)} of ${count(all)} prompts shown` : ''}`);
  return `Each dot is the first output at a prompt, placed by the bits that the mask took on its way. AUC, the chance that a wrong answer lost more bits than a right one (.5 tells nothing): ${each.join('; ')}. Estimated, interval by Newcombe, approximate.`;
}

/** The section's parts. answer: the server's; open(where) shows one output. */
export function scatterParts({ methods }, { labels, categories, open }) {
  if (!methods.length) return null;
  const { top, ticks } = scatterScale(methods);
  const lane = (method, { name, words, points }) => h('div', { class: 'st-row' }, h('span', { class: 'st-row-name' }, h('i', { class: `st-part is-${name}`, 'aria-hidden': 'true' }), words),
    h('span', { class: `st-lane st-scatter ${tone(method.label, labels)}`, 'aria-hidden': 'true' }, points.map(({ index, bits }) => h('i', { class: 'st-point', title: `Prompt ${index + 1}: ${bits.toFixed(1)} bits`, style: { left: `${(100 * bits) / top}%`, top: `${10 + 80 * ((index * 0.618034) % 1)}%` }, onclick: () => open({ index, method: method.label, draw: 0 }) }))),
    h('span', { class: 'st-row-words' }, h('small', null, count(points.length))));
  const marks = axis(ticks.map((each) => [each / top, each === top ? `${each} bits` : String(each)]));
  const shown = methods.map((method) => ({ method, lanes: scatterLanes(method.points, categories) }));
  return {
    sentence: scatterSentence(methods),
    chart: [...shown.flatMap(({ method, lanes }) => [methods.length > 1 ? h('h4', null, method.label) : '', ...gridded(lanes.map((each) => lane(method, each)), ticks.length - 1)]), marks],
    table: h('div', null, shown.map(({ method, lanes }) => table(`${method.label}: prompts by the bits that the mask took and by outcome`, ['bits', ...lanes.map(({ words }) => words)], scatterBins(lanes).map(([range, ...counts]) => [range, ...counts.map((each) => count(each))])))),
  };
}
