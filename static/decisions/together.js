// How the fields hang together: the coupling of every two, and one pair's joint law beside the product of its marginals.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { known, panel } from './parts.js';
import { headOf, typeKey, typeOf } from './state.js';
import { chance, exactBits, incoherentShare, numberWords, pairShown, tcWords } from './words.js';

function lawTable(caption, law, options, { a, b, allowed }) {
  const most = Math.max(...law.flat(), 1e-12);
  const cell = (p, i, j) => h('td', { class: 'dc-cell', dataset: { out: String(Boolean(allowed && !allowed[i][j])) }, style: { '--dc-share': (p / most).toFixed(4) } }, h('span', null, chance(p)));
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'group', 'aria-label': `${caption} of ${a} and ${b}` }, h('table', { class: 'pg-table dc-law' }, h('caption', null, caption, options[1].length > 4 ? h('span', { class: 'dc-sideways' }, ' (goes on to the right: scroll it)') : null),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, `${a} ↓ ${b} →`), options[1].map((label) => h('th', { scope: 'col' }, label)))),
    h('tbody', null, law.map((row, i) => h('tr', null, h('th', { scope: 'row' }, options[0][i]), row.map((p, j) => cell(p, i, j)))))));
}

/** A pair's joint law beside the product of its marginals, with its bits. options: [labels of a, labels of b]; means: what is not among the pair's `allowed`. */
export function pairView(pair, options, { kind = '', status = 'exact', share = null, means = '' } = {}) {
  const wrong = share === null ? incoherentShare(pair) : share;
  const judged = pair.allowed || share !== null || pair.joint.flat().some((p) => p <= 0);
  const drawn = { ...pair, allowed: pair.allowed || pair.joint.map((row) => row.map((p) => p > 0)) };
  return h('div', { class: 'dc-pair' },
    h('div', { class: `dc-pair-laws ${options[1].length > 6 ? 'is-long' : options[1].length > 3 ? 'is-wide' : ''}` }, lawTable('Joint law', pair.joint, options, drawn), lawTable('Product of the marginals', pair.product, options, drawn)),
    h('p', null, h('b', null, 'Total correlation '), tcWords(pair.tc_bits, kind), ' ', known(status)),
    judged ? h('p', null, h('b', null, chance(wrong)), ` of what the product draws is ${pair.allowed && means ? means : 'a combination that the joint law never gives'} (hatched).`) : null);
}

/** Renders the worked example: country and currency. */
export function mountCountry(root, country) {
  const { names: [a, b], options, joint, product, tc_bits: tc, incoherent, known: status } = country;
  fill(root, h('h4', { class: 'dc-result-title' }, `The worked example: ${a} × ${b}`),
    h('p', { class: 'dc-sentence' }, `Two answers are right, and each field alone is even: choosing ${a} and ${b} apart gives every combination ${chance(product[0][0])}, so ${chance(incoherent.factorised)} of the records are of the right type and make no sense.`),
    pairView({ a, b, joint, product, allowed: null, tc_bits: tc }, [options.a, options.b], { status, share: incoherent.factorised }),
    h('p', null, `Incoherent: factorised ${chance(incoherent.factorised)}, chained ${chance(incoherent.chained)}, joint ${chance(incoherent.joint)}. A chain decides the second field given the first; a joint softmax chooses among whole combinations.`));
}

function heatMap(doc, [a, b], choose) {
  const names = doc.fields.map(({ name }) => name);
  const cell = (tv, i, j) => (tv === null || i === j ? h('td', { class: 'dc-cell is-none' }, '–') : h('td', { class: 'dc-cell', style: { '--dc-share': tv.toFixed(4) } },
    h('button', { type: 'button', class: 'dc-heat', dataset: { i, j }, 'aria-pressed': String(names[i] === a && names[j] === b), 'aria-label': `${names[i]} set, ${names[j]} moves: ${numberWords({ value: tv }, 2)}`, onclick: () => choose([names[i], names[j]]) }, numberWords({ value: tv }, 2))));
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Coupling of every two fields' }, h('table', { class: 'pg-table dc-law dc-heats', onkeydown: heatKeys }, h('caption', null, 'How far setting one field moves another (total variation, mean over what it is set to): the same both ways, 0 where they are independent'),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'set ↓ moves →'), names.map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, doc.coupling.map((row, i) => h('tr', null, h('th', { scope: 'row' }, names[i]), row.map((tv, j) => cell(tv, i, j)))))));
}

