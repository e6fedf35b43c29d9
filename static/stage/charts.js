// The charts of the current lane: bits a step with their total, and entropy before and after the mask. Plotly draws them; its
// looks come from the server (playground/views/timeline.py), and until it has come, or where it can't, a small drawing of our own does.
import { h, svg, fill, setText, setShown } from './dom.js';
import { prob, logProb, logit, bits, counted, maskTook, tokenLabel } from './format.js';

const CHARTS_LABEL = 24;

const CHARTS_LIBRARY = '/app-static/plotly.min.js';

let chartsLibrary = null;

/** Text as plotly shows it: its strings are pseudo-HTML with entities. */
function chartText(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function chartLabel(token) {
  const letters = [...tokenLabel(token)];
  return letters.length <= CHARTS_LABEL ? letters.join('') : `${letters.slice(0, CHARTS_LABEL - 1).join('')}…`;
}

function chartEntropyWords(step) {
  const change = step.entropy_after - step.entropy_before;
  const effect = Math.abs(change) < 0.005 ? 'the mask changed little' : change < 0 ? 'the mask made it look more certain' : 'the mask made it less certain';
  return `entropy ${chartText(`${bits(step.entropy_before)} before, ${bits(step.entropy_after)} after`)}:<br>${effect}`;
}

function chartNoMass(step) {
  return step.dead ? 'allowed mass Z = 0: the mask left the model nothing' : 'allowed mass Z = 0: the filters keep only blocked tokens,<br>but the mask comes first here';
}

/** The numbers and words of both charts for a list of steps: {x, bits, total, before, after, spent, changed}; the last two are
 *  plotly's customdata, a row of ready strings a step. A total is null from the first step whose Z is 0. */
export function chartColumns(steps) {
  let sum = 0;
  const columns = { x: [], bits: [], total: [], before: [], after: [], spent: [], changed: [] };
  steps.forEach((step, i) => {
    sum = sum === null || step.bits === null ? null : sum + step.bits;
    const label = chartText(chartLabel(step.taken));
    const cost = step.bits === null ? chartNoMass(step) : chartText(`allowed mass Z = ${prob(step.z).text}, ${bits(step.bits)}`);
    const product = sum === null ? 'product of Z = 0' : chartText(`product of Z = ${logProb(-sum * Math.LN2).text}, ${bits(sum)}`);
    columns.x.push(i + 1);
    columns.bits.push(step.bits);
    columns.total.push(sum);
    columns.before.push(step.entropy_before);
    columns.after.push(step.entropy_after);
    columns.spent.push([label, cost, product]);
    columns.changed.push([label, chartEntropyWords(step)]);
  });
  return columns;
}

/** Steps between two labels of the x axis, for n steps: about ten labels. */
export function chartTick(n) {
  return [1, 2, 5, 10, 20, 50, 100].find((size) => n <= 12 * size) || 200;
}

/** One sentence that says what the charts show of a problem's run. */
export function chartSummary(steps, problem = null) {
  if (!steps.length) return 'No steps yet: the charts fill as the run goes.';
  const { total, bits: spent } = chartColumns(steps);
  const sum = total[total.length - 1];
  const dear = spent.reduce((best, b, i) => ((b === null ? Infinity : b) > (spent[best] === null ? Infinity : spent[best]) ? i : best), 0);
  const product = sum === null ? 'a product of 0' : `${bits(sum)}, a product of ${logProb(-sum * Math.LN2).text}`;
  return `${counted(steps.length, 'step')}: ${maskTook(problem)} ${product}; most at step ${dear + 1}, ${tokenLabel(steps[dear].taken)} (${bits(spent[dear])}).`;
}

function chartFilled(template, traces, n) {
  return {
    data: template.data.map((trace, i) => ({ ...trace, ...traces[i] })),
    layout: { ...template.layout, xaxis: { ...template.layout.xaxis, range: [0.4, Math.max(n, 1) + 0.6], dtick: chartTick(n) } },
  };
}

/** Plotly, loaded once for all charts of the page. */
export function chartLoad() {
  if (chartsLibrary) return chartsLibrary;
  chartsLibrary = new Promise((resolve, reject) => {
    const script = h('script', { src: CHARTS_LIBRARY, async: true });
    // Kept here: Gradio's own plots put another version under the same global name.
    script.addEventListener('load', () => (globalThis.Plotly ? resolve(globalThis.Plotly) : reject(new Error('plotly.js set no global'))));
    script.addEventListener('error', () => reject(new Error('plotly.js could not be loaded')));
    document.head.append(script);
  });
  return chartsLibrary;
}

// The drawing of our own: bars and a line above, two lines below, one x axis.
function chartSketch(steps, cursor, width, go) {
  const { bits: spent, total, before, after } = chartColumns(steps);
  const n = Math.max(1, steps.length);
  const [left, right, top, tall, gap] = [34, 40, 16, 74, 34];
  const height = top + 2 * tall + gap + 22;
  const room = Math.max(40, width - left - right);
  const slot = room / n;
  const x = (i) => left + (i + 0.5) * slot;
  const finite = (values) => Math.max(1e-9, ...values.filter((each) => each !== null));
  const scale = (values, base) => { const most = finite(values); return (v) => base - (v / most) * tall; };
  const base = top + tall;
  const floor = base + gap + tall;
  const yBits = scale(spent, base);
  const yTotal = scale(total, base);
  const most = finite([...before, ...after]);
  const yEntropy = (v) => floor - (v / most) * tall;
  const line = (values, y) => values.map((v, i) => (v === null ? null : `${x(i)},${y(v)}`)).filter(Boolean).join(' ');
  const drawing = svg('svg', { class: 'pg-sketch', role: 'img', 'aria-label': chartSummary(steps), width, height, viewBox: `0 0 ${width} ${height}` });
  const text = (at, y, words, anchor) => svg('text', { x: at, y, 'text-anchor': anchor }, words);
  if (cursor < steps.length) drawing.append(svg('rect', { class: 'pg-sketch-now', x: x(cursor) - slot / 2, y: top - 4, width: slot, height: floor - top + 4 }));
  for (const y of [base, floor]) drawing.append(svg('line', { class: 'pg-sketch-axis', x1: left, x2: left + room, y1: y, y2: y }));
  spent.forEach((b, i) => { if (b !== null) drawing.append(svg('rect', { class: 'pg-sketch-bits', x: x(i) - Math.min(18, slot * 0.33), width: Math.min(36, slot * 0.66), y: yBits(b), height: base - yBits(b) })); });
  drawing.append(svg('polyline', { class: 'pg-sketch-total', points: line(total, yTotal) }), svg('polyline', { class: 'pg-sketch-before', points: line(before, yEntropy) }),
    svg('polyline', { class: 'pg-sketch-after', points: line(after, yEntropy) }));
  const sum = total.length ? total[total.length - 1] : 0;
  drawing.append(text(left - 4, top + 8, finite(spent).toFixed(1), 'end'), text(left - 4, base, '0', 'end'), text(left + room + 4, top + 8, sum === null ? '∞' : sum.toFixed(1), 'start'),
    text(left - 4, floor - tall + 8, most.toFixed(1), 'end'), text(left - 4, floor, '0', 'end'),
    text(left, top - 5, 'bits at each step (bars), total (line, right)', 'start'), text(left, floor - tall - 6, 'entropy in bits: model (dashes), after mask (line)', 'start'));
  const tick = chartTick(steps.length);
  for (let step = tick; step <= steps.length; step += tick) drawing.append(text(x(step - 1), floor + 16, String(step), 'middle'));
  steps.forEach((step, i) => drawing.append(svg('rect', { class: 'pg-sketch-hit', x: x(i) - slot / 2, y: top, width: slot, height: floor - top, onclick: () => go(i) }, svg('title', null, `Step ${i + 1}: ${tokenLabel(step.taken)}, ${bits(step.bits)}`))));
  return drawing;
}

function chartTable(steps, cursor, go) {
  const { bits: spent, total, before, after } = chartColumns(steps);
  const head = ['step', 'token', 'bits', 'total', 'entropy before', 'entropy after', 'log weight'].map((each) => h('th', { scope: 'col' }, each));
  const rows = steps.map((step, i) => h('tr', { 'aria-current': i === cursor ? 'step' : null },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'pg-link', onclick: () => go(i), 'aria-label': `Go to step ${i + 1}` }, String(i + 1))),
    h('td', null, h('code', null, tokenLabel(step.taken))), ...[spent[i], total[i], before[i], after[i]].map((b) => h('td', { class: 'pg-num' }, bits(b).replace(' bits', ''))), h('td', { class: 'pg-num' }, step.log_proposal === null ? '–' : logit(step.log_weight))));
  return h('table', { class: 'pg-table' }, h('caption', null, 'Bits at each step; the log weight, log p − log proposal, in nats'), h('thead', null, h('tr', null, head)), h('tbody', null, rows));
}

