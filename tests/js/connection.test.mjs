// The line to the server: Gradio is never told that it broke, each event ends, the screen that asked hears why, and a call is sent once more.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const API = 'http://page.test/gradio_api/';
const json = (document, status = 200) => new Response(JSON.stringify(document), { status });
const broken = () => { throw new TypeError('Failed to fetch'); };
const until = async (met) => { for (let n = 0; !met(); n += 1) { assert.ok(n < 500, 'it never came'); await new Promise((resolve) => { setTimeout(resolve, 5); }); } };

/** A page with the scripts. answer(address) stands for the network. */
function page(answer) {
  const told = [];
  const asked = [];
  const line = { dataset: {}, setAttribute() {}, textContent: '' };
  const window = {
    fetch: async (input) => { const address = String(input?.url ?? input); asked.push(address.replace(API, '')); return answer(address.replace(API, ''), asked.length); },
    addEventListener() {},
    playgroundScreens: { compare: { notice: (news) => told.push(news) } },
    playgroundStage: { notice: (news) => told.push(news), store: { error: () => null, actions: {} } },
  };
  const document = { body: { append() {} }, createElement: () => line, addEventListener() {}, hidden: false };
  const world = { window, document, location: { href: 'http://page.test/', origin: 'http://page.test' }, URL, Request, Response, Blob, ReadableStream, TextDecoderStream, TextEncoder, AbortSignal, setTimeout: (f, ms) => setTimeout(f, Math.min(ms, 20)).unref(), clearTimeout };
  for (const name of ['refused', 'connection']) runInNewContext(readFileSync(new URL(`../../static/${name}.js`, import.meta.url), 'utf8'), world);
  const post = (name, body = {}) => window.fetch(`${API}${name}`, { method: 'POST', body: JSON.stringify(body) });
  const heard = async () => (await (await window.fetch(new Request(`${API}queue/data?session_hash=s`))).text()).split('\n\n').filter(Boolean).map((block) => JSON.parse(block.slice(6)));
  return { window, told, asked, line, post, heard };
}

/** The server's event stream: these messages, then it closes, or breaks off. */
function stream(messages, end = 'close') {
  const coder = new TextEncoder();
  const text = messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  let sent = 0;
  return new Response(new ReadableStream({ pull(controller) {
    if (sent < text.length) controller.enqueue(coder.encode(text.slice(sent, sent += 7)));  // in pieces, as networks do
    else if (end === 'close') controller.close();
    else controller.error(new TypeError('network error'));
  } }));
}

const done = (id, success = true) => ({ msg: 'process_completed', event_id: id, output: { data: [] }, success });

test('a call is sent again where a server answers, and by itself only once', async () => {
  const half = () => new Response(new ReadableStream({ pull(controller) { controller.error(new TypeError('network error')); } }));
  for (const fault of [broken, half, () => new Response('<html>', { status: 502 })]) {
    const { post, asked, line, told } = page((name, n) => (name === 'component_server/' && n === 1 ? fault() : json({ step: 1 })));
    assert.deepEqual(await (await post('component_server/')).json(), { step: 1 });
    assert.deepEqual(asked, ['component_server/', '/healthz', 'component_server/']);
    assert.equal(line.textContent, '');
    assert.deepEqual(told, []);
  }
  const { post, asked } = page((name) => (name === 'component_server/' ? broken() : json({})));
  assert.match((await (await post('component_server/')).json()).error.what, /away/);
  assert.equal(asked.filter((name) => name === 'component_server/').length, 2);
});

test('without a server a call is a card, the page looks for it and says when it is back', async () => {
  let away = true;
  const { post, line } = page(() => (away ? broken() : json({})));
  const answer = await post('component_server/');
  assert.equal(answer.status, 200);
  assert.match((await answer.json()).error.hint, /stays/);
  assert.match(line.textContent, /is away/);
  away = false;
  await until(() => /is back/.test(line.textContent));
  await until(() => line.textContent === '');
});

test('a stream that ends as it should is passed on as it is', async () => {
  const { post, heard, told } = page((name) => (name === 'queue/join' ? json({ event_id: 'e' }) : stream([{ msg: 'estimation', event_id: 'e' }, done('e'), { msg: 'close_stream' }])));
  await post('queue/join');
  assert.deepEqual(await heard(), [{ msg: 'estimation', event_id: 'e' }, done('e'), { msg: 'close_stream' }]);
  assert.deepEqual(told, []);
});

test('a stream that breaks off, or knows nothing of the page, ends what was under way, and its screen hears why', async () => {
  const lost = { msg: 'unexpected_error', message: '404', session_not_found: true, success: false };
  for (const [messages, end] of [[[done('first')], 'break'], [[done('first')], 'close'], [[done('first'), lost], 'close']]) {
    let n = 0;
    const { post, heard, told } = page((name) => (name === 'queue/join' ? json({ event_id: ['first', 'second'][n++] }) : name.startsWith('queue') ? stream(messages, end) : json({})));
    await post('queue/join', { event_data: null });
    await post('queue/join', { event_data: { run: 'mine' } });
    const found = await heard();
    assert.deepEqual(found.map(({ msg, event_id: id, success }) => [msg, id, success]), [['process_completed', 'first', true], ['process_completed', 'second', false], ['close_stream', undefined, undefined]]);
    assert.equal(found[1].output.visible, false);  // no message of Gradio's own beside the card
    assert.equal(told.length, 1);
    assert.equal(told[0].run, 'mine');
    assert.equal(told[0].running, false);
    assert.match(told[0].error.what, /went away/);
  }
});

test('an event that reaches nobody fails in the stream that its client opens, and is told once', async () => {
  const { post, heard, told } = page(broken);
  const { event_id: id } = await (await post('queue/join', { event_data: { run: 'mine' } })).json();
  const found = await heard();
  assert.deepEqual(found.map(({ msg, event_id }) => [msg, event_id]), [['process_completed', id], ['close_stream', undefined]]);
  assert.equal(told.length, 1);
  assert.match(told[0].error.what, /away/);
});

test('an event that reaches nobody while another is heard fails in that stream', async () => {
  let send = null;
  const open = new Response(new ReadableStream({ start(controller) { send = (message) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`)); } }));
  let n = 0;
  const { post, heard } = page((name) => (name === 'queue/join' ? ((n += 1) === 1 ? json({ event_id: 'e' }) : broken()) : name.startsWith('queue') ? open : json({})));
  await post('queue/join');
  const all = heard();
  const { event_id: id } = await (await post('queue/join')).json();
  send(done('e'));
  send({ msg: 'close_stream' });
  assert.deepEqual((await all).map((each) => each.event_id), [id, 'e', undefined]);
});

test('what is not for the server’s screens goes as it is', async () => {
  const { window, asked } = page(() => json({}));
  for (const address of ['http://page.test/lessons/index.json', 'http://other.test/gradio_api/queue/join']) await window.fetch(address);
  assert.deepEqual(asked, ['http://page.test/lessons/index.json', 'http://other.test/gradio_api/queue/join']);
});
