// Forks of the run as lanes, and the ghost: a blocked token's text, with the byte where it dies.

import { h, icon, keyed, setText, setAttr, setShown, fill } from './dom.js';
import { counted, tokenLabel, tokenSpoken, visible, logProb } from './format.js';
import { standing, costSoFar } from './header.js';
import { whyBlocked } from './inspector.js';

const LANES_COLOURS = 5;
const LANES_TAIL = 24;

/** Index of the first token in which two lanes differ (the shorter one's length when none does). */
export function firstDifference(a, b) {
  const n = Math.min(a.steps.length, b.steps.length);
  for (let i = 0; i < n; i += 1) if (a.steps[i].taken.id !== b.steps[i].taken.id) return i;
  return n;
}

/** The tokens of a lane worth showing beside another: from one before the first difference. */
function lanesTail(lane, differs) {
  const from = Math.max(0, differs - 1);
  const tokens = lane.steps.slice(from, from + LANES_TAIL).map((step, i) => ({ step, index: from + i }));
  return { from, tokens, more: lane.steps.length - from - tokens.length };
}

const LANES_WORDS = { valid: 'valid', invalid: 'invalid', incomplete: 'incomplete', dead_end: 'dead end', no_answer: 'no answer', none: '' };

/** Builds the list of lanes (hidden while there is one) and the ghost's card. */
export function mountLanes(root, store) {
  const list = h('ul', { class: 'pg-lanes', 'aria-label': 'Lanes' });
  const ghostName = h('span', { class: 'pg-ghost-title' });
  const ghostText = h('p', { class: 'pg-ghost-text' });
  const ghostSentence = h('p', { class: 'pg-ghost-sentence' });
  const ghostMore = h('p', { class: 'pg-faint' });
  const ghost = h('section', { class: 'pg-ghost', 'aria-label': 'Ghost branch' },
    h('div', { class: 'pg-ghost-head' }, icon('blocked'), ghostName, h('span', { class: 'pg-gap' }),
      h('button', { type: 'button', class: 'pg-icon-button', 'aria-label': 'Close the ghost branch', title: 'Close', onclick: () => store.actions.dropGhost() }, icon('close'))),
    ghostText, ghostSentence, ghostMore);
  root.append(list, ghost);

  function laneRow() {
    const parts = { name: h('b', { class: 'pg-lane-name' }), from: h('span', { class: 'pg-faint' }), tokens: h('span', { class: 'pg-lane-tokens' }), state: h('span', { class: 'pg-faint pg-lane-state' }) };
    const button = h('button', { type: 'button', class: 'pg-lane-button' }, parts.name, parts.from, parts.tokens, h('span', { class: 'pg-gap' }), parts.state);
    const row = h('li', { class: 'pg-lane-row' }, button);
    button.addEventListener('click', () => store.actions.selectLane(row.pgLane));
    row.pgParts = { ...parts, button };
    return row;
  }

  function drawLane(row, lane, index, current) {
    const { name, from, tokens, state, button } = row.pgParts;
    row.pgLane = lane.id;
    const mine = lane.id === current.id;
    setAttr(row, 'data-current', mine);
    setAttr(row, 'data-colour', index % LANES_COLOURS);
    setAttr(button, 'aria-pressed', String(mine));
    setAttr(button, 'title', `Lane ${lane.name}${index < 9 ? ` (Tab + ${index + 1})` : ''}`);
    setText(name, lane.name);
    // The lane on screen is compared with its parent, the others with the lane on screen.
    const other = mine ? store.lanes().find((each) => each.id === lane.parent) || null : current;
    const differs = other ? firstDifference(lane, other) : 0;
    setText(from, lane.parent === null ? 'main' : lane.forkAt === 0 ? 'from the start' : `forked after ${counted(lane.forkAt, 'token')}`);
    const tail = lanesTail(lane, differs);
    fill(tokens, tail.from > 0 ? '… ' : null, tail.tokens.map(({ step, index: at }) => h('span', { class: 'pg-mini', 'data-differs': other !== null && at === differs, title: tokenSpoken(step.taken) }, tokenLabel(step.taken))),
      tail.more > 0 ? ` … ${tail.more} more` : null, lane.steps.length ? null : 'no token yet');
    const cost = costSoFar(lane.steps, lane.steps.length);
    setText(state, [LANES_WORDS[standing(lane)], `product of Z ${logProb(cost).text}`].filter(Boolean).join(' · '));
    setAttr(button, 'aria-label', `Lane ${lane.name}, ${counted(lane.steps.length, 'token')}, ${mine ? 'on screen' : other ? `differs from the lane on screen at token ${differs + 1}` : ''}`);
  }

  function drawGhost(info) {
    setText(ghostName, `If ${tokenLabel(info.token)} were taken`);
    const before = info.text_before || '';
    const tail = before.length > 60 ? `…${before.slice(-60)}` : before;
    const bad = [...(info.bad_part || '')];
    fill(ghostText, h('span', { class: 'pg-faint' }, visible(tail)), visible(info.valid_part || ''),
      bad.length ? h('mark', { class: 'pg-dead-byte', title: 'The text becomes invalid here' }, visible(bad[0])) : h('mark', { class: 'pg-dead-byte' }, info.token.eos ? 'end' : '∅'),
      h('s', { class: 'pg-ghost-rest' }, visible(bad.slice(1).join(''))));
    setText(ghostSentence, whyBlocked(info.token, { state: { expected: info.expected } }));
    const place = Number.isFinite(info.offset) ? `byte ${info.offset + 1} of the text, line ${info.line}, column ${info.column}` : '';
    setText(ghostMore, [place, info.needs ? `the text before it still needs ${visible(info.needs)}` : '', 'Nothing was asked of the model.'].filter(Boolean).join(' · '));
  }

  let seenLanes = null;
  let seenLane = null;
  const update = () => {
    const lanes = store.lanes();
    const current = store.lane();
    if (lanes === seenLanes && current === seenLane) return;
    seenLanes = lanes;
    seenLane = current;
    if (!current) { setShown(root, false); return; }
    const real = lanes.filter((lane) => !lane.ghost);
    // The ghost belongs to the lane that it was asked from.
    const spectre = lanes.find((lane) => lane.ghost && lane.parent === current.id);
    setShown(root, real.length > 1 || Boolean(spectre));
    setShown(list, real.length > 1);
    if (real.length > 1) keyed(list, real, (lane) => lane.id, laneRow, (row, lane, index) => drawLane(row, lane, index, current));
    setShown(ghost, Boolean(spectre));
    if (spectre) drawGhost(spectre.info);
  };
  store.subscribe(update);
  update();
}
