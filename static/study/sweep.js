// q at other temperatures or top-p: the same prompts, asked by the model alone.

import { h, icon, setShown, setText } from '../stage/dom.js';
import { chartSection, rateRow, shareAxis, table } from './marks.js';
import { INTERVAL, rateWords } from './words.js';

const SWEEP_OVER = {
  temperature: { words: 'temperature', sign: 'T', why: 'a colder model keeps closer to the form it knows best' },
  top_p: { words: 'top-p', sign: 'top-p', why: 'it cuts the unlikely tail off each step’s law, and with it often what is invalid' },
};

/** The section of the sweep. actions: sweep(over), stop. Returns {node, update}. */
export function mountSweep(store, actions) {
  const { sweeps, labels } = store.get().page;
  const chart = chartSection('q over temperature or top-p');
  const over = h('select', { class: 'pg-select', name: 'study-sweep', onchange: () => update() }, Object.keys(sweeps).map((name) => h('option', { value: name }, SWEEP_OVER[name].words)));
  const field = h('label', { class: 'st-field' }, h('span', null, 'Vary'), over);
  const ask = h('span', null);
  const go = h('button', { type: 'button', class: 'pg-button st-sweep', onclick: () => actions.sweep(over.value) }, icon('play'), ask);
  const stop = h('button', { type: 'button', class: 'pg-button', onclick: actions.stop }, icon('stop'), 'Stop');
  const note = h('p', { class: 'pg-quiet', role: 'status' });
  chart.node.append(h('div', { class: 'st-actions' }, field, go, stop, note));
  function update() {
    const { sweep, sweeping, running, stopping, progress, doc } = store.get();
    setShown(field, !sweeping && !doc.recorded);
    setShown(go, !sweeping && !doc.recorded);
    setShown(stop, sweeping);
    go.disabled = running;
    stop.disabled = stopping;
    setText(ask, `Ask again at ${SWEEP_OVER[over.value].words} ${sweeps[over.value].join(', ')}`);
    const points = sweep ? sweep.points : [];
    const { words, sign } = SWEEP_OVER[sweep ? sweep.over : over.value];
    const { small } = doc.summary;
    const told = sweeping ? (progress && progress.words) || (stopping ? 'Stopping.' : 'Asking.') : sweep && sweep.stopped ? 'Stopped: what was counted stays.' : '';
    setText(note, told);
    chart.fill({
      sentence: points.length ? `Valid, by the model alone: ${points.map((each) => `${rateWords(each.rate)} at ${words} ${each.at}`).join('; ')}. ${INTERVAL}.` : `The share of unconstrained outputs that are valid depends on the ${words}: ${SWEEP_OVER[over.value].why}. This asks the same prompts once more at each value, by ask alone; it isn’t kept.`,
      chart: points.length ? [...points.map((each) => rateRow('ask', each.rate, { labels, small, name: `${sign} = ${each.at}` })), shareAxis()] : [],
      table: table(`q at each ${words}`, [words, 'valid'], points.map((each) => [String(each.at), rateWords(each.rate)])),
    });
  }
  return { node: chart.node, update };
}
