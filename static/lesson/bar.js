// The lesson's bar: which lesson and beat, what is said, the question before it, and the ways on.

import { fill, h, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { tokenLabel } from '../stage/format.js';
import { errorCard } from '../stage/news.js';
import { badgeOf, formulaOf, sceneOf } from './model.js';
import { withTerms } from './glossary.js';
import { mountAfter } from './after.js';
import { mountAsked } from './asked.js';
import { mountPredict } from './predict.js';

const BAR_FORMULA = ['z', 'bar', 'rows'];
const BAR_SPEAK_MS = 120;

/** Where the beat's numbers come from, by the page on the stage. */
function badgeNow() {
  const stage = globalThis.playgroundStage;
  return badgeOf(stage ? stage.store.doc() : null);
}

/** Renders the bar into `root`. actions: {next, back, close, live, openLesson, handout}; room: see room.js. Returns {focus()}. */
export function mountBar(root, player, { actions, room }) {
  const { store } = player;
  const title = h('h2', { class: 'lesson-title', tabindex: '-1' });
  const badge = h('span', { class: 'pg-badge lesson-badge' });
  const place = h('span', { class: 'lesson-place' });
  const live = h('button', { type: 'button', class: 'pg-link lesson-live', onclick: actions.live }, 'Run it live');
  const close = h('button', { type: 'button', class: 'pg-icon-button lesson-close', 'aria-label': 'Close the lesson', title: 'Close the lesson: what was on the page before comes back', onclick: actions.close }, icon('close'));
  const asked = mountAsked();
  const text = h('p', { class: 'lesson-text' });
  const formula = h('p', { class: 'lesson-formula', hidden: true });
  const predict = h('div', { class: 'lesson-predict' });
  const after = h('div', { class: 'lesson-after' });
  const back = h('button', { type: 'button', class: 'pg-button lesson-move', title: 'Back (Page Up)', onclick: actions.back }, icon('back'), 'Back');
  const nextWords = h('span', null, 'Next');
  const next = h('button', { type: 'button', class: 'pg-button pg-primary lesson-move', title: 'Next (Page Down)', onclick: actions.next }, nextWords, icon('step'));
  const undo = h('p', { class: 'lesson-undo', role: 'status', hidden: true }, 'Back at the first beat. ', h('button', { type: 'button', class: 'pg-link', onclick: () => player.undoReset() }, 'Undo'));
  const spoken = h('div', { class: 'pg-spoken', 'aria-live': 'polite', 'aria-atomic': 'true' });
  const error = errorCard(() => store.set({ error: null }));
  const bar = h('section', { class: 'pg lesson', 'aria-label': 'Lesson', hidden: true },
    h('header', { class: 'lesson-head' }, title, badge, place, h('span', { class: 'pg-gap' }), live, close), error.node, asked.node,
    h('div', { class: 'lesson-main' }, h('div', { class: 'lesson-said' }, text, formula, predict, undo), h('div', { class: 'lesson-moves' }, back, next)), after, spoken);
  root.append(bar);
  mountPredict(predict, player, room);
  mountAfter(after, player, { open: actions.openLesson, handout: actions.handout, close: actions.close });

  let said = { form: null, beat: -1 };
  let timer = null;

  function formulaLine(beat, form) {
    const stage = globalThis.playgroundStage;
    const doc = stage && stage.store.doc();
    const step = stage && stage.store.shown();
    const { page } = sceneOf(form, Math.min(beat, form.lesson.beats.length - 1));
    const told = form.lesson.beats[beat];
    const wanted = told && told.view === 'step' && BAR_FORMULA.includes(told.highlight) && !player.asking() && doc && page && doc.problem === page.problem;
    const found = wanted ? formulaOf(step, doc.problem.sampling) : null;
    setShown(formula, Boolean(found));
    if (!found) return;
    const line = `${tokenLabel(found.token)} ${found.words}`;
    if (formula.dataset.line === line) return;
    formula.dataset.line = line;
    fill(formula, h('code', { class: 'pg-token' }, tokenLabel(found.token)), ' ', withTerms(found.words));
  }

  function speak(words) {
    clearTimeout(timer);
    timer = setTimeout(() => setText(spoken, words), BAR_SPEAK_MS);
  }

  const nextLabel = (beat, of) => (player.reveals() ? 'Reveal' : beat === of - 1 ? 'To the end' : 'Next');

  const update = () => {
    const { form, beat, error: failed, reset } = store.get();
    setShown(bar, Boolean(form));
    document.body.classList.toggle('in-lesson', Boolean(form));
    error.show(form ? failed : null);
    if (!form) { said = { form: null, beat: -1 }; return; }
    const { lesson } = form;
    const last = beat >= lesson.beats.length;
    const asking = player.asking();
    setText(title, lesson.title);
    // The page's own first heading is away then.
    setAttr(title, 'aria-level', document.body.classList.contains('presenting') ? '1' : null);
    const known = badgeNow();
    setShown(badge, Boolean(known));
    if (known) { setText(badge, known.words); setAttr(badge, 'data-kind', known.kind); setAttr(badge, 'title', known.title || null); }
    setText(place, last ? 'The end' : `Beat ${beat + 1} of ${lesson.beats.length}`);
    const { scene } = sceneOf(form, Math.min(beat, lesson.beats.length - 1));
    setShown(live, Boolean(scene) && Boolean(known) && known.kind === 'recorded' && !last);
    setShown(text, !last);
    asked.show(form, beat, asking);
    setAttr(bar, 'data-end', last);
    setAttr(bar, 'data-highlight', last ? null : lesson.beats[beat].highlight);
    if (!last && (said.form !== form || said.beat !== beat || said.asking !== asking)) {
      const { predict: question } = lesson.beats[beat];
      fill(text, withTerms(asking ? question.question : lesson.beats[beat].text));
      speak(`${asking ? 'A question before the numbers' : `Beat ${beat + 1} of ${lesson.beats.length}`}: ${asking ? question.question : lesson.beats[beat].text}`);
    } else if (last && said.beat !== beat) speak(`The end of ${lesson.title}: what it claims, and exercises.`);
    said = { form, beat, asking };
    formulaLine(beat, form);
    setAttr(back, 'disabled', beat === 0);
    setAttr(next, 'disabled', last);
    setText(nextWords, nextLabel(beat, lesson.beats.length));
    setShown(undo, Boolean(reset));
  };
  store.subscribe(update);
  update();
  return { node: bar, update, focus: () => title.focus({ preventScroll: true }) };
}
