// What the Decisions screen knows: runs heard only at their end, heads by type, recorded documents, orders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createState } from '../../static/compare/state.js';
import { noHead, noScore } from '../../static/decisions/ask.js';
import { endedWords } from '../../static/decisions/against.js';
import { keepForm, keptForm } from '../../static/decisions/kept.js';
import { choicesOf } from '../../static/decisions/explained.js';
import { addedTo, base64Of, fileRefusal, untaughtWords } from '../../static/decisions/head_file.js';
import { readingWords, ticketsWords } from '../../static/decisions/measured.js';
import { moved } from '../../static/decisions/order.js';
import { inTheWay } from '../../static/decisions/parts.js';
import { chainOf, refusal, specOf } from '../../static/decisions/spec.js';
import { cutWords, underWay } from '../../static/decisions/train.js';
import { MOST_FILE, chosenType, createRuns, empty, examplesOf, headOf, orderOf, typeKey, typeOf, typePart } from '../../static/decisions/state.js';

const field = (name, ...options) => ({ name, kind: 'choice', description: '', options });
const TICKET = { name: 'ticket', title: 'Ticket', schema: '{}', fields: [field('intent', 'refund', 'bug'), field('priority', 'low', 'high'), field('escalate', 'true', 'false')], combinations: 8, allowed: null, notes: [], trainable: true };
const COUNTRY = { name: 'country-currency', title: 'Country', schema: '{}', fields: [field('country', 'US', 'JP'), field('currency', 'USD', 'JPY')], combinations: 4, allowed: 2, notes: [] };
const DEFAULTS = { head: { kind: 'factorised', pooling: 'mean', order: [], joint: [], hidden: 0 }, epochs: 40, seed: 7, rate: 0.01, train: 1600, dev: 400 };
const PAGE = { types: [TICKET, COUNTRY], examples: [{ id: 'a', text: 'Broken.', gold: {} }], heads: [], poolings: [], sizes: [200, 500], measured: [100, 500], defaults: DEFAULTS, recorded: null };
const RECORDED = { ...PAGE, recorded: { head: 'UkVD', evaluation: { kind: 'evaluation' }, table: null } };

function world(page = PAGE) {
  const store = createState(empty(page));
  const asked = [];
  const stopped = [];
  let n = 0;
  const runs = createRuns(store, { ask: (what) => asked.push(what), stop: (run) => stopped.push(run), name: () => `run${(n += 1)}` });
  const notice = (run, serial, more = {}) => runs.notice({ run, serial, progress: null, error: null, running: true, ...more });
  return { store, runs, asked, stopped, notice, show: (run, serial, document) => runs.show({ run, serial, document }) };
}

test('a run whose first heard news is its end is shown, whichever comes first', () => {
  for (const valueFirst of [true, false]) {
    const { store, runs, asked, notice, show } = world();
    runs.start('score', { type: 'ticket' }, { key: 'ticket' });
    assert.deepEqual(asked, [{ run: 'run1', task: 'score', type: 'ticket' }]);
    const told = [() => show('run1', 9, { kind: 'scores', done: true }), () => notice('run1', 9, { running: false })];
    for (const tell of valueFirst ? told : told.reverse()) tell();
    assert.equal(store.get().running, false);
    assert.equal(store.get().scores.done, true);
    assert.deepEqual(store.get().kept.scores, { recorded: false, key: 'ticket', head: null });
  }
});

test('old news and the news of other runs change nothing', () => {
  const { store, runs, stopped, notice, show } = world();
  runs.start('score', {}, { key: 'ticket' });
  runs.start('decide', {}, { key: 'ticket', head: 'x' });
  assert.deepEqual(stopped, ['run1']);
  show('run1', 5, { kind: 'scores' });
  notice('run1', 5, { running: false, error: { what: 'old' } });
  assert.equal(store.get().scores, null);
  assert.equal(store.get().light.error, null);
  assert.equal(store.get().running, true);
  show('run2', 2, { kind: 'decision', n: 2 });
  show('run2', 1, { kind: 'decision', n: 1 });
  assert.equal(store.get().decision.n, 2);
});

