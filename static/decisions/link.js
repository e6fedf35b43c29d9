// The Decisions screen's form in a link: the type, the ticket, how it is decided. A head is a file of the visitor's, and in no link. No page here.

import { changes, fits, taken } from '../links/checks.js';
import { MOST_TEXT } from './ask.js';
import { PLACES } from './places.js';
import { EPOCHS, SEEDS } from './spec.js';
import { OWN, empty } from './state.js';

const LINK_FIELDS = 40;
const linkNames = fits.list(fits.text(200), LINK_FIELDS);

function linkSpec(page) {
  const form = { size: fits.oneOf(page.sizes), kind: fits.oneOf(page.heads.map(({ name }) => name)), pooling: fits.oneOf(page.poolings.map(({ name }) => name)), chain: fits.oneOf(['full', 'first']), joint: linkNames, epochs: fits.whole(EPOCHS.least, EPOCHS.most), seed: fits.whole(SEEDS.least, SEEDS.most) };
  return { form, spec: { type: fits.oneOf([...page.types.map(({ name }) => name), OWN]), schema: fits.text(100000), example: (value) => value === null || page.examples.some(({ id }) => id === value), text: fits.text(MOST_TEXT), threshold: fits.number(0, 1),
    mode: fits.oneOf(['parallel', 'autoregressive']), order: linkNames, normalised: fits.flag, n: fits.whole(1, 1000), read: fits.oneOf(page.sizes), tickets: fits.oneOf(page.measured), place: fits.oneOf(PLACES.map(([name]) => name)) } };
}

/** The form of the state for a link: what differs from how the screen opens. */
export function formPart(state) {
  const first = empty(state.page);
  const { form, spec } = linkSpec(state.page);
  const part = changes(state, first, spec);
  // The schema is the visitor's only where it is the type; an example's text is the page's.
  if (state.type !== OWN) delete part.schema;
  if (state.example !== null) delete part.text;
  const trained = changes(state.form, first.form, form);
  return Object.keys(trained).length ? { ...part, form: trained } : part;
}

/** The fields of the state that such a part says; null where it isn't one. */
export function formOf(part, page) {
  const { form, spec } = linkSpec(page);
  const found = taken(part, spec);
  const trained = taken(part && part.form === undefined ? {} : part && part.form, form);
  if (!found || !trained) return null;
  const first = empty(page);
  const usual = Object.fromEntries(Object.keys(spec).map((name) => [name, first[name]]));
  const example = found.example === undefined ? usual.example : found.example;
  const text = example === null ? usual.text : page.examples.find(({ id }) => id === example).text;
  return { ...usual, text, ...found, form: { ...first.form, ...trained } };
}
