// The head of the Compare screen: what is compared, how far p~ is from p_V, and how the run stands.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { counted, plain, seconds } from '../stage/format.js';
import { apartWords, noLawWords, wideWords } from './wide.js';
import { STATUS_WORDS, headDistance, lawless, klWords, problemWords, span, spanTitle } from './words.js';

/** The word for how a number is known, with its meaning as a title. */
export function statusBadge(status, why = '') {
  return h('span', { class: 'cmp-badge', dataset: { status }, title: why || STATUS_WORDS[status] || '' }, status);
}

function headerFigure(name, title, value, more, status, why) {
  const beside = [more, apartWords(value, status)].filter(Boolean).join(', ');
  return h('div', { class: 'cmp-figure', title: why },
    h('dt', { title }, name), h('dd', null, h('span', { class: 'cmp-value' }, value), beside ? h('span', { class: 'pg-faint' }, ` ${beside}`) : null, statusBadge(status, why)));
}

/** Renders the head into `root`. */
export function mountHead(root, store) {
  const problem = h('p', { class: 'cmp-problem' });
  const stale = h('p', { class: 'pg-doc-note', role: 'status', hidden: true }, 'The problem on the left has changed since: these numbers are about the one named here. Press Run for the new one.');
  const state = h('p', { class: 'cmp-state', role: 'status' });
  const figures = h('dl', { class: 'cmp-figures' });
  const off = h('p', { class: 'pg-quiet', hidden: true });
  fill(root, h('div', { class: 'cmp-head-top' }, h('div', { class: 'cmp-head-words' }, h('h2', { class: 'pg-title' }, 'Same prompt, side by side'), problem), state), stale, figures, off);

  const update = () => {
    const { doc, running, fits, since, adrift } = store.get();
    setShown(root, Boolean(doc));
    if (!doc) return;
    const { model, kind, source, prompt, settings } = problemWords(doc.problem);
    fill(problem, h('b', null, model), prompt ? h('span', { class: 'pg-faint' }, ' “', prompt, '”') : null, ' · ', kind, source ? [' ', h('code', { class: 'pg-tok' }, source)] : null, h('span', { class: 'pg-faint' }, ` · ${settings}`));
    setShown(stale, fits === false && !running);
    const drawn = Object.values(doc.methods).reduce((sum, each) => sum + each.draws, 0);
    setText(state, running ? (adrift ? 'Starting …' : `Running: ${counted(drawn, 'draw')} so far`) : doc.stopped ? 'Stopped: what was drawn is kept.' : doc.done ? `Done${since ? ` in ${seconds(since)}` : ''}.` : 'Ended early: what was drawn is kept.');
    setAttr(state, 'data-running', running);
    // Read out once it is over, not at every draw.
    setAttr(state, 'aria-busy', running ? 'true' : null);
    const { tv, kl, status, why } = headDistance(doc);
    const kinds = klWords(kl);
    const z = doc.exact ? doc.exact.Z : null;
    const known = doc.exact ? doc.exact.status : 'off';
    const none = lawless(doc.exact);
    fill(figures, none ? null : [
      headerFigure('TV(p~, p_V)', 'Total variation: the largest difference that the two laws make in the chance of any event; 0 is none, 1 is all.', tv ? span(tv) : '–', '', status, tv ? `${spanTitle(tv)}. ${why}` : why),
      headerFigure('KL(p_V ‖ p~)', 'What it costs to take p~ for p_V, from p_V’s side.', kinds.nats, kinds.bits && `= ${kinds.bits}`, status, kl ? `${spanTitle(kl)} nats. ${why}` : why)],
      headerFigure('q = Z', 'The chance that the model, left alone, writes a valid text.', z ? span(z, plain) : '–', '', known, z ? `${spanTitle(z)}. ${STATUS_WORDS[known]}` : 'The search has not answered.'));
    const told = none ? noLawWords(doc.exact, doc.problem) : status === 'off' ? why : wideWords(doc.exact, doc.problem);
    setText(off, told);
    setShown(off, Boolean(told));
  };
  store.subscribe(update);
  update();
}
