// The maker's claims: a number of the page and a sentence that it keeps true.

import { fill, h, setText } from '../stage/dom.js';
import { pageNow, sceneFor } from './make_page.js';
import { addClaim, without } from './make_state.js';

/** Renders the claims into `root`; draft: {get, set, remember, limits}. Returns what draws them anew. */
export function mountClaims(root, draft) {
  const about = new Map((draft.limits.facts || []).map((fact) => [fact.name, fact.about]));
  const pick = h('select', { class: 'pg-select lesson-facts', onchange: () => chosen() });
  const meaning = h('p', { class: 'pg-faint' });
  const sentence = h('textarea', { rows: 2, maxlength: 400 });
  const trouble = h('p', { class: 'lesson-trouble', role: 'alert' });
  const add = h('button', { type: 'button', class: 'pg-button', onclick: () => added() }, 'Add this claim');
  const list = h('ul', { class: 'lesson-beats' });
  const labelled = (label, node) => h('label', { class: 'lesson-field' }, h('span', null, label), node);
  fill(root, h('h3', { class: 'pg-card-title' }, 'Claims'), list, labelled('A number of the page as it is now', pick), meaning, labelled('The sentence that it keeps true', sentence), trouble, add);
  let page = null;
  let words = '';
  let mine = '';

  const fact = () => (page ? page.facts[Number(pick.value)] : null);

  function chosen() {
    const now = fact();
    setText(meaning, now ? about.get(now.check.fact) || '' : '');
    // What was written by hand stays.
    if (now && (sentence.value.trim() === '' || sentence.value === mine)) { mine = now.sentence; sentence.value = mine; }
  }

  // Offered are the numbers of the state that is on the page when the visitor comes to choose.
  function follow() {
    page = pageNow();
    const facts = page ? page.facts : [];
    const key = facts.map((each) => each.words + each.check.step).join('\n');
    if (key === words) return;
    words = key;
    fill(pick, facts.map((each, at) => h('option', { value: at }, `${each.words}${each.check.of ? ` · ${each.check.of}` : ''}${each.check.step === null ? '' : ` · step ${each.check.step + 1}`}`)));
    chosen();
  }

  function added() {
    const now = fact();
    if (!now) { setText(trouble, 'Choose a number first: the page shows none yet.'); return; }
    const text = sentence.value.trim();
    setText(trouble, text ? '' : 'Write the sentence that the number keeps true.');
    if (!text) { sentence.focus(); return; }
    draft.set(addClaim(draft.get(), text, now.check, sceneFor(page, now)));
    sentence.value = '';
    mine = '';
  }
  for (const name of ['focusin', 'pointerenter']) root.addEventListener(name, follow);

  let drawn = null;
  return () => {
    follow();
    const { claims } = draft.get();
    if (claims === drawn) return;
    drawn = claims;
    fill(list, claims.map((claim, at) => h('li', null, h('p', null, claim.text, ' ', h('span', { class: 'pg-faint' }, claim.checks.map((check) => check.fact).join(', '))),
      h('button', { type: 'button', class: 'pg-link', onclick: () => { draft.remember('The claim is gone.'); draft.set(without(draft.get(), 'claims', at)); } }, 'Delete'))));
  };
}