test('Stop tells the server once the run is ours, and the end of it is heard', () => {
  const { store, runs, stopped, notice } = world();
  runs.stop('train');
  assert.deepEqual(stopped, []);
  runs.start('train', {}, {});
  runs.stop('train');
  assert.deepEqual(stopped, ['run1']);
  assert.equal(store.get().heavy.stopping, true);
  notice('run1', 3, { running: false });
  assert.equal(store.get().heavy.stopping, false);
  assert.equal(store.get().heavy.ended, 'you');
});

test('what takes a moment runs beside what takes minutes, and ends none of it', () => {
  for (const light of ['open', 'decide', 'check', 'score', 'explain']) for (const heavy of ['train', 'evaluate', 'table']) {
    const { store, runs, asked, stopped, notice, show } = world();
    runs.start(heavy, {}, { key: 'ticket' });
    show('run1', 1, { kind: heavy, n: 1, doing: 'half' });
    runs.start(light, {}, { key: 'ticket', head: 'x' });
    assert.deepEqual(stopped, []);
    assert.equal(asked.length, 2);
    assert.equal(inTheWay(store.get(), light === 'decide' ? 'open' : 'decide').startsWith('Training'), false);
    notice('run2', 1, { running: false, error: { what: 'No.' } });
    assert.deepEqual([store.get().light.running, store.get().heavy.running, store.get().running], [false, true, true]);
    assert.deepEqual([store.get().light.failed, store.get().heavy.error], [light, null]);
    show('run1', 2, { kind: heavy, n: 2, doing: 'more' });
    assert.equal(store.get()[{ train: 'training', evaluate: 'evaluation', table: 'table' }[heavy]].n, 2);
  }
});

test('a run that ended early keeps why, whichever of its last news comes first', () => {
  const last = { kind: 'table', n: 10, rows: [], done: false, stopped: true, missing: ['timing: 2 of 5 tickets'] };
  const ends = {
    you: ({ runs, notice, show }, [first, second]) => { runs.stop('table'); first(notice, show); second(notice, show); },
    limit: ({ notice, show }, [first, second]) => { first(notice, show); second(notice, show); },
    error: ({ notice }) => notice('run1', 2, { running: false, error: { what: 'Broken.' } }),
    link: ({ runs }) => runs.leave(),
  };
  for (const [why, finish] of Object.entries(ends)) for (const turned of [false, true]) {
    const made = world(RECORDED);
    made.runs.start('table', {}, { key: 'ticket' });
    made.show('run1', 1, { kind: 'table', n: 10, rows: [], doing: 'Masked: 3 of 10 tickets' });
    const news = [(notice, show) => show('run1', 2, why === 'limit' ? { ...last, limit: 3600 } : last), (notice) => notice('run1', 2, { running: false })];
    finish(made, turned ? news.reverse() : news);
    const { kept, running } = made.store.get();
    assert.equal(kept.table.ended, why);
    assert.equal(running, false);
  }
  const made = world();
  made.runs.start('table', {}, { key: 'ticket' });
  made.show('run1', 1, { kind: 'table', done: true });
  made.notice('run1', 1, { running: false });
  assert.equal(made.store.get().kept.table.ended, undefined);
  assert.equal(endedWords(last, { ended: 'you' }), 'stopped by you: what was done is kept. Of less than was asked: timing: 2 of 5 tickets.');
  assert.match(endedWords(last, { ended: 'limit', limit: 3600 }), /^ended at its time limit of 60 minutes/);
  assert.match(endedWords({}, { ended: 'another' }), /another run of yours began: what was done is kept\.$/);
  assert.match(endedWords({}, {}), /by the server/);
});

