// The sentence that says what happened at the step on screen, and the line that says where the numbers come from.

import { h, fill, setText, setShown, setAttr } from './dom.js';
import { prob, logProb, count, tokenLabel, tokenSpoken, visible } from './format.js';
import { freeWords, spanRegion, spanWords, withoutAnswer } from './method.js';

const CAPTION_SPEAK_MS = 400;

const CAPTION_BADGES = { toy: 'toy', live: 'live', recorded: 'recorded' };

// A sentence is a list of strings and {token} parts, so that tokens can be drawn as tokens, written as `x`, or spoken.
function captionMass(position) {
  return ` Allowed mass ${logProb(position.allowed === position.vocab ? 0 : position.log_z).text}.`;
}

function captionStep(step, number, problem) {
  const taken = { token: step.taken };
  const top = step.argmax;
  const wanted = ['the model wanted ', { token: top }, ` ${prob(top.p).text}`];
  const got = prob(step.taken.p).text;
  const start = `Step ${number}: `;
  if (step.given) return [start, taken, ` was given, not sampled; the model gave it ${got}.`, captionMass(step)];
  if (spanRegion(step, problem) === 'free') return [start, `free text, ${freeWords(step)}: the model took `, taken, ` ${got}.`];
  if (!step.taken.allowed) return [start, 'took ', taken, ` ${got} although it is blocked: the text is no longer valid.`];
  if (step.forced) {
    const rest = top.id === step.taken.id ? [`; the model wanted it too, ${got}.`] : ['; ', ...wanted, `, and gave this one ${got}.`];
    return [start, 'only ', taken, ' is allowed', ...rest, captionMass(step)];
  }
  if (step.argmax_blocked) return [start, ...wanted, ', blocked; took ', taken, ` ${got}.`, captionMass(step)];
  if (top.id === step.taken.id) return [start, ...wanted, ', and it was allowed and taken.', captionMass(step)];
  return [start, ...wanted, ', allowed; took ', taken, ` ${got}.`, captionMass(step)];
}

// How the run ended, or nothing while it runs.
function captionEnd(position, lane, maxTokens) {
  if (lane.outcome === 'accepted' && lane.judged && lane.judged.message) return lane.judged.status === 'refused' ? `The run ended as JSON, and the constraint refuses it. ${lane.judged.message}` : lane.judged.message;
  if (lane.outcome === 'accepted') return 'The run ended where the text is valid.';
  if (lane.outcome === 'rejected') return withoutAnswer(lane) ? 'The run took a blocked token: no answer.' : 'The run took a blocked token: the text is invalid.';
  if (lane.outcome === 'dead_end' || (position && position.dead)) {
    return 'No token can continue here: the constraint allows text that this model, with these filters, cannot spell from this point.';
  }
  if (lane.outcome === 'truncated') {
    const needs = position && position.state && position.state.needs;
    return `Stopped at ${count(maxTokens || lane.steps.length)} tokens. The text is INCOMPLETE, not invalid${needs ? `: it still needs ${visible(needs)}` : ''}.`;
  }
  return '';
}

/** The sentence for what is shown, as strings and {token} parts. lane: null, or with steps, frontier, outcome. */
function captionParts({ lane, cursor, position, maxTokens = null, problem = null }) {
  if (!lane) return [];
  if (cursor < lane.steps.length) {
    const step = lane.steps[cursor];
    const last = cursor === lane.steps.length - 1;
    const end = last && lane.outcome !== 'running' && step.taken.allowed ? captionEnd(lane.frontier, lane, maxTokens) : '';
    const span = spanRegion(step, problem) === 'free' ? '' : spanWords(step, problem);
    return [...captionStep(step, cursor + 1, problem), span ? ` ${span[0].toUpperCase()}${span.slice(1)}.` : '', end ? ` ${end}` : ''];
  }
  const end = captionEnd(position, lane, maxTokens);
  if (end) return [end];
  if (!position) return ['Nothing has been drawn yet.'];
  const top = position.argmax;
  return ['Next token: the model wants ', { token: top }, ` ${prob(top.p).text}${position.argmax_blocked ? ', blocked' : ', allowed'}. `,
    `${count(position.allowed)} of ${count(position.vocab)} tokens are allowed.`, captionMass(position)];
}

