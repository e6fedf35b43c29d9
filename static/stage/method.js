// What a method that masks by something else than the constraint, or begins with given text, means for what is on screen.
import { counted, visible } from './format.js';

/** What Step says where the exact layer is off. */
export const METHOD_NO_EXACT = 'The exact law is that of the constraint alone, and this method masks by something else. Set the method to masked or unconstrained.';

/** Whether the mask on screen isn't the constraint's. */
export function masksOtherwise(problem) {
  return Boolean(problem) && (problem.method === 'json-mode' || problem.method === 'think');
}

/** The sentence about the method under the constraint's line; '' where the mask is the constraint's and nothing is given. */
export function methodWords(problem) {
  if (!problem) return '';
  if (problem.method === 'json-mode') return 'JSON mode: the mask, and so Z, is that of any JSON object. The constraint masks nothing here; it judges the text.';
  if (problem.method === 'think' && problem.markers) {
    return `Think, then constrain: masked only between ${visible(problem.markers.open)} and ${visible(problem.markers.close)}, as often as the model opens a span. Outside nothing but special tokens is masked and Z is 1 or close to it, except where a token crosses a marker.`;
  }
  if (problem.method === 'unconstrained' && problem.prefill) return `The run begins with ${visible(problem.prefill)}, which is given, not sampled.`;
  return '';
}

const METHOD_JUDGED = {
  'json-mode': { valid: ['VALID', 'valid'], incomplete: ['INCOMPLETE', 'incomplete'], refused: ['REFUSED', 'invalid'] },
};

/** The chip of a second judge, {label, word, status, words}; null where there is none. `judged` is the record's. */
export function judgedChip(problem, judged) {
  const known = problem && judged && METHOD_JUDGED[problem.method];
  if (!known || !known[judged.status]) return null;
  const [word, status] = known[judged.status];
  return { label: 'the constraint:', word, status, words: judged.message };
}

/** What the first verdict is about. */
export function verdictLabel(problem) {
  if (problem && problem.method === 'json-mode') return 'as JSON:';
  return problem && problem.method === 'think' ? 'answer:' : 'whole text:';
}

/** Whether a run that thinks, or a lane of it, has come to its own end without an answer. */
export function withoutAnswer({ outcome, judged }) {
  return outcome !== 'running' && outcome !== 'truncated' && Boolean(judged) && ['none', 'open'].includes(judged.status);
}

/** What the State panel's ring says, {words, valid}: `steps` are those before the state. A run that thinks may end in free text, and
 *  is worth something only with an answer. */
export function ringWords(state, steps, problem) {
  if (!state.may_stop) return { words: 'not valid yet', valid: false };
  if (!problem || problem.method !== 'think') return { words: 'valid', valid: true };
  const answered = steps.some((step) => (step.events || []).includes('closes'));
  return { words: answered ? 'valid' : 'no answer', valid: answered };
}

/** What the mask takes of free text. */
export function freeWords(step) {
  return step.allowed === step.vocab ? 'nothing is masked' : 'nothing but special tokens is masked';
}

/** Where a step of a run that thinks stands: 'free', 'inside', or 'crosses' a marker; null for the other methods. */
export function spanRegion(step, problem) {
  if (!step || !problem || problem.method !== 'think' || step.free === undefined) return null;
  const events = step.events || [];
  if (events.includes('opens') || events.includes('closes')) return 'crosses';
  return step.free ? 'free' : 'inside';
}

/** What a token does to the spans, in words; '' where it does nothing or the method has none. */
export function spanWords(step, problem) {
  const region = spanRegion(step, problem);
  if (region === null) return '';
  const did = [step.events.includes('opens') ? 'opens a constrained span' : '', step.events.includes('closes') ? 'closes one' : ''].filter(Boolean);
  if (did.length) return `this token ${did.join(' and ').replace(/^closes one$/, 'closes a constrained span')}`;
  return region === 'free' ? `free text: ${freeWords(step)}` : 'inside a constrained span';
}

/** The number of the attempt on screen, from 1. */
export function attemptOf(doc) {
  return doc && doc.again ? doc.again.attempt : 1;
}

/** What the button says that asks again, or null where the attempts are used up or the run wasn't refused. */
export function againWords(doc) {
  if (!doc || doc.problem.method !== 'unconstrained' || (doc.outcome !== 'rejected' && doc.outcome !== 'truncated')) return null;
  const most = doc.problem.attempts || 1;
  const next = attemptOf(doc) + 1;
  return next <= most ? `Ask again with the error (attempt ${next} of ${most})` : null;
}

/** Said where the attempts are used up; '' elsewhere. */
export function spentWords(doc) {
  if (!doc || !doc.again || againWords(doc) !== null || doc.outcome === 'accepted' || doc.outcome === 'running') return '';
  return `All ${counted(doc.problem.attempts || 1, 'attempt')} are used up.`;
}

/** How this screen's retry differs from the method's. */
export const METHOD_CUT = 'On this screen a run stops at its first invalid token, so the output that is fed back is cut there. In Compare the model goes on to its own end first.';
