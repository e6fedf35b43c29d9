// Files of a study, made by the server and saved by the browser.

import { h, setText } from '../stage/dom.js';
import { saveFile } from '../stage/saving.js';

const DOWNLOADS = [
  ['csv', 'Rows as CSV', 'one line an output; text that begins like a formula has a \' before it'],
  ['parquet', 'Rows as Parquet', 'typed columns, for pandas or DuckDB'],
  ['json', 'Summary as JSON', 'what was asked, of which model, and every number on this page'],
  ['html', 'Report as HTML', 'one file that opens offline'],
  ['settings', 'The study itself (study.jsonl)', 'its settings and rows; the command line goes on with it'],
];

/** The bytes of a text in base64. */
export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** A menu of downloads. ask(kind) is the promise of the server's answer. */
export function downloads(ask) {
  const status = h('p', { class: 'pg-quiet', role: 'status' });
  const item = ([kind, title, words]) => h('li', null, h('button', { type: 'button', class: 'pg-button pg-button-small', dataset: { kind }, onclick: async () => {
    setText(status, 'Making the file.');
    const answer = await ask(kind);
    if (answer.error) { setText(status, `${answer.error.what} ${answer.error.hint || ''}`); return; }
    saveFile(answer.name, answer.type, bytesOf(answer.base64));
    setText(status, `Saved ${answer.name}.`);
  } }, title), h('small', null, words));
  return [h('ul', { class: 'st-downloads' }, DOWNLOADS.map(item)), status];
}
