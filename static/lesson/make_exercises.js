// The maker's exercises: a question for the room, and the answer that is shown once one was tried.

import { fill, h, setText } from '../stage/dom.js';
import { labelled } from './make_field.js';
import { without } from './make_state.js';

/** Renders the exercises into `root`; draft: {get, set, remember, limits}. Returns what draws them anew. */
export function mountExercises(root, draft) {
  const most = draft.limits.exercises;
  const question = h('textarea', { rows: 2, maxlength: 600 });
  const answer = h('textarea', { rows: 2, maxlength: 1200 });
  const trouble = h('p', { class: 'lesson-trouble', role: 'alert' });
  const add = h('button', { type: 'button', class: 'pg-button', onclick: () => added() }, 'Add this exercise');
  const list = h('ol', { class: 'lesson-beats' });
  fill(root, h('h3', { class: 'pg-card-title' }, 'Exercises'), list, labelled('What the room is asked at the end', question), labelled('The answer, hidden until one was tried', answer), trouble, add);

  function added() {
    const written = { question: question.value.trim(), answer: answer.value.trim() };
    const empty = written.question ? (written.answer ? null : answer) : question;
    setText(trouble, empty ? (empty === question ? 'Write the exercise.' : 'Write its answer.') : '');
    if (empty) { empty.focus(); return; }
    draft.set({ ...draft.get(), exercises: [...draft.get().exercises, written] });
    for (const box of [question, answer]) box.value = '';
    question.focus();
  }

  let drawn = null;
  return () => {
    const { exercises } = draft.get();
    add.disabled = exercises.length >= most;
    if (exercises === drawn) return;
    drawn = exercises;
    fill(list, exercises.map((each, at) => h('li', null, h('p', null, each.question), h('p', { class: 'pg-faint' }, each.answer),
      h('button', { type: 'button', class: 'pg-link', onclick: () => { draft.remember('The exercise is gone.'); draft.set(without(draft.get(), 'exercises', at)); } }, 'Delete'))));
  };
}
