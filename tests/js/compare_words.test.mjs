// What the Compare screen says of a comparison: no more than the document knows, with its bounds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, costWords, dearest, distanceWords, headDistance, isWide, klWords, lawless, limitWords, outcomeRows, parting, runWords, sampleVerdict, searchWords, seriesWords, shownRun, span, spentWords, squeezeWords, stepProblem, strips, textLabel, textLabels, wilson } from '../../static/compare/words.js';
import { methodDone, ratesOf, runSeconds, soFar, waitWords } from '../../static/compare/rates.js';
import { partingWords } from '../../static/compare/diverge.js';
import { problemKey } from '../../static/squeezing/state.js';
import { plainMethod } from '../../static/compare/cost.js';

const at = (value) => ({ lower: value, upper: value });
const text = (name, p, p_V, masked) => ({ text: name, p: at(p), p_V: at(p_V), masked: at(masked), squeeze: at(masked / p_V), runs: 1, path: [0], tokens: [name], log_p: Math.log(p), bits: [1], fraction: null });
const method = (more = {}) => ({ title: 'Masked', law: 'p~', target: 'masked', weighted: false, draws: 10, accepted: 10, done: true, seconds: 2,
  texts: [{ text: 'Bx', count: 1, value: 0.1, p: { lower: 0, upper: 0.4 } }, { text: 'Ax', count: 9, value: 0.9, p: { lower: 0.6, upper: 1 } }],
  other: { count: 0, p: 0 }, unfinished: { count: 0, p: { lower: 0, upper: 0.3 } }, invalid: { count: 0, p: { lower: 0, upper: 0.3 } }, curve: [[10, 10]], sample: null, ...more });
const doc = (more = {}) => ({ problem: { model: 'toy:two-step' }, accept: 'language', done: true, n: 10, outcomes: ['Bx', 'Ax'],
  exact: { status: 'exact', stopped: 'complete', Z: at(0.109), tv: at(0.817), kl: at(1.9), others: 0, cut: 0, dead: 0, open_masked: 0, rows_used: 4, seconds: 1, texts: [text('Bx', 0.1, 0.917, 0.1), text('Ax', 0.009, 0.083, 0.9)] },
  methods: { masked: method() }, q: { acceptance: null, weights: null, certified: null, covers: true }, ...more });

test('an interval is one number only where both ends print alike', () => {
  assert.equal(span({ lower: 0.0825, upper: 0.0826 }), '0.083');
  assert.equal(span({ lower: 0.05, upper: 0.2 }), '0.050 to 0.200');
  assert.equal(span({ lower: 0.2, upper: null }), '≥ 0.200');
  assert.equal(span(null), '–');
});

test('numbers past 1 keep three digits, and large ones are words', () => {
  assert.deepEqual([0.109, 3.984, 45.26, 148, 9174.3, 467538, Infinity].map(amount), ['0.109', '3.98', '45.3', '148', '9,174', '470,000', '∞']);
});

test('Wilson’s interval holds the share, also at both ends', () => {
  const half = wilson(50, 100);
  assert.ok(Math.abs(half.lower - 0.4038) < 1e-3 && Math.abs(half.upper - 0.5962) < 1e-3);
  assert.equal(wilson(0, 10).lower, 0);
  assert.equal(wilson(10, 10).upper, 1);
  assert.deepEqual(wilson(0, 0), { lower: 0, upper: 1 });
});

test('a proved law is drawn, and says that it is', () => {
  const [first] = outcomeRows(doc());
  assert.equal(first.label, 'Bx');
  assert.equal(seriesWords(first.masked), '0.100 (exact)');
  assert.equal(seriesWords(first.exact), '0.917 (exact)');
});

test('where the proof is wide the draws stand for after mask, with their interval', () => {
  const wide = doc();
  wide.exact.status = 'bounded';
  wide.exact.texts[0].masked = { lower: 0.05, upper: 0.7 };
  assert.equal(outcomeRows(wide)[0].masked.how, 'estimated');
  wide.methods = {};
  assert.equal(outcomeRows(wide)[0].masked.how, 'bounded');
});

