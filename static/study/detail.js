// One output in full, in a sheet: what was asked, what came, how it was judged, and the way to Step.

import { fill, h, icon } from '../stage/dom.js';
import { bits, prob } from '../stage/format.js';
import { sure } from '../schema/newest.js';

function fact(name, value) {
  return value === null || value === undefined || value === '' ? null : [h('dt', null, name), h('dd', null, value)];
}

function judged(row) {
  const says = [['mask’s language', row.in_language], ['schema', row.in_schema], ['schema after salvage', row.in_salvaged], ['JSON syntax', row.in_syntax]];
  return says.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value ? 'yes' : 'no'}`).join(', ');
}

function fields(row) {
  if (!row.fields) return null;
  return Object.entries(row.fields).map(([name, same]) => `${name || 'answer'} ${same ? 'right' : 'wrong'}`).join(', ');
}

/** A sheet for outputs. ask(where) is the promise of a row's document; openStep(problem, path) shows it in Step.
 *  Returns {node, open(where)}. */
export function mountDetail({ ask, openStep, categories }) {
  const body = h('div', { class: 'st-detail-body' });
  const close = h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close', onclick: () => node.close() }, icon('close'));
  const title = h('h3', { class: 'pg-card-title' });
  const node = h('dialog', { class: 'st-detail', 'aria-label': 'One output' }, h('header', { class: 'st-detail-head' }, title, close), body);
  node.addEventListener('click', (event) => { if (event.target === node) node.close(); });

  function show(where, found) {
    title.textContent = `Prompt ${where.index + 1}, ${where.method}${where.draw ? `, draw ${where.draw + 1}` : ''}`;
    if (found.error) { fill(body, h('p', { role: 'alert' }, `${found.error.what} ${found.error.hint || ''}`)); return; }
    const { row } = found;
    const names = categories();
    const step = h('button', { type: 'button', class: 'pg-button pg-primary st-to-step', title: found.cut || null, onclick: () => { node.close(); openStep(found.problem, found.path); } }, found.note ? 'Open the prompt in Step' : 'Open in Step');
    fill(body,
      h('p', { class: 'st-category st-detail-category' }, h('i', { class: `st-part is-${row.category}`, 'aria-hidden': 'true' }), names[row.category] || row.category, found.failure ? h('span', { class: 'pg-faint' }, ` · ${found.failure}`) : null, h('span', { class: 'pg-gap' }), step),
      found.note ? h('p', { class: 'pg-quiet' }, found.note) : null,
      found.cut ? h('p', { class: 'pg-quiet st-cut' }, found.cut) : null,
      h('h4', null, 'Prompt'), h('pre', { class: 'pg-snippet', tabindex: '0', dir: 'auto' }, found.prompt),
      h('h4', null, 'Output'), h('pre', { class: 'pg-snippet st-output', tabindex: '0', dir: 'auto' }, row.text || '(empty)'),
      found.gold === null || found.gold === undefined ? null : [h('h4', null, 'Gold answer'), h('pre', { class: 'pg-snippet', tabindex: '0' }, JSON.stringify(found.gold))],
      h('dl', { class: 'st-facts' }, fact('Valid by its V', row.valid ? 'yes' : 'no'), fact('Judged by', judged(row)), fact('Fields', fields(row)), fact('Not in the source', row.ungrounded && row.ungrounded.length ? row.ungrounded.join(', ') : null),
        fact('Tokens', `${row.tokens} in ${row.attempts} ${row.attempts === 1 ? 'run' : 'runs'}`), fact('The mask took', row.bits === null ? null : bits(row.bits)), fact('p(yes)', row.p_yes === null ? null : prob(row.p_yes).text),
        fact('log2 s(y)', row.squeeze ? `${row.squeeze[0].toFixed(2)} to ${row.squeeze[1].toFixed(2)} bits (proved)` : null), fact('Z of the prompt', row.z ? `${prob(row.z[0]).text} to ${prob(row.z[1]).text} (proved)` : null)),
      h('details', { class: 'st-more' }, h('summary', null, 'The whole prompt as it was put'), h('pre', { class: 'pg-snippet', tabindex: '0', dir: 'auto' }, found.asked)));
  }
  return {
    node,
    async open(where) {
      title.textContent = 'One output';
      fill(body, h('p', { class: 'pg-quiet' }, 'Loading.'));
      if (!node.open) node.showModal();
      show(where, await sure(ask(where)));
    },
  };
}
