// What became of a run that has ended: valid, cut, stuck or outside the constraint, and what to do about it.
import { h, fill, setShown } from './dom.js';
import { bits, counted, logProb, maskTook } from './format.js';
import { METHOD_CUT, againWords, spentWords, withoutAnswer } from './method.js';
import { mergedProblem } from './settings.js';

const OUTCOME_MORE_TOKENS = 32;

/** The title and sentence for a run's outcome, or null while it runs. */
export function outcomeWords(doc) {
  const sampling = doc.problem.sampling || {};
  const filters = Boolean(sampling.top_k) || (sampling.top_p !== undefined && sampling.top_p !== null && sampling.top_p < 1);
  const message = doc.verdict && doc.verdict.message ? doc.verdict.message : '';
  const { judged } = doc;
  if (judged && doc.problem.method === 'json-mode' && doc.outcome === 'accepted') {
    return judged.status === 'refused' ? { title: 'JSON, REFUSED', words: 'The text is JSON, and the constraint refuses it.', message: judged.message, offer: null, kind: 'rejected' }
      : { title: 'VALID', words: 'The text is JSON, and the constraint accepts it.', message: '', offer: null };
  }
  if (withoutAnswer(doc)) return { title: 'NO ANSWER', words: judged.message, message: '', offer: null, kind: 'rejected' };
  if (judged && judged.status === 'valid' && doc.problem.method === 'think' && doc.outcome === 'accepted') return { title: 'ANSWER', words: judged.message, message: '', offer: null };
  if (doc.outcome === 'accepted') return { title: 'VALID', words: 'The run ended where the text is valid.', message, offer: null };
  if (doc.outcome === 'truncated') {
    return { title: 'INCOMPLETE', words: `Stopped at ${counted(doc.problem.max_tokens + (doc.healed ? 1 : 0), 'token')}. ${message || 'The text is incomplete, not invalid.'}`, message: '', offer: 'more' };
  }
  if (doc.outcome === 'rejected') return { title: 'INVALID', words: 'A token was taken that the constraint does not allow.', message, offer: null };
  if (doc.outcome !== 'dead_end') return null;
  if (filters && sampling.mask_order !== 'before-filters') {
    const names = [sampling.top_k ? `top-k ${sampling.top_k}` : null, sampling.top_p < 1 ? `top-p ${sampling.top_p}` : null].filter(Boolean).join(' and ');
    return { title: 'DEAD END', words: `No token can continue here: ${names} kept only tokens that the mask blocks.`, message, offer: 'order' };
  }
  return { title: 'DEAD END', words: 'No token can continue here. The model gives no mass to any allowed token, or the vocabulary can’t spell what the constraint still wants.', message, offer: null };
}

/** Renders the outcome card into `root`; it is hidden while the run goes on. */
export function mountOutcome(root, store) {
  const section = h('section', { class: 'pg-card pg-panel pg-outcome-panel', role: 'status', 'aria-label': 'Outcome of the run', hidden: true });
  root.append(section);
  let seen = [];

  const allowMore = async () => {
    await store.actions.replay((problem) => ({ max_tokens: problem.max_tokens + OUTCOME_MORE_TOKENS }));
    if (store.doc().outcome === 'running') store.actions.end();
  };
  const maskFirst = () => store.actions.replay((problem) => mergedProblem(problem, { sampling: { mask_order: 'before-filters' } }));

  const answered = (judged) => (judged && judged.answer !== undefined && judged.answer !== null && judged.status === 'valid' ? h('pre', { class: 'pg-snippet pg-answer', tabindex: '0', 'aria-label': 'The answer' }, judged.answer) : null);

  // How JSON mode and a run that thinks were cut: what the other judge says stands beside it.
  const second = ({ judged, outcome }, said) => (judged && judged.message && outcome === 'truncated' && !said.includes(judged.message) ? h('p', null, judged.status === 'refused' ? `The constraint refuses it already. ${judged.message}` : judged.message) : null);

  const again = (doc) => {
    const words = store.live() ? againWords(doc) : null;
    const spent = spentWords(doc);
    if (words === null) return spent ? h('p', { class: 'pg-quiet' }, spent) : null;
    return h('div', { class: 'pg-ask-again' }, h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => store.actions.askAgain() }, words), h('p', { class: 'pg-quiet' }, METHOD_CUT));
  };

  const object = (validated) => {
    if (!validated) return null;
    if (validated.error) return h('div', { class: 'pg-validated is-refused' }, h('h4', null, 'As a validated object'), h('p', null, h('b', null, 'Refused: '), validated.error));
    const value = JSON.stringify(validated.value, null, 2);
    return h('div', { class: 'pg-validated' }, h('h4', null, `As a validated ${validated.type}`),
      validated.repr ? h('pre', { class: 'pg-snippet', tabindex: '0' }, validated.repr) : null,
      value && value !== validated.repr ? (validated.repr ? h('details', null, h('summary', null, 'As JSON'), h('pre', { class: 'pg-snippet', tabindex: '0' }, value)) : h('pre', { class: 'pg-snippet', tabindex: '0' }, value)) : null);
  };

  const draw = () => {
    const doc = store.doc();
    const words = doc ? outcomeWords(doc) : null;
    setShown(section, Boolean(words));
    if (!words) { seen = []; return; }
    const now = [doc.outcome, doc.steps, doc.verdict, doc.validated, doc.judged, doc.problem];
    if (now.every((each, i) => each === seen[i])) return;
    seen = now;
    const total = doc.steps.reduce((sum, step) => (sum === null || step.bits === null ? null : sum + step.bits), 0);
    fill(section,
      h('p', { class: `pg-result is-${words.kind || doc.outcome}` }, h('b', null, words.title), ` ${words.words}`),
      words.message && words.message !== words.words ? h('p', null, words.message) : null,
      second(doc, words.words), answered(doc.judged),
      doc.steps.length ? h('p', { class: 'pg-quiet' }, total === null ? 'The product of the allowed masses is 0.' : `Over ${counted(doc.steps.length, 'step')} ${maskTook(doc.problem)} ${bits(total)}: the product of the allowed masses is ${logProb(-total * Math.LN2).text}.`) : null,
      store.live() && words.offer === 'more' ? h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: allowMore }, `Allow ${OUTCOME_MORE_TOKENS} more`) : null,
      store.live() && words.offer === 'order' ? h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: maskFirst }, 'Mask first, then filter') : null,
      again(doc),
      object(doc.validated));
  };
  store.subscribe(draw);
  draw();
}
