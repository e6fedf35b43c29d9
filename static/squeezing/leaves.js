// The valid texts in a table: what the model gives each, what masking draws, the exact share, and how far apart the last two are.

import { h, fill, keyed, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted, isShort, logProb, visible } from '../stage/format.js';
import { middle, probBetween, timesWords } from '../stage/interval.js';
import { NO_LAW, lawless } from '../compare/words.js';
import { gradeBadge, probKnown } from './known.js';
import { squeezeAxis } from './layout.js';
import { gradeOf } from './state.js';

const LEAVES_FOLD = 12;

export function leafText(text) {
  return visible(text) || '∅';
}

function leafRow() {
  const cell = (cls) => h('td', { class: cls });
  const parts = {
    name: h('button', { type: 'button', class: 'sq-leaf' }), runs: h('span', { class: 'sq-runs' }), p: cell('pg-num sq-c-p'), masked: cell('pg-num sq-c-masked'), exact: h('span', null), fraction: h('small', { class: 'sq-fraction' }),
    bar: h('i', { class: 'sq-s-bar' }), doubt: h('i', { class: 'sq-s-doubt' }), words: h('span', { class: 'sq-s-words' }), badge: h('span', { class: 'sq-badge' }),
  };
  const row = h('tr', { class: 'sq-row' }, h('th', { scope: 'row', class: 'sq-c-text' }, parts.name, parts.runs), parts.p, parts.masked, h('td', { class: 'pg-num sq-c-exact' }, parts.exact, parts.fraction),
    h('td', { class: 'sq-c-s' }, h('span', { class: 'sq-s-lane', 'aria-hidden': 'true' }, parts.doubt, parts.bar), parts.words), h('td', { class: 'sq-c-badge' }, parts.badge));
  row.sqParts = parts;
  return row;
}

