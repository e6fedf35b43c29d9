// The table of candidates: what the model wanted and what is left after the mask, side by side on one axis.

import { h, icon, keyed, setText, setAttr, setShown, fill } from './dom.js';
import { prob, logProb, logit, count, isShort, tokenLabel, tokenSpoken } from './format.js';
import { whyBlocked } from './inspector.js';
import { maskComesFirst } from './settings.js';

const CANDIDATES_FOLD = 6;
const CANDIDATES_LEAST_LOG = 1e-12;

/** The rows in the order of the view: by raw logit, or by the chance after the mask (blocked ones last). */
export function orderedRows(position, order) {
  const rows = [...position.candidates];
  if (order === 'masked') rows.sort((a, b) => (b.masked || 0) - (a.masked || 0) || Number(b.allowed) - Number(a.allowed) || a.rank - b.rank || a.id - b.id);
  return rows;
}

function candidatesPercent(v) {
  return v === 0 ? '0' : `${Number((100 * v).toPrecision(2))} %`;
}

/** The one axis that model p and after mask share: {log, max, min, at(p) -> 0..1, ticks: [{at, label}]}. */
export function sharedAxis(rows, log) {
  const values = rows.flatMap((row) => [row.p, row.masked]).filter((v) => v > 0);
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

function candidatesSpoken(row, position, taken) {
  return [`Rank ${row.rank}, ${tokenSpoken(row)}`, `model ${prob(row.p).text}`, row.allowed ? `after mask ${prob(row.masked).text}` : `blocked. ${whyBlocked(row, position)}`, taken ? 'taken' : '']
    .filter(Boolean).join(', ');
}

function candidateRow() {
  const parts = {
    rank: h('td', { class: 'pg-c-rank', role: 'gridcell' }), token: h('span', { class: 'pg-token' }), flags: h('span', { class: 'pg-row-flags' }),
    logit: h('td', { class: 'pg-c-logit', role: 'gridcell' }), raw: h('span', { class: 'pg-raw' }), solid: h('span', { class: 'pg-solid' }),
    p: h('td', { class: 'pg-c-p', role: 'gridcell' }), masked: h('td', { class: 'pg-c-masked', role: 'gridcell' }), next: h('td', { class: 'pg-c-next', role: 'gridcell' }),
  };
  const row = h('tr', { class: 'pg-row', role: 'row', tabindex: -1 },
    parts.rank, h('td', { class: 'pg-c-token', role: 'gridcell' }, parts.flags, parts.token), parts.logit,
    h('td', { class: 'pg-c-lane', role: 'gridcell' }, h('span', { class: 'pg-lane', 'aria-hidden': 'true' }, parts.raw, parts.solid)),
    parts.p, parts.masked, parts.next);
  row.pgParts = parts;
  return row;
}

/** Builds the table. */
export function mountCandidates(root, store) {
  const ticks = h('span', { class: 'pg-ticks', 'aria-hidden': 'true' });
  const head = (text, cls, title = null) => h('th', { class: cls, scope: 'col', role: 'columnheader', title }, text);
  const headLane = h('th', { class: 'pg-c-lane', scope: 'col', role: 'columnheader' }, h('span', { class: 'pg-spoken' }, 'bars'), ticks);
  const headMasked = head('after mask', 'pg-c-masked');
  const body = h('tbody', { role: 'rowgroup' });
  const foot = h('tfoot', { role: 'rowgroup' });
  const caption = h('caption', { class: 'pg-spoken' }, 'Candidates for this token');
  const table = h('table', { class: 'pg-table-c', role: 'grid', 'aria-label': 'Candidates: model p and after mask' }, caption,
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, head('#', 'pg-c-rank', 'Rank by raw logit'), head('token', 'pg-c-token'), head('logit', 'pg-c-logit', 'Raw logit, as the model gave it'), headLane,
      head('model p', 'pg-c-p', 'What an unconstrained sampler would draw from'), headMasked, head('state after', 'pg-c-next'))),
    body, foot);
  const toggle = (label, title, press) => h('button', { type: 'button', class: 'pg-link', title, onclick: press });
  const order = toggle('', 'Order of the rows (O)', () => store.set({ order: store.view().order === 'raw' ? 'masked' : 'raw', focusRow: null }));
  const scale = toggle('', 'Scale of the bars (Shift L)', () => store.set({ log: !store.view().log }));
  const layer = toggle('', 'Which bars are drawn (M)', () => store.set({ layer: { both: 'model', model: 'mask', mask: 'both' }[store.view().layer] }));
  const legend = h('div', { class: 'pg-legend' },
    h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-raw' }), 'model p'), h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-solid' }), 'after mask'), h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-blocked' }), 'blocked'));
  const hint = h('p', { class: 'pg-hint', hidden: true }, store.live() ? 'Click a row to take it: before the end of the run that makes a fork. A blocked row shows where the text would break.'
    : 'This file is a recording: rows can be read, not taken.');
  const fold = h('button', { type: 'button', class: 'pg-button pg-fold', hidden: true, onclick: () => { open = !open; seen = {}; update(); } });
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Candidates'), legend, h('span', { class: 'pg-gap' }),
    h('span', { class: 'pg-tools' }, h('span', { class: 'pg-faint' }, 'order:'), order, h('span', { class: 'pg-faint' }, 'scale:'), scale, h('span', { class: 'pg-faint' }, 'bars:'), layer)), table, fold, hint);

  const footRow = (cls) => {
    const cells = { name: h('th', { class: 'pg-f-name', scope: 'row', colspan: 4, role: 'rowheader' }), p: h('td', { class: 'pg-c-p', role: 'gridcell' }), masked: h('td', { class: 'pg-c-masked', role: 'gridcell' }) };
    const row = h('tr', { class: `pg-foot ${cls}`, role: 'row' }, cells.name, cells.p, cells.masked, h('td', { class: 'pg-c-next', role: 'gridcell' }));
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

  function drawRow(node, row, index, axis, view, position) {
    const parts = node.pgParts;
    const taken = Boolean(position.taken && position.taken.id === row.id);
    const drawn = `${row.watched}|${taken}|${view.log}|${view.layer}|${axis.max}|${axis.min}`;
    node.pgToken = row.id;
    node.pgIndex = index;
    if (node.pgRow === row && node.pgDrawn === drawn) return;
    node.pgRow = row;
    node.pgDrawn = drawn;
    setText(parts.rank, count(row.rank));
    setText(parts.token, tokenLabel(row));
    setAttr(parts.token, 'data-short', isShort(tokenLabel(row)));
    setAttr(parts.token, 'data-special', row.special || row.eos);
    fill(parts.flags, taken ? h('span', { class: 'pg-flag-taken', title: 'taken' }) : null, row.allowed ? null : icon('blocked'),
      row.eos && row.allowed ? icon('may_stop') : null, row.watched ? h('span', { class: 'pg-flag-watch', title: 'watched' }) : null);
    setText(parts.logit, logit(row.logit));
    parts.raw.style.width = `${100 * axis.at(row.p)}%`;
    parts.solid.style.width = `${100 * axis.at(row.masked)}%`;
    setShown(parts.raw, row.p > 0 && (view.layer !== 'mask' || !row.allowed));
    setShown(parts.solid, view.layer !== 'model' && row.masked > 0);
    setNumber(parts.p, prob(row.p));
    setNumber(parts.masked, prob(row.masked, { blocked: !row.allowed }));
    setText(parts.next, row.next || (row.eos && row.allowed ? 'end' : row.allowed ? '' : 'blocked'));
    setAttr(node, 'data-blocked', !row.allowed);
    setAttr(node, 'data-taken', taken);
    setAttr(node, 'aria-selected', String(taken));
    setAttr(node, 'aria-label', candidatesSpoken(row, position, taken));
    setAttr(node, 'title', row.allowed ? null : whyBlocked(row, position));
  }

  function drawFoot(position) {
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
    const same = seen.position === position && seen.order === view.order && seen.log === view.log && seen.layer === view.layer && seen.narrow === narrow;
    if (!same) {
      const all = orderedRows(position, view.order);
      const axis = sharedAxis(all, view.log);
      const folded = narrow && !open && all.length > CANDIDATES_FOLD + 1;
      const rows = folded ? all.filter((row, i) => i < CANDIDATES_FOLD || (position.taken && position.taken.id === row.id)) : all;
      keyed(body, rows, (row) => row.id, candidateRow, (node, row, index) => drawRow(node, row, index, axis, view, position));
      setShown(hint, !narrow || !store.live());
      setShown(fold, narrow && all.length > CANDIDATES_FOLD + 1);
      setText(fold, open ? 'Fewer rows' : `${all.length - rows.length} more rows`);
      fill(ticks, axis.ticks.map((tick) => h('span', { style: { left: `${100 * tick.at}%` } }, tick.label)));
      drawFoot(position);
      setText(order, view.order === 'raw' ? 'by model' : 'by after mask');
      setText(scale, view.log ? 'log' : 'linear');
      setText(layer, { both: 'both', model: 'model', mask: 'after mask' }[view.layer]);
      setAttr(root, 'data-layer', view.layer);
      setAttr(headMasked, 'title', maskComesFirst(store.doc().problem.sampling)
        ? 'What constrained decoding draws from: the mask comes first here, then the filters, so it is not p / Z'
        : 'What constrained decoding draws from: p / Z when allowed, 0 when blocked');
    }
    if (!same || seen.focusRow !== view.focusRow || seen.lockedToken !== view.lockedToken) {
      const focused = view.focusRow === null ? 0 : view.focusRow;
      for (const node of body.children) {
        const at = node.pgIndex === focused;
        setAttr(node, 'tabindex', at ? '0' : '-1');
        setAttr(node, 'data-focus', at && view.focusRow !== null);
        setAttr(node, 'data-locked', node.pgToken === view.lockedToken);
        if (at && view.focusRow !== null && seen.focusRow !== view.focusRow && document.activeElement !== node) node.focus({ preventScroll: false });
      }
    }
    seen = { position, order: view.order, log: view.log, layer: view.layer, narrow, focusRow: view.focusRow, lockedToken: view.lockedToken };
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