/** The sentence as text: tokens in backticks, or `aloud` with their whitespace in words. */
export function captionSentence(at, { aloud = false } = {}) {
  return captionParts(at).map((part) => (typeof part === 'string' ? part : aloud ? tokenSpoken(part.token) : `\`${tokenLabel(part.token)}\``)).join('');
}

/** "SmolLM2-135M-Instruct 12fd25f, float32 on cpu, engine: exact byte automaton"; `engine` is the title of the constraint's engine. */
export function provenanceLine(provenance, engine = null) {
  if (!provenance) return '';
  const name = [provenance.model, provenance.revision].filter(Boolean).join(' ');
  const how = [provenance.dtype, provenance.device && `on ${provenance.device}`].filter(Boolean).join(' ');
  return [name, how, (engine || provenance.engine) && `engine: ${engine || provenance.engine}`].filter(Boolean).join(', ');
}

/** toy, recorded or live: where the numbers come from. */
export function provenanceKind(doc, live) {
  const kind = doc && doc.provenance ? doc.provenance.kind : null;
  if (kind === 'live' && !live) return 'recorded';
  return CAPTION_BADGES[kind] || 'live';
}

const CAPTION_BADGE_HELP = {
  toy: 'A hand-written table of probabilities: every number is exact and can be checked by hand.',
  recorded: 'Played from a record: real numbers, computed earlier; nothing is asked of a model now.',
  live: 'Computed by the model now, on the server.',
};

/** A badge that says where the numbers come from, kept up to date. */
export function provenanceBadge(store) {
  const badge = h('span', { class: 'pg-badge' });
  const update = () => {
    const doc = store.doc();
    const kind = provenanceKind(doc, store.live());
    setShown(badge, Boolean(doc));
    const edited = kind === 'toy' && Boolean(doc && doc.toy_edited);
    setText(badge, edited ? 'edited toy' : kind);
    setAttr(badge, 'data-kind', kind);
    setAttr(badge, 'title', edited ? `${CAPTION_BADGE_HELP.toy} Its table has been edited here.` : CAPTION_BADGE_HELP[kind]);
  };
  store.subscribe(update);
  update();
  return badge;
}

/** Builds the line that names model, revision, precision and engine. */
export function mountProvenance(root, store) {
  const line = h('span', { class: 'pg-provenance-text' });
  root.append(provenanceBadge(store), line);
  const update = () => { const doc = store.doc(); setText(line, doc ? provenanceLine(doc.provenance, doc.constraint && doc.constraint.engine_title) : ''); };
  store.subscribe(update);
  update();
}

/** Builds the caption. What is read aloud waits until the visitor stays at a step. */
export function mountCaption(root, store) {
  const sentence = h('p', { class: 'pg-caption' });
  const spoken = h('div', { class: 'pg-spoken', 'aria-live': 'polite', 'aria-atomic': 'true' });
  root.append(sentence, spoken);
  let drawn = '';
  let timer = null;
  const update = () => {
    const doc = store.doc();
    const at = { lane: store.lane(), cursor: store.cursor(), position: store.shown(), maxTokens: doc && doc.problem ? doc.problem.max_tokens + (doc.healed ? 1 : 0) : null, problem: doc && doc.problem };
    const text = captionSentence(at);
    if (text === drawn) return;
    drawn = text;
    fill(sentence, captionParts(at).map((part) => (typeof part === 'string' ? part : h('span', { class: 'pg-token' }, tokenLabel(part.token)))));
    clearTimeout(timer);
    timer = setTimeout(() => setText(spoken, captionSentence(at, { aloud: true })), CAPTION_SPEAK_MS);
  };
  store.subscribe(update);
  update();
}
