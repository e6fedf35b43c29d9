// The charts of the results: each is filled from a study's summary, or says null where it has nothing to show.

import { h } from '../stage/dom.js';
import { bits, count, counted, logit, plain } from '../stage/format.js';
import { amountRow, axis, columns, gridded, rateRow, shareAxis, spreadRow, stackLegend, stackRow, table, tone } from './marks.js';
import { CATEGORY_ORDER, INTERVAL, amount, apartSentence, aucWords, between, binned, costSentence, decades, onLog, niceScale, outcomeSentence, points, rateWords, salvageWords, share, spreadWords, validSentence } from './words.js';

/** Valid rates with their intervals. */
export function validParts({ summary }, labels) {
  const { methods, small } = summary;
  // Plain words beside the badge: they wrap on a phone.
  const marks = (each) => [each.level ? h('span', { class: 'cmp-badge' }, `level ${each.level}`) : null, salvageWords([each.label], methods) ? h('small', null, 'after salvage') : null];
  return {
    sentence: validSentence(summary),
    chart: [...methods.map((each) => rateRow(each.label, each.valid, { labels, small, extra: marks(each) })), shareAxis(), h('p', { class: 'pg-quiet' }, `${summary.covers} ${[...new Set(methods.map((each) => each.judge))].map((judge) => `Valid for ${methods.filter((each) => each.judge === judge).map((each) => each.label).join(', ')}: ${summary.judges[judge]}.`).join(' ')}`)],
    table: table(`Share of valid outputs by every V; ${INTERVAL}`, ['method', 'its own V', ...Object.keys(summary.judges)], methods.map((each) => [each.label, rateWords(each.valid), ...Object.keys(summary.judges).map((judge) => (each.by_judge[judge] ? rateWords(each.by_judge[judge]) : '–'))])),
  };
}

/** What the outputs came to. */
export function outcomeParts({ summary, categories }, labels) {
  const { methods } = summary;
  const used = CATEGORY_ORDER.filter((name) => methods.some((each) => each.categories[name].count));
  return {
    sentence: outcomeSentence(summary),
    chart: [...methods.map((each) => stackRow(each.label, each.categories, categories, labels)), shareAxis(), stackLegend(categories, used)],
    table: table('Outcomes of all outputs', ['method', ...used.map((name) => categories[name])], methods.map((each) => [each.label, ...used.map((name) => rateWords(each.categories[name]))])),
  };
}

/** How often each field has the gold value. */
export function fieldParts({ summary }, labels) {
  const names = [...new Set(summary.methods.flatMap((each) => Object.keys(each.fields)))];
  const shown = summary.methods.filter((each) => names.some((name) => each.fields[name] && each.fields[name].of_valid.n));
  if (!names.length || !shown.length) return null;
  const title = (name) => name || 'the answer';
  return {
    sentence: 'Of the valid answers, those whose field has the gold value. The table has the share of all outputs too, where an invalid one counts as wrong.',
    chart: [...names.flatMap((name) => [h('h4', null, title(name)), ...shown.map((each) => rateRow(each.label, each.fields[name].of_valid, { labels, small: summary.small }))]), shareAxis()],
    table: table(`Fields with the gold value; ${INTERVAL}`, ['method', ...names.flatMap((name) => [`${title(name)}, of valid`, `${title(name)}, of all`])], shown.map((each) => [each.label, ...names.flatMap((name) => [rateWords(each.fields[name].of_valid), rateWords(each.fields[name].of_all)])])),
  };
}

/** What a valid answer costs, on a log axis. */
export function costParts({ summary }, labels) {
  const { methods } = summary;
  const costs = [['tokens', 'Sampled tokens a valid answer'], ['steps', 'Steps one after another, which latency counts'], ['attempts', 'Runs of the model'], ['rows', 'Rows of the model']];
  const [low, high] = decades(methods.flatMap((each) => costs.map(([name]) => each[name].per_valid)));
  const at = (x) => onLog(x, low, high);
  const ticks = [];
  for (let power = low; power <= high * 1.001; power *= 10) ticks.push([at(power), power < 1 ? String(Number(power.toPrecision(1))) : count(power)]);
  const paid = methods.filter((each) => each.tokens.per_valid !== null);
  return {
    sentence: costSentence(summary),
    chart: !paid.length ? [] : costs.flatMap(([name, title]) => [h('h4', null, title), ...gridded(paid.map((each) => amountRow(each.label, each[name].per_valid, h('b', null, amount(each[name].per_valid)), at, labels)), ticks.length - 1)]).concat(axis(ticks)),
    table: table('Measured cost: of a valid answer, and in the mean of an output', ['method', ...costs.flatMap(([, title]) => [title, 'an output'])], methods.map((each) => [each.label, ...costs.flatMap(([name]) => [amount(each[name].per_valid), amount(each[name].mean)])])),
  };
}

