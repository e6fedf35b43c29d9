// "Boundary": whether the prompt's last token is in the way. The law as it is beside the law where the model writes that token's text again.

import { h, keyed, setAttr, setShown, setText } from '../stage/dom.js';
import { counted, prob, seconds, visible } from '../stage/format.js';
import { middle, numberBetween, probBetween } from '../stage/interval.js';
import { gradeBadge, probKnown } from './known.js';
import { leafText } from './leaves.js';
import { isOld } from './state.js';

const BOUNDARY_ROWS = 12;
// Bounds of TV wider than this say nothing yet; laws nearer than the second are told as the same.
const BOUNDARY_WIDE = 0.5;
const BOUNDARY_SAME = 0.005;
// A diamond stands for a number; of wider bounds only the span is drawn.
const BOUNDARY_KNOWN = 0.1;
const BOUNDARY_LOST = 0.01;
const BOUNDARY_IDLE = 'Is the prompt cut where the model would have cut it? The prompt’s last token is taken off, its text is put before the constraint, and both laws are searched side by side: up to 800 rows of the model.';

/** Why there is no boundary to look at in `problem`, or null where there is one. */
export function boundaryOff(problem) {
  if (!problem) return 'There is no problem yet.';
  if (problem.toy || String(problem.model).startsWith('toy:')) return 'A toy has no prompt, so there is no boundary between a prompt and an answer.';
  if (problem.chat) return 'The prompt goes through the chat template, and its last token is the template’s own: there is nothing to cut in another way. Switch the chat template off to look at a bare prompt.';
  if (problem.constraint.engine !== 'bytes') return 'Only the exact byte automaton can let the model rewrite the end of the prompt. Choose that engine to look.';
  return null;
}

/** What two laws side by side show, in a sentence or two; `doc` is a document of kind "between". */
export function betweenWords(doc) {
  const tv = doc.tv.p_V;
  if (tv.status === 'off') return tv.why;
  if (tv.upper - tv.lower > BOUNDARY_WIDE) return `Not closed yet: TV between the two laws lies anywhere in ${numberBetween(tv, 2)}.`;
  if (tv.upper < BOUNDARY_SAME) return `The two laws are the same${tv.upper < 1e-9 ? ', up to rounding' : ` up to ${numberBetween({ lower: tv.upper, upper: tv.upper })}`}.`;
  const row = doc.texts.find((each) => each.text === doc.moved);
  const most = row ? ` “${leafText(row.text)}” goes from ${probBetween(row.left.p_V).text} to ${probBetween(row.right.p_V).text}.` : '';
  return `The two laws differ: TV = ${numberBetween(tv)}.${most}`;
}

/** The same about the boundary of a prompt. */
export function boundaryWords(doc) {
  const off = doc.healed.right;
  const token = off ? `the prompt’s last token “${visible(off.text)}”` : 'the prompt’s last token';
  const tv = doc.tv.p_V;
  if (tv.status === 'off' || tv.upper - tv.lower > BOUNDARY_WIDE) return betweenWords(doc);
  if (tv.upper < BOUNDARY_SAME) return `No: ${token} is not in the way. ${betweenWords(doc)}`;
  if (tv.lower < BOUNDARY_SAME) return `Not decided: ${token} moves at most ${numberBetween({ lower: tv.upper, upper: tv.upper })} of the mass.`;
  return `Yes: ${token} is in the way. ${betweenWords(doc)}`;
}

/** What the search has read and why it ended, and what didn't finish. */
export function boundaryCost(doc) {
  const why = { tolerance: 'both laws are closed to 1 %', rows: 'the rows are spent', seconds: 'the time is over', cancelled: 'stopped', complete: 'nothing is left to look into', memory: 'the memory is full' }[doc.stopped];
  const lost = Math.max(doc.unfinished.left, doc.unfinished.right);
  return `${counted(doc.rows_used, 'row')} read${why ? `; ${why}` : ' so far'}${doc.seconds >= 0.05 ? `, after ${seconds(doc.seconds)}` : ''}. Z is ${probBetween(doc.Z.left).text} as it is and ${probBetween(doc.Z.right).text} rewritten; the second includes the prompt’s own last characters.`
    + `${lost > BOUNDARY_LOST ? ` After the mask, up to ${prob(lost).text} does not finish.` : ''}`;
}

function boundaryCell() {
  const parts = { exact: h('b', null), masked: h('small', null), solid: h('i', { class: 'sq-fix-solid' }), diamond: h('i', { class: 'sq-fix-diamond' }), stem: h('i', { class: 'sq-fix-stem' }), span: h('i', { class: 'sq-fix-span' }) };
  const cell = h('td', { class: 'pg-num sq-b-cell' }, parts.exact, ' ', parts.masked, h('span', { class: 'sq-fix-lane sq-b-lane', 'aria-hidden': 'true' }, parts.solid, parts.stem, parts.span, parts.diamond));
  cell.sqParts = parts;
  return cell;
}

