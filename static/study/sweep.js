// q at other temperatures: the same prompts, asked by the model alone.

import { h, icon, setShown, setText } from '../stage/dom.js';
import { chartSection, rateRow, shareAxis, table } from './marks.js';
import { INTERVAL, rateWords } from './words.js';

/** The section of the sweep. actions: sweep, stop. Returns {node, update}. */
export function mountSweep(store, actions) {
  const { temperatures, labels } = store.get().page;
  const chart = chartSection('q over temperature');
  const go = h('button', { type: 'button', class: 'pg-button st-sweep', onclick: actions.sweep }, icon('play'), `Ask again at temperature ${temperatures.join(', ')}`);
  const stop = h('button', { type: 'button', class: 'pg-button', onclick: actions.stop }, icon('stop'), 'Stop');
  const note = h('p', { class: 'pg-quiet', role: 'status' });
  chart.node.append(h('div', { class: 'st-actions' }, go, stop, note));
  return {
    node: chart.node,
    update() {
      const { sweep, sweeping, running, stopping, progress, doc } = store.get();
      setShown(go, !sweeping && !doc.recorded);
      setShown(stop, sweeping);
      go.disabled = running;
      stop.disabled = stopping;
      const points = sweep ? sweep.points : [];
      const { small } = doc.summary;
      const told = sweeping ? (progress && progress.words) || (stopping ? 'Stopping.' : 'Asking.') : sweep && sweep.stopped ? 'Stopped: what was counted stays.' : '';
      setText(note, told);
      chart.fill({
        sentence: points.length ? `Valid, by the model alone: ${points.map((each) => `${rateWords(each.rate)} at ${each.temperature}`).join('; ')}. ${INTERVAL}.` : 'The share of unconstrained outputs that are valid depends on the temperature: a colder model keeps closer to the form it knows best. This asks the same prompts once more at each temperature, by ask alone; it isn’t kept.',
        chart: points.length ? [...points.map((each) => rateRow('ask', each.rate, { labels, small, name: `T = ${each.temperature}` })), shareAxis()] : [],
        table: table('q at each temperature', ['temperature', 'valid'], points.map((each) => [String(each.temperature), rateWords(each.rate)])),
      });
    },
  };
}
