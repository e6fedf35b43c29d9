// What a study is asked to do, as the form holds it, and the spec that it makes. No page here.

/** The kinds of constraints that have a JSON Schema to judge by. */
export const JSON_KINDS = ['schema', 'pydantic', 'tool'];
export const INPUT = '{input}';

/** The form as it opens. */
export const FIRST = {
  source: 'set', set: 'tickets', split: 'test', text: '', kind: 'csv', name: 'pasted', instruction: '',
  schema: 'set', rail: null, pasted: '', pastedKind: 'schema', pastedAs: null,
  methods: ['ask', 'strict', 'parallel-3'], parallel: 3, valid: 'schema', salvage: true,
  model: '', n: 50, draws: 1, temperature: 1, topP: 1, maxTokens: 64, seed: 0, attempts: 3, showSchema: false, yes: false, exactRows: 0,
};

/** What the button of the empty page runs: a few tickets by three methods. */
export const SMALL_STUDY = { ...FIRST, n: 8 };

/** The bounds of the numbers: [least, most, whole]. */
export const NUMBERS = { n: [1, 2500, true], draws: [1, 100, true], temperature: [0.01, 10, false], topP: [0.01, 1, false], maxTokens: [1, 1024, true], seed: [0, 2 ** 53 - 1, true], attempts: [1, 10, true], exactRows: [0, 5000, true], parallel: [1, 32, true] };
const SETTING_TITLES = { n: 'Prompts', draws: 'Draws', temperature: 'Temperature', topP: 'Top-p', maxTokens: 'Max tokens', seed: 'Seed', attempts: 'Attempts of a retry', exactRows: 'Rows for exact bounds', parallel: 'Samples side by side' };

/** The constraint that answers must match: null for the set's own. */
export function constraintOf(form) {
  if (form.schema === 'rail') return form.rail;
  if (form.schema === 'pasted') return { ...(form.pastedAs && form.pastedAs.kind === form.pastedKind ? form.pastedAs : {}), kind: form.pastedKind, source: form.pasted };
  return null;
}

/** Whether there is a JSON Schema, so that more than the mask's language can judge. */
export function hasSchema(form) {
  if (form.schema === 'set') return form.source === 'set';
  const constraint = constraintOf(form);
  return Boolean(constraint) && JSON_KINDS.includes(constraint.kind);
}

/** What counts as valid: without a schema only the mask's language does. */
export function validOf(form) {
  return hasSchema(form) ? form.valid : 'language';
}

/** The methods of the form, with the number of samples side by side written out. */
export function methodsOf(form) {
  return form.methods.map((name) => (/^parallel-\d+$/.test(name) ? `parallel-${form.parallel}` : name));
}

/** The request for a study: {spec, own}. */
export function requestOf(form) {
  const { source, set, split, text, kind, name, n, draws, model, temperature, topP, seed, maxTokens, attempts, salvage, showSchema, yes, exactRows } = form;
  const own = source === 'own';
  const spec = {
    model, prompts: own ? name : `builtin:${set}`, n, draws, methods: methodsOf(form), valid: validOf(form), salvage, constraint: constraintOf(form),
    sampling: { temperature, top_p: topP, seed }, max_tokens: maxTokens, attempts, show_schema: showSchema && hasSchema(form), yes, exact_rows: exactRows,
  };
  if (!own) spec.split = split;
  if (form.instruction.trim()) spec.instruction = form.instruction;
  return { spec, own: own ? { text, kind } : null };
}

/** What keeps the form from being asked: null, or a card {what, where, hint}. limits: {most_text}, bytes. */
export function refusal(form, { most_text: most }) {
  const card = (what, where, hint) => ({ what, where, hint, line: null, column: null });
  for (const [name, [least, largest, whole]] of Object.entries(NUMBERS)) {
    const value = form[name];
    if (!Number.isFinite(value) || value < least || value > largest || (whole && !Number.isInteger(value))) {
      return card(`${SETTING_TITLES[name]} is ${Number.isFinite(value) ? value : 'no number'}.`, 'size and sampling', `It must be ${whole ? 'a whole number ' : ''}from ${least} to ${largest.toLocaleString('en')}.`);
    }
  }
  if (!form.methods.length) return card('No method is chosen.', 'methods', 'Choose at least one.');
  if (form.source === 'own') {
    if (!form.text.trim()) return card('There are no prompts.', 'prompts', 'Paste or drop a CSV or JSONL file, or choose a built-in set.');
    const large = tooLarge(form.text, most);
    if (large) return large;
    if (form.schema === 'set') return card('Own prompts need a constraint.', 'constraint', 'Take the one of the rail, or paste a JSON Schema.');
  }
  if (form.schema === 'rail' && !form.rail) return card('The rail holds no constraint.', 'constraint', 'Choose one there, or paste a JSON Schema here.');
  if (form.schema === 'pasted' && !form.pasted.trim()) return card('The constraint is empty.', 'constraint', 'Paste a JSON Schema, a regex or choices.');
  if (form.instruction.trim() && form.instruction.split(INPUT).length !== 2) return card('The instruction must hold {input} once.', 'instruction', 'It stands for the prompt.');
  return null;
}

/** A card where a text is longer than what one request carries, else null. */
export function tooLarge(text, most) {
  const size = new TextEncoder().encode(text).length;
  if (size <= most) return null;
  return { what: `The prompts have ${size.toLocaleString('en')} bytes.`, where: 'prompts', hint: `At most ${most.toLocaleString('en')} are read here: split the file, or run it by the command line. Nothing was sent.`, line: null, column: null };
}

/** "csv" or "jsonl", by the file's name, else by how its text begins. */
export function kindOf(name, text) {
  if (/\.(jsonl|ndjson|json)$/i.test(name)) return 'jsonl';
  if (/\.csv$/i.test(name)) return 'csv';
  return /^\s*\{/.test(text) ? 'jsonl' : 'csv';
}

/** The form that a study's spec came from; own: its own prompts as {text, kind}, null for a built-in set. The rail's constraint comes back as a pasted one. */
export function formOf(spec, form, own = null) {
  const constraint = spec.constraint;
  const parallel = spec.methods.map((each) => /^parallel-(\d+)$/.exec(each)).find(Boolean);
  const prompts = own ? { source: 'own', text: own.text, kind: own.kind, name: spec.prompts } : { source: 'set', set: spec.prompts.replace(/^builtin:/, ''), split: spec.split };
  return { ...form, ...prompts, n: spec.n, draws: spec.draws, methods: [...new Set(spec.methods.map((name) => (/^parallel-\d+$/.test(name) ? 'parallel-3' : name)))], parallel: parallel ? Number(parallel[1]) : form.parallel,
    valid: spec.valid, salvage: spec.salvage, model: spec.model, temperature: spec.sampling.temperature, topP: spec.sampling.top_p, seed: spec.sampling.seed, maxTokens: spec.max_tokens, attempts: spec.attempts,
    showSchema: spec.show_schema, yes: spec.yes, exactRows: spec.exact_rows, instruction: spec.instruction || '', schema: constraint ? 'pasted' : 'set', pasted: constraint ? constraint.source : form.pasted, pastedKind: constraint ? constraint.kind : form.pastedKind, pastedAs: constraint };
}