/** Renders the charts into `root` and keeps them in step with the store. `figures`: the templates of playground/views/timeline.py;
 *  without them (an exported file) the charts stay a drawing of our own. */
export function mountCharts(root, store, { figures = null } = {}) {
  const go = (i) => store.actions.go(i);
  const summary = h('p', { class: 'pg-charts-words' });
  const sketch = h('div', { class: 'pg-charts-sketch' });
  const spentBox = h('div', { class: 'pg-chart' });
  const entropyBox = h('div', { class: 'pg-chart' });
  const plots = h('div', { class: 'pg-charts-plots', hidden: true, role: 'img' }, h('h4', null, 'Bits that the mask costs'), spentBox, h('h4', null, 'Entropy before and after the mask'), entropyBox);
  const note = h('p', { class: 'pg-quiet', hidden: true });
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the charts', hidden: true });
  const toTable = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': 'false' }, 'Table');
  const body = h('div', { class: 'pg-charts-body' }, sketch, plots);
  const section = h('section', { class: 'pg-card pg-panel pg-charts-panel', 'aria-label': 'Charts of the run' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Over the run'), toTable), summary, body, table, note);
  root.append(section);

  let plotly = null;
  let visible = typeof IntersectionObserver !== 'function';
  let asked = false;
  let drawn = { steps: null, mode: null, cursor: null, width: null };
  let frame = null;
  let width = Math.floor(body.clientWidth);
  const mode = () => (section.closest('.dark') ? 'dark' : 'light');

  // The plot's area, as plotly laid it out; a band of our own over it costs a scrub nothing.
  const place = () => {
    for (const box of [spentBox, entropyBox]) {
      const area = box.querySelector('.nsewdrag');
      const band = box.pgBand || (box.pgBand = box.parentNode.insertBefore(h('i', { class: 'pg-chart-now', 'aria-hidden': 'true' }), box));
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => (area ? Number(area.getAttribute(name)) : 0));
      const slot = width / (store.lane().steps.length + 0.2);
      box.pgArea = area ? { x: x + 0.1 * slot, slot } : null;
      Object.assign(band.style, { left: '0', width: `${slot}px`, top: `${box.offsetTop + y}px`, height: `${height}px` });
    }
    mark();
  };

  const mark = () => {
    const i = store.cursor();
    const count = store.lane().steps.length;
    for (const { pgBand: band, pgArea: area } of [spentBox, entropyBox]) {
      if (!band) continue;
      setShown(band, Boolean(area) && i < count);
      if (area) band.style.transform = `translateX(${area.x + i * area.slot}px)`;
    }
  };

  const plot = async (steps) => {
    const { timeline, entropy } = figures;
    const c = chartColumns(steps);
    const options = { displayModeBar: false, responsive: true, doubleClick: false };
    const first = chartFilled(timeline[mode()], [{ x: c.x, y: c.bits, customdata: c.spent }, { x: c.x, y: c.total, customdata: c.spent }], steps.length);
    const second = chartFilled(entropy[mode()], [{ x: c.x, y: c.before, customdata: c.changed }, { x: c.x, y: c.after, customdata: c.changed }], steps.length);
    const fresh = !spentBox.pgReady;
    for (const [box, figure] of [[spentBox, first], [entropyBox, second]]) {
      await plotly.react(box, figure.data, figure.layout, options);
      if (fresh) {
        box.on('plotly_click', (event) => go(event.points[0].x - 1));
        box.on('plotly_afterplot', place);
      }
      box.pgReady = true;
    }
  };

  const draw = async () => {
    frame = null;
    const lane = store.lane();
    const steps = lane ? lane.steps : [];
    const cursor = store.cursor();
    setShown(section, steps.length > 0);
    if (!steps.length) return;
    const sentence = chartSummary(steps, store.doc().problem);
    setText(summary, sentence);
    if (!visible) return;
    const fresh = steps !== drawn.steps || mode() !== drawn.mode || width !== drawn.width;
    if (!fresh && cursor === drawn.cursor && !drawn.stale) return;
    drawn = { steps, mode: mode(), cursor, width, stale: false };
    if (!table.hidden) fill(table, chartTable(steps, cursor, go));
    if (!plotly || !table.hidden) {
      if (width > 40) fill(sketch, chartSketch(steps, cursor, width, go));
    } else {
      setShown(plots, true);
      setShown(sketch, false);
      plots.setAttribute('aria-label', sentence);
      if (fresh || !spentBox.pgReady) { await plot(steps); place(); } else mark();
    }
    if (!plotly && !asked && figures) {
      asked = true;
      // After this drawing is on the screen: the library is large.
      setTimeout(() => chartLoad().then((library) => { plotly = library; drawn.stale = true; soon(); },
        (reason) => { setText(note, `${reason.message}: a simpler drawing is shown.`); setShown(note, true); }), 0);
    }
  };
  function soon() {
    if (frame === null) frame = requestAnimationFrame(draw);
  }

  toTable.addEventListener('click', () => {
    setShown(table, table.hidden);
    setShown(body, table.hidden);
    toTable.setAttribute('aria-pressed', String(!table.hidden));
    drawn.stale = true;
    soon();
  });
  if (typeof IntersectionObserver === 'function') new IntersectionObserver((entries) => { visible = entries.some((each) => each.isIntersecting); if (visible) soon(); }, { rootMargin: '120px' }).observe(root);
  if (typeof ResizeObserver === 'function') new ResizeObserver(() => { width = Math.floor(body.clientWidth); soon(); }).observe(body);
  const themed = new MutationObserver(soon);
  for (const each of [document.documentElement, document.body]) themed.observe(each, { attributes: true, attributeFilter: ['class'] });
  store.subscribe(soon);
  soon();
}
