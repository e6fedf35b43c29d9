// What to compare, in a link: the methods, how many draws, what counts as valid. No page here.

import { changes, fits, taken } from '../links/checks.js';
import { EMPTY } from './state.js';

const LINK_ACCEPT = ['language', 'schema', 'salvaged', 'syntax'];

const linkSpec = (methods) => ({ chosen: fits.list(fits.oneOf(methods.map(({ name }) => name)), methods.length), n: fits.whole(1, 1000), accept: fits.oneOf(LINK_ACCEPT) });

/** The form of the state for a link: what differs from how it opens. methods: as the server lists them. */
export function formPart(state, methods) {
  return changes(state, EMPTY, linkSpec(methods));
}

/** The form that such a part says, whole; null where it isn't one. */
export function formOf(part, methods) {
  const found = taken(part, linkSpec(methods));
  const { chosen, n, accept } = EMPTY;
  return found && (found.chosen === undefined || found.chosen.length) ? { chosen, n, accept, ...found } : null;
}
