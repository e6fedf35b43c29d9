// What the parts of the stage compute before they draw: sums, axes, sentences, keys.
import test from 'node:test';
import assert from 'node:assert/strict';
import { barAt, barPieces } from '../../static/stage/bar.js';
import { columnSums, orderedRows, sharedAxis } from '../../static/stage/candidates.js';
import { captionSentence, provenanceKind, provenanceLine } from '../../static/stage/caption.js';
import { costSoFar, constraintFacts, sentenceParts, standing, weightSoFar } from '../../static/stage/header.js';
import { byteWords, crossedWords, maskFormula, weightWords, whyBlocked } from '../../static/stage/inspector.js';
import { keyCommand } from '../../static/stage/keys.js';
import { firstDifference } from '../../static/stage/lanes.js';
import { stripAxis, stripBar } from '../../static/stage/strip.js';
import { otherSpeed } from '../../static/stage/transport.js';
import { EOS, makeDoc, position, step, token } from './core_toy.mjs';

const close = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-12, `${what}: ${a} is not ${b}`);
const lane = (path, fields = {}) => ({ ...makeDoc(path), ...fields });

test('the two columns sum to Z and 1 - Z, and after the mask to 1', () => {
  for (const path of [[], [0], [1]]) {
    const here = position(path);
    const sums = columnSums(here);
    close(sums.allowed, here.z, 'allowed');
    close(sums.blocked, 1 - here.z, 'blocked');
    close(sums.masked, 1, 'masked');
  }
});

test('the bar starts as the model, is Z wide when erased, and ends full with the shares after the mask', () => {
  for (const path of [[], [0], [1]]) {
    const here = position(path);
    const pieces = barPieces(here);
    const width = (t, kind) => pieces.filter((each) => kind === undefined || each.allowed === kind).reduce((sum, each) => sum + barAt(each, t).width, 0);
    close(width(0), 1, 'model');
    close(width(0.5, true), here.z, 'erased');
    close(width(1, true), 1, 'stretched');
    close(width(1, false), 0, 'blocked after the mask');
    for (const piece of pieces.filter((each) => each.allowed && each.token !== null)) {
      close(barAt(piece, 1).width, here.candidates.find((row) => row.id === piece.token).masked, piece.label);
    }
    assert.deepEqual(pieces.filter((each) => !each.allowed).map((each) => barAt(each, 0.5).opacity), pieces.filter((each) => !each.allowed).map(() => 0));
  }
});

test('where the mask comes first the bar ends at what is drawn from, though the filtered p holds no allowed token', () => {
  const here = position([]);
  // top-k 1 keeps "the" alone, which is blocked; of the allowed tokens it keeps "sk".
  const rows = here.candidates.map((row) => ({ ...row, p: row.allowed ? 0 : 1, masked: row.id === 0 ? 1 : 0 }));
  const pieces = barPieces({ ...here, z: 0, log_z: null, dead: false, candidates: rows });
  const width = (t) => pieces.reduce((sum, each) => sum + barAt(each, t).width, 0);
  close(width(0), 1, 'model');
  close(width(1), 1, 'after the mask');
  assert.deepEqual(pieces.filter((each) => barAt(each, 1).width > 0).map((each) => each.token), [0]);
});

test('rows keep the order of the model, or go by the chance after the mask with blocked ones last', () => {
  const here = position([0]);
  assert.deepEqual(orderedRows(here, 'raw').map((row) => row.id), [3, 4, 2]);
  assert.deepEqual(orderedRows(here, 'masked').map((row) => row.id), [2, 3, 4]);
});

test('model p and after mask share one axis, and every value lies on it', () => {
  for (const log of [false, true]) {
    for (const path of [[], [0], [1]]) {
      const rows = position(path).candidates;
      const axis = sharedAxis(rows, log);
      const values = rows.flatMap((row) => [row.p, row.masked]).filter((v) => v > 0).sort((a, b) => a - b);
      const places = values.map(axis.at);
      for (const place of places) assert.ok(place >= 0 && place <= 1);
      assert.deepEqual([...places].sort((a, b) => a - b), places, 'monotone');
      assert.equal(axis.at(0), 0);
    }
  }
});

