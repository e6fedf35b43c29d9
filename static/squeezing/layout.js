// Where every prefix stands in the picture of the mass, at any place between its three layers. No page is needed.

/** The layers in order: t = 0 is what the model wanted, 1 what is left after the mask, 2 the exact law. */
export const LAYERS = ['model', 'mask', 'exact'];
const MERGE_BLOCKED = 1e-3;

function joined(node, child) {
  return { ...child, parent: node.parent, token: node.token + (child.kind === 'end' ? '' : child.token), tokens: [...node.tokens, ...child.tokens], ids: [...node.ids, ...child.ids], depth: node.depth };
}

// A node whose only child takes all that it has needs no column of its own, unless the mask took something there.
function merged(node, isRoot) {
  let now = node;
  while (!isRoot && now.children.length === 1 && (now.children[0].kind === 'inner' || now.children[0].kind === 'end') && now.kind === 'inner' && now.blocked <= MERGE_BLOCKED * now.p) now = joined(now, now.children[0]);
  return { ...now, children: now.children.map((child) => merged(child, false)) };
}

function deepen(node, depth) {
  const children = node.children.map((child) => deepen(child, depth + 1));
  return { ...node, children, depth, deepest: Math.max(depth, ...children.map((child) => child.deepest)) };
}

/** The tree of a document's `nodes`, the likeliest child first and rests last; forced chains are one node. Null without nodes. */
export function flowTree(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, { ...node, children: [], ids: [node.id], tokens: node.token === '' ? [] : [node.token] }]));
  let root = null;
  for (const node of byId.values()) {
    // A rest may have the id -1, which is also the start's parent.
    if (node.parent === -1 && node.kind !== 'rest') root = node;
    else byId.get(node.parent)?.children.push(node);
  }
  if (!root) return null;
  for (const node of byId.values()) node.children.sort((a, b) => Number(a.kind === 'rest') - Number(b.kind === 'rest') || b.p - a.p || b.masked - a.masked || a.id - b.id);
  const all = root.valid.upper || 0;
  const share = (node) => ({ ...node, whole: all, children: node.children.map(share) });
  return share(deepen(merged(root, true), 0));
}

/** All nodes of a tree, parents first. */
export function flowNodes(tree) {
  return tree ? [tree, ...tree.children.flatMap(flowNodes)] : [];
}

function mix(values, t) {
  const i = Math.min(1, Math.floor(t));
  return values[i] + (values[i + 1] - values[i]) * (t - i);
}

/** The mass of a node in the three layers, each of its whole. The exact one is the most that the bounds allow, so that what was not
 *  looked into has its place. */
export function masses(node) {
  return [node.p, node.masked, node.whole > 0 ? node.valid.upper / node.whole : 0];
}

/** Spans along the axis of mass, from 0 to 1, at `t`: [{node, start, size, fromStart, fromSize, blocked: {start, size} or null}].
 *  `from...` is the part of the parent that the model itself gives the child: between it and the child's own size lies what
 *  renormalising blows up. In the exact layer nothing is renormalised locally, so both are the same. */
export function spans(tree, t) {
  const placed = [];
  const put = (node, start, fromStart, fromSize) => {
    const [p, masked] = masses(node);
    const size = mix(masses(node), t);
    const part = (mass) => (p > 0 ? mass / p : 0);
    let at = start;
    let from = start;
    const mine = { node, start, size, fromStart, fromSize, blocked: null };
    placed.push(mine);
    for (const child of node.children) {
      const own = mix(masses(child), t);
      const given = mix([child.p, masked * part(child.p), masses(child)[2]], t);
      put(child, at, from, given);
      at += own;
      from += given;
    }
    const lost = mix([node.blocked, masked * part(node.blocked), 0], t);
    if (lost > 0) mine.blocked = { start: from, size: lost };
  };
  if (tree) put(tree, 0, 0, mix(masses(tree), t));
  return placed;
}

/** The name of the layer nearest to `t`. */
export function layerAt(t) {
  return LAYERS[Math.round(t)];
}

/** A tick of a log2 axis for s(y): {at: -1..1, words}; both ends are `most` doublings away from 1. */
export function squeezeAxis(texts) {
  const reach = texts.flatMap(({ squeeze }) => [squeeze.lower, squeeze.upper]).filter((s) => s !== null && s > 0 && Number.isFinite(s)).map((s) => Math.abs(Math.log2(s)));
  const most = Math.max(1, Math.min(20, Math.ceil(Math.max(0, ...reach))));
  return { most, at: (s) => (s === null ? 1 : s <= 0 ? -1 : Math.max(-1, Math.min(1, Math.log2(s) / most))) };
}

/** The steps of a leaf's cost: [{token, bits, from, to}] with running totals; a step whose Z is 0 ends it. */
export function waterfall(text) {
  const steps = [];
  let sum = 0;
  (text.bits || []).forEach((bits, i) => {
    if (bits === null || sum === null) { sum = null; return; }
    steps.push({ token: text.tokens[i] ?? '', bits, from: sum, to: sum + bits });
    sum += bits;
  });
  return steps;
}
