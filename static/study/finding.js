// A finding of an experiment: its effects on an axis with 0 marked, what is proved, its arms, its sentences, its command.

import { h, setText } from '../stage/dom.js';
import { axis, chartSection, table } from './marks.js';
import { axisOf, byUnit, howWords, measuredBy, pWords, partsOf, status, statusWords, tickWords, unitWords, whereWords } from './finding_words.js';

function how(name) {
  return h('span', { class: 'cmp-badge', dataset: { status: name }, title: howWords(name) }, name);
}

function effectRow(effect, place, main) {
  const [low, high, value, zero] = [effect.lower, effect.upper, effect.value, 0].map((x) => 100 * place(x));
  const lane = h('span', { class: `st-lane st-effect-lane is-${status(effect) === 'seen' ? 'seen' : 'none'}`, 'aria-hidden': 'true' },
    h('i', { class: 'st-zero', style: { left: `${zero}%` } }), h('i', { class: 'st-range', style: { left: `${low}%`, width: `${high - low}%` } }), h('i', { class: 'st-dot', style: { left: `${value}%` } }));
  return h('div', { class: 'st-row st-effect' }, h('span', { class: 'st-row-name' }, h(main ? 'b' : 'span', null, effect.name), how(effect.how)), lane,
    h('span', { class: 'st-row-words' }, h('span', null, effect.words), h('small', null, statusWords(effect))));
}

/** The effects that aren't proved: a group of rows and an axis for each unit; the first one is the question's. */
export function effectParts(finding) {
  const effects = partsOf(finding).open.map((each) => each.effect);
  const chart = byUnit(effects).flatMap(([unit, group]) => {
    const { low, high, ticks } = axisOf(group);
    const place = (x) => (x - low) / (high - low);
    const marks = axis(ticks.map((x) => [place(x), tickWords(x, unit)]));
    marks.classList.add('st-effect');
    marks.lastElementChild.append(h('small', null, unitWords(unit)));
    return [...group.map((each) => effectRow(each, place, each === finding.effect)), marks];
  });
  return {
    sentence: 'Dot: the effect; bar: its interval, which speaks of further prompts of this kind; upright line: 0. A hollow dot is an effect that was not seen, or that the prompts are too few to tell.',
    chart,
    table: table('Effects', ['effect', 'value and interval', 'known', 'interval', 'test', 'p', ''], effects.map((each) => [each.name, each.words, each.how, each.interval, each.test, pWords(each.p_value), statusWords(each)])),
  };
}

function armTable({ arms }) {
  const names = [...new Set(arms.flatMap((arm) => arm.measures.map((each) => each.name)))];
  const cell = (arm, name) => {
    const found = arm.measures.find((each) => each.name === name);
    return found ? [found.words === '-' ? '–' : found.words, ' ', h('small', null, found.bounds)] : '–';
  };
  return table('The arms: what was measured in each, with its interval', ['arm', ...names], arms.map((arm) => [[h('b', null, arm.name), h('small', { class: 'st-advice' }, arm.about)], ...names.map((name) => cell(arm, name))]));
}

/** Renders a finding. kind: "recorded" or "live"; when: a date, or ''; copy(text) is the promise of what to say. */
export function findingNode(finding, { kind, when = '', copy }) {
  const { open, proved, notes } = partsOf(finding);
  const said = h('p', { class: 'pg-quiet', role: 'status' });
  const effects = chartSection('Effects', { cls: 'st-finding-part' });
  effects.fill(effectParts(finding));
  const others = open.filter(({ effect }) => effect !== finding.effect);
  return h('section', { class: 'st-finding', 'aria-label': kind === 'live' ? 'Finding of this run' : 'Recorded finding', dataset: { kind } },
    h('p', { class: 'st-finding-head' }, h('span', { class: 'pg-badge', dataset: { kind } }, kind), `${whereWords(finding)}${when ? `, ${when}` : ''}`),
    h('p', { class: 'st-advice-title' }, `${statusWords(finding.effect)}.`), h('p', { class: 'st-sentence' }, finding.sentences[0]),
    effects.node,
    others.length || notes.length ? h('ul', { class: 'st-reasons' }, [...others.map((each) => each.sentence), ...notes].map((each) => h('li', null, each))) : null,
    proved.length ? h('div', { class: 'st-proved', role: 'group', 'aria-label': 'Proved' }, h('h4', null, 'Proved, not measured'), proved.map(({ sentence }) => h('p', { class: 'st-sentence' }, sentence))) : null,
    h('div', { class: 'st-arms' }, armTable(finding)), measuredBy(finding.arms).map(([names, known, interval]) => h('p', { class: 'pg-quiet' }, `${names}: `, how(known), interval ? ` Interval: ${interval}.` : '')),
    h('div', { class: 'st-command-box' }, h('code', { class: 'st-command' }, finding.command), h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-label': 'Copy the command', onclick: async () => { setText(said, await copy(finding.command)); } }, 'Copy')),
    h('p', { class: 'pg-quiet' }, 'The command prints it again.'), said);
}
