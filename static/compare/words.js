// What the Compare screen says of a comparison: numbers with their bounds, rows of the chart, sentences. No page here.

import { bits, count, counted, odds, plain, visible } from '../stage/format.js';

const WORDS_LABEL = 22;
const WORDS_WILSON = 1.959963984540054;
// An exact law stands as a bar by itself; a bracket wider than this is shown beside the draws.
const WORDS_NARROW = 0.05;
const WORDS_OPEN = 0.02;
// What a sum of bounds leaves by rounding alone.
const WORDS_ROUNDING = 1e-9;

export const STATUS_WORDS = {
  exact: 'Every valid prefix was opened; the rest is floating point.',
  bounded: 'Proved: the number lies between the bounds. More model rows make them tighter.',
  estimated: 'From the draws. The interval, where there is one, holds the truth 95 times in 100.',
  measured: 'Measured once, on this machine.',
  off: 'Not shown, with the reason.',
};

/** Said instead of numbers where no valid text has any mass. */
export const NO_LAW = 'Nothing valid has any mass under the model, so p_V does not exist.';

/** Whether the search has proved that there is no p_V. */
export function lawless(exact) {
  return Boolean(exact && exact.Z) && exact.Z.upper === 0;
}

/** The run of a text to show: the one that masking gives most often, else the likeliest under p. {path, tokens, log_p, log_masked, bits,
 *  squeeze, often, runs}; log_masked and squeeze are null where they are not known of this run. */
export function shownRun(text) {
  if (text.drawn) return { ...text.drawn, often: true, runs: text.runs };
  const { path, tokens, log_p, bits: paid, squeeze, runs } = text;
  return { path, tokens, log_p, bits: paid, log_masked: null, squeeze: runs === 1 ? squeeze : null, often: false, runs };
}

/** Which run of a text that is, as words: "its one run found", "the run that masking gives most often, of 7 found". */
export function runWords({ often, runs }) {
  if (runs === 1) return 'its one run found';
  return often ? `the run that masking gives most often, of ${count(runs)} found` : `its likeliest run, of ${count(runs)} found`;
}

/** What works where rejection starves and the proof stays wide. */
export const INSTEAD = ['masked', 'importance', 'cars', 'conditional'];

/** The middle of an interval; its one finite end where the other is infinite; null for no interval. */
export function middle(interval) {
  if (!interval) return null;
  const { lower, upper } = interval;
  if (lower === null || upper === null) return lower === null ? upper : lower;
  const at = (lower + upper) / 2;
  // 0.1 widened by its rounding reads 0.1 again.
  const short = Number(at.toPrecision(9));
  return short >= lower && short <= upper ? short : at;
}

/** The width of an interval; infinite where an end is. */
export function width(interval) {
  return !interval || interval.lower === null || interval.upper === null ? Infinity : interval.upper - interval.lower;
}

/** "0.083" where both ends print alike, else "0.081 to 0.085"; "≥ 0.2" where the upper end is infinite. */
export function span(interval, print = plain) {
  if (!interval || (interval.lower === null && interval.upper === null)) return '–';
  if (interval.upper === null) return `≥ ${print(interval.lower)}`;
  // Bounds that floating point alone keeps apart: 0.0999999 and 0.1000001 are one number.
  if (interval.lower !== null && interval.upper - interval.lower <= 1e-7 * Math.abs(interval.upper)) return print(middle(interval));
  const [low, high] = [print(interval.lower === null ? 0 : interval.lower), print(interval.upper)];
  return low === high ? low : `${low} to ${high}`;
}

/** Both ends in full, for a title. */
export function spanTitle(interval) {
  if (!interval) return '';
  const end = (x) => (x === null ? '∞' : String(Number(x.toPrecision(7))));
  return `${end(interval.lower)} to ${end(interval.upper)}`;
}

/** A number that may pass 1, such as a ratio or a number of tries: "3.98", "148", "470,000", "2.1 million". */
export function amount(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === Infinity) return '∞';
  if (x < 1) return plain(x);
  if (x < 10) return String(Number(x.toFixed(2)));
  if (x < 100) return String(Number(x.toFixed(1)));
  if (x < 1e4) return count(x);
  return odds(1 / x).replace('1 in ', '');
}

/** Nats as "1.965". */
export function nats(x) {
  if (x === 0) return '0';
  return x < 0.0005 ? '< 0.001' : x.toFixed(3);
}

