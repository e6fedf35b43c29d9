// A small model worked by hand, and a server over it whose answers come when the test lets them: sk then y .98, ill .002.

const WORDS = ['sk', 'cloud', 'ill', 'y', 'the'];
export const EOS = 5;
const VALID = ['skill', 'cloud'];

export const token = (id) => ({ id, text: id === EOS ? '<eos>' : WORDS[id], hex: id === EOS ? '' : Buffer.from(WORDS[id]).toString('hex'), special: id === EOS, partial: false, eos: id === EOS });
const textOf = (path) => path.filter((id) => id !== EOS).map((id) => WORDS[id]).join('');

function law(path) {
  const text = textOf(path);
  if (text === '') return [0.6, 0.25, 0, 0, 0.15, 0];
  if (text === 'sk') return [0, 0, 0.002, 0.98, 0.018, 0];
  return [0, 0, 0, 0, 0.03, 0.97];
}

export function position(path) {
  const p = law(path);
  const text = textOf(path);
  const allowed = p.map((_, id) => (id === EOS ? VALID.includes(text) : !VALID.includes(text) && VALID.some((word) => word.startsWith(text + WORDS[id]))));
  const z = p.reduce((sum, x, id) => sum + (allowed[id] ? x : 0), 0);
  const order = p.map((_, id) => id).sort((a, b) => p[b] - p[a] || a - b);
  const candidates = order.filter((id) => p[id] > 0).map((id, i) => ({ ...token(id), logit: Math.log(p[id]), p: p[id], masked: allowed[id] ? p[id] / z : 0, allowed: allowed[id], rank: i + 1, watched: false,
    states: ['q0'], killed_at: allowed[id] ? null : 0, expected: allowed[id] ? [] : ['c', 's'], next: allowed[id] ? 'q1' : null }));
  return { index: path.length, text_before: text, log_z: Math.log(z), z, bits: -Math.log2(z), entropy_before: 1, entropy_after: 0.5, allowed: allowed.filter(Boolean).length, vocab: 6,
    may_stop: VALID.includes(text), forced: allowed.filter(Boolean).length === 1, dead: z === 0, argmax_blocked: !allowed[order[0]], argmax: candidates[0],
    state: { name: `q${path.length}`, words: '', expected: ['c', 's'], may_stop: VALID.includes(text), pointer: null, needs: 'ill' }, candidates,
    other_allowed: { count: 0, p: 0, masked: 0 }, other_blocked: { count: 6 - candidates.length, p: 0 }, graph: { nodes: [], edges: [], full: true, states: 9 } };
}

export function step(path, id) {
  const here = position(path);
  const taken = here.candidates.find((each) => each.id === id);
  const events = [here.argmax_blocked && 'argmax_blocked', here.forced && 'forced', here.may_stop && 'may_stop', id === EOS && 'end'].filter(Boolean);
  return { ...here, taken, log_p: Math.log(taken.p), log_proposal: Math.log(taken.masked), log_weight: here.log_z, next: 'q1', events, seconds: 0.01 };
}

const outcomeOf = (path) => (path.includes(EOS) ? 'accepted' : 'running');
const after = (path) => ({ frontier: outcomeOf(path) === 'running' ? position(path) : null, outcome: outcomeOf(path), verdict: null, validated: null });

export function makeDoc(path, fields = {}) {
  return { v: 1, problem: { model: 'toy:sky', watch: [], max_tokens: 8, sampling: { temperature: 1 } }, provenance: { model: 'toy:sky', kind: 'toy' }, eos: [token(EOS)], prompt: [],
    constraint: { kind: 'choices', engine: 'bytes', states: 9, notes: [] }, steps: path.map((id, i) => step(path.slice(0, i), id)), ...after(path),
    cursor: 0, lesson: null, follow: null, error: null, ...fields };
}

/** A server that answers at once (hold: false) or when `release()` is called, oldest first. Draws are forced by `draws`. */
export function makeServer({ hold = false, draws = () => 0 } = {}) {
  const calls = [];
  const held = [];
  const answer = (name, request, make) => {
    calls.push({ name, ...request });
    if (!hold) return Promise.resolve(make());
    return new Promise((resolve, reject) => held.push({ resolve: () => resolve(make()), reject, name }));
  };
  const drawn = (path, run) => {
    const allowed = position(path).candidates.filter((each) => each.allowed);
    return allowed[draws(run, path.length) % allowed.length].id;
  };
  return {
    calls,
    held,
    release: async (n = 1) => {
      for (let i = 0; i < n; i += 1) held.shift().resolve();
      await settled();
    },
    advance: (request) => answer('advance', request, () => {
      const id = 'take' in request.action ? request.action.take : drawn(request.path, request.action.draw);
      return { step: step(request.path, id), ...after([...request.path, id]) };
    }),
    replay: (request) => answer('replay', request, () => makeDoc(request.path, { problem: request.problem })),
    ghost: (request) => answer('ghost', request, () => ({ token: token(request.token), text_before: textOf(request.path), valid_part: '', bad_part: WORDS[request.token], offset: 2, line: 1, column: 3, expected: ['i'], needs: 'ill', sentence: 'It breaks.' })),
    follow: (request) => answer('follow', request, () => makeDoc([0, 2], { follow: { verdict: 'incomplete' } })),
    find: (request) => answer('find', request, () => ({ matches: [], total: 0 })),
  };
}

/** Lets all promises that can run, run. */
export async function settled() {
  for (let i = 0; i < 60; i += 1) await Promise.resolve();
}

/** A clock under the test's hand: `tick()` runs the next timer. */
export function makeClock() {
  const timers = [];
  let last = 0;
  return {
    timers,
    set: (fn, ms) => { last += 1; timers.push({ id: last, fn, ms }); return last; },
    clear: (id) => { const at = timers.findIndex((each) => each.id === id); if (at >= 0) timers.splice(at, 1); },
    tick: async () => { const next = timers.shift(); if (next) next.fn(); await settled(); return Boolean(next); },
  };
}
