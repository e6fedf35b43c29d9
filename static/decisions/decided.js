// What a head has decided: a card a field, the record, and what it cost.

import { fill, h, setShown } from '../stage/dom.js';
import { plain } from '../stage/format.js';
import { expectedCosts } from './costs.js';
import { beforeWords, known, laneRow, origin } from './parts.js';
import { headOf, typeKey } from './state.js';
import { abstainWords, chance, confidenceWords, exactBits, timeWords } from './words.js';

const DECIDED_HEADS = { factorised: 'factorised head', chained: 'chained head', joint: 'joint head' };

/** A head in words: "chained head (intent, then priority), mean pooling". */
export function headWords({ kind, pooling, order, joint }) {
  const more = kind === 'chained' && order && order.length ? ` (${order.join(', then ')})` : kind === 'joint' && joint && joint.length ? ` (${joint.join(' × ')})` : '';
  return `${DECIDED_HEADS[kind] || kind}${more}, ${pooling} pooling`;
}

/** The decision of least expected cost, in words; '' where the policy has no costs for the field. */
export function cheapestWords(field, policy) {
  if (!policy || policy.options.length !== field.options.length) return '';
  const costs = expectedCosts(field.options.map(({ p }) => p), policy.costs, policy.abstain);
  const least = costs.reduce((best, cost, at) => (cost < costs[best] ? at : best), 0);
  return `Least expected cost: ${least === field.options.length ? 'abstain' : field.options[least].label}, ${plain(costs[least])}`;
}

function decidedCard(field, doc, threshold, policy) {
  const cheap = cheapestWords(field, policy);
  return h('div', { class: 'dc-card', role: 'group', 'aria-label': `${field.name}: ${field.options[field.decided].label}` },
    h('header', null, h('h4', { class: 'dc-card-title' }, field.name), h('b', { class: 'dc-taken' }, field.options[field.decided].label)),
    field.options.map(({ label, p }, at) => laneRow(label, [{ at: p, mark: 'bar' }], chance(p), at === field.decided ? 'is-taken' : '')),
    h('p', { class: 'dc-facts' }, `${confidenceWords(field, doc.head.kind)}. Entropy ${exactBits(field.entropy_bits)}, margin ${chance(field.margin)}.`),
    h('p', { class: 'dc-abstain', dataset: { abstains: String(field.confidence < threshold) } }, abstainWords(field.confidence, threshold)),
    cheap ? h('p', { class: 'pg-quiet' }, `${cheap} (matrix of the policy below).`) : null);
}

/** A record as JSON in a box, its text as data. */
export function recordBox(record) {
  return h('pre', { class: 'pg-snippet dc-record', tabindex: '0', 'aria-label': 'The record as JSON' }, JSON.stringify(record, null, 2));
}

/** Renders the cards into `root`. */
export function mountDecided(root, store) {
  let seen = [];
  const update = () => {
    const state = store.get();
    const { decision: doc, kept, threshold, evaluation } = state;
    const fits = Boolean(doc) && kept.decision.key === typeKey(state);
    setShown(root, fits);
    const before = fits ? beforeWords('Decided', doc.text, state.text, 'Press Decide') : '';
    const now = [doc, threshold, evaluation, fits, headOf(state), before];
    if (!fits || seen.every((each, at) => each === now[at]) && seen.length) return;
    seen = now;
    const { head, fields } = doc;
    const old = headOf(state) && kept.decision.head !== headOf(state).base64;
    fill(root, h('header', { class: 'dc-result-head' }, h('h4', { class: 'dc-result-title' }, 'Decided by the head'), kept.decision.recorded ? origin('recorded') : null, known(doc.known), h('span', { class: 'pg-quiet' }, headWords(head))),
      before ? h('p', { class: 'dc-warning' }, before) : null,
      old && !kept.decision.recorded ? h('p', { class: 'pg-quiet' }, 'Decided by the head before this one: press Decide for the new one.') : null,
      h('div', { class: 'dc-cards' }, fields.map((field) => decidedCard(field, doc, threshold, evaluation && evaluation.policy ? evaluation.policy[field.name] : null))),
      h('div', { class: 'dc-under' }, recordBox(doc.record), h('div', null, (doc.stands || []).map((each) => h('p', { class: 'pg-quiet' }, each)), h('p', null, timeWords(doc)))));
  };
  store.subscribe(update);
  update();
}
