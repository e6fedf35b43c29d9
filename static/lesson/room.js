// A room that votes: the presenter's page opens one and shows its counts, the others send one option each.

import { createState } from '../compare/state.js';

const ROOM_POLL_MS = 1500;
const ROOM_VOTER = 'playground-voter';
// Without what is read as something else: O and 0, I and 1.
const ROOM_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A room's code of a browser's own random numbers. */
export function roomCode(random = (n) => crypto.getRandomValues(new Uint8Array(n))) {
  return [...random(5)].map((byte) => ROOM_LETTERS[byte % ROOM_LETTERS.length]).join('');
}

/** The code as it was typed, or null where it is none. */
export function readCode(text) {
  const code = String(text || '').trim().toUpperCase();
  return /^[A-Z0-9]{4,8}$/.test(code) ? code : null;
}

function voter() {
  try {
    const kept = sessionStorage.getItem(ROOM_VOTER);
    if (kept) return kept;
    const fresh = crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16)).join('');
    sessionStorage.setItem(ROOM_VOTER, fresh);
    return fresh;
  } catch {
    return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`; // no storage: one vote a page
  }
}

/** The room of `player`'s questions over the server's vote and votes; without them it can't be opened. */
export function createRoom(player, server) {
  const can = Boolean(server && server.vote && server.votes);
  const store = createState({ can, role: null, code: null, counts: null, error: null });
  let timer = null;
  let name = null;
  let sent = null;

  const question = () => {
    const { form, beat } = player.store.get();
    const predict = form && (form.lesson.beats[beat] || {}).predict;
    return predict ? { name: `${form.lesson.slug}:${beat}`, options: predict.options.length } : null;
  };

  async function ask(call, more = {}) {
    const asked = question();
    const { code } = store.get();
    if (!asked || !code) return;
    let answer;
    try {
      answer = await server[call]({ room: code, question: asked.name, options: asked.options, ...more });
    } catch {
      return; // the server can't be reached: the room is silent, the lesson goes on
    }
    const now = question();
    if (!now || now.name !== asked.name || store.get().code !== code) return;
    store.set(answer.error ? { error: answer.error.what } : { counts: answer, error: null });
  }

  function poll() {
    clearTimeout(timer);
    timer = null;
    if (store.get().role === null) return;
    const next = () => { if (store.get().role !== null) timer = setTimeout(poll, ROOM_POLL_MS); };
    // A voter's page asks for the counts once it has answered; before, they would answer for it.
    if (question() && !document.hidden && (store.get().role === 'host' || sent === question().name)) ask('votes').then(next);
    else next();
  }

  player.store.subscribe(() => {
    if (!player.store.get().form && store.get().role !== null) { store.set({ role: null, code: null, counts: null, error: null }); return; }
    const now = question();
    if ((now && now.name) === name) return;
    name = now ? now.name : null;
    store.set({ counts: null, error: null });
    if (store.get().role !== null) poll();
  });

  return {
    get: store.get,
    subscribe: store.subscribe,
    /** The presenter's: a new code. */
    open() {
      if (!can) return;
      store.set({ role: 'host', code: roomCode(), counts: null, error: null });
      poll();
    },
    join(text) {
      const code = readCode(text);
      if (!can) return;
      if (!code) { store.set({ error: 'A room’s code has four to eight letters or digits.' }); return; }
      store.set({ role: 'guest', code, counts: null, error: null });
      poll();
    },
    /** Sends the prediction; the presenter's own isn't counted. */
    vote(option) {
      if (store.get().role !== 'guest' || !question()) return;
      sent = question().name;
      ask('vote', { option, voter: voter() });
    },
  };
}
