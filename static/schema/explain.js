// What the constraint allows, as a tree of plain sentences, and what it compiled to.

import { h, fill, setAttr, setShown } from '../stage/dom.js';
import { compileWords, engineWords } from './head.js';
import { prose } from './prose.js';
import { specKey } from './state.js';
import { count, counted, seconds } from '../stage/format.js';

const EXPLAIN_OPEN_DEPTH = 3;
const EXPLAIN_MOST = 600;

/** The number of nodes of a tree. */
export function treeSize(node) {
  let size = 0;
  const stack = [node];
  while (stack.length) { const next = stack.pop(); size += 1; stack.push(...(next.children || [])); }
  return size;
}

// A node is the same after an edit if it speaks of the same part of the schema; what isn't of a schema, if it stands in the same place.
const foldKey = ({ pointer }, path, depth) => (typeof pointer === 'string' && pointer ? `${depth} ${pointer}` : path);

/** What the visitor has opened or closed, kept while the tree is drawn anew: {open(key, depth), told(key, open), all(open)}. */
export function createFolds(depthOpen = EXPLAIN_OPEN_DEPTH) {
  let every = null;
  const each = new Map();
  const open = (key, depth) => each.get(key) ?? every ?? depth < depthOpen;
  return { open, told: (key, opened) => { each.set(key, opened); }, all: (opened) => { every = opened; each.clear(); } };
}

function tree(node, depth, drawing, caret, path = '') {
  const { budget, folds } = drawing;
  budget.left -= 1;
  const sentence = h('button', { type: 'button', class: 'sc-sentence', dataset: { line: node.line || '', pointer: node.pointer || '' }, onclick: () => caret(node.line, node.column, true), onmouseenter: () => caret(node.line, node.column, false) },
    node.keyword && !node.words.startsWith(`\`${node.keyword}\``) ? [h('code', null, node.keyword), ' '] : null, prose(node.words));
  const children = node.children || [];
  if (!children.length) return h('li', null, sentence);
  const inside = [];
  const key = foldKey(node, path, depth);
  for (const child of children) {
    if (budget.left <= 0) { inside.push(h('li', { class: 'pg-faint' }, 'and more, not drawn')); break; }
    inside.push(tree(child, depth + 1, drawing, caret, `${path}/${inside.length}`));
  }
  const open = folds.open(key, depth);
  const fold = h('button', { type: 'button', class: 'sc-fold', 'aria-expanded': String(open), 'aria-label': `Parts of: ${node.words}`, onclick: () => { const to = !isOpen(fold); unfold(fold, to); folds.told(key, to); } });
  return h('li', null, h('div', { class: 'sc-node' }, fold, sentence), h('ul', { hidden: !open }, inside));
}

const isOpen = (fold) => fold.getAttribute('aria-expanded') === 'true';

/** Opens or closes the parts of a sentence. */
function unfold(fold, to) {
  setAttr(fold, 'aria-expanded', String(to));
  setShown(fold.parentElement.nextElementSibling, to);
}

/** Renders tree and compile card into `root`. `caret(line, column, pressed)` points into the editor. */
export function mountExplain(root, state, { caret }) {
  const body = h('div', { class: 'sc-tree' });
  const facts = h('dl', { class: 'pg-facts' });
  const notes = h('ul', { class: 'sc-notes' });
  const regex = h('pre', { class: 'pg-snippet', tabindex: '0' });
  const fold = h('details', { class: 'sc-regex' }, h('summary', null, 'The regular expression that was compiled'), regex);
  const empty = h('p', { class: 'pg-quiet sc-empty' }, 'What the constraint allows is told here, in plain words.');
  const compiled = h('div', { class: 'sc-compiled' }, h('h4', null, 'Compiled'), facts, notes, fold);
  root.append(h('header', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'In plain words'), h('span', { class: 'pg-gap' }), h('button', { type: 'button', class: 'pg-link', onclick: () => all(true) }, 'Open all'), h('button', { type: 'button', class: 'pg-link', onclick: () => all(false) }, 'Close all')), empty, body, compiled);
  let seen = null;
  const folds = createFolds();

  function all(open) {
    folds.all(open);
    for (const each of body.querySelectorAll('.sc-fold')) unfold(each, open);
  }

  function update() {
    const { analysis } = state.get();
    setAttr(root, 'data-old', Boolean(analysis) && analysis.key !== specKey(state.get()));
    if (analysis === seen) return;
    seen = analysis;
    const explained = analysis && analysis.explain;
    setShown(empty, !explained);
    setShown(body, Boolean(explained));
    setShown(root.querySelector('header'), Boolean(explained));
    if (explained) {
      fill(body, h('ul', null, tree(explained, 0, { budget: { left: EXPLAIN_MOST }, folds }, caret)));
    }
    const how = analysis && analysis.compile;
    setShown(compiled, Boolean(how));
    if (!how) return;
    const rows = [['Engine', engineWords(analysis)], ['States', how.states ? count(how.states) : null], ['Transitions', how.transitions ? count(how.transitions) : null],
      ['Time', compileWords(state.get())], ['First mask', how.mask_seconds === null || how.mask_seconds === undefined ? null : seconds(how.mask_seconds)]].filter(([, value]) => value);
    fill(facts, rows.map(([name, value]) => h('div', null, h('dt', null, name), h('dd', null, value))));
    const info = (analysis.notes || []).filter(({ level }) => level === 'info');
    setShown(notes, info.length > 0);
    fill(notes, info.slice(0, 12).map(({ message }) => h('li', null, prose(message))), info.length > 12 ? h('li', null, `and ${counted(info.length - 12, 'note')} more`) : null);
    setShown(fold, Boolean(how.regex));
    setAttr(fold, 'data-cut', how.regex && how.regex_characters > how.regex.length);
    fill(regex, how.regex || '', how.regex && how.regex_characters > how.regex.length ? ` … (${count(how.regex_characters)} characters in all)` : null);
  }
  state.subscribeLate(update);
  update();
}