const HEAT_KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function heatKeys(event) {
  const by = HEAT_KEYS[event.key];
  const from = event.target.dataset;
  if (!by || from.i === undefined) return;
  let [i, j] = [Number(from.i) + by[0], Number(from.j) + by[1]];
  if (i === j) [i, j] = [i + by[0], j + by[1]];
  const next = event.currentTarget.querySelector(`[data-i="${i}"][data-j="${j}"]`);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const togetherExact = new WeakMap();

/** The worked example as a decision's law, for its own type; null for another. The coupling of two fields is their joint law's total variation from the product of its marginals. */
export function exactDoc(country, type) {
  if (!country || !type || type.fields.map(({ name }) => name).join() !== country.names.join()) return null;
  if (togetherExact.has(country)) return togetherExact.get(country);
  const { names: [a, b], options, joint, product, tc_bits, known: status } = country;
  const moves = joint.reduce((sum, row, i) => sum + row.reduce((part, p, j) => part + Math.abs(p - product[i][j]) / 2, 0), 0);
  const fields = [[a, options.a], [b, options.b]].map(([name, labels]) => ({ name, options: labels.map((label) => ({ label })) }));
  const doc = { fields, coupling: [[null, moves], [moves, null]], pairs: [{ a, b, joint, product, allowed: null, tc_bits }], tc_bits, known: status };
  togetherExact.set(country, doc);
  return doc;
}

/** Why no law stands here, and what leads to one, in words. */
export function noLaw(state, type) {
  if (!type) return 'Check the schema first.';
  if (type.fields.length < 2) return 'One field has no other to hang together with.';
  if (headOf(state)) return 'Press Decide above: the heat map of its law, every field against every other, comes here.';
  if (type.trainable) return 'No head yet: train one below, or open a file, and press Decide.';
  return 'The heat map is of a head’s law, and no head is trained for this type. Press Score with the language model above: a table below its cards says how far the first field moves each of the others.';
}

/** Renders the panel into `root`. */
export function mountTogether(root, store) {
  const { page } = store.get();
  const { node, body } = panel('together', 'How the fields hang together', 'Choosing each field from its own marginal is right only where the fields are independent given the ticket. Press a cell to see the two laws behind it.');
  root.append(node);
  const own = h('div', { class: 'dc-own-law' });
  const example = h('div', { class: 'dc-country' });
  const none = h('p', { class: 'pg-quiet' });
  fill(body, none, own, page.country ? example : null);
  if (page.country) mountCountry(example, page.country);
  let seen = [];
  const update = () => {
    const state = store.get();
    const { decision: doc, pair: chosen, kept } = state;
    const type = typeOf(state);
    const exact = exactDoc(page.country, type);
    const decided = Boolean(doc) && doc.fields.length > 1 && kept.decision.key === typeKey(state) && doc.pairs.length > 0;
    const shown = decided ? doc : exact;
    const fits = Boolean(shown);
    const before = decided && doc.text !== state.text;
    setShown(own, fits);
    setShown(none, !fits);
    setText(none, noLaw(state, type));
    if (!fits || (seen[0] === shown && seen[1] === chosen && seen[2] === before)) return;
    seen = [shown, chosen, before];
    const held = own.contains(document.activeElement) ? document.activeElement.dataset : {};
    const pair = pairShown(shown.pairs, chosen);
    const labels = (name) => shown.fields.find((field) => field.name === name).options.map(({ label }) => label);
    fill(own, h('p', { class: 'dc-sentence' }, `${decided ? `For the ticket ${before ? 'that was decided before' : 'above'}, by its ${doc.head.kind} head` : 'The law of the worked example, of no text'}: total correlation of all fields ${exactBits(shown.tc_bits)} `, known(shown.known)),
      h('div', { class: 'dc-hang' }, heatMap(shown, [pair.a, pair.b], (value) => store.set({ pair: value })),
        // The worked example's own two laws stand below.
        !decided ? null : h('div', { class: 'dc-pair-box' }, h('h4', { class: 'dc-result-title' }, `${pair.a} × ${pair.b}`), pairView(pair, [labels(pair.a), labels(pair.b)], { kind: shown.head ? shown.head.kind : '', status: shown.known, means: shown.allowed_means }))));
    if (held.i !== undefined) own.querySelector(`[data-i="${held.i}"][data-j="${held.j}"]`)?.focus();
  };
  store.subscribe(update);
  update();
}