/** Bits that the mask took, and bounds on the squeeze where they were asked for. */
export function bitsParts({ summary }, labels) {
  const shown = summary.methods.filter((each) => each.bits.n || each.squeeze);
  if (!shown.length) return null;
  const most = Math.max(1, ...shown.map((each) => each.bits.high || 0));
  const { top, ticks } = niceScale(most);
  const squeezed = shown.filter((each) => each.squeeze);
  const proved = [summary.z ? `Z ${between(summary.z, share)}` : '', summary.tv ? `TV of masking and p_V ${between(summary.tv, plain)}` : ''].filter(Boolean).join(', ');
  return {
    sentence: `Bits that the mask takes on the way, −log2 of the product of its Z_t: dot at the median, bar over the middle half.${squeezed.length ? '' : ' Whether that squeezes is known only where exact rows bound s(y).'}${proved ? ` Means over the prompts, proved: ${proved}.` : ''}`,
    chart: [...gridded(shown.filter((each) => each.bits.n).map((each) => spreadRow(each.label, each.bits, [h('b', null, bits(each.bits.median)), h('small', null, spreadWords(each.bits))], (x) => x / top, labels)), ticks.length - 1), axis(ticks.map((each) => [each / top, each === top ? `${each} bits` : String(each)])), squeezed.length ? table('log2 s(y) of the texts that could be bounded: proved bounds on its mean; above 0, masking gives a text too often', ['method', 'texts', 'mean, bits', 'proved above 0', 'proved below 0'], squeezed.map(({ label, squeeze }) => [label, count(squeeze.mean.n), between(squeeze.mean, logit), count(squeeze.above), count(squeeze.below)])) : ''],
    table: table('Bits that the mask takes', ['method', 'outputs', 'mean', 'lower quartile', 'median', 'upper quartile'], shown.map((each) => [each.label, count(each.bits.n), ...['mean', 'low', 'median', 'high'].map((name) => (each.bits[name] === null ? '–' : bits(each.bits[name])))])),
  };
}

/** How Z, or the valid rate, spreads over the prompts. */
export function spreadParts({ summary, masses }, labels) {
  const places = Array.from({ length: 10 }, (_, at) => (at % 2 ? '' : `${10 * at} %`));
  const chart = [];
  const rows = [];
  if (masses.length) {
    const counts = binned(masses);
    chart.push(h('h4', null, 'Z by prompt: the middle of its proved bounds'), columns(counts, places));
    counts.forEach((each, at) => rows.push([`Z, ${10 * at} to ${10 * (at + 1)} %`, count(each)]));
  }
  for (const method of summary.methods) {
    if (!method.by_prompt.length) continue;
    const counts = new Array(10).fill(0);
    for (const { valid, draws, prompts } of method.by_prompt) counts[Math.min(9, Math.floor((10 * valid) / draws))] += prompts;
    chart.push(h('h4', null, `${method.label}: share of valid draws by prompt`), columns(counts, places, tone(method.label, labels)));
    method.by_prompt.forEach(({ valid, draws, prompts }) => rows.push([`${method.label}, ${valid} of ${draws} valid`, count(prompts)]));
  }
  if (!chart.length) return null;
  return { sentence: `How many prompts lie where: an easy set and a hard one can have the same mean. ${masses.length ? `Bounded at ${counted(masses.length, 'prompt')}.` : ''}`, chart, table: table('Prompts by share', ['share', 'prompts'], rows) };
}

/** Whether what the model finds unlikely, or denies, is wrong. */
export function alarmParts({ summary }) {
  const asked = summary.methods.some((each) => each.yes_auc.value !== null || each.yes_right.n || each.yes_wrong.n);
  const rows = summary.methods.map((each) => [each.label, each.mean_log_p.n ? `${logit(each.mean_log_p.mean)} nats` : '–', aucWords(each.log_p_auc), ...(asked ? [aucWords(each.yes_auc)] : [])]);
  const rung = summary.alarms.filter((each) => each.raised !== null).map((each) => {
    const { mean, lower, upper } = each.drop;
    const range = lower === null ? '' : ` (${logit(lower)} to ${logit(upper)}, Student’s t, approximate)`;
    return h('p', { class: 'st-alarm', 'data-raised': String(each.raised) }, h('b', null, each.raised ? 'Alarm' : 'No alarm'), `: the mean log p of a token of ${each.free} less that of ${each.constrained} is ${logit(mean)} nats${range}. Far above 0, the mask forces what the model finds unlikely.`);
  });
  if (!summary.alarms.length && !summary.gold) return null;
  return [
    ...rung, h('p', { class: 'st-sentence' }, 'AUC is the chance that a wrong answer looks worse than a right one: .5 tells nothing, 1 tells all; it needs two wrong and two right answers. Estimated; intervals by Newcombe, approximate.'),
    table('How well an alarm flags wrong answers', ['method', 'mean log p a token', 'AUC of low log p', ...(asked ? ['AUC of p(yes)'] : [])], rows),
  ];
}