test('the linear axis is proportional and its last tick is its end', () => {
  const axis = sharedAxis([{ p: 0.03, masked: 0.041 }], false);
  close(axis.at(0.02) * 2, axis.at(0.04), 'proportional');
  assert.equal(axis.max, 0.05);
  assert.deepEqual(axis.ticks.map((tick) => tick.label), ['0', '2.5 %', '5 %']);
});

test('the log axis gives each decade the same width', () => {
  const axis = sharedAxis([{ p: 1e-6, masked: 0.9 }], true);
  close(axis.at(0.1) - axis.at(0.01), axis.at(1e-3) - axis.at(1e-4), 'decade');
});

test('the axis of the bits is shared, at least 4 bits, and breaks above 12', () => {
  assert.deepEqual(stripAxis([{ bits: 0.1 }, { bits: 2 }]), { max: 4, broken: false });
  assert.deepEqual(stripAxis([{ bits: 9 }, { bits: 2 }]), { max: 9, broken: false });
  const axis = stripAxis([{ bits: 30 }, { bits: null }, { bits: 6 }]);
  assert.deepEqual(axis, { max: 12, broken: true });
  assert.deepEqual(stripBar({ bits: 6 }, axis), { height: 0.5, broken: false });
  assert.deepEqual(stripBar({ bits: 30 }, axis), { height: 1, broken: true });
  assert.deepEqual(stripBar({ bits: null }, axis), { height: 1, broken: true });
  assert.deepEqual(stripBar({ bits: -0 }, axis), { height: 0, broken: false });
});

test('the sentence says who wanted what, and whether it was blocked', () => {
  const at = (path, cursor, fields) => captionSentence({ lane: lane(path, fields), cursor, position: null });
  assert.equal(at([0, 2, EOS], 0), 'Step 1: the model wanted `sk` 60.0 %, and it was allowed and taken. Allowed mass 85.0 %.');
  assert.equal(at([0, 2, EOS], 1), 'Step 2: only `ill` is allowed; the model wanted `y` 98.0 %, and gave this one 0.20 %. Allowed mass 0.20 %.');
  assert.equal(at([1, EOS], 0), 'Step 1: the model wanted `sk` 60.0 %, allowed; took `cloud` 25.0 %. Allowed mass 85.0 %.');
  assert.match(at([0, 2, EOS], 2), /The run ended where the text is valid\.$/);
});

test('the sentence of a blocked argmax without a forced token', () => {
  const overruled = { ...step([0], 2), forced: false };
  const sentence = captionSentence({ lane: { steps: [overruled], outcome: 'running', frontier: null }, cursor: 0, position: overruled });
  assert.equal(sentence, 'Step 1: the model wanted `y` 98.0 %, blocked; took `ill` 0.20 %. Allowed mass 0.20 %.');
});

test('a cut run is incomplete, not invalid, and says what it still needs', () => {
  const cut = lane([0], { outcome: 'truncated' });
  assert.equal(captionSentence({ lane: cut, cursor: 1, position: cut.frontier, maxTokens: 64 }), 'Stopped at 64 tokens. The text is INCOMPLETE, not invalid: it still needs ill.');
  assert.match(captionSentence({ lane: cut, cursor: 0, position: cut.steps[0], maxTokens: 64 }), /^Step 1: .* INCOMPLETE/);
});

test('a dead end, an empty stage and the frontier have their sentences', () => {
  assert.equal(captionSentence({ lane: null, cursor: 0, position: null }), '');
  const dead = lane([0], { outcome: 'dead_end' });
  assert.match(captionSentence({ lane: dead, cursor: 1, position: dead.frontier }), /^No token can continue here/);
  const open = lane([0]);
  assert.equal(captionSentence({ lane: open, cursor: 1, position: open.frontier }), 'Next token: the model wants `y` 98.0 %, blocked. 1 of 6 tokens are allowed. Allowed mass 0.20 %.');
});

test('spoken sentences name whitespace', () => {
  const first = step([], 0);
  const spaced = { ...first, argmax: { ...first.argmax, text: ' sk' }, taken: { ...first.taken, text: ' sk' } };
  assert.match(captionSentence({ lane: { steps: [spaced], outcome: 'running' }, cursor: 0, position: spaced }, { aloud: true }), /wanted space sk 60\.0 %/);
});

