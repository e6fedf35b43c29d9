// The diagram: everything is on it, labels keep off each other and off the states.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphBoxesOverlap, graphBoxOnCircle, graphLayout } from '../../static/stage/graph_layout.js';

const node = (name, x, y, more = {}) => ({ name, x, y, current: false, final: false, label: name, ...more });
const edge = (source, target, label) => ({ source, target, label });

const AGE = { full: true, states: 5, nodes: [node('q0', 0, 0.5), node('q1', 0.33, 0.5, { current: true }), node('q2', 0.66, 0.2), node('q3', 0.66, 0.8), node('q4', 1, 0.5, { final: true })],
  edges: [edge('q0', 'q1', '{'), edge('q1', 'q1', 'space'), edge('q1', 'q2', '0-9'), edge('q2', 'q2', '0-9'), edge('q2', 'q1', ','), edge('q1', 'q3', '-'), edge('q3', 'q2', '0-9'), edge('q2', 'q4', '}'), edge('q0', 'q4', 'n u l l')] };

// A layered automaton of n states with seeded arrows, as a compiler might give.
function layered(n, arrows, seed) {
  let s = seed;
  const rnd = () => { s = (s * 1103515245 + 12345) % 2147483648; return s / 2147483648; };
  const layers = Math.ceil(n / 3);
  const nodes = Array.from({ length: n }, (_, i) => { const layer = Math.floor(i / 3); const inside = Math.min(3, n - 3 * layer); return node(`q${i}`, layers === 1 ? 0 : layer / (layers - 1), inside === 1 ? 0.5 : (i % 3) / (inside - 1)); });
  const edges = Array.from({ length: arrows }, () => edge(`q${Math.floor(rnd() * n)}`, `q${Math.floor(rnd() * n)}`, ['0-9', 'a-z A-Z', '"', '\\', 'any byte but " and \\', ','][Math.floor(rnd() * 6)]));
  return { full: true, states: n, nodes, edges };
}

function assertClean(layout) {
  const boxes = layout.edges.map((each) => each.box).filter(Boolean);
  boxes.forEach((box, i) => {
    for (const other of boxes.slice(i + 1)) assert.ok(!graphBoxesOverlap(box, other), 'two labels overlap');
    for (const circle of layout.nodes) assert.ok(!graphBoxOnCircle(box, circle, layout.r), `a label covers ${circle.name}`);
    assert.ok(box.x - box.width / 2 >= 0 && box.x + box.width / 2 <= layout.width && box.y - box.height / 2 >= layout.top && box.y + box.height / 2 <= layout.top + layout.height, 'a label leaves the drawing');
  });
  for (const circle of layout.nodes) assert.ok(circle.x - layout.r >= 0 && circle.x + layout.r <= layout.width && circle.y - layout.r >= layout.top && circle.y + layout.r <= layout.top + layout.height, `${circle.name} leaves the drawing`);
}

test('a small automaton has every arrow labelled and nothing overlaps, at every width and text size', () => {
  for (const width of [300, 420, 640, 1100]) {
    for (const unit of [12, 14, 20, 28]) {
      const layout = graphLayout(AGE, { width, unit });
      assertClean(layout);
      assert.equal(layout.edges.length, AGE.edges.length);
      assert.equal(layout.crowded, 0);
      assert.ok(layout.edges.every((each) => each.box));
    }
  }
});

test('crowded automata leave labels to the table rather than print them over each other', () => {
  let crowded = 0;
  for (const [n, arrows] of [[1, 1], [2, 4], [6, 12], [12, 40], [39, 160]]) {
    for (let seed = 1; seed <= 4; seed += 1) {
      const layout = graphLayout(layered(n, arrows, seed), { width: 420 });
      assertClean(layout);
      assert.equal(layout.edges.filter((each) => !each.box).length, layout.crowded);
      crowded += layout.crowded;
    }
  }
  assert.ok(crowded > 0, 'the test must reach crowding');
});

test('the arrows of a token’s way are marked, in its direction only', () => {
  const { edges, nodes } = graphLayout(AGE, { width: 600, hops: ['q1', 'q2', 'q2', 'q4'] });
  assert.deepEqual(edges.filter((each) => each.hop).map((each) => `${each.source}>${each.target}`), ['q1>q2', 'q2>q2', 'q2>q4']);
  assert.deepEqual(nodes.filter((each) => each.hop).map((each) => each.name), ['q1', 'q2', 'q4']);
});

test('a folded arrow is on the way when the states between its ends are not drawn', () => {
  const { edges } = graphLayout(AGE, { width: 600, hops: ['q0', 'q7', 'q8', 'q4', 'q9'] });
  assert.deepEqual(edges.filter((each) => each.hop).map((each) => `${each.source}>${each.target}`), ['q0>q4']);
});

test('there and back are two curves, a loop is drawn, parallel arrows become one, a stranger’s arrow is left out', () => {
  const layout = graphLayout({ ...AGE, edges: [...AGE.edges, edge('q1', 'q2', 'a-f'), edge('q1', 'gone', 'x')] }, { width: 600 });
  const of = (source, target) => layout.edges.find((each) => each.source === source && each.target === target);
  assert.notEqual(of('q1', 'q2').path, of('q2', 'q1').path);
  assert.ok(Math.abs(of('q1', 'q2').cy - of('q2', 'q1').cy) > 10);
  assert.ok(of('q1', 'q1').loop);
  assert.equal(of('q1', 'q2').full, '0-9 a-f');
  assert.equal(layout.edges.length, AGE.edges.length);
});