test('what the model writes that is invalid has a row; what nobody wrote has none', () => {
  assert.deepEqual(outcomeRows(doc()).map((row) => row.key), ['text:Bx', 'text:Ax']);
  const free = method({ title: 'Unconstrained', target: 'p', accepted: 1, invalid: { count: 9, p: { lower: 0.6, upper: 1 } } });
  const rows = outcomeRows(doc({ methods: { masked: method(), unconstrained: free } }));
  assert.equal(rows[2].key, 'invalid');
  assert.equal(rows[2].model.value, 0.9);
  assert.equal(rows[2].masked, null);
});

test('runs that were cut are an outcome of p~ and never of p_V', () => {
  const cut = doc();
  cut.exact.cut = 0.25;
  const row = outcomeRows(cut).find((each) => each.kind === 'unfinished');
  assert.equal(row.masked.value, 0.25);
  assert.equal(row.exact, null);
});

test('methods that kept nothing draw no dots', () => {
  const starved = method({ title: 'Rejection', target: 'conditional', accepted: 0 });
  assert.deepEqual(outcomeRows(doc({ methods: { rejection: starved } }))[0].tried, []);
});

test('a text that was never drawn has the interval of 0 among the draws kept', () => {
  const kept = method({ title: 'Rejection', target: 'conditional', draws: 100, accepted: 6, texts: [{ text: 'Bx', count: 6, value: 1, p: { lower: 0.6, upper: 1 } }, { text: 'Ax', count: 0, value: 0, p: { lower: 0, upper: 1 } }] });
  const [, never] = outcomeRows(doc({ methods: { rejection: kept } }));
  assert.equal(never.tried[0].lower, 0);
  assert.ok(Math.abs(never.tried[0].upper - 0.3903) < 1e-3);
});

test('nothing kept is a bound on q, not an estimate of 0', () => {
  assert.deepEqual(costWords({ acceptance: { value: 0, lower: 0, upper: 0.003682, n: 1000 } }), { words: '0 of 1,000 kept: q < 0.37 % (95 %, Clopper-Pearson).', zero: true });
  assert.equal(costWords({ acceptance: { value: 0.2512, lower: 0.2, upper: 0.31, n: 200 } }).words, '1 valid in 3.98 tries (95 %: 3.23 to 5; 200 draws).');
  assert.equal(costWords({ acceptance: null }).zero, false);
});

test('another judge turns the distance off and says why; so does a q of exactly 0', () => {
  assert.equal(headDistance(doc()).status, 'exact');
  const other = headDistance(doc({ accept: 'syntax' }));
  assert.equal(other.status, 'off');
  assert.match(other.why, /another law/);
  const none = doc();
  none.exact.Z = at(0);
  assert.equal(headDistance(none).why, 'Nothing valid has any mass under the model, so p_V does not exist.');
  assert.deepEqual(outcomeRows(none).map((row) => row.exact), [null, null]);
  assert.equal(isWide({ ...none.exact, status: 'bounded', tv: { lower: 0, upper: 1 } }), false);
  assert.ok(lawless(none.exact) && !lawless(null) && !lawless(doc().exact));
  assert.match(headDistance(doc({ exact: null, done: false })).why, /not answered yet/);
});

test('wide bounds name what takes over, closed ones don’t', () => {
  const wide = { status: 'bounded', stopped: 'rows', rows_used: 2000, Z: { lower: 1e-9, upper: 0.4 }, tv: { lower: 0, upper: 1 } };
  assert.ok(isWide(wide));
  const weights = { value: 0.0126, lower: 0.01, upper: 0.0153, n: 50 };
  const weighed = searchWords(doc({ exact: wide, q: { weights } }), false);
  assert.equal(weighed.next, 'Wide bounds after 2,000 rows. Weighted constrained samples estimate Z by 0.013 (estimated; 95 %: 0.010 to 0.015; 50 draws).');
  assert.equal(weighed.offer, false);
  const closed = { status: 'bounded', stopped: 'tolerance', rows_used: 70, Z: { lower: 2.13e-6, upper: 2.15e-6 }, tv: { lower: 0.868, upper: 0.87 } };
  assert.ok(!isWide(closed));
  assert.deepEqual(searchWords(doc({ exact: closed }), false).next, '');
});

