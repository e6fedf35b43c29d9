// The curves of training: loss on train and dev, and the accuracy of each field on dev, epoch by epoch.

import { fill, setShown } from '../stage/dom.js';
import { niceScale } from '../study/words.js';
import { legend, plot } from './plot.js';
import { table, twin } from './parts.js';
import { chance } from './words.js';

const CURVES_DASHES = ['is-a', 'is-b', 'is-c', 'is-d', 'is-e', 'is-f'];

/** The axis of epochs: whole ticks, the last epoch at its end. */
export function epochAxis(epochs) {
  const last = Math.max(2, ...epochs.map(({ epoch }) => epoch));
  const { ticks } = niceScale(last, 5);
  const first = Math.min(1, ...epochs.map(({ epoch }) => epoch));
  return { from: first, to: last, ticks: [...new Set([first, ...ticks.filter((tick) => Number.isInteger(tick) && tick > first && tick <= last)])], title: 'epoch' };
}

/** The two charts of a training document; null before the first epoch. */
export function curvesParts({ epochs, best }) {
  if (!epochs.length) return null;
  const x = epochAxis(epochs);
  const { top, ticks } = niceScale(Math.max(1e-6, ...epochs.flatMap(({ train_loss: a, dev_loss: b }) => [a, b])));
  const names = Object.keys(epochs[0].dev_accuracy);
  const line = (cls, of) => ({ cls, line: true, points: epochs.map((each) => [each.epoch, of(each)]) });
  const rows = (head, cells) => table(head, ['epoch', ...cells.map(([name]) => name)], epochs.map((each) => [each.epoch === best ? `${each.epoch} (kept)` : String(each.epoch), ...cells.map(([, of]) => of(each))]));
  return {
    loss: {
      chart: [plot('Loss by epoch', { x, y: { from: 0, to: top, ticks, words: (tick) => String(tick) }, now: best ?? null, series: [line('is-a', (each) => each.train_loss), line('is-b', (each) => each.dev_loss)] }), legend([['is-a', 'train'], ['is-b', 'dev']])],
      sentence: 'Nats a record: the negative log-likelihood of all fields together. The dotted line is the epoch that is kept.',
      table: rows('Loss, nats a record', [['train', (each) => each.train_loss.toFixed(4)], ['dev', (each) => each.dev_loss.toFixed(4)]]),
    },
    accuracy: {
      chart: [plot('Accuracy on dev by epoch', { x, y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], words: (tick) => `${100 * tick} %` }, now: best ?? null, series: names.map((name, at) => line(CURVES_DASHES[at % 6], (each) => each.dev_accuracy[name])) }), legend(names.map((name, at) => [CURVES_DASHES[at % 6], name]))],
      sentence: 'The share of dev tickets whose field is right.',
      table: rows('Accuracy on dev', names.map((name) => [name, (each) => chance(each.dev_accuracy[name])])),
    },
  };
}

/** Renders the charts into `root`. */
export function mountCurves(root, store) {
  const loss = twin('Loss by epoch');
  const accuracy = twin('Accuracy on dev by epoch');
  fill(root, loss.node, accuracy.node);
  let seen = null;
  const update = () => {
    const { training } = store.get();
    const parts = training && seen !== training ? curvesParts(training) : null;
    setShown(root, Boolean(training && training.epochs.length));
    seen = training;
    if (!parts) return;
    loss.fill(parts.loss);
    accuracy.fill(parts.accuracy);
  };
  store.subscribe(update);
  update();
}
