// A room that votes: the presenter's page opens one and shows its counts, the others send one option each.

import { createState } from '../compare/state.js';

const ROOM_POLL_MS = 1500;
const ROOM_VOTER = 'playground-voter';
// Without what is read as something else: O and 0, I and 1.
const ROOM_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ROOM_NONE = { role: null, code: null, counts: null, error: null };
const ROOM_JOINED = ':joined';
// The presenter's page votes on this one once its numbers are shown: the other pages wait for that.
const shownName = (name) => `${name}:shown`;

/** A room's code of a browser's own random numbers. */
export function roomCode(random = (n) => crypto.getRandomValues(new Uint8Array(n))) {
  return [...random(5)].map((byte) => ROOM_LETTERS[byte % ROOM_LETTERS.length]).join('');
}

/** The code as it was typed, or null where it is none. */
export function readCode(text) {
  const code = String(text || '').trim().toUpperCase();
  return /^[A-Z0-9]{4,8}$/.test(code) ? code : null;
}

/** What a page says of its room. `picked`: the option that it voted for, in words, or null; `questioned`: whether a question is on this page. */
export function roomWords({ role, code, counts }, asking, picked, questioned = true) {
  if (role === 'host') return `Room ${code}: ${counts ? counts.voters : 0} voted${asking ? '. To join: Q shows the link, or Lessons, “Join a room” and this code.' : ''}`;
  if (role !== 'guest') return '';
  if (!questioned) return `In room ${code}. Its code names no lesson: open the one that is on the projector and go to its question. You vote there.`;
  return `In room ${code}${asking && picked !== null ? `. Voted: ${picked}; wait for the reveal. Another choice changes the vote.` : ''}`;
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

/** The room of `player`'s questions over the server's vote and votes; without them it can't be opened. Until the
 *  presenter's page shows the numbers, a guest's page keeps them back. */
export function createRoom(player, server) {
  const served = Boolean(server && server.vote && server.votes);
  const store = createState({ ...ROOM_NONE, picked: {}, free: {} });
  let timer = null;
  let name = null;
  let told = null;
  let played = player.store.get().form;

  const can = () => served;
  const question = () => {
    const { form, beat } = player.store.get();
    const predict = form && (form.lesson.beats[beat] || {}).predict;
    return predict ? { name: `${form.lesson.slug}:${beat}`, options: predict.options } : null;
  };
  const waiting = () => { const now = question(); return store.get().role === 'guest' && Boolean(now) && !store.get().free[now.name]; };
  player.hold(waiting);
  name = (question() || { name: null }).name;

  /** The server's answer about a question, of this room; null where it can't be reached or is out of date. */
  async function ask(call, asked, more = {}) {
    const { code } = store.get();
    if (!asked || !code) return null;
    let answer;
    try {
      answer = await server[call]({ room: code, question: asked.name, options: asked.options.length, ...more });
    } catch {
      return { error: { what: '' } }; // the server can't be reached: the room is silent, the lesson goes on
    }
    const now = question();
    return now && now.name === asked.name && store.get().code === code ? answer : null;
  }

  async function counted() {
    const answer = await ask('votes', question());
    if (answer && !(answer.error && !answer.error.what)) store.set(answer.error ? { error: answer.error.what } : { counts: answer, error: null });
  }

  // The numbers of `asked` come on screen, with the vote as the answer.
  function release(asked, more = {}) {
    const { free, picked } = store.get();
    store.set({ free: { ...free, [asked.name]: true }, ...more });
    if (asked.name in picked) player.predict(picked[asked.name]);
  }

  async function looked() {
    const asked = question();
    const { code } = store.get();
    const answer = await server.votes({ room: code, question: shownName(asked.name), options: 2 }).catch(() => null);
    const now = question();
    if (answer && answer.voters > 0 && now && now.name === asked.name && store.get().code === code) release(asked);
  }

  function tell() {
    const asked = question();
    const { role, code } = store.get();
    const mine = asked && `${code} ${asked.name}`;
    if (role !== 'host' || !asked || player.asking() || told === mine) return;
    told = mine;
    server.vote({ room: code, question: shownName(asked.name), options: 2, option: 0, voter: voter() }).catch(() => { told = null; });
  }

  function poll() {
    clearTimeout(timer);
    timer = null;
    if (store.get().role === null) return;
    const next = () => { if (store.get().role !== null) timer = setTimeout(poll, ROOM_POLL_MS); };
    const now = question();
    // A voter's page asks once its vote is taken: to ask for the counts of a mistyped room would open it.
    if (!now || document.hidden || (store.get().role !== 'host' && !(now.name in store.get().picked))) { next(); return; }
    tell();
    (waiting() ? looked() : counted()).then(next);
  }

  player.store.subscribe(() => {
    // With the lesson its room is left; one that was joined before any lesson stays.
    const closed = played && !player.store.get().form;
    played = player.store.get().form;
    if (closed && store.get().role !== null) { name = null; store.set({ ...ROOM_NONE, picked: {}, free: {} }); return; }
    tell();
    const now = question();
    if ((now && now.name) === name) return;
    name = now ? now.name : null;
    store.set({ counts: null, error: null });
    if (store.get().role !== null) poll();
  });

  return {
    /** {can, role, code, counts, error, waiting, words}: `waiting` where the numbers are kept from this page. */
    get() {
      const { role, code, counts, error, picked } = store.get();
      const now = question();
      const words = roomWords({ role, code, counts }, player.asking(), now && now.name in picked ? now.options[picked[now.name]] : null, Boolean(now));
      return { can: can(), role, code, counts, error, waiting: waiting(), words };
    },
    subscribe: store.subscribe,
    /** The presenter's: a new code. */
    open() {
      if (!can()) return;
      store.set({ ...ROOM_NONE, role: 'host', code: roomCode() });
      poll();
    },
    /** Away from a question the server is asked whether there is such a room: a vote that no question counts. */
    async join(text) {
      const code = readCode(text);
      if (!can()) return;
      if (!code) { store.set({ error: 'A room’s code has four to eight letters or digits.' }); return; }
      if (!question()) {
        const answer = await server.vote({ room: code, question: ROOM_JOINED, options: 2, option: 0, voter: voter() }).catch(() => ({ error: { what: 'The server can’t be reached: try again.' } }));
        if (answer.error) { store.set({ error: answer.error.what }); return; }
      }
      store.set({ ...ROOM_NONE, role: 'guest', code, picked: {}, free: {} });
      poll();
    },
    /** Sends the prediction; the presenter's own isn't counted. A vote that isn't taken keeps no numbers back. */
    async vote(option) {
      const asked = question();
      if (!waiting() || !(option >= 0 && option < asked.options.length)) return;
      const answer = await ask('vote', asked, { option, voter: voter() });
      if (!answer) return;
      store.set({ picked: { ...store.get().picked, [asked.name]: option } });
      if (answer.error) release(asked, { error: answer.error.what || null });
      else store.set({ counts: answer, error: null });
    },
  };
}
