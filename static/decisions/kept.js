// The form through a reload of the page: in the browser's own session, never on the server. A head is no part of it.

import { formOf, formPart } from './link.js';

const KEPT_KEY = 'decisions-form';

/** Keeps the form of the state, where the browser keeps anything. storage: as sessionStorage. */
export function keepForm(state, storage = globalThis.sessionStorage) {
  try {
    const text = JSON.stringify(formPart(state));
    if (storage.getItem(KEPT_KEY) !== text) storage.setItem(KEPT_KEY, text);
  } catch { /* full or forbidden: the form is lost with the page, as it was */ }
}

/** The fields of the state that were kept; {} where there are none, or none that fit the page. */
export function keptForm(page, storage = globalThis.sessionStorage) {
  try {
    const text = storage.getItem(KEPT_KEY);
    return (text && formOf(JSON.parse(text), page)) || {};
  } catch {
    return {};
  }
}
