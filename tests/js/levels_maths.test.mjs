// The browser's arithmetic of the levels is Python's: each case of a table that `tests/ui/test_levels.py` prints and holds to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as maths from '../../static/levels/maths.js';

const table = JSON.parse(readFileSync(new URL('./levels_table.json', import.meta.url), 'utf8'));

function same(found, told, place) {
  if (told === 'inf') assert.equal(found, Infinity, place);
  else if (typeof told === 'number') assert.ok(Math.abs(found - told) <= 1e-12 * Math.max(1, Math.abs(told)), `${place}: ${found} is not ${told}`);
  else if (told !== null && typeof told === 'object') for (const [key, value] of Object.entries(told)) same(found[key], value, `${place}.${key}`);
  else assert.equal(found, told, place);
}

for (const name of Object.keys(table).filter((each) => each !== 'plans')) {
  test(`${name} is Python’s`, () => {
    assert.ok(table[name].length > 1);
    for (const [args, told] of table[name]) same(maths[name](...args), told, `${name}(${JSON.stringify(args)})`);
  });
}

test('plans are Python’s', () => {
  for (const [[q, steps, budget, more], told] of table.plans) {
    const found = maths.plans(q, steps, { ms: budget.ms, calls: budget.calls, msPerStep: budget.ms_per_step, prefillMs: budget.prefill_ms }, more);
    assert.equal(found.length, told.length);
    told.forEach((plan, at) => {
      const { level, valid, meanCalls, mostCalls, meanMs, mostMs, why } = found[at];
      same({ level, valid, mean_calls: meanCalls, most_calls: mostCalls, mean_ms: meanMs, most_ms: mostMs, fits: why === null }, plan, level);
    });
  }
});

test('the check can fail', () => {
  assert.throws(() => same(0.1000001, 0.1, 'near'));
  assert.throws(() => same(1e9, 'inf', 'large'));
});
