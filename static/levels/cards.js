// One card a level: its law, how often it is valid, what it costs, what was lost, and the way to see what it does.

import { h, fill, setShown } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { LEVEL_MARKS, bar, levelHead } from './parts.js';
import { DOES, LAWS, SCREEN_NAMES, TITLES, judgeWords, lostWords, ms, outputMs, paceWords, rateWords } from './words.js';

function cardFact(name, value, title = null) {
  return h('div', { title }, h('dt', null, name), h('dd', null, value));
}

/** The word for how a number is known. */
export function badge(status, title) {
  return h('span', { class: 'lv-badge', dataset: { status }, title }, status);
}

// Below it the interval is the news, not the share: the same as `study/method_summary.py` SMALL.
const CARDS_FEW = 30;
const CARDS_INTERVAL = 'Clopper-Pearson, 95 %: it covers at every n. Of one prompt it is about that prompt; of a set, about prompts like these.';

function cardRate({ label, summary }) {
  const { valid } = summary;
  const { value, of, interval } = rateWords(valid);
  return h('div', { class: 'lv-rate' },
    h('p', { class: 'lv-rate-line' }, h('span', { class: 'lv-value', dataset: { few: String(valid.n < CARDS_FEW) } }, value), ' ', h('span', { class: 'pg-faint' }, `valid: ${of}`)),
    bar(valid.value || 0, { mark: LEVEL_MARKS[label], lower: valid.lower, upper: valid.upper }),
    interval ? h('p', { class: 'lv-interval', title: CARDS_INTERVAL }, interval, ' ', badge('estimated', CARDS_INTERVAL)) : null,
    h('p', { class: 'pg-quiet' }, `Valid: ${judgeWords(summary.judge)}.`));
}

function cardFacts({ summary }, doc) {
  const { tokens, attempts, most_attempts: most, right } = summary;
  const time = outputMs(summary, doc.pace);
  const { value, of, interval } = rateWords(right);
  return h('dl', { class: 'lv-facts' },
    cardFact('tokens', tokens.mean === null ? '–' : tokens.mean.toFixed(1), 'Sampled for one output, in the mean; a given { costs nothing'),
    cardFact('time', time === null ? '–' : [ms(time), ' ', badge('estimated', paceWords(doc.pace))], paceWords(doc.pace)),
    cardFact('attempts', attempts.mean === null ? '–' : `${Number(attempts.mean.toFixed(2))}${most > attempts.mean ? `, at most ${count(most)}` : ''}`, 'For one output, in the mean'),
    doc.gold ? cardFact('right', right.n ? value : '–', right.n ? `${of} with all fields as in the right answer; 95 %: ${interval}` : null) : null);
}

/** The card of one level. */
export function levelCard(level, doc, { open }) {
  const { label, summary, off } = level;
  const does = DOES[label];
  return h('section', { class: `pg-card lv-card ${LEVEL_MARKS[label]}`, dataset: { level: level.level }, 'aria-label': `Level ${level.level}: ${TITLES[label]}` },
    h('header', null, h('h3', { class: 'pg-card-title' }, levelHead(level.level, label))),
    h('p', { class: 'lv-law' }, LAWS[label]),
    off ? h('p', { class: 'lv-off' }, off) : [cardRate(level), cardFacts(level, doc), h('p', { class: 'lv-lost' }, h('b', null, 'Lost: '), lostWords(label, summary) || '–')],
    h('p', { class: 'lv-does' }, does.words),
    off ? null : h('button', { type: 'button', class: 'pg-link lv-open', title: `Opens this prompt in ${SCREEN_NAMES[does.screen]}`, onclick: () => open(does.screen, label) }, `${does.open} (${SCREEN_NAMES[does.screen]})`));
}

/** Renders the cards into `root`. actions.openLevel(screen, label) shows the prompt on another screen. */
export function mountCards(root, store, { actions }) {
  let seen = null;
  const update = () => {
    const { doc } = store.get();
    setShown(root, Boolean(doc));
    if (!doc || seen === doc) return;
    seen = doc;
    const held = root.contains(document.activeElement) ? document.activeElement.closest('.lv-card')?.dataset.level : null;
    fill(root, doc.levels.map((level) => levelCard(level, doc, { open: actions.openLevel })));
    // A new document doesn't take the focus away.
    if (held) root.querySelector(`[data-level="${held}"] .lv-open`)?.focus();
  };
  store.subscribe(update);
  update();
}
