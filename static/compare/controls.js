// What to compare: the methods, how many draws, what counts as valid; Run and Stop.

import { h, fill, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { aboutWords, runSeconds, waitWords } from './rates.js';
import { USUAL, drawsOf } from './state.js';

export const DRAWS = [50, 200, 1000];
const CONTROLS_OFFERED = [...USUAL, 'cars', 'conditional'];
const CONTROLS_GROUPS = [
  ['p', 'Draw from p, the model alone'],
  ['masked', 'Draw from p~, the model after the mask'],
  ['other', 'Draw from another law, which each states'],
  ['conditional', 'Stand for p_V, the model given that the text is valid'],
];
const CONTROLS_ACCEPT = [
  ['language', 'the mask’s language', 'A text counts as valid when it is in the language that the mask enforces. Distances are to p_V, the model restricted to that language.'],
  ['schema', 'the full schema', 'A text counts as valid when the whole JSON Schema or Pydantic model accepts it, also where the mask enforces less. The accepted draws then have another law, so distances to p_V are off.'],
  ['salvaged', 'the schema, after salvage', 'A text counts as valid when the whole schema accepts it, after the JSON was cut out of its fence or prose. The accepted draws then have another law, so distances to p_V are off.'],
  ['syntax', 'JSON syntax', 'A text counts as valid when it parses as JSON, as a JSON mode checks it: answers that break the schema are kept. The accepted draws then have another law, so distances to p_V are off.'],
];

/** Renders the controls into `root`. store: {get, set, subscribe} with `chosen`, `n`, `accept`, `running`, `rates`, `problem`, `real`, `doc`; actions: run, stop. */
export function mountControls(root, store, { methods, actions }) {
  const toggle = (name, on) => {
    const { chosen } = store.get();
    const now = methods.map((each) => each.name).filter((each) => (each === name ? on : chosen.includes(each)));
    if (now.length) store.set({ chosen: now });
    else update();
  };
  const boxes = new Map(methods.map((each) => [each.name, []]));
  const box = (method) => {
    const input = h('input', { type: 'checkbox', onchange: () => toggle(method.name, input.checked) });
    boxes.get(method.name).push(input);
    return input;
  };
  const pills = h('div', { class: 'cmp-pills', role: 'group', 'aria-label': 'Methods' }, CONTROLS_OFFERED.map((name) => methods.find((each) => each.name === name)).filter(Boolean)
    .map((method) => h('label', { class: 'cmp-pill', title: method.law }, box(method), method.title)));
  const more = h('summary', { class: 'pg-link' });
  const all = h('details', { class: 'cmp-all' }, more, h('div', { class: 'cmp-groups' }, CONTROLS_GROUPS.map(([target, words]) => h('fieldset', { class: 'cmp-group', dataset: { target } }, h('legend', null, words),
    methods.filter((each) => each.target === target).map((method) => h('label', { class: 'cmp-method' }, box(method), h('span', null, h('b', null, method.title), h('span', { class: 'pg-faint' }, ` ${method.law}.`))))))));

  const sizes = DRAWS.map((n) => h('button', { type: 'button', class: 'cmp-size', onclick: () => store.set({ n }) }, count(n)));
  const accept = h('select', { class: 'pg-select', id: 'cmp-accept', onchange: () => store.set({ accept: accept.value }) }, CONTROLS_ACCEPT.map(([name, words]) => h('option', { value: name }, words)));
  const changes = h('p', { class: 'pg-quiet cmp-accept-words' });
  const run = h('button', { type: 'button', class: 'pg-button pg-primary cmp-run', onclick: () => actions.run() }, icon('play'), h('span', null, 'Run'));
  const stop = h('button', { type: 'button', class: 'pg-button cmp-stop', onclick: () => actions.stop() }, icon('stop'), 'Stop');
  const cost = h('span', { class: 'pg-quiet cmp-estimate' });
  fill(root,
    h('div', { class: 'cmp-controls-row' }, pills),
    h('div', { class: 'cmp-controls-row' },
      h('span', { class: 'cmp-labelled' }, h('span', { class: 'pg-faint' }, 'Draws each'), h('span', { class: 'cmp-sizes', role: 'group', 'aria-label': 'Draws each' }, sizes)),
      h('label', { class: 'cmp-labelled' }, h('span', { class: 'pg-faint' }, 'Valid is'), accept), h('span', { class: 'pg-gap' }), h('span', { class: 'cmp-go' }, cost, run, stop), all),
    changes);

  function update() {
    const { chosen, accept: judge, running, rates, problem, real, doc, fits } = store.get();
    const n = drawsOf(store.get());
    for (const [name, inputs] of boxes) for (const input of inputs) input.checked = chosen.includes(name);
    setText(more, `Methods and their laws (${chosen.length} of ${methods.length})`);
    sizes.forEach((button, i) => setAttr(button, 'aria-pressed', String(DRAWS[i] === n)));
    accept.value = judge;
    setText(changes, CONTROLS_ACCEPT.find(([name]) => name === judge)[2]);
    setShown(changes, judge !== 'language');
    setAttr(accept, 'title', CONTROLS_ACCEPT.find(([name]) => name === judge)[2]);
    setShown(run, !running);
    setShown(stop, running);
    const about = fits === false ? null : runSeconds(rates, chosen, n, problem);
    // Before the first run the empty page says it in full.
    const unknown = doc && real ? 'some seconds to some minutes' : '';
    setText(cost, running ? '' : about === null ? unknown : aboutWords(about));
    setAttr(cost, 'title', about === null ? waitWords(null, real) : 'From the rate of the last run. What is stored of it makes the next one faster.');
  }
  store.subscribe(update);
  update();
}
