// The table of candidates: what the model wanted and what is left after the mask, side by side on one axis.

import { h, icon, keyed, setText, setAttr, setShown, fill } from './dom.js';
import { prob, logProb, logit, count, isShort, tokenLabel, tokenSpoken } from './format.js';
import { createExact, exactHere, exactOrder, exactRow, exactWords, nextLayer, nextOrder } from './exact.js';
import { whyBlocked } from './inspector.js';
import { middle, probBetween } from './interval.js';
import { maskComesFirst } from './settings.js';

const CANDIDATES_FOLD = 6;
const CANDIDATES_LEAST_LOG = 1e-12;
const CANDIDATES_KNOWN = 0.1;

/** The rows in the order of the view: by raw logit, by the chance after the mask, or by the exact one (blocked ones last). */
export function orderedRows(position, order, law = null) {
  if (order === 'exact' && law) return exactOrder(position.candidates, law);
  const rows = [...position.candidates];
  if (order !== 'raw') rows.sort((a, b) => (b.masked || 0) - (a.masked || 0) || Number(b.allowed) - Number(a.allowed) || a.rank - b.rank || a.id - b.id);
  return rows;
}

function candidatesPercent(v) {
  return v === 0 ? '0' : `${Number((100 * v).toPrecision(2))} %`;
}

/** The one axis that model p, after mask and, with a law, exact share: {log, max, min, at(p) -> 0..1, ticks: [{at, label}]}. */
export function sharedAxis(rows, log, law = null) {
  const values = rows.flatMap((row) => [row.p, row.masked, law ? middle(exactRow(row, law).exact) : 0]).filter((v) => v > 0);
  const most = Math.max(1e-300, ...values);
  if (log) {
    const least = Math.min(0.01, Math.max(CANDIDATES_LEAST_LOG, ...[Math.min(1, ...values)]));
    const low = Math.floor(Math.log10(least) + 1e-9);
    const every = Math.max(1, Math.ceil(-low / 4));
    const ticks = [];
    for (let e = 0; e > low; e -= every) ticks.push({ at: 1 - e / low, label: e === 0 ? '1' : prob(10 ** e).text.replace('.0 %', ' %').replace('1 in 10,000', '0.01 %') });
    return { log, min: 10 ** low, max: 1, at: (p) => (p > 0 ? Math.max(0, Math.min(1, 1 - Math.log10(p) / low)) : 0), ticks: ticks.reverse() };
  }
  let max = 1;
  if (most <= 0.5) {
    const power = 10 ** Math.floor(Math.log10(most));
    max = [1, 2, 5, 10].map((m) => m * power).find((m) => m >= most * 0.999999) || 1;
  }
  return { log, min: 0, max, at: (p) => (p > 0 ? Math.min(1, p / max) : 0), ticks: [0, 0.5, 1].map((at) => ({ at, label: candidatesPercent(at * max) })) };
}

/** What the two columns add up to: allowed rows to Z (1 after the mask), blocked rows to 1 - Z. */
export function columnSums(position) {
  const of = (allowed) => position.candidates.filter((row) => row.allowed === allowed);
  const add = (rows, field) => rows.reduce((sum, row) => sum + (row[field] || 0), 0);
  return {
    allowed: add(of(true), 'p') + position.other_allowed.p,
    masked: add(of(true), 'masked') + position.other_allowed.masked,
    blocked: add(of(false), 'p') + position.other_blocked.p,
  };
}

function candidatesSpoken(row, position, taken, law) {
  return [`Rank ${row.rank}, ${tokenSpoken(row)}`, `model ${prob(row.p).text}`, row.allowed ? `after mask ${prob(row.masked).text}` : `blocked. ${whyBlocked(row, position)}`, law && row.allowed ? `exact ${probBetween(exactRow(row, law).exact).text}` : '', taken ? 'taken' : '']
    .filter(Boolean).join(', ');
}

