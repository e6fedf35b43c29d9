// From 91 to 99 to 100 %: failures per 1,000 at rates that can be changed, and what was measured here beside them.

import { h, fill } from '../stage/dom.js';
import { LEVEL_MARKS, bar, levelHead, numberField, panel, table } from './parts.js';
import { TITLES, fewerWords, measured, perThousand } from './words.js';

const CALCULATOR_ROWS = [['1', 'ask'], ['2', 'retry'], ['3', 'strict']];

/** What the three rates say, in words; rates in [0, 1]. */
export function ladderWords([ask, retry, strict]) {
  const shown = (rate) => `${Number((100 * rate).toFixed(4))} %`;
  const end = strict === 1 ? ' That last step is of another kind: an invalid output can’t be reached any more, as a type error can’t in typed code.' : '';
  return `From ${shown(ask)} to ${shown(retry)}: ${fewerWords(ask, retry)}. From ${shown(retry)} to ${shown(strict)}: ${fewerWords(retry, strict)}.${end}`;
}

function calculatorMeasured(doc, label) {
  const found = measured(doc, label);
  if (!found) return '–';
  const { value, lower, upper } = found.valid;
  return h('span', { class: 'lv-barred' }, bar(1 - value, { mark: LEVEL_MARKS[label], lower: 1 - upper, upper: 1 - lower }),
    `${perThousand(1 - value)} (${perThousand(1 - upper)} to ${perThousand(1 - lower)})`);
}

/** Renders the calculator into `root`. ladder: the rates that it begins with, in [0, 1]. */
export function mountCalculator(root, store, { ladder }) {
  const usual = ladder.map((rate) => Number((100 * rate).toFixed(4)));
  const { node, body } = panel('calculator', `${usual.join(' → ')} %: failures per 1,000`,
    `${usual.slice(0, 2).join(', ')} and ${usual[2]} % are a textbook’s round figures, not measured. Change them; what was measured here stands beside them.`);
  root.append(node);
  const fields = CALCULATOR_ROWS.map(([level, label], at) => numberField(`Level ${level}, ${TITLES[label]}`, { least: 0, most: 100, unit: '%',
    change: (value) => store.set({ rates: store.get().rates.map((rate, i) => (i === at ? value : rate)) }) }));
  const words = h('p', { class: 'lv-ladder-words', role: 'status' });
  const results = h('div', null);
  const textbook = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => store.set({ rates: usual }) }, 'Textbook figures');
  fill(body, h('div', { class: 'lv-fields' }, fields.map((field) => field.node)), h('div', { class: 'lv-fields-buttons' }, textbook), words, results);
  let seen = [];
  const update = () => {
    const { rates, doc } = store.get();
    fields.forEach((field, at) => field.put(rates[at]));
    if (seen[0] === rates && seen[1] === doc) return;
    seen = [rates, doc];
    const shares = rates.map((rate) => rate / 100);
    if (words.textContent !== ladderWords(shares)) words.textContent = ladderWords(shares);
    fill(results, table('Failures per 1,000', ['Level', 'Failures per 1,000', 'Against the level before', 'Measured here, per 1,000 (95 %)'],
      CALCULATOR_ROWS.map(([level, label], at) => [
        levelHead(level, label),
        h('span', { class: 'lv-barred' }, bar(1 - shares[at], { mark: LEVEL_MARKS[label] }), h('b', { class: 'lv-per-thousand' }, perThousand(1 - shares[at]))),
        at ? fewerWords(shares[at - 1], shares[at]) : '–',
        calculatorMeasured(doc, label),
      ]), { name: 'lv-ladder' }));
  };
  store.subscribe(update);
  update();
}
