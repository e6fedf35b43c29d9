// The exported files: CSV that any reader takes back, JSON with a version, HTML that no token can break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell, traceCsv, traceFileName, traceHtml, traceJson } from '../../static/stage/trace_files.js';

// An RFC 4180 reader, independent of the writer.
function readCsv(text) {
  const rows = [];
  let row = [];
  for (let i = 0; i < text.length;) {
    let cell = '';
    if (text[i] === '"') {
      for (i += 1; ; i += 1) {
        if (text[i] !== '"') cell += text[i];
        else if (text[i + 1] === '"') { cell += '"'; i += 1; } else break;
      }
      i += 1;
    } else while (i < text.length && text[i] !== ',' && text[i] !== '\r') { cell += text[i]; i += 1; }
    row.push(cell);
    if (text[i] === ',') i += 1;
    else { assert.equal(text.slice(i, i + 2), '\r\n'); i += 2; rows.push(row); row = []; }
  }
  return rows;
}

const step = (index, text, before, more = {}) => ({ index, text_before: before, log_z: -0.5, bits: 0.72, allowed: 3, forced: false, argmax_blocked: true, may_stop: false,
  state: { name: `q${index}` }, taken: { id: 7 + index, text, special: false, p: 0.125, masked: 1, hex: '' }, ...more });
const TEXTS = ['{"', 'a,b', 'line\nnext\r', '"quoted"', ' ', '  x', '=1+1', '@sum', '-3', '+4', '\t=cmd', '＝A1', "'already", '</script><script>window.x=1</script>', 'ü😀', ''];
const DOC = { v: 1, provenance: { model: 'toy:sky' }, problem: { prompt: 'p' }, constraint: { kind: 'free' }, eos: [], prompt: [], outcome: 'running', verdict: null, validated: null, frontier: null, cursor: 0, error: { what: 'old' },
  lesson: { slug: 'Sky Falls/..' }, steps: TEXTS.map((text, i) => step(i, text, TEXTS.slice(0, i).join(''))) };

test('every token comes back from the CSV exactly, formulas with one apostrophe before them', () => {
  const [head, ...rows] = readCsv(traceCsv(DOC));
  assert.deepEqual(head, ['index', 'token', 'token_id', 'text', 'p', 'masked', 'log_z', 'bits', 'allowed', 'forced', 'argmax_blocked', 'state', 'may_stop', 'log_p', 'log_proposal', 'log_weight']);
  assert.equal(rows.length, TEXTS.length);
  rows.forEach((row, i) => {
    assert.equal(row.length, head.length);
    const given = row[1];
    const back = given.startsWith("'") && given.slice(1) === TEXTS[i] ? given.slice(1) : given;
    assert.equal(back, TEXTS[i]);
    assert.equal(row[0], String(i));
    assert.equal(row[4], '0.125');
  });
});

test('no text cell begins as a formula does, whatever blanks come first', () => {
  for (const text of ['=1', '+1', '-1', '@A', ' =1', '\t=1', '\n@A', '\r', '\t', '＝1', '＋1', '－1', '＠A', '=HYPERLINK("http://x","y")']) {
    const [[cell]] = readCsv(`${csvCell(text)}\r\n`);
    assert.equal(cell, `'${text}`);
  }
});

test('numbers stay numbers, also below zero, and what is no number is empty', () => {
  assert.deepEqual([-3.5, 0, 1e-30, null, undefined, NaN, -Infinity, true].map(csvCell), ['-3.5', '0', '1e-30', '', '', '', '', 'true']);
});

test('the text column is the output after the step', () => {
  const doc = { ...DOC, steps: [step(0, 'a', ''), step(1, '\\xf0', 'a')], frontier: { index: 2, text_before: 'a😀' } };
  assert.deepEqual(readCsv(traceCsv(doc)).slice(1).map((row) => row[3]), ['a\\xf0', 'a😀'].map((text, i) => (i === 0 ? 'a' : text)));
  assert.equal(readCsv(traceCsv({ ...doc, steps: [step(0, '<eos>', 'done', { taken: { id: 1, text: '<eos>', special: true } })], frontier: null }))[1][3], 'done');
});

test('the JSON has a version, the provenance, the problem and every step, and no state of the page', () => {
  const trace = JSON.parse(traceJson(DOC));
  assert.equal(trace.v, 1);
  assert.deepEqual(trace.steps, DOC.steps);
  assert.deepEqual([trace.provenance, trace.problem], [DOC.provenance, DOC.problem]);
  assert.ok(!('cursor' in trace) && !('error' in trace));
});

test('the HTML holds the document where the template says, and no token can end the script around it', () => {
  const template = '<script type="application/json">@@PLAYGROUND_DOCUMENT@@</script>';
  const html = traceHtml(template, DOC);
  assert.equal(html.match(/<\/script/g).length, 1);
  const inside = html.slice(html.indexOf('>') + 1, html.lastIndexOf('</script>'));
  assert.deepEqual(JSON.parse(inside), { ...DOC, error: null });
  assert.throws(() => traceHtml('no place', DOC), /place/);
  assert.ok(traceHtml(template, { ...DOC, lesson: { slug: "$& $' $1" } }).includes("$& $' $1"));
});

test('a file name is safe on every system', () => {
  assert.equal(traceFileName(DOC, 'csv'), `sky-falls-${TEXTS.length}-steps.csv`);
  assert.equal(traceFileName({ steps: [], provenance: { model: '../../' } }, 'json'), 'run-0-steps.json');
});