/** Wilson's 95 % interval of `k` among `n` draws, as the server computes it. */
export function wilson(k, n) {
  if (!n) return { lower: 0, upper: 1 };
  const z2 = WORDS_WILSON ** 2;
  const at = k / n;
  const centre = (at + z2 / (2 * n)) / (1 + z2 / n);
  const half = (WORDS_WILSON / (1 + z2 / n)) * Math.sqrt((at * (1 - at)) / n + z2 / (4 * n * n));
  return { lower: Math.max(0, Math.min(at, centre - half)), upper: Math.min(1, Math.max(at, centre + half)) };
}

/** The chip of a sample: VALID, INCOMPLETE, INVALID, with a sentence. */
export function sampleVerdict(sample, accept = 'language') {
  if (!sample) return { status: 'none', word: 'NO DRAW YET', words: '' };
  const judge = { language: 'the constraint', schema: 'the full schema', salvaged: 'the schema after salvage', syntax: 'JSON syntax' }[accept];
  if (sample.thought && sample.thought.answer === null && sample.outcome !== 'truncated' && sample.outcome !== 'dead_end') return { status: 'invalid', word: 'NO ANSWER', words: 'No span was closed: there is no answer.' };
  if (sample.thought && sample.accepted) return { status: 'valid', word: 'VALID', words: `The answer, marked in the run, fits ${judge}.` };
  if (sample.accepted) return { status: 'valid', word: 'VALID', words: `The text is complete and fits ${judge}.` };
  if (sample.outcome === 'truncated') return { status: 'incomplete', word: 'INCOMPLETE', words: 'Cut at max tokens: incomplete, not invalid.' };
  if (sample.outcome === 'dead_end') return { status: 'incomplete', word: 'INCOMPLETE', words: 'No token could continue: a dead end.' };
  const at = accept === 'language' && Number.isInteger(sample.offset) ? sample.offset + 1 : null;
  if (at === null) return { status: 'invalid', word: 'INVALID', words: `The text does not fit ${judge}.` };
  return { status: 'invalid', word: `INVALID at byte ${at}`, words: `From byte ${at} on, the text is no beginning of a valid one.` };
}

/** A text as a label: blanks visible, cut. */
export function textLabel(text, letters = WORDS_LABEL) {
  const shown = [...visible(text)];
  if (!shown.length) return '∅ (empty text)';
  return shown.length <= letters ? shown.join('') : `${shown.slice(0, letters - 1).join('')}…`;
}

/** Labels of several texts, each its own: of JSON objects the values, since the keys are the same in all. */
export function textLabels(texts) {
  const values = texts.map((text) => {
    try {
      const parsed = JSON.parse(text);
      return parsed && typeof parsed === 'object' && !Array.isArray(parsed) && Object.keys(parsed).length ? Object.values(parsed).map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' · ') : null;
    } catch {
      return null;
    }
  });
  const all = values.length > 0 && values.every((each) => each !== null);
  const seen = new Map();
  return texts.map((text, i) => {
    const label = all ? textLabel(values[i], WORDS_LABEL - 4).replaceAll('␣', ' ') : textLabel(text, WORDS_LABEL - 4);
    const before = seen.get(label) || 0;
    seen.set(label, before + 1);
    // Texts that differ in blanks, or past the cut.
    return before ? `${label} (${before + 1})` : label;
  });
}

function wordsSeries(value, interval, how, more = {}) {
  return { value, lower: interval ? interval.lower : null, upper: interval ? interval.upper : null, how, ...more };
}

function wordsProved(interval, status) {
  return interval ? wordsSeries(middle(interval), interval, status === 'exact' ? 'exact' : 'bounded') : null;
}

/** What is drawn of a law: the proved one where it is narrow or nothing was drawn, else the share of the draws. */
function wordsBest(proved, drawn) {
  if (!proved) return drawn;
  return !drawn || proved.upper - proved.lower <= WORDS_NARROW ? proved : drawn;
}

// The draws that a share is counted among: of what discards some, those kept.
function wordsCounted(method) {
  return ['conditional', 'other'].includes(method.target) ? method.accepted : method.draws;
}

function wordsShare(method, row) {
  if (!method || !method.draws || !row) return null;
  // A text that was not drawn has an interval too, as long as the draws are independent, of a stated law, and counted, not weighed.
  const of = wordsCounted(method);
  const claims = !method.weighted && (method.target !== 'conditional' || method.exact_law !== false);
  const interval = !claims ? null : row.count === 0 ? wilson(0, of) : row.p;
  return wordsSeries(row.value, interval, 'estimated', { count: row.count, of, kept: of !== method.draws });
}