test('a form outlives a reload, a head does not; what is kept and damaged is no form', () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  const page = { ...PAGE, heads: [{ name: 'factorised' }, { name: 'joint' }], poolings: [{ name: 'mean' }] };
  const state = empty(page);
  assert.deepEqual(keptForm(page, storage), {});
  keepForm({ ...state, type: 'own', schema: '{"a":1}', example: null, text: 'Mine.', form: { ...state.form, kind: 'joint' }, heads: { ticket: { base64: 'SECRET' } } }, storage);
  const found = keptForm(page, storage);
  assert.deepEqual([found.type, found.schema, found.text, found.example, found.form.kind], ['own', '{"a":1}', 'Mine.', null, 'joint']);
  assert.ok(![...kept.values()].join().includes('SECRET'));
  for (const text of ['{', '[]', '{"type":"nobody"}', '3']) { kept.set([...kept.keys()][0], text); assert.deepEqual(keptForm(page, storage), {}, text); }
  assert.deepEqual(keptForm(page, { getItem() { throw new Error('forbidden'); } }), {});
  keepForm(state, { getItem: () => null, setItem() { throw new Error('full'); } });
});

test('a trained head is at hand once training ends or is stopped, and not before', () => {
  for (const end of ['done', 'stopped']) {
    const { store, runs, show } = world();
    runs.start('train', {}, { key: 'ticket' });
    show('run1', 1, { kind: 'training', epochs: [], head: null, done: false, stopped: false });
    assert.equal(headOf(store.get()), null);
    show('run1', 2, { kind: 'training', epochs: [], head: 'SEVBRA==', file: 'ticket.safetensors', spec: { seed: 7 }, done: false, stopped: false, [end]: true });
    assert.deepEqual(headOf(store.get()), { base64: 'SEVBRA==', origin: 'trained', name: 'ticket.safetensors' });
  }
});

test('a head from a file is taken only when the server has decided with it', () => {
  const { store, runs, asked, notice, show } = world(RECORDED);
  runs.start('open', { type: 'ticket', head: 'RklMRQ==' }, { key: 'ticket', head: 'RklMRQ==', name: 'mine.safetensors' });
  assert.equal(asked[0].task, 'decide');
  notice('run1', 1, { running: false, error: { what: 'The head was trained for another schema.' } });
  assert.equal(headOf(store.get()).origin, 'recorded');
  assert.equal(store.get().light.error.what, 'The head was trained for another schema.');
  runs.start('open', { type: 'ticket', head: 'RklMRQ==' }, { key: 'ticket', head: 'RklMRQ==', name: 'mine.safetensors' });
  assert.equal(store.get().light.error, null);
  show('run2', 1, { kind: 'decision' });
  assert.deepEqual(headOf(store.get()), { base64: 'RklMRQ==', origin: 'file', name: 'mine.safetensors' });
  assert.deepEqual(store.get().decision, { kind: 'decision' });
});

