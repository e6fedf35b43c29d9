// After the last beat: what the lesson claims and how it was checked, exercises, the teacher's notes, and the way on.

import { fill, h, icon, setShown } from '../stage/dom.js';
import { errorCard } from '../stage/news.js';
import { checkWords, scoreWords } from './model.js';
import { withTerms } from './glossary.js';

const AFTER_HANDOUT = 'Handout with a worksheet (one HTML file)';

function claimItem({ text, holds, checks }) {
  const rows = checks.map((check) => {
    const { about, wanted, found } = checkWords(check);
    return h('tr', { dataset: { holds: String(check.holds) } }, h('th', { scope: 'row' }, about), h('td', null, wanted), h('td', null, found), h('td', null, check.holds ? 'holds' : 'fails'));
  });
  return h('li', { class: 'lesson-claim', dataset: { holds: String(holds) } },
    h('p', null, h('b', { class: 'lesson-mark' }, holds ? 'Checked' : 'Not proved'), ' ', withTerms(text)),
    h('details', null, h('summary', null, 'How it was checked'),
      h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': `Checks of: ${text}` }, h('table', { class: 'pg-table' },
        h('thead', null, h('tr', null, ['number', 'has to be', 'was', ''].map((each) => h('th', { scope: 'col' }, each)))), h('tbody', null, rows)))));
}

function exerciseItem({ question, answer }, at, player) {
  const own = h('textarea', { rows: 2, 'aria-label': `Your answer to exercise ${at + 1}`, placeholder: 'Your answer; it stays on this page', oninput: () => { show.disabled = own.value.trim() === ''; } });
  own.value = player.store.get().tried[at] || '';
  const said = h('p', { class: 'lesson-answer', hidden: true }, withTerms(answer));
  const show = h('button', { type: 'button', class: 'pg-button', onclick: () => { player.try(at, own.value); setShown(said, true); show.hidden = true; said.tabIndex = -1; said.focus(); } }, 'Show the answer');
  show.disabled = own.value.trim() === '';
  return h('li', { class: 'lesson-exercise' }, h('p', null, withTerms(question)), own, show, said);
}

/** Renders the page after the last beat into `root`. open(slug) starts another lesson, handout(form) has its handout made, null or an error, close() ends this one. */
export function mountAfter(root, player, { open, handout, close }) {
  const { store } = player;
  let drawn = null;

  // The server has no lesson of the visitor's: it makes the handout of what the page holds.
  function ownHandout(form) {
    const error = errorCard();
    const make = h('button', { type: 'button', class: 'pg-button', onclick: async () => {
      make.disabled = true;
      error.show(await handout(form));
      make.disabled = false;
    } }, AFTER_HANDOUT);
    return [make, error.node];
  }

  function draw(form, own) {
    const { lesson, claims } = form;
    const failing = claims.filter((claim) => !claim.holds).length;
    const notes = h('p', { class: 'lesson-notes-text', hidden: true }, lesson.notes);
    const toNotes = h('button', { type: 'button', class: 'pg-button', 'aria-expanded': 'false', onclick: () => { setShown(notes, notes.hidden); toNotes.setAttribute('aria-expanded', String(!notes.hidden)); } }, 'Notes for the teacher');
    fill(root,
      h('p', { class: 'lesson-score' }, scoreWords(lesson, store.get().answers)),
      h('h3', { class: 'pg-card-title' }, 'What this lesson claims, and how it was checked'),
      h('p', { class: 'pg-faint' }, failing ? `${failing} of ${claims.length} ${failing === 1 ? 'claim is' : 'claims are'} not proved by the recorded numbers.` : `${claims.length === 1 ? 'The claim was' : `All ${claims.length} claims were`} held against the recorded numbers.`),
      h('ul', { class: 'lesson-claims' }, claims.map(claimItem)),
      lesson.exercises.length ? [h('h3', { class: 'pg-card-title' }, 'Exercises'), h('ol', { class: 'lesson-exercises' }, lesson.exercises.map((each, at) => exerciseItem(each, at, player)))] : null,
      lesson.notes ? [toNotes, notes] : null,
      h('div', { class: 'lesson-on' },
        lesson.next ? h('button', { type: 'button', class: 'pg-button pg-primary', onclick: () => open(lesson.next) }, 'Next lesson', icon('step')) : null,
        own ? ownHandout(form) : h('a', { class: 'pg-button', href: `/lessons/${encodeURIComponent(lesson.slug)}.html`, download: `${lesson.slug}.html` }, AFTER_HANDOUT),
        h('button', { type: 'button', class: 'pg-button', onclick: close }, 'Close the lesson')));
  }

  const update = () => {
    const { form, beat, own } = store.get();
    const last = Boolean(form) && beat >= form.lesson.beats.length;
    setShown(root, last);
    if (last && drawn !== form) { drawn = form; draw(form, own); }
    // Each visit to the end begins at its top, with the score so far.
    else if (last && root.firstChild) root.firstChild.textContent = scoreWords(form.lesson, store.get().answers);
    if (!last) drawn = null;
  };
  store.subscribe(update);
  update();
}
