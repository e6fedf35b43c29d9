import test from 'node:test';
import assert from 'node:assert/strict';
import { KEPT_MOST, keptPlace, keptText } from '../../static/links/kept.js';

const app = '/modules-1.js';
const stage = { p: { prompt: '<b>${1}' }, l: [[[0, 4]]], c: 1 };

test('a kept place comes back as it was', () => {
  assert.deepEqual(keptPlace(keptText({ app, screen: 'step', hash: '', stage }), { app, hash: '' }), { screen: 'step', stage, part: null });
  const compare = keptText({ app, screen: 'compare', hash: '#compare', stage: null, part: { n: 3 } });
  assert.deepEqual(keptPlace(compare, { app, hash: '#compare' }), { screen: 'compare', stage: null, part: { n: 3 } });
});

test('an address that names something else wins', () => {
  const step = keptText({ app, screen: 'step', hash: '', stage });
  for (const hash of ['#step?abc', '#step?', '#compare', '#lesson?abc', '#schema?abc']) assert.equal(keptPlace(step, { app, hash }), null, hash);
  const own = keptText({ app, screen: 'step', hash: '#step?abc', stage });
  assert.equal(keptPlace(own, { app, hash: '#step?abc' }), null);
});

test('beside a screen that keeps its own address only the stage comes back', () => {
  const schema = keptText({ app, screen: 'schema', hash: '#schema?abc', stage, part: { n: 1 } });
  assert.deepEqual(keptPlace(schema, { app, hash: '#schema?abc' }), { screen: 'schema', stage, part: null });
  assert.equal(keptPlace(schema, { app, hash: '#schema?other' }), null);
});

test('of another version, damaged or none: nothing', () => {
  const text = keptText({ app, screen: 'step', hash: '', stage });
  assert.equal(keptPlace(text, { app: '/modules-2.js', hash: '' }), null);
  const odd = [{ stage: 7 }, { stage: [] }, { stage, part: 'x' }, { screen: 3, stage }].map((each) => JSON.stringify({ app, screen: 'step', hash: '', ...each }));
  for (const each of [null, '', 'null', '7', '[]', text.slice(0, -1), ...odd]) assert.equal(keptPlace(each, { app, hash: '' }), null, String(each));
});

test('a place that is too large is not kept', () => {
  const large = (length) => keptText({ app, screen: 'step', hash: '', stage: { p: { prompt: 'x'.repeat(length) } } });
  assert.equal(large(KEPT_MOST), null);
  assert.ok(large(KEPT_MOST - 200));
});
