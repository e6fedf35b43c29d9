// "Fix it": ways from constrained draws back to the exact law, tried on the problem; dots walk from p~ to the diamonds.

import { h, keyed, setAttr, setShown, setText, reducedMotion } from '../stage/dom.js';
import { count, counted, prob, seconds } from '../stage/format.js';
import { factor, middle, probBetween } from '../stage/interval.js';
import { distanceWords, lawless, limitWords } from '../compare/words.js';
import { leafText } from './leaves.js';
import { gradeOf } from './state.js';

const FIX_ROWS = 8;
// A diamond stands for a number; of wider bounds only the span is drawn.
const FIX_KNOWN = 0.1;

/** The ways: [kind, the button's word, what it does]. */
export const FIXES = [
  ['importance', 'Reweight', 'Draws with the mask, then weighs each draw by its ∏ Z: what was given too often counts less.'],
  ['smc', 'Resample', 'Draws many runs side by side and copies the heavy ones on the way (SMC).'],
  ['rejection', 'Reject', 'Draws without the mask and keeps what is valid: its law is p_V, but a draw is kept with chance Z only.'],
  ['cars', 'CARS', 'Rejection that learns: mass proved invalid is never tried again. Every kept draw has the law p_V.'],
  ['conditional', 'Future mass', 'Draws each token by p(a) F(a) / F, with F from the search: its law is p_V.'],
];

// A distance that was measured on draws is theirs; any other is of the law they come from.
function fixFar(tv, status) {
  if (!tv) return '';
  if (tv.status === 'off') return ` ${tv.why}`;
  const known = status === 'old' ? 'of the problem before' : tv.status;
  return ` TV ${tv.status === 'estimated' ? 'of these draws' : 'of the law'} to p_V ${distanceWords(tv)} (${known}).`;
}

/** What came of a way, in words. `doc` is its comparison, `exact` what the search proved; its `status` may be "old" (see `gradeOf`). */
export function fixWords(kind, doc, exact) {
  const method = doc.methods[kind];
  if (!method) return 'Nothing was drawn.';
  const z = middle(exact.Z);
  if (method.draws === 0 && !method.error) return method.done ? 'Nothing was drawn.' : 'Drawing …';
  const drawn = `${counted(method.draws, 'draw')}, ${count(method.accepted)} kept, ${counted(method.rows_used, 'row')}, ${seconds(method.seconds)}.`;
  if (method.error) return `${method.error} ${drawn}`;
  const tv = method.tv_to_p_V;
  if (method.draws > 0 && method.accepted === 0) {
    // Plain rejection alone keeps a draw with chance Z.
    const need = kind !== 'rejection' ? '' : `${z > 0 ? ` It takes ${factor(1 / z)} draws on average to keep one.` : ''} CARS and the search may still get there.`;
    return `${count(method.accepted)} of ${count(method.draws)} kept: the model is valid ${probBetween(exact.Z).text} of the time (${exact.status === 'old' ? 'of the problem before' : exact.status}).${need} ${tv ? tv.why : ''}`.trim();
  }
  const far = fixFar(tv, exact.status);
  const limit = method.limited ? ` ${limitWords(method, doc.n)}` : '';
  const ess = method.ess === null || method.ess === undefined ? '' : ` Effective sample size ${method.ess < 10 ? method.ess.toFixed(1) : count(method.ess)} of ${count(method.draws)}${method.ess < method.draws / 10 ? ': few draws carry all the weight.' : '.'}`;
  return `${drawn}${limit}${ess}${far}`;
}

/** The share of each text that a way gives: {value, count, interval or null} by text. */
export function fixShares(kind, doc) {
  const method = doc.methods[kind];
  return Object.fromEntries((method ? method.texts : []).map((row) => [row.text, { value: row.value, count: row.count, interval: row.p || null }]));
}

function fixRow() {
  const parts = {
    name: h('code', { class: 'sq-fix-name' }), solid: h('i', { class: 'sq-fix-solid' }), diamond: h('i', { class: 'sq-fix-diamond' }), stem: h('i', { class: 'sq-fix-stem' }), span: h('i', { class: 'sq-fix-span' }), dot: h('i', { class: 'sq-fix-dot' }),
    error: h('i', { class: 'sq-fix-error' }), value: h('span', null), known: h('span', { class: 'sq-badge', 'data-status': 'estimated', title: 'From the draws: more of them make it sharper' }, 'estimated'), weight: h('i', { class: 'sq-weight' }), weightBox: h('span', { class: 'sq-weight-box' }),
  };
  parts.weightBox.append(parts.weight);
  const row = h('div', { class: 'sq-fix-row' }, parts.name, h('span', { class: 'sq-fix-lane' }, parts.solid, parts.stem, parts.span, parts.diamond, parts.error, parts.dot), h('span', { class: 'sq-fix-value' }, parts.value, ' ', parts.known), parts.weightBox);
  row.sqParts = parts;
  return row;
}

