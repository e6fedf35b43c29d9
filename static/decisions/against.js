// Typed heads against generation on the same tickets: one table with intervals, recorded or run here.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { count, counted, plain, seconds } from '../stage/format.js';
import { shareAxis } from '../study/marks.js';
import { laneRow, origin, panel, segments, table, taskButtons, taskNews, twin } from './parts.js';
import { chance, listed, rateWords } from './words.js';

export const TICKETS = [10, 30, 100];

/** Milliseconds: "43 ms", "2.1 s"; a dash for none. */
export function msWords(ms) {
  return ms === null || ms === undefined ? '–' : seconds(ms / 1000);
}

/** How much faster the heads answer than whole records are generated, in words; '' where one kind is missing. */
export function fasterWords(rows) {
  const ms = (some) => rows.filter((row) => row.ms > 0 && some(row)).map((row) => row.ms);
  const heads = ms(({ typed, passes }) => typed && passes === 1);
  const texts = ms(({ typed, right }) => !typed && right);
  if (!heads.length || !texts.length) return '';
  const ratio = Math.min(...texts) / Math.max(...heads);
  return ratio >= 1 ? `Even the slowest head answers in 1/${Number(ratio.toPrecision(2))} of the time of the fastest generation (medians).` : 'The slowest head takes longer than the fastest generation here (medians).';
}

/** The chart of whole records that are right. */
export function rightParts({ rows, n }) {
  return {
    sentence: `The share of ${counted(n, 'ticket')} whose every field is right. Square: typed; round: generated text. ${fasterWords(rows)}`,
    chart: [...rows.map(({ title, typed, right }) => laneRow(title, right ? [{ at: right.value, mark: typed ? 'square' : 'dot', ends: [right.lower, right.upper] }] : [], right ? [h('b', null, chance(right.value)), h('small', null, `${chance(right.lower)} to ${chance(right.upper)}`)] : '–', 'is-grid')), shareAxis()],
    table: table(`Whole records right, of ${counted(n, 'ticket')}`, ['method', 'right (95 %)'], rows.map(({ title, right }) => [title, rateWords(right)])),
  };
}

/** A rate with its interval on a line of its own. */
function rateCell(rate) {
  if (!rate || rate.value === null) return '–';
  return [chance(rate.value), h('small', { class: 'dc-note dc-ends' }, `${chance(rate.lower)} to ${chance(rate.upper)}`)];
}

function eceCell({ ece, ece_interval: ends }) {
  if (ece === null || ece === undefined) return '–';
  return [plain(ece), ends ? h('small', { class: 'dc-note dc-ends' }, `${plain(ends[0])} to ${plain(ends[1])}`) : null];
}

/** Every number of the comparison. */
export function methodTable({ rows, n }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row.fields)))];
  const mean = (x) => (x === null || x === undefined ? '–' : String(Number(x.toFixed(1))));
  return table(`Typed heads and generation on the same ${counted(n, 'ticket')}; 95 % intervals, Clopper-Pearson`,
    ['method', 'valid', ...fields, 'record right', 'incoherent', 'tokens', 'passes', 'median time', 'ECE'],
    rows.map((row) => [[row.title, row.typed ? h('span', { class: 'cmp-badge' }, 'typed') : null, row.n < n ? h('small', { class: 'dc-note' }, `${counted(row.n, 'ticket')} so far.`) : null], rateCell(row.valid), ...fields.map((name) => rateCell(row.fields[name])), rateCell(row.right), rateCell(row.incoherent), mean(row.tokens), mean(row.passes), h('span', { class: 'dc-ends' }, msWords(row.ms)), eceCell(row)]), { stacks: true, name: 'dc-methods' });
}

/** What is to be said of each method's numbers. */
function methodNotes({ rows }) {
  const noted = rows.filter(({ note }) => note);
  return noted.length ? h('ul', { class: 'dc-notes' }, noted.map(({ title, note }) => h('li', null, h('b', null, `${title}: `), note))) : null;
}

/** What needs no model, and what no method can be asked to beat, in words. */
export function baselineWords({ majority, gold_incoherent: gold }) {
  const parts = [];
  if (majority) parts.push(`Always the most common option of the training labels: ${listed(Object.entries(majority).map(([name, each]) => `${name} ${chance(each.value)}`))} right.`);
  if (gold) parts.push(`Of the right answers themselves ${rateWords(gold)} count as incoherent.`);
  return parts.join(' ');
}

/** Renders the panel into `root`. actions: table, stop. */
export function mountAgainst(root, store, { actions }) {
  const { node, news, body } = panel('against', 'Against generation', 'The same tickets, the same model: text under the mask, tried until valid, the first valid of several, and typed heads. Incoherent: the fields don’t fit each other. A confidence that the model writes into its JSON is text like any other, not a probability: its ECE shows how far off it is.');
  root.append(node);
  const size = segments('Tickets', TICKETS.map((n) => [n, count(n)]), { get: () => store.get().n, set: (n) => store.set({ n }) });
  const run = taskButtons(store, 'table', 'Run it here', { press: actions.table, stop: actions.stop });
  const state = h('p', { class: 'pg-quiet' });
  const right = twin('Whole records right');
  const all = h('div', { class: 'dc-body' });
  const command = h('p', { class: 'pg-quiet' });
  fill(body, h('div', { class: 'dc-actions' }, h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Tickets'), size.node), run.node), state, right.node, all, command);
  taskNews(news, store, ['table'], { table: 'Opening the model' }, ({ table: doc, kept }) => (doc && kept.table && !kept.table.recorded && doc.doing ? { words: doc.doing, done: null } : null));
  let seen = null;
  const update = () => {
    const { table: doc, kept, running, task } = store.get();
    size.update();
    run.update();
    setText(run.run, `Run it here on ${counted(store.get().n, 'ticket')}`);
    const some = Boolean(doc && doc.rows.length);
    setShown(right.node, some);
    setShown(all, some);
    fill(state, !doc ? 'Nothing has run yet.' : [origin(kept.table.recorded ? 'recorded' : 'live'), ` ${counted(doc.n, 'ticket')}`, doc.stopped ? ', stopped: what was done is kept.' : doc.done ? '.' : running && task === 'table' ? ' so far.' : ', ended early.', kept.table.recorded && store.get().page.recorded.date ? ` Made ${store.get().page.recorded.date}.` : '']);
    if (!some || seen === doc) return;
    seen = doc;
    right.fill(rightParts(doc));
    fill(all, methodTable(doc), methodNotes(doc), h('p', { class: 'pg-quiet' }, baselineWords(doc)));
    fill(command, doc.command ? ['From a shell: ', h('code', { class: 'pg-tok dc-command' }, doc.command)] : null);
  };
  store.subscribe(update);
  update();
}
