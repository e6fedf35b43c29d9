// What makes a step worth stopping at.

const EVENTS_ALWAYS = ['argmax_blocked', 'blocked', 'field_edge', 'opens', 'closes', 'end'];

/** Below this allowed mass a step is an event of its own. */
export const LOW_MASS = 0.1;

/** The event at steps[index] by name, or null. What lasts (forced, may stop, several states) counts where it begins. */
export function eventAt(steps, index) {
  const step = steps[index];
  if (!step) return null;
  const before = index > 0 ? steps[index - 1].events : [];
  const name = step.events.find((each) => EVENTS_ALWAYS.includes(each) || !before.includes(each));
  if (name) return name;
  return step.z < LOW_MASS ? 'low_mass' : null;
}

/** Whether playing pauses at this step: the model was overruled, or the run ended. */
export function pausesAt(step) {
  return Boolean(step) && (step.z < LOW_MASS || step.events.some((name) => name === 'argmax_blocked' || name === 'blocked' || name === 'end'));
}