/** Builds the strip. */
export function mountFix(root, state) {
  let chosen = null;
  const buttons = FIXES.map(([kind, word]) => h('button', { type: 'button', class: 'pg-button', 'aria-pressed': 'false', 'data-fix': kind, onclick: () => {
    chosen = kind;
    if (!state.running(kind)) state.start(kind);
    draw();
  } }, word));
  const stop = h('button', { type: 'button', class: 'pg-button', hidden: true, onclick: () => { if (chosen) state.stop(chosen); } }, 'Stop');
  const what = h('p', { class: 'pg-quiet' }, 'The mask draws from p~ (solid). The diamonds are p_V. Try a way back: its draws (dots) start at p~ and walk to where they land.');
  const rows = h('div', { class: 'sq-fix-rows' });
  const legend = h('div', { class: 'pg-legend' }, h('span', { class: 'pg-key' }, h('i', { class: 'pg-key-solid' }), 'after mask'), h('span', { class: 'pg-key' }, h('i', { class: 'sq-key-exact' }), 'exact law'), h('span', { class: 'pg-key' }, h('i', { class: 'sq-key-dot' }), 'tried and kept'),
    h('span', { class: 'pg-key sq-key-weights', hidden: true }, h('i', { class: 'sq-key-weight' }), 'weight of one draw (area)'));
  const says = h('p', { class: 'sq-fix-says', 'aria-live': 'polite' });
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Fix it'), legend), what, h('div', { class: 'sq-fix-buttons' }, buttons, stop), rows, says);

  function draw() {
    const now = state.get();
    setShown(root, Boolean(now.doc) && now.doc.exact.texts.length > 0 && !lawless(now.doc.exact));
    if (root.hidden) return;
    if (chosen && !now.fixes[chosen] && !(now.runs[chosen] && (now.runs[chosen].running || now.runs[chosen].error))) chosen = null;
    const doc = chosen ? now.fixes[chosen] : null;
    const run = chosen ? now.runs[chosen] : null;
    buttons.forEach((button) => setAttr(button, 'aria-pressed', String(button.dataset.fix === chosen)));
    setShown(stop, Boolean(run && run.running));
    if (chosen) setText(what, FIXES.find(([kind]) => kind === chosen)[2]);
    const shares = doc ? fixShares(chosen, doc) : {};
    const words = doc ? fixWords(chosen, doc, { ...now.doc.exact, status: gradeOf(now) }) : null;
    const failed = run && run.error ? `${run.error.what} ${run.error.hint || ''}` : '';
    setText(says, failed || (words ? `${run && run.running ? 'So far: ' : ''}${words}` : run && run.running ? (run.progress ? run.progress.words : 'Starting …') : ''));
    const kept = doc && doc.methods[chosen] && doc.methods[chosen].accepted > 0;
    const weighted = chosen === 'importance' && kept;
    setShown(legend.querySelector('.sq-key-weights'), Boolean(weighted));
    const texts = now.doc.exact.texts.slice(0, FIX_ROWS);
    const per = (text) => { const share = shares[text]; return share && share.count > 0 ? share.value / share.count : 0; };
    const heaviest = Math.max(1e-300, ...texts.map((text) => per(text.text)));
    keyed(rows, texts, (text) => text.text, fixRow, (row, text) => {
      const parts = row.sqParts;
      const masked = middle(text.masked);
      const exact = middle(text.p_V);
      const share = shares[text.text];
      setText(parts.name, leafText(text.text));
      setAttr(parts.name, 'title', leafText(text.text));
      parts.solid.style.width = `${100 * masked}%`;
      const wide = text.p_V.upper - text.p_V.lower > FIX_KNOWN;
      parts.stem.style.width = `${100 * exact}%`;
      parts.diamond.style.left = `${100 * exact}%`;
      setShown(parts.stem, !wide);
      setShown(parts.diamond, !wide);
      setShown(parts.span, text.p_V.upper - text.p_V.lower > 0.005);
      parts.span.style.left = `${100 * text.p_V.lower}%`;
      parts.span.style.width = `${100 * (text.p_V.upper - text.p_V.lower)}%`;
      const value = kept ? (share ? share.value : 0) : masked;
      if (!reducedMotion()) setAttr(parts.dot, 'data-walks', true);
      parts.dot.style.left = `${100 * value}%`;
      setShown(parts.dot, Boolean(chosen) && (kept || !doc));
      const bounds = kept && share && share.count > 0 ? share.interval : null;
      setShown(parts.error, Boolean(bounds));
      if (bounds) { parts.error.style.left = `${100 * bounds.lower}%`; parts.error.style.width = `${100 * (bounds.upper - bounds.lower)}%`; }
      setText(parts.value, kept ? `${prob(value).text} · ${count(share ? share.count : 0)}×` : doc ? 'none' : '');
      setShown(parts.known, Boolean(kept));
      setAttr(parts.known, 'title', kept && share && share.count > 0 && !share.interval ? 'Estimated from the draws; no coverage is claimed' : 'From the draws: more of them make it sharper');
      setAttr(parts.value, 'title', kept ? `p_V ${probBetween(text.p_V).text}, after mask ${probBetween(text.masked).text}` : null);
      setShown(parts.weightBox, weighted);
      const size = 30 * Math.sqrt(per(text.text) / heaviest);
      parts.weight.style.width = parts.weight.style.height = `${Math.max(share && share.count ? 2 : 0, size)}px`;
      setAttr(parts.weightBox, 'title', `each of its ${count(share ? share.count : 0)} draws carries ${prob(per(text.text)).text} of the weight`);
    });
    setAttr(root, 'data-weighted', weighted);
  }
  state.subscribe(draw);
  draw();
}

