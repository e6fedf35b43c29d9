// The texts of exported files: versioned JSON, CSV that no spreadsheet runs, and a page of tables that asks nobody. No page here.

import { csvCell } from '../stage/trace_files.js';

export const EXPORT_VERSION = 1;

/** What is shown as JSON: {v, screen, about, provenance, document}. */
export function jsonFile(screen, { about, provenance, doc }) {
  return `${JSON.stringify({ v: EXPORT_VERSION, screen, about, provenance, document: doc }, null, 1)}\n`;
}

/** A table as CSV (RFC 4180, UTF-8): a header, then its rows. */
export function csvFile({ columns, rows }) {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Text as HTML shows it, also inside a quoted attribute. */
export function escaped(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const HTML_STYLE = ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:24px}table{border-collapse:collapse;font-size:13px}th,td{border:1px solid #94a3b8;padding:3px 8px;text-align:left;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere;max-width:42ch}.wide{overflow-x:auto}';
const htmlCell = (value) => (value === null || value === undefined ? '' : escaped(value));

/** The tables as one HTML file without a script. */
export function htmlFile(title, { about, provenance }, tables) {
  const line = (row, tag) => `<tr>${row.map((cell) => `<${tag}>${htmlCell(cell)}</${tag}>`).join('')}</tr>`;
  const body = tables.map((table) => `<h2>${escaped(table.title)}</h2>\n<div class="wide"><table>\n<thead>${line(table.columns, 'th')}</thead>\n<tbody>\n${table.rows.map((row) => line(row, 'td')).join('\n')}\n</tbody></table></div>`);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${escaped(HTML_POLICY)}"><title>${escaped(title)}</title><style>${HTML_STYLE}</style></head>\n<body><h1>${escaped(title)}</h1>\n<p>${escaped(about)}</p>\n<p>${escaped(provenance)}</p>\n${body.join('\n')}\n</body></html>\n`;
}
