// Where the runs part, which texts the two laws disagree on, and the alarm.

import { h, fill, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { visible } from '../stage/format.js';
import { statusBadge } from './header.js';
import { NO_LAW, amount, lawless, parting, span, spanTitle, strips } from './words.js';

const DIVERGE_MOST = 48;

function divergeLine(title, sample, at, open) {
  const tokens = sample.tokens.slice(0, DIVERGE_MOST);
  return h('div', { class: 'cmp-strip' }, h('span', { class: 'cmp-strip-name' }, title),
    h('ol', { class: 'cmp-tokens' }, tokens.map((token, i) => h('li', null, h('button', { type: 'button', class: 'cmp-token', 'aria-current': i === at ? 'true' : null, 'data-past': at !== null && i > at,
      title: i === at ? 'The first token that differs. Open it in Step' : 'Open at this token in Step', onclick: () => open(sample.path, null, i) }, h('code', null, visible(token) || '∅')))),
    sample.tokens.length > tokens.length ? h('li', { class: 'pg-faint' }, `and ${sample.tokens.length - tokens.length} more`) : null));
}

/** The sentence above the strip. `paired`: both are first draws, made with the same random numbers; one that was kept after tries is not. */
export function partingWords(left, right, at, paired = true) {
  if (at === null) return `${left} and ${right} took the same tokens${paired ? ': the mask changed nothing here' : ''}.`;
  return `${paired ? 'The same random numbers, drawn from two laws' : 'The draws shown above'}: ${left.toLowerCase()} and ${right.toLowerCase()} ${at === 0 ? 'part at the first token' : `agree for ${at} ${at === 1 ? 'token' : 'tokens'} and part at token ${at + 1}`}.`;
}

/** Renders strip, disagreements and alarm into `root`. */
export function mountDiverge(root, store, { actions }) {
  const words = h('p', { class: 'pg-quiet' });
  const lines = h('div', { class: 'cmp-strips' });
  const strip = h('section', { class: 'pg-card pg-panel cmp-diverge', 'aria-label': 'Where the runs part' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Where the first draws part')), words, lines);
  const list = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Texts the laws disagree on' });
  const disagree = h('section', { class: 'pg-card pg-panel', 'aria-label': 'Disagreements' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Texts that masking gets wrong')), list);
  const bell = h('span', { class: 'cmp-bell' });
  const alarmWords = h('p', null);
  const alarmFacts = h('dl', { class: 'cmp-facts' });
  const alarm = h('section', { class: 'pg-card pg-panel cmp-alarm', 'aria-label': 'Alarm' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Alarm: does the model dislike what it was made to say?'), bell), alarmWords, alarmFacts,
    h('p', { class: 'pg-quiet' }, 'Each number is the mean log-probability of a token under the model: over the masked outputs, over the valid ones that rejection kept, and over all unconstrained runs, valid or not. It is no proof: the alarm can ring falsely, and it can stay silent.'));
  fill(root, strip, disagree, alarm);

  let seen = null;
  const update = () => {
    const { doc } = store.get();
    setShown(root, Boolean(doc));
    if (!doc || doc === seen) return;
    seen = doc;
    const pair = strips(doc);
    setShown(strip, Boolean(pair));
    if (pair) {
      const [, left] = pair.left;
      const [rightName, right] = pair.right;
      const at = parting(left.sample.path, right.sample.path);
      setText(words, partingWords(left.title, right.title, at, rightName === 'unconstrained'));
      fill(lines, divergeLine(left.title, left.sample, at, actions.openInStep), divergeLine(right.title, right.sample, at, actions.openInStep));
    }
    const wrong = lawless(doc.exact) ? [] : doc.disagreements;
    fill(list, lawless(doc.exact) ? h('p', { class: 'pg-quiet' }, NO_LAW) : wrong.length ? h('table', { class: 'pg-table' }, h('caption', null, 'Proved: the bounds of p~ and p_V lie more than 0.01 apart.'), h('thead', null, h('tr', null, ['text', 'p_V', 'p~', 's(y)', ''].map((each, i) => h('th', { scope: 'col', class: i > 0 && each ? 'pg-num' : null }, each || h('span', { class: 'pg-spoken' }, 'open in Step'))))),
      h('tbody', null, wrong.map((row) => h('tr', null, h('th', { scope: 'row' }, h('code', null, visible(row.text) || '∅')), h('td', { class: 'pg-num', title: spanTitle(row.p_V) }, span(row.p_V)), h('td', { class: 'pg-num', title: spanTitle(row.masked) }, span(row.masked)),
        h('td', { class: 'pg-num', title: spanTitle(row.squeeze) }, span(row.squeeze, amount)), h('td', null, row.path.length ? h('button', { type: 'button', class: 'pg-link', onclick: () => actions.openInStep(row.path, null) }, 'Step') : null)))))
      : h('p', { class: 'pg-quiet' }, doc.exact && doc.exact.stopped ? 'No text is proved to differ by more than 0.01.' : 'Nothing is proved to differ yet.'));
    const { raised, words: said, constrained, rejection, unconstrained, threshold } = doc.alarm;
    fill(bell, raised === null ? 'not ready' : raised ? [icon('low_mass'), 'RAISED'] : 'silent');
    setAttr(bell, 'data-raised', raised === null ? null : String(raised));
    setText(alarmWords, said);
    const nats = (x) => (x === null || x === undefined ? '–' : `${x.toFixed(2).replace('-', '−')} nats`);
    fill(alarmFacts, [['masked outputs', constrained], ['valid ones, by rejection', rejection], ['all unconstrained runs', unconstrained]].map(([name, value]) => h('div', { title: `Mean log p a token. The alarm rings at a gap of ${threshold} nats.` },
      h('dt', null, name), h('dd', null, nats(value), value === null ? null : [' ', statusBadge('estimated', 'A mean over the draws. No coverage is claimed.')]))));
  };
  store.subscribe(update);
  update();
}
