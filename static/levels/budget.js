// A latency and call budget: what each level takes in the mean and at worst, and which of them fit.

import { h, fill, setAttr, setText } from '../stage/dom.js';
import { count, counted, prob } from '../stage/format.js';
import { attemptsFor, attemptsThatFit, expectedAttempts, latency, noneValid, plans, point } from './maths.js';
import { LEVEL_MARKS, bar, levelHead, numberField, panel, table } from './parts.js';
import { LEVELS_BUDGET, between, measured, ms, msBetween, times, whyWords } from './words.js';

const BUDGET_LABELS = { 1: 'ask', '1.5': 'prefill', 2: 'retry', parallel: 'parallel', 3: 'strict' };

function budgetInterval(summary) {
  return summary && summary.valid.lower !== null ? { lower: summary.valid.lower, upper: summary.valid.upper } : null;
}

/** The plans of the inputs; with `measured` set, q and the other levels are the intervals measured. */
export function plansOf(budget, doc) {
  const ask = measured(doc, 'ask');
  const taken = budget.measured && ask ? { q: budgetInterval(ask), prefilled: budgetInterval(measured(doc, 'prefill')), constrained: budgetInterval(measured(doc, 'strict')) } : { q: point(budget.q / 100), prefilled: null, constrained: null };
  return plans(taken.q, budget.tokens, { ms: budget.ms, calls: budget.calls, msPerStep: budget.msPerStep, prefillMs: budget.prefillMs }, { attempts: budget.attempts, ...taken });
}

/** The budget's inputs as the last run has measured them; null without one. */
export function measuredBudget(doc, budget) {
  const ask = measured(doc, 'ask');
  if (!ask) return null;
  const { pace } = doc;
  return { ...budget, q: 100 * ask.valid.value, tokens: ask.steps.mean, msPerStep: pace.step_ms, prefillMs: pace.prefill_ms, attempts: doc.attempts, measured: true };
}

/** What can be read off, sentence by sentence; `interval` is that of q where the rate was measured, else null. */
export function budgetWords(budget, interval = null) {
  const q = budget.q / 100;
  const attempt = latency(budget.tokens, budget.msPerStep, budget.prefillMs);
  const read = budget.prefillMs ? `${ms(budget.prefillMs)} for the prompt + ` : '';
  const number = (x) => String(Number(x.toPrecision(3)));
  const mean = expectedAttempts(q);
  const sure = attemptsFor(q, 0.99);
  const fit = attemptsThatFit(attempt, budget.ms, budget.calls);
  const sentences = [
    `One attempt: ${read}${number(budget.tokens)} × ${number(budget.msPerStep)} ms = ${ms(attempt)}.`,
    `${mean === Infinity ? 'At a q of 0 no number of attempts is enough.' : `Until a valid one: 1/q = ${Number(mean.toFixed(2))} attempts in the mean; ${counted(sure, 'attempt')} for a chance of 99 %.`}${interval ? ` 95 % for 1/q: ${times({ lower: expectedAttempts(interval.upper), upper: expectedAttempts(interval.lower) })}.` : ''}`,
    `Nothing valid in ${counted(budget.attempts, 'attempt')}: (1 − q)^${budget.attempts} = ${prob(noneValid(q, budget.attempts)).text}${interval ? `, 95 %: ${between({ lower: noneValid(interval.upper, budget.attempts), upper: noneValid(interval.lower, budget.attempts) })}` : ''}.`,
  ];
  if (fit !== null) sentences.push(fit === 0 ? 'Not one attempt fits into the budget.' : fit === 1 ? 'Only one attempt fits into the budget, so retries are ruled out.' : `${counted(fit, 'attempt')} fit into the budget.`);
  return sentences;
}

