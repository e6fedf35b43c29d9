// Why outputs were invalid: each class counted at every level, with an example opened at the place that is to blame.

import { h, fill, setShown } from '../stage/dom.js';
import { visible } from '../stage/format.js';
import { levelKey, panel, table } from './parts.js';
import { TITLES, failureCounts, failuresOf } from './words.js';

/** An output with its place marked; the end of the text is a mark of its own. */
function failureText({ before, place, after, cut }, label) {
  const lines = (text) => visible(text).replaceAll('␣', ' ').replaceAll('↵', '↵\n');
  return h('pre', { class: 'lv-example', tabindex: '0', 'aria-label': label }, cut ? h('span', { class: 'pg-faint' }, '… ') : null, lines(before),
    place ? h('mark', null, lines(place)) : h('mark', { class: 'is-end', title: 'The text ends here' }, before ? '▏end' : 'nothing was written'), lines(after));
}

function failureExample({ level, label, example }, { open }) {
  return h('div', { class: 'lv-example-box' },
    h('p', { class: 'lv-example-head' }, levelKey(label), `Level ${level} (${TITLES[label]}), ${example.item}${example.attempts > 1 ? `, attempt ${example.attempts}` : ''}: `, example.message,
      example.path.length ? [' ', h('button', { type: 'button', class: 'pg-link', onclick: () => open(example) }, 'Open in Step')] : null),
    failureText(example, `An output of level ${level}`));
}

/** Names of the classes that stand open: those chosen, the first one before any choice. */
export function unfoldedOf(unfolded, classes) {
  return unfolded ?? classes.slice(0, 1).map(({ name }) => name);
}

/** Renders the classes into `root`. actions.openExample(example) puts one on the Step stage. */
export function mountFailures(root, store, { actions }) {
  const { node, body } = panel('failures', 'What went wrong', 'Each invalid output has one class, the first thing to mend; unfold it for an example of each level. Truncated means cut off: the token limit ended the output before the model did. Where something else is to mend first, it counts there.');
  root.append(node);
  let seen = null;
  const unfold = ({ target }) => {
    const { doc, unfolded } = store.get();
    const now = unfoldedOf(unfolded, failuresOf(doc));
    const { name } = target.dataset;
    // A fold of the page before this one tells late.
    if (target.isConnected && now.includes(name) !== target.open) store.set({ unfolded: target.open ? [...now, name] : now.filter((each) => each !== name) });
  };
  const update = () => {
    const { doc, unfolded } = store.get();
    const classes = doc && doc.drawn ? failuresOf(doc) : [];
    setShown(root, Boolean(doc && doc.drawn));
    if (!doc || seen === doc) return;
    seen = doc;
    if (!classes.length) {
      fill(body, h('p', null, 'Nothing: every output so far is valid as it stands.'));
      return;
    }
    const open = unfoldedOf(unfolded, classes);
    const held = root.contains(document.activeElement) ? document.activeElement.closest('details')?.dataset.name : null;
    const counts = table('Classes of invalid outputs by level', ['Class', ...doc.levels.map(({ level }) => `Level ${level}`)],
      classes.map(({ words, of }) => [words, ...doc.levels.map(({ label, off }) => (off ? '–' : String(of.find((each) => each.label === label)?.count ?? 0)))]), { name: 'lv-counts' });
    fill(body, counts, classes.map((each) => h('details', { class: 'lv-class', dataset: { name: each.name }, open: open.includes(each.name), ontoggle: unfold },
      h('summary', null, h('b', null, each.words), h('span', { class: 'pg-faint' }, ` ${failureCounts(each)}`)),
      h('p', { class: 'lv-advice' }, each.advice),
      each.of.map((one) => failureExample(one, { open: actions.openExample })))));
    if (held) root.querySelector(`details[data-name="${held}"] > summary`)?.focus();
  };
  store.subscribe(update);
  update();
}
