// Exported files of the screens: versioned JSON, CSV that no spreadsheet runs and any reader takes back, HTML that no token can break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvFile, escaped, htmlFile, jsonFile } from '../../static/export/files.js';
import { compareTables, decisionsTables, flat, levelsTables, squeezingTables, tableOf } from '../../static/export/tables.js';
import { figureLines, figureXml } from '../../static/stage/figure_files.js';
import { fileWords } from '../../static/stage/saving.js';

const bounds = (lower, upper = lower) => ({ lower, upper });
const TEXTS = ['=1+1', '@sum', '-3', 'a,b', '"q"', 'line\nnext', '</script><b>x', '<img src=x onerror=alert(1)>', 'ü😀'];
const EXACT = { Z: bounds(0.109), log_z: bounds(-2.2), status: 'exact', texts: TEXTS.map((text, i) => ({ text, p: bounds(0.1), p_V: bounds(0.9), masked: bounds(0.01), squeeze: bounds(0.5), path: [i, 2], bits: [null, 1] })), tv: bounds(0.82), kl: bounds(1, null) };
const METHOD = { title: 'Masked', draws: 3, accepted: 2, tv_to_p_V: { value: 0.1, ...bounds(0, 0.2), status: 'estimated' }, error: null, texts: [{ text: '=1+1', count: 2, value: 1, p: bounds(0.3, 1) }], sample: { text: 'x' }, curve: [[1, 1]] };
const COMPARE = { v: 1, methods: { masked: METHOD, cars: { ...METHOD, error: 'too slow' } }, exact: EXACT, q: { certified: bounds(0.109), weights: null } };

const named = (tables) => Object.fromEntries(tables.map((table) => [table.name, table]));
const column = (table, name) => table.rows.map((row) => row[table.columns.indexOf(name)]);

test('nested numbers become columns and lists their JSON', () => {
  assert.deepEqual(flat({ a: 1, tv: { lower: 0, deep: { x: null } }, path: [1, 2], gone: 3 }, ['gone']), { a: 1, 'tv.lower': 0, 'tv.deep.x': null, path: '[1,2]' });
  assert.deepEqual(tableOf('n', 't', [{ a: 1 }, { b: 2 }]), { name: 'n', title: 't', columns: ['a', 'b'], rows: [[1, null], [null, 2]] });
});

test('a comparison has its methods, what they drew, the exact texts and q', () => {
  const tables = named(compareTables(COMPARE));
  assert.deepEqual(Object.keys(tables), ['methods', 'drawn', 'texts', 'numbers', 'q']);
  assert.deepEqual(column(tables.methods, 'method'), ['masked', 'cars']);
  assert.deepEqual(column(tables.methods, 'tv_to_p_V.status'), ['estimated', 'estimated']);
  assert.deepEqual(column(tables.methods, 'error'), [null, 'too slow']);
  assert.deepEqual(column(tables.texts, 'text'), TEXTS);
  assert.deepEqual(column(tables.texts, 'p_V.upper'), TEXTS.map(() => 0.9));
  assert.deepEqual(column(tables.q, 'way'), ['certified']);
  assert.deepEqual(Object.keys(named(compareTables({ ...COMPARE, exact: null }))), ['methods', 'drawn', 'q']);
});

test('the other screens have their tables, and none is empty', () => {
  const level = { level: 1, label: 'ask', off: '', summary: { valid: bounds(0.1, 0.4), tokens: 9 }, failures: [{ name: 'prose', count: 2, example: { text: 'Sure' } }] };
  assert.deepEqual(levelsTables({ levels: [level, { level: 3, label: 'strict', off: 'no', summary: null, failures: [] }] }).map(({ name, rows }) => [name, rows.length]), [['levels', 2], ['failures', 1]]);
  assert.deepEqual(squeezingTables({ exact: EXACT, nodes: [{ ids: [1], text: 'A', p: 0.9 }] }).map(({ name }) => name), ['texts', 'numbers', 'flow']);
  const decision = { fields: [{ name: 'team', options: [{ label: 'a', p: 0.25 }, { label: 'b', p: 0.75 }] }] };
  const [decided, ...more] = decisionsTables({ decision, scores: null, evaluation: null, table: null });
  assert.deepEqual([decided.columns, decided.rows, more], [['field', 'label', 'p'], [['team', 'a', 0.25], ['team', 'b', 0.75]], []]);
});

test('CSV keeps numbers whole and lets no cell be a formula', () => {
  const csv = csvFile({ columns: ['text', 'p'], rows: [...TEXTS.map((text) => [text, 0.1 + 0.2]), [null, -1e-9]] });
  const lines = csv.split('\r\n');
  assert.equal(lines[0], 'text,p');
  assert.equal(lines[1], "'=1+1,0.30000000000000004");
  assert.equal(lines.at(-2), ',-1e-9');
  for (const line of lines.slice(1, -2)) assert.doesNotMatch(line, /^"?[=+\-@]/);
  assert.ok(csv.includes('"line\nnext"'));
});

test('JSON names its version and its screen, and holds the document as it is', () => {
  const read = JSON.parse(jsonFile('compare', { about: 'toy sky', provenance: 'toy', doc: COMPARE }));
  assert.deepEqual([read.v, read.screen, read.about, read.provenance], [1, 'compare', 'toy sky', 'toy']);
  assert.deepEqual(read.document, COMPARE);
});

test('the page of tables has no script and shows every text as text', () => {
  const html = htmlFile('</title><script>1</script>', { about: '<b>', provenance: '"x" & y' }, compareTables(COMPARE));
  assert.doesNotMatch(html, /<script|<img|<b>|<\/script/i);
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;'));
  assert.match(html, /Content-Security-Policy" content="default-src 'none'/);
  assert.equal(escaped('"&<>'), '&quot;&amp;&lt;&gt;');
});

test('words under a figure are broken into lines, and XML has no place for control characters', () => {
  assert.deepEqual(figureLines('one two three', 7), ['one two', 'three']);
  assert.deepEqual(figureLines(`${'a'.repeat(10)} b`, 4), ['aaaa', 'aaaa', 'aa b']);
  assert.deepEqual(figureLines('', 4), []);
  assert.equal(figureXml('a\u0000b\ud800c\tü😀\uffff'), 'a\ufffdb\ufffdc\tü😀\ufffd');
  assert.equal(fileWords('../../toy Sky <b>'), 'toy-sky-b');
});
