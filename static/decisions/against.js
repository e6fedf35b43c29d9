// Typed heads against generation on the same tickets: one table with intervals, recorded or run here.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { count, counted, plain, seconds } from '../stage/format.js';
import { shareAxis } from '../study/marks.js';
import { laneRow, origin, panel, segments, table, taskButtons, taskNews, twin } from './parts.js';
import { runOf } from './state.js';
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
    sentence: `The share of the tickets answered, of ${counted(n, 'ticket')}, whose every field is right. Square: typed; round: generated text. ${fasterWords(rows)}`,
    chart: [...rows.map(({ title, typed, right, n: answered }) => laneRow(title, right ? [{ at: right.value, mark: typed ? 'square' : 'dot', ends: [right.lower, right.upper] }] : [], right ? [h('b', null, chance(right.value)), h('small', null, `${chance(right.lower)} to ${chance(right.upper)}${answered < n ? `, of ${count(answered)}` : ''}`)] : answered ? '–' : 'none answered', 'is-grid')), shareAxis()],
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
    rows.map((row) => [[row.title, row.typed ? h('span', { class: 'cmp-badge' }, 'typed') : null, row.n < n ? h('small', { class: 'dc-note' }, `${count(row.n)} of ${counted(n, 'ticket')}.`) : null], rateCell(row.valid), ...fields.map((name) => rateCell(row.fields[name])), rateCell(row.right), rateCell(row.incoherent), mean(row.tokens), mean(row.passes), h('span', { class: 'dc-ends' }, msWords(row.ms)), eceCell(row)]), { stacks: true, name: 'dc-methods' });
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

const AGAINST_READ = 0.2;
const AGAINST_TIMED = 5;

/** Seconds that a comparison takes: {read: at most, for its training tickets, none where all are kept, answer: about, for the others}, by what one ticket took where the recorded table was made; `answer` is null without one. */
export function costOf(recorded, n, size) {
  const rows = recorded ? recorded.rows.filter(({ ms }) => ms > 0) : [];
  const ms = (some) => rows.filter(some).reduce((sum, each) => sum + each.ms, 0);
  const heads = rows.filter(({ typed, passes }) => typed && passes === 1);
  const read = heads.length ? Math.max(...heads.map((each) => each.ms)) / 1000 : AGAINST_READ;
  return { read: size * read, answer: rows.length ? (n * ms((each) => !heads.includes(each)) + Math.min(n, AGAINST_TIMED) * ms(() => true)) / 1000 : null };
}

/** What a comparison takes, in words. */
export function costWords({ read, answer }, n, size) {
  const long = (x) => counted(Math.max(1, Math.round(x / 60)), 'minute');
  const rest = answer === null ? '' : ` Answering ${counted(n, 'ticket')} takes about ${long(answer)}, nearly all of it generation.`;
  return `${rest.trim()} Then the heads are trained, on ${count(size)} training tickets, a fifth of them dev. Those that weren’t read before are read for that: from a moment, where all are kept, to about ${long(read)}. ${answer === null ? '' : 'Times are those of the machine that made the recorded table.'}`.trim();
}

const AGAINST_ENDS = {
  you: 'stopped by you',
  another: 'ended, as another run of yours began',
  error: 'ended by the error above',
  link: 'ended, as a link was opened',
};

/** Why a comparison ended early and which numbers that concerns, in words. */
export function endedWords({ missing }, { ended, limit }) {
  const why = ended === 'limit' ? `ended at its time limit of ${counted(Math.round(limit / 60), 'minute')}` : AGAINST_ENDS[ended] || 'ended early by the server';
  return `${why}: what was done is kept.${missing && missing.length ? ` Of less than was asked: ${missing.join('; ')}.` : ''}`;
}

/** How far a comparison is: the methods that have answered every ticket, in words. */
export function soFarWords({ rows, n, methods }) {
  const all = rows.filter((row) => row.n >= n).length;
  return `so far ${methods ? `${count(all)} of ${counted(methods, 'method')}` : counted(all, 'method')} ${all === 1 && !methods ? 'has' : 'have'} answered all ${counted(n, 'ticket')}.`;
}

/** On what the heads were trained, in words; '' where it isn't told. */
export function trainedWords({ training }) {
  return training ? ` Heads: ${count(training.train)} training tickets, ${count(training.dev)} of dev.` : '';
}

/** Renders the panel into `root`. actions: table, stop. */
export function mountAgainst(root, store, { actions }) {
  const { node, news, body } = panel('against', 'Against generation', 'The same tickets, the same model: text under the mask, tried until valid, the first valid of several, and typed heads. Incoherent: the fields don’t fit each other. A confidence that the model writes into its JSON is text like any other, not a probability: its ECE shows how far off it is.');
  root.append(node);
  const size = segments('Tickets', TICKETS.map((n) => [n, count(n)]), { get: () => store.get().n, set: (n) => store.set({ n }) });
  const read = segments('Training tickets', store.get().page.sizes.map((n) => [n, count(n)]), { get: () => store.get().read, set: (n) => store.set({ read: n }) });
  const takes = h('p', { class: 'pg-quiet' });
  const run = taskButtons(store, 'table', 'Run it here', { press: actions.table, stop: actions.stop });
  const state = h('p', { class: 'pg-quiet' });
  const right = twin('Whole records right');
  const all = h('div', { class: 'dc-body' });
  const command = h('p', { class: 'pg-quiet' });
  fill(body, h('div', { class: 'dc-actions' }, h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Tickets'), size.node), h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Training tickets'), read.node), run.node), takes, state, right.node, all, command);
  taskNews(news, store, ['table'], { table: 'Opening the model' }, { dismiss: actions.dismiss, told: ({ table: doc, kept }) => (doc && kept.table && !kept.table.recorded && !kept.table.ended && doc.doing ? { words: doc.doing, done: null } : null) });
  let seen = null;
  const update = () => {
    const { table: doc, kept, page, n, read: training } = store.get();
    const going = runOf(store.get(), 'table');
    const live = going.running && going.task === 'table' && !kept.table?.recorded;
    size.update();
    read.update();
    setText(takes, costWords(costOf(page.recorded && page.recorded.table, n, training), n, training));
    run.update();
    setText(run.run, `Run it here on ${counted(store.get().n, 'ticket')}`);
    const some = Boolean(doc && doc.rows.length);
    setShown(right.node, some);
    setShown(all, some);
    fill(state, !doc ? 'Nothing has run yet.' : [origin(kept.table.recorded ? 'recorded' : 'live'), ' ', doc.done || kept.table.recorded ? `${counted(doc.n, 'ticket')}.` : live ? soFarWords(doc) : `${counted(doc.n, 'ticket')}, ${endedWords(doc, kept.table)}`, trainedWords(doc), kept.table.recorded && page.recorded.date ? ` Made ${page.recorded.date}.` : '']);
    if (!some || seen === doc) return;
    seen = doc;
    right.fill(rightParts(doc));
    fill(all, methodTable(doc), methodNotes(doc), h('p', { class: 'pg-quiet' }, baselineWords(doc)));
    fill(command, doc.command ? ['From a shell: ', h('code', { class: 'pg-tok dc-command' }, doc.command)] : null);
  };
  store.subscribe(update);
  update();
}
