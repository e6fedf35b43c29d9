// The tabs below: each asks the server when it is looked at, and again when the constraint has changed.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { errorCard as newsCard } from '../stage/news.js';
import { createNewest } from './newest.js';
import { answered, specKey, specOf } from './state.js';

const SECTIONS_WAIT_MS = 400;

/** The card of an error. */
export function errorCard(error) {
  const card = newsCard();
  card.show(error);
  return card.node;
}

// From the third second on, how long it has taken: an engine that is compiled for a model's tokens may need some.
function working(each, on, line) {
  clearInterval(each.ticking);
  setShown(line, on);
  setText(line, 'Working …');
  if (!on) return;
  const since = performance.now();
  each.ticking = setInterval(() => { const s = Math.round((performance.now() - since) / 1000); if (s >= 3) setText(line, `Working … ${s} s`); }, 1000);
}

/** Renders the tabs into `root`. sections: [{name, title, ask(spec, now) -> promise or null, draw(answer, box), key(now)?, about}].
 *  A section without `ask` draws itself from the state. */
export function mountSections(root, state, sections) {
  const bar = h('div', { class: 'sc-tabs', role: 'tablist', 'aria-label': 'More about this constraint' });
  const box = h('div', { class: 'sc-sections' });
  root.append(bar, box);
  let current = sections[0].name;
  const shown = new Map();

  for (const section of sections) {
    const tab = h('button', { type: 'button', class: 'sc-tab', role: 'tab', id: `sc-tab-${section.name}`, 'aria-controls': `sc-panel-${section.name}`, title: section.about, onclick: () => choose(section.name) }, section.title);
    tab.addEventListener('keydown', (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const at = sections.findIndex(({ name }) => name === current);
      const next = sections[(at + by + sections.length) % sections.length].name;
      choose(next);
      shown.get(next).tab.focus();
    });
    bar.append(tab);
    const about = h('p', { class: 'pg-quiet sc-about' }, section.about);
    const busy = h('p', { class: 'sc-working', hidden: true, role: 'status' }, 'Working …');
    const inside = h('div', { class: 'sc-inside' });
    const panel = h('div', { class: 'sc-panel', role: 'tabpanel', id: `sc-panel-${section.name}`, 'aria-labelledby': `sc-tab-${section.name}`, tabindex: '0', hidden: true }, about, busy, inside);
    box.append(panel);
    const each = { tab, panel, inside, key: null, questions: null };
    if (section.ask) {
      each.questions = createNewest({
        wait: SECTIONS_WAIT_MS,
        run: ({ spec, now }) => section.ask(spec, now),
        take: (answer) => {
          setAttr(panel, 'data-stale', null);
          fill(inside, answer.error ? errorCard(answer.error) : null);
          if (!answer.error) section.draw(answer, inside);
        },
        busy: (on) => { working(each, on, busy); setAttr(panel, 'aria-busy', on ? 'true' : null); },
      });
    }
    shown.set(section.name, each);
  }

  function choose(name) {
    current = name;
    for (const [each, { tab, panel }] of shown) {
      const here = each === name;
      setAttr(tab, 'aria-selected', here ? 'true' : 'false');
      setAttr(tab, 'tabindex', here ? '0' : '-1');
      setShown(panel, here);
    }
    update();
  }

  function update() {
    const now = state.get();
    if (!now.shown) return;
    const section = sections.find(({ name }) => name === current);
    const each = shown.get(current);
    if (!section.ask) { section.draw(now, each.inside); return; }
    if (now.trouble) {
      if (each.key !== null) { each.questions.drop(); each.key = null; }
      fill(each.inside, h('p', { class: 'pg-quiet' }, 'Nothing can be asked about this constraint yet: see what is wrong above.'));
      return;
    }
    const key = section.key ? section.key(now) : specKey(now);
    if (key === each.key) { if (!each.panel.hasAttribute('aria-busy')) setAttr(each.panel, 'data-stale', null); return; }
    setAttr(each.panel, 'data-stale', each.key !== null);
    // The verdict of an edit comes first.
    const string = state.string();
    if (string && !answered(now, string.text)) return;
    const first = each.key === null;
    each.key = key;
    each.questions.ask({ spec: specOf(now), now }, { now: first });
  }

  state.subscribeLate(update);
  choose(current);
  return { choose, refresh: (name) => { shown.get(name).key = null; update(); }, text: (name, words) => setText(shown.get(name).tab, words) };
}
