// The constraint that the rail of the other screens holds, as this screen's.

/** The constraint in the rail's values by field: null for the free one, which has nothing to debug. labels: the rail's kinds, label to name. */
export function railConstraint(values, labels) {
  const kind = labels[values.kind] || values.kind;
  if (!kind || kind === 'free') return null;
  const source = kind === 'type' ? values.type_name : values[kind];
  if (typeof source !== 'string') return null;
  return { kind, source, engine: values.engine, whitespace: values.whitespace || 'one' };
}

/** The text of the run that the Step screen shows, if it is one under the constraint `held`; else empty. */
export function runText(held) {
  const stage = globalThis.playgroundStage;
  const doc = stage ? stage.store.doc() : null;
  if (!doc || doc.problem.constraint.kind !== held.kind || doc.problem.constraint.source !== held.source) return '';
  return doc.steps.map(({ taken }) => (taken && !taken.eos ? taken.text : '')).join('');
}

/** Whether the rail's model is a toy, which spells its own texts alone. */
export function railToy() {
  const box = document.querySelector('#model input');
  return Boolean(box) && box.value.startsWith('toy:');
}
