// Where the automaton's circles, arrows and labels go, as plain numbers: no two labels overlap and none covers a state.

const GRAPH_BENDS = [0, 22, -22, 44, -44, 70, -70, 105, -105, 150, -150];
const GRAPH_ALONG = [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78];
const GRAPH_ASIDE = [0, 10, -10, 20, -20, 32, -32];

function graphPoint(edge, t) {
  const u = 1 - t;
  return { x: u * u * edge.x1 + 2 * u * t * edge.cx + t * t * edge.x2, y: u * u * edge.y1 + 2 * u * t * edge.cy + t * t * edge.y2 };
}

function graphBent(from, to, bend) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y, cx: (from.x + to.x) / 2 + (dy / length) * bend * 2, cy: (from.y + to.y) / 2 - (dx / length) * bend * 2 };
}

// How much a curve runs over circles that it has nothing to do with.
function graphCovered(edge, nodes, ends, clear) {
  let covered = 0;
  for (let i = 1; i < 24; i += 1) {
    const at = graphPoint(edge, i / 24);
    for (const node of nodes) if (!ends.includes(node.name) && Math.hypot(node.x - at.x, node.y - at.y) < clear) covered += 1;
  }
  return covered;
}

/** Whether two boxes {x, y, width, height} (x, y the middle) overlap. */
export function graphBoxesOverlap(a, b) {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}

/** Whether a box {x, y, width, height} touches a circle {x, y, r}. */
export function graphBoxOnCircle(box, circle, r) {
  const dx = Math.max(0, Math.abs(box.x - circle.x) - box.width / 2);
  const dy = Math.max(0, Math.abs(box.y - circle.y) - box.height / 2);
  return Math.hypot(dx, dy) < r;
}

function graphShort(text, n) {
  const letters = [...text];
  return letters.length <= n ? text : `${letters.slice(0, n - 1).join('')}…`;
}

// Several arrows between the same two states become one, their labels joined.
function graphMerged(edges, known) {
  const merged = new Map();
  for (const edge of edges) {
    if (!known.has(edge.source) || !known.has(edge.target)) continue;
    const key = JSON.stringify([edge.source, edge.target]);
    const old = merged.get(key);
    if (old) old.label = `${old.label} ${edge.label}`;
    else merged.set(key, { source: edge.source, target: edge.target, label: edge.label });
  }
  return [...merged.values()];
}

// The smallest distance between two states of one layer, in the record's 0..1.
function graphGap(nodes, layers) {
  let gap = 1;
  for (const x of layers) {
    const ys = nodes.filter((node) => node.x === x).map((node) => node.y).sort((a, b) => a - b);
    for (let i = 1; i < ys.length; i += 1) if (ys[i] > ys[i - 1]) gap = Math.min(gap, ys[i] - ys[i - 1]);
  }
  return gap;
}

function graphSpots(edge, size) {
  const spots = [];
  if (edge.loop) {
    for (const side of [0, -1, 1]) spots.push({ x: edge.x1 + side * (size.width / 2 + edge.r * 0.9), y: edge.y1 - edge.r * (side ? 1.55 : 2.45) - (side ? 0 : size.height / 2) });
    return spots;
  }
  const length = Math.hypot(edge.x2 - edge.x1, edge.y2 - edge.y1) || 1;
  const across = { x: -(edge.y2 - edge.y1) / length, y: (edge.x2 - edge.x1) / length };
  for (const aside of GRAPH_ASIDE) {
    for (const t of GRAPH_ALONG) {
      const at = graphPoint(edge, t);
      spots.push({ x: at.x + across.x * aside, y: at.y + across.y * aside });
    }
  }
  return spots;
}

/** Places a graph record. `width`: room on screen, px; `unit`: px of the text size; `hops`: names of the states a token crosses.
 *  Returns {width, top, height, r, nodes, edges, crowded}: node {name, label, x, y, current, final, hop}; edge {source, target, path,
 *  label, full, box (null where no room was left), hop, loop}; `crowded` counts labels that are left to the table. */
