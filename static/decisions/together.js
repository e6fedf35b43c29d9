// How the fields hang together: the coupling of every two, and one pair's joint law beside the product of its marginals.

import { fill, h, setShown } from '../stage/dom.js';
import { known, panel } from './parts.js';
import { typeKey } from './state.js';
import { chance, exactBits, incoherentShare, numberWords, pairShown, tcWords } from './words.js';

function lawTable(caption, law, options, { a, b, allowed }) {
  const most = Math.max(...law.flat(), 1e-12);
  const cell = (p, i, j) => h('td', { class: 'dc-cell', dataset: { out: String(Boolean(allowed && !allowed[i][j])) }, style: { '--dc-share': (p / most).toFixed(4) } }, h('span', null, chance(p)));
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', { class: 'pg-table dc-law' }, h('caption', null, caption),
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, `${a} ↓ ${b} →`), options[1].map((label) => h('th', { scope: 'col' }, label)))),
    h('tbody', null, law.map((row, i) => h('tr', null, h('th', { scope: 'row' }, options[0][i]), row.map((p, j) => cell(p, i, j)))))));
}

/** A pair's joint law beside the product of its marginals, with its bits. options: [labels of a, labels of b]. */
export function pairView(pair, options, { kind = '', status = 'exact', share = null } = {}) {
  const wrong = share === null ? incoherentShare(pair) : share;
  const judged = pair.allowed || share !== null || pair.joint.flat().some((p) => p <= 0);
  const drawn = { ...pair, allowed: pair.allowed || pair.joint.map((row) => row.map((p) => p > 0)) };
  return h('div', { class: 'dc-pair' },
    h('div', { class: `dc-pair-laws ${options[1].length > 6 ? 'is-long' : options[1].length > 3 ? 'is-wide' : ''}` }, lawTable('Joint law', pair.joint, options, drawn), lawTable('Product of the marginals', pair.product, options, drawn)),
    h('p', null, h('b', null, 'Total correlation '), tcWords(pair.tc_bits, kind), ' ', known(status)),
    judged ? h('p', null, h('b', null, chance(wrong)), pair.allowed ? ' of what the product draws is a combination that the schema doesn’t allow' : ' of what the product draws is a combination that the joint law never gives', ' (hatched).') : null);
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

/** Renders the panel into `root`. */
export function mountTogether(root, store) {
  const { page } = store.get();
  const { node, body } = panel('together', 'How the fields hang together', 'Choosing each field from its own marginal is right only where the fields are independent given the ticket. Press a cell to see the two laws behind it.');
  root.append(node);
  const own = h('div', { class: 'dc-own-law' });
  const example = h('div', { class: 'dc-country' });
  const none = h('p', { class: 'pg-quiet' }, 'Press Decide above: the heat map of its law, every field against every other, comes here.');
  fill(body, none, own, page.country ? example : null);
  if (page.country) mountCountry(example, page.country);
  let seen = [];
  const update = () => {
    const state = store.get();
    const { decision: doc, pair: chosen, kept } = state;
    const fits = Boolean(doc) && doc.fields.length > 1 && kept.decision.key === typeKey(state) && doc.pairs.length > 0;
    setShown(own, fits);
    setShown(none, !fits);
    if (!fits || (seen[0] === doc && seen[1] === chosen)) return;
    seen = [doc, chosen];
    const held = own.contains(document.activeElement) ? document.activeElement.dataset : {};
    const pair = pairShown(doc.pairs, chosen);
    const labels = (name) => doc.fields.find((field) => field.name === name).options.map(({ label }) => label);
    fill(own, h('p', { class: 'dc-sentence' }, `For the ticket above, by its ${doc.head.kind} head: total correlation of all fields ${exactBits(doc.tc_bits)} `, known(doc.known)),
      h('div', { class: 'dc-hang' }, heatMap(doc, [pair.a, pair.b], (value) => store.set({ pair: value })),
        h('div', { class: 'dc-pair-box' }, h('h4', { class: 'dc-result-title' }, `${pair.a} × ${pair.b}`), pairView(pair, [labels(pair.a), labels(pair.b)], { kind: doc.head.kind, status: doc.known }))));
    if (held.i !== undefined) own.querySelector(`[data-i="${held.i}"][data-j="${held.j}"]`)?.focus();
  };
  store.subscribe(update);
  update();
}
