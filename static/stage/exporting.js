// The export menu: the current lane as JSON, as CSV, or as one HTML file that needs nothing else; and its figures.
import { fill, h, icon, setText, setShown } from './dom.js';
import { provenanceKind, provenanceLine } from './caption.js';
import { figuresIn } from './figure_files.js';
import { figureRows } from './figure_menu.js';
import { counted } from './format.js';
import { saveFile } from './saving.js';
import { traceCsv, traceFileName, traceHtml, traceJson } from './trace_files.js';

const EXPORT_TEMPLATE = '/app-static/standalone.html';

async function exportTemplate() {
  const answer = await fetch(EXPORT_TEMPLATE);
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.text();
}

let exportSerial = 0;

/** Renders the export button and its menu into `root`, and sets `store.hooks.openExport`. */
export function mountExport(root, store) {
  const id = `pg-export-${exportSerial += 1}`;
  const status = h('p', { class: 'pg-export-status', role: 'status' });
  const button = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-label': 'Export', 'aria-expanded': 'false', 'aria-controls': id }, icon('export'), h('span', null, 'Export'));
  const item = (title, words, save) => {
    const each = h('button', { type: 'button', class: 'pg-export-item' }, h('b', null, title), h('small', null, words));
    each.addEventListener('click', async () => {
      const doc = store.doc();
      try {
        setText(status, 'Making the file.');
        setText(status, `Saved ${await save(doc)}.`);
      } catch (reason) {
        setText(status, `The file could not be made: ${reason.message}. Nothing on this page was lost; try again, or take the JSON.`);
      }
    });
    return each;
  };
  const saved = (doc, extension, type, text) => {
    const name = traceFileName(doc, extension);
    saveFile(name, type, text);
    return name;
  };
  const extent = h('p', { class: 'pg-export-extent' });
  const figures = h('div', { class: 'pg-export-figures' });
  const page = item('One HTML file', 'this screen with the run inside; opens offline, asks nobody', async (doc) => saved(doc, 'html', 'text/html', traceHtml(await exportTemplate(), doc)));
  const menu = h('div', { class: 'pg-export-menu', id, role: 'group', 'aria-label': 'Export', hidden: true }, extent,
    item('Trace as JSON', 'every step with its candidates and provenance', (doc) => saved(doc, 'json', 'application/json', traceJson(doc))),
    item('Steps as CSV', 'one row a step; in pandas: pd.read_csv("file.csv"). Text that begins like a formula has a \' before it', (doc) => saved(doc, 'csv', 'text/csv', traceCsv(doc))),
    page, figures, status);
  root.append(h('div', { class: 'pg-export-box' }, button, menu));
  const tell = () => {
    const lanes = store.lanes().filter((each) => !each.ghost).length;
    setText(extent, `This lane, ${counted(store.lane().steps.length, 'step')}${lanes > 1 ? `; not the other ${lanes > 2 ? `${lanes - 1} lanes` : 'lane'}` : ''}`);
  };
  const figureItem = (title, about, make, label) => {
    const each = item(title, about, async () => { const [name, type, content] = await make(); saveFile(name, type, content); return name; });
    each.setAttribute('aria-label', label);
    return each;
  };
  const listFigures = () => {
    const doc = store.doc();
    const stage = root.closest('.pg');
    const words = () => [stage.querySelector('.pg-caption').textContent, doc.problem.prompt ? `Prompt: “${doc.problem.prompt}”.` : '', `${provenanceKind(doc, store.live())}: ${provenanceLine(doc.provenance, doc.constraint && doc.constraint.engine_title)}`];
    fill(figures, figureRows(figuresIn(stage), { item: figureItem, stem: traceFileName(doc, 'x').slice(0, -2), words }));
  };
  const open = (shown) => {
    setShown(menu, shown);
    setShown(page, store.live());
    button.setAttribute('aria-expanded', String(shown));
    setText(status, '');
    if (!shown) return;
    tell();
    listFigures();
    // The button may stand anywhere: the menu is moved sideways until it fits the window.
    menu.style.left = '0px';
    const { left, right } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8 - left, Math.min(0, document.documentElement.clientWidth - 8 - right))}px`;
  };
  button.addEventListener('click', () => open(menu.hidden));
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  document.addEventListener('click', (event) => { if (!menu.hidden && !root.contains(event.target)) open(false); });
  store.hooks.openExport = () => { if (button.disabled) return; open(true); menu.querySelector('button').focus(); };
  const draw = () => {
    const doc = store.doc();
    button.disabled = !doc || doc.steps.length === 0;
    if (menu.hidden) return;
    if (button.disabled) open(false);
    else tell();
  };
  store.subscribe(draw);
  draw();
}
