// One ticket: its text, examples, and the two ways to decide it.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { orderList } from './order.js';
import { origin, panel, segments, taskButtons, taskNews, thresholdSlider } from './parts.js';
import { OWN, examplesOf, headOf, orderOf, typeOf } from './state.js';

export const MOST_TEXT = 8000;
const ASK_MODES = [['parallel', 'parallel', 'Every field is scored from the same prompt.'], ['autoregressive', 'autoregressive', 'Each field is scored after the decisions before it.']];

function askText(text) {
  return text.trim() ? '' : 'Write a ticket first, or take an example.';
}

/** Why the head can't decide, in words; '' when it can. */
export function noHead(state) {
  if (!typeOf(state)) return 'Check the schema first.';
  if (!headOf(state)) return typeOf(state).trainable ? 'No head yet: train one below, or open a file.' : 'No head is trained for this type: score its options with the language model.';
  return askText(state.text);
}

/** Why nothing can be scored, in words. */
export function noScore(state) {
  if (!typeOf(state)) return state.type === OWN ? 'Check the schema first.' : 'Choose a type first.';
  return askText(state.text);
}

/** Renders it into `root`; `results` is the node that holds the cards. actions: decide, score, stop, example(id). */
export function mountAsk(root, store, results, { actions }) {
  const { page } = store.get();
  const { node, news, body } = panel('ask', 'Decide one ticket', 'Two ways to the same record: a small head on the model’s last hidden state, or the language model itself, which scores each option as text.');
  root.append(node);
  const text = h('textarea', { class: 'dc-text', rows: '4', maxlength: String(MOST_TEXT), dir: 'auto', 'aria-label': 'Text of the ticket', oninput: () => store.set({ text: text.value, example: null }) });
  const examples = page.examples.map(({ id, text: words }) => h('button', { type: 'button', class: 'dc-example', title: words, onclick: () => actions.example(id) }));
  const gold = h('p', { class: 'pg-quiet' });
  const decide = taskButtons(store, 'decide', 'Decide', { press: actions.decide, stop: actions.stop, why: noHead, primary: true });
  const which = h('span', { class: 'dc-which' });
  const score = taskButtons(store, 'score', 'Score with the language model', { press: actions.score, stop: actions.stop, why: noScore });
  const mode = segments('How the fields are scored', ASK_MODES, { get: () => store.get().mode, set: (value) => store.set({ mode: value }) });
  const order = orderList('Order of the fields', { get: () => orderOf(store.get()), set: (value) => store.set({ order: value }) });
  const orderBox = h('div', { class: 'dc-labelled dc-order-box' }, h('span', { class: 'pg-faint' }, 'Order'), order.node);
  const normalised = h('input', { type: 'checkbox', onchange: () => store.set({ normalised: normalised.checked }) });
  const warning = h('p', { class: 'dc-warning', role: 'status' }, 'Normalised by length: the mean log-probability of a token, not the chance of the option. Long options gain, since the tokens after the first are nearly forced: “Antidisestablishmentarianism” can beat “Paris” as a capital. The diamonds stay where they are.');
  const threshold = thresholdSlider(store);
  fill(body, h('div', { class: 'dc-examples', role: 'group', 'aria-label': 'Examples' }, examples), text, gold,
    h('div', { class: 'dc-ways' },
      h('div', { class: 'dc-way', role: 'group', 'aria-label': 'With a head' }, h('div', { class: 'dc-actions' }, decide.node, which)),
      h('div', { class: 'dc-way', role: 'group', 'aria-label': 'With the language model' }, h('div', { class: 'dc-actions' }, score.node, mode.node, h('label', { class: 'pg-check' }, normalised, 'Normalise by length?')), orderBox, warning)),
    threshold.node, results);
  taskNews(news, store, ['decide', 'score'], { decide: 'Reading the ticket', score: 'Scoring the options' }, actions);
  const update = () => {
    const state = store.get();
    const head = headOf(state);
    if (text.value !== state.text && (document.activeElement !== text || state.example !== null)) text.value = state.text;
    const fitting = examplesOf(state).map(({ id }) => id);
    examples.forEach((button, at) => {
      const { id } = page.examples[at];
      setShown(button, fitting.includes(id));
      setText(button, `Example ${count(fitting.indexOf(id) + 1)}`);
      setAttr(button, 'aria-pressed', String(id === state.example));
    });
    const example = page.examples.find(({ id }) => id === state.example);
    const golds = example && example.gold && typeOf(state) && typeOf(state).fields.every(({ name }) => name in example.gold) ? Object.entries(example.gold) : [];
    fill(gold, golds.length ? ['Right answer: ', golds.map(([name, label]) => `${name} ${label}`).join(', '), '.'] : null);
    setShown(gold, golds.length > 0);
    for (const each of [decide, score, mode, threshold]) each.update();
    fill(which, head ? [origin(head.origin), ` ${head.name}`] : null);
    normalised.checked = state.normalised;
    setShown(warning, state.normalised);
    setShown(orderBox, state.mode === 'autoregressive');
    if (state.mode === 'autoregressive') order.update();
  };
  store.subscribe(update);
  update();
}