test('why a token is blocked', () => {
  const here = { state: { expected: ['0-9'], needs: '"}' } };
  const blocked = (fields) => whyBlocked({ ...token(0), allowed: false, killed_at: 0, expected: ['0-9', '}'], ...fields }, here);
  assert.equal(blocked({ hex: '20616e', killed_at: 0 }), 'The state expects one of 0-9, }; the token starts with a space.');
  assert.equal(blocked({ hex: '3161', killed_at: 1 }), 'Its first byte fits, then one of 0-9, } is expected and `a` comes.');
  assert.equal(blocked({ hex: '31c3a9', killed_at: 2, expected: [] }), 'Its first 2 bytes fit, then nothing more may follow, and byte a9 comes.');
  assert.equal(blocked({ eos: true, hex: '' }), 'The text may not end here: it still needs "}.');
  assert.match(blocked({ special: true, hex: '' }), /special token/);
  assert.equal(whyBlocked({ ...token(0), allowed: true }, here), '');
  assert.equal(byteWords('0a'), 'a newline');
});

test('the formula holds with its numbers, or says why it does not', () => {
  const here = position([]);
  const row = here.candidates[0];
  assert.equal(maskFormula(row, here), 'after mask = p / Z = 0.600 / 0.850 = 70.6 %');
  const first = { temperature: 1, top_k: 1, top_p: 1, mask_order: 'before-filters' };
  assert.match(maskFormula({ ...row, masked: 0.9 }, here, first), /= 0\.900, not p \/ Z: the mask comes first/);
  assert.match(maskFormula({ ...row, p: 0, masked: 1 }, { ...here, z: 0, log_z: null }, first), /= 1, not p \/ Z: the mask comes first/);
  assert.match(maskFormula({ ...row, masked: row.p / here.z }, here, first), /p \/ Z = 0\.600/);
  assert.match(maskFormula({ ...row, masked: 1 }, here, { temperature: 0 }), /temperature 0/);
  assert.match(maskFormula({ ...row, allowed: false }, here), /exactly 0/);
  assert.match(maskFormula(row, { ...here, z: 0, dead: true }), /nothing can be drawn/);
});

test('a long way over states keeps its ends', () => {
  const states = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  assert.equal(crossedWords({ states, allowed: true }), 'a → b → c → … → h');
  assert.equal(crossedWords({ states: ['a'], allowed: false }), 'a → blocked');
});

test('what the mask has cost adds up, and a step without mass makes it endless', () => {
  const steps = makeDoc([0, 2, EOS]).steps;
  close(costSoFar(steps, 2), Math.log(0.85) + Math.log(0.002), 'two steps');
  assert.equal(costSoFar([...steps, { log_z: null }], 4), -Infinity);
  assert.equal(costSoFar(steps, 0), 0);
});

test('how a run stands', () => {
  assert.equal(standing(null), 'none');
  assert.equal(standing({ outcome: 'running', verdict: { status: 'incomplete' } }), 'incomplete');
  assert.equal(standing({ outcome: 'rejected', verdict: { status: 'incomplete' } }), 'invalid');
  assert.equal(standing({ outcome: 'truncated', verdict: null }), 'incomplete');
  assert.equal(standing({ outcome: 'dead_end', verdict: null }), 'dead_end');
});

test('keywords that are not enforced are counted in the constraint line', () => {
  const notes = [{ level: 'not-enforced' }, { level: 'partly' }, { level: 'info' }];
  assert.equal(constraintFacts({ kind: 'schema', engine: 'bytes', states: 3, transitions: 4, compile_seconds: 0.002, cached: 'disk', notes }).flag, '2 keywords not fully enforced');
  assert.equal(constraintFacts({ kind: 'schema', engine: 'bytes', states: 0, notes: [] }).flag, '');
});

test('an author writes tokens in backticks', () => {
  assert.deepEqual(sentenceParts('After `sk`, `y`.'), [{ code: false, text: 'After ' }, { code: true, text: 'sk' }, { code: false, text: ', ' }, { code: true, text: 'y' }, { code: false, text: '.' }]);
  assert.deepEqual(sentenceParts('one ` alone'), [{ code: false, text: 'one ` alone' }]);
  assert.deepEqual(sentenceParts(null), []);
});

