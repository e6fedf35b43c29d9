// Inputs of the form, bound to one value of it each.

import { fill, h, setAttr, setShown } from '../stage/dom.js';

/** What binds inputs to `form` in the store: get() is the form, set(part) changes it. */
export function formOf(store) {
  return {
    get: () => store.get().form,
    set: (part) => store.set({ form: { ...store.get().form, ...part } }),
  };
}

/** A number with its words. update(form) shows what the form holds. */
export function numberField(form, name, words, { step = 1, title = null } = {}) {
  const input = h('input', { type: 'number', inputmode: step === 1 ? 'numeric' : 'decimal', step: 'any', name: `study-${name}`, title, autocomplete: 'off' });
  input.addEventListener('input', () => form.set({ [name]: input.value.trim() === '' ? NaN : Number(input.value) }));
  const node = h('label', { class: 'st-field' }, h('span', null, words), input);
  return { node, input, update(now) { if (document.activeElement !== input && Number.isFinite(now[name])) input.value = String(now[name]); setAttr(input, 'aria-invalid', Number.isFinite(now[name]) ? null : 'true'); } };
}

/** A choice of options [[value, words]]. */
export function choiceField(form, name, words, options) {
  const select = h('select', { class: 'pg-select', name: `study-${name}`, onchange: () => form.set({ [name]: select.value }) });
  const put = (list) => fill(select, list.map(([value, title]) => h('option', { value }, title)));
  put(options);
  return { node: h('label', { class: 'st-field' }, h('span', null, words), select), select, put, update(now) { if (select.value !== now[name]) select.value = now[name]; } };
}

/** A box to tick. */
export function tickField(form, name, words, title = null) {
  const input = h('input', { type: 'checkbox', name: `study-${name}`, onchange: () => form.set({ [name]: input.checked }) });
  return { node: h('label', { class: 'pg-check st-tick', title }, input, words), input, update(now) { input.checked = Boolean(now[name]); } };
}

/** One of a few, side by side: [[value, words]]. */
export function segments(form, name, label, options) {
  const buttons = options.map(([value, words]) => h('button', { type: 'button', class: 'st-segment', dataset: { value }, onclick: () => form.set({ [name]: value }) }, words));
  const node = h('div', { class: 'st-segments', role: 'group', 'aria-label': label }, buttons);
  return { node, update(now) { for (const each of buttons) setAttr(each, 'aria-pressed', String(each.dataset.value === now[name])); } };
}

/** A card for an error under the thing that it is about. Returns {node, show(card or null)}. */
export function errorCard() {
  const what = h('strong', { class: 'pg-error-what' });
  const where = h('span', { class: 'pg-error-where' });
  const hint = h('p', { class: 'pg-error-hint' });
  const node = h('div', { class: 'pg-error st-error', role: 'alert', hidden: true }, h('div', { class: 'pg-error-words' }, h('p', null, what, where), hint));
  return {
    node,
    show(card) {
      setShown(node, Boolean(card));
      what.textContent = card ? card.what || 'Something went wrong.' : '';
      where.textContent = card ? card.where || '' : '';
      hint.textContent = card ? card.hint || '' : '';
    },
  };
}