/** Renders the calculator into `root`. */
export function mountBudget(root, store, { msPerStep }) {
  const { node, body } = panel('budget', 'A budget of time and calls', 'Exact arithmetic on what you put in, for attempts that are independent and equally likely to be valid. A real retry is told its error and its prompt grows, so what was measured goes first.');
  root.append(node);
  const change = (part, still = false) => store.set({ budget: { ...store.get().budget, ...part, measured: still && store.get().budget.measured } });
  const kept = (name) => (value) => change({ [name]: value }, true);
  const fields = {
    q: numberField('Valid rate q', { least: 0, most: 100, unit: '%', change: (q) => change({ q }) }),
    tokens: numberField('Tokens an answer', { least: 1, most: 100000, change: kept('tokens') }),
    msPerStep: numberField('A step takes', { least: 0, most: 10000, unit: 'ms', change: kept('msPerStep') }),
    prefillMs: numberField('Reading the prompt', { least: 0, most: 1000000, unit: 'ms', change: kept('prefillMs') }),
    attempts: numberField('Attempts', { least: 1, most: 100, whole: true, change: kept('attempts') }),
    ms: numberField('Time budget', { least: 1, most: 10000000, unit: 'ms', optional: true, change: kept('ms') }),
    calls: numberField('Call budget', { least: 1, most: 1000, whole: true, optional: true, change: kept('calls') }),
  };
  const usual = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => store.set({ budget: { ...LEVELS_BUDGET, msPerStep } }) }, 'Textbook figures');
  const ours = h('button', { type: 'button', class: 'pg-button pg-button-small lv-use-measured', onclick: () => store.set({ budget: measuredBudget(store.get().doc, store.get().budget) }) }, 'What was measured here');
  const words = h('ul', { class: 'lv-read-off' });
  const results = h('div', null);
  fill(body, h('div', { class: 'lv-fields' }, Object.values(fields).map((field) => field.node)), h('div', { class: 'lv-fields-buttons' }, usual, ours), words, results);
  let seen = [];
  const update = () => {
    const { budget, doc } = store.get();
    for (const [name, field] of Object.entries(fields)) field.put(name === 'q' || name === 'tokens' || name.endsWith('Ms') || name === 'msPerStep' ? Number(budget[name].toPrecision(4)) : budget[name]);
    ours.disabled = !measured(doc, 'ask');
    setAttr(ours, 'title', ours.disabled ? 'Run the levels first.' : 'q with its interval, tokens and milliseconds of the last run');
    if (seen[0] === budget && seen[1] === doc) return;
    seen = [budget, doc];
    const lines = budgetWords(budget, budget.measured ? budgetInterval(measured(doc, 'ask')) : null);
    while (words.children.length < lines.length) words.append(h('li', null));
    while (words.children.length > lines.length) words.lastChild.remove();
    lines.forEach((line, at) => setText(words.children[at], line));
    const rows = plansOf(budget, doc);
    const longest = Math.max(budget.ms || 0, ...rows.map((row) => row.mostMs)) || 1;
    fill(results, table('What each level takes', ['Level', 'A valid answer', 'Calls, mean (most)', 'Time in the mean', 'Time at most', 'Within the budget'], rows.map((row) => {
      const label = BUDGET_LABELS[row.level];
      return [levelHead(row.level, label), between(row.valid), `${times(row.meanCalls)} (${count(row.mostCalls)})`, msBetween(row.meanMs),
        h('span', { class: 'lv-barred' }, bar(row.mostMs / longest, { mark: LEVEL_MARKS[label], limit: budget.ms === null ? null : budget.ms / longest }), ms(row.mostMs)),
        h('span', { class: 'lv-fits', dataset: { fits: String(!row.why) } }, whyWords(row.why, row))];
    }), { name: 'lv-plans' }), h('p', { class: 'pg-quiet' }, budget.ms === null ? null : `The line in a bar is the budget of ${ms(budget.ms)}. `, budget.measured && measured(doc, 'ask') ? 'Rates are the intervals measured here.' : 'Level 3 counts as always valid: an output that the token limit cuts is not.'));
  };
  store.subscribe(update);
  update();
}
