// Make a lesson from the page: a sheet beside it in which its states become beats, and its numbers claims.

import { fill, h, icon, reducedMotion, setAttr, setShown, setText } from '../stage/dom.js';
import { errorCard } from '../stage/news.js';
import { saveFile } from '../stage/saving.js';
import { called } from './api.js';
import { mountBeats } from './make_beats.js';
import { claimChecks, mountClaims } from './make_claims.js';
import { mountExercises } from './make_exercises.js';
import { labelled } from './make_field.js';
import { EMPTY_DRAFT, fromLesson, missing, readDraft, slugOf, toLesson } from './make_state.js';

const MAKE_DRAFT = 'playground-lesson-draft';

function kept() {
  try { return readDraft(sessionStorage.getItem(MAKE_DRAFT)); } catch { return EMPTY_DRAFT; }
}

/** What became of the claims, as a list: each with what was checked. */
function claimList(claims, about) {
  return h('ul', { class: 'lesson-claims' }, claims.map(({ text, holds, checks }) => h('li', { class: 'lesson-claim', dataset: { holds: String(holds) } },
    h('p', null, h('b', { class: 'lesson-mark' }, holds ? 'Checked' : 'Not proved'), ` ${text}`), claimChecks(text, checks, about), checks.filter((check) => check.why).map((check) => h('p', { class: 'pg-faint' }, check.why)))));
}

/** The maker in `root`. limits: the props of playground/ui/lessons.py; load(form) plays a lesson. Returns {show()}. */
export function mountMaker(root, { server, limits, load, player }) {
  let draft = kept();
  let undone = null;
  const listeners = [];
  const error = errorCard(() => error.show(null));
  const field = (name, label, more) => {
    const input = h(more.rows ? 'textarea' : 'input', { ...more, oninput: () => set({ ...draft, [name]: more.type === 'number' ? Math.max(1, Math.min(60, Number.parseInt(input.value, 10) || 1)) : input.value }) });
    listeners.push(() => { if (document.activeElement !== input && input.value !== String(draft[name])) input.value = String(draft[name]); });
    return labelled(label, input);
  };
  const slug = h('p', { class: 'pg-faint' });
  const need = h('p', { class: 'lesson-need', id: 'lesson-need', role: 'status' });
  const save = h('button', { type: 'button', class: 'pg-button pg-primary', 'aria-describedby': 'lesson-need', onclick: () => saved() }, 'Save, and check its claims');
  const play = h('button', { type: 'button', class: 'pg-button', hidden: true, onclick: () => { if (form) { sheet.close(); load(form); } } }, 'Play it');
  const fresh = h('button', { type: 'button', class: 'pg-link', onclick: () => { remember('The draft is empty.'); set(EMPTY_DRAFT); } }, 'Empty the draft');
  const edit = h('button', { type: 'button', class: 'pg-link', onclick: () => { const { form: shown } = player.store.get(); if (shown) { remember('The draft is the lesson on screen.'); set(fromLesson(shown.lesson)); } } }, 'Begin with the lesson on screen');
  const undoWords = h('span', null);
  const undo = h('p', { class: 'lesson-undo', role: 'status', hidden: true }, undoWords, ' ', h('button', { type: 'button', class: 'pg-link', onclick: () => { if (undone) { const back = undone; undone = null; setShown(undo, false); set(back); } } }, 'Undo'));
  const result = h('div', { class: 'lesson-result', role: 'status' });
  const beats = h('section', { 'aria-label': 'Beats' });
  const claims = h('section', { 'aria-label': 'Claims' });
  const exercises = h('section', { 'aria-label': 'Exercises' });
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', title: 'Close: the draft is kept in this tab', onclick: () => sheet.close() }, icon('close'));
  // Not modal: the page beside it is what the lesson is made from.
  const sheet = h('dialog', { class: 'pg-dialog lesson-maker', 'aria-label': 'Make a lesson' },
    h('div', { class: 'pg-dialog-head' }, h('h2', { class: 'lesson-menu-title' }, 'Make a lesson'), h('span', { class: 'pg-gap' }), close),
    h('p', { class: 'pg-faint' }, 'Bring the page to a state, add it as a beat, go on. The draft stays in this tab.'),
    field('title', 'Title', { type: 'text', maxlength: 200 }), slug, field('question', 'The question that it answers', { type: 'text', maxlength: 200 }), field('minutes', 'Minutes', { type: 'number', min: 1, max: 60 }),
    beats, claims, exercises, field('notes', 'Notes for the teacher (not shown to the room)', { rows: 2, maxlength: 4000 }), undo, error.node, need, h('div', { class: 'lesson-menu-foot' }, save, play, edit, fresh), result);
  sheet.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); sheet.close(); } });
  sheet.addEventListener('close', () => document.body.classList.remove('making-lesson'));
  root.append(h('div', { class: 'pg' }, sheet));
  const about = new Map((limits.facts || []).map((fact) => [fact.name, fact.about]));
  let form = null;
  let saving = false;

  function set(next) {
    draft = next;
    try { sessionStorage.setItem(MAKE_DRAFT, JSON.stringify(draft)); } catch { /* no storage, or a draft too large for it: it lasts while the page is open */ }
    if (form) { form = null; setShown(play, false); fill(result); }
    update();
  }
  function remember(words) {
    undone = draft;
    setText(undoWords, words);
    setShown(undo, true);
  }

  async function saved() {
    if (saving || missing(draft, limits).length) return;
    saving = true;
    update();
    error.show(null);
    fill(result, h('p', null, `Recording the scenes, ${limits.seconds ? `at most ${limits.seconds} s` : 'a while'} …`));
    const asked = draft;
    const answer = await called(server, 'save_lesson', { lesson: toLesson(asked) });
    saving = false;
    update();
    fill(result);
    if (answer.error) { error.show(answer.error); error.node.scrollIntoView({ block: 'nearest' }); return; }
    if (asked !== draft) { error.show({ what: 'The draft has changed since.', where: 'Save', hint: 'Save it again.', line: null, column: null }); return; }
    form = answer;
    setShown(play, true);
    saveFile(`${form.lesson.slug}.lesson.json`, 'application/json', JSON.stringify(form));
    const failing = form.claims.filter((claim) => !claim.holds).length;
    fill(result, h('p', null, `Saved as ${form.lesson.slug}.lesson.json. ${failing ? `${failing} of ${form.claims.length} claims are not proved: the lesson says so where they stand.` : 'All claims hold.'}`), claimList(form.claims, about));
    result.scrollIntoView({ block: 'nearest', behavior: reducedMotion() ? 'auto' : 'smooth' });
  }

  const tools = { get: () => draft, set, remember, limits };
  const drawBeats = mountBeats(beats, tools);
  const drawClaims = mountClaims(claims, tools);
  const drawExercises = mountExercises(exercises, tools);
  function update() {
    for (const listener of listeners) listener();
    drawBeats();
    drawClaims();
    drawExercises();
    setText(slug, `File: ${slugOf(draft.title)}.lesson.json`);
    const still = missing(draft, limits);
    setText(need, still.length ? `To save, still missing: ${still.join(', ')}.` : '');
    setAttr(save, 'aria-disabled', saving || still.length ? 'true' : null);
    setAttr(sheet, 'aria-busy', saving ? 'true' : null);
    setShown(edit, Boolean(player.store.get().form));
  }
  player.store.subscribe(update);
  update();
  return {
    show() {
      if (!sheet.open) sheet.show();
      document.body.classList.add('making-lesson');
      update();
      sheet.querySelector('input').focus();
    },
  };
}
