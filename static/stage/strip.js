// The token strip: one chip a token, the bits that the mask cost above it, and marks for what happened there.

import { h, icon, keyed, setText, setAttr, setShown } from './dom.js';
import { LOW_MASS } from './events.js';
import { spanRegion, spanWords } from './method.js';
import { bits, isShort, prob, tokenLabel, tokenSpoken } from './format.js';

const STRIP_CAP = 12;
const STRIP_LEAST = 4;
// Above a taller bar there is no room for its number, which then stands inside.
const STRIP_TALL = 0.75;

/** Glyphs and their words, in the order in which they are drawn. */
export const STRIP_MARKS = [
  ['given', 'given', 'Given, not sampled'],
  ['opens', 'opens', 'A constrained span opens inside this token'],
  ['closes', 'closes', 'A constrained span closes inside this token'],
  ['argmax_blocked', 'blocked', 'The token that the model wanted most is blocked'],
  ['blocked', 'broken', 'A blocked token was taken'],
  ['low_mass', 'low_mass', `The model's favourite is allowed, but less than ${100 * LOW_MASS} % of its mass is`],
  ['forced', 'forced', 'Only one token is allowed'],
  ['multi_state', 'multi_state', 'One token crosses several states'],
  ['field_edge', 'field_edge', 'A field begins or ends here'],
  ['may_stop', 'may_stop', 'The text before this token is valid: it could stop there'],
];

const STRIP_ENDS = { truncated: 'cut here', dead_end: 'dead end', rejected: 'invalid' };

/** The shared axis of the bars: {max, cap}: bars above `cap` bits are drawn broken. */
export function stripAxis(positions) {
  const most = Math.max(0, ...positions.map((each) => (each.bits === null ? STRIP_CAP + 1 : each.bits)));
  return { max: Math.max(STRIP_LEAST, Math.min(STRIP_CAP, most)), broken: most > STRIP_CAP };
}

/** Height of a bar, 0 to 1, and whether it is broken off. */
export function stripBar(position, axis) {
  const spent = position.bits === null ? Infinity : Math.max(0, position.bits);
  return { height: Math.min(1, spent / axis.max), broken: spent > axis.max };
}

function stripMarks(step) {
  const overruled = step.events.includes('argmax_blocked') || step.events.includes('blocked');
  return STRIP_MARKS.filter(([event]) => (event === 'low_mass' ? step.z < LOW_MASS && !overruled : event === 'given' ? step.given : step.events.includes(event)));
}

function stripWords(step, index, problem) {
  const region = spanRegion(step, problem);
  const marks = stripMarks(step).map(([, , words]) => words);
  const cost = region === 'free' ? spanWords(step, problem) : `the mask costs ${bits(step.bits)}`;
  return [`Step ${index + 1}: ${tokenSpoken(step.taken)}`, cost, region === 'inside' ? spanWords(step, problem) : '', `model ${prob(step.taken.p).text}`, ...marks].filter(Boolean).join('. ');
}

function stripColumn(kind) {
  const bar = h('span', { class: 'pg-col-bar' }, h('span', { class: 'pg-col-number' }));
  const chip = h('span', { class: 'pg-chip' }, h('span', { class: 'pg-chip-text' }));
  const marks = h('span', { class: 'pg-col-marks' });
  const column = h('div', { class: `pg-col pg-col-${kind}`, role: 'option', tabindex: -1 }, h('span', { class: 'pg-col-area' }, bar), chip, marks);
  column.pgParts = { bar, number: bar.firstChild, chip, text: chip.firstChild, marks };
  return column;
}

