// One card a method, and one for the proof: a sample, its verdict and numbers, what it cost, which law it stands for.

import { h, fill, setShown } from '../stage/dom.js';
import { bits, count, logPlain, logProb, logit, plain, seconds, visible } from '../stage/format.js';
import { statusBadge } from './header.js';
import { methodDone, soFar } from './rates.js';
import { noLawWords } from './wide.js';
import { NO_LAW, costWords, distanceWords, lawless, limitWords, sampleVerdict, spentWords, searchWords, shownRun, span, spanTitle } from './words.js';

const CARDS_MARKS = { p: 'is-model', masked: 'is-masked', conditional: 'is-tried', other: 'is-tried' };

function cardFact(name, value, title = null) {
  return h('div', { title }, h('dt', null, name), h('dd', null, value));
}

/** Which draw a card shows. A method that keeps only what is valid shows one that it kept, if there is one. */
function cardWhich({ sample, target, weighted }) {
  if (!sample || target !== 'conditional') return 'first draw';
  return sample.accepted ? (weighted ? 'first draw' : 'first draw kept') : 'first try, discarded';
}

function cardSample(method, judge) {
  const { sample } = method;
  const which = cardWhich(method);
  const verdict = sampleVerdict(sample, judge);
  const plainText = (text) => visible(text).replaceAll('␣', ' ');
  const thought = sample && sample.thought;
  const text = sample ? plainText(thought ? thought.before + (thought.answer || '') + thought.after : sample.text) : '';
  const shown = thought && thought.answer !== null ? [plainText(thought.before), h('mark', { title: 'The answer' }, plainText(thought.answer) || '∅'), plainText(thought.after)] : text || '∅';
  return [
    h('pre', { class: 'cmp-sample', tabindex: sample && text.length > 90 ? '0' : null, 'aria-label': which }, sample ? shown : '…'),
    h('span', { class: 'pg-verdict', dataset: { status: verdict.status }, title: verdict.words }, verdict.word),
    which === 'first try, discarded' ? h('span', { class: 'pg-faint' }, which) : null,
  ];
}

function cardProgress(done) {
  return h('div', { class: 'cmp-progress', role: 'progressbar', 'aria-valuemin': '0', 'aria-valuemax': '100', 'aria-valuenow': String(Math.round(100 * done)), 'aria-label': 'Draws' }, h('i', { style: { width: `${100 * done}%` } }));
}

/** Distance of a method from p_V, with how it is known; where there is none, the reason. */
function cardDistance(distance, none) {
  const { status, why } = none ? { status: 'off', why: NO_LAW } : distance;
  const badge = statusBadge(status, why);
  return h('div', { class: 'cmp-wide', title: status === 'off' ? null : why }, h('dt', null, 'TV to p_V', status === 'off' ? badge : null),
    h('dd', status === 'off' ? { class: 'cmp-why' } : null, status === 'off' ? why : [distanceWords(distance), ' ', badge]));
}

/** The card of one method; `open(sample)` puts its first draw on the Step stage. */
export function methodCard(name, method, doc, { running, open }) {
  const { sample } = method;
  const attempts = running && !method.done ? soFar(name, method, doc.n) : method.draws === method.accepted ? `${count(method.accepted)} kept` : `${count(method.accepted)} of ${count(method.draws)} kept`;
  const starved = method.target === 'conditional' && !method.weighted && method.accepted === 0 && method.draws > 0 && ['rejection', 'first-valid'].includes(name);
  return h('section', { class: `pg-card cmp-card ${CARDS_MARKS[method.target]}`, dataset: { method: name }, 'aria-label': method.title },
    h('header', null, h('h3', { class: 'pg-card-title' }, h('i', { class: 'cmp-key', 'aria-hidden': 'true' }), method.title), h('span', { class: 'pg-faint' }, attempts)),
    cardProgress(methodDone(name, method, doc.n)),
    h('p', { class: 'cmp-law' }, `Draws from ${method.law}.`),
    h('div', { class: 'cmp-sample-box' }, cardSample(method, doc.accept)),
    h('dl', { class: 'cmp-facts' },
      cardFact('log p(y)', sample ? logit(sample.log_p) : '–', sample ? `p(y) = ${logProb(sample.log_p).text}, of this draw` : null),
      cardFact('prod Z_t', sample ? logPlain(sample.log_z) : '–', sample ? `${bits(sample.log_z === null ? null : -sample.log_z / Math.LN2 + 0)} that the mask takes from this draw` : null),
      cardFact('rows used', count(method.rows_used), `${count(method.rows_used)} model rows used, ${count(method.rows_computed)} of them computed now; the others were stored`),
      cardFact('computed', count(method.rows_computed), 'Model rows computed by this method in this run'),
      cardFact('time', seconds(method.seconds)),
      cardDistance(method.tv_to_p_V, doc.accept === 'language' && lawless(doc.exact))),
    method.weighted && method.ess !== null ? h('p', { class: 'cmp-note' }, `Effective sample size ${method.ess.toFixed(1)} of ${count(method.draws)}. It can be silently wrong: runs that were never drawn do not lower it.`) : null,
    method.limited ? h('p', { class: 'cmp-note cmp-limit' }, limitWords(method, doc.n)) : null,
    starved && !lawless(doc.exact) ? h('p', { class: 'cmp-note' }, !running || method.done ? costWords({ acceptance: doc.q.acceptance }).words : 'Nothing valid so far.') : null,
    spentWords(method) ? h('p', { class: 'cmp-note' }, spentWords(method)) : null,
    sample && sample.attempts > 1 ? h('p', { class: 'cmp-note' }, `It came at attempt ${sample.attempts}, under a prompt that holds what was refused: another problem than Step has open.`) : null,
    method.error ? h('p', { class: 'cmp-card-error', role: 'alert' }, method.error) : null,
    sample && sample.path.length && !(sample.attempts > 1) ? h('button', { type: 'button', class: 'pg-link cmp-open', onclick: () => open(sample.path, null, null, name) }, 'Open this draw in Step') : null);
}