/** What a draw of a method that states its own law has cost: "2.4 attempts and 61 tokens a draw, 140 tokens a valid answer."; '' for the others. */
export function spentWords(method) {
  if (method.target !== 'other' || !method.draws || !Number.isFinite(method.spent)) return '';
  const attempts = method.attempts > method.draws ? `${amount(method.attempts / method.draws)} attempts and ` : '';
  const valid = method.accepted ? `${amount(method.spent / method.accepted)} tokens a valid answer` : 'no valid answer yet';
  return `${attempts}${amount(method.spent / method.draws)} tokens a draw, ${valid}.`;
}

/** The problem that a method's draw is opened with in Step: its own method there. */
export function stepProblem(problem, name) {
  const method = { 'json-mode': 'json-mode', think: 'think', retry: 'unconstrained' }[name];
  return method ? { ...problem, method } : problem;
}

/** The methods whose accepted draws stand for p_V, with at least one, by name. */
export function triedMethods(doc) {
  return Object.entries(doc.methods).filter(([, method]) => ['conditional', 'other'].includes(method.target) && method.accepted > 0).map(([name]) => name);
}

/** The rows of the outcome chart, each {key, kind, label, text, found, model, masked, exact, tried: [{name, title, ...}]}; a series is
 *  {value, lower, upper, how: exact|bounded|estimated} or null. `found` is the text in the proof, or null. */
export function outcomeRows(doc) {
  const { exact, methods } = doc;
  const tried = triedMethods(doc);
  const proved = new Map((exact ? exact.texts : []).map((each) => [each.text, each]));
  const status = exact ? exact.status : 'bounded';
  const { masked, unconstrained } = methods;
  const labels = textLabels(doc.outcomes);
  const rows = doc.outcomes.map((text, i) => {
    const found = proved.get(text) || null;
    return {
      key: `text:${text}`, kind: 'text', text, label: labels[i], found,
      model: wordsBest(found && wordsProved(found.p, status), wordsShare(unconstrained, unconstrained && unconstrained.texts[i])),
      masked: wordsBest(found && wordsProved(found.masked, status), wordsShare(masked, masked && masked.texts[i])),
      exact: found && !lawless(exact) ? wordsProved(found.p_V, status) : null,
      tried: tried.map((name) => ({ name, title: methods[name].title, ...wordsShare(methods[name], methods[name].texts[i]) })),
    };
  });
  const special = (kind, label, series) => {
    const row = { key: kind, kind, text: null, label, found: null, model: null, masked: null, exact: null, tried: [], ...series };
    const most = Math.max(0, ...[row.model, row.masked, row.exact, ...row.tried].map((each) => (each ? each.value : 0)));
    if (most > 0) rows.push(row);
  };
  const other = (method) => (method && method.draws ? wordsSeries(method.other.p, null, 'estimated', { count: method.other.count, of: wordsCounted(method), kept: wordsCounted(method) !== method.draws }) : null);
  const rest = (law) => {
    if (!exact || (law === 'p_V' && lawless(exact))) return null;
    const sum = (end) => doc.outcomes.reduce((total, text) => total + (proved.has(text) ? proved.get(text)[law][end] : 0), 0);
    const gone = law === 'masked' ? exact.cut + exact.dead : 0;
    const clean = (x) => (x < WORDS_ROUNDING ? 0 : x);
    const left = { lower: clean(1 - sum('upper') - gone - (law === 'masked' ? exact.open_masked : 0)), upper: clean(1 - sum('lower') - gone) };
    // What a closed search leaves open is no outcome.
    return exact.others > 0 || left.upper > WORDS_OPEN ? wordsProved(left, status) : null;
  };
  special('other', 'other texts', {
    model: other(unconstrained), masked: wordsBest(rest('masked'), other(masked)), exact: rest('p_V'),
    tried: tried.map((name) => ({ name, title: methods[name].title, ...other(methods[name]) })),
  });
  const ended = (name) => (method) => (method && method.draws ? wordsSeries(method[name].count / method.draws, method[name].p, 'estimated', { count: method[name].count, of: method.draws }) : null);
  const unfinished = ended('unfinished');
  const invalid = ended('invalid');
  const cut = exact && exact.cut + exact.dead;
  special('unfinished', 'not finished', { model: unfinished(unconstrained), masked: wordsBest(exact && wordsProved({ lower: cut, upper: Math.min(1, cut + exact.open_masked) }, status), unfinished(masked)) });
  special('invalid', 'invalid', { model: invalid(unconstrained), masked: doc.accept === 'language' ? null : invalid(masked) });
  return rows;
}

