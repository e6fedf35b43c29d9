// The head on the test split: accuracy, calibration before and after temperature, likelihood, and how far records make sense.

import { fill, h, setShown } from '../stage/dom.js';
import { count, plain, seconds } from '../stage/format.js';
import { diagramParts } from './diagram.js';
import { choice, known, laneRow, origin, panel, segments, table, taskButtons, taskNews, twin } from './parts.js';
import { mountPolicy } from './policy.js';
import { headOf, typeOf } from './state.js';
import { chance, exactBits, numberWords, rateWords } from './words.js';
import { shareAxis } from '../study/marks.js';

/** Why nothing can be measured, in words. */
export function noMeasure(state) {
  if (headOf(state)) return '';
  const type = typeOf(state);
  return type && type.trainable ? 'No head yet: train one above, or open a file.' : 'Only a head for labelled tickets can be measured: choose the ticket.';
}

/** Accuracy of every field, with its majority share as the line to beat. */
export function accuracyParts({ fields, record_right: right, n }) {
  const row = (name, { value, lower, upper }, majority) => laneRow(name, [{ at: value, mark: 'dot', ends: [lower, upper] }, ...(majority === null ? [] : [{ at: majority, mark: 'tick' }])],
    [h('b', null, chance(value)), h('small', null, `${chance(lower)} to ${chance(upper)}`)], 'is-grid');
  return {
    sentence: `Of ${count(n.test)} test tickets the share that is right; the upright mark is the share of the most common answer, which needs no model. Intervals: Clopper-Pearson, 95 %.`,
    chart: [...fields.map((field) => row(field.name, field.accuracy, field.majority)), row('whole record', right, null), shareAxis()],
    table: table(`Right on ${count(n.test)} test tickets`, ['field', 'accuracy (95 %)', 'most common answer'], [...fields.map((field) => [field.name, rateWords(field.accuracy), chance(field.majority)]), ['whole record', rateWords(right), '–']]),
  };
}

/** Records that make no sense, and the bits that two fields say of each other. */
export function senseTables({ incoherent, incoherent_means: means, tc }) {
  return [
    table(`Incoherent records: ${means}. No method can be asked for less than the right answers have`, ['records', 'incoherent (95 %)'], incoherent.map((each) => [each.of, [rateWords(each), ' ', known('estimated', each.known)]]), { stacks: true }),
    table('Total correlation of every two fields, bits. Given the ticket: what they still say of each other once it is read, and a factorised head loses. Over all tickets: before any is read, most of which the ticket explains', ['fields', 'given the ticket: this head, mean (95 %)', 'given the ticket: right answers', 'over all tickets: this head', 'over all tickets: right answers'],
      tc.map((each) => [`${each.a} × ${each.b}`, [numberWords(each), ' ', known('estimated', each.known)], exactBits(each.gold), exactBits(each.mixed), exactBits(each.gold_mixed)]), { stacks: true }),
  ];
}

const nats = (x) => (x === null || x === undefined ? '∞' : x.toFixed(3));

/** Likelihood and calibration of every field in one table. */
export function likelihoodTable({ fields, n }) {
  return table(`Calibration on ${count(n.test)} test tickets, before and after the temperature, which is fitted on dev alone. By chance: 95 % of samples of a head that is right as often as it says have at most this ECE`, ['field', 'temperature', 'NLL, nats', 'NLL after', 'ECE', 'ECE after', 'by chance'],
    fields.map((field) => [field.name, field.temperature.toFixed(2), nats(field.nll), nats(field.nll_after), plain(field.ece), plain(field.ece_after), plain(field.ece_by_chance)]), { stacks: true });
}

/** How far the tickets are read, and for how long; null while nobody tells. */
export function readingWords({ reading }) {
  if (!reading) return null;
  const { done, total, seconds: spent } = reading;
  if (done === total) return { words: `${count(total)} tickets are read: measuring`, done: null };
  return { words: `Reading tickets of test and dev, kept for the next time: ${count(done)} of ${count(total)} after ${seconds(spent)}`, done: done / total };
}

/** What the numbers are of, in words; nothing of dev where that isn't told. */
export function ticketsWords({ test, dev }) {
  const thresholds = dev === undefined ? '' : dev === null ? ' The head’s file doesn’t say how it was trained, so no threshold is chosen on dev.' : ` Thresholds are chosen on ${count(dev)} dev tickets.`;
  return `${count(test)} test tickets.${thresholds}`;
}

/** Renders the panel into `root`. actions: evaluate(costs), stop. */
export function mountMeasured(root, store, { actions }) {
  const { node, news, body } = panel('measured', 'Measured on the test split', 'Tickets that neither training nor calibration has seen. A confidence of 70 % should be right 7 times in 10: calibration says whether it is.');
  root.append(node);
  const measure = taskButtons(store, 'evaluate', 'Measure the head at hand', { press: () => actions.evaluate(), stop: actions.stop, why: noMeasure });
  const tickets = segments('Test tickets', store.get().page.measured.map((n) => [n, count(n)]), { get: () => store.get().tickets, set: (n) => store.set({ tickets: n }) });
  const state = h('p', { class: 'pg-quiet' });
  const accuracy = twin('Accuracy on the test split');
  const field = choice('Field', [], { get: () => store.get().field, set: (name) => store.set({ field: name }) });
  const diagram = twin('Reliability diagram');
  const rest = h('div', { class: 'dc-body' });
  const results = h('div', { class: 'dc-body' }, accuracy.node, h('div', { class: 'dc-controls' }, field.node), diagram.node, rest);
  const policy = h('div', null);
  fill(body, h('div', { class: 'dc-actions' }, h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Test tickets'), tickets.node), measure.node), state, results, policy);
  taskNews(news, store, ['evaluate'], { evaluate: 'Measuring' }, { dismiss: actions.dismiss, told: readingWords });
  mountPolicy(policy, store, { actions });
  let seen = [];
  const update = () => {
    const { evaluation: doc, field: chosen, kept } = store.get();
    measure.update();
    tickets.update();
    setShown(results, Boolean(doc));
    const head = headOf(store.get());
    const other = doc && head && kept.evaluation.head && kept.evaluation.head !== head.base64;
    fill(state, !doc ? 'Nothing is measured yet.' : [kept.evaluation.recorded ? [origin('recorded'), ' '] : null, known(doc.known), other ? ' These numbers are of the head before: press Measure for the one at hand.' : ` ${ticketsWords(doc.n)}`]);
    if (!doc || (seen[0] === doc && seen[1] === chosen)) return;
    if (seen[0] !== doc) {
      accuracy.fill(accuracyParts(doc));
      field.put(doc.fields.map(({ name }) => [name, name]));
      fill(rest, likelihoodTable(doc), senseTables(doc));
    }
    seen = [doc, chosen];
    const one = doc.fields.find(({ name }) => name === chosen) || doc.fields[0];
    field.select.value = one.name;
    diagram.fill(diagramParts(one));
  };
  store.subscribe(update);
  update();
}
