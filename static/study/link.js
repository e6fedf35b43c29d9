// The form of a study in a link, with the visitor's own prompts where they fit. A study that was run has a name, and its own link. No page here.

import { changes } from '../links/checks.js';
import { unpacked } from './kept.js';
import { FIRST } from './setting.js';

/** The form for a link: what differs from how it opens with the model `usual`. The rail's constraint goes as a pasted one. */
export function formPart(form, usual) {
  const { rail } = form;
  const own = form.schema === 'rail' && rail ? { ...form, schema: 'pasted', pasted: rail.source, pastedKind: rail.kind, pastedAs: rail } : form;
  const { rail: _rail, ...fields } = FIRST;
  return { form: changes(own, { ...FIRST, model: usual }, fields) };
}

/** The form that such a part says, whole; null where it isn't one, or names what isn't here. page: {labels, models}. */
export function formOf(part, usual, page) {
  if (!part || !part.form || typeof part.form !== 'object' || Array.isArray(part.form)) return null;
  const first = { ...FIRST, model: usual };
  const found = unpacked(JSON.stringify({ form: part.form, id: null }), first, page);
  // A field that did not fit would be silently another one.
  const kept = found && Object.entries(part.form).every(([name, value]) => Object.hasOwn(FIRST, name) && name !== 'rail' && JSON.stringify(found.form[name]) === JSON.stringify(value));
  return kept ? found.form : null;
}
