// One valid text in full: what each of its tokens cost, and the three identities with its numbers in them.

import { h, svg, fill, setShown, setText } from '../stage/dom.js';
import { bits, counted, logPlain, plain, visible } from '../stage/format.js';
import { middle, point, probBetween, timesWords } from '../stage/interval.js';
import { tableToggle } from '../compare/plots.js';
import { lawless, runWords, shownRun } from '../compare/words.js';
import { leafText } from './leaves.js';
import { waterfall } from './layout.js';
import { gradeOf, leafOf } from './state.js';
import { waterTable } from './water_table.js';

const WATER_TALL = 170;
// How far p~ and p / ∏ Z may lie apart by rounding: filters after the mask part them for good.
const WATER_SAME = 0.01;

function waterPicture(steps, zBits, width, summary) {
  const total = steps.length ? steps[steps.length - 1].to : 0;
  const known = zBits.map((each) => (each === null ? 0 : each));
  const most = Math.max(0.5, total, ...known) * 1.08;
  const [left, right, top, bottom] = [40, 12, 16, 38];
  const tall = WATER_TALL - top - bottom;
  const room = Math.max(60, width - left - right);
  const slot = room / (steps.length + 1);
  const y = (b) => top + tall * (1 - b / most);
  const number = (x) => Number(x.toFixed(2));
  const picture = svg('svg', { class: 'sq-water', role: 'img', 'aria-label': summary, width, height: WATER_TALL, viewBox: `0 0 ${width} ${WATER_TALL}` });
  const text = (x, at, words, anchor = 'middle', cls = null) => svg('text', { x: number(x), y: number(at), 'text-anchor': anchor, class: cls }, words);
  for (const b of [0, most / 2.16, most / 1.08]) picture.append(svg('line', { class: 'sq-grid', x1: left, x2: left + room, y1: number(y(b)), y2: number(y(b)) }), text(left - 6, y(b) + 4, b.toFixed(1), 'end', 'sq-axis'));
  const wide = Math.max(3, Math.min(56, slot * 0.7));
  const letters = Math.max(1, Math.floor(slot / 7.2));
  const draw = (i, from, to, cls, label, words) => {
    const x = left + slot * (i + 0.5);
    picture.append(svg('rect', { class: cls, x: number(x - wide / 2), width: number(wide), y: number(y(to)), height: number(Math.max(1, y(from) - y(to))) }, svg('title', null, words)));
    if (to - from > 0.005 && slot > 26) picture.append(text(x, y(to) - 4, (to - from).toFixed(1), 'middle', 'sq-axis'));
    if (slot > 14) picture.append(text(x, top + tall + 15, [...label].length <= letters ? label : `${[...label].slice(0, Math.max(1, letters - 1)).join('')}…`, 'middle', 'sq-token'));
  };
  steps.forEach((step, i) => {
    draw(i, step.from, step.to, 'sq-water-step', visible(step.token) || '∅', `${visible(step.token)}: ${bits(step.bits)}`);
    if (i) picture.append(svg('line', { class: 'sq-water-link', x1: number(left + slot * (i - 0.5) + wide / 2), x2: number(left + slot * (i + 0.5) - wide / 2), y1: number(y(step.from)), y2: number(y(step.from)) }));
  });
  draw(steps.length, 0, total, 'sq-water-total', 'total', `total: ${bits(total)}`);
  const [high, low] = zBits;
  if (low !== null) {
    if (high !== null && high - low > 0.01) picture.append(svg('rect', { class: 'sq-water-doubt', x: left, width: room, y: number(y(high)), height: number(y(low) - y(high)) }));
    picture.append(svg('line', { class: 'sq-water-z', x1: left, x2: left + room, y1: number(y(low)), y2: number(y(low)) }), text(left + 4, y(low) - 4, '−log₂ Z', 'start', 'sq-axis sq-z-name'));
  }
  return picture;
}