/** A series of a row as words: "0.083 (exact)", "0.15 (95 %: 0.08 to 0.21, 3 of 20 draws)", or "3 of 20 kept" where others were discarded. */
export function seriesWords(series) {
  if (!series) return '–';
  if (series.how === 'exact') return `${span(series)} (exact)`;
  if (series.how === 'bounded') return `${span(series)} (bounded)`;
  const drawn = series.count === undefined ? '' : series.of === undefined ? counted(series.count, 'draw') : `${count(series.count)} of ${series.kept ? `${count(series.of)} kept` : counted(series.of, 'draw')}`;
  const range = series.lower === null ? 'estimated, no coverage claimed' : `95 %: ${span(series)}`;
  return `${plain(series.value)} (${[range, drawn].filter(Boolean).join(', ')})`;
}

/** The squeeze of a text in words: masking gives it so many times as often as it should. */
export function squeezeWords(squeeze) {
  if (!squeeze) return '';
  const at = middle(squeeze);
  if (at === null) return 'not known';
  const number = span(squeeze, amount);
  if (squeeze.upper === null || (squeeze.lower < 0.9 && squeeze.upper > 1.1)) return `${number} times: not settled yet`;
  if (squeeze.lower !== null && squeeze.lower > 1.0001) return `${number} times too often`;
  if (squeeze.upper !== null && squeeze.upper < 0.9999) return `${number} times as often as it should be`;
  return `${number}: about as often as it should be`;
}

/** What became of plain draws: {words, zero}. `q` is the comparison's `q`; `waiting`: plain draws are being made. */
export function costWords(q, waiting = false) {
  const tried = q.acceptance;
  if ((!tried || !tried.n) && waiting) return { words: 'Plain draws are under way: none has come back yet.', zero: false };
  if (!tried || !tried.n) return { words: 'No plain draws yet: choose Unconstrained or Rejection to see what a valid text costs.', zero: false };
  if (tried.value === 0) return { words: `0 of ${count(tried.n)} kept: q < ${percent(tried.upper)} (95 %, Clopper-Pearson).`, zero: true };
  const most = tried.lower > 0 ? amount(1 / tried.lower) : '∞';
  return { words: `1 valid in ${amount(1 / tried.value)} tries (95 %: ${amount(1 / tried.upper)} to ${most}; ${count(tried.n)} draws).`, zero: false };
}

/** A small chance in percent with two significant digits: "0.37 %". */
export function percent(p) {
  if (p >= 0.1) return `${(100 * p).toFixed(1)} %`;
  return `${Number((100 * p).toPrecision(2))} %`;
}

/** Whether a proof is too wide to read numbers off it. */
export function isWide(exact) {
  return Boolean(exact) && exact.status !== 'exact' && !lawless(exact) && (exact.Z.upper > 1.1 * Math.max(exact.Z.lower, 1e-300) || width(exact.tv) > 0.1);
}

const WORDS_STOPPED = {
  complete: 'Every valid text was found.',
  tolerance: 'Ended at its tolerance: what is left open is under 1 %.',
  rows: 'Ended at its budget of model rows.',
  seconds: 'Ended at its budget of time.',
  memory: 'Ended at its bound on memory.',
  cancelled: 'Stopped by you; what was proved is kept.',
};

// What the methods that don't need the proof have come to: sentences, none where there is nothing to say.
function wordsTakeover(doc) {
  const tried = ['cars', 'conditional'].map((name) => doc.methods[name]).filter((method) => method && method.draws > 0);
  const of = (method) => `${count(method.draws)}${method.done ? '' : ' so far'}`;
  const own = doc.accept === 'language' ? ': the shares of what it kept estimate p_V' : '';
  const { weights } = doc.q;
  return [
    ...tried.map((method) => (method.accepted ? `${method.title} kept ${count(method.accepted)} of ${of(method)}${own}.` : `${method.title} kept none of ${of(method)}.`)),
    ...(weights ? [`Weighted constrained samples estimate Z by ${plain(weights.value)} (estimated; 95 %: ${span(weights)}; ${counted(weights.n, 'draw')}).`] : []),
  ];
}

