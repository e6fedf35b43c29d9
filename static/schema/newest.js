// Asking the server about what is being typed: soon after the last change, and only the newest answer counts.

const NEWEST_CLOCK = { set: (fn, ms) => setTimeout(fn, ms), clear: (id) => clearTimeout(id), now: () => performance.now() };
const NEWEST_WAIT_MS = 60;
// A change after so long a pause isn't part of a burst of typing: it is asked about at once.
const NEWEST_PAUSE_MS = 300;
// So many questions may be under way: an old one that is slow doesn't hold up the newest.
const NEWEST_LANES = 2;

/** Calls `run(input)`, a promise, for the newest input. `take(answer, input)` hears the answer unless a newer input came meanwhile;
 *  `busy(on)` hears when a question is open. Returns {ask(input, {now}), drop()}: `now` leaves out the wait, `drop` forgets what is open. */
export function createNewest({ run, take, busy = () => {}, wait = NEWEST_WAIT_MS, clock = NEWEST_CLOCK }) {
  let serial = 0;
  let input = null;
  let sent = 0;
  let timer = null;
  let inFlight = 0;
  let lastAsked = -Infinity;

  const begun = (asked) => { try { return Promise.resolve(run(asked)); } catch (reason) { return Promise.reject(reason); } };
  const open = () => timer !== null || sent < serial || inFlight > 0;

  function send() {
    timer = null;
    if (inFlight >= NEWEST_LANES || sent === serial) return;
    const mine = serial;
    const asked = input;
    sent = mine;
    inFlight += 1;
    // At once, not in a later turn: what the page draws meanwhile can wait, the question can't.
    sure(begun(asked)).then((answer) => {
      inFlight -= 1;
      if (mine === serial) {
        busy(false);
        take(answer, asked);
      } else if (timer === null && open()) send();
    });
  }

  return {
    ask(next, { now = false } = {}) {
      const at = clock.now();
      const burst = at - lastAsked < NEWEST_PAUSE_MS;
      lastAsked = at;
      serial += 1;
      input = next;
      busy(true);
      if (timer !== null) clock.clear(timer);
      timer = null;
      if (now || !burst) send(); else timer = clock.set(send, wait);
    },
    drop() {
      serial += 1;
      sent = serial;
      if (timer !== null) clock.clear(timer);
      timer = null;
      busy(false);
    },
  };
}

/** The answer of a call, or a card in its place: where the server fails, a call is rejected or brings nothing at all. */
export function sure(call) {
  return call.then((answer) => answer ?? { error: unanswered(null) }, (reason) => ({ error: unanswered(reason) }));
}

/** The card for a server that gave no answer. */
export function unanswered(reason) {
  const why = reason && reason.message ? String(reason.message).slice(0, 200) : 'no reason given';
  return { what: 'The server did not answer.', where: '', hint: `What is on screen stays; try again in a moment. (${why})`, line: null, column: null };
}
