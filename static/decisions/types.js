// The head of the screen: what it is about, the type of the record, an own schema, and the fields as chips.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { count, counted } from '../stage/format.js';
import { segments, taskButtons, taskNews } from './parts.js';
import { OWN, typeOf } from './state.js';
import { listed } from './words.js';

const TYPES_KINDS = { choice: 'choice', boolean: 'yes or no', binned: 'number in bins', date: 'date' };

/** How many records a type has, in words; what its rules allow is a note of the type. */
export function recordsWords({ combinations, fields }) {
  const records = counted(combinations, 'record');
  return fields.length < 2 ? records : `${fields.map(({ options }) => options.length).join(' × ')} = ${records}`;
}

function typesChip({ name, kind, description, options }) {
  const shown = options.slice(0, 6);
  return h('li', { class: 'dc-chip', title: description || null }, h('b', null, name), h('span', { class: 'pg-faint' }, ` ${TYPES_KINDS[kind] || kind}: `), shown.join(', '), options.length > shown.length ? h('span', { class: 'pg-faint' }, `, ${count(options.length - shown.length)} more`) : null);
}

function typesFree({ free, reasons, type }) {
  return [reasons.map(({ what, hint }) => h('p', null, h('b', { class: 'pg-error-what' }, what), ` ${hint}`)),
    h('p', null, type ? `Or split it: the other fields are decided first, as below; then the model writes ${listed(free)} with them in its prompt, so that the words explain the decision and can’t change it.`
      : 'Or give the record at least one closed field: an enum, a boolean, or a number or date with both bounds; then let the model write the text with that decision in its prompt.')];
}

/** Renders it into `root`. actions: type(name), check, stop. */
export function mountTypes(root, store, { actions }) {
  const { page } = store.get();
  const pick = segments('Type of the record', [...page.types.map(({ name, title, about }) => [name, title, about]), [OWN, 'Own schema']], { get: () => store.get().type, set: actions.type });
  const about = h('p', { class: 'dc-type-about' });
  const schema = h('textarea', { class: 'dc-schema', rows: '9', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'JSON Schema of the record', maxlength: '100000', oninput: () => store.set({ schema: schema.value }) });
  const check = taskButtons(store, 'check', 'Check', { press: actions.check, stop: actions.stop, why: ({ schema: text }) => (text.trim() ? '' : 'Write a schema first.') });
  const stale = h('span', { class: 'pg-quiet' });
  const news = h('div', null);
  const free = h('div', { class: 'dc-free', role: 'status' });
  const own = h('div', { class: 'dc-own' }, h('label', { class: 'pg-quiet' }, 'A JSON Schema of an object whose fields are enums, booleans, and numbers or dates with both bounds. Nothing is trained for it: the language model scores its options.'), schema, h('div', { class: 'dc-actions' }, check.node, stale), news, free);
  const chips = h('ul', { class: 'dc-chips', 'aria-label': 'Fields' });
  const records = h('p', { class: 'pg-quiet' });
  fill(root, h('div', { class: 'dc-head' }, h('h2', { class: 'pg-title' }, 'Typed decisions: outputs that cannot be of the wrong type'),
    h('p', { class: 'dc-lead' }, 'A record of closed fields needs no text: the model reads the ticket once, and each field is a choice among its options. Whatever it chooses, the record is of the type. Valid is not right, so each choice has its chance beside it.')),
  h('section', { class: 'pg-card pg-panel dc-panel', 'aria-label': 'Type of the record' }, h('div', { class: 'dc-controls' }, pick.node), about, own, chips, records));
  taskNews(news, store, ['check'], { check: 'Reading the schema' }, actions);
  let seen = {};
  const update = () => {
    const state = store.get();
    const type = typeOf(state);
    pick.update();
    check.update();
    const mine = state.type === OWN;
    setShown(own, mine);
    if (document.activeElement !== schema && schema.value !== state.schema) schema.value = state.schema;
    setText(stale, state.checked && state.checked.schema !== state.schema ? 'Changed since it was checked: what is below is about the schema before.' : '');
    if (seen.type === type && seen.mine === mine && seen.checked === state.checked) return;
    seen = { type, mine, checked: state.checked };
    setText(about, type && !mine ? type.about : '');
    setShown(about, Boolean(type) && !mine);
    const parted = mine && state.checked && state.checked.free.length;
    fill(free, parted ? typesFree(state.checked) : null);
    setShown(free, Boolean(parted));
    fill(chips, type ? type.fields.map(typesChip) : null);
    setShown(chips, Boolean(type));
    setText(records, type ? [`${recordsWords(type)}.`, ...(type.notes || []).toReversed()].join(' ') : mine ? 'Check the schema to see its fields.' : '');
  };
  store.subscribe(update);
  update();
}