export function graphLayout(graph, { width, unit = 14, hops = [] }) {
  const r = unit * 1.5;
  const layers = [...new Set(graph.nodes.map((node) => node.x))].sort((a, b) => a - b);
  const rows = Math.max(1, ...layers.map((x) => graph.nodes.filter((node) => node.x === x).length));
  const longest = Math.max(1, ...graph.edges.map((edge) => Math.min(10, [...edge.label].length)));
  const full = Math.max(width, layers.length * unit * Math.min(8.5, 5.6 + longest * 0.6));
  const padX = layers.length === 1 ? full / 2 : r + unit * 1.5;
  const loops = graph.edges.some((edge) => edge.source === edge.target);
  const padTop = loops ? r * 2 + unit * 2.5 : r + unit * 1.8;
  const padBottom = r + unit * 1.8;
  const tall = Math.min((unit * 5.8) / graphGap(graph.nodes, layers), rows * unit * 9);
  const height = padTop + padBottom + (rows === 1 ? unit * 3.5 : tall);
  const path = new Set(hops);
  const nodes = graph.nodes.map((node) => ({ name: node.name, label: graphShort(node.label || node.name, 7), title: node.label || node.name,
    current: Boolean(node.current), final: Boolean(node.final), hop: path.has(node.name),
    x: layers.length === 1 ? full / 2 : padX + node.x * (full - 2 * padX), y: layers.length === graph.nodes.length ? (padTop + height - padBottom) / 2 : padTop + node.y * (height - padTop - padBottom) }));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  // A picture may fold a forced text into one arrow: the way is then told by the states that are drawn.
  const drawn = hops.filter((name) => byName.has(name));
  const pairs = new Set(drawn.slice(1).map((to, i) => JSON.stringify([drawn[i], to])));
  const merged = graphMerged(graph.edges, byName);
  const both = new Set(merged.map((edge) => JSON.stringify([edge.source, edge.target])));

  const edges = merged.map((edge) => {
    const from = byName.get(edge.source);
    const to = byName.get(edge.target);
    const hop = pairs.has(JSON.stringify([edge.source, edge.target]));
    if (from === to) {
      const top = { x1: from.x, y1: from.y, x2: from.x, y2: from.y, cx: from.x, cy: from.y, r };
      const d = `M ${from.x - r * 0.5} ${from.y - r * 0.87} C ${from.x - r * 1.1} ${from.y - r * 2.6}, ${from.x + r * 1.1} ${from.y - r * 2.6}, ${from.x + r * 0.5} ${from.y - r * 0.87}`;
      return { ...edge, ...top, hop, loop: true, path: d };
    }
    const answered = both.has(JSON.stringify([edge.target, edge.source]));
    let best = null;
    for (const bend of GRAPH_BENDS) {
      if (answered && bend <= 0) continue;
      const scaled = (bend * unit) / 14;
      const curve = graphBent(from, to, scaled);
      const covered = graphCovered(curve, nodes, [edge.source, edge.target], r + 4);
      const outside = [0.25, 0.5, 0.75].some((t) => { const at = graphPoint(curve, t); return at.y < unit || at.y > height - unit; });
      const cost = covered * 1000 + (outside ? 400 : 0) + Math.abs(bend);
      if (best === null || cost < best.cost) best = { cost, curve };
    }
    const curve = best.curve;
    // Trimmed to the circles' rims, so that the arrow head is seen.
    const start = Math.atan2(curve.cy - from.y, curve.cx - from.x);
    const end = Math.atan2(curve.cy - to.y, curve.cx - to.x);
    const a = { x: from.x + Math.cos(start) * r, y: from.y + Math.sin(start) * r };
    const b = { x: to.x + Math.cos(end) * (r + 5), y: to.y + Math.sin(end) * (r + 5) };
    return { ...edge, ...curve, hop, loop: false, path: `M ${a.x} ${a.y} Q ${curve.cx} ${curve.cy} ${b.x} ${b.y}` };
  });

  const placed = [];
  let crowded = 0;
  const letter = unit * 0.56;
  for (const edge of [...edges].sort((a, b) => Number(b.hop) - Number(a.hop) || Number(b.loop) - Number(a.loop))) {
    edge.full = edge.label;
    edge.box = null;
    for (const most of edge.loop ? [14, 8, 5, 3] : [18, 10, 6, 3]) {
      const text = graphShort(edge.full, most);
      const size = { width: [...text].length * letter + unit * 0.6, height: unit * 1.3 };
      const free = graphSpots(edge, size).map((spot) => ({ ...spot, ...size })).find((box) => box.x - box.width / 2 >= 1 && box.x + box.width / 2 <= full - 1
        && box.y - box.height / 2 >= 1 && box.y + box.height / 2 <= height - 1
        && !placed.some((other) => graphBoxesOverlap(box, other)) && !nodes.some((node) => graphBoxOnCircle(box, node, r + 1)));
      if (free) {
        edge.label = text;
        edge.box = free;
        placed.push(free);
        break;
      }
    }
    if (!edge.box) crowded += 1;
  }
  // Cropped to what is drawn: a picture without loops or bends takes no room for them.
  const ys = [...nodes.flatMap((node) => [node.y - r, node.y + r]), ...placed.flatMap((box) => [box.y - box.height / 2, box.y + box.height / 2]),
    ...edges.flatMap((edge) => (edge.loop ? [edge.y1 - r * 2.2] : [0.25, 0.5, 0.75].map((t) => graphPoint(edge, t).y)))];
  const top = Math.max(0, Math.min(...ys) - 6);
  return { width: full, top, height: Math.min(height, Math.max(...ys) + 6) - top, r, nodes, edges, crowded };
}