function candidateRow() {
  const parts = {
    rank: h('td', { class: 'pg-c-rank', role: 'gridcell' }), token: h('span', { class: 'pg-token' }), flags: h('span', { class: 'pg-row-flags' }),
    logit: h('td', { class: 'pg-c-logit', role: 'gridcell' }), raw: h('span', { class: 'pg-raw' }), solid: h('span', { class: 'pg-solid' }),
    p: h('td', { class: 'pg-c-p', role: 'gridcell' }), masked: h('td', { class: 'pg-c-masked', role: 'gridcell' }), next: h('td', { class: 'pg-c-next', role: 'gridcell' }),
    exact: h('td', { class: 'pg-c-exact', role: 'gridcell' }), future: h('td', { class: 'pg-c-future', role: 'gridcell' }), stem: h('span', { class: 'pg-stem' }), doubt: h('span', { class: 'pg-doubt' }), diamond: h('span', { class: 'pg-diamond' }),
  };
  const row = h('tr', { class: 'pg-row', role: 'row', tabindex: -1 },
    parts.rank, h('td', { class: 'pg-c-token', role: 'gridcell' }, parts.flags, parts.token), parts.logit,
    h('td', { class: 'pg-c-lane', role: 'gridcell' }, h('span', { class: 'pg-lane', 'aria-hidden': 'true' }, parts.raw, parts.solid, parts.stem, parts.doubt, parts.diamond)),
    parts.p, parts.masked, parts.exact, parts.future, parts.next);
  row.pgParts = parts;
  return row;
}

