// The export menu of a screen: what it shows as JSON, each table as CSV, all of them as one page, each figure as SVG or PNG.

import { provenanceLine } from '../stage/caption.js';
import { fill, h, icon, setShown, setText } from '../stage/dom.js';
import { figuresIn } from '../stage/figure_files.js';
import { figureRows } from '../stage/figure_menu.js';
import { fileWords, saveFile } from '../stage/saving.js';
import { problemWords } from '../compare/words.js';
import { csvFile, htmlFile, jsonFile } from './files.js';

let menuSerial = 0;

/** What a file says of its numbers: {doc, about, provenance}, both in words. */
export function toldOf(doc, made = doc.provenance) {
  const { model, kind, source, prompt, settings } = doc.problem ? problemWords(doc.problem) : {};
  const about = doc.problem ? [model, prompt && `“${prompt}”`, `${kind}${source ? ` ${source}` : ''}`, settings].filter(Boolean).join(' · ') : '';
  const line = made ? `${made.kind ? `${made.kind}: ` : ''}${provenanceLine(made)}` : model || '';
  return { doc, about, provenance: line };
}

/** Puts a button and its menu into `root`. screen: its name; title: of its pages; within: the element whose figures are offered; shown() gives the
 *  document or null; tables(document) its tables; caption() a sentence that goes under each figure; made(document) its provenance. */
export function mountExports(root, { screen, title, within, shown, tables, caption = () => '', made = (doc) => doc.provenance }) {
  const id = `ex-${menuSerial += 1}`;
  const status = h('p', { class: 'pg-export-status', role: 'status' });
  const list = h('div', { class: 'ex-list' });
  const menu = h('div', { class: 'pg-export-menu ex-menu', id, role: 'group', 'aria-label': `Export ${title}`, hidden: true }, list, status);
  const button = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-expanded': 'false', 'aria-controls': id }, icon('export'), h('span', null, 'Export'));
  const box = h('div', { class: 'pg-export-box ex-box' }, button, menu);
  root.append(box);

  const saved = async (make) => {
    setText(status, 'Making the file.');
    try {
      const [name, type, content] = await make();
      saveFile(name, type, content);
      setText(status, `Saved ${name}.`);
    } catch (reason) {
      setText(status, `The file could not be made: ${reason.message}. Nothing on this page was lost; try again, or take the JSON.`);
    }
  };
  const item = (words, about, make, label = null) => h('button', { type: 'button', class: 'pg-export-item', 'aria-label': label, onclick: () => saved(make) }, h('b', null, words), about ? h('small', null, about) : null);
  const draw = () => {
    const doc = shown();
    if (!doc) { fill(list, h('p', { class: 'pg-export-extent' }, 'Nothing is shown yet: run it first.')); return; }
    const told = toldOf(doc, made(doc));
    const named = tables(doc);
    const stem = [screen, fileWords(doc.problem ? problemWords(doc.problem).model : '')].filter(Boolean).join('-');
    const figures = figuresIn(within);
    const words = () => [caption(), told.about, told.provenance].filter(Boolean);
    fill(list, item('Everything as JSON', 'the document that is shown, with its problem and provenance', () => [`${stem}.json`, 'application/json', jsonFile(screen, told)]),
      named.map((table) => item(`${table.name} as CSV`, table.title, () => [`${stem}-${table.name}.csv`, 'text/csv', csvFile(table)])),
      h('p', { class: 'pg-export-extent' }, 'In CSV, text that begins like a formula has a \' before it.'),
      item('One HTML page', 'the same tables; opens offline, asks nobody', () => [`${stem}.html`, 'text/html', htmlFile(title, told, named)]),
      figures.length ? h('p', { class: 'pg-export-extent' }, 'Figures, with caption and provenance') : null, figureRows(figures, { item, stem, words }));
  };
  const open = (visible) => {
    setShown(menu, visible);
    button.setAttribute('aria-expanded', String(visible));
    setText(status, '');
    if (visible) draw();
  };
  button.addEventListener('click', () => open(menu.hidden));
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  document.addEventListener('click', (event) => { if (!menu.hidden && !box.contains(event.target)) open(false); });
}