test('methods that kept nothing take nothing over, and what was not run is offered', () => {
  const wide = { status: 'bounded', stopped: 'rows', rows_used: 1, Z: { lower: 1e-9, upper: 0.4 }, tv: { lower: 0, upper: 1 } };
  const drew = (title, accepted, done = true) => method({ title, target: 'conditional', draws: 40, accepted, done });
  const says = (methods, running = false, weights = null) => searchWords(doc({ exact: wide, methods, q: { weights } }), running);
  assert.deepEqual(says({ unconstrained: method() }), { ended: 'Ended at its budget of model rows.', next: 'Wide bounds after 1 row.', offer: true });
  assert.equal(says({ unconstrained: method() }, true).offer, false);
  const none = says({ cars: drew('CARS', 0), conditional: drew('Future mass', 0, false) });
  assert.equal(none.next, 'Wide bounds after 1 row. CARS kept none of 40. Future mass kept none of 40 so far.');
  assert.equal(none.offer, true);
  assert.doesNotMatch(none.next, /estimate/);
  const some = says({ cars: drew('CARS', 7) });
  assert.match(some.next, /CARS kept 7 of 40: the shares of what it kept estimate p_V\./);
  assert.equal(some.offer, false);
});

test('a measured distance is its estimate, with the range where the open mass leaves one; off has no number', () => {
  const tv = (value, lower, upper) => distanceWords({ value, lower, upper, status: 'estimated' });
  assert.equal(tv(0.3, 0.2, 0.4), '0.300 (0.200 to 0.400)');
  assert.equal(tv(0.3, 0.3 - 1e-12, 0.3 + 1e-12), '0.300');
  assert.equal(distanceWords({ lower: 0.2, upper: 0.4, status: 'bounded' }), '0.200 to 0.400');
  assert.equal(distanceWords({ lower: null, upper: null, status: 'off', why: 'x' }), '');
});

test('a method that ended at its bound on attempts says so, another does not', () => {
  assert.equal(limitWords({ limited: true, accepted: 3, draws: 2000 }, 50), 'Limit of attempts reached: 3 of 50 kept, after 2,000 attempts.');
  assert.equal(limitWords({ limited: false, accepted: 3, draws: 2000 }, 50), '');
});

test('a sample that was cut is incomplete, not invalid', () => {
  assert.equal(sampleVerdict({ accepted: true, outcome: 'accepted' }).word, 'VALID');
  assert.equal(sampleVerdict({ accepted: false, outcome: 'truncated' }).word, 'INCOMPLETE');
  assert.equal(sampleVerdict({ accepted: false, outcome: 'rejected' }).word, 'INVALID');
  assert.match(sampleVerdict({ accepted: false, outcome: 'accepted' }, 'schema').words, /full schema/);
});

test('the squeeze is said as too often, too rarely or about right', () => {
  assert.equal(squeezeWords(at(148.2)), '148 times too often');
  assert.equal(squeezeWords(at(0.109)), '0.109 times as often as it should be');
  assert.match(squeezeWords({ lower: 0.95, upper: 1.2 }), /about as often/);
  assert.match(squeezeWords({ lower: 0.019, upper: 207 }), /not settled yet/);
  assert.match(squeezeWords({ lower: 0, upper: null }), /not settled yet/);
});

test('two runs part at the first token that differs, or where one has ended', () => {
  assert.equal(parting([1, 2, 3], [1, 4]), 1);
  assert.equal(parting([1, 2], [1, 2, 5]), 2);
  assert.equal(parting([1], [1]), null);
  assert.match(partingWords('Masked', 'Rejection', 0), /part at the first token/);
  assert.match(partingWords('Masked', 'Rejection', null), /same tokens/);
  // A draw kept after tries was not made with the same random numbers.
  assert.match(partingWords('Masked', 'Rejection', 1, false), /^The draws shown above: masked and rejection agree/);
  assert.doesNotMatch(partingWords('Masked', 'Rejection', null, false), /changed nothing/);
  assert.equal(strips(doc()), null);
});