test('the first view has the recorded head, evaluation and table, marked as such', () => {
  const state = empty(RECORDED);
  assert.equal(empty({ ...PAGE, types: [{ ...TICKET, schema: '{"a":[1]}' }] }).schema, '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(headOf(state).origin, 'recorded');
  assert.equal(state.kept.evaluation.recorded, true);
  assert.equal(state.table, null);
  assert.equal(headOf({ ...state, type: 'country-currency' }), null);
  assert.equal(state.text, 'Broken.');
});

test('an own schema is a type once it is checked, under the text that was checked', () => {
  const { store, runs, show } = world();
  store.set({ type: 'own', schema: '{"a":1}' });
  assert.equal(typeOf(store.get()), null);
  assert.match(noHead(store.get()), /Check the schema/);
  runs.start('check', { schema: '{"a":1}' }, { schema: '{"a":1}' });
  store.set({ schema: '{"a":2}' });
  show('run1', 1, { kind: 'type', type: { ...COUNTRY, name: 'own', schema: '{"closed":1}' }, free: ['why'] });
  assert.equal(typeOf(store.get()).name, 'own');
  assert.deepEqual(store.get().checked.free, ['why']);
  assert.deepEqual(typePart(store.get()), { type: 'own', schema: '{"closed":1}' });
  assert.equal(typeKey(store.get()), 'own {"a":1}');
  assert.match(noHead(store.get()), /language model/);
  assert.equal(noScore(store.get()), '');
  assert.equal(noScore({ ...store.get(), text: '  ' }), 'Write a ticket first, or take an example.');
});

test('a type brings its own examples, and what was typed stays', () => {
  const examples = [{ id: 'a', type: 'ticket', text: 'Broken.', gold: {} }, { id: 'b', type: 'country-currency', text: 'To Bonn.', gold: {} }];
  const state = empty({ ...PAGE, examples });
  assert.deepEqual(examplesOf(state).map(({ id }) => id), ['a']);
  assert.deepEqual(chosenType(state, 'country-currency'), { type: 'country-currency', pair: null, example: 'b', text: 'To Bonn.' });
  assert.deepEqual(chosenType(state, 'own'), { type: 'own', pair: null });
  assert.deepEqual(chosenType({ ...state, example: null, text: 'Mine.' }, 'country-currency'), { type: 'country-currency', pair: null });
  assert.deepEqual(examplesOf({ ...state, type: 'own' }).length, 2);
});

test('an order moves by one place, keeps every name, and stays within its ends', () => {
  const order = ['a', 'b', 'c'];
  assert.deepEqual(moved(order, 'b', 1), ['a', 'c', 'b']);
  assert.deepEqual(moved(order, 'b', -1), ['b', 'a', 'c']);
  for (const [name, by] of [['a', -1], ['c', 1], ['nobody', 1]]) assert.equal(moved(order, name, by), order);
  const state = empty(PAGE);
  assert.deepEqual(orderOf({ ...state, order: ['escalate', 'gone', 'intent'] }), ['escalate', 'intent', 'priority']);
  assert.deepEqual(orderOf({ ...state, type: 'own' }), []);
});

test('the form is a TrainingSpec: what it does not ask comes from the defaults', () => {
  const names = ['intent', 'priority', 'escalate'];
  const form = { ...empty(PAGE).form, kind: 'chained', chain: 'first', epochs: 5, seed: 0 };
  assert.deepEqual(specOf(form, DEFAULTS, names), { epochs: 5, seed: 0, rate: 0.01, train: 1600, dev: 400, head: { kind: 'chained', pooling: 'mean', order: ['intent'], joint: [], hidden: 0 } });
  assert.deepEqual(chainOf({ chain: 'full' }, names), names);
  assert.deepEqual(form.joint, ['intent', 'priority']);
  const joint = { ...form, kind: 'joint', joint: ['priority', 'intent'] };
  assert.deepEqual(specOf(joint, DEFAULTS, names).head.joint, ['intent', 'priority']);
  assert.deepEqual(specOf(joint, DEFAULTS, names).head.order, []);
  assert.equal(refusal(joint), '');
  assert.match(refusal({ ...joint, joint: ['intent'] }), /two fields/);
});

test('a file is judged before it is read, and its bytes survive base64', () => {
  assert.match(fileRefusal({ name: 'a', size: MOST_FILE + 1 }).what, /1,500,001 bytes, more than the 1,500,000 that are read/);
  assert.match(fileRefusal({ name: 'a', size: 0 }).what, /empty/);
  assert.equal(fileRefusal({ name: 'a', size: MOST_FILE }), null);
  const bytes = Uint8Array.from({ length: 70001 }, (_, at) => (at * 31) % 256);
  assert.deepEqual(new Uint8Array(Buffer.from(base64Of(bytes), 'base64')), bytes);
});

test('a head is widened only where its refusal says that options were added', () => {
  const offered = { head: 'x', name: 'a' };
  const error = { what: 'w', added: [['intent', ['legal']], ['priority', ['now']]] };
  const at = (failed, rest, found = error) => ({ offered, light: { failed, error: found }, ...rest });
  assert.deepEqual(addedTo(at('open')), error.added);
  for (const other of [at('decide'), at('open', { offered: null }), at('open', {}, { what: 'w' }), at('open', {}, null)]) assert.deepEqual(addedTo(other), []);
  // What no built-in ticket has can't be taught by them.
  assert.match(untaughtWords([['intent', ['legal', 'bug']]], PAGE), /^No built-in ticket has intent legal: fine-tuning can’t teach it, only its prior falls/);
  assert.equal(untaughtWords([['intent', ['bug']]], PAGE), '');
});

test('how many test tickets were read is progress, and replaces nothing', () => {
  const { store, runs, notice, show } = world(RECORDED);
  const { evaluation } = store.get();
  runs.start('evaluate', {}, { key: 'ticket', head: 'x' });
  show('run1', 1, { kind: 'evaluation', reading: { done: 32, total: 200, seconds: 6.25 }, done: false });
  assert.equal(store.get().evaluation, evaluation);
  assert.equal(store.get().kept.evaluation.recorded, true);
  assert.deepEqual(readingWords(store.get()), { words: 'Reading tickets of test and dev, kept for the next time: 32 of 200 after 6.3 s', done: 0.16 });
  show('run1', 2, { kind: 'evaluation', reading: { done: 200, total: 200, seconds: 40 }, done: false });
  assert.deepEqual(readingWords(store.get()), { words: '200 tickets are read: measuring', done: null });
  show('run1', 3, { kind: 'evaluation', done: true });
  assert.deepEqual(store.get().kept.evaluation, { recorded: false, key: 'ticket', head: 'x' });
  notice('run1', 3, { running: false });
  assert.equal(readingWords(store.get()), null);
});

test('the decided options are told in the order of the type, by label where some were ruled out', () => {
  const option = (label, p) => ({ label, p_V: [p, p] });
  const scores = { fields: [{ name: 'priority', options: [option('high', 1)] }, { name: 'intent', options: [option('refund', 0.2), option('bug', 0.8)] }] };
  assert.deepEqual(choicesOf(scores, TICKET.fields.slice(0, 2)), [1, 1]);
});

test('a long run stands in the way of the others, not of itself', () => {
  const at = (light, heavy) => ({ light: { running: false, task: null, ...light }, heavy: { running: false, task: null, ...heavy } });
  assert.match(inTheWay(at({}, { running: true, task: 'train' }), 'table'), /Training is under way: stop it, or wait/);
  assert.equal(inTheWay(at({}, { running: true, task: 'train' }), 'train'), '');
  assert.equal(inTheWay(at({}, { running: true, task: 'train' }), 'decide'), '');
  assert.equal(inTheWay(at({}, { running: false, task: 'train' }), 'table'), '');
  assert.match(inTheWay(at({ running: true, task: 'score' }, {}), 'decide'), /Scoring is under way/);
  assert.equal(inTheWay(at({ running: true, task: 'decide' }, {}), 'train'), '');
});

test('the number of test tickets is a hundred until another is chosen, and figures say of how many they are', () => {
  assert.equal(empty(PAGE).tickets, 100);
  assert.equal(ticketsWords({ test: 100, dev: 100 }), '100 test tickets. Thresholds are chosen on 100 dev tickets.');
  assert.match(ticketsWords({ test: 500, dev: null }), /^500 test tickets\. The head’s file doesn’t say how it was trained/);
  assert.equal(ticketsWords({ test: 500 }), '500 test tickets.');
});

test('a training says what it does, and whose cut it takes where that is not the form’s', () => {
  assert.equal(underWay({ training: null }), null);
  assert.deepEqual(underWay({ training: { features: { done: 20, total: 80 } } }), { words: 'Reading the tickets', done: 0.25 });
  assert.deepEqual(underWay({ training: { features: { done: 80, total: 80 } } }), { words: 'Training', done: null });
  assert.equal(cutWords({ cut: null }), '');
  assert.equal(cutWords({}), '');
  assert.match(cutWords({ cut: { known: true, seed: 3, train: 1600, dev: 400 } }), /not the form’s.*seed 3, 1,600 and 400 tickets.*what was dev stays dev/);
  assert.match(cutWords({ cut: { known: false } }), /doesn’t say how the head was trained/);
});