/** Builds the table. */
export function mountCandidates(root, store) {
  const ticks = h('span', { class: 'pg-ticks', 'aria-hidden': 'true' });
  const head = (text, cls, title = null) => h('th', { class: cls, scope: 'col', role: 'columnheader', title }, text);
  const headLane = h('th', { class: 'pg-c-lane', scope: 'col', role: 'columnheader' }, h('span', { class: 'pg-spoken' }, 'bars'), ticks);
  const exact = createExact(store);
  const headMasked = head('after mask', 'pg-c-masked');
  const body = h('tbody', { role: 'rowgroup' });
  const foot = h('tfoot', { role: 'rowgroup' });
  const caption = h('caption', { class: 'pg-spoken' }, 'Candidates for this token');
  const table = h('table', { class: 'pg-table-c', role: 'grid', 'aria-label': 'Candidates: model p and after mask' }, caption,
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, head('#', 'pg-c-rank', 'Rank by raw logit'), head('token', 'pg-c-token'), head('logit', 'pg-c-logit', 'Raw logit, as the model gave it'), headLane,
      head('model p', 'pg-c-p', 'What an unconstrained sampler would draw from'), headMasked,
      head('exact', 'pg-c-exact', 'What the model itself draws next among the runs that end valid: p · F(token) / F'), head('F', 'pg-c-future', 'The chance that the model, left alone after this token, ends valid'), head('state after', 'pg-c-next'))),
    body, foot);
  const toggle = (label, title, press) => h('button', { type: 'button', class: 'pg-link', title, onclick: press });
  const order = toggle('', 'Order of the rows (O)', () => store.set({ order: nextOrder(store), focusRow: null }));
  const scale = toggle('', 'Scale of the bars (Shift L)', () => store.set({ log: !store.view().log }));
  const layer = toggle('', 'Which bars are drawn (M)', () => store.set({ layer: nextLayer(store) }));
  const third = toggle('', null, () => exact.toggle());
  const line = h('p', { class: 'pg-exact-line', hidden: true });
  const keyExact = h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-exact' }), 'exact');
  const legend = h('div', { class: 'pg-legend' },
    h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-raw' }), 'model p'), h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-solid' }), 'after mask'), keyExact, h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-blocked' }), 'blocked'));
  const hint = h('p', { class: 'pg-hint', hidden: true }, store.live() ? 'Click a row to take it: before the end of the run that makes a fork. A blocked row shows where the text would break.'
    : 'This file is a recording: rows can be read, not taken.');
  const fold = h('button', { type: 'button', class: 'pg-button pg-fold', hidden: true, onclick: () => { open = !open; seen = {}; update(); } });
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Candidates'), legend, h('span', { class: 'pg-gap' }),
    h('span', { class: 'pg-tools' }, h('span', { class: 'pg-faint' }, 'order:'), order, h('span', { class: 'pg-faint' }, 'scale:'), scale, h('span', { class: 'pg-faint' }, 'bars:'), layer, h('span', { class: 'pg-faint' }, 'exact:'), third)), line, table, fold, hint);

  const footRow = (cls) => {
    const cells = { name: h('th', { class: 'pg-f-name', scope: 'row', colspan: 4, role: 'rowheader' }), p: h('td', { class: 'pg-c-p', role: 'gridcell' }), masked: h('td', { class: 'pg-c-masked', role: 'gridcell' }), exact: h('td', { class: 'pg-c-exact', role: 'gridcell' }) };
    const row = h('tr', { class: `pg-foot ${cls}`, role: 'row' }, cells.name, cells.p, cells.masked, cells.exact, h('td', { class: 'pg-c-future', role: 'gridcell' }), h('td', { class: 'pg-c-next', role: 'gridcell' }));
    row.pgParts = cells;
    foot.append(row);
    return row;
  };
  const otherAllowed = footRow('pg-foot-other');
  const otherBlocked = footRow('pg-foot-other pg-foot-blocked');
  const sumAllowed = footRow('pg-foot-sum');
  const sumBlocked = footRow('pg-foot-sum pg-foot-sum-blocked');
  const setNumber = (cell, number) => { setText(cell, number.text); setAttr(cell, 'title', number.title); };

  let open = false;
  let seen = {};

  function drawExact(node, row, axis, view, here) {
    const parts = node.pgParts;
    const { exact: bounds, F, reason } = exactRow(row, here.law, here.asking ? 'searching …' : here.reason);
    const known = here.on && here.law && row.allowed && bounds !== null;
    const drawn = known && (view.layer === 'both' || view.layer === 'exact');
    for (const each of [parts.stem, parts.doubt, parts.diamond]) setShown(each, Boolean(drawn));
    if (drawn) {
      const [low, high] = [axis.at(bounds.lower), axis.at(bounds.upper)];
      const at = axis.at(middle(bounds));
      parts.stem.style.width = parts.diamond.style.left = `${100 * at}%`;
      parts.doubt.style.left = `${100 * low}%`;
      parts.doubt.style.width = `${100 * (high - low)}%`;
      setShown(parts.doubt, high - low > 0.004);
      // A diamond stands for a number; of wide bounds only the span is drawn.
      const wide = bounds.upper - bounds.lower > CANDIDATES_KNOWN;
      setShown(parts.stem, !wide);
      setShown(parts.diamond, !wide);
    }
    if (!here.on) return;
    const blocked = !row.allowed;
    setNumber(parts.exact, blocked ? prob(0, { blocked: true }) : probBetween(bounds, { reason }));
    setText(parts.future, blocked ? '0' : probBetween(F, { reason: reason || 'the model gives this token nothing' }).text);
    setAttr(parts.future, 'title', blocked ? 'exactly 0: no valid text begins so' : probBetween(F, { reason: reason || 'the model gives this token nothing' }).title);
  }

  function drawRow(node, row, index, axis, view, position, here) {
    const parts = node.pgParts;
    const taken = Boolean(position.taken && position.taken.id === row.id);
    const drawn = `${row.watched}|${taken}|${view.log}|${view.layer}|${axis.max}|${axis.min}|${here.on}|${here.asking}|${here.reason}`;
    node.pgToken = row.id;
    node.pgIndex = index;
    if (node.pgRow === row && node.pgDrawn === drawn && node.pgLaw === here.law) return;
    node.pgRow = row;
    node.pgLaw = here.law;
    node.pgDrawn = drawn;
    setText(parts.rank, count(row.rank));
    setText(parts.token, tokenLabel(row));
    setAttr(parts.token, 'data-short', isShort(tokenLabel(row)));
    setAttr(parts.token, 'data-special', row.special || row.eos);
    const flags = `${taken}|${row.allowed}|${row.eos}|${row.watched}`;
    if (node.pgFlags !== flags) {
      node.pgFlags = flags;
      fill(parts.flags, taken ? h('span', { class: 'pg-flag-taken', title: 'taken' }) : null, row.allowed ? null : icon('blocked'),
        row.eos && row.allowed ? icon('may_stop') : null, row.watched ? h('span', { class: 'pg-flag-watch', title: 'watched' }) : null);
    }
    setText(parts.logit, logit(row.logit));
    parts.raw.style.width = `${100 * axis.at(row.p)}%`;
    parts.solid.style.width = `${100 * axis.at(row.masked)}%`;
    setShown(parts.raw, row.p > 0 && (view.layer === 'both' || view.layer === 'model' || !row.allowed));
    setShown(parts.solid, (view.layer === 'both' || view.layer === 'mask') && row.masked > 0);
    drawExact(node, row, axis, view, here);
    setNumber(parts.p, prob(row.p));
    setNumber(parts.masked, prob(row.masked, { blocked: !row.allowed }));
    setText(parts.next, row.next || (row.eos && row.allowed ? 'end' : row.allowed ? '' : 'blocked'));
    setAttr(node, 'data-blocked', !row.allowed);
    setAttr(node, 'data-taken', taken);
    setAttr(node, 'aria-selected', String(taken));
    setAttr(node, 'aria-label', candidatesSpoken(row, position, taken, here.law));
    setAttr(node, 'title', row.allowed ? null : whyBlocked(row, position));
  }

  // What the search lists beside the rows of the table; unknown while a part of it is still open.
  function otherExact(position, { law }) {
    if (!law || law.status !== 'exact') return prob(null, { reason: law ? 'only bounded: not summed' : 'not searched' });
    const shown = new Set(position.candidates.map((row) => row.id));
    return prob([...law.tokens.values()].filter((each) => !shown.has(each.token_id)).reduce((sum, each) => sum + middle(each.exact), 0));
  }

  function drawFoot(position, here) {
    const nothing = here.law && here.law.future.upper === 0;
    setNumber(otherAllowed.pgParts.exact, otherExact(position, here));
    setNumber(otherBlocked.pgParts.exact, prob(0));
    setNumber(sumAllowed.pgParts.exact, prob(!here.law || nothing ? null : 1, { reason: nothing ? 'nothing valid follows' : here.reason }));
    setNumber(sumBlocked.pgParts.exact, prob(0));
    const { other_allowed: oa, other_blocked: ob } = position;
    const sums = columnSums(position);
    setText(otherAllowed.pgParts.name, `other allowed (${count(oa.count)})`);
    setNumber(otherAllowed.pgParts.p, prob(oa.p));
    setNumber(otherAllowed.pgParts.masked, prob(oa.masked));
    setText(otherBlocked.pgParts.name, `other blocked (${count(ob.count)})`);
    setNumber(otherBlocked.pgParts.p, prob(ob.p));
    setNumber(otherBlocked.pgParts.masked, prob(0));
    setText(sumAllowed.pgParts.name, 'all allowed = Z');
    setNumber(sumAllowed.pgParts.p, logProb(position.allowed === position.vocab ? 0 : position.log_z));
    setNumber(sumAllowed.pgParts.masked, prob(position.dead ? null : Math.abs(sums.masked - 1) < 1e-6 ? 1 : sums.masked, { reason: 'a dead end: nothing can be drawn here' }));
    setText(sumBlocked.pgParts.name, 'all blocked = 1 − Z');
    setNumber(sumBlocked.pgParts.p, prob(position.allowed === position.vocab ? 0 : sums.blocked));
    setNumber(sumBlocked.pgParts.masked, prob(0));
    setShown(otherAllowed, oa.count > 0);
    setShown(otherBlocked, ob.count > 0);
  }

  function update() {
    const position = store.shown();
    setShown(root, Boolean(position));
    if (!position) { seen = {}; return; }
    const view = store.view();
    const narrow = root.closest('.pg')?.dataset.size === 'narrow';
    const here = exactHere(store);
    const same = seen.position === position && seen.order === view.order && seen.log === view.log && seen.layer === view.layer && seen.narrow === narrow && seen.on === here.on && seen.law === here.law && seen.asking === here.asking && seen.reason === here.reason;
    if (!same) {
      const all = orderedRows(position, view.order, here.law);
      const axis = sharedAxis(all, view.log, here.on ? here.law : null);
      const folded = narrow && !open && all.length > CANDIDATES_FOLD + 1;
      const rows = folded ? all.filter((row, i) => i < CANDIDATES_FOLD || (position.taken && position.taken.id === row.id)) : all;
      keyed(body, rows, (row, index) => index, candidateRow, (node, row, index) => drawRow(node, row, index, axis, view, position, here));
      setShown(hint, !narrow || !store.live());
      setShown(fold, narrow && all.length > CANDIDATES_FOLD + 1);
      setText(fold, open ? 'Fewer rows' : `${all.length - rows.length} more rows`);
      fill(ticks, axis.ticks.map((tick) => h('span', { style: { left: `${100 * tick.at}%` } }, tick.label)));
      drawFoot(position, here);
      setAttr(root, 'data-exact', here.on);
      setShown(line, here.on);
      setText(line, exactWords(here));
      setShown(keyExact, here.on);
      setText(third, here.on ? 'on' : 'off');
      setAttr(third, 'aria-pressed', String(here.on));
      setAttr(third, 'title', exact.title());
      // The logits have no room beside five numbers.
      for (const row of foot.children) setAttr(row.pgParts.name, 'colspan', here.on && !narrow ? 3 : 4);
      setAttr(table, 'aria-label', here.on ? 'Candidates: model p, after mask and exact' : 'Candidates: model p and after mask');
      setText(order, { raw: 'by model', masked: 'by after mask', exact: 'by exact' }[view.order]);
      setText(scale, view.log ? 'log' : 'linear');
      setText(layer, { both: here.on ? 'all' : 'both', model: 'model', mask: 'after mask', exact: 'exact' }[view.layer]);
      setAttr(root, 'data-layer', view.layer);
      setAttr(headMasked, 'title', maskComesFirst(store.doc().problem.sampling)
        ? 'What constrained decoding draws from: the mask comes first here, then the filters, so it is not p / Z'
        : 'What constrained decoding draws from: p / Z when allowed, 0 when blocked');
    }
    if (!same || seen.focusRow !== view.focusRow || seen.lockedToken !== view.lockedToken) {
      const focused = view.focusRow === null ? 0 : view.focusRow;
      // A row that is drawn over is another row: what was focused in it no longer is.
      if (!same && view.focusRow === null && body.contains(document.activeElement)) document.activeElement.blur();
      for (const node of body.children) {
        const at = node.pgIndex === focused;
        setAttr(node, 'tabindex', at ? '0' : '-1');
        setAttr(node, 'data-focus', at && view.focusRow !== null);
        setAttr(node, 'data-locked', node.pgToken === view.lockedToken);
        if (at && view.focusRow !== null && seen.focusRow !== view.focusRow && document.activeElement !== node) node.focus({ preventScroll: false });
      }
    }
    seen = { position, order: view.order, log: view.log, layer: view.layer, narrow, focusRow: view.focusRow, lockedToken: view.lockedToken, on: here.on, law: here.law, asking: here.asking, reason: here.reason };
  }

  const rowOf = (event) => event.target.closest('.pg-row');
  body.addEventListener('pointerover', (event) => {
    const row = rowOf(event);
    if (row && event.pointerType === 'mouse') store.set({ hoverToken: row.pgToken });
  });
  body.addEventListener('focusin', (event) => {
    const row = rowOf(event);
    if (row && row.matches(':focus-visible')) store.set({ focusRow: row.pgIndex, hoverToken: row.pgToken });
  });
  body.addEventListener('click', (event) => {
    const row = rowOf(event);
    if (!row) return;
    const touch = event.pointerType === 'touch' || event.pointerType === 'pen' || root.closest('.pg')?.dataset.size === 'narrow';
    // A finger reads first (the inspector has the button to take it); a recording has nothing to take.
    if (touch || !store.live()) { store.set({ lockedToken: store.view().lockedToken === row.pgToken ? null : row.pgToken }); return; }
    store.actions.take(row.pgToken);
  });
  store.subscribe(update);
  update();
  return { redraw: () => { seen = {}; update(); } };
}
