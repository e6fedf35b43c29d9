// The form of the Study screen as this tab keeps it over a reload: bounded, checked when it is read. No page here.

import { FIRST, NUMBERS } from './setting.js';

const KEPT_KEY = 'playground-study-form';
/** Longest form that is kept, characters: a longer one is left to the study's own file on the server. */
export const KEPT_MOST = 300000;

/** The form and the name of the study that it belongs to (or null) as text; null where it is too long. The rail's constraint stays the rail's. */
export function packed(form, id) {
  const text = JSON.stringify({ form: { ...form, rail: null }, id });
  return text.length > KEPT_MOST ? null : text;
}

function fits(name, value, { labels, models }) {
  if (name === 'methods') return Array.isArray(value) && value.every((each) => labels.some((label) => label.name === each));
  if (name === 'model') return models.includes(value);
  if (name === 'pastedAs') return value === null || (typeof value === 'object' && ['kind', 'source', 'engine', 'whitespace'].every((key) => typeof value[key] === 'string'));
  if (name in NUMBERS) return Number.isFinite(value);
  return name !== 'rail' && typeof value === typeof FIRST[name];
}

/** What `packed` made: {form, id}; what doesn't fit is as in `first`; null for anything else. page: {labels, models}. */
export function unpacked(text, first, page) {
  let found;
  try { found = JSON.parse(text); } catch { return null; }
  if (!found || typeof found !== 'object' || !found.form || typeof found.form !== 'object') return null;
  const known = Object.keys(FIRST).filter((name) => Object.hasOwn(found.form, name) && fits(name, found.form[name], page));
  return { form: { ...first, ...Object.fromEntries(known.map((name) => [name, found.form[name]])) }, id: typeof found.id === 'string' ? found.id : null };
}

/** Keeps what `packed` made; null forgets it. */
export function keep(text) {
  try {
    if (text === null) sessionStorage.removeItem(KEPT_KEY);
    else sessionStorage.setItem(KEPT_KEY, text);
  } catch { /* a private window keeps nothing */ }
}

/** What was kept in this tab, as text; null for nothing. */
export function held() {
  try { return sessionStorage.getItem(KEPT_KEY); } catch { return null; }
}
