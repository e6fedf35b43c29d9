// The field's words, one line each, shown where they stand: in a lesson's texts and in the screens' headings.

import { h } from '../stage/dom.js';
import { unbroken } from './numbers.js';
import { found } from './show.js';

/** Terms: [the word as it is explained, what else it is written as, its meaning]. */
export const TERMS = [
  ['token', ['tokens'], 'The unit that a model reads and writes: a few letters, a word, or a piece of one.'],
  ['constraint', ['constraints', 'constrained'], 'The rule that a text must obey: a regex, a JSON Schema, a grammar or a list of choices.'],
  ['mask', ['masking', 'masks', 'after mask'], 'At each token: everything that can no longer become valid gets probability 0, and the rest is divided by Z_t.'],
  ['model p', ['p'], 'What the model alone would draw from: softmax of its logits, with temperature and filters if they are set.'],
  ['logit', ['logits'], 'The model’s raw score of a token; softmax turns the scores into probabilities.'],
  ['blocked', [], 'A token that the mask sets to 0: with it the text could never become valid.'],
  ['allowed mass', ['Z_t', 'Z at a step'], 'Z_t: the share of the model’s probability that the mask keeps at this token. It costs −log2 Z_t bits.'],
  ['bits', ['bit'], '−log2 of a probability: 1 bit is a half, 10 bits about one in a thousand. Bits of the steps add up.'],
  ['forced', [], 'Only one token is allowed. That says nothing about whether the model wanted it.'],
  ['may stop', [], 'The text is valid as it stands, so the end of text is allowed here.'],
  ['p~', ['p̃'], 'The law that constrained decoding draws from: the product of p / Z_t over the tokens of a text.'],
  ['Z', ['q', 'q = Z', 'valid rate'], 'The chance that the model, left alone, writes a valid text.'],
  ['p_V', ['exact law', 'exact'], 'The model’s own belief among valid texts: p divided once by Z. The reference point.'],
  ['F', ['future mass'], 'The chance that the model, left alone from here, ends with a valid text.'],
  ['s(y)', ['squeeze', 'squeezed', 'squeezing'], 'How many times too often masking gives a text: p~ over p_V. A small Z_t alone is no squeezing.'],
  ['TV', ['total variation', 'TV(p~, p_V)'], 'Total variation: the largest difference that two laws make in the chance of any event; 0 is none, 1 is all.'],
  ['KL', ['KL(p_V ‖ p~)', 'KL(p_V || p~)'], 'How surprised the mask’s law is, on average, by what the exact law draws; in nats.'],
  ['rejection', ['rejection sampling', 'tried and kept'], 'Draw unmasked until a text is valid: right by construction, and as costly as valid texts are rare.'],
  ['unconstrained', [], 'The model alone, nothing masked.'],
  ['entropy', [], 'How undecided a law is, in bits: 0 where one token has everything.'],
  ['temperature', [], 'What the logits are divided by: below 1 the model is surer, above 1 it spreads out.'],
  ['automaton', ['state', 'states'], 'The constraint as a machine: where it is says which bytes may come next.'],
  ['incomplete', [], 'Not valid yet, but it can still become valid; invalid can’t.'],
];

// The same symbol means what belongs to one token where one token is told of: [where, the term as it is found, the term it stands for].
const GLOSSARY_PLACES = [['.lesson-formula', 'Z', 'allowed mass']];

/** Headings of the screens that stand for a term: where each is, and the term. */
export const HEADINGS = [
  ['#stage .pg-mass-label', 'allowed mass'], ['#compare .cmp-figure:nth-child(1) dt', 'TV'], ['#compare .cmp-figure:nth-child(2) dt', 'KL'], ['#compare .cmp-figure:nth-child(3) dt', 'Z'],
  ['#squeezing .sq-numbers > :nth-child(1) dt', 'Z'], ['#squeezing .sq-numbers > :nth-child(2) dt', 'TV'], ['#squeezing .sq-numbers > :nth-child(3) dt', 'KL'],
];

const GLOSSARY_NAMES = new Map(TERMS.flatMap(([term, others]) => [term, ...others].map((name) => [name, term])));
const GLOSSARY_MEANINGS = new Map(TERMS.map(([term, , meaning]) => [term, meaning]));
// A word of letters may begin a sentence; a symbol is written as it is.
const isWord = (name) => /^[a-z][a-z ]{2,}$/.test(name);
const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyCase = (name) => (isWord(name) ? `[${name[0].toUpperCase()}${name[0]}]${name.slice(1)}` : escaped(name));
// A bare p or q would be found in any formula, and a bare F in any mark.
const GLOSSARY_FOUND = [...GLOSSARY_NAMES.keys()].filter((name) => name.length > 1 || name === 'Z').sort((a, b) => b.length - a.length);
const GLOSSARY_PATTERN = new RegExp(`(?<![\\p{L}\\p{N}_~])(${GLOSSARY_FOUND.map(anyCase).join('|')})(?![\\p{L}\\p{N}_~(])`, 'gu');

