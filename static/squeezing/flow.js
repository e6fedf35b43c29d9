// The picture of the mass: the tree of valid prefixes as ribbons whose thickness is probability, in three layers.

import { h, svg, fill, keyed, setAttr, setShown, setText, reducedMotion } from '../stage/dom.js';
import { count, logProb, prob, visible } from '../stage/format.js';
import { NO_LAW } from '../compare/words.js';
import { probKnown } from './known.js';
import { gradeOf } from './state.js';
import { flowNodes, flowTree, layerAt, spans } from './layout.js';

const FLOW_MS = 600;
const FLOW_TALL = 340;
const FLOW_BAR = 0.62;
const FLOW_NAMES = { model: 'Model', mask: 'After mask', exact: 'Exact' };
const FLOW_SAYS = {
  model: 'What the model wants: valid beginnings go on, blocked mass (hatched) leaves at each token.',
  mask: 'What constrained decoding draws from: at each token the blocked mass is cut away and the rest is blown up to fill its place. A thin ribbon that opens wide is the mask covering for mass that is not there.',
  exact: 'The model’s own belief among valid texts: everything invalid is taken away, and what is left is scaled once, by 1 / Z.',
};

/** What a node is, in a word. */
function flowKind(node) {
  return { inner: 'prefix', end: 'whole text', open: 'not looked into', rest: 'more' }[node.kind];
}

/** A node's name on the picture. */
export function nodeLabel(node) {
  if (node.kind === 'rest') return `${count(node.count)} more`;
  if (node.parent === -1) return 'start';
  // An end of its own has the end token alone: the whole text says more.
  if (node.kind === 'end' && node.ids.length === 1) return `end “${visible(node.text)}”`;
  return visible(node.token) || '∅';
}

/** F of a prefix as bounds: the part of its mass that ends valid. */
export function futureOf(node) {
  if (!(node.p > 0)) return null;
  return { lower: Math.min(1, node.valid.lower / node.p), upper: Math.min(1, node.valid.upper / node.p) };
}

/** All that is known of a node, in a list of [term, text, title]; `status` is that of the proof. */
export function nodeFacts(node, status) {
  const z = node.log_z === null || node.log_z === undefined ? null : logProb(node.log_z);
  const [p, masked, share, future] = [prob(node.p), prob(node.masked), node.whole === 0 ? { text: '–', title: NO_LAW } : probKnown(node.share, status), probKnown(futureOf(node), status, { reason: 'the model never goes there' })];
  return [
    ['model p', p.text, p.title], ['after mask p~', masked.text, masked.title], ['p_V', share.text, share.title],
    ['Z here', z ? z.text : '–', z ? `the mass that the mask leaves at the next token: ${z.title}` : node.kind === 'end' ? 'the text ends here' : 'not looked into'],
    ['F', future.text, `the chance that the model, left alone from here, ends valid: ${future.title}`],
  ];
}

function nodeSpoken(node) {
  return [`${flowKind(node)} ${node.kind === 'rest' ? nodeLabel(node) : visible(node.text) || 'start'}`, ...nodeFacts(node).filter(([, text]) => text !== '–').map(([term, text]) => `${term} ${text}`)].join(', ');
}

