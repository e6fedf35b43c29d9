// The top of the stage: the lesson's question, the allowed mass in figures, odds and bits, and how the run stands.

import { h, icon, fill, setText, setShown, setAttr } from './dom.js';
import { provenanceBadge } from './caption.js';
import { logPlain, logOdds, logProb, logit, bits, count, counted, seconds, massWord, MASS_WORD_HELP } from './format.js';
import { weightWords } from './inspector.js';
import { judgedChip, methodWords, verdictLabel, withoutAnswer } from './method.js';

const HEADER_VERDICTS = {
  valid: ['VALID', 'The text is valid.'],
  invalid: ['INVALID', 'The text is not valid, and nothing added at its end can mend it.'],
  incomplete: ['INCOMPLETE', 'Not valid yet, but it can still become valid.'],
  dead_end: ['DEAD END', 'No token can be drawn from here.'],
  no_answer: ['NO ANSWER', 'The run has ended without a closed span: there is no answer.'],
  none: ['', ''],
};

/** How a lane stands, as one of the keys of HEADER_VERDICTS. */
export function standing(lane) {
  if (!lane) return 'none';
  if (withoutAnswer(lane)) return 'no_answer';
  if (lane.outcome === 'dead_end') return 'dead_end';
  if (lane.outcome === 'rejected') return 'invalid';
  if (lane.verdict && lane.verdict.status && lane.verdict.status !== 'none') return lane.verdict.status;
  return lane.outcome === 'truncated' ? 'incomplete' : 'none';
}

/** Sum of log Z over the first n steps: what the mask has cost so far, nats; -Infinity once a step had no mass. */
export function costSoFar(steps, n) {
  return steps.slice(0, n).reduce((sum, step) => sum + (step.log_z === null ? -Infinity : step.log_z), 0);
}

/** Sum of log p − log proposal over the first n steps, nats; null when a step's token could not be drawn, or p gives it 0. */
export function weightSoFar(steps, n) {
  return steps.slice(0, n).reduce((sum, step) => (sum === null || step.log_weight === null || step.log_weight === undefined ? null : sum + step.log_weight), 0);
}

/** The constraint in one line: kind, engine, size, cost, and how much of it is not enforced. */
export function constraintFacts(constraint) {
  const from = { memory: ', from memory', disk: ', from disk' }[constraint.cached] || '';
  const size = constraint.states > 0 ? `${counted(constraint.states, 'state')}, ${counted(constraint.transitions, 'transition')}, ` : '';
  const compiled = constraint.kind === 'free' ? '' : `${size}compiled in ${seconds(constraint.compile_seconds)}${from}`;
  const missing = (constraint.notes || []).filter((note) => note.level === 'not-enforced' || note.level === 'partly').length;
  return { facts: [constraint.kind, `engine: ${constraint.engine_title || constraint.engine}`, compiled].filter(Boolean).join(' · '),
    flag: missing ? `${counted(missing, 'keyword')} not fully enforced` : '' };
}