function boundaryRow() {
  const cells = { name: h('code', { class: 'sq-fix-name' }), left: boundaryCell(), right: boundaryCell() };
  const row = h('tr', null, h('th', { scope: 'row' }, cells.name), cells.left, cells.right);
  row.sqCells = cells;
  return row;
}

function boundaryDraw(cell, law, status) {
  const { exact, masked, solid, diamond, stem, span } = cell.sqParts;
  const shown = law.p_V ? probKnown(law.p_V, status) : { text: '–', title: 'Nothing valid has any mass' };
  setText(exact, shown.text);
  setAttr(exact, 'title', shown.title);
  const after = probKnown(law.masked, status);
  setText(masked, `mask ${after.text}`);
  setAttr(masked, 'title', after.title);
  solid.style.width = `${100 * middle(law.masked)}%`;
  const wide = !law.p_V || law.p_V.upper - law.p_V.lower > BOUNDARY_KNOWN;
  setShown(diamond, !wide);
  setShown(stem, !wide);
  setShown(span, Boolean(law.p_V) && law.p_V.upper - law.p_V.lower > 0.005);
  if (!law.p_V) return;
  diamond.style.left = stem.style.width = `${100 * middle(law.p_V)}%`;
  span.style.left = `${100 * law.p_V.lower}%`;
  span.style.width = `${100 * (law.p_V.upper - law.p_V.lower)}%`;
}

/** Builds the section. */
export function mountBoundary(root, state) {
  const run = h('button', { type: 'button', class: 'pg-button', onclick: () => state.start('heal', { more: Boolean(state.get().boundary) }) }, 'Run');
  const stop = h('button', { type: 'button', class: 'pg-button', hidden: true, onclick: () => state.stop('heal') }, 'Stop');
  const badge = h('span', { class: 'sq-badge', hidden: true });
  const says = h('p', { class: 'sq-b-says', 'aria-live': 'polite' });
  const cost = h('p', { class: 'pg-quiet' });
  const legend = h('div', { class: 'pg-legend' }, h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-solid' }), 'after mask'), h('span', { class: 'pg-key' }, h('i', { class: 'sq-key-exact' }), 'exact law'));
  const body = h('tbody', null);
  const table = h('table', { class: 'pg-table sq-boundary' }, h('caption', { class: 'pg-spoken' }, 'Texts under both laws: the exact share, and the share after the mask'),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'text'), h('th', { scope: 'col', class: 'pg-num', title: 'The model reads the whole prompt' }, 'as it is'), h('th', { scope: 'col', class: 'pg-num', title: 'The model writes the last token’s text again, in tokens that it chooses' }, 'rewritten'))), body);
  const scroll = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Both laws at the boundary' }, table);
  const more = h('p', { class: 'pg-quiet' });
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Boundary: is the prompt’s last token in the way?'), badge, run, stop, h('span', { class: 'pg-gap' }), legend), says, scroll, more, cost);

  function draw() {
    const now = state.get();
    const problem = now.idle ? now.idle.problem : now.doc ? now.doc.problem : null;
    setShown(root, Boolean(problem));
    if (!problem) return;
    const off = boundaryOff(problem);
    const news = now.runs.heal;
    const running = Boolean(news && news.running);
    const doc = off ? null : now.boundary;
    const status = doc ? (isOld(now) ? 'old' : doc.status) : null;
    setShown(run, !off && !running && !(doc && doc.status === 'exact' && status !== 'old'));
    setText(run, doc && status !== 'old' ? 'Read more rows' : 'Run');
    setShown(stop, running);
    stop.disabled = Boolean(news && news.stopping);
    setShown(badge, Boolean(doc));
    if (doc) { const grade = gradeBadge(status); setText(badge, grade.word); setAttr(badge, 'title', grade.title); setAttr(badge, 'data-status', status); }
    const trouble = !off && news ? news.error || news.misplaced : null;
    const failed = trouble ? `${trouble.what} ${trouble.hint || ''}` : '';
    const waiting = running ? (news.progress ? news.progress.words : 'Searching both sides …') : BOUNDARY_IDLE;
    setText(says, off || failed || (doc ? `${running ? 'So far: ' : ''}${boundaryWords(doc)}` : waiting));
    for (const part of [scroll, legend, cost]) setShown(part, Boolean(doc));
    setShown(more, Boolean(doc) && doc.texts.length + doc.others > BOUNDARY_ROWS);
    if (!doc) return;
    setText(cost, boundaryCost(doc));
    setText(more, `${counted(doc.texts.length + doc.others - BOUNDARY_ROWS, 'further text')} found, each smaller than these.`);
    keyed(body, doc.texts.slice(0, BOUNDARY_ROWS), (text) => text.text, boundaryRow, (row, text) => {
      setText(row.sqCells.name, leafText(text.text));
      setAttr(row.sqCells.name, 'title', leafText(text.text));
      for (const side of ['left', 'right']) boundaryDraw(row.sqCells[side], text[side], status);
    });
  }
  state.subscribe(draw);
  draw();
}
