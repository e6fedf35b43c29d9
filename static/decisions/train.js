// Training a head on the page: what to train, its progress and curves, the file that it makes, and heads from a file.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { mountCurves } from './curves.js';
import { mountFile, untaughtSentence } from './head_file.js';
import { orderList } from './order.js';
import { choice, panel, segments, taskButtons, taskNews, wholeField } from './parts.js';
import { EPOCHS, SEEDS, refusal } from './spec.js';
import { runOf, typeOf } from './state.js';
import { trainingWords } from './words.js';

const TRAIN_CHAINS = [['first', 'the first field only', 'The embedding of the first field’s decision is added to the state of the others.'], ['full', 'a full chain', 'Each field sees the decisions of all before it.']];

function trainBinding(store) {
  const set = (name) => (value) => store.set({ form: { ...store.get().form, [name]: value } });
  return { set, of: (name) => ({ get: () => store.get().form[name], set: set(name) }) };
}

/** Why nothing can be trained, in words. */
export function noTraining(state) {
  const type = typeOf(state);
  if (!type || !type.trainable) return 'Only a type with labelled examples can be trained here: choose the ticket.';
  return refusal(state.form);
}

/** Which tickets a head that is fine-tuned takes for train and dev, where they aren't those of the form; '' where they are. */
export function cutWords({ cut }) {
  if (!cut) return '';
  if (!cut.known) return ' The file doesn’t say how the head was trained: dev may hold tickets that it has learned from.';
  return ` Train and dev are not the form’s but those that the head was first trained with (seed ${cut.seed}, ${count(cut.train)} and ${count(cut.dev)} tickets): what was dev stays dev.`;
}

/** That a training ended at its time limit, in words; '' where it didn't. */
export function limitWords(kept) {
  return kept && kept.ended === 'limit' ? ` It ended at its time limit of ${count(Math.round(kept.limit / 60))} minutes.` : '';
}

/** What a training does just now. */
export function underWay({ training }) {
  if (!training) return null;
  const { done, total } = training.features;
  return done < total ? { words: 'Reading the tickets', done: done / total } : { words: 'Training', done: null };
}

/** Renders the panel into `root`. actions: train, stop, order(names), download, open(file). */
export function mountTrain(root, store, { actions, order }) {
  const { page } = store.get();
  const { node, news, body } = panel('train', 'Train a head', 'The language model stays as it is. It reads each ticket once, its last hidden states are kept, and a small head learns the fields from them by the negative log-likelihood of the whole record. Dev tickets are cut from the training tickets; the test split is never seen.');
  root.append(node);
  const { set, of } = trainBinding(store);
  const size = segments('Tickets to train on', page.sizes.map((n) => [n, count(n)]), of('size'));
  const kind = choice('Head', page.heads.map(({ name, title }) => [name, title]), of('kind'));
  const pooling = choice('Pooling', page.poolings.map(({ name, title }) => [name, title]), of('pooling'));
  const chain = segments('Chain', TRAIN_CHAINS, of('chain'));
  const fields = orderList('Order of the chain', { get: order, set: actions.order });
  const chainBox = h('div', { class: 'dc-controls' }, h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Chain'), chain.node), h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Order'), fields.node));
  const jointBox = h('div', { class: 'dc-controls', role: 'group', 'aria-label': 'Fields of the joint softmax' });
  const numbers = [wholeField('Epochs', EPOCHS, of('epochs')), wholeField('Seed', SEEDS, of('seed'))];
  const about = h('p', { class: 'pg-quiet' });
  const buttons = taskButtons(store, 'train', 'Train', { press: actions.train, stop: actions.stop, why: noTraining });
  const state = h('p', { class: 'dc-standing', role: 'status' });
  const curves = h('div', { class: 'dc-curves' });
  const file = h('div', null);
  fill(body, h('div', { class: 'dc-controls' }, h('span', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Tickets'), size.node), kind.node, pooling.node, numbers.map((field) => field.node)),
    chainBox, jointBox, about, h('div', { class: 'dc-actions' }, buttons.node), state, curves, file);
  taskNews(news, store, ['train'], { train: 'Opening the model' }, { dismiss: actions.dismiss, told: underWay });
  mountCurves(curves, store);
  mountFile(file, store, { actions });
  let boxes = '';
  const update = () => {
    const now = store.get();
    const type = typeOf(now);
    const { form, training } = now;
    const going = runOf(now, 'train');
    for (const each of [size, kind, pooling, chain, buttons, ...numbers]) each.update();
    setShown(chainBox, form.kind === 'chained');
    setShown(jointBox, form.kind === 'joint');
    if (form.kind === 'chained') fields.update();
    const names = type ? type.fields.map(({ name }) => name) : [];
    const key = names.join('\n');
    if (boxes !== key) {
      boxes = key;
      fill(jointBox, h('span', { class: 'pg-faint' }, 'One softmax over'), names.map((name) => h('label', { class: 'pg-check' }, h('input', { type: 'checkbox', value: name,
        onchange: ({ target }) => { const { joint } = store.get().form; set('joint')(target.checked ? [...joint, name] : joint.filter((each) => each !== name)); } }), name)));
    }
    for (const box of jointBox.querySelectorAll('input')) box.checked = form.joint.includes(box.value);
    const words = [page.heads.find(({ name }) => name === form.kind), page.poolings.find(({ name }) => name === form.pooling)].filter(Boolean).map(({ about: each }) => each);
    setText(about, words.join(' '));
    setText(state, training ? `${trainingWords(training, going.running && going.task === 'train')}${training.sizes ? ` ${count(training.sizes.train)} train, ${count(training.sizes.dev)} dev, ${count(training.sizes.test)} test.` : ''}${cutWords(training)}${limitWords(now.kept.training)}${(training.untaught || []).length ? ` ${untaughtSentence(training.untaught)}` : ''}` : '');
    setShown(state, Boolean(training));
  };
  store.subscribe(update);
  update();
}
