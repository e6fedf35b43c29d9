// r^n: how likely n calls in a row all work, at each level.

import { h, fill, svg } from '../stage/dom.js';
import { prob } from '../stage/format.js';
import { point, reliability } from './maths.js';
import { LEVEL_MARKS, levelHead, numberField, panel, table } from './parts.js';
import { between, measured } from './words.js';

const RELIABILITY_WIDTH = 560;
const RELIABILITY_HEIGHT = 190;
const RELIABILITY_LEFT = 56;
const RELIABILITY_BOTTOM = 30;

/** The rows: [{level, label, r: {lower, upper}, value}] - measured levels, or the textbook's rates (in %) before any. */
export function reliabilityRows(doc, rates) {
  const found = doc ? doc.levels.map(({ level, label }) => ({ level, label, summary: measured(doc, label) })).filter(({ summary }) => summary) : [];
  if (found.length) return found.map(({ level, label, summary }) => ({ level, label, r: { lower: summary.valid.lower, upper: summary.valid.upper }, value: summary.valid.value }));
  return [['1', 'ask'], ['2', 'retry'], ['3', 'strict']].map(([level, label], at) => ({ level, label, r: point(rates[at] / 100), value: rates[at] / 100 }));
}

function reliabilityChart(rows, n) {
  const most = Math.max(10, n);
  const x = (k) => RELIABILITY_LEFT + ((RELIABILITY_WIDTH - RELIABILITY_LEFT - 12) * k) / most;
  const y = (p) => 8 + (RELIABILITY_HEIGHT - RELIABILITY_BOTTOM - 8) * (1 - p);
  const ks = Array.from({ length: 61 }, (_, i) => (most * i) / 60);
  const path = (r, back = false) => (back ? [...ks].reverse() : ks).map((k) => `${x(k).toFixed(1)} ${y(r ** k).toFixed(1)}`).join('L');
  const line = (key, x1, y1, x2, y2) => svg('line', { class: key, x1, y1, x2, y2 });
  const label = (words, at, to, anchor) => svg('text', { x: at, y: to, 'text-anchor': anchor }, words);
  return svg('svg', { class: 'lv-chart', viewBox: `0 0 ${RELIABILITY_WIDTH} ${RELIABILITY_HEIGHT}`, role: 'img', 'aria-label': `Chance that all of up to ${most} calls are valid, by level. All of ${n}: ${rows.map(({ label: each, value }) => `${each} ${prob(value ** n).text}`).join(', ')}. The table below has the numbers.` },
    [0, 0.25, 0.5, 0.75, 1].map((p) => [line('lv-grid', RELIABILITY_LEFT, y(p), RELIABILITY_WIDTH - 12, y(p)), label(`${100 * p} %`, RELIABILITY_LEFT - 6, y(p) + 4, 'end')]),
    [0, most / 2, most].map((k) => label(String(Number(k.toFixed(1))), x(k), RELIABILITY_HEIGHT - 12, 'middle')),
    label('calls in a row', x(most * 0.75), RELIABILITY_HEIGHT - 12, 'middle'),
    line('lv-now', x(n), y(0), x(n), y(1)),
    rows.filter(({ r }) => r.upper > r.lower).map(({ label: each, r }) => svg('path', { class: `lv-band ${LEVEL_MARKS[each]}`, d: `M${path(r.lower)}L${path(r.upper, true)}Z` })),
    rows.map(({ label: each, value }) => svg('path', { class: `lv-curve ${LEVEL_MARKS[each]}`, d: `M${path(value)}` })));
}

/** Renders the chart and its table into `root`. */
export function mountReliability(root, store) {
  const { node, body } = panel('reliability', 'Many calls in a row: r^n', 'A tool call that can’t be parsed ends a chain of calls. If each of n independent calls is valid with chance r, all of them are with r^n: 0.99 to the 20th is 0.818.');
  root.append(node);
  const field = numberField('Calls n', { least: 1, most: 1000, whole: true, change: (steps) => store.set({ steps }) });
  const results = h('div', { class: 'lv-reliability-box' });
  fill(body, h('div', { class: 'lv-fields' }, field.node), results);
  let seen = [];
  const update = () => {
    const { steps, doc, rates } = store.get();
    field.put(steps);
    if (seen[0] === steps && seen[1] === doc && seen[2] === rates) return;
    seen = [steps, doc, rates];
    const rows = reliabilityRows(doc, rates);
    const ours = rows.some(({ r }) => r.upper > r.lower);
    fill(results, reliabilityChart(rows, steps),
      table('Chance that all of n calls are valid', ['Level', ours ? 'r, measured (95 %)' : 'r', `r^${steps}`, ours ? '95 %' : 'All valid'], rows.map(({ level, label, r, value }) => [
        levelHead(level, label), ours ? `${prob(value).text} (${between(r)})` : prob(value).text, h('b', null, prob(value ** steps).text), ours ? between(reliability(r, steps)) : value === 1 ? 'always' : `${(value ** steps).toFixed(3)}`]), { name: 'lv-powers' }),
      h('p', { class: 'pg-quiet' }, ours ? 'A few outputs leave wide intervals, and r^n widens them: run more before you rely on it. At level 3 only the token limit, or what the mask doesn’t enforce, makes an output invalid. Valid is not right: a chain also fails where a valid call holds a wrong value.' : 'These are the rates of the calculator above; a run puts the measured ones here.'));
  };
  store.subscribe(update);
  update();
}