/** Two methods at the same prompts. */
export function pairParts({ summary }) {
  if (!summary.pairs.length) return null;
  const words = (found) => (found.n ? `${points(found.difference, found.lower, found.upper)}, p ${found.p < 0.001 ? '< 0.001' : found.p.toFixed(3)}` : '–');
  return [h('p', { class: 'st-sentence' }, 'Difference of the rates of the first and the second, first draw of each prompt. Intervals by Tango’s score (approximate), p by McNemar’s exact test, each for one test: who looks at many must allow for it.'),
    table('Methods in pairs', ['pair', 'valid', 'right', 'right where both are valid'], summary.pairs.map((pair) => [[`${pair.a} − ${pair.b} `, h('small', null, salvageWords([pair.a, pair.b], summary.methods))], words(pair.valid), words(pair.right), words(pair.right_when_valid)]))];
}

/** Where constrained decoding and draws from p_V answer differently. open(where) shows one. */
export function apartParts({ summary }, open) {
  if (!summary.disagreements.length) return null;
  const sure = (right) => (right === null ? '' : right ? ' (right)' : ' (wrong)');
  const link = (where, right) => h('button', { type: 'button', class: 'pg-link', 'aria-label': `Prompt ${where.index + 1}, ${where.method}: open`, onclick: () => open(where) }, `${where.method}${sure(right)}`);
  return summary.disagreements.flatMap((pair) => [
    h('p', { class: 'st-sentence' }, apartSentence(pair)),
    pair.listed.length ? table(`Where ${pair.constrained} and ${pair.conditional} differ`, ['prompt', 'constrained', 'from p_V'], pair.listed.map((each) => [each.item, link(each.constrained, each.constrained_right), link(each.conditional, each.conditional_right)])) : null,
  ]).filter(Boolean);
}

/** Why outputs are no valid JSON, with an example of each. */
export function failureParts({ summary }, { open, list }) {
  const shown = summary.methods.filter((each) => each.failures.length);
  if (!shown.length) return null;
  const names = new Map();
  for (const method of shown) for (const each of method.failures) names.set(each.name, { words: each.words, advice: each.advice });
  const cell = (method, name) => {
    const found = method.failures.find((each) => each.name === name);
    if (!found) return '–';
    return [h('button', { type: 'button', class: 'pg-link', 'aria-label': `${found.words} by ${method.label}: list them`, onclick: () => list({ method: method.label, failure: name }) }, count(found.count)), found.refused < found.count ? h('small', null, `${count(found.refused)} refused`) : null,
      h('button', { type: 'button', class: 'pg-link', 'aria-label': `${found.words} by ${method.label}: an example`, onclick: () => open(found.example) }, 'example')];
  };
  return [h('p', { class: 'st-sentence' }, 'One class an output, the first thing to mend. What was salvaged counts here too, but isn’t refused. An output that max tokens cut off is classed here by the first thing to mend, so that ‘cut off’ counts differ from the outcomes above.'),
    table('Classes of invalid JSON', ['class', ...shown.map((each) => each.label)], [...names].map(([name, { words, advice }]) => [[words, h('small', { class: 'st-advice' }, advice)], ...shown.map((method) => h('span', { class: 'st-cell' }, cell(method, name)))]))];
}

/** Values that the source doesn't hold. */
export function sourceParts({ summary }) {
  const names = [...new Set(summary.methods.flatMap((each) => Object.keys(each.ungrounded)))];
  if (!names.length) return null;
  return [h('p', { class: 'st-sentence' }, 'Valid answers whose value stands nowhere in the prompt: the schema can’t see that.'), table(`Values not in the source; ${INTERVAL}`, ['method', ...names], summary.methods.map((each) => [each.label, ...names.map((name) => (each.ungrounded[name] ? rateWords(each.ungrounded[name]) : '–'))]))];
}

/** The recommendation with its reasons. */
export function adviceParts({ recommendation: found }) {
  return [h('p', { class: 'st-advice-title' }, found.title), h('ul', { class: 'st-reasons' }, found.reasons.map((each) => h('li', null, each.text))), h('p', { class: 'pg-quiet' }, 'A rule of thumb on q, the share of unconstrained outputs that are valid; no proof.')];
}

