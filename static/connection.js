// The line to the server. When it breaks the page keeps what it has, says so in words, looks for the server, and goes on with it or with another.
// Gradio's own client would take a broken line for the end and load the page anew, so it is never told of one: each event that was under way ends as
// one that has failed, with a card on the screen that asked. Comes after refused.js, whose words it uses.
'use strict';
(() => {
  const WAITS = [500, 1000, 2000, 4000, 8000];  // ms between two looks; the last again and again
  const PATIENCE = 4000;  // ms that one look may take
  const BACK_MS = 8000;
  const GATEWAY = [502, 504];  // a proxy says so where nobody answers behind it
  const { card, tell, asJson } = window.playgroundRefused;
  const AWAY = card('The server is away.', 'What is on screen stays. The page looks for it: press again when it says that the server is back.');
  const LOST = card('The server went away before this was done.', 'What is on screen stays. Run it again when the server is back; a study goes on from what is kept.');
  const send = window.fetch.bind(window);

  const line = document.createElement('p');
  line.className = 'away-line';
  line.setAttribute('role', 'status');
  const put = () => document.body.append(line);
  if (document.body) put(); else document.addEventListener('DOMContentLoaded', put);

  let leaving = false;
  window.addEventListener('pagehide', () => { leaving = true; });
  window.addEventListener('pageshow', () => { leaving = false; });

  let wake = () => {};
  const pause = (ms) => new Promise((resolve) => { wake = resolve; setTimeout(resolve, ms); });
  window.addEventListener('online', () => wake());
  document.addEventListener('visibilitychange', () => { if (!document.hidden) wake(); });

  async function answers() {
    try {
      return (await send('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) })).ok;
    } catch {
      return false;
    }
  }

  let looking = false;
  let told = null;

  /** Says that the server is away, and looks for it until it answers. */
  async function look() {
    if (looking || leaving) return;
    looking = true;
    clearTimeout(told);
    line.dataset.away = '';
    line.textContent = 'The server is away. What is on screen stays; looking for the server …';
    for (let n = 0; !(await answers()); n += 1) await pause(WAITS[Math.min(n, WAITS.length - 1)]);
    looking = false;
    delete line.dataset.away;
    line.textContent = 'The server is back. Go on where you were.';
    told = setTimeout(() => { line.textContent = ''; }, BACK_MS);
    const stage = window.playgroundStage?.store;
    if (stage?.error()?.what === AWAY.what) stage.actions.dismissError();
  }

  /** Sends a request: the answer, or null where nobody answers. What the page gave up itself stays an error. */
  async function reach(input, init) {
    try {
      const response = await send(input, init);
      return GATEWAY.includes(response.status) ? null : response;
    } catch (error) {
      if ((init?.signal ?? input.signal)?.aborted) throw error;
      return null;
    }
  }

  /** The same with the whole of its answer: one that breaks off is none. */
  async function whole(input, init) {
    const response = await reach(input, init);
    return response && response.blob().then((body) => new Response(body, response), () => null);
  }

  /** A screen's call holds all that the server needs, so it is sent again where a server answers: another one than before, behind a proxy. */
  async function call(input, init) {
    const response = await whole(input, init) ?? (await answers() ? await whole(input, init) : null);
    if (response) { wake(); return response; }
    look();
    return asJson({ error: AWAY }, 200);
  }

  /** Events that have not ended: the request of each by its id; null for one whose screen knows already. */
  const pending = new Map();
  /** Writes a message into the event stream that the client reads now. */
  let write = null;
  let refused = 0;

  function end(id, to) {
    const body = pending.get(id);
    pending.delete(id);
    if (body !== null) tell(LOST, body);
    to({ msg: 'process_completed', event_id: id, success: false, output: { error: '', visible: false } });
  }

  async function join(input, init) {
    const response = await reach(input, init);
    if (response) {
      const { event_id: id } = response.ok ? await response.clone().json() : {};
      if (id) pending.set(id, init?.body ?? '');
      return response;
    }
    look();
    tell(AWAY, init?.body);
    const id = `away-${refused += 1}`;
    pending.set(id, null);
    if (write) end(id, write);  // else in the stream that the client opens for it
    return asJson({ event_id: id }, 200);
  }

  /** The messages of a block of the stream that say more about an event than that it goes on. */
  function said(block) {
    if (!/"msg":"(?:process_completed|close_stream|unexpected_error)"/.test(block)) return {};
    try { return JSON.parse(block.replace(/^data: ?/, '')); } catch { return {}; }
  }

  /** Passes the server's messages on until it closes the stream: whether it did, and didn't break off or know nothing of this page. */
  async function passed(response, pass) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const { msg, event_id: id } = said(block);
        if (msg === 'unexpected_error' && !id) return false;
        if (msg === 'process_completed') pending.delete(id);
        pass(block);
        if (msg === 'close_stream') return true;
      }
    }
  }

  function events(input, init) {
    const signal = init?.signal ?? input.signal;
    const coder = new TextEncoder();
    const body = new ReadableStream({
      async start(controller) {
        const pass = (block) => { if (!signal?.aborted) controller.enqueue(coder.encode(`${block}\n\n`)); };
        const mine = (message) => pass(`data: ${JSON.stringify(message)}`);
        const heard = () => { if (write === mine) write = null; };
        signal?.addEventListener('abort', heard);
        write = mine;
        let closed = false;
        try {
          const response = await reach(input, init);
          closed = Boolean(response?.ok) && await passed(response, pass);
        } catch { /* it broke off, or the page hung up */ }
        heard();
        if (!signal?.aborted && !closed) {
          look();
          for (const id of [...pending.keys()]) end(id, mine);
          mine({ msg: 'close_stream' });
        }
        controller.close();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  const ROUTES = { component_server: call, 'queue/join': join, 'queue/data': events };
  window.fetch = async (input, init) => {
    const address = new URL(typeof input === 'string' ? input : input?.url ?? input, location.href);
    const [, name] = address.origin === location.origin ? address.pathname.split('/gradio_api/') : [];
    return (ROUTES[name?.replace(/\/$/, '')] ?? send)(input, init);
  };
})();
