// What a screen shows, as tables of plain numbers and texts: [{name, title, columns, rows}]. No page here.

const flatValue = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value);

/** An object as one level of cells: {tv: {lower: 0}} is {'tv.lower': 0}; a list is its JSON. `without` names keys that are left out. */
export function flat(value, without = [], lead = '') {
  const cells = {};
  for (const [key, each] of Object.entries(value || {})) {
    if (without.includes(key)) continue;
    if (each !== null && typeof each === 'object' && !Array.isArray(each)) Object.assign(cells, flat(each, without, `${lead}${key}.`));
    else cells[lead + key] = flatValue(each);
  }
  return cells;
}

/** A table of cells by column name; a cell that a row hasn't is null. */
export function tableOf(name, title, list) {
  const columns = [...new Set(list.flatMap((cells) => Object.keys(cells)))];
  return { name, title, columns, rows: list.map((cells) => columns.map((column) => (column in cells ? cells[column] : null))) };
}

const tablesTold = (tables) => tables.filter(({ rows }) => rows.length);

function tablesExact(exact) {
  return [tableOf('texts', 'Valid texts: bounds of p, p_V, p~ (masked) and s = p~/p_V', exact.texts.map((text) => flat(text))),
    tableOf('numbers', 'Z, TV and KL of the exact law', [flat(exact, ['texts'])])];
}

/** Of Compare. */
export function compareTables(doc) {
  const methods = Object.entries(doc.methods);
  return tablesTold([tableOf('methods', 'Methods: draws, what they cost, distance to p_V', methods.map(([name, method]) => ({ method: name, ...flat(method, ['texts', 'sample', 'curve']) }))),
    tableOf('drawn', 'Texts by method: how often drawn, share with its interval', methods.flatMap(([name, method]) => method.texts.map((text) => ({ method: name, ...flat(text) })))),
    ...(doc.exact ? tablesExact(doc.exact) : []),
    tableOf('q', 'The chance q that an unconstrained draw is valid, read in several ways', Object.entries(doc.q).filter(([, found]) => found).map(([way, found]) => ({ way, ...flat(found) })))]);
}

/** Of Squeezing. */
export function squeezingTables(doc) {
  return tablesTold([...tablesExact(doc.exact), tableOf('flow', 'Where the mass goes: prefixes of the picture', doc.nodes.map((node) => flat(node)))]);
}

/** Of Levels. */
export function levelsTables(doc) {
  return tablesTold([tableOf('levels', 'Levels of guarantee', doc.levels.map(({ level, label, off, summary }) => ({ level, label, off, ...flat(summary) }))),
    tableOf('failures', 'Failures by level and kind', doc.levels.flatMap(({ label, failures }) => failures.map((each) => ({ label, ...flat(each) }))))]);
}

/** Of Decisions; the document is {decision, scores, evaluation, table}, each of them or null. */
export function decisionsTables({ decision, scores, evaluation, table }) {
  const options = (fields) => fields.flatMap(({ name, options: list }) => list.map((option) => ({ field: name, ...flat(option) })));
  return tablesTold([tableOf('decided', 'Decided by the head: every option’s probability', decision ? options(decision.fields) : []),
    tableOf('scored', 'Scored by the language model: bounds of p_V', scores ? options(scores.fields) : []),
    tableOf('measured', 'The head on the test tickets', evaluation ? evaluation.fields.map((field) => flat(field, ['bins', 'bins_after'])) : []),
    tableOf('compared', 'Beside generation', table ? table.rows.map((row) => flat(row)) : [])]);
}
