// Requests that the server doesn't take, or that are too large to send: each becomes a card in words on the screen that asked.
'use strict';
(() => {
  /** The server's limit on a request, bytes; a test holds it to playground/ui/guard.py. */
  const MAX_BODY = 3_000_000;
  const send = window.fetch.bind(window);

  function card(what, hint) {
    return { what, where: '', hint, line: null, column: null };
  }

  function bytesOf(body) {
    if (typeof body !== 'string') return body && typeof body.size === 'number' ? body.size : 0;
    return body.length * 3 <= MAX_BODY ? body.length : new Blob([body]).size;
  }

  /** What the page says of an answer that is none: the server's card, or one for its status. */
  async function cardOf(response) {
    try {
      const { error } = await response.clone().json();
      if (error && typeof error.what === 'string') return error;
    } catch { /* no JSON: a proxy's page */ }
    if (response.status === 503) return card('The server is too busy to take this.', 'What is on screen stays. Try again in a few seconds.');
    if (response.status === 413) return card('The request is larger than the server takes.', 'Shorten the text; nothing was changed.');
    return null;
  }

  /** Tells the screen whose event was refused: the run it named ends with the card, or the stage shows it. */
  function tell(error, body) {
    let event = null;
    try { event = JSON.parse(body).event_data; } catch { /* not one of ours */ }
    const { run, opening } = event && typeof event === 'object' ? event : {};
    const news = { serial: Number.MAX_SAFE_INTEGER, progress: null, running: false, error };
    const screens = Object.values(window.playgroundScreens ?? {});
    if (opening !== undefined) for (const screen of screens) screen.notice?.({ ...news, opening });
    else if (typeof run === 'string') for (const screen of screens) screen.notice?.({ ...news, run });
    else window.playgroundStage?.notice({ progress: null, error });
  }

  const asJson = (document, status) => new Response(JSON.stringify(document), { status, headers: { 'content-type': 'application/json' } });

  window.playgroundRefused = { card, tell, asJson };
  window.fetch = async (input, init) => {
    const address = typeof input === 'string' ? input : String(input?.url ?? input);
    const call = address.includes('/gradio_api/component_server');
    const join = address.includes('/gradio_api/queue/join');
    if (!call && !join) return send(input, init);
    const bytes = bytesOf(init?.body);
    let error = null;
    let response = null;
    if (bytes > MAX_BODY) {
      error = card(`The request has ${bytes.toLocaleString('en')} bytes, and the server takes ${MAX_BODY.toLocaleString('en')}: it was not sent.`,
        'Shorten the prompt, the constraint or the pasted text; nothing was changed.');
      response = asJson({ detail: error.what, error }, 413);
    } else {
      response = await send(input, init);
      if (response.ok) return response;
      error = await cardOf(response);
      if (!error) return response;
    }
    if (call) return asJson({ error }, 200);  // Gradio would hand the screen nothing at all
    tell(error, init?.body);
    return response;
  };
})();
