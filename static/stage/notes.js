// The constraint card: what it compiled to, and what of it is not enforced.
import { h, fill, setShown } from './dom.js';
import { counted, seconds } from './format.js';

const NOTES_LEVELS = [['not-enforced', 'NOT enforced'], ['partly', 'Partly enforced'], ['warning', 'Mind'], ['info', 'Note']];
const NOTES_CACHED = { memory: 'from memory', disk: 'from disk', no: 'compiled now' };
const NOTES_KINDS = { free: 'none: the model is free', regex: 'regular expression', choices: 'choices', schema: 'JSON Schema', pydantic: 'Pydantic model', type: 'type', grammar: 'grammar', tool: 'tool call' };

/** Renders the constraint card into `root` and keeps it in step with the store. */
export function mountNotes(root, store) {
  const body = h('div', { class: 'pg-notes-body' });
  const section = h('section', { class: 'pg-card pg-panel pg-notes-panel', 'aria-label': 'The constraint', hidden: true }, h('h3', { class: 'pg-card-title' }, 'Constraint'), body);
  root.append(section);
  let seen = null;
  const draw = () => {
    const doc = store.doc();
    const constraint = doc ? doc.constraint : null;
    setShown(section, Boolean(constraint));
    if (!constraint || constraint === seen) return;
    seen = constraint;
    const facts = [
      ['Kind', NOTES_KINDS[constraint.kind] || constraint.kind],
      ['Engine', [constraint.engine_title || constraint.engine, constraint.engine_about ? h('small', { class: 'pg-engine-about' }, constraint.engine_about) : '']],
      ['Automaton', constraint.states === null || constraint.states === undefined ? null : `${counted(constraint.states, 'state')}, ${counted(constraint.transitions, 'transition')}`],
      ['Compiled', constraint.compile_seconds === null || constraint.compile_seconds === undefined ? null : `${seconds(constraint.compile_seconds)}, ${NOTES_CACHED[constraint.cached] || constraint.cached}`],
    ].filter(([, value]) => value);
    const notes = constraint.notes || [];
    const groups = NOTES_LEVELS.map(([level, word]) => {
      const of = notes.filter((note) => note.level === level);
      if (!of.length) return null;
      return h('div', { class: `pg-note-group is-${level}` }, h('h4', null, `${word}${of.length > 1 ? ` (${of.length})` : ''}`),
        h('ul', null, of.map((note) => h('li', null, note.keyword ? h('code', null, note.keyword) : null, note.keyword ? ' ' : null, note.message, note.pointer ? h('small', null, ' at ', h('code', null, note.pointer)) : null))));
    });
    const some = notes.some((note) => note.level === 'not-enforced' || note.level === 'partly');
    fill(body, h('dl', { class: 'pg-facts' }, facts.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value)))), groups,
      !some && constraint.engine_used === 'bytes' && ['schema', 'pydantic', 'tool'].includes(constraint.kind) ? h('p', { class: 'pg-quiet' }, 'Every keyword of the schema is enforced.') : null,
      constraint.regex ? h('details', null, h('summary', null, 'The regular expression that was compiled'), h('pre', { class: 'pg-snippet', tabindex: '0' }, constraint.regex.slice(0, 20000))) : null);
  };
  store.subscribe(draw);
  draw();
}