test('lanes are compared by their first differing token', () => {
  assert.equal(firstDifference(lane([0, 2]), lane([0, 2, EOS])), 2);
  assert.equal(firstDifference(lane([0, 2]), lane([1])), 0);
});

test('a live record without its server is a recording', () => {
  assert.equal(provenanceKind({ provenance: { kind: 'live' } }, false), 'recorded');
  assert.equal(provenanceKind({ provenance: { kind: 'live' } }, true), 'live');
  assert.equal(provenanceKind({ provenance: { kind: 'toy' } }, false), 'toy');
  assert.equal(provenanceLine({ model: 'm', revision: 'r', dtype: 'float32', device: 'cpu', engine: 'bytes' }), 'm r, float32 on cpu, engine: bytes');
  assert.equal(provenanceLine({ model: 'm', engine: 'bytes' }, 'exact byte automaton'), 'm, engine: exact byte automaton');
});

test('keys follow the map, and C, P, Q, S and the digits stay free', () => {
  const map = { ArrowRight: 'next', l: 'next', ArrowLeft: 'back', h: 'back', Home: 'home', End: 'end', ' ': 'play', n: 'eventNext', ArrowUp: 'rowUp', k: 'rowUp', ArrowDown: 'rowDown', j: 'rowDown', Enter: 'take',
    b: 'branch', u: 'undo', L: 'log', o: 'order', m: 'layer', w: 'watch', '/': 'find', e: 'export', '[': 'slower', ']': 'faster', '?': 'help', Escape: 'stop', t: 'theme' };
  for (const [key, command] of Object.entries(map)) assert.equal(keyCommand({ key }), command, key);
  assert.equal(keyCommand({ key: 'N', shiftKey: true }), 'eventBack');
  assert.equal(keyCommand({ key: 'U', shiftKey: true }), 'redo');
  for (const key of ['c', 'p', 'q', 's', 'C', 'P', 'Q', 'S', '1', '6', 'x', 'Tab']) assert.equal(keyCommand({ key }), null, key);
});

test('speeds stay in their range', () => {
  assert.deepEqual([otherSpeed(1, 1), otherSpeed(4, 1), otherSpeed(0.25, -1), otherSpeed(3, 1)], [2, 4, 0.25, 2]);
});

test('a step whose weight is log Z says nothing of it; another says both numbers and why', () => {
  const here = step([], 0);
  const usual = { sampling: { temperature: 1, top_k: 0, top_p: 1, mask_order: 'after-filters' }, method: 'masked' };
  assert.equal(weightWords(here, usual), '');
  // Greedy: the proposal gives "sk" 1, so its weight is p = 0.6 and log Z is that of 0.85.
  const greedy = { ...here, log_proposal: 0, log_weight: Math.log(0.6) };
  const words = weightWords(greedy, { ...usual, sampling: { ...usual.sampling, temperature: 0 } });
  assert.match(words, /= −0\.51 − 0\.00 = −0\.51 nats\. It is not log Z \(−0\.16\).*temperature 0/);
  const first = { ...usual, sampling: { ...usual.sampling, top_k: 1, mask_order: 'before-filters' } };
  assert.match(weightWords({ ...here, log_p: null, log_z: null, log_proposal: 0, log_weight: null }, first), /= −∞ nats: p gives this token nothing/);
  assert.match(weightWords({ ...here, log_proposal: null, log_weight: null }, usual), /could not have drawn/);
  assert.equal(weightWords(position([]), usual), '');
});

test('weights add up over a run, unless a step has none', () => {
  const steps = [step([], 0), step([0], 2)];
  close(weightSoFar(steps, 2), Math.log(0.85) + Math.log(0.002), 'the product of Z here');
  assert.equal(weightSoFar([steps[0], { ...steps[1], log_weight: null }], 2), null);
  assert.equal(weightSoFar(steps, 0), 0);
});

test('the engine goes by one name', () => {
  assert.match(constraintFacts({ kind: 'regex', engine: 'bytes', engine_title: 'exact byte automaton', states: 0, notes: [] }).facts, /engine: exact byte automaton/);
});
