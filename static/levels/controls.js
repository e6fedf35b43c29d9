// What to run: whose prompts, how many, how often a retry may ask; Run and Stop.

import { h, fill, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted } from '../stage/format.js';
import { aboutWords } from '../compare/rates.js';

export const SIZES = [4, 12, 30, 100];
const CONTROLS_ATTEMPTS = [2, 3, 5];

/** Seconds that `n` prompts take at the pace of the last run; null where that was of something else. */
export function runSeconds({ doc, source, n, since, running, fits }) {
  if (!doc || running || !doc.done || doc.source !== source || !since || fits === false) return null;
  return (since / doc.n) * n;
}

/** Renders the controls into `root`. page: {rail, sets}; actions: run, stop. */
export function mountControls(root, store, { page, actions }) {
  const source = h('select', { class: 'pg-select', id: 'lv-source', onchange: () => { store.set({ source: source.value }); actions.look(); } },
    h('option', { value: page.rail }, 'the one on the left, again and again'),
    h('optgroup', { label: 'Sets with right answers' }, page.sets.map(({ name, title }) => h('option', { value: name }, title))));
  const sizes = SIZES.map((n) => h('button', { type: 'button', class: 'lv-size', onclick: () => store.set({ n }) }, count(n)));
  const sizesName = h('span', { class: 'pg-faint' });
  const sizesBox = h('span', { class: 'lv-sizes', role: 'group' }, sizes);
  const attempts = h('select', { class: 'pg-select', id: 'lv-attempts', onchange: () => store.set({ attempts: Number(attempts.value) }) }, CONTROLS_ATTEMPTS.map((n) => h('option', { value: n }, counted(n, 'attempt'))));
  const schema = h('input', { type: 'checkbox', onchange: () => store.set({ showSchema: schema.checked }) });
  const schemaBox = h('label', { class: 'pg-check' }, schema, 'Schema in the prompt');
  const about = h('p', { class: 'pg-quiet lv-source-words' });
  const run = h('button', { type: 'button', class: 'pg-button pg-primary lv-run', onclick: () => actions.run() }, icon('play'), h('span', null, 'Run'));
  const stop = h('button', { type: 'button', class: 'pg-button lv-stop', onclick: () => actions.stop() }, icon('stop'), 'Stop');
  const cost = h('span', { class: 'pg-quiet lv-estimate' });
  fill(root,
    h('div', { class: 'lv-controls-row' },
      h('label', { class: 'lv-labelled' }, h('span', { class: 'pg-faint' }, 'Prompt'), source),
      h('span', { class: 'lv-labelled' }, sizesName, sizesBox),
      h('label', { class: 'lv-labelled' }, h('span', { class: 'pg-faint' }, 'Level 2 has'), attempts),
      schemaBox, h('span', { class: 'pg-gap' }), h('span', { class: 'lv-go' }, cost, run, stop)),
    about);
  const update = () => {
    const now = store.get();
    const set = page.sets.find(({ name }) => name === now.source) || null;
    source.value = now.source;
    attempts.value = String(now.attempts);
    schema.checked = now.showSchema;
    setShown(schemaBox, set !== null);
    const what = set ? 'Prompts' : 'Draws';
    setText(sizesName, what);
    setAttr(sizesBox, 'aria-label', what);
    sizes.forEach((button, at) => setAttr(button, 'aria-pressed', String(SIZES[at] === now.n)));
    setText(about, set ? `${set.about} They are put to the model on the left, or to the default one where that is a toy.` : '');
    setShown(about, set !== null);
    setShown(run, !now.running);
    setShown(stop, now.running);
    const seconds = runSeconds(now);
    setText(cost, seconds === null ? '' : aboutWords(seconds));
    setAttr(cost, 'title', seconds === null ? null : 'At the pace of the last run.');
  };
  store.subscribe(update);
  update();
}
