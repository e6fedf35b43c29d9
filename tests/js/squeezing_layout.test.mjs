// Where the ribbons of the flow stand: the sky toy by hand, and what holds between the layers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flowNodes, flowTree, masses, spans, squeezeAxis, waterfall } from '../../static/squeezing/layout.js';

const between = (x) => ({ lower: x, upper: x });
const node = (id, parent, kind, token, text, p, masked, logZ, blocked, valid, more = {}) => ({ id, parent, kind, token, text, p, masked, log_z: logZ, blocked, valid: between(valid), share: between(valid / 0.2512), count: 1, ...more });
const SKY = [
  node(0, -1, 'inner', '', '', 1, 1, Math.log(0.85), 0.15, 0.2512),
  node(1, 0, 'inner', 'sk', 'sk', 0.6, 0.6 / 0.85, Math.log(0.002), 0.5988, 0.0012),
  node(2, 0, 'inner', 'cloud', 'cloud', 0.25, 0.25 / 0.85, 0, 0, 0.25),
  node(3, 1, 'inner', 'ill', 'skill', 0.0012, 0.6 / 0.85, 0, 0, 0.0012),
  node(4, 2, 'end', '<eos>', 'cloud', 0.25, 0.25 / 0.85, null, 0, 0.25),
  node(5, 3, 'end', '<eos>', 'skill', 0.0012, 0.6 / 0.85, null, 0, 0.0012),
];
const near = (a, b, eps = 1e-9) => assert.ok(Math.abs(a - b) < eps, `${a} is not ${b}`);
const at = (tree, t, text) => spans(tree, t).find((span) => span.node.text === text && span.node.parent !== -1);

test('forced ends share the column of what they end, and what was blocked keeps its own', () => {
  const tree = flowTree(SKY);
  assert.deepEqual(flowNodes(tree).map((each) => [each.token, each.kind, each.depth]), [['', 'inner', 0], ['sk', 'inner', 1], ['ill', 'end', 2], ['cloud', 'end', 1]]);
  assert.deepEqual(tree.children[0].children[0].ids, [3, 5]);
});

test('each layer has its own thickness: model, after mask, exact', () => {
  const tree = flowTree(SKY);
  near(at(tree, 0, 'sk').size, 0.6);
  near(at(tree, 1, 'sk').size, 0.70588235, 1e-7);
  near(at(tree, 2, 'sk').size, 0.0012 / 0.2512);
  near(at(tree, 2, 'cloud').size, 0.25 / 0.2512);
});

test('after the mask a thin ribbon is blown up by 1 / Z where the mask blocked nearly all', () => {
  const span = at(flowTree(SKY), 1, 'skill');
  near(span.size / span.fromSize, 1 / 0.002, 1e-6);
  const model = at(flowTree(SKY), 0, 'skill');
  near(model.size, model.fromSize);
  const exact = at(flowTree(SKY), 2, 'skill');
  near(exact.size, exact.fromSize);
});

test('children never leave their parent, whatever the slider says', () => {
  const tree = flowTree(SKY);
  for (let t = 0; t <= 2; t += 0.05) {
    const placed = new Map(spans(tree, t).map((span) => [span.node, span]));
    for (const { node: each, start, size } of placed.values()) {
      for (const child of each.children) {
        const inner = placed.get(child);
        assert.ok(inner.start >= start - 1e-9 && inner.start + inner.size <= start + size + 1e-9, `${child.text} at ${t}`);
        assert.ok(inner.fromStart >= start - 1e-9 && inner.fromStart + inner.fromSize <= start + size + 1e-9, `${child.text} from its parent at ${t}`);
      }
    }
  }
});

test('blocked mass leaves in the first two layers and is gone in the exact one', () => {
  const tree = flowTree(SKY);
  near(spans(tree, 0)[0].blocked.size, 0.15);
  near(at(tree, 1, 'sk').blocked.size, 0.998 * 0.6 / 0.85, 1e-7);
  assert.equal(spans(tree, 2)[0].blocked, null);
});

test('a rest whose id is -1 is no parent of the start', () => {
  const tree = flowTree([...SKY, node(-1, 0, 'rest', '', '', 0.01, 0.01, null, 0, 0.01, { count: 7 })]);
  assert.equal(tree.id, 0);
  assert.equal(tree.children.at(-1).kind, 'rest');
  assert.ok(masses(tree.children.at(-1))[2] > 0);
});

test('nothing valid draws nothing exact, without a nan', () => {
  const tree = flowTree([node(0, -1, 'inner', '', '', 1, 1, null, 1, 0)]);
  for (const span of spans(tree, 2)) assert.deepEqual([span.start, span.size], [0, 0]);
  assert.equal(flowTree([]), null);
});

test('the squeeze axis is symmetric and takes never and infinite', () => {
  const axis = squeezeAxis([{ squeeze: { lower: 147, upper: 148 } }, { squeeze: { lower: 0, upper: null } }]);
  assert.equal(axis.most, 8);
  near(axis.at(16), 0.5);
  near(axis.at(1 / 16), -0.5);
  assert.deepEqual([axis.at(0), axis.at(null), axis.at(1)], [-1, 1, 0]);
});

test('the waterfall adds up and stops at a step without mass', () => {
  assert.deepEqual(waterfall({ tokens: ['a', 'b', 'c'], bits: [1, null, 2] }).map(({ to }) => to), [1]);
  assert.equal(waterfall({ tokens: ['a', 'b'], bits: [1, 2.5] }).at(-1).to, 3.5);
});