/** What ended the search, what takes over where its bounds are wide, and whether to offer a run of what could: {ended, next, offer}. */
export function searchWords(doc, running) {
  const { exact } = doc;
  if (!exact) return { ended: running ? 'The search has not answered yet.' : 'No search was made.', next: '', offer: false };
  const ended = exact.stopped ? WORDS_STOPPED[exact.stopped] || `Ended: ${exact.stopped}.` : `Searching: ${counted(exact.rows_used, 'row')} so far.`;
  if (!exact.stopped || !isWide(exact)) return { ended, next: '', offer: false };
  const others = wordsTakeover(doc);
  const estimated = Boolean(doc.q.weights) || ['cars', 'conditional'].some((name) => doc.methods[name] && doc.methods[name].accepted > 0);
  return { ended, next: [`Wide bounds after ${counted(exact.rows_used, 'row')}.`, ...others].join(' '), offer: !running && !estimated && INSTEAD.some((name) => !doc.methods[name]) };
}

/** A method's distance from p_V as a number: the estimate with the range that the open mass leaves it, or the bounds; '' where it is off. */
export function distanceWords({ value, lower, upper, status }) {
  if (status === 'off') return '';
  const range = span({ lower, upper });
  if (value === undefined || value === null) return range;
  const at = plain(value);
  return range === at ? at : `${at} (${range})`;
}

/** The sentence of a method that ended at its own bound on attempts; '' for any other. */
export function limitWords(method, n) {
  return method.limited ? `Limit of attempts reached: ${count(method.accepted)} of ${count(n)} kept, after ${counted(method.draws, 'attempt')}.` : '';
}

/** The distance of p~ from p_V for the head of the page: {tv, kl, status, why}; tv and kl are intervals or null. */
export function headDistance(doc) {
  if (doc.accept !== 'language') return { tv: null, kl: null, status: 'off', why: 'Another judge accepts here, so the accepted draws have another law than p_V.' };
  if (!doc.exact) return { tv: null, kl: null, status: 'off', why: doc.done ? 'No search for p_V was made.' : 'The search for p_V has not answered yet.' };
  if (doc.exact.Z.upper === 0) return { tv: null, kl: null, status: 'off', why: NO_LAW };
  const { tv, kl, status } = doc.exact;
  return { tv, kl, status, why: STATUS_WORDS[status] };
}

/** Where two runs part: the index of the first token that differs, or null where they are equal. */
export function parting(left, right) {
  const n = Math.max(left.length, right.length);
  for (let i = 0; i < n; i += 1) if (left[i] !== right[i]) return i;
  return null;
}

/** The two runs of the divergence strip: {left, right} as [name, method], or null. */
export function strips(doc) {
  const sampled = (name) => (doc.methods[name] && doc.methods[name].sample ? [name, doc.methods[name]] : null);
  const left = sampled('masked') || sampled('engine-order');
  const right = ['unconstrained', 'rejection', 'first-valid', 'cars', 'conditional'].map(sampled).find(Boolean);
  return left && right ? { left, right } : null;
}

/** The problem in one line. */
export function problemWords(problem) {
  const { sampling, constraint } = problem;
  const model = problem.toy ? `toy ${problem.toy.name}` : problem.model.replace(/^toy:/, 'toy ');
  const filters = [sampling.top_k > 0 ? `top-k ${sampling.top_k}` : '', sampling.top_p < 1 ? `top-p ${sampling.top_p}` : ''].filter(Boolean);
  const kind = { free: 'no constraint', regex: 'regex', choices: 'choices', schema: 'JSON Schema', pydantic: 'Pydantic', type: 'type', grammar: 'grammar', tool: 'tool call' }[constraint.kind] || constraint.kind;
  return { model, kind, source: constraint.kind === 'free' ? '' : textLabel(constraint.source.replace(/\s+/g, ' '), 48), prompt: problem.prompt ? textLabel(problem.prompt, 72).replaceAll('␣', ' ') : '',
    settings: [`temperature ${sampling.temperature}`, ...filters, `max ${counted(problem.max_tokens, 'token')}`, `seed ${sampling.seed}`, ...(problem.heal ? ['the prompt’s last token rewritten'] : [])].join(', ') };
}

/** Bits of a list of steps, null where one is infinite. */
export function bitsSum(list) {
  return list.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}

/** The step of a run that cost most: where it is worth opening. */
export function dearest(list) {
  return list.reduce((best, each, i) => ((each === null ? Infinity : each) > (list[best] === null ? Infinity : list[best]) ? i : best), 0);
}

/** KL in nats and bits as words. */
export function klWords(kl) {
  if (!kl) return { nats: '–', bits: '' };
  return { nats: `${span(kl, nats)} nats`, bits: span({ lower: kl.lower === null ? null : kl.lower / Math.LN2, upper: kl.upper === null ? null : kl.upper / Math.LN2 }, (x) => bits(x).replace(' bits', '')) + ' bits' };
}
