// The automaton's state in words: what may follow, what is still needed, where it stands in the schema, and a token's way through the bytes.
import { h, fill, setText, setShown } from './dom.js';
import { counted, tokenLabel, tokenSpoken, visible } from './format.js';
import { byteWords, inspectedToken } from './inspector.js';
import { ringWords } from './method.js';
import { pointerRange, pointerLines } from './pointer.js';
import { mountGraph } from './graph.js';

const STATE_MOST_BYTES = 32;

// Byte classes come in words; only a class that is nothing but blanks needs signs.
const stateClass = (words) => (/^\s+$/.test(words) ? visible(words) : words);

/** The text that the state's JSON pointer points into, laid out in lines; or null where there is no schema. */
export function stateSchemaText(doc) {
  const constraint = doc && doc.problem && doc.problem.constraint;
  // In JSON mode the state is that of another schema, any object's.
  if (!constraint || doc.problem.method === 'json-mode') return null;
  const sources = [constraint.kind === 'schema' ? constraint.source : null, doc.constraint && doc.constraint.schema, doc.constraint && doc.constraint.source];
  for (const source of sources) {
    const text = source && typeof source === 'object' ? JSON.stringify(source, null, 2) : source;
    if (typeof text === 'string' && /^\s*\{/.test(text)) return pointerLines(text);
  }
  return null;
}

const STATE_MOST_FRAMES = 14;

/** Whether the state is a pushdown engine's, which searches for a way to finish instead of knowing the shortest. */
export function stateHasStack(doc) {
  if (doc && doc.problem && doc.problem.method === 'json-mode') return true;
  return ['xgrammar', 'llguidance'].includes(doc && doc.constraint && doc.constraint.engine_used);
}

/** The frames that are shown, the outermost first: of a deep stack its two ends and how many lie between. */
export function stackFrames(stack) {
  const frames = stack.map((words) => ({ words }));
  if (frames.length <= STATE_MOST_FRAMES) return frames;
  const half = STATE_MOST_FRAMES / 2;
  return [...frames.slice(0, half), { gap: true, words: `${counted(frames.length - 2 * half, 'frame')} more` }, ...frames.slice(-half)];
}

/** One byte for people: its character where it is printable ASCII, else two hex digits. */
function stateByte(hex) {
  const code = parseInt(hex, 16);
  if (code === 0x20) return '␣';
  if (code === 0x0a) return '↵';
  if (code === 0x09) return '⇥';
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : hex;
}

/** A candidate's way as {bytes: [{hex, from, to, killed, unread}], start, sentence}; bytes past the killing one are unread. */
export function stateHops(candidate, position) {
  const bytes = (candidate.hex.match(/../g) || []);
  const states = candidate.states || [];
  const name = tokenSpoken(candidate);
  const start = states[0] || position.state.name;
  if (!bytes.length) {
    const sentence = !candidate.eos ? `${name} has no text, so it never matches.`
      : candidate.allowed ? `${name} ends the run here, in ${start}: the text is valid.`
        : `${name} can't end the run in ${start}: the text isn't valid yet.`;
    return { start, bytes: [], sentence };
  }
  const dead = candidate.killed_at;
  const hops = bytes.map((hex, i) => ({ hex, to: states[i + 1] || null, killed: dead === i, unread: dead !== null && dead !== undefined && i > dead }));
  const crossed = new Set(states).size;
  const sentence = dead === null || dead === undefined
    ? `${name} goes from ${start} to ${states[states.length - 1] || '?'}${bytes.length > 1 ? ` over ${bytes.length} bytes and ${counted(crossed, 'state')}` : ''}.`
    : `${name} is blocked at byte ${dead + 1} of ${bytes.length}, ${byteWords(bytes[dead])}: ${states[dead] || start} expects ${(candidate.expected || []).map(stateClass).join(' or ') || 'nothing'}.`;
  return { start, bytes: hops, sentence };
}

function stateHopsView(candidate, position) {
  const way = stateHops(candidate, position);
  const dot = (name, i, cls = '') => h('span', { class: `pg-hop-state ${cls}`, style: { '--hop': String(i) } }, h('i', null), h('b', null, name || '?'));
  const cells = [dot(way.start, 0, 'is-start')];
  way.bytes.slice(0, STATE_MOST_BYTES).forEach((hop, i) => {
    cells.push(h('span', { class: `pg-hop-byte${hop.killed ? ' is-killed' : ''}${hop.unread ? ' is-unread' : ''}` }, h('b', null, stateByte(hop.hex)), h('i', null, hop.hex)));
    if (!hop.unread) cells.push(hop.killed ? h('span', { class: 'pg-hop-state is-dead', style: { '--hop': String(i + 1) } }, h('i', null), h('b', null, 'blocked')) : dot(hop.to, i + 1));
  });
  const more = way.bytes.length - STATE_MOST_BYTES;
  return [
    h('div', { class: 'pg-hops', 'aria-hidden': 'true', style: { '--hop-ms': `${Math.round(Math.min(90, 900 / Math.max(1, way.bytes.length)))}ms` } }, cells, more > 0 ? h('span', { class: 'pg-quiet' }, `and ${counted(more, 'more byte')}`) : null),
    h('p', { class: 'pg-hops-words' }, way.sentence),
  ];
}

function stateSnippet(pre, text, pointer) {
  const range = typeof pointer === 'string' ? pointerRange(text, pointer) : null;
  // The whole text as one mark would say nothing.
  if (!range || range.start === range.keyStart && text.slice(0, range.start).trim() === '') { fill(pre, text); return; }
  const mark = h('mark', null, text.slice(range.keyStart, range.end));
  fill(pre, text.slice(0, range.keyStart), mark, text.slice(range.end));
  // Scrolls the box alone; scrollIntoView would move the page too. Once the other parts have changed too: they are laid out together.
  queueMicrotask(() => { if (mark.isConnected) pre.scrollTop = Math.max(0, mark.offsetTop - pre.clientHeight / 3); });
}

/** Renders the state panel and, under it, the diagram into `root`, and keeps them in step with the store. */
export function mountState(root, store) {
  const name = h('span', { class: 'pg-state-name' });
  const ring = h('span', { class: 'pg-ring' }, h('i', { 'aria-hidden': 'true' }), h('span', null));
  const words = h('p', { class: 'pg-state-words' });
  const chips = h('ul', { class: 'pg-classes', 'aria-label': 'What may follow' });
  const needs = h('dd', null);
  const needsTitle = h('dt', null);
  const needsRow = h('div', null, needsTitle, needs);
  const pointer = h('dd', null, h('code', null));
  const pointerRow = h('div', null, h('dt', null, 'Place in the schema'), pointer);
  const facts = h('dl', { class: 'pg-facts' }, needsRow, pointerRow);
  const stackTitle = h('h4', null, 'Stack');
  const stackFrom = h('p', { class: 'pg-quiet' });
  const stackList = h('ol', { class: 'pg-stack', 'aria-label': 'What is open, the outermost first' });
  const stackBox = h('div', null, stackTitle, stackList, stackFrom);
  const hopsTitle = h('h4', null);
  const hops = h('div', { class: 'pg-hops-box' });
  const hopsBox = h('div', null, hopsTitle, hops);
  const pre = h('pre', { class: 'pg-snippet', tabindex: '0', role: 'region', 'aria-label': 'The schema, with the part being written marked' });
  const schemaBox = h('div', null, h('h4', null, 'The schema, where the text stands'), pre);
  const body = h('div', { class: 'pg-panel-body' },
    h('div', { class: 'pg-state-head' }, name, ring), words,
    h('div', null, h('h4', null, 'May follow'), chips), facts, stackBox, hopsBox, schemaBox);
  const empty = h('p', { class: 'pg-quiet' });
  root.append(h('section', { class: 'pg-card pg-panel pg-state-panel', 'aria-label': 'State of the constraint' }, h('h3', { class: 'pg-card-title' }, 'State'), empty, body));

  let seen = [];
  const draw = () => {
    const doc = store.doc();
    const shown = store.shown();
    setShown(body, Boolean(shown));
    setShown(empty, !shown);
    if (!shown) {
      setText(empty, doc && doc.steps.length ? 'The run has ended; go back a step to see a state.' : 'No state yet: nothing has been asked.');
      return;
    }
    const focus = inspectedToken(store);
    const now = [shown, focus, doc.problem];
    if (now.every((each, i) => each === seen[i])) return;
    const [oldShown, oldFocus, oldProblem] = seen;
    seen = now;
    if (shown !== oldShown) {
      const state = shown.state;
      setText(name, state.name);
      const stands = ringWords(state, store.lane().steps.slice(0, store.cursor()), doc.problem);
      ring.classList.toggle('is-valid', stands.valid);
      setText(ring.lastChild, `${shown.taken ? 'before this token' : 'here'}: ${stands.words}`);
      setText(words, state.words);
      fill(chips, state.expected.length ? state.expected.map((each) => h('li', null, stateClass(each))) : h('li', { class: 'is-none' }, state.may_stop ? 'only the end' : 'nothing'));
      setShown(needsRow, !state.may_stop);
      setText(needsTitle, stateHasStack(doc) ? 'A short way to finish' : 'A shortest way to finish');
      const stack = state.stack || [];
      setShown(stackBox, stack.length > 0);
      fill(stackList, stackFrames(stack).map((frame) => h('li', frame.gap ? { class: 'is-gap' } : null, frame.words)));
      setText(stackFrom, state.stack_of ? `Read off ${state.stack_of}; the innermost is last.` : '');
      fill(needs, state.needs ? h('code', null, visible(state.needs)) : 'not known');
      setShown(pointerRow, typeof state.pointer === 'string');
      setShown(facts, !needsRow.hidden || !pointerRow.hidden);
      setText(pointer.firstChild, state.pointer === '' ? '/ (the whole value)' : state.pointer || '');
    }
    if (shown !== oldShown || focus !== oldFocus) {
      setShown(hopsBox, Boolean(focus));
      if (focus) {
        fill(hopsTitle, focus === shown.taken ? 'The taken token ' : 'The token ', h('code', { class: 'pg-tok' }, tokenLabel(focus)), ' over the bytes');
        fill(hops, ...stateHopsView(focus, shown));
      }
    }
    if (shown !== oldShown || doc.problem !== oldProblem) {
      const text = stateSchemaText(doc);
      setShown(schemaBox, text !== null && typeof shown.state.pointer === 'string');
      if (!schemaBox.hidden) stateSnippet(pre, text, shown.state.pointer);
    }
  };
  store.subscribe(draw);
  draw();
  mountGraph(root, store);
}