/** Builds the picture. `state`: see state.js. */
export function mountFlow(root, state) {
  let tree = null;
  let drawnNodes = null;
  let shown = { t: null };
  let frame = 0;
  let focused = 0;
  let order = [];
  const buttons = ['model', 'mask', 'exact'].map((layer, i) => h('button', { type: 'button', class: 'sq-layer', 'aria-pressed': 'false', 'data-layer': layer, onclick: () => animate(i) }, h('i', { 'aria-hidden': 'true' }), FLOW_NAMES[layer]));
  const slider = h('input', { type: 'range', class: 'pg-slider sq-slider', min: 0, max: 100, step: 1, value: 0, 'aria-label': 'From local to global renormalisation',
    oninput: () => { cancelAnimationFrame(frame); state.set({ t: 1 + Number(slider.value) / 100 }); } });
  const say = h('p', { class: 'sq-say' });
  const picture = svg('svg', { class: 'sq-flow', role: 'tree', 'aria-label': 'Flow of probability' });
  const box = h('div', { class: 'sq-flow-box' }, picture);
  const facts = h('div', { class: 'sq-facts', 'aria-live': 'polite' });
  const table = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of the flow', hidden: true });
  const toTable = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': 'false', onclick: () => {
    setShown(table, table.hidden);
    setAttr(toTable, 'aria-pressed', String(!table.hidden));
    if (!table.hidden) fillTable();
  } }, 'Table');
  root.append(
    h('div', { class: 'sq-flow-head' }, h('h3', { class: 'pg-card-title' }, 'Where the mass goes'), h('div', { class: 'sq-layers', role: 'group', 'aria-label': 'Layer' }, buttons),
      h('label', { class: 'sq-slide' }, h('span', null, 'local'), slider, h('span', null, 'global renormalisation')), h('span', { class: 'pg-gap' }), toTable),
    say, box, facts, table);

  function animate(to) {
    cancelAnimationFrame(frame);
    if (reducedMotion()) { state.set({ t: to }); return; }
    const from = state.get().t;
    const begun = performance.now();
    const move = (at) => {
      const done = Math.min(1, Math.max(0, (at - begun) / FLOW_MS));
      const eased = done < 0.5 ? 2 * done * done : 1 - (2 - 2 * done) ** 2 / 2;
      state.set({ t: from + (to - from) * eased });
      if (done < 1) frame = requestAnimationFrame(move);
    };
    frame = requestAnimationFrame(move);
  }

  // Depth runs to the right on a wide page and downwards on a narrow one.
  function frameOf() {
    const width = Math.max(240, Math.floor(box.clientWidth));
    const columns = tree.deepest + 1;
    if (width < 560) {
      const row = Math.max(58, Math.min(92, 420 / columns));
      return { turned: true, width, height: row * columns + 20, slot: row, whole: width - 2, from: 1 };
    }
    const slot = Math.max(92, (width - 8) / columns);
    return { turned: false, width: Math.max(width, slot * columns + 8), height: FLOW_TALL + 4, slot, whole: FLOW_TALL, from: 2 };
  }

  const number = (x) => Number(x.toFixed(2));

  function quad(at, d1, m1, m2, d2, n1, n2) {
    const point = (d, m) => (at.turned ? `${number(m)},${number(d)}` : `${number(d)},${number(m)}`);
    // A ribbon bends where its thickness changes, so that blowing up reads as such.
    const half = (d1 + d2) / 2;
    return `M${point(d1, m1)}C${point(half, m1)} ${point(half, n1)} ${point(d2, n1)}L${point(d2, n2)}C${point(half, n2)} ${point(half, m2)} ${point(d1, m2)}Z`;
  }

  function makeNode() {
    const parts = {
      ribbon: svg('path', { class: 'sq-ribbon' }), blocked: svg('path', { class: 'sq-blocked' }), bar: svg('rect', { class: 'sq-bar', rx: 2 }), label: svg('text', { class: 'sq-label' }),
      diamond: svg('path', { class: 'sq-diamond', d: 'M0,-6L6,0L0,6L-6,0Z' }), ring: svg('rect', { class: 'sq-ring', rx: 2 }),
    };
    const g = svg('g', { class: 'sq-node', role: 'treeitem', tabindex: -1 }, parts.ribbon, parts.blocked, parts.bar, parts.diamond, parts.label, parts.ring);
    g.sqParts = parts;
    return g;
  }

  function drawNode(g, span, at, t) {
    const { node, start, size, fromStart, fromSize, blocked } = span;
    const parts = g.sqParts;
    const unit = (x) => at.from + x * at.whole;
    const d0 = node.depth * at.slot + 4;
    const last = node.depth === tree.deepest;
    const d1 = d0 + at.slot * (node.parent === -1 ? 0.5 : last && !at.turned ? 0.94 : FLOW_BAR);
    const [m0, thick] = [unit(start), size * at.whole];
    g.sqNode = node;
    setAttr(g, 'data-kind', node.kind);
    setAttr(g, 'aria-level', node.depth + 1);
    setAttr(g, 'aria-label', nodeSpoken(node));
    const rect = (el, pad = 0) => {
      // Neighbours are told apart by a gap, where there is room for one.
      const gap = thick > 5 ? 1.5 : 0;
      const [x, y, w, l] = at.turned ? [m0 + gap, d0, thick - 2 * gap, d1 - d0] : [d0, m0 + gap, d1 - d0, thick - 2 * gap];
      setAttr(el, 'x', number(x - pad)); setAttr(el, 'y', number(y - pad)); setAttr(el, 'width', number(Math.max(0, w + 2 * pad))); setAttr(el, 'height', number(Math.max(0, l + 2 * pad)));
    };
    rect(parts.bar);
    rect(parts.ring, 1.5);
    const before = node.depth === 0 ? d0 : (node.depth - 1) * at.slot + 4 + at.slot * (node.depth === 1 ? 0.5 : FLOW_BAR);
    // However thin, a ribbon is a line.
    const least = size > 0 || fromSize > 0 ? 1.2 : 0;
    setAttr(parts.ribbon, 'd', node.depth === 0 ? null : quad(at, before, unit(fromStart), unit(fromStart) + Math.max(least, fromSize * at.whole), d0, m0, m0 + Math.max(least, thick)));
    setAttr(parts.ribbon, 'data-thin', thick < 5);
    if (blocked) {
      const reach = (at.slot * (1 - FLOW_BAR)) * (t <= 1 ? 1.15 - 0.45 * t : 0.7);
      const [b0, b1] = [unit(blocked.start), unit(blocked.start + blocked.size)];
      // It leaves: outwards and thinning.
      const drift = (b1 - b0) * 0.25;
      setAttr(parts.blocked, 'd', quad(at, d1, b0, b1, d1 + reach, b0 + 2 * drift, b1 + drift));
    } else setAttr(parts.blocked, 'd', null);
    parts.blocked.style.opacity = String(t <= 1 ? 1 - 0.25 * t : Math.max(0, 0.75 * (2 - t)));
    const length = at.turned ? thick : d1 - d0;
    const room = at.turned ? d1 - d0 : thick;
    const letters = Math.floor((length - 8) / 7.4);
    const text = nodeLabel(node);
    const fits = room >= 13 && letters >= Math.min(3, text.length);
    setText(parts.label, !fits ? '' : text.length <= letters ? text : `${[...text].slice(0, Math.max(1, letters - 1)).join('')}…`);
    setAttr(parts.label, 'x', number(at.turned ? m0 + thick / 2 : d0 + 7));
    setAttr(parts.label, 'y', number(at.turned ? (d0 + d1) / 2 + 4.5 : m0 + thick / 2 + 4.5));
    setAttr(parts.label, 'text-anchor', at.turned ? 'middle' : 'start');
    const end = node.kind === 'end' && t > 1 && thick > 1;
    setShownSvg(parts.diamond, end);
    if (end) {
      parts.diamond.style.opacity = String(t - 1);
      setAttr(parts.diamond, 'transform', at.turned ? `translate(${number(m0 + thick / 2)},${number(d1)})` : `translate(${number(d1)},${number(m0 + thick / 2)})`);
    }
  }

  // Above all ribbons: how much is blocked, of the whole in the model's layer, of what came here after the mask.
  function drawLost(el, { node, blocked }, at, t) {
    const thick = blocked.size * at.whole;
    const depth = node.depth * at.slot + 4 + at.slot * (node.parent === -1 ? 0.5 : FLOW_BAR);
    const along = at.from + (blocked.start + blocked.size / 2) * at.whole;
    const text = prob(node.p > 0 ? node.blocked / (t < 0.5 ? 1 : node.p) : 0).text;
    setText(el, thick < (at.turned ? 44 : 15) || t >= 1.5 ? '' : `${text}${!at.turned && thick > 24 && at.slot * (1 - FLOW_BAR) > 100 ? ' blocked' : ''}`);
    setAttr(el, 'x', number(at.turned ? along : depth + 6));
    setAttr(el, 'y', number(at.turned ? depth + 15 : along + 4.5));
    setAttr(el, 'text-anchor', at.turned ? 'middle' : 'start');
  }

  function setShownSvg(el, show) {
    setAttr(el, 'display', show ? null : 'none');
  }

  function fillTable() {
    const rows = flowNodes(tree).filter((node) => node.parent !== -1).map((node) => h('tr', null,
      h('th', { scope: 'row' }, h('code', null, node.kind === 'rest' ? `${visible(node.text)}… ${nodeLabel(node)}` : visible(node.text) || '∅')), h('td', null, flowKind(node)),
      nodeFacts(node, gradeOf(state.get())).map(([, text, title]) => h('td', { class: 'pg-num', title }, text))));
    fill(table, h('table', { class: 'pg-table' }, h('caption', null, 'Every prefix of the picture: what the model gives it, what is left after the mask, its exact share'),
      h('thead', null, h('tr', null, ['prefix', 'kind', 'model p', 'after mask p~', 'p_V', 'Z here', 'F'].map((each) => h('th', { scope: 'col' }, each)))), h('tbody', null, rows)));
  }

  function draw() {
    const now = state.get();
    const { doc, t, hover, locked } = now;
    setShown(root, Boolean(doc));
    if (!doc) { drawnNodes = null; return; }
    if (doc.nodes !== drawnNodes) {
      drawnNodes = doc.nodes;
      tree = flowTree(doc.nodes);
      if (!table.hidden && tree) fillTable();
      shown = { t: null };
    }
    if (!tree) return;
    if (box.clientWidth === 0) return;
    const at = frameOf();
    const key = `${t}|${at.width}|${at.turned}`;
    if (shown.key !== key) {
      shown = { key };
      setAttr(picture, 'width', at.width);
      setAttr(picture, 'height', at.height);
      setAttr(picture, 'viewBox', `0 0 ${at.width} ${at.height}`);
      picture.style.setProperty('--sq-a', `${100 * Math.min(1, t)}%`);
      picture.style.setProperty('--sq-b', `${100 * Math.max(0, t - 1)}%`);
      if (!picture.sqDefs) {
        picture.sqDefs = svg('defs', null, svg('pattern', { id: 'sq-hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, svg('rect', { class: 'sq-hatch', width: 2, height: 6 })),
          svg('pattern', { id: 'sq-dots', width: 7, height: 7, patternUnits: 'userSpaceOnUse' }, svg('circle', { class: 'sq-dot', cx: 2, cy: 2, r: 1 })));
        picture.append(picture.sqDefs);
        picture.sqBody = svg('g', null);
        picture.sqTop = svg('g', { 'aria-hidden': 'true' });
        picture.append(picture.sqBody, picture.sqTop);
      }
      const placed = spans(tree, t);
      order = placed.map((span) => span.node);
      keyed(picture.sqBody, placed, (span) => span.node.ids[0], makeNode, (g, span) => drawNode(g, span, at, t));
      keyed(picture.sqTop, placed.filter((span) => span.blocked), (span) => span.node.ids[0], () => svg('text', { class: 'sq-label sq-lost' }), (el, span) => drawLost(el, span, at, t));
      const layer = layerAt(t);
      setAttr(root, 'data-layer', layer);
      buttons.forEach((button) => setAttr(button, 'aria-pressed', String(button.dataset.layer === layer)));
      const value = String(Math.round(100 * Math.max(0, t - 1)));
      if (slider.value !== value) slider.value = value;
      setAttr(slider, 'aria-valuetext', FLOW_NAMES[layer]);
      const says = layer === 'exact' && tree.whole === 0 ? NO_LAW : FLOW_SAYS[layer];
      setText(say, says);
      setAttr(picture, 'aria-label', `Flow of probability, ${FLOW_NAMES[layer]}. ${says}`);
    }
    focused = Math.max(0, Math.min(order.length - 1, focused));
    const looked = order.find((node) => node.ids[0] === (locked ?? hover)) || null;
    for (const g of picture.sqBody.children) {
      setAttr(g, 'tabindex', order[focused] === g.sqNode ? '0' : '-1');
      setAttr(g, 'data-on', looked === g.sqNode);
      setAttr(g, 'aria-selected', String(g.sqNode.ids[0] === locked));
      setAttr(g, 'data-leaf', g.sqNode.kind === 'end' && g.sqNode.text === now.leaf);
    }
    drawFacts(looked);
  }

  function drawFacts(node) {
    const hint = 'Point at a ribbon, tap it, or move with the arrow keys: its numbers stand here.';
    const key = node ? `${gradeOf(state.get())}|${node.ids[0]}|${drawnNodes.length}|${node.valid.upper}` : '';
    if (facts.sqKey === key) return;
    facts.sqKey = key;
    if (!node) { fill(facts, h('p', { class: 'pg-quiet' }, hint)); return; }
    const what = node.kind === 'rest' ? `${count(node.count)} more after ${visible(node.text) || 'the start'}` : node.parent === -1 ? 'the start' : visible(node.text);
    fill(facts, h('p', { class: 'sq-facts-name' }, h('code', null, what), h('span', { class: 'pg-faint' }, ` ${flowKind(node)}`)),
      h('dl', { class: 'sq-facts-list' }, nodeFacts(node, gradeOf(state.get())).map(([term, text, title]) => h('div', { title }, h('dt', null, term), h('dd', null, text)))));
  }

  function step(by) {
    const node = order[focused];
    const parentOf = (each) => order.find((other) => other.children.includes(each));
    const parent = parentOf(node);
    let next = null;
    if (by === 'in') next = node.children[0];
    else if (by === 'out') next = parent;
    else if (parent) next = parent.children[parent.children.indexOf(node) + by];
    if (!next) return;
    focused = order.indexOf(next);
    state.set({ hover: next.ids[0], locked: null });
    const g = [...picture.sqBody.children].find((each) => each.sqNode === next);
    if (g) g.focus({ preventScroll: false });
  }

  const nodeOf = (event) => event.target.closest('.sq-node')?.sqNode || null;
  picture.addEventListener('pointerover', (event) => { const node = nodeOf(event); if (node && event.pointerType === 'mouse') state.set({ hover: node.ids[0] }); });
  picture.addEventListener('pointerleave', () => state.set({ hover: null }));
  picture.addEventListener('focusin', (event) => { const node = nodeOf(event); if (node) { focused = order.indexOf(node); state.set({ hover: node.ids[0] }); } });
  const choose = (node) => state.set({ locked: state.get().locked === node.ids[0] ? null : node.ids[0], ...(node.kind === 'end' ? { leaf: node.text, picked: true } : {}) });
  picture.addEventListener('click', (event) => { const node = nodeOf(event); if (node) choose(node); });
  picture.addEventListener('keydown', (event) => {
    const turned = root.dataset.turned !== undefined;
    const moves = turned ? { ArrowDown: 'in', ArrowUp: 'out', ArrowLeft: -1, ArrowRight: 1 } : { ArrowRight: 'in', ArrowLeft: 'out', ArrowUp: -1, ArrowDown: 1 };
    if (moves[event.key] !== undefined) { event.preventDefault(); step(moves[event.key]); }
    if (event.key === 'Enter' || event.key === ' ') { const node = nodeOf(event); if (node) { event.preventDefault(); choose(node); } }
    if (event.key === 'Escape') state.set({ locked: null, hover: null });
  });
  const resized = new ResizeObserver(() => { if (tree) setAttr(root, 'data-turned', box.clientWidth < 560); draw(); });
  resized.observe(box);
  state.subscribe(draw);
  draw();
  return { remove: () => { cancelAnimationFrame(frame); resized.disconnect(); } };
}

/** The sum of what was not looked into, for the note under the picture: mass under p and p~. */
export function openWords(exact) {
  if (!(exact.open > 0) && !(exact.open_masked > 0)) return '';
  const masked = exact.open_masked > 0 ? `and ${prob(exact.open_masked).text} of p~` : '(what it can still spell is settled, so p~ is closed)';
  return `Grey: not looked into, at most ${prob(exact.open).text} of p ${masked}. More rows make it smaller.`;
}
