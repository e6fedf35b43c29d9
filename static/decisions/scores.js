// What the language model says of each option: raw mass, what is none of these, and p_V; and what moves when an earlier field is set.

import { fill, h, setShown } from '../stage/dom.js';
import { counted, logit, visible } from '../stage/format.js';
import { beforeWords, known, lane, laneRow, origin, table } from './parts.js';
import { typeKey } from './state.js';
import { abstainWords, between, callsWords, chance, listed, middle, noneWords } from './words.js';

const SCORES_HOW = 'diamond: p_V, the model’s own law over the options; hollow: the mass that it gives each of them unasked';

// Why a search ended before its bounds were as narrow as they get.
const SCORES_ENDS = {
  cancelled: 'Stopped: the bounds are as narrow as they had become.',
  rows: 'Ended at its limit of rows: the bounds stay this wide.',
  seconds: 'Ended at its time limit: the bounds stay this wide.',
  memory: 'Ended at its limit of memory: the bounds stay this wide.',
};

/** The option with the most p_V. */
export function bestOf({ options }) {
  return options.reduce((best, each) => (middle(each.p_V) > middle(best.p_V) ? each : best));
}

/** exp of the mean log-probability of a token of each option, rescaled to sum to 1: no law of the model; null where an option has no spelling. */
export function normalisedLaw({ options }) {
  if (options.some(({ per_token: each, tokens }) => each === null || each === undefined || !tokens)) return null;
  const weights = options.map(({ per_token: each }) => Math.exp(each));
  const total = weights.reduce((sum, each) => sum + each, 0);
  return total > 0 ? weights.map((each) => each / total) : null;
}

/** What normalising by length would choose, in words. */
export function normalisedWords(field, law) {
  if (!law) return 'Not every option has a spelling yet: nothing to normalise.';
  const best = bestOf(field).label;
  const other = field.options[law.indexOf(Math.max(...law))].label;
  return other === best ? `Normalised by length (grey bars) it would choose ${best} too.` : `Normalised by length (grey bars) it would choose ${other} instead of ${best}.`;
}

/** Whether normalising by length chooses another option. */
export function changesBy(field, law) {
  return Boolean(law) && field.options[law.indexOf(Math.max(...law))].label !== bestOf(field).label;
}

/** The parts of the model's mass: each option, then none of these; [{name, share, none}] with shares that sum to 1. */
export function massParts({ options, none }) {
  const raw = [...options.map(({ label, p }) => ({ name: label, share: middle(p), none: false })), { name: 'none of these', share: middle(none), none: true }];
  const total = raw.reduce((sum, { share }) => sum + share, 0) || 1;
  return raw.map((each) => ({ ...each, share: each.share / total }));
}

function scoresMass(field) {
  const parts = massParts(field);
  return h('div', { class: 'dc-mass', 'aria-hidden': 'true' }, parts.map(({ name, share, none }) => h('i', { class: none ? 'is-none' : 'is-option', title: `${name}: ${chance(share)}`, style: { width: `${100 * share}%` } }, share > 0.05 + 0.027 * name.length ? h('span', null, name) : null)));
}

