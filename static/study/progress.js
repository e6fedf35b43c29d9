// Step 2: how far the study has come, by method; Stop and Resume.

import { fill, h, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted } from '../stage/format.js';
import { rateRow, shareAxis, stackLegend, stackRow } from './marks.js';
import { studying } from './runs.js';
import { CATEGORY_ORDER, INTERVAL, doneShare, span, standing } from './words.js';

const PROGRESS_WITHIN_MS = 2000;

/** Renders step 2 into `root`. actions: stop, resume, results, choose, within, elsewhere. */
export function mountProgress(root, store, actions) {
  const words = h('p', { class: 'st-standing' });
  const fraction = h('span', { class: 'pg-progress-done' });
  const meter = h('div', { class: 'pg-progress-bar', role: 'progressbar', 'aria-label': 'Prompts done', 'aria-valuemin': '0', 'aria-valuemax': '100' }, fraction);
  const note = h('p', { class: 'pg-quiet' });
  const stop = h('button', { type: 'button', class: 'pg-button st-stop', onclick: actions.stop }, icon('stop'), 'Stop');
  const resume = h('button', { type: 'button', class: 'pg-button pg-primary st-resume', onclick: actions.resume }, icon('play'), 'Resume');
  const results = h('button', { type: 'button', class: 'pg-button st-see', onclick: actions.results }, 'See the results so far');
  const rates = h('div', { class: 'st-chart' });
  const stacks = h('div', { class: 'st-chart' });
  const legend = h('div');
  const live = h('section', { class: 'pg-card pg-panel', 'aria-label': 'So far, by method' }, h('h3', { class: 'pg-card-title' }, 'Valid so far'), rates, h('p', { class: 'pg-quiet' }, `${INTERVAL}.`), h('h3', { class: 'pg-card-title' }, 'Outcomes so far'), stacks, legend);
  root.append(h('section', { class: 'pg-card pg-panel st-progress', 'aria-label': 'Progress' }, words, meter, note, h('div', { class: 'st-actions' }, stop, resume, results)), live);

  // Between two chunks nothing is told: the time goes on all the same.
  setInterval(() => { if (store.get().running) update(); }, 1000);
  setInterval(() => { const { doc, running } = store.get(); if (doc && doc.elsewhere && !running && document.body.dataset.screen === 'study') actions.elsewhere(); }, PROGRESS_WITHIN_MS);
  setInterval(() => { const { doc } = store.get(); if (studying(store.get()) && doc && !doc.done && document.body.dataset.screen === 'study') actions.within(); }, PROGRESS_WITHIN_MS);
  let seen = null;
  function update() {
    const { doc, stopping, progress, since, plan, within: told } = store.get();
    const running = studying(store.get());
    const within = running && doc && told && told.after === doc.chunks_done && told.of ? told : null;
    const heard = (Date.now() - since) / 1000;
    setShown(stop, running);
    setShown(resume, !running && Boolean(doc) && !doc.done && !doc.recorded && !doc.elsewhere);
    stop.disabled = stopping;
    const some = Boolean(doc) && doc.prompts_done > 0;
    setShown(results, some);
    setText(results, doc && doc.done ? 'See the results' : 'See the results so far');
    setShown(live, some);
    const waiting = progress && progress.words;
    setText(words, doc ? standing(doc, running, { stopping, since: heard, within }) : waiting ? `${progress.words} …` : running ? 'Opening the study …' : 'Nothing has run yet.');
    const done = doc && doc.prompts ? doneShare(doc, within) : waiting && progress.done !== null ? progress.done : null;
    setAttr(meter, 'data-known', done !== null && !(running && done === 0));
    setAttr(meter, 'aria-valuenow', done === null ? null : String(Math.round(100 * done)));
    fraction.style.width = done !== null && !(running && done === 0) ? `${100 * done}%` : '';
    setShown(meter, running || (Boolean(doc) && !doc.done));
    const lines = [];
    if (running && doc && !doc.done) {
      lines.push(`Up to 8 prompts are run together, so that it moves in steps; this one has taken ${span(heard)}.${within ? ` ${count(within.ended)} of its ${counted(within.of, 'run')} of the model ${within.ended === 1 ? 'has' : 'have'} ended.` : ''}`);
      if (!doc.prompts_done && plan && plan.seconds !== null) lines.push(`The whole was estimated at ${span(plan.seconds)} at most.`);
      if (doc.others > 0) lines.push(`${count(doc.others)} other ${doc.others === 1 ? 'study takes' : 'studies take'} turns with it on this server.`);
      lines.push('Stop keeps what is done; closing the page does too, and its link goes on with it.');
    } else if (doc && doc.elsewhere && !doc.done) lines.push('It is running in another tab or window; look again later: reload this page to see how far it is.');
    else if (doc && !doc.done && !doc.recorded) lines.push('What is done is kept on the server: Resume goes on with it, also from this page’s link.');
    setText(note, lines.join(' '));
    setShown(note, lines.length > 0);
    if (some && doc !== seen) {
      seen = doc;
      const { methods, small } = doc.summary;
      const { labels } = store.get().page;
      fill(rates, methods.map((each) => rateRow(each.label, each.valid, { labels, small })), shareAxis());
      fill(stacks, methods.map((each) => stackRow(each.label, each.categories, doc.categories, labels)));
      fill(legend, stackLegend(doc.categories, CATEGORY_ORDER.filter((name) => methods.some((each) => each.categories[name].count))));
    }
  }
  return { update };
}
