// The maker's claims: a number of the page and a sentence that it keeps true.

import { fill, h, setShown, setText } from '../stage/dom.js';
import { labelled } from './make_field.js';
import { pageNow, sceneFor } from './make_page.js';
import { checkedWords, unsaid } from './make_said.js';
import { addClaim, without } from './make_state.js';

/** What is checked beside a sentence, and a warning where the sentence doesn't say it. about: words by the fact's name. */
export function claimChecks(text, checks, about) {
  const warning = unsaid(text, checks, about);
  return [checks.map((check) => h('p', { class: 'pg-faint lesson-checked' }, `Checked: ${checkedWords(check, about)}`)), warning ? h('p', { class: 'lesson-unsaid' }, warning) : null];
}

/** Renders the claims into `root`; draft: {get, set, remember, limits}. Returns what draws them anew. */
export function mountClaims(root, draft) {
  const about = new Map((draft.limits.facts || []).map((fact) => [fact.name, fact.about]));
  const pick = h('select', { class: 'pg-select lesson-facts', onchange: () => chosen() });
  const meaning = h('p', { class: 'pg-faint' });
  const sentence = h('textarea', { rows: 2, maxlength: 400, oninput: () => warn() });
  const warning = h('p', { class: 'lesson-unsaid', role: 'status', hidden: true });
  const trouble = h('p', { class: 'lesson-trouble', role: 'alert' });
  const add = h('button', { type: 'button', class: 'pg-button', onclick: () => added() }, 'Add this claim');
  const list = h('ul', { class: 'lesson-beats' });
  fill(root, h('h3', { class: 'pg-card-title' }, 'Claims'), list, labelled('A number of the page as it is now', pick), meaning, labelled('The sentence that it keeps true', sentence), warning, trouble, add);
  let page = null;
  let words = '';
  let mine = '';

  const fact = () => (page ? page.facts[Number(pick.value)] : null);

  function chosen() {
    const now = fact();
    setText(meaning, now ? `Checked: ${checkedWords(now.check, about)}` : '');
    // What was written by hand stays.
    if (now && (sentence.value.trim() === '' || sentence.value === mine)) { mine = now.sentence; sentence.value = mine; }
    warn();
  }

  function warn() {
    const now = fact();
    const words = now ? unsaid(sentence.value, [now.check], about) : '';
    setText(warning, words);
    setShown(warning, Boolean(words));
  }

  // Offered are the numbers of the state that is on the page when the visitor comes to choose.
  function follow() {
    page = pageNow();
    const facts = page ? page.facts : [];
    const key = facts.map((each) => JSON.stringify(each.check) + each.words).join('\n');
    if (key === words) return;
    words = key;
    fill(pick, facts.map((each, at) => h('option', { value: at }, `${checkedWords(each.check, about)}${each.words}`)));
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
    warn();
  }
  for (const name of ['focusin', 'pointerenter']) root.addEventListener(name, follow);

  let drawn = null;
  return () => {
    follow();
    const { claims } = draft.get();
    if (claims === drawn) return;
    drawn = claims;
    fill(list, claims.map((claim, at) => h('li', null, h('p', null, claim.text), claimChecks(claim.text, claim.checks, about),
      h('button', { type: 'button', class: 'pg-link', onclick: () => { draft.remember('The claim is gone.'); draft.set(without(draft.get(), 'claims', at)); } }, 'Delete'))));
  };
}
