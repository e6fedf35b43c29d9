// The list under the editor: everything that is wrong, where, why, and the fix that can be applied.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { legible, prose } from './prose.js';
import { LEVEL_WORDS, marksOf, problemsOf, problemWords, shownAtOnce } from './problems.js';
import { specKey } from './state.js';
import { weakerNotice } from './weaker.js';

/** One problem as an item. `go(line, column)` moves the editor's cursor, `apply(fix)` puts the fixed source in, `demo(problem)` opens Step;
 *  `folded`: why it matters is told on request. */
export function problemItem(problem, { go, apply, demo }, folded = false) {
  const { level, code, name, line, column, message, why, where, fix, partly } = problem;
  return h('li', { class: 'sc-problem', dataset: { level, line: line || '' } },
    h('div', { class: 'sc-problem-head' },
      h('span', { class: 'sc-level', dataset: { level } }, partly ? 'Partly enforced' : LEVEL_WORDS[level]),
      line ? h('button', { type: 'button', class: 'pg-link sc-goto', onclick: () => go(line, column || 1) }, `line ${line}`) : where ? h('code', { class: 'pg-faint' }, legible(where)) : null,
      code ? h('span', { class: 'sc-code', title: name || code }, code) : null),
    h('p', { class: 'sc-message' }, prose(message)),
    why && !(folded && code) ? h('p', { class: 'sc-why' }, prose(why)) : null,
    fix || problem.demo || (why && folded && code) ? h('div', { class: 'sc-problem-actions' },
      fix ? h('button', { type: 'button', class: 'pg-button pg-button-small', title: fix.title, onclick: () => apply(fix) }, h('span', null, 'Apply fix: ', prose(fix.title))) : null,
      problem.demo ? h('button', { type: 'button', class: 'pg-link', title: 'See what it does to a model', onclick: () => demo(problem) }, problem.demo.title || 'Open in Step') : null,
      why && folded && code ? h('details', { class: 'sc-why-fold' }, h('summary', null, 'Why it matters'), h('p', { class: 'sc-why' }, prose(why))) : null) : null);
}

/** Renders the list into `root` and tells `marks(list)` what stands beside the lines. Returns {show(line)}. */
export function mountProblems(root, state, { go, apply, demo, marks, undo }) {
  const tally = h('span', { class: 'sc-tally', role: 'status' });
  const list = h('ul', { class: 'sc-problem-list' });
  const more = h('button', { type: 'button', class: 'pg-link sc-more', hidden: true, onclick: () => { opened = !opened; draw(); } });
  const undoButton = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true, onclick: undo }, 'Undo the fix');
  root.append(h('header', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'What is wrong'), tally, h('span', { class: 'pg-gap' }), undoButton), weakerNotice(state, 'problems', undo), list, more);
  let seen = null;
  let problems = [];
  let opened = false;

  function draw() {
    const few = shownAtOnce(problems);
    const some = opened ? problems : problems.slice(0, few);
    fill(list, some.map((problem) => problemItem(problem, { go, apply, demo }, true)));
    setShown(more, problems.length > few);
    setText(more, opened ? 'Show fewer' : `Show all ${problems.length}`);
  }

  function update() {
    const now = state.get();
    setShown(undoButton, Boolean(now.undo));
    setAttr(root, 'data-old', Boolean(now.analysis) && !now.trouble && now.analysis.key !== specKey(now));
    const about = now.trouble || now.analysis;
    if (about === seen) return;
    seen = about;
    problems = now.trouble ? problemsOf({ error: now.trouble }, now.source) : problemsOf(now.analysis, now.source);
    setText(tally, about ? problemWords(problems) : 'Looking …');
    setAttr(root, 'data-clean', Boolean(about) && !problems.length);
    draw();
    marks(marksOf(problems));
  }
  state.subscribeLate(update);
  update();
  return {
    /** Shows the problems of a line, as its mark was pressed. */
    show(line) {
      if (!opened && problems.findIndex((each) => each.line === line) >= shownAtOnce(problems)) { opened = true; draw(); }
      for (const each of list.children) setAttr(each, 'data-shown', each.dataset.line === String(line));
      const first = list.querySelector(`[data-line="${line}"]`);
      if (first) first.scrollIntoView({ block: 'nearest' });
    },
  };
}
