// A matrix of costs: what a wrong decision costs, by truth and decision, and what it costs to abstain. No page here.

export const MOST_COST = 1_000_000;

/** 0 for a right decision, 1 for a wrong one. */
export function usualCosts(n) {
  return Array.from({ length: n }, (_, truth) => Array.from({ length: n }, (_, decided) => (truth === decided ? 0 : 1)));
}

/** A cost as it was typed: {value} or {wrong: words}. */
export function parseCost(text) {
  const trimmed = text.trim().replace('−', '-');
  if (trimmed === '') return { wrong: 'A cost is missing: write a number, 0 where nothing is lost, below 0 for a gain.' };
  if (/^[+-]?\d+,\d+$/.test(trimmed)) return { wrong: `${trimmed} has a comma: write ${trimmed.replace(',', '.')}.` };
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN;
  if (!Number.isFinite(value)) return { wrong: `“${trimmed.slice(0, 20)}” is no number: write one from −${MOST_COST.toLocaleString('en')} to ${MOST_COST.toLocaleString('en')}.` };
  if (Math.abs(value) > MOST_COST) return { wrong: `A cost is at most ${MOST_COST.toLocaleString('en')} either way; below 0 it is a gain.` };
  return { value };
}

/** The matrix and the cost to abstain as typed: {costs, abstain} or {wrong: words, place: [truth, decided] | 'abstain'}, the first that is wrong. */
export function parseCosts(texts, abstainText, options) {
  const costs = [];
  for (const [truth, row] of texts.entries()) {
    costs.push([]);
    for (const [decided, text] of row.entries()) {
      const { value, wrong } = parseCost(text);
      if (wrong) return { wrong: `True ${options[truth]}, decided ${options[decided]}: ${wrong}`, place: [truth, decided] };
      costs[truth].push(value);
    }
  }
  const { value, wrong } = parseCost(abstainText);
  if (wrong) return { wrong: `Abstain: ${wrong}`, place: 'abstain' };
  return { costs, abstain: value };
}

/** The expected cost of each decision under a law over the truth: (n) and, last, of abstaining. */
export function expectedCosts(law, costs, abstain) {
  return [...law.map((_, decided) => law.reduce((sum, p, truth) => sum + p * costs[truth][decided], 0)), abstain];
}

/** What is wrong in principle with costs that are numbers, in words; '' for nothing. */
export function costsAdvice(costs, abstain) {
  const odd = costs.some((row, truth) => row.some((cost, decided) => decided !== truth && cost < row[truth]));
  if (odd) return 'In one row a wrong decision costs less than the right one: the policy will prefer it.';
  const most = Math.max(...costs.flat());
  if (abstain <= 0 && most > 0) return 'Abstaining is free: the policy abstains wherever it isn’t sure.';
  if (abstain >= most) return 'Abstaining costs as much as the worst mistake: the policy never abstains.';
  return '';
}

/** The point of a curve at a threshold: the last one whose threshold isn't above it; null for an empty curve. */
export function pointAt(curve, threshold) {
  const below = curve.filter((each) => each.threshold <= threshold + 1e-9);
  const key = (each) => each.threshold;
  if (below.length) return below.reduce((best, each) => (key(each) >= key(best) ? each : best));
  return curve.length ? curve.reduce((best, each) => (key(each) < key(best) ? each : best)) : null;
}
