// What to train: the form as a TrainingSpec, and what is wrong with it. No page here.

export const EPOCHS = { least: 1, most: 200 };
export const SEEDS = { least: 0, most: 2 ** 31 - 1 };

/** The order of a chained head: every field, or only the first one, which is then added to the state of all others. */
export function chainOf({ chain }, order) {
  return chain === 'first' ? order.slice(0, 1) : order;
}

/** What is wrong with the form, in words; '' for nothing. */
export function refusal(form) {
  if (form.kind === 'joint' && form.joint.length < 2) return 'A joint softmax needs at least two fields: tick them.';
  return '';
}

/** The form as a TrainingSpec; `defaults` gives what the form doesn't ask. order: names of the fields. */
export function specOf(form, defaults, order) {
  const { kind, pooling, joint, epochs, seed } = form;
  return { ...defaults, epochs, seed, head: { ...defaults.head, kind, pooling, order: kind === 'chained' ? chainOf(form, order) : [], joint: kind === 'joint' ? order.filter((name) => joint.includes(name)) : [] } };
}