test('an exotic text is shown with its blanks and cut, an empty one is named', () => {
  assert.equal(textLabel('a b\n<b>'), 'a␣b↵<b>');
  assert.equal([...textLabel('x'.repeat(80))].length, 22);
  assert.equal(textLabel(''), '∅ (empty text)');
});

test('texts that are JSON objects are told apart by their values, and every label is its own', () => {
  assert.deepEqual(textLabels(['{"a": "x y", "b": true}', '{"a": "z", "b": false}', '{"a":"z","b":false}']), ['x y · true', 'z · false', 'z · false (2)']);
  assert.deepEqual(textLabels(['{"a": 1}', 'no']), ['{"a":␣1}', 'no']);
  assert.deepEqual(textLabels([]), []);
});

test('an estimate of the time comes from the last run of the same problem and methods alone', () => {
  const rates = ratesOf(doc());
  const toy = problemKey({ model: 'toy:two-step' });
  assert.ok(Math.abs(runSeconds(rates, ['masked'], 100, toy) - 21) < 1e-9);
  assert.equal(runSeconds(rates, ['masked', 'cars'], 100, toy), null);
  assert.equal(runSeconds(null, ['masked'], 100, toy), null);
  // One problem's rate says nothing of another, also of the same model.
  assert.equal(runSeconds(rates, ['masked'], 100, problemKey({ model: 'toy:two-step', prompt: 'other' })), null);
  const two = ratesOf(doc({ methods: { masked: method(), cars: method() } }));
  assert.equal(runSeconds(two, ['masked'], 100, toy), null);
  assert.ok(runSeconds(two, ['cars', 'masked'], 100, toy) > 0);
  assert.equal(waitWords(7.2, true), 'It takes about 8 s; Stop keeps what was drawn.');
  assert.match(waitWords(null, true), /from some seconds to some minutes/);
  assert.doesNotMatch(waitWords(null, false), /minutes/);
});

test('progress counts what each method counts', () => {
  assert.equal(methodDone('cars', { done: false, draws: 40, accepted: 5 }, 10), 0.5);
  assert.equal(methodDone('rejection', { done: false, draws: 4, accepted: 0 }, 10), 0.4);
  assert.equal(methodDone('rejection', { done: true, draws: 4, accepted: 0 }, 10), 1);
});

test('a method under way says x of n, and plain draws on their way are not asked for', () => {
  assert.equal(soFar('masked', { draws: 12, accepted: 3 }, 50), '12 of 50 drawn, 3 kept');
  assert.equal(soFar('cars', { draws: 400, accepted: 3 }, 50), '3 of 50 kept so far');
  assert.match(costWords({ acceptance: null }, true).words, /under way/);
  assert.match(costWords({ acceptance: null }).words, /choose Unconstrained or Rejection/);
});

test('of several runs the one that masking gives most often is shown, and said to be', () => {
  const own = { ...text('Ax', 0.009, 0.083, 0.9), runs: 7 };
  const drawn = { path: [1, 2], tokens: ['A', 'x'], log_p: -5, log_masked: -0.1, bits: [0, 3.4], squeeze: at(10) };
  const run = shownRun({ ...own, drawn });
  assert.deepEqual([run.path, run.bits, run.squeeze], [[1, 2], [0, 3.4], at(10)]);
  assert.equal(runWords(run), 'the run that masking gives most often, of 7 found');
  // The squeeze of a text with several runs is not that of its likeliest run.
  assert.equal(shownRun({ ...own, drawn: null }).squeeze, null);
  assert.match(runWords(shownRun(own)), /its likeliest run, of 7/);
  assert.equal(runWords(shownRun(text('Ax', 0.1, 0.1, 0.1))), 'its one run found');
});

test('draws that claim no coverage have no interval, also of a text never drawn', () => {
  const smc = method({ title: 'SMC', target: 'conditional', exact_law: false, texts: [{ text: 'Bx', count: 10, value: 1, p: null }, { text: 'Ax', count: 0, value: 0, p: { lower: 0, upper: 1 } }] });
  const rows = outcomeRows(doc({ methods: { smc } }));
  assert.deepEqual(rows.map((row) => row.tried[0].lower), [null, null]);
  assert.equal(seriesWords(rows[0].tried[0]), '1 (estimated, no coverage claimed, 10 of 10 draws)');
});

