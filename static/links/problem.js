// A problem in a link: only what differs from the usual one, or from an example that is named. No page here.

import { misfit } from './pack.js';

const PROBLEM_PARTS = ['constraint', 'sampling', 'markers'];
const PROBLEM_LONGEST = 120000;

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/** The fields of `problem` that `base` has otherwise; of constraint, sampling and markers, only their fields. */
export function difference(base, problem) {
  const found = {};
  for (const [name, value] of Object.entries(problem)) {
    if (same(base[name], value)) continue;
    found[name] = PROBLEM_PARTS.includes(name) ? Object.fromEntries(Object.entries(value).filter(([part, each]) => !same(base[name][part], each))) : value;
  }
  return found;
}

/** `base` with such a difference over it. */
export function over(base, partial) {
  const parts = Object.fromEntries(PROBLEM_PARTS.filter((name) => Object.hasOwn(partial, name)).map((name) => [name, { ...base[name], ...partial[name] }]));
  return { ...base, ...partial, ...parts };
}

/** The problem part of a link: {d: [example, its mark], p: what differs}, the shortest. examples: {usual, demos: {slug: {mark, problem}}},
 *  as playground/links.py gives them. edited: whether the problem's toy is not the one that its name stands for. */
export function problemPart(problem, edited, { usual, demos }) {
  const whole = { ...problem, toy: edited ? problem.toy : null };
  const parts = [{ p: difference(usual, whole) }];
  for (const [slug, { mark, problem: partial }] of Object.entries(demos)) {
    const demo = over(usual, partial);
    if (demo.model === whole.model) parts.push({ d: [slug, mark], p: difference(demo, whole) });
  }
  const short = parts.map(({ d, p }) => ({ ...(d ? { d } : {}), ...(Object.keys(p).length ? { p } : {}) }));
  return short.reduce((best, each) => (JSON.stringify(each).length < JSON.stringify(best).length ? each : best));
}

function partialFits(partial, usual) {
  return Object.entries(partial).every(([name, value]) => {
    if (!Object.hasOwn(usual, name)) return false;
    if (name === 'toy') return value !== null && typeof value === 'object' && !Array.isArray(value);
    if (name === 'watch') return Array.isArray(value) && value.length <= 16 && value.every((id) => Number.isSafeInteger(id) && id >= 0);
    if (PROBLEM_PARTS.includes(name)) return value !== null && typeof value === 'object' && !Array.isArray(value) && partialFits(value, usual[name]);
    return typeof value === typeof usual[name] && (typeof value !== 'number' || Number.isFinite(value)) && (typeof value !== 'string' || value.length <= PROBLEM_LONGEST);
  });
}

/** The problem of a link's state: {problem, demo}, or {error}, a card. The server checks its values; here it is its form. */
export function problemOf({ d = null, p = {} }, { usual, demos }) {
  let base = usual;
  if (d !== null) {
    if (!Array.isArray(d) || d.length !== 2 || !d.every((each) => typeof each === 'string' && each.length <= 60)) return { error: misfit('a problem') };
    const [slug, mark] = d;
    if (!Object.hasOwn(demos, slug)) return { error: { ...misfit('a problem'), what: `This link is about an example, “${slug}”, that this page doesn’t have.`, hint: 'Open it where it was made, or choose another example.' } };
    if (demos[slug].mark !== mark) return { error: { ...misfit('a problem'), what: `The example “${slug}” has changed since this link was made, so its numbers would be others.`, hint: 'Choose the example in the list to see it as it is now, or ask for a new link.' } };
    base = over(usual, demos[slug].problem);
  }
  if (!p || typeof p !== 'object' || Array.isArray(p) || !partialFits(p, usual)) return { error: misfit('a problem') };
  return { problem: over(base, p), demo: d === null ? null : d[0] };
}