function scoresCard(field, normalised, threshold) {
  const best = bestOf(field);
  const none = noneWords(field.none, best.label);
  const law = normalised ? normalisedLaw(field) : null;
  const marks = ({ p_V: own, p }, at) => [law ? { at: law[at], mark: 'bar' } : { at: middle(p), mark: 'hollow' }, { at: middle(own), mark: 'diamond', ends: own }];
  const words = ({ p_V: own, p, per_token: each, tokens }, at) => [h('b', null, between(own)), h('small', { title: `${counted(tokens, 'token')}, ${logit(each)} nats a token` }, law ? `normalised ${chance(law[at])}` : `raw ${between(p)}`)];
  return h('section', { class: 'dc-card is-scored', 'aria-label': `${field.name}: ${best.label}` },
    h('header', null, h('h4', { class: 'dc-card-title' }, field.name), h('b', { class: 'dc-taken' }, best.label), known(field.known)),
    h('p', { class: 'pg-quiet dc-asked' }, 'scored after ', h('code', { class: 'pg-tok' }, visible(field.asked.trimEnd().split('\n').pop().slice(-60)))),
    scoresMass(field),
    field.options.map((each, at) => laneRow(each.label, marks(each, at), words(each, at), each === best ? 'is-taken' : '')),
    h('div', { class: 'st-row dc-row dc-none' }, h('span', { class: 'st-row-name' }, 'none of these'), lane([{ at: middle(field.none), mark: 'bar', ends: field.none }], 'is-none'), h('span', { class: 'st-row-words' }, between(field.none))),
    none ? h('p', { class: 'dc-warning' }, none) : null,
    field.note ? h('p', { class: 'pg-quiet' }, field.note) : null,
    SCORES_ENDS[field.stopped] ? h('p', { class: 'pg-quiet' }, SCORES_ENDS[field.stopped]) : null,
    normalised ? h('p', { class: changesBy(field, law) ? 'dc-warning' : 'pg-quiet' }, normalisedWords(field, law)) : null,
    h('p', { class: 'dc-facts' }, `Entropy ${field.entropy_bits[0].toFixed(2) === field.entropy_bits[1].toFixed(2) ? field.entropy_bits[0].toFixed(2) : field.entropy_bits.map((x) => x.toFixed(2)).join(' to ')} bits, margin ${between(field.margin)}.`),
    h('p', { class: 'dc-abstain', dataset: { abstains: String(middle(best.p_V) < threshold) } }, abstainWords(middle(best.p_V), threshold)));
}

/** How far a later field moves when an earlier one is set: a table, or null. fields: the type's, for their labels. */
export function movedTable(moved, fields) {
  if (!moved || !moved.length) return null;
  const rows = moved.map(({ a, b, tv, alone }) => {
    const labels = fields.find(({ name }) => name === a)?.options.map(({ label }) => label) || [];
    const most = tv.reduce((best, each, at) => (middle(each) > middle(tv[best]) ? at : best), 0);
    return [`${a} → ${b}`, between(tv[most]), labels[most] || '–', tv.map((each, at) => `${labels[at] || at + 1} ${between(each)}`).join(', '), alone ? between(alone) : '–'];
  });
  return table('How far the later field’s law moves (total variation) when the earlier one is set, from its average: the law after each option, weighed by the p_V of that option. So setting what the model is nearly sure of moves little. Asked alone: how far its law without the earlier field, as in its card, is from that average; a model needn’t agree with itself', ['Set → moves', 'Most', 'by setting it to', 'Each option', 'Asked alone'], rows, { stacks: true });
}

/** Renders the cards into `root`. */
export function mountScores(root, store) {
  let seen = [];
  const update = () => {
    const state = store.get();
    const { scores: doc, kept, threshold, normalised } = state;
    const fits = Boolean(doc) && doc.fields.length > 0 && kept.scores.key === typeKey(state);
    setShown(root, fits);
    const before = fits ? beforeWords('Scored', kept.scores.text, state.text, 'Press Score') : '';
    const now = [doc, threshold, normalised, fits, before];
    if (!fits || seen.length && seen.every((each, at) => each === now[at])) return;
    seen = now;
    const way = doc.mode === 'autoregressive' ? `autoregressive: ${doc.order.join(', then ')}` : 'parallel: each field from the same prompt';
    const record = Object.fromEntries(doc.fields.map((field) => [field.name, bestOf(field).label]));
    fill(root, h('header', { class: 'dc-result-head' }, h('h4', { class: 'dc-result-title' }, 'Scored by the language model'), kept.scores.recorded ? origin('recorded') : null, h('span', { class: 'pg-quiet' }, `${way}; ${SCORES_HOW}.`)),
      before ? h('p', { class: 'dc-warning' }, before) : null,
      h('div', { class: 'dc-cards' }, doc.fields.map((field) => scoresCard(field, normalised, threshold))),
      h('p', null, `Chosen: ${listed(Object.entries(record).map(([name, label]) => `${name} ${label}`))}. `, callsWords(doc), doc.stopped ? ' Stopped: the fields that were scored are kept.' : ''),
      doc.allowed === false ? h('p', { class: 'dc-warning' }, 'The type doesn’t allow these options together: scored in parallel, the fields don’t see each other.') : null,
      movedTable(doc.moved, doc.fields),
      h('p', { class: 'pg-quiet' }, 'Whole options are scored, so their spelling in tokens and their order in the schema don’t matter here; in autoregressive mode the order of the fields does: change it and score again.'));
  };
  store.subscribe(update);
  update();
}
