// What can be claimed about the page as it stands: facts with their relation and value filled in, and a sentence to begin with.

import { prob } from '../stage/format.js';
import { figure, interval } from './numbers.js';

// Two computations of a model's number differ by the rounding of its logits; a toy's don't.
const FACTS_TOY = 1e-9;
const FACTS_MODEL = 5e-3;
const FACTS_TIGHT = 1e-3;
const FACTS_TEXTS = 3;
// Of bounds that are wide only the near side is claimed, with a little room.
const FACTS_ROOM = 0.99;

function near(fact, value, toy, more, sentence) {
  return { check: { fact, step: null, of: '', ...more, relation: 'near', value, within: Math.max(FACTS_TOY, toy ? 0 : FACTS_MODEL * Math.abs(value)) }, words: '', sentence };
}

function is(fact, value, more, sentence) {
  return { check: { fact, step: null, of: '', ...more, relation: 'is', value, within: 0 }, words: '', sentence };
}

function bounded(fact, bounds, toy, more, sentence) {
  const { lower, upper } = bounds;
  if (lower === null || upper === null) return [];
  const middle = (lower + upper) / 2;
  const half = (upper - lower) / 2;
  if (half <= FACTS_TIGHT * Math.abs(middle)) {
    const found = near(fact, middle, toy, more, sentence(prob(middle).text, figure(middle)));
    found.check.within += half;
    return [found];
  }
  if (lower <= 0) return [];
  const least = lower * FACTS_ROOM;
  return [{ check: { fact, step: null, of: '', ...more, relation: '>', value: least, within: 0 }, words: ` (proved: ${interval(bounds)})`, sentence: sentence(`more than ${prob(least).text}`, `more than ${figure(least)}`) }];
}

function ofStep(step, at, toy) {
  const more = { step: at };
  const where = `At step ${at + 1}`;
  const { taken, argmax } = step;
  return [
    near('z', step.z, toy, more, `${where} the mask keeps ${prob(step.z).text} of the model’s mass.`),
    is('argmax-blocked', step.argmax_blocked, more, step.argmax_blocked ? `${where} the model’s first choice, ${argmax.text}, is blocked.` : `${where} the model’s first choice is allowed.`),
    is('taken', taken.text, more, `${where} the token taken is “${taken.text}”.`),
    near('taken-p', taken.p, toy, more, `${where} the model gave the token taken ${prob(taken.p).text}.`),
    is('argmax', argmax.text, more, `${where} the model wants “${argmax.text}”.`),
    near('argmax-p', argmax.p, toy, more, `${where} the model gives its first choice ${prob(argmax.p).text}.`),
    is('allowed', step.allowed, more, `${where} ${step.allowed} tokens are allowed.`),
    is('forced', step.forced, more, step.forced ? `${where} a single token is allowed.` : `${where} more than one token is allowed.`),
    is('may-stop', step.may_stop, more, step.may_stop ? `${where} the text may stop.` : `${where} the text may not stop yet.`),
  ];
}

function ofRun({ steps, outcome }, toy) {
  const text = steps.filter((step) => !step.taken.special).map((step) => step.taken.text).join('');
  const product = steps.reduce((all, step) => all * step.z, 1);
  const least = Math.min(...steps.map((step) => step.z));
  return [
    is('text', text, {}, `The run writes “${text}”.`),
    is('outcome', outcome, {}, outcome === 'accepted' ? 'The run ends where the text is valid.' : `The run stands as ${outcome}.`),
    is('steps', steps.length, {}, `The run has ${steps.length} tokens.`),
    near('least-z', least, toy, {}, `The smallest Z_t of the run is ${prob(least).text}.`),
    near('product-of-z', product, toy, {}, `The product of all Z_t is ${prob(product).text}.`),
  ];
}

function ofLaw({ exact }, toy) {
  const texts = exact.texts.slice(0, FACTS_TEXTS).flatMap((text) => [
    ...bounded('masked-of', text.masked, toy, { of: text.text }, (share) => `Masking writes “${text.text}” ${share} of the time.`),
    ...bounded('exact-of', text.p_V, toy, { of: text.text }, (share) => `The model’s own belief in “${text.text}” is ${share}.`),
    ...bounded('squeeze-of', text.squeeze, toy, { of: text.text }, (_, times) => `Masking gives “${text.text}” ${times} times as often as it should.`),
  ]);
  return [
    ...bounded('Z', exact.Z, toy, {}, (share) => `An unconstrained sample is valid with chance ${share}.`),
    ...(exact.tv ? bounded('tv', exact.tv, toy, {}, (_, far) => `The law of the mask is ${far} away from the exact one (TV).`) : []),
    ...texts,
  ];
}

function ofMethods({ methods }) {
  return Object.entries(methods).map(([name, method]) => is('accepted', method.accepted, { of: name }, `${method.title}: ${method.accepted} of ${method.draws} draws are valid.`));
}

function ofStrings(judged) {
  return judged.map(({ text, status }) => is('verdict', status, { of: text }, `The reference judge says that “${text}” is ${status}.`));
}

/** Suggestions for claims: [{check, words, sentence, needs}]; words: what is known beyond the check. page: {lane: {steps, outcome}, cursor, toy, law, comparison, judged}: what is on the
 *  screens, null where nothing is; needs: 'law' or 'methods' where the scene has to be recorded with them. */
export function suggestions({ lane, cursor, toy, law = null, comparison = null, judged = null }) {
  const tagged = (found, needs) => found.map((each) => ({ ...each, needs }));
  return [
    ...(lane && lane.steps[cursor] ? tagged(ofStep(lane.steps[cursor], cursor, toy), '') : []),
    ...(lane && lane.steps.length ? tagged(ofRun(lane, toy), '') : []),
    ...(law ? tagged(ofLaw(law, toy), 'law') : []),
    ...(comparison ? tagged(ofMethods(comparison), 'methods') : []),
    ...(judged ? tagged(ofStrings(judged), 'strings') : []),
  ];
}