/** The card of the proof. */
export function exactCard(doc, { running, open, instead }) {
  const { exact } = doc;
  const none = lawless(exact);
  const likeliest = exact && exact.texts.length && !none ? exact.texts.reduce((best, each) => (each.p_V.lower > best.p_V.lower ? each : best)) : null;
  const best = likeliest ? shownRun(likeliest) : null;
  const { ended, next, offer } = searchWords(doc, running);
  return h('section', { class: 'pg-card cmp-card is-exact', dataset: { method: 'exact' }, 'aria-label': 'p_V, the model’s own' },
    h('header', null, h('h3', { class: 'pg-card-title' }, h('i', { class: 'cmp-key', 'aria-hidden': 'true' }), 'p_V, the model’s own'), exact ? statusBadge(exact.status) : null),
    h('div', { class: `cmp-progress${exact && !exact.stopped && running ? ' is-open' : ''}`, 'aria-hidden': 'true' }, h('i', { style: { width: exact && exact.stopped ? '100%' : '35%' } })),
    h('p', { class: 'cmp-law' }, 'A search of the valid prefixes: the model’s own law, restricted to valid texts, with proved bounds.'),
    none ? h('p', { class: 'cmp-note' }, noLawWords(exact, doc.problem)) : h('div', { class: 'cmp-sample-box' },
      h('pre', { class: 'cmp-sample', 'aria-label': 'Likeliest text' }, likeliest ? visible(likeliest.text).replaceAll('␣', ' ') || '∅' : '…'),
      likeliest ? h('span', { class: 'cmp-chance', title: spanTitle(likeliest.p_V) }, `p_V ${span(likeliest.p_V)}`) : null),
    exact ? h('dl', { class: 'cmp-facts' },
      h('div', { class: 'cmp-wide', title: spanTitle(exact.Z) }, h('dt', null, 'Z'), h('dd', null, span(exact.Z), ' ', statusBadge(exact.status))),
      cardFact('texts', `${count(exact.texts.length + exact.others)}`, 'Valid texts found'),
      cardFact('rows used', count(exact.rows_used), `${count(exact.rows_used)} model rows used, ${count(exact.rows_computed)} of them computed now`),
      cardFact('computed', count(exact.rows_computed)),
      cardFact('time', seconds(exact.seconds)),
      cardFact('open', plain(exact.open), 'Mass under p that was not looked into'),
      cardFact('open~', plain(exact.open_masked), 'Mass under p~ that was not looked into')) : null,
    h('p', { class: 'cmp-note' }, ended),
    next ? h('p', { class: 'cmp-note cmp-next' }, next) : null,
    offer ? h('button', { type: 'button', class: 'pg-button pg-button-small cmp-offer', onclick: () => instead() }, 'Run constrained samples, CARS and the future mass') : null,
    best && best.path.length ? h('button', { type: 'button', class: 'pg-link cmp-open', onclick: () => open(best.path, best.bits) }, 'Open the likeliest in Step') : null);
}

/** Renders the cards into `root`. */
export function mountCards(root, store, { actions }) {
  let seen = null;
  const update = () => {
    const { doc, running } = store.get();
    setShown(root, Boolean(doc));
    if (!doc || (seen && seen[0] === doc && seen[1] === running)) return;
    seen = [doc, running];
    const open = actions.openInStep;
    const held = root.contains(document.activeElement) ? [document.activeElement.closest('.cmp-card')?.dataset.method, document.activeElement.className] : null;
    fill(root, Object.entries(doc.methods).map(([name, method]) => methodCard(name, method, doc, { running, open })), exactCard(doc, { running, open, instead: actions.instead }));
    // A new document doesn't take the focus away.
    if (held && held[1]) root.querySelector(`[data-method="${held[0]}"]`)?.getElementsByClassName(held[1])[0]?.focus();
  };
  store.subscribe(update);
  update();
}
