// The Levels screen's form in a link: what to run, and the calculators' inputs. No page here.

import { changes, fits, taken } from '../links/checks.js';
import { empty } from './state.js';

function linkSpec(page) {
  const first = empty(page);
  const budget = (value) => value !== null && typeof value === 'object' && Object.entries(value).every(([name, each]) => Object.hasOwn(first.budget, name) && (typeof first.budget[name] === 'boolean' ? fits.flag : fits.number(0, 1e9))(each));
  return { source: fits.oneOf([page.rail, ...page.sets.map(({ name }) => name)]), n: fits.whole(1, 1000), attempts: fits.whole(2, 10), showSchema: fits.flag,
    rates: (value) => fits.list(fits.number(0, 100), page.ladder.length)(value) && value.length === page.ladder.length, budget, steps: fits.whole(1, 1e6), unfolded: fits.list(fits.text(200), 40) };
}

/** The form of the state for a link: what differs from how it opens. */
export function formPart(state, page) {
  return changes(state, empty(page), linkSpec(page));
}

/** The form that such a part says, whole; null where it isn't one. */
export function formOf(part, page) {
  const spec = linkSpec(page);
  const found = taken(part, spec);
  if (!found) return null;
  const usual = Object.fromEntries(Object.keys(spec).map((name) => [name, empty(page)[name]]));
  return { ...usual, ...found, budget: { ...usual.budget, ...(found.budget || {}) } };
}
