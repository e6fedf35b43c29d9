// Predict, then reveal: the question's options, what became of the answer, and the room's votes.

import { fill, h, keyed, setAttr, setShown, setText } from '../stage/dom.js';
import { scoreWords, verdictOf, voteBars } from './model.js';
import { unbroken } from './numbers.js';

function optionButton(option, at, press) {
  return h('button', { type: 'button', class: 'pg-button lesson-option', onclick: () => press(at) }, h('kbd', { 'aria-hidden': 'true' }, at + 1), h('span', null, unbroken(option)));
}

/** Renders the question of the beat on screen into `root`. room: see room.js. */
export function mountPredict(root, player, room) {
  const { store } = player;
  const options = h('div', { class: 'lesson-options', role: 'group', 'aria-label': 'Your prediction' });
  const skip = h('button', { type: 'button', class: 'pg-link', onclick: () => player.lift() }, 'Show without guessing');
  const ask = h('button', { type: 'button', class: 'pg-link', onclick: () => room.open() }, 'Ask the room');
  const code = h('p', { class: 'lesson-room', hidden: true });
  const votes = h('ul', { class: 'lesson-votes', 'aria-label': 'Votes of the room' });
  const verdict = h('p', { class: 'lesson-verdict', role: 'status', hidden: true });
  const join = h('input', { type: 'text', class: 'lesson-join', 'aria-label': 'Room code', placeholder: 'Room code', maxlength: 8, size: 9, autocomplete: 'off' });
  const toJoin = h('button', { type: 'button', class: 'pg-link', onclick: () => { setShown(joining, true); setShown(toJoin, false); join.focus(); } }, 'Vote in a room');
  const joining = h('span', { class: 'lesson-joining', hidden: true }, join, h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => room.join(join.value) }, 'Vote there'));
  const ways = h('div', { class: 'lesson-ways' }, skip, ask, toJoin, joining);
  root.append(options, ways, code, votes, verdict);
  join.addEventListener('keydown', (event) => { if (event.key === 'Enter') room.join(join.value); });

  let drawn = null;
  const update = () => {
    const { form, beat, answers } = store.get();
    const question = form ? (form.lesson.beats[beat] || {}).predict : null;
    const told = room.get();
    setShown(root, Boolean(question) || told.role === 'guest');
    const asking = player.asking();
    // Once the numbers are there a guest is told nothing more of the room.
    setShown(code, Boolean(told.error) || told.role === 'host' || (told.role === 'guest' && (asking || !question)));
    setText(code, told.error || told.words);
    if (!question) {
      for (const each of [options, ways, votes, verdict]) setShown(each, false);
      drawn = null;
      return;
    }
    setShown(options, asking);
    if (drawn !== question) {
      drawn = question;
      fill(options, question.options.map((option, at) => optionButton(option, at, (picked) => { player.predict(picked); room.vote(picked); })));
    }
    const presenting = document.body.classList.contains('presenting');
    setShown(ways, asking);
    setShown(skip, !told.waiting);
    setShown(ask, told.can && presenting && told.role === null);
    const apart = !told.can || presenting || told.role !== null;
    setShown(toJoin, !apart && joining.hidden);
    if (apart) setShown(joining, false);
    // Nobody's vote leans on the others'.
    const bars = told.counts && !asking ? voteBars(question.options, told.counts, question.answer) : [];
    setShown(votes, bars.length > 0);
    keyed(votes, bars, (bar) => bar.option, () => h('li', null, h('span', { class: 'lesson-vote-name' }), h('span', { class: 'lesson-vote-lane', 'aria-hidden': 'true' }, h('i', null)), h('span', { class: 'lesson-vote-words' })), (node, bar) => {
      setText(node.children[0], bar.option);
      node.children[1].firstChild.style.width = `${100 * bar.share}%`;
      setText(node.children[2], bar.words);
      setAttr(node, 'data-right', bar.right);
    });
    const answered = beat in answers;
    setShown(verdict, answered);
    if (answered) {
      const { right, words } = verdictOf(question, answers[beat]);
      setText(verdict, unbroken([words, scoreWords(form.lesson, answers)].filter(Boolean).join(' ')));
      setAttr(verdict, 'data-right', String(right));
    }
  };
  store.subscribe(update);
  room.subscribe(update);
  new MutationObserver(update).observe(document.body, { attributes: true, attributeFilter: ['class'] });
  update();
}
