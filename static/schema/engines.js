// What is drawn in the tabs Engines (all engines on one prefix) and Index.

import { h, fill, setAttr } from '../stage/dom.js';
import { count, counted, visible } from '../stage/format.js';
import { sure } from './newest.js';
import { errorCard } from './sections.js';

const ENGINES_FRAMES = 6;
const ENGINES_MS = (ms) => (ms === null || ms === undefined ? '–' : ms < 0.01 ? '< 0.01 ms' : ms < 10 ? `${ms.toFixed(2)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** A time in milliseconds: "0.12 ms", "43 ms", "1.2 s". */
export const msWords = ENGINES_MS;

function tokens(list, more) {
  if (!list || !list.length) return 'none';
  return [list.map((text) => [h('code', { class: 'pg-tok' }, visible(text) || '∅'), ' ']), more > list.length ? `and ${count(more - list.length)} more` : null];
}

function measured({ measured: value, figure }) {
  if (!figure || value === null || value === undefined) return '–';
  return figure === 'mask_share' ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %` : `${value >= 10 ? Math.round(value) : value.toFixed(1)}×`;
}

/** Draws every engine at one prefix. */
export function drawEngines(answer, box) {
  const { prefix, engines, common, scan, independent, claims, vocabulary, step_ms: stepMs } = answer;
  const standing = engines.filter((row) => !row.refused && !row.error).length;
  fill(box, h('p', null, 'After ', prefix ? h('code', { class: 'sc-code-word' }, `${prefix.length > 160 ? '…' : ''}${visible(prefix.slice(-160))}`) : 'nothing', vocabulary ? `, in the tokens of ${vocabulary}.` : '.'),
    h('div', { class: 'pg-scroll' }, h('table', { class: 'pg-table sc-engines' },
      h('thead', null, h('tr', null, [['Engine'], ['Compiled first', 1], ['From the cache', 1], ['Mask, anew', 1], ['Mask, again', 1], ['States or stack'], ['Allowed', 1], ['Against the exact mask']].map(([name, number]) => h('th', { scope: 'col', class: number ? 'pg-num' : null }, name)))),
      h('tbody', null, engines.map((row) => h('tr', null, h('th', { scope: 'row' }, row.title || row.name),
        row.refused || row.error ? h('td', { colspan: '7' }, row.refused || `${row.error.what} ${row.error.hint || ''}`) : [
          h('td', { class: 'pg-num' }, ENGINES_MS(row.compile_ms.first)), h('td', { class: 'pg-num' }, ENGINES_MS(row.compile_ms.again)), h('td', { class: 'pg-num' }, ENGINES_MS(row.mask_ms.first)), h('td', { class: 'pg-num' }, ENGINES_MS(row.mask_ms.again)),
          h('td', null, row.states ? counted(row.states, 'state') : null, row.stack ? [h('div', { class: 'sc-stack-frames', title: row.stack.of || '' }, row.stack.frames.length > ENGINES_FRAMES ? h('span', { class: 'pg-faint' }, '…') : null, row.stack.frames.slice(-ENGINES_FRAMES).map((frame) => h('span', null, frame))), row.stack.depth ? h('span', { class: 'pg-faint' }, `depth ${row.stack.depth}`) : null] : null, !row.states && !row.stack ? '–' : null),
          h('td', { class: 'pg-num' }, count(row.allowed)),
          h('td', null, row.why, row.only_here && row.only_here.length ? h('div', null, 'Only here: ', tokens(row.only_here, row.more)) : null, row.missing_here && row.missing_here.length ? h('div', null, 'Missing here: ', tokens(row.missing_here, row.less)) : null)]))))),
    standing > 1 ? h('p', null, `${counted(common, 'token')} ${common === 1 ? 'is' : 'are'} allowed by ${standing === 2 ? 'both' : `all ${standing}`} of them.`) : null,
    stepMs ? h('p', null, `One step of the model over this text: ${ENGINES_MS(stepMs)}.`) : null,
    scan ? h('p', null, `The exact mask, three ways: every token walked on its own ${ENGINES_MS(scan.naive_ms)}${scan.naive_sampled ? ' (timed on a part, scaled)' : ''}; the walk of the tree of tokens ${ENGINES_MS(scan.walk_ms)}; kept for the state ${ENGINES_MS(scan.kept_ms)}.`) : null,
    independent ? h('p', null, independent.dependent ? `${(100 * independent.share).toFixed(independent.share > 0.99 ? 2 : 1)} % of the tokens don’t depend on the stack here: ${count(independent.dependent)} of ${count(independent.tokens)} close what is open and go on.` : `None of the ${count(independent.tokens)} tokens depends on the stack here.`) : null,
    claims && claims.length ? h('details', { class: 'sc-claims' }, h('summary', null, 'What is published about speed, and what was measured here'), h('div', { class: 'pg-scroll' }, h('table', { class: 'pg-table' },
      h('thead', null, h('tr', null, ['Claim', 'Source', 'Whose measurement', 'Nearest to it here', 'Measured'].map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', null, claims.map((row) => h('tr', null, h('td', null, row.claim), h('td', null, row.source), h('td', null, row.whose), h('td', null, row.beside), h('td', { class: 'pg-num' }, measured(row)))))))) : null);
}

/** Draws a page of the index. `turn(page)` asks for another, `open(state)` for one state: a promise of its document. */
export function drawIndex(answer, box, { turn, open }) {
  const { states, page, pages, rows, histogram } = answer;
  const inside = h('div', { class: 'sc-opened' });
  const show = async (state, row) => {
    for (const each of box.querySelectorAll('tr[aria-current]')) each.removeAttribute('aria-current');
    setAttr(row, 'aria-current', 'true');
    const told = await sure(open(state));
    fill(inside, told.error ? errorCard(told.error) : [h('h4', null, `${told.name}: ${counted(told.allowed, 'token')} allowed`), h('div', { class: 'sc-token-list' }, told.tokens.map(({ text, to, id }) => h('span', { title: `token ${id}` }, h('code', { class: 'pg-tok' }, visible(text) || '∅'), to ? ` → ${to}` : ' ends')), told.allowed > told.tokens.length ? h('span', { class: 'pg-faint' }, `and ${count(told.allowed - told.tokens.length)} more`) : null)]);
  };
  const turner = (label, to, enabled) => h('button', { type: 'button', class: 'pg-button pg-button-small', disabled: !enabled, onclick: () => turn(to) }, label);
  const most = histogram ? Math.max(...histogram.bins.map((bin) => bin.states), 1) : 1;
  fill(box,
    histogram ? h('figure', { class: 'sc-histogram' }, h('figcaption', null, `How many tokens the states allow${histogram.looked_at < histogram.of ? ` (${count(histogram.looked_at)} of ${count(histogram.of)} states looked at)` : ''}`),
      h('dl', null, histogram.bins.map((bin) => h('div', null, h('dt', null, bin.to > 1e6 ? `${count(bin.from)} and more` : bin.from === bin.to ? count(bin.from) : `${count(bin.from)} to ${count(bin.to)}`), h('dd', null, h('i', { style: { width: `${(100 * bin.states) / most}%` } }), h('span', null, counted(bin.states, 'state'))))))) : null,
    h('div', { class: 'pg-scroll' }, h('table', { class: 'pg-table sc-index' },
      h('thead', null, h('tr', null, ['State', 'After', 'Allowed', 'May end', 'First bytes of the mask', 'The mask', 'Could follow'].map((name) => h('th', { scope: 'col', class: name === 'Allowed' ? 'pg-num' : null }, name)))),
      h('tbody', null, rows.map((row) => { const line = h('tr', null, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'pg-link', onclick: () => show(row.state, line) }, row.name)), h('td', null, row.after === null ? '–' : h('code', { class: 'sc-after' }, row.after || 'nothing')), h('td', { class: 'pg-num' }, count(row.allowed)), h('td', null, row.final ? 'yes' : ''), h('td', null, h('code', null, row.mask)),
        h('td', null, h('span', { class: 'sc-mask', role: 'img', 'aria-label': `${counted(row.allowed, 'token')} allowed` }, row.cells.map((share) => h('i', { style: { '--share': String(share === 0 ? 0 : 0.5 + 0.5 * share) } })))), h('td', null, row.words)); return line; })))),
    h('div', { class: 'sc-pages' }, turner('Back', page - 1, page > 0), h('span', null, `${counted(states, 'state')}, page ${page + 1} of ${pages}`), turner('On', page + 1, page < pages - 1)), inside);
}