test('a share says among how many it is counted: all draws, or those kept', () => {
  const rows = (more) => outcomeRows(doc({ methods: { retry: method({ target: 'other', texts: [{ text: 'Bx', count: 110, value: 110 / 111, p: null }, { text: 'Ax', count: 0, value: 0, p: { lower: 0, upper: 1 } }], ...more }) } }));
  assert.match(seriesWords(rows({ draws: 200, accepted: 111 })[0].tried[0]), /^0\.991 \(.*110 of 111 kept\)$/);
  assert.match(seriesWords(rows({ draws: 111, accepted: 111 })[0].tried[0]), /110 of 111 draws\)$/);
});

test('an exact number whose bounds print apart is printed with both, as on its card', () => {
  assert.equal(seriesWords({ value: 0.5, lower: 0.4, upper: 0.6, how: 'exact' }), '0.400 to 0.600 (exact)');
});

test('the cost is read off the plain draws alone', () => {
  assert.equal(plainMethod(doc()), null);
  assert.equal(plainMethod(doc({ methods: { unconstrained: method({ draws: 10 }), rejection: method({ draws: 30 }) } })), 'rejection');
});

test('a distance in nats comes with its bits; the dearest step is the one to open', () => {
  assert.deepEqual(klWords({ lower: Math.LN2, upper: Math.LN2 }), { nats: '0.693 nats', bits: '1.0 bits' });
  assert.equal(dearest([0, 3.2, null, 1]), 2);
});

test('a method of its own law says what a draw and a valid answer of it cost', () => {
  const retry = method({ target: 'other', draws: 10, accepted: 5, attempts: 24, spent: 610 });
  assert.equal(spentWords(retry), '2.4 attempts and 61 tokens a draw, 122 tokens a valid answer.');
  assert.equal(spentWords({ ...retry, attempts: 10 }), '61 tokens a draw, 122 tokens a valid answer.');
  assert.match(spentWords({ ...retry, accepted: 0 }), /no valid answer yet/);
  for (const none of [method({ attempts: 20, spent: 3 }), method({ target: 'other' }), { ...retry, draws: 0 }]) assert.equal(spentWords(none), '');
});

test('the shares of a method of its own law are of what it kept, with their interval', () => {
  const kept = method({ target: 'other', exact_law: false, draws: 20, accepted: 10, texts: [{ text: 'Bx', count: 0, value: 0, p: null }, { text: 'Ax', count: 10, value: 1, p: { lower: 0.7, upper: 1 } }] });
  const [bx] = outcomeRows(doc({ methods: { retry: kept } })).find((row) => row.text === 'Bx').tried;
  assert.deepEqual([bx.lower, bx.upper], [wilson(0, 10).lower, wilson(0, 10).upper]);
});

test('of a run that thought the answer is judged, and without one it is none', () => {
  const sample = { text: 'yes', accepted: true, outcome: 'accepted', thought: { before: 'so <<', answer: 'yes', after: '>>' }, offset: null };
  assert.equal(sampleVerdict(sample).word, 'VALID');
  assert.match(sampleVerdict(sample).words, /answer/);
  assert.equal(sampleVerdict({ ...sample, accepted: false, thought: { before: 'so', answer: null, after: '' } }).word, 'NO ANSWER');
  assert.equal(sampleVerdict({ ...sample, accepted: false, outcome: 'truncated', thought: { before: 'so', answer: null, after: '' } }).word, 'INCOMPLETE');
  assert.match(sampleVerdict({ ...sample, accepted: false, thought: null }, 'salvaged').words, /after salvage/);
});

test('a draw is opened in Step with the method that it was drawn by', () => {
  const problem = { model: 'toy:sky', method: 'masked' };
  assert.deepEqual(['json-mode', 'think', 'retry', 'masked', 'rejection'].map((name) => stepProblem(problem, name).method), ['json-mode', 'think', 'unconstrained', 'masked', 'masked']);
  assert.equal(problem.method, 'masked');
});
