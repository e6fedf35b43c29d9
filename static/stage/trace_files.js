// A run as files: versioned JSON, CSV with one row a step, and one HTML file; all as text, ready to be saved.

const TRACE_VERSION = 1;

// The same mark as PLACEHOLDER in playground/views/export.py, in two parts so that this module can stand in that file itself.
const TRACE_PLACEHOLDER = ['@@PLAYGROUND', 'DOCUMENT@@'].join('_');

const TRACE_COLUMNS = ['index', 'token', 'token_id', 'text', 'p', 'masked', 'log_z', 'bits', 'allowed', 'forced', 'argmax_blocked', 'state', 'may_stop', 'log_p', 'log_proposal', 'log_weight'];

/** The trace of a document: what was asked, by which model, and every step. */
function traceDocument(doc) {
  const { provenance, problem, constraint, eos, prompt, outcome, verdict, judged, validated, steps } = doc;
  return { v: TRACE_VERSION, provenance, problem, constraint, eos, prompt, outcome, verdict, judged, validated, steps };
}

/** The trace as indented JSON; numbers that JSON has no word for are null, as in the record. */
export function traceJson(doc) {
  return `${JSON.stringify(traceDocument(doc), null, 1)}\n`;
}

/** One CSV cell. Numbers and booleans stand as they are; text that a spreadsheet would take for a formula gets an
 *  apostrophe before it; commas, quotes and line ends are quoted. */
export function csvCell(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The steps as CSV (RFC 4180, UTF-8): a header, then one row a step. `index` counts from 0; `text` is the output so far. */
export function traceCsv(doc) {
  const rows = doc.steps.map((step, i) => {
    const after = doc.steps[i + 1] || doc.frontier;
    const text = after && after.index === i + 1 ? after.text_before : step.text_before + (step.taken.special ? '' : step.taken.text);
    return [i, step.taken.text, step.taken.id, text, step.taken.p, step.taken.masked, step.log_z, step.bits, step.allowed, step.forced, step.argmax_blocked, step.state.name, step.may_stop, step.log_p, step.log_proposal, step.log_weight];
  });
  return [TRACE_COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** The exported page: `template` (from playground/views/export.py) with the document in its place. */
export function traceHtml(template, doc) {
  const parts = template.split(TRACE_PLACEHOLDER);
  if (parts.length !== 2) throw new Error('the template of the HTML file has no place for a document');
  // Every < is escaped, so that no token can end the script element that holds the document.
  return parts.join(JSON.stringify({ ...doc, error: null }).replaceAll('<', '\\u003c'));
}

/** A file name for a document's run, safe on every system. */
export function traceFileName(doc, extension) {
  const what = (doc.lesson && doc.lesson.slug) || (doc.provenance && doc.provenance.model) || 'run';
  const words = String(what).toLowerCase().normalize('NFKD').replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40);
  return `${words || 'run'}-${doc.steps.length}-steps.${extension}`;
}
