// The maker's beats: the state of the page becomes one, and those there are moved or taken out.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { labelled } from './make_field.js';
import { pageNow } from './make_page.js';
import { addBeat, beatTrouble, moveBeat, reworded, without } from './make_state.js';
import { MOST_WORDS, VIEWS, wordCount } from './model.js';

const BEATS_PARTS = {
  step: ['z', 'bar', 'rows', 'strip', 'state', 'caption', 'verdict', 'exact', 'charts', 'prompt', 'constraint'], compare: ['cards', 'outcomes', 'cost'],
  squeezing: ['flow', 'leaves', 'receipt', 'repair'], schema: ['strings', 'explanation', 'constraint', 'verdict'], decisions: ['together', 'scores'],
};

/** Renders the beats into `root`; draft: {get, set, remember, limits}. Returns what draws them anew. */
export function mountBeats(root, draft) {
  const most = draft.limits.words || MOST_WORDS;
  const state = h('p', { class: 'pg-faint' });
  const text = h('textarea', { rows: 2, maxlength: 300, 'aria-describedby': 'lesson-words', oninput: () => counted() });
  const words = h('span', { class: 'pg-faint', id: 'lesson-words' });
  const part = h('select', { class: 'pg-select' });
  const asks = h('input', { type: 'checkbox', onchange: () => setShown(question, asks.checked) });
  const asked = h('input', { type: 'text', maxlength: 200 });
  const options = h('textarea', { rows: 3, maxlength: 1000 });
  const right = h('input', { type: 'number', min: 1, max: 5, value: 1 });
  const question = h('div', { class: 'lesson-question', hidden: true }, labelled('Question', asked), labelled('Options, one a line', options), labelled('The right one', right));
  const trouble = h('p', { class: 'lesson-trouble', role: 'alert' });
  const add = h('button', { type: 'button', class: 'pg-button', onclick: () => added() }, 'Add this state as a beat');
  const list = h('ol', { class: 'lesson-beats' });
  fill(root, h('h3', { class: 'pg-card-title' }, 'Beats'), list, state, labelled('What is said', text), words, labelled('Point at', part), h('label', { class: 'pg-check' }, asks, 'ask for a prediction first'), question, trouble, add);
  let view = null;

  function counted() {
    const n = wordCount(text.value);
    setText(words, `${n} of ${most} words`);
    setAttr(words, 'data-over', n > most);
  }

  function beatOf(page) {
    const predict = asks.checked ? { question: asked.value.trim(), options: options.value.split('\n').map((each) => each.trim()).filter(Boolean), answer: Number.parseInt(right.value, 10) - 1 } : null;
    return { text: text.value.trim(), view: page.view, step: page.step, highlight: part.value, exact: page.view === 'step' && page.exact, predict };
  }

  function added() {
    const page = pageNow();
    if (!page) { setText(trouble, 'The page shows no problem yet: press Start, then add it.'); return; }
    const beat = beatOf(page);
    const why = beatTrouble(beat, most);
    setText(trouble, why);
    if (why) { (wordCount(text.value) ? question.querySelector('input') : text).focus(); return; }
    draft.set(addBeat(draft.get(), beat, page.scene));
    text.value = '';
    asks.checked = false;
    for (const field of [asked, options]) field.value = '';
    setShown(question, false);
    counted();
    text.focus();
  }

  function follow() {
    const page = pageNow();
    const { screen } = document.body.dataset;
    setText(state, page ? `On the page: ${VIEWS[screen]}${page.step === null ? '' : `, step ${page.step + 1} of ${page.scene.path.length}`}.` : 'The page shows no problem yet.');
    if (view === screen) return;
    view = screen;
    fill(part, h('option', { value: '' }, 'nothing'), (BEATS_PARTS[screen] || []).map((name) => h('option', { value: name }, name)));
  }
  globalThis.addEventListener('playground-screen', follow);
  root.addEventListener('focusin', follow);
  root.addEventListener('pointerenter', follow);

  const button = (label, disabled, press) => h('button', { type: 'button', class: 'pg-link', disabled, onclick: press }, label);
  let editing = -1;

  function edit(at, on) {
    editing = on ? at : -1;
    drawn = null;
    redraw();
    list.children[at].querySelector(on ? 'textarea' : 'button:enabled').focus();
  }

  // Other words for a beat that is there; its state stays.
  function box({ text: before }, at) {
    const own = h('textarea', { rows: 2, maxlength: 300, 'aria-label': `What is said at beat ${at + 1}` });
    own.value = before;
    const why = h('p', { class: 'lesson-trouble', role: 'alert' });
    const keep = () => {
      const words = own.value.trim();
      const wrong = beatTrouble({ text: words }, most);
      setText(why, wrong);
      if (wrong) { own.focus(); return; }
      draft.set(reworded(draft.get(), at, words));
      edit(at, false);
    };
    const done = () => edit(at, false);
    own.addEventListener('keydown', (event) => { if (event.key === 'Escape') { event.stopPropagation(); done(); } });
    return h('div', null, own, why, button('Keep these words', false, keep), ' ', button('Leave it as it was', false, done));
  }

  let drawn = null;
  function redraw() {
    follow();
    counted();
    const { beats } = draft.get();
    if (beats === drawn) return;
    if (drawn) editing = -1;
    drawn = beats;
    fill(list, beats.map((beat, at) => h('li', null, at === editing ? box(beat, at) : h('p', null, beat.text, ' ', h('span', { class: 'pg-faint' }, `${VIEWS[beat.view]}${beat.step === null ? '' : `, step ${beat.step + 1}`}${beat.predict ? ', asks first' : ''}`)),
      h('p', null, button('Up', at === 0, () => draft.set(moveBeat(draft.get(), at, -1))), ' ', button('Down', at === beats.length - 1, () => draft.set(moveBeat(draft.get(), at, 1))), ' ', button('Change the words', false, () => edit(at, true)), ' ',
        button('Delete', false, () => { draft.remember(`Beat ${at + 1} is gone.`); draft.set(without(draft.get(), 'beats', at)); })))));
  }
  return redraw;
}
