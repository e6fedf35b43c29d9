// The reliability diagram of one field: how often each confidence is right, before and after temperature scaling.

import { count } from '../stage/format.js';
import { legend, plot } from './plot.js';
import { table } from './parts.js';
import { chance, eceWords } from './words.js';

const DIAGRAM_AXIS = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], words: (tick) => `${100 * tick} %` };

const points = (bins) => bins.filter(({ n }) => n).map((bin) => [bin.confidence, bin.accuracy, bin.low, bin.high]);

/** The chart of a field of an evaluation, as `twin` takes it. */
export function diagramParts(field) {
  const { bins, bins_after: after } = field;
  const rows = bins.map((bin, at) => [`${chance(bin.lower)} to ${chance(bin.upper)}`, ...[bin, after[at]].flatMap((each) => (each && each.n ? [count(each.n), chance(each.confidence), `${chance(each.accuracy)} (${chance(each.low)} to ${chance(each.high)})`] : ['0', '–', '–']))]);
  return {
    sentence: `${field.name}: ${eceWords(field.ece, field.ece_after, field.temperature, bins.length)} On the diagonal a confidence is right as often as it says; below it the head is too sure.`,
    chart: [plot(`Reliability of ${field.name}`, { x: { ...DIAGRAM_AXIS, title: 'mean confidence of a bin' }, y: DIAGRAM_AXIS, diagonal: true,
      series: [{ cls: 'is-before', points: points(bins), dots: true, whiskers: true }, { cls: 'is-after', points: points(after), dots: true, whiskers: true }] }), legend([['is-before', 'before'], ['is-after', 'after temperature scaling']])],
    table: table(`Reliability of ${field.name}, ${count(bins.length)} bins of equal width; intervals Clopper-Pearson, 95 %`, ['confidence', 'n before', 'mean confidence', 'right', 'n after', 'mean confidence', 'right'], rows),
  };
}
