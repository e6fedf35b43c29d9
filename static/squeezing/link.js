// How the Squeezing screen is looked at, in a link: the text in focus, runs or strings, how far the flow is drawn, the section on screen. No page here.

import { changes, fits, taken } from '../links/checks.js';

/** The sections in their order, as links name them. */
export const SECTIONS = ['flow', 'leaves', 'water', 'identity', 'fix', 'toy', 'sweep', 'boundary'];
const LINK_USUAL = { leaf: null, byRuns: false, t: 1, section: null };
const LINK_SPEC = { leaf: fits.text(20000), byRuns: fits.flag, t: fits.number(0, 2), section: fits.oneOf(SECTIONS) };

/** The part of a link about this state; section: the one on screen, or null for the top. The leaf is told where the visitor has chosen it. */
export function lookPart(state, section) {
  return changes({ ...state, leaf: state.picked ? state.leaf : null, section }, LINK_USUAL, LINK_SPEC);
}

/** What such a part says: {leaf, byRuns, t, section}; null where it isn't one. */
export function lookOf(part) {
  const found = taken(part, LINK_SPEC);
  return found && { ...LINK_USUAL, ...found };
}
