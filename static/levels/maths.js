// The three levels of guarantee as arithmetic: failures, attempts, milliseconds, calls. The formulas of playground/study/levels.py, here so
// that an input answers at once; a test holds them to a table printed by that module. No page here.

/** How many times fewer outputs fail at the valid rate `after` than at `before`, both in [0, 1]; Infinity where none fails any more, 1
 *  where none did before either. */
export function fewerFailures(before, after) {
  if (after === 1) return before === 1 ? 1 : Infinity;
  return (1 - before) / (1 - after);
}

/** Milliseconds of one attempt: the prompt is read, then so many steps one after another. */
export function latency(steps, msPerStep, prefillMs = 0) {
  return prefillMs + steps * msPerStep;
}

/** 1 / q: attempts up to the first valid one, in the mean, if they are independent; Infinity at 0. */
export function expectedAttempts(q) {
  return q > 0 ? 1 / q : Infinity;
}

/** 1 - (1 - q)^n: the chance of at least one valid in n independent attempts. */
export function someValid(q, n) {
  if (q === 1) return n ? 1 : 0;
  return -Math.expm1(n * Math.log1p(-q));
}

/** (1 - q)^n: the chance that n independent attempts give nothing valid. */
export function noneValid(q, n) {
  if (q === 1) return n ? 0 : 1;
  return Math.exp(n * Math.log1p(-q));
}

/** The fewest attempts with a valid one at a chance of at least `chance`, in [0, 1); Infinity at q = 0. */
export function attemptsFor(q, chance) {
  if (chance === 0) return 0;
  if (q <= 0) return Infinity;
  return q >= 1 ? 1 : Math.ceil(Math.log(1 - chance) / Math.log1p(-q) - 1e-9);
}

/** (1 - (1 - q)^n) / q: attempts in the mean where the first valid one ends them and the n-th does so in any case; n at q = 0. */
export function meanAttempts(q, n) {
  return q > 0 ? Math.min(n, someValid(q, n) / q) : n;
}

/** Most attempts one after another within both budgets; null where neither limits them. A null budget has no limit. */
export function attemptsThatFit(attemptMs, budgetMs = null, budgetCalls = null) {
  const limits = [];
  // 40 x 0.1 ms are 4 ms, not more than 4 ms: floats get a last digit of grace.
  if (budgetMs !== null && attemptMs > 0) limits.push(Math.floor((budgetMs / attemptMs) * (1 + 1e-12)));
  if (budgetCalls !== null) limits.push(budgetCalls);
  return limits.length ? Math.min(...limits) : null;
}

/** r^n of an interval {lower, upper}: the chance that all of n independent steps succeed. */
export function reliability({ lower, upper }, n) {
  return { lower: lower ** n, upper: upper ** n };
}

/** A value without doubt, as an interval. */
export function point(value) {
  return { lower: value, upper: value };
}

function mathsWhy(most, inARow, attemptMs, { ms, calls }) {
  if (calls !== null && most > calls) return { kind: 'calls', needs: most, has: calls };
  const fit = attemptsThatFit(attemptMs, ms);
  if (fit === null || inARow <= fit) return null;
  return fit === 0 ? { kind: 'one', needs: attemptMs, has: ms } : { kind: 'ms', needs: inARow * attemptMs, has: ms, fit, inARow };
}

/** The levels within a budget, reckoned on attempts that are independent and have the same q.
 *  q, prefilled, constrained: intervals {lower, upper} of valid rates, the last two null where they aren't known; steps of one output;
 *  budget: {ms, calls (null: no limit), msPerStep, prefillMs}; attempts: most of a retry, and the runs side by side.
 *  Returns [{level, valid, meanCalls, mostCalls, meanMs, mostMs, why}]; why is null where the level fits even at its worst, else
 *  {kind: 'calls' | 'one' | 'ms', needs, has, ...}. */
export function plans(q, steps, budget, { attempts = 3, prefilled = null, constrained = null } = {}) {
  const attemptMs = latency(steps, budget.msPerStep, budget.prefillMs);
  const once = point(1);
  const retries = { lower: meanAttempts(q.upper, attempts), upper: meanAttempts(q.lower, attempts) };
  const several = { lower: someValid(q.lower, attempts), upper: someValid(q.upper, attempts) };
  const rows = [['1', q, once, 1, 1]];
  if (prefilled) rows.push(['1.5', prefilled, once, 1, 1]);
  rows.push(['2', several, retries, attempts, attempts], ['parallel', several, point(attempts), attempts, 1], ['3', constrained || once, once, 1, 1]);
  return rows.map(([level, valid, meanCalls, mostCalls, inARow]) => {
    const mean = inARow > 1 ? meanCalls : once;
    return { level, valid, meanCalls, mostCalls, meanMs: { lower: mean.lower * attemptMs, upper: mean.upper * attemptMs }, mostMs: inARow * attemptMs, why: mathsWhy(mostCalls, inARow, attemptMs, budget) };
  });
}
