// Text without an order: what a sampler makes that draws every position on its own, beside the laws that look at what stands already.

import { fill, h, setShown } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { choice, known, laneRow, panel, table, twin } from './parts.js';
import { chance, exactBits, listed, rateWords } from './words.js';

/** The chart of one law. */
export function lawParts(law, modes) {
  const rows = [...law.texts].sort((a, b) => b.p - a.p);
  return {
    sentence: `${law.name}: ${law.mixed > 0 ? `${chance(law.mixed)} of the texts mix the two modes (hatched), which neither of them ever is.` : `every text is one of the two modes: ${listed(modes.map((mode) => `“${mode}”`))}.`}`,
    chart: rows.map(({ text, p, mixed }) => laneRow(text, [{ at: p, mark: 'bar' }], [h('b', null, chance(p)), mixed ? h('small', null, 'mixed') : null], mixed ? 'is-mixed' : '')),
    table: table(`The ${law.name} law`, ['text', 'chance', 'mixed'], rows.map(({ text, p, mixed }) => [text, chance(p), mixed ? 'yes' : 'no'])),
  };
}

/** Renders the panel into `root`. */
export function mountPositions(root, store) {
  const doc = store.get().page.positions;
  setShown(root, Boolean(doc));
  if (!doc) return;
  const { node, body } = panel('positions', 'Text without an order', 'The same trouble in words: a sampler that fills every position from its own marginal, all at once, is fast and mixes what belongs apart. Positions are fields, and a sentence is a record.');
  root.append(node);
  const names = doc.laws.map(({ name }) => name);
  // The one that mixes most is the news.
  const first = doc.laws.reduce((best, law) => (law.mixed > best.mixed ? law : best)).name;
  const get = () => (names.includes(store.get().law) ? store.get().law : first);
  const pick = choice('Drawn', names.map((name) => [name, name]), { get, set: (law) => store.set({ law }) });
  const chart = twin('Texts by their chance');
  const badge = h('span', null);
  const mixed = table(`Every way to draw: what it mixes, exactly and among ${count(doc.draws)} draws (95 %), what its positions say of each other, and the calls of the model that wait for each other`, ['drawn', 'mixed', 'mixed, counted', 'total correlation', 'calls'],
    doc.laws.map((law) => [law.name, [chance(law.mixed), ' ', known(law.known)], [rateWords(law.drawn), ' ', known('estimated', law.drawn.known)], exactBits(law.tc_bits), count(law.calls)]), { stacks: true });
  fill(body, h('p', null, 'Two texts: ', doc.modes.map((mode, at) => [at ? ' and ' : null, h('b', null, `“${mode}”`)]), '. One call of the model a word draws them from left to right; all words at once cost one call, and don’t know of each other.'),
    h('div', { class: 'dc-controls' }, pick.node, badge), chart.node, mixed);
  let seen = null;
  const update = () => {
    pick.update();
    if (seen === get()) return;
    seen = get();
    const law = doc.laws.find(({ name }) => name === seen);
    chart.fill(lawParts(law, doc.modes));
    fill(badge, known(law.known));
  };
  store.subscribe(update);
  update();
}
