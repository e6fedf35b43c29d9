// Changes to a toy model's table as plain values: each function takes a spec and gives a new one.

export const TOY_END = '<eos>';

const TOY_MOST_WEIGHT = 1e9;
const TOY_MOST_LOGIT = 1e4;

/** The tokens of a spec in the order of its columns, the end last. */
export function toyColumns(spec) {
  return [...spec.tokens.filter((each) => each !== TOY_END), TOY_END];
}

/** The number a rule gives a token: a weight (0 where none is given) or a logit (null where none is given: never drawn). */
export function toyValue(rule, token) {
  const given = (rule.logits || rule.p || {})[token];
  return given === undefined || given === null ? (rule.logits ? null : 0) : given;
}

/** What a rule's numbers come to: the probability of each column, summing to 1; null where they come to nothing. */
export function toyShares(rule, columns) {
  const values = columns.map((token) => toyValue(rule, token));
  const finite = values.filter((v) => v !== null && Number.isFinite(v));
  const top = Math.max(...finite);
  const raw = values.map((v) => (v === null || !Number.isFinite(v) ? 0 : rule.logits ? Math.exp(v - top) : Math.max(0, v)));
  const sum = raw.reduce((a, b) => a + b, 0);
  return sum > 0 ? raw.map((v) => v / sum) : columns.map(() => null);
}

/** A rule's condition in words. */
export function toyCondition(rule, isLast) {
  const parts = [];
  if (rule.position !== null && rule.position !== undefined) parts.push(`at position ${rule.position}`);
  if (rule.prefix !== null && rule.prefix !== undefined) parts.push(rule.prefix.length ? `after ${rule.prefix.map((each) => `“${each}”`).join(' ')}` : 'at the start');
  if (rule.last !== null && rule.last !== undefined) parts.push(`when the last token is “${rule.last}”`);
  if (parts.length) return parts.join(' and ');
  return isLast ? 'otherwise' : 'always';
}

function toyRules(spec, change) {
  return { ...spec, rules: spec.rules.map(change).filter(Boolean) };
}

function toyTable(rule) {
  return rule.logits ? 'logits' : 'p';
}

/** `spec` with one number changed; null removes it. */
export function toySet(spec, index, token, value) {
  return toyRules(spec, (rule, i) => {
    if (i !== index) return rule;
    const table = { ...rule[toyTable(rule)] };
    if (value === null) delete table[token];
    else table[token] = value;
    return { ...rule, [toyTable(rule)]: table };
  });
}

/** `spec` with one more token, whose weight is 0 everywhere until it is set. */
export function toyAddToken(spec, token) {
  return { ...spec, tokens: [...spec.tokens.filter((each) => each !== TOY_END), token] };
}

/** `spec` with a token renamed in its tables and conditions. */
export function toyRenameToken(spec, from, to) {
  const name = (each) => (each === from ? to : each);
  const table = (given) => (given ? Object.fromEntries(Object.entries(given).map(([key, value]) => [name(key), value])) : given);
  return { ...toyRules(spec, (rule) => ({ ...rule, last: rule.last === from ? to : rule.last, prefix: rule.prefix ? rule.prefix.map(name) : rule.prefix, p: table(rule.p), logits: table(rule.logits) })),
    tokens: spec.tokens.map(name) };
}

/** `spec` without a token, and without the rules whose condition names it. */
export function toyRemoveToken(spec, token) {
  const table = (given) => (given ? Object.fromEntries(Object.entries(given).filter(([key]) => key !== token)) : given);
  return { ...toyRules(spec, (rule) => (rule.last === token || (rule.prefix || []).includes(token) ? null : { ...rule, p: table(rule.p), logits: table(rule.logits) })),
    tokens: spec.tokens.filter((each) => each !== token) };
}

/** `spec` with a rule for a condition {prefix | last | position}, before the last rule, whose numbers it starts from. */
export function toyAddRule(spec, condition) {
  const otherwise = spec.rules[spec.rules.length - 1];
  const table = toyTable(otherwise);
  const rule = { prefix: null, last: null, position: null, ...condition, [table]: { ...otherwise[table] } };
  return { ...spec, rules: [...spec.rules.slice(0, -1), rule, otherwise] };
}

/** `spec` without a rule; the last one, which has no condition, stays. */
export function toyRemoveRule(spec, index) {
  return index === spec.rules.length - 1 ? spec : toyRules(spec, (rule, i) => (i === index ? null : rule));
}

/** Why a name can't be a token of `spec`, or null; `except` is the token being renamed. */
export function toyNameProblem(spec, name, except = null) {
  if (name === '') return 'A token needs some text.';
  if (name === TOY_END) return `${TOY_END} is the end of the run; every toy has it already.`;
  if (name !== except && spec.tokens.includes(name)) return 'There is a token with this text already.';
  return null;
}

/** A typed number: {value} or {problem}. An empty weight is 0; an empty logit is null, never drawn. */
export function toyNumber(text, isLogit) {
  const trimmed = text.trim().replace(',', '.').replace('−', '-');
  if (trimmed === '') return { value: isLogit ? null : 0 };
  const value = Number(trimmed);
  if (!Number.isFinite(value)) return { problem: `“${text.trim().slice(0, 20)}” is not a number.` };
  if (!isLogit && value < 0) return { problem: 'A weight can’t be below 0.' };
  const most = isLogit ? TOY_MOST_LOGIT : TOY_MOST_WEIGHT;
  if (Math.abs(value) > most) return { problem: `At most ${most.toLocaleString('en')} is accepted.` };
  return { value };
}

/** The rules whose numbers come to nothing, as indexes. */
export function toyEmptyRules(spec) {
  const columns = toyColumns(spec);
  return spec.rules.flatMap((rule, i) => (toyShares(rule, columns)[0] === null ? [i] : []));
}

/** A token path given as ids of `before`, as ids of `after`: cut where a token is gone. Ids follow the columns. */
export function toyPath(ids, before, after, renamed = {}) {
  const from = toyColumns(before);
  const to = toyColumns(after);
  const path = [];
  for (const id of ids) {
    const name = from[id];
    const found = to.indexOf(renamed[name] === undefined ? name : renamed[name]);
    if (name === undefined || found < 0) break;
    path.push(found);
  }
  return path;
}

/** The cell {rule, token} that a server's message points at ("toy.rules.1.p.y", "rule 2, p, token 'y'"), or null. */
export function toyPlace(where) {
  const dotted = /\brules\.(\d+)(?:\.(?:p|logits)\.(.+))?/.exec(where || '');
  if (dotted) return { rule: Number(dotted[1]), token: dotted[2] === undefined ? null : dotted[2] };
  const worded = /\brule (\d+)(?:.*\btoken '(.+)')?/.exec(where || '');
  return worded ? { rule: Number(worded[1]) - 1, token: worded[2] === undefined ? null : worded[2] } : null;
}

/** A spec as a text that is equal for equal tables, whatever was left out or null. */
export function toyKey(spec) {
  const table = (given) => (given ? Object.entries(given).filter(([, v]) => v !== null && v !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)) : null);
  const rules = spec.rules.map((rule) => [rule.prefix ?? null, rule.last ?? null, rule.position ?? null, table(rule.p), table(rule.logits)]);
  return JSON.stringify([spec.name, toyColumns(spec), rules]);
}