/** An author's sentence, with what stands in backticks as code. */
export function sentenceParts(text) {
  return String(text || '').split(/`([^`]+)`/).map((part, i) => ({ code: i % 2 === 1, text: part })).filter((part) => part.text !== '');
}

function headerSentence(node, text) {
  if (node.pgText === text) return;
  node.pgText = text;
  fill(node, sentenceParts(text).map((part) => (part.code ? h('code', { class: 'pg-token' }, part.text) : part.text)));
}

/** Builds the header; `openNotes` shows what the constraint does not enforce. */
export function mountHeader(root, store, { openNotes = () => {} } = {}) {
  const lessonTitle = h('h2', { class: 'pg-title' });
  const question = h('p', { class: 'pg-question' });
  const lessonCaption = h('p', { class: 'pg-lesson-caption' });
  const verdict = h('span', { class: 'pg-verdict' });
  const wholeWords = h('span', null);
  const whole = h('span', { class: 'pg-whole' }, wholeWords, verdict);
  const second = h('span', { class: 'pg-verdict' });
  const secondWords = h('span', null);
  const judge = h('span', { class: 'pg-whole pg-judge' }, secondWords, second);
  const verdicts = h('span', { class: 'pg-verdicts' }, whole);
  const where = h('span', { class: 'pg-where' });
  // The number of steps grows while the run goes on.
  const growing = h('span', null, ' so far');
  const figure = h('span', { class: 'pg-figure' });
  const oddsText = h('span', { class: 'pg-odds' });
  const bitsText = h('span', { class: 'pg-bits' });
  const word = h('button', { type: 'button', class: 'pg-word', 'aria-expanded': 'false', title: MASS_WORD_HELP,
    onclick: () => { help.hidden = !help.hidden; word.setAttribute('aria-expanded', String(!help.hidden)); } });
  const help = h('p', { class: 'pg-help', hidden: true }, MASS_WORD_HELP);
  const allowed = h('span', { class: 'pg-allowed' });
  const total = h('span', { class: 'pg-total' });
  const weight = h('span', { class: 'pg-weight' });
  const top = h('div', { class: 'pg-head-top' }, h('div', { class: 'pg-head-words' }, lessonTitle, question, lessonCaption),
    h('div', { class: 'pg-head-side' }, h('span', { class: 'pg-place' }, where, growing), provenanceBadge(store), verdicts));
  const constraintWords = h('span', { class: 'pg-faint' });
  const constraintFlag = h('button', { type: 'button', class: 'pg-flag', title: 'Show what is not enforced', onclick: openNotes });
  const constraintLine = h('p', { class: 'pg-constraint' }, constraintWords, constraintFlag);
  const methodLine = h('p', { class: 'pg-method', hidden: true });
  const greedy = h('span', { class: 'pg-greedy', title: 'Temperature 0 takes the largest allowed logit; a mass of 0 or 1 would say nothing.' }, 'numbers for T = 1: the run is greedy');
  const stopWords = h('span', null);
  const stopHere = h('span', { class: 'pg-maystop' }, icon('may_stop'), stopWords);
  const numbers = h('div', { class: 'pg-numbers' },
    h('div', { class: 'pg-mass' }, h('span', { class: 'pg-mass-label' }, 'Allowed mass'), h('span', { class: 'pg-symbol' }, 'Z = '), figure, oddsText, bitsText, word),
    h('div', { class: 'pg-mass-side' }, greedy, stopHere, allowed, total, weight));
  root.append(top, constraintLine, methodLine, numbers, help);
  const update = () => {
    const doc = store.doc();
    const lane = store.lane();
    const position = store.shown();
    const lesson = doc && doc.lesson;
    setShown(top, Boolean(doc));
    setText(lessonTitle, lesson ? lesson.title : 'Step by step');
    setShown(question, Boolean(lesson && lesson.question));
    headerSentence(question, (lesson && lesson.question) || '');
    setShown(lessonCaption, Boolean(lesson && lesson.caption));
    headerSentence(lessonCaption, (lesson && lesson.caption) || '');
    const constraint = doc && doc.constraint;
    setShown(constraintLine, Boolean(constraint));
    if (constraint) {
      const { facts, flag } = constraintFacts(constraint);
      setText(constraintWords, facts);
      setText(constraintFlag, flag);
      setShown(constraintFlag, flag !== '');
    }
    const about = methodWords(doc && doc.problem);
    setText(methodLine, about);
    setShown(methodLine, about !== '');
    const status = standing(lane);
    setText(wholeWords, verdictLabel(doc && doc.problem));
    const chip = judgedChip(doc && doc.problem, lane && lane.judged);
    if (!chip) judge.remove();
    else {
      if (judge.parentNode !== verdicts) verdicts.append(judge);
      setText(secondWords, chip.label);
      setText(second, chip.word);
      setAttr(second, 'data-status', chip.status);
      setAttr(second, 'title', chip.words);
    }
    setShown(whole, Boolean(lane) && status !== 'none');
    setText(verdict, HEADER_VERDICTS[status][0]);
    setAttr(verdict, 'data-status', status);
    setAttr(verdict, 'title', (status === 'no_answer' && lane.judged.message) || (lane && lane.verdict && lane.verdict.message) || HEADER_VERDICTS[status][1]);
    const cursor = store.cursor();
    const steps = lane ? lane.steps.length : 0;
    setText(where, !lane ? '' : cursor < steps ? `Step ${cursor + 1} of ${steps}` : `After ${counted(steps, 'token')}`);
    setShown(growing, Boolean(lane) && cursor < steps && lane.outcome === 'running');
    setShown(numbers, Boolean(position));
    if (!position) { help.hidden = true; return; }
    const logZ = position.allowed === position.vocab ? 0 : position.log_z;
    const wordNow = massWord(logZ === null ? 0 : Math.exp(logZ), position.dead);
    setText(figure, logPlain(logZ));
    setAttr(figure, 'title', logProb(logZ).title);
    setText(oddsText, logZ === 0 ? 'nothing is lost' : logOdds(logZ));
    setText(bitsText, bits(logZ === 0 ? 0 : position.bits));
    setText(word, wordNow);
    setAttr(word, 'data-word', wordNow);
    setText(allowed, `${count(position.allowed)} of ${count(position.vocab)} tokens allowed`);
    const through = Math.min(cursor + 1, steps);
    const sum = lane ? costSoFar(lane.steps, through) : 0;
    setText(total, through === 0 ? '' : `so far ${bits(sum === -Infinity ? null : -sum / Math.LN2 + 0)} (${sum === 0 ? 'nothing blocked' : logOdds(sum === -Infinity ? null : sum)})`);
    const weighed = position.taken && position.log_proposal !== null ? weightWords(position, doc.problem || {}) : '';
    const run = lane ? weightSoFar(lane.steps, through) : 0;
    setShown(weight, weighed !== '');
    setText(weight, weighed && `log weight ${logit(position.log_weight)}, so far ${logit(run)}`);
    setAttr(weight, 'title', `${weighed} The run's weight is the sum.`);
    setAttr(total, 'title', `The product of the allowed masses so far. Bits add up${weighed ? '; the run was drawn from another law, so its weight is a sum of its own.' : ': this is log2(after mask / model) of the whole text, the receipt.'}`);
    setShown(greedy, Boolean(doc.problem && doc.problem.sampling && doc.problem.sampling.temperature === 0));
    setShown(stopHere, Boolean(position.may_stop));
    setText(stopWords, position.taken ? 'could stop before this token' : 'may stop here');
  };
  store.subscribe(update);
  update();
}