/** The meaning of a term. */
export function meaningOf(term) {
  return GLOSSARY_MEANINGS.get(term) || '';
}

/** The term that `term` is where it stands; within(where) says whether it stands in what a selector names. */
export function termAt(term, within) {
  const place = GLOSSARY_PLACES.find(([where, found]) => found === term && within(where));
  return place ? place[2] : term;
}

/** A text cut at its terms: [{text, term}], term null outside; each term once, where it first stands. */
export function termParts(text) {
  const parts = [];
  const seen = new Set();
  let at = 0;
  for (const match of String(text).matchAll(GLOSSARY_PATTERN)) {
    const name = match[0];
    const term = GLOSSARY_NAMES.get(name) || GLOSSARY_NAMES.get(name[0].toLowerCase() + name.slice(1));
    if (seen.has(term)) continue;
    seen.add(term);
    if (match.index > at) parts.push({ text: text.slice(at, match.index), term: null });
    parts.push({ text: name, term });
    at = match.index + name.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), term: null });
  return parts;
}

/** The text as nodes, its terms as buttons that explain themselves, its numbers whole. */
export function withTerms(text) {
  return termParts(text).map((part) => (part.term ? h('button', { type: 'button', class: 'lesson-term', dataset: { term: part.term } }, part.text) : unbroken(part.text)));
}

function dressed(node, term) {
  if (node.dataset.term === term) return;
  node.dataset.term = term;
  // One explanation at a time, in one wording.
  node.removeAttribute('title');
  if (node.parentElement) node.parentElement.removeAttribute('title');
  node.classList.add('lesson-term');
  node.tabIndex = 0;
}

/** Explains terms on hover, focus and tap, by one box in `root`; and dresses the headings, now and as they are drawn anew. */
export function mountGlossary(root) {
  const term = h('b', null);
  const meaning = h('span', null);
  const tip = h('div', { class: 'lesson-tip', role: 'tooltip', id: 'lesson-tip', hidden: true }, term, ' ', meaning);
  root.append(tip);
  let on = null;

  function hide() {
    if (on) on.removeAttribute('aria-describedby');
    on = null;
    tip.hidden = true;
  }
  function show(node) {
    if (node === on && !tip.hidden) return;
    hide();
    on = node;
    const named = termAt(node.dataset.term, (where) => Boolean(node.closest(where)));
    term.textContent = named;
    meaning.textContent = meaningOf(named);
    tip.hidden = false;
    node.setAttribute('aria-describedby', 'lesson-tip');
    place();
  }
  function place() {
    if (!on) return;
    if (!on.isConnected) { hide(); return; }
    const box = on.getBoundingClientRect();
    const own = tip.getBoundingClientRect();
    const below = box.bottom + own.height + 10 < globalThis.innerHeight;
    tip.style.left = `${Math.max(8, Math.min(globalThis.innerWidth - own.width - 8, box.left))}px`;
    tip.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - own.height - 6)}px`;
  }
  const of = (event) => event.target.closest?.('[data-term]');
  document.addEventListener('pointerover', (event) => { const node = of(event); if (node) show(node); else if (on && on !== document.activeElement && !event.target.closest?.('.lesson-tip')) hide(); });
  document.addEventListener('focusin', (event) => { const node = of(event); if (node && node.matches(':focus-visible')) show(node); else if (on) hide(); });
  document.addEventListener('click', (event) => { const node = of(event); if (node) show(node); else if (on) hide(); });
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && on) hide(); }, true);
  // The page scrolls to what a beat is about while the pointer rests on a word of its bar.
  document.addEventListener('scroll', place, { capture: true, passive: true });

  let due = false;
  const dress = () => {
    due = false;
    for (const [where, name] of HEADINGS) for (const node of document.querySelectorAll(where)) dressed(node, name);
  };
  const soon = () => { if (!due) { due = true; requestAnimationFrame(dress); } };
  // These two draw their heads anew with every document; the stage keeps its own.
  const watching = new MutationObserver(soon);
  const watched = new Set();
  const watch = () => {
    for (const id of ['stage', 'compare', 'squeezing']) {
      const node = document.getElementById(id);
      if (!node || watched.has(id)) continue;
      watched.add(id);
      watching.observe(node, { childList: true, subtree: id !== 'stage' });
    }
    soon();
  };
  watch();
  // It may come after this.
  found(() => globalThis.playgroundStage).then(soon);
  globalThis.addEventListener('playground-screen', watch);
}