/** Builds the table. `spell(text)` fetches the tokenisations of a text: a promise of {runs, total} or null. */
export function mountLeaves(root, state, { spell }) {
  let open = false;
  const body = h('tbody', null);
  const axis = h('span', { class: 'sq-s-axis', 'aria-hidden': 'true' });
  const head = (text, cls, title) => h('th', { scope: 'col', class: cls, title }, text);
  const table = h('table', { class: 'pg-table sq-leaves' },
    h('caption', { class: 'pg-spoken' }, 'Valid texts with their mass in each layer and the squeeze s, p~ over p_V'),
    h('thead', null, h('tr', null, head('text', 'sq-c-text', null), head('model p', 'pg-num sq-c-p', 'What the model, left alone, gives this text'), head('after mask p~', 'pg-num sq-c-masked', 'What constrained decoding gives it'),
      head('p_V', 'pg-num sq-c-exact', 'The exact law: the model’s own share among valid texts: p / Z'), h('th', { scope: 'col', class: 'sq-c-s', title: 's = p~ / p_V on a log scale: each tick doubles' }, h('span', null, 'squeeze s = p~ / p_V'), axis), head(h('span', { class: 'pg-spoken' }, 'kind of number'), 'sq-c-badge', 'exact: every valid prefix was opened; bounded: proved to lie between two numbers'))),
    body);
  const fold = h('button', { type: 'button', class: 'pg-button pg-fold', hidden: true, onclick: () => { open = !open; draw(); } });
  const kinds = [['strings', false], ['token sequences', true]].map(([words, byRuns]) => h('button', { type: 'button', class: 'sq-choice', 'aria-pressed': 'false', onclick: () => { state.set({ byRuns }); } }, words));
  const others = h('p', { class: 'pg-quiet' });
  const about = h('p', { class: 'pg-quiet' });
  root.append(h('div', { class: 'pg-card-head' }, h('h3', { class: 'pg-card-title' }, 'Valid texts'), h('span', { class: 'pg-gap' }), h('span', { class: 'sq-choices', role: 'group', 'aria-label': 'What a row sums' }, kinds)),
    about, h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the valid texts' }, table), fold, others);
  body.addEventListener('click', (event) => { const row = event.target.closest('.sq-row'); if (row) state.set({ leaf: row.sqText, picked: true }); });

  // One text's tokenisations under its row.
  function runsRow(text, doc) {
    const found = state.get().spellings[text.text];
    const z = doc.exact.log_z;
    const inner = h('td', { colspan: 6, class: 'sq-spellings' });
    if (found === undefined || found === 'asked') fill(inner, h('p', { class: 'pg-quiet' }, 'Looking up its tokenisations …'));
    else if (!found) fill(inner, h('p', { class: 'pg-quiet' }, 'Its tokenisations could not be looked up; choose the text again to retry.'));
    else {
      fill(inner, h('ul', null, found.runs.map((run) => {
        const exact = run.log_p === null || lawless(doc.exact) ? null : { lower: Math.exp(Math.min(0, run.log_p - z.upper)), upper: Math.exp(Math.min(0, run.log_p - z.lower)) };
        return h('li', null, h('span', { class: 'sq-run' }, run.tokens.map((token) => h('code', { class: 'pg-mini', 'data-short': isShort(visible(token)) }, visible(token) || '∅'))),
          run.canonical ? h('span', { class: 'sq-canonical', title: 'The tokens that the tokenizer itself makes of this text' }, 'canonical') : null,
          h('span', { class: 'sq-run-numbers' }, `p ${logProb(run.log_p).text} · p~ ${logProb(run.log_masked).text} · p_V ${probBetween(exact).text}`));
      })), found.total > found.runs.length ? h('p', { class: 'pg-quiet' }, `and ${count(found.total - found.runs.length)} more that are less likely`) : null);
    }
    return inner;
  }

  function drawRow(row, text, scale, now) {
    const parts = row.sqParts;
    row.sqText = text.text;
    const chosen = now.leaf === text.text;
    setAttr(row, 'aria-selected', String(chosen));
    setText(parts.name, leafText(text.text));
    setAttr(parts.name, 'title', leafText(text.text));
    setAttr(parts.name, 'aria-pressed', String(chosen));
    setText(parts.runs, text.runs > 1 ? counted(text.runs, 'spelling') : '');
    const number = (cell, shown) => { setText(cell, shown.text); setAttr(cell, 'title', shown.title); };
    const status = gradeOf(now);
    const none = lawless(now.doc.exact);
    number(parts.p, probKnown(text.p, status));
    number(parts.masked, probKnown(text.masked, status));
    number(parts.exact, none ? { text: '–', title: NO_LAW } : probKnown(text.p_V, status));
    setText(parts.fraction, text.fraction ? ` = ${text.fraction}` : '');
    const { lower, upper } = none ? { lower: 1, upper: 1 } : text.squeeze;
    const [low, high] = [scale.at(lower), scale.at(upper)];
    const near = low > 0 ? low : high < 0 ? high : 0;
    setAttr(parts.bar, 'data-way', near > 0 ? 'often' : 'rare');
    const place = (el, a, b) => { el.style.left = `${50 + 50 * Math.min(a, b)}%`; el.style.width = `${50 * Math.abs(a - b)}%`; };
    place(parts.bar, 0, near);
    place(parts.doubt, low, high);
    setShown(parts.doubt, Math.abs(high - low) > 0.01);
    setText(parts.words, none ? '–' : timesWords(text.squeeze));
    setAttr(parts.words, 'title', none ? NO_LAW : `s = ${middle(text.squeeze) === null ? '–' : Number(middle(text.squeeze).toPrecision(4))}`);
    const { word, title } = gradeBadge(status);
    setText(parts.badge, word);
    setAttr(parts.badge, 'title', title);
    setAttr(parts.badge, 'data-status', status);
  }

  function draw() {
    const now = state.get();
    setShown(root, Boolean(now.doc) && now.doc.exact.texts.length > 0);
    if (root.hidden) return;
    const { texts, others: more, status } = now.doc.exact;
    const scale = squeezeAxis(texts);
    const seen = open ? texts : texts.slice(0, LEAVES_FOLD);
    setText(about, now.byRuns ? 'Each text with the token sequences that spell it: the model knows runs of tokens, and a text’s mass is their sum.'
      : texts.some((text) => text.runs > 1) ? 'Each row sums all token sequences that spell the text.' : '');
    setShown(about, about.textContent !== '');
    const rows = seen.flatMap((text) => (now.byRuns ? [{ text }, { text, runs: true }] : [{ text }]));
    keyed(body, rows, (row) => `${row.runs ? 'r' : 't'}${row.text.text}`, (row) => (row.runs ? h('tr', { class: 'sq-runs-row' }) : leafRow()), (node, row) => {
      if (!row.runs) { drawRow(node, row.text, scale, now); return; }
      const found = now.spellings[row.text.text];
      if (node.sqFound === found && node.sqDoc === now.doc) return;
      node.sqFound = found;
      node.sqDoc = now.doc;
      fill(node, runsRow(row.text, now.doc));
    });
    fill(axis, [-1, 0, 1].map((at) => h('span', { style: { left: `${50 + 50 * at}%` } }, at === 0 ? '1' : at < 0 ? `1/${count(2 ** scale.most)}` : `${count(2 ** scale.most)}`)));
    kinds.forEach((button, i) => setAttr(button, 'aria-pressed', String(now.byRuns === (i === 1))));
    setShown(fold, texts.length > LEAVES_FOLD);
    setText(fold, open ? 'Fewer texts' : `${texts.length - seen.length} more texts`);
    setText(others, more > 0 ? `${counted(more, 'further text')} found, each smaller than these.` : status === 'exact' ? '' : 'More texts may lie in what was not looked into.');
    setShown(others, others.textContent !== '');
    if (now.byRuns) askFor(seen.map((text) => text.text).filter((text) => now.spellings[text] === undefined));
  }

  async function askFor(texts) {
    if (!texts.length) return;
    const { doc } = state.get();
    state.set({ spellings: { ...state.get().spellings, ...Object.fromEntries(texts.map((text) => [text, 'asked'])) } });
    for (const text of texts) {
      const found = await spell(doc.problem, text);
      if (state.get().doc !== doc) return;
      state.set({ spellings: { ...state.get().spellings, [text]: found } });
    }
  }

  state.subscribe(draw);
  draw();
}