/** Builds the strip. Click or drag goes to a step; the pointer over the bars previews one. */
export function mountStrip(root, store) {
  const shade = h('button', { type: 'button', class: 'pg-link', title: 'What the shade of the chips means: switch between the chance after the mask and the model\'s own',
    onclick: () => store.set({ color: store.view().color === 'mask' ? 'model' : 'mask' }) });
  const scale = h('span', { class: 'pg-strip-scale' });
  const columns = h('div', { class: 'pg-cols', role: 'listbox', 'aria-label': 'Tokens of the output', 'aria-orientation': 'horizontal' });
  const box = h('div', { class: 'pg-strip' }, columns);
  root.append(h('div', { class: 'pg-strip-head' }, h('span', { class: 'pg-strip-title' }, 'Output'), h('span', { class: 'pg-faint' }, 'bar: what the mask costs, in bits'), scale, h('span', { class: 'pg-gap' }), h('span', { class: 'pg-faint' }, 'shade:'), shade), box);

  let seen = {};
  let preview = null;
  let dragging = false;

  function items(lane) {
    const list = lane.steps.map((step, index) => ({ kind: 'step', step, index }));
    if (lane.outcome === 'running') {
      if (lane.frontier) list.push({ kind: 'frontier', step: lane.frontier, index: lane.steps.length });
    } else if (STRIP_ENDS[lane.outcome]) list.push({ kind: 'end', step: lane.frontier, index: lane.steps.length, words: STRIP_ENDS[lane.outcome] });
    return list;
  }

  function drawColumn(column, item, axis, color, problem) {
    const { bar, number, chip, text, marks } = column.pgParts;
    column.pgIndex = item.index;
    setAttr(column, 'data-span', spanRegion(item.step, problem));
    const position = item.step;
    const at = position ? stripBar(position, axis) : { height: 0, broken: false };
    bar.style.height = `${100 * at.height}%`;
    setAttr(bar, 'data-broken', at.broken);
    setAttr(bar, 'data-tall', at.height > STRIP_TALL);
    setText(number, position && (position.bits === null || position.bits >= 0.3 * axis.max) && at.height > 0 ? bits(position.bits).replace(' bits', '') : '');
    if (item.kind !== 'step') {
      setText(text, item.kind === 'frontier' ? '?' : item.words);
      setAttr(column, 'aria-label', item.kind === 'frontier' ? `Next token, not drawn yet. The mask costs ${bits(position.bits)}` : item.words);
      setAttr(column, 'title', item.kind === 'frontier' ? 'The next token: nothing is drawn yet' : null);
      return;
    }
    setText(text, tokenLabel(item.step.taken));
    const shadeOf = color === 'mask' ? item.step.taken.masked : item.step.taken.p;
    chip.style.setProperty('--pg-shade', String(Math.max(0, Math.min(1, shadeOf || 0))));
    setAttr(chip, 'data-color', color);
    setAttr(chip, 'data-special', item.step.taken.special || item.step.taken.eos);
    setAttr(chip, 'data-blocked', !item.step.taken.allowed);
    setAttr(chip, 'data-short', isShort(tokenLabel(item.step.taken)));
    setAttr(chip, 'data-partial', item.step.taken.partial);
    setAttr(chip, 'data-given', Boolean(item.step.given));
    const words = stripWords(item.step, item.index, problem);
    setAttr(column, 'aria-label', words);
    setAttr(column, 'title', words);
    if (marks.pgStep !== item.step) {
      marks.pgStep = item.step;
      marks.replaceChildren(...stripMarks(item.step).map(([event, name]) => { const mark = icon(name); setAttr(mark, 'data-event', event); return mark; }));
    }
  }

  function drawCursor(cursor) {
    for (const column of columns.children) {
      const current = column.pgIndex === cursor;
      setAttr(column, 'aria-selected', String(current));
      setAttr(column, 'tabindex', current ? '0' : '-1');
    }
  }

  function reveal() {
    const cursor = store.cursor();
    const column = [...columns.children].find((each) => each.pgIndex === cursor);
    if (!column || preview !== null || dragging) return;
    const left = column.offsetLeft - box.clientWidth / 2 + column.offsetWidth / 2;
    if (column.offsetLeft < box.scrollLeft + 40 || column.offsetLeft + column.offsetWidth > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = left;
    if (columns.contains(document.activeElement) && document.activeElement !== column) column.focus({ preventScroll: true });
  }

  function update() {
    const lane = store.lane();
    setShown(root, Boolean(lane));
    if (!lane) { seen = {}; return; }
    const { color } = store.view();
    const cursor = store.cursor();
    const { problem } = store.doc();
    if (lane !== seen.lane || color !== seen.color) {
      const list = items(lane);
      const axis = stripAxis(list.map((item) => item.step).filter(Boolean));
      setText(scale, `(full height ${Number(axis.max.toFixed(1))}${axis.broken ? ', taller ones broken off' : ''})`);
      setText(shade, color === 'mask' ? 'after mask' : 'model p');
      keyed(columns, list, (item) => `${item.kind}${item.index}`, (item) => stripColumn(item.kind), (column, item) => drawColumn(column, item, axis, color, problem));
    }
    if (lane !== seen.lane || cursor !== seen.cursor) { drawCursor(cursor); queueMicrotask(reveal); } // when the other parts have changed too: they are laid out together
    seen = { lane, color, cursor };
  }

  const indexAt = (x) => {
    let found = null;
    for (const column of columns.children) if (column.getBoundingClientRect().left <= x) found = column.pgIndex;
    return found;
  };
  const goTo = (index) => { if (index !== null && index !== store.cursor()) store.actions.go(index); };

  columns.addEventListener('click', (event) => {
    const column = event.target.closest('.pg-col');
    if (!column) return;
    preview = null;
    goTo(column.pgIndex);
  });
  // A mouse held down scrubs; a finger scrolls the strip and taps.
  columns.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    dragging = true;
    preview = null;
  });
  const drag = (event) => {
    if (!dragging) return;
    if (!(event.buttons & 1)) { dragging = false; return; }
    if (!root.isConnected) return;
    goTo(indexAt(event.clientX));
  };
  columns.addEventListener('pointermove', (event) => {
    if (dragging || event.pointerType !== 'mouse') { drag(event); return; }
    const view = store.view();
    const overBars = event.target.closest('.pg-col-area');
    if (!overBars || view.playing || view.running || view.busy) return;
    if (preview === null) preview = store.cursor();
    goTo(overBars.closest('.pg-col').pgIndex);
  });
  columns.addEventListener('pointerleave', () => {
    if (preview !== null) goTo(preview);
    preview = null;
    dragging = false;
  });
  columns.addEventListener('pointerup', () => { dragging = false; });
  store.subscribe(update);
  update();
}
