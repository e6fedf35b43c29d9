// All outputs as a table: a page at a time, by method, outcome and failure.

import { fill, h, setText } from '../stage/dom.js';
import { counted } from '../stage/format.js';
import { sure } from '../schema/newest.js';

/** Renders the table into `root`. ask(filter) is the promise of a page; open(where) shows one output. Returns {update(doc)}. */
export function mountRows(root, { ask, open }) {
  const filter = { method: '', category: '', failure: '', page: 0 };
  const select = (name, words) => h('label', { class: 'st-field' }, h('span', null, words), h('select', { class: 'pg-select', name: `study-rows-${name}`, onchange: (event) => { filter[name] = event.target.value; filter.page = 0; load(); } }));
  const boxes = { method: select('method', 'Method'), category: select('category', 'Outcome'), failure: select('failure', 'Failure') };
  const said = h('p', { class: 'pg-quiet', role: 'status' });
  const box = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Outputs' });
  const turn = (by) => { filter.page += by; load(); };
  const back = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => turn(-1) }, 'Back');
  const next = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => turn(1) }, 'Next');
  fill(root, h('div', { class: 'st-fields' }, Object.values(boxes)), said, box, h('div', { class: 'st-actions' }, back, next));
  let names = {};
  let failures = {};
  let serial = 0;

  function show(answer) {
    if (answer.error) { setText(said, `${answer.error.what} ${answer.error.hint || ''}`); fill(box); return; }
    filter.page = answer.page;
    setText(said, `${counted(answer.count, 'output')}${answer.pages > 1 ? `, page ${answer.page + 1} of ${answer.pages}` : ''}`);
    back.disabled = answer.page === 0;
    next.disabled = answer.page + 1 >= answer.pages;
    // Roles in full: a narrow page stacks the cells, and takes the table's own away by that.
    const cell = (label, cls, ...children) => h('td', { role: 'cell', class: cls, dataset: { label } }, children);
    const line = (row) => h('tr', { role: 'row' }, h('th', { scope: 'row', role: 'rowheader', dataset: { label: 'prompt' } }, h('button', { type: 'button', class: 'pg-link', 'aria-label': `Prompt ${row.index + 1}, ${row.method}: open`, onclick: () => open(row) }, row.item)), cell('method', null, row.method),
      cell('outcome', null, h('span', { class: 'st-category' }, h('i', { class: `st-part is-${row.category}`, 'aria-hidden': 'true' }), names[row.category] || row.category, row.failure && row.category !== 'right' ? h('small', { class: 'pg-faint' }, ` ${failures[row.failure] || row.failure}`) : null)),
      cell('output', 'st-cell-text', h('code', { dir: 'auto' }, row.text || '(empty)')), cell('tokens', 'pg-num', String(row.tokens)));
    fill(box, h('table', { class: 'pg-table st-rows', role: 'table' }, h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ['prompt', 'method', 'outcome', 'output', 'tokens'].map((each) => h('th', { scope: 'col', role: 'columnheader', class: each === 'tokens' ? 'pg-num' : null }, each)))), h('tbody', { role: 'rowgroup' }, answer.rows.map(line))));
  }
  async function load() {
    const mine = (serial += 1);
    const answer = await sure(ask({ ...filter }));
    if (mine === serial) show(answer);
  }
  function put(name, options) {
    const box_ = boxes[name].querySelector('select');
    fill(box_, h('option', { value: '' }, 'all'), options.map(([value, words]) => h('option', { value }, words)));
    if (!options.some(([value]) => value === filter[name])) filter[name] = '';
    box_.value = filter[name];
  }
  return {
    filter(part) { Object.assign(filter, { method: '', category: '', failure: '', page: 0 }, part); for (const name of Object.keys(boxes)) boxes[name].querySelector('select').value = filter[name]; load(); },
    update(doc) {
      names = doc.categories;
      failures = Object.fromEntries(doc.summary.methods.flatMap((method) => method.failures.map((each) => [each.name, each.words])));
      put('method', doc.summary.methods.map((each) => [each.label, each.label]));
      put('category', Object.entries(names).filter(([name]) => doc.summary.methods.some((each) => each.categories[name].count)));
      put('failure', Object.entries(failures));
      load();
    },
  };
}
