// The way from scores to a token, in the problem's own order; a click on a stage says what it did at this step.
import { h, fill, setText, setShown } from './dom.js';
import { bits, count, isShort, logit, odds, prob, tokenLabel } from './format.js';
import { maskComesFirst } from './settings.js';
import { timingTable } from './timing.js';

const PIPELINE_ROWS = 5;

function pipelineBars(rows, values, { blocked = false, signed = false, raw = false } = {}) {
  const shown = rows.slice(0, PIPELINE_ROWS);
  const finite = shown.map(values).filter((v) => v !== null && Number.isFinite(v));
  const most = Math.max(1e-12, ...finite.map(Math.abs));
  const least = signed ? Math.min(0, ...finite) : 0;
  const reach = signed ? Math.max(1e-12, Math.max(0, ...finite) - least) : most;
  return h('ul', { class: 'pg-pipe-bars' }, shown.map((row) => {
    const v = values(row);
    const text = signed ? logit(v) : prob(v, { blocked: blocked && !row.allowed }).text;
    const part = v === null ? 0 : (signed ? (v - least) / reach : v / most);
    return h('li', { class: blocked && !row.allowed ? 'is-blocked' : raw ? 'is-raw' : null }, h('code', { class: 'pg-tok', 'data-short': isShort(tokenLabel(row)) }, tokenLabel(row)), h('span', { class: 'pg-pipe-track', 'aria-hidden': 'true' }, h('i', { style: { width: `${(100 * part).toFixed(2)}%` } })), h('span', { class: 'pg-num' }, text));
  }));
}

/** The stages of a problem's sampler in their order: {key, title, setting, off}. */
export function pipelineStages(sampling) {
  const { temperature, top_k: topK, top_p: topP, mask_order: order } = sampling;
  const scores = { key: 'scores', title: 'logits', setting: 'raw' };
  const warm = { key: 'temperature', title: 'temperature', setting: temperature === 0 ? '0: greedy' : String(temperature), off: temperature === 1 };
  const filters = { key: 'filters', title: 'top-k, top-p', off: !topK && topP >= 1,
    setting: [topK ? `k ${topK}` : null, topP < 1 ? `p ${topP}` : null].filter(Boolean).join(', ') || 'off' };
  const mask = { key: 'mask', title: 'mask', setting: 'the constraint' };
  const draw = { key: 'draw', title: temperature === 0 ? 'pick' : 'draw', setting: temperature === 0 ? 'the largest' : 'by chance' };
  return order === 'before-filters' ? [scores, warm, mask, filters, draw] : [scores, warm, filters, mask, draw];
}

/** What one stage did at a position, as a sentence with this step's numbers. */
export function pipelineSentence(key, sampling, at) {
  const best = at.argmax;
  const name = tokenLabel(best);
  const first = sampling.mask_order === 'before-filters';
  if (key === 'scores') return `The model gave each of its ${count(at.vocab)} tokens a score. The largest is ${logit(best.logit)}, for ${name}${at.argmax_blocked ? ', which the constraint blocks' : ''}.`;
  if (key === 'temperature') {
    const how = sampling.temperature === 0 ? 'Temperature 0 takes the largest allowed score without chance; p and Z are shown for temperature 1.'
      : sampling.temperature === 1 ? 'At temperature 1 the scores stay as they are; softmax turns them into probabilities.'
        : `The scores are divided by ${sampling.temperature}, which makes the law ${sampling.temperature < 1 ? 'sharper' : 'flatter'}; softmax turns them into probabilities.`;
    return `${how} ${name} has ${prob(best.p).text}; the entropy is ${bits(at.entropy_before)}.`;
  }
  if (key === 'filters') {
    if (!sampling.top_k && sampling.top_p >= 1) return 'Top-k and top-p are off: every token keeps its probability.';
    const parts = [sampling.top_k ? `the ${count(sampling.top_k)} likeliest tokens` : null, sampling.top_p < 1 ? `the likeliest tokens that together reach ${prob(sampling.top_p).text}` : null].filter(Boolean).join(', then ');
    return first ? `Of the allowed tokens, only ${parts} are kept. The mask came first, so the result is not p·m/Z; the step’s log weight pays for that.` : `Only ${parts} are kept, and the rest is stretched to 1. This is the p that Z is measured with.`;
  }
  if (key === 'mask') {
    if (maskComesFirst(sampling) && !at.dead) return `The mask allows ${count(at.allowed)} of ${count(at.vocab)} tokens, and the filters then choose among these alone. Of the p that is filtered without a mask they would hold Z = ${prob(at.z).text}; the entropy goes from ${bits(at.entropy_before)} to ${bits(at.entropy_after)} over both stages.`;
    return at.dead ? `The mask allows ${count(at.allowed)} of ${count(at.vocab)} tokens, and they hold no mass here: a dead end.`
      : `The mask allows ${count(at.allowed)} of ${count(at.vocab)} tokens. They hold Z = ${prob(at.z).text}${at.z < 1 && at.z >= 1e-4 ? ` (${odds(at.z)})` : ''}, ${bits(at.bits)}. The rest is erased and what is left is stretched to 1; the entropy goes from ${bits(at.entropy_before)} to ${bits(at.entropy_after)}.`;
  }
  if (!at.taken) return 'No token has been drawn here yet.';
  const chance = prob(at.taken.masked, { blocked: !at.taken.allowed }).text;
  return `${tokenLabel(at.taken)} was taken. After the mask it had ${chance}; the model alone gave it ${prob(at.taken.p).text}.`;
}

