// What comes out of a link is data of anybody's: only what has the right form is taken, field by field. No page here.

/** Checks by name; each takes a value and says whether it fits. */
export const fits = {
  flag: (value) => typeof value === 'boolean',
  text: (most) => (value) => typeof value === 'string' && value.length <= most,
  whole: (least, most) => (value) => Number.isSafeInteger(value) && value >= least && value <= most,
  number: (least, most) => (value) => Number.isFinite(value) && value >= least && value <= most,
  oneOf: (values) => (value) => values.includes(value),
  list: (each, most) => (value) => Array.isArray(value) && value.length <= most && value.every(each),
};

/** The fields of `given` that `spec` names, by name; null where one of them doesn't fit, or where `given` is no object. */
export function taken(given, spec) {
  if (!given || typeof given !== 'object' || Array.isArray(given)) return null;
  const found = {};
  for (const [name, check] of Object.entries(spec)) {
    if (!Object.hasOwn(given, name)) continue;
    if (!check(given[name])) return null;
    found[name] = given[name];
  }
  return found;
}

/** The fields of `now` named in `spec` that differ from those of `usual`. */
export function changes(now, usual, spec) {
  return Object.fromEntries(Object.keys(spec).filter((name) => now[name] !== undefined && JSON.stringify(now[name]) !== JSON.stringify(usual[name])).map((name) => [name, now[name]]));
}
