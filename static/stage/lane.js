// A lane: one run as a frozen value, and what can be asked of it.

/** A lane with `fields` over the defaults. steps: the recorded steps, shared with other lanes; run: the stream its draws come from. */
export function makeLane(fields) {
  return Object.freeze({ id: 0, name: 'A', parent: null, forkAt: 0, ghost: false, run: 0, steps: Object.freeze([]), frontier: null,
    outcome: 'running', verdict: null, judged: null, validated: null, info: null, ...fields });
}

/** A, B, ..., Z, A1, ... */
export function laneName(index) {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

/** The largest index that can be shown: the frontier's where there is one, else the last step's. */
export function lastIndex(lane) {
  if (!lane) return 0;
  return lane.frontier ? lane.steps.length : Math.max(0, lane.steps.length - 1);
}

/** Ids of the first n tokens. */
export function laneIds(lane, n) {
  return lane.steps.slice(0, n).map((step) => step.taken.id);
}

/** The lane of `lanes` that took `token` after `prefix` (ids), or undefined. */
export function laneThatTook(lanes, prefix, token) {
  return lanes.find((each) => !each.ghost && each.steps.length > prefix.length && each.steps[prefix.length].taken.id === token
    && prefix.every((id, i) => each.steps[i].taken.id === id));
}

/** The position that a step was taken at: the step without what came of it. */
export function positionOf(step) {
  const { taken, log_p, log_proposal, log_weight, next, events, seconds, timing, given, ...position } = step;
  return Object.freeze(position);
}

/** The fields of a lane that an answer of the server carries. */
export function standingOf(answer) {
  return { frontier: answer.frontier || null, outcome: answer.outcome || 'running', verdict: answer.verdict || null, judged: answer.judged || null, validated: answer.validated || null };
}