function pipelineFigure(key, at) {
  const rows = at.candidates;
  if (key === 'scores') return pipelineBars(rows, (row) => row.logit, { signed: true, raw: true });
  if (key === 'temperature' || key === 'filters') return pipelineBars(rows, (row) => row.p, { raw: true });
  if (key === 'mask') return pipelineBars(rows, (row) => row.masked, { blocked: true });
  return pipelineBars([...rows].filter((row) => row.allowed).sort((a, b) => b.masked - a.masked), (row) => row.masked);
}

/** Whether the record holds the numbers after this stage: p comes after temperature and filters together. */
function pipelineHasBars(key, sampling) {
  const filtered = Boolean(sampling.top_k) || sampling.top_p < 1;
  if (key === 'temperature') return !filtered || sampling.mask_order === 'before-filters';
  if (key === 'filters') return filtered && sampling.mask_order !== 'before-filters';
  return key !== 'mask' || !filtered || sampling.mask_order !== 'before-filters';
}

/** Renders the strip of stages into `root` and keeps it in step with the store. */
export function mountPipeline(root, store) {
  const list = h('ol', { class: 'pg-pipe' });
  const words = h('p', { class: 'pg-pipe-words', 'aria-live': 'polite' });
  const figure = h('div', { class: 'pg-pipe-figure' });
  const times = h('div', { class: 'pg-pipe-times' });
  const more = h('div', { class: 'pg-pipe-more', hidden: true }, words, figure, times);
  const section = h('section', { class: 'pg-card pg-panel pg-pipe-panel', 'aria-label': 'From scores to a token' }, h('h3', { class: 'pg-sr' }, 'From scores to a token'), list, more);
  root.append(section);
  let open = null;
  let seen = [];
  const draw = () => {
    const doc = store.doc();
    const at = store.shown();
    setShown(section, Boolean(at));
    if (!at) { seen = []; return; }
    const sampling = doc.problem.sampling;
    if ([sampling, at, open].every((each, i) => each === seen[i])) return;
    if (sampling !== seen[0] || open !== seen[2]) {
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.stage : null;
      fill(list, pipelineStages(sampling).map((stage) => h('li', { class: stage.off ? 'is-off' : null },
        h('button', { type: 'button', 'data-stage': stage.key, 'aria-expanded': String(open === stage.key), onclick: () => { open = open === stage.key ? null : stage.key; draw(); } }, h('b', null, stage.title), h('small', null, stage.setting)))));
      if (focused) list.querySelector(`[data-stage="${focused}"]`).focus();
    }
    seen = [sampling, at, open];
    setShown(more, open !== null);
    if (open === null) return;
    setText(words, pipelineSentence(open, sampling, at));
    fill(times, open === 'draw' && at.timing ? timingTable(at.timing) : null);
    fill(figure, pipelineHasBars(open, sampling) ? pipelineFigure(open, at) : h('p', { class: 'pg-quiet' }, 'The record holds no numbers between these two stages.'));
  };
  store.subscribe(draw);
  draw();
}
