// Experiments: questions that a press answers. Each with its recorded finding, and a run of its own on this server.

import { fill, h, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { provenanceLine } from '../stage/caption.js';
import { count } from '../stage/format.js';
import { findingNode } from './finding.js';
import { effectWords, expectWords, luckWords, refusedRun, status } from './finding_words.js';
import { span, standing } from './words.js';

function numberInput(words, name, value) {
  const input = h('input', { type: 'number', inputmode: 'numeric', step: '1', min: '0', name, value: String(value), autocomplete: 'off' });
  return { node: h('label', { class: 'st-field' }, h('span', null, words), input), input, get: () => (input.value.trim() === '' ? NaN : Number(input.value)) };
}

function progressPart(stop) {
  const words = h('p', { class: 'st-standing' });
  const fraction = h('span', { class: 'pg-progress-done' });
  const meter = h('div', { class: 'pg-progress-bar', role: 'progressbar', 'aria-label': 'Prompts done', 'aria-valuemin': '0', 'aria-valuemax': '100' }, fraction);
  const note = h('p', { class: 'pg-quiet' });
  const button = h('button', { type: 'button', class: 'pg-button st-stop', onclick: stop }, icon('stop'), 'Stop');
  const node = h('div', { class: 'st-progress st-body', role: 'group', 'aria-label': 'Progress of the experiment', hidden: true }, words, meter, note, h('div', { class: 'st-actions' }, button));
  return {
    node,
    update({ live, progress, stopping, since }) {
      const heard = (Date.now() - since) / 1000;
      const known = Boolean(live) && live.done > 0;
      const doc = live && { prompts_done: live.done, prompts: live.of, seconds: live.seconds, left: live.left, done: false };
      setText(words, progress && progress.words ? `${progress.words} …` : doc ? standing(doc, true, { stopping, since: heard }) : 'Asking …');
      setAttr(meter, 'data-known', known);
      setAttr(meter, 'aria-valuenow', known ? String(Math.round((100 * live.done) / live.of)) : null);
      fraction.style.width = known ? `${(100 * live.done) / live.of}%` : '';
      const lines = [`Up to 8 prompts are run together, so that it moves in steps; this one has taken ${span(heard)}.`];
      if (live && live.others > 0) lines.push(`${count(live.others)} other ${live.others === 1 ? 'run takes' : 'runs take'} turns with it on this server.`);
      setText(note, lines.join(' '));
      button.disabled = stopping;
    },
  };
}

function badge(kind) {
  return h('span', { class: 'pg-badge', dataset: { kind } }, kind);
}

function mountOne(each, store, actions) {
  const { most, date, models } = store.get().experiments;
  const n = numberInput('Prompts', 'study-experiment-n', each.n);
  const seed = numberInput('Seed', 'study-experiment-seed', 0);
  const model = h('select', { class: 'pg-select', name: 'study-experiment-model' }, models.map((name) => h('option', { value: name }, name)));
  const wrong = h('p', { class: 'st-wrong', role: 'alert', hidden: true });
  const go = () => {
    const asked = { name: each.name, model: model.value, n: n.get(), seed: seed.get() };
    const refused = refusedRun(asked, most);
    setText(wrong, refused || '');
    setShown(wrong, Boolean(refused));
    if (!refused) actions.run(asked);
  };
  const run = h('button', { type: 'button', class: 'pg-button pg-primary st-experiment-run', onclick: go }, icon('play'), 'Run');
  for (const field of [n, seed]) field.input.addEventListener('keydown', (event) => { if (event.key === 'Enter' && !run.disabled) go(); });
  const note = h('p', { class: 'pg-quiet' });
  const form = h('div', { class: 'st-experiment-form', role: 'group', 'aria-label': 'Run it on this server' }, h('div', { class: 'st-fields' }, h('label', { class: 'st-field', hidden: models.length < 2 }, h('span', null, 'Model'), model), n.node, seed.node, run), wrong, note);
  const progress = progressPart(actions.stop);
  const ended = h('p', { class: 'pg-quiet', hidden: true });
  const live = h('div');
  const past = each.recorded ? h('details', { class: 'st-more st-past', open: true }, h('summary', null, badge('recorded'), ' The recorded finding'), findingNode(each.recorded, { kind: 'recorded', when: date, copy: actions.copy })) : h('p', { class: 'pg-quiet' }, 'No finding has been recorded.');
  const line = h('span', { class: 'st-experiment-line' });
  const summary = h('summary', null, h('span', { class: 'st-experiment-head' }, h('h3', { class: 'pg-card-title' }, each.title), h('span', { class: 'st-question' }, each.question), line));
  const node = h('details', { class: 'pg-card pg-panel st-experiment', dataset: { experiment: each.name } }, summary, h('div', { class: 'st-body' }, h('p', { class: 'st-sentence' }, each.about), form, progress.node, ended, live, past));
  node.addEventListener('toggle', () => actions.opened(each.name, node.open));
  let drawn;
  let heard = null;
  return {
    node,
    update() {
      const now = store.get();
      const { running, experimenting, findings, stopped, opened } = now;
      const mine = experimenting === each.name;
      if (opened !== heard) { heard = opened; if (opened === each.name) node.open = true; }
      setShown(progress.node, mine);
      if (mine) progress.update(now);
      run.disabled = running || !models.length;
      setText(note, !models.length ? 'There is no model here that experiments can be run on: they need one that is no toy, and its whole laws.' : running && !mine ? 'One run at a time: this waits until the one under way ends or is stopped.' : mine ? '' : expectWords(each.recorded));
      setShown(note, Boolean(note.textContent));
      setShown(ended, stopped === each.name && !mine);
      setText(ended, 'Stopped before its end: nothing is kept of an experiment that is not whole.');
      const found = findings[each.name] || null;
      if (drawn === found) return;
      drawn = found;
      fill(live, found ? findingNode(found, { kind: 'live', copy: actions.copy }) : null);
      // Below a finding of this run the recorded one is folded: it stays there to compare.
      if (each.recorded) past.open = !found;
      const stands = ({ effect }, kind) => h('span', null, badge(kind), ' ', h('span', { class: `st-experiment-effect is-${status(effect)}` }, effectWords(effect)));
      fill(line, found ? stands(found, 'live') : null, each.recorded ? stands(each.recorded, 'recorded') : null, found || each.recorded ? null : h('span', { class: 'pg-faint' }, 'not run yet'));
    },
  };
}

/** Renders the experiments into `root`. actions: run({name, model, n, seed}), stop, copy(text), opened(name, on). */
export function mountExperiments(root, store, actions) {
  const hello = h('section', { class: 'pg-card st-hello', 'aria-label': 'What an experiment is' }, h('h3', { class: 'st-hello-title' }, 'Does the way of asking change the answer?'),
    h('p', null, 'An experiment puts the same prompts in two or more ways and gives one effect with its interval. It says so where no effect was seen, and keeps what is proved apart from what was measured.'));
  const luck = h('p', { class: 'pg-quiet' });
  const wait = h('p', { class: 'pg-quiet' }, 'Loading.');
  const from = h('p', { class: 'pg-quiet', hidden: true });
  hello.append(luck, from);
  const list = h('div', { class: 'st-panel' });
  root.append(hello, wait, list);
  let parts = null;
  setInterval(() => { if (store.get().experimenting) update(); }, 1000);
  function update() {
    const { experiments, opened } = store.get();
    if (!experiments) return;
    if (!parts) {
      parts = experiments.experiments.map((each) => mountOne(each, store, actions));
      list.replaceChildren(...parts.map((each) => each.node));
      setText(luck, luckWords(parts.length));
      const { provenance, date } = experiments;
      if (provenance) fill(from, h('span', { class: 'pg-badge', dataset: { kind: 'recorded' } }, 'recorded'), ` ${date}: ${provenanceLine(provenance)}`);
      setShown(from, Boolean(provenance));
      wait.remove();
      for (const each of parts) each.update();
      const at = list.querySelector(`[data-experiment="${CSS.escape(opened || '')}"]`);
      if (at) at.scrollIntoView({ block: 'start' });
      return;
    }
    for (const each of parts) each.update();
  }
  return { update };
}