/** Builds both cards. `openStep(run)` shows a run's path on the Step screen. */
export function mountLeafCards(water, identity, state, { openStep }) {
  const name = h('code', { class: 'sq-card-leaf' });
  const say = h('p', { class: 'sq-water-say' });
  const box = h('div', { class: 'sq-water-box' });
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the costs' });
  const { button: toTable } = tableToggle(box, table);
  const go = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => { const leaf = leafOf(state.get()); if (leaf) openStep(shownRun(leaf)); } }, 'Open in Step');
  water.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'What its tokens cost'), name, h('span', { class: 'pg-gap' }), toTable, go), say, box, table);
  const list = h('div', { class: 'sq-identities' });
  identity.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'The identities, with its numbers')), list);
  let seen = [];

  const formula = (left, right, says) => h('div', { class: 'sq-identity' }, h('p', { class: 'sq-formula' }, h('b', null, left), ...right), h('p', { class: 'pg-quiet' }, says));

  function drawIdentity(leaf, doc) {
    const z = doc.exact.Z;
    const range = (bounds) => (point(bounds) === null ? `[${plain(bounds.lower)}, ${plain(bounds.upper)}]` : plain(point(bounds)));
    const zText = range(z);
    const single = leaf.runs === 1;
    const run = shownRun(leaf);
    const total = !run.bits.length || run.bits.includes(null) ? null : run.bits.reduce((sum, b) => sum + b, 0);
    const product = total === null ? null : -total * Math.LN2;
    const rows = [];
    if (product !== null && run.log_p !== null) {
      const masked = run.log_masked === null ? run.log_p - product : run.log_masked;
      const same = Math.abs(masked - (run.log_p - product)) < WATER_SAME;
      const which = single ? '' : `Of ${runWords(run)}; the text’s own p~ sums them all: ${probBetween(leaf.masked).text}. `;
      rows.push(formula(same ? 'p~ = p / ∏ Z' : 'p~', [` = ${same ? `${logPlain(run.log_p)} / ${logPlain(product)} = ` : ''}${logPlain(masked)}`],
        `${which}${same ? 'After the mask: every token paid back what was blocked before it, whatever the text is worth.' : 'Filters after the mask change it further, so it is not p / ∏ Z alone.'}`));
    }
    rows.push(formula('p_V = p / Z', [` = ${range(leaf.p)} / ${zText} = ${probBetween(leaf.p_V).text}`], `${single ? '' : `Both sum the text’s ${leaf.runs} runs found. `}One scale for all valid texts, so their order is the model’s own.`));
    if (product !== null && run.squeeze) rows.push(formula('s = Z / ∏ Z', [` = ${zText} / ${logPlain(product)} = ${timesWords(run.squeeze)}`], `${single ? 'The squeeze: a text' : 'The squeeze of that run: one'} whose own tokens paid more than the average is given too often.`));
    if (!single || product === null || !run.squeeze) rows.push(formula('s = p~ / p_V', [` = ${timesWords(leaf.squeeze)}`], 'The squeeze of a text is the ratio of its sums over token sequences.'));
    rows.push(formula('mean of ∏ Z = Z', meanWords(doc), meanSays()));
    fill(list, rows);
  }

  // Over the law p~ the product of Z has the mean Z: checked on the leaves, and on draws where there are some.
  function meanWords(doc) {
    const { texts, status, Z } = doc.exact;
    const terms = texts.filter((text) => text.runs === 1 && !text.bits.includes(null)).map((text) => [middle(text.masked), 2 ** -text.bits.reduce((sum, b) => sum + b, 0)]);
    const sum = terms.reduce((all, [masked, product]) => all + masked * product, 0);
    if (status !== 'exact' || terms.length !== texts.length || doc.exact.others > 0) return [` : ${probBetween(Z).text} by the search`];
    if (terms.length <= 3) return [` : ${terms.map(([masked, product]) => `${plain(masked)} · ${plain(product)}`).join(' + ')} = ${plain(sum)}`];
    return [` : the sum of p~ · ∏ Z over ${counted(terms.length, 'text')} = ${plain(sum)}`];
  }

  function meanSays() {
    const { fixes } = state.get();
    const weights = fixes.importance && fixes.importance.q && fixes.importance.q.weights;
    const drawn = weights ? ` The ${weights.n} constrained draws below gave ${plain(weights.value)} (estimated).` : ' Reweight below to see it from draws.';
    return `Averaged over constrained runs, the product of Z is the chance that an unconstrained one is valid.${drawn}`;
  }

  function draw() {
    const now = state.get();
    const leaf = lawless(now.doc && now.doc.exact) ? null : leafOf(now);
    setShown(water, Boolean(leaf));
    setShown(identity, Boolean(leaf));
    if (!leaf) { seen = []; return; }
    const width = Math.floor(box.clientWidth);
    const status = gradeOf(now);
    const key = [leaf, now.doc, now.fixes, width, status];
    if (key.every((each, i) => each === seen[i])) return;
    seen = key;
    setText(name, leafText(leaf.text));
    const run = shownRun(leaf);
    setShown(go, run.path.length > 0);
    const steps = waterfall(run);
    const total = steps.length ? steps[steps.length - 1].to : 0;
    const { log_z: logZ } = now.doc.exact;
    const zBits = [logZ.lower === null ? null : -logZ.lower / Math.LN2, logZ.upper === null ? null : Math.max(0, -logZ.upper / Math.LN2)];
    const dear = steps.reduce((best, each) => (each.bits > best.bits ? each : best), { bits: 0, token: '' });
    const many = run.runs > 1 ? ` Shown is ${runWords(run)}; the text’s own numbers sum them all.` : '';
    const words = !steps.length ? 'The path of this text was not found yet.'
      : `∏ Z costs ${bits(total)}${dear.bits > 0.05 ? `, most at ${visible(dear.token) || 'the end'} (${bits(dear.bits)})` : ''}; Z itself is ${bits(zBits[1])}. Above the dashed line: too often; below: too rare. ${run.squeeze ? `${run.runs > 1 ? 'This run' : 'Here'}: ${timesWords(run.squeeze)}.` : ''}${many}`;
    setText(say, words);
    setShown(toTable, steps.length > 0);
    fill(table, steps.length ? waterTable(steps, zBits, status) : null);
    if (width > 60) fill(box, steps.length ? waterPicture(steps, zBits, width, words) : null);
    drawIdentity(leaf, now.doc);
  }
  new ResizeObserver(draw).observe(box);
  state.subscribe(draw);
  draw();
}

