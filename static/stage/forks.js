// Changing the run: take another token, fork, look at a ghost, change the problem, follow a text.

import { laneIds, laneThatTook, lastIndex, positionOf, standingOf } from './lane.js';
import { LIMITS } from './settings.js';

/** The changes over a store's core; see `createCore`. */
export function createForks(core, moves) {
  let waitingReplay = null;

  function selectLane(id) {
    const to = core.byId(id);
    if (!to || to.ghost || id === core.laneId) return;
    moves.halt();
    core.laneId = id;
    core.show(Math.min(core.cursor, lastIndex(to)));
    core.changed();
  }

  function take(token) {
    const pressed = core.lane();
    const position = core.shown();
    if (!pressed || pressed.ghost || !position) return Promise.resolve();
    const row = position.candidates.find((each) => each.id === token);
    if (row && !row.allowed) return ghost(token);
    const n = core.cursor;
    const prefix = laneIds(pressed, n);
    if (!core.live() && !laneThatTook(core.lanes, prefix, token)) { core.needsServer('Another token'); return Promise.resolve(); }
    moves.halt();
    // A draw on its way to the same place would put its token where this one was asked for.
    if (n === pressed.steps.length) moves.cancelDraw();
    return core.queue.add(async (ticket) => {
      const known = laneThatTook(core.lanes, prefix, token);
      if (known) { selectLane(known.id); moves.moveTo(n); return; }
      const from = core.byId(pressed.id);
      if (!from || from.steps.length < n || laneIds(from, n).some((id, i) => id !== prefix[i])) return;
      const answer = await core.ask('advance', { path: prefix, action: { take: token } });
      if (ticket.stale()) return;
      if (answer.error) { core.fail(answer.error); return; }
      if (!answer.step || core.byId(from.id) !== from) return;
      if (n === from.steps.length) { moves.append(from, answer, core.cursor === n); return; }
      core.remember();
      core.addLane({ parent: from.id, forkAt: n, run: from.run, steps: Object.freeze([...from.steps.slice(0, n), Object.freeze(answer.step)]), ...standingOf(answer) });
      core.show(n);
      core.changed();
    });
  }

  function branch() {
    const from = core.lane();
    if (!from || from.ghost || !core.shown()) return;
    moves.halt();
    core.remember();
    const n = core.cursor;
    const frontier = n < from.steps.length ? positionOf(from.steps[n]) : from.frontier;
    // Another run number: the new lane draws its own luck, where a token taken by hand keeps the parent's.
    const run = Math.max(...core.lanes.map((each) => each.run)) + 1;
    core.addLane({ parent: from.id, forkAt: n, run, steps: Object.freeze(from.steps.slice(0, n)), frontier });
    core.show(n);
    core.changed();
  }

  function ghost(token) {
    const from = core.lane();
    if (!from || from.ghost) return Promise.resolve();
    const n = core.cursor;
    core.set({ lockedToken: token });
    if (core.lanes.some((each) => each.ghost && each.parent === from.id && each.forkAt === n && each.info.token.id === token)) return Promise.resolve();
    if (!core.live()) { core.needsServer('A ghost branch'); return Promise.resolve(); }
    moves.halt();
    return core.queue.add(async (ticket) => {
      const answer = await core.ask('ghost', { path: laneIds(from, n), token });
      if (ticket.stale() || !core.byId(from.id)) return;
      if (answer.error) { core.fail(answer.error); return; }
      core.remember();
      core.dropGhosts();
      core.addLane({ parent: from.id, forkAt: n, ghost: true, name: 'ghost', steps: Object.freeze(from.steps.slice(0, n)), outcome: 'rejected', info: Object.freeze(answer) });
      core.changed();
    });
  }

  function dropGhost() {
    if (!core.lanes.some((each) => each.ghost)) return;
    core.remember();
    core.dropGhosts();
    core.changed();
  }

  /** Changes the problem (a partial problem, or a function from the problem to one) and recomputes the path.
   *  Changes that still wait for the queue are merged into one request. `path`: the path to walk instead, where ids have changed; an
   *  empty one starts the run again. `run`: the stream to draw from then. `again`: which attempt the page shows, {attempt, prompt: the first one's, error}. */
  function replay(patch = {}, { path = null, run: stream = null, again = null } = {}) {
    if (!core.lane()) return Promise.resolve();
    if (!core.live()) { core.needsServer('This change'); return Promise.resolve(); }
    if (waitingReplay && core.queue.waits(waitingReplay.run)) {
      waitingReplay.patches.push(patch);
      const { asked } = waitingReplay;
      Object.assign(asked, { path: path || asked.path, stream: stream ?? asked.stream, again: again || asked.again });
      return waitingReplay.promise;
    }
    const patches = [patch];
    const asked = { path, stream, again };
    const run = (ticket) => replayNow(ticket, patches, asked);
    waitingReplay = { run, patches, asked, promise: moves.change(run) };
    return waitingReplay.promise;
  }

  async function replayNow(ticket, patches, asked) {
    const from = core.lane();
    const problem = patches.reduce((soFar, patch) => ({ ...soFar, ...(typeof patch === 'function' ? patch(soFar) : patch) }), core.base.problem);
    const answer = await core.ask('replay', { problem, path: asked.path || laneIds(from, from.steps.length) });
    if (ticket.stale()) return;
    if (answer.error && !(answer.steps && answer.steps.length) && !answer.frontier) { core.fail(answer.error); return; }
    // Watching a token changes no number, so the other lanes stay; anything else makes them another problem's.
    const keepLanes = patches.every((patch) => patch.watchOnly === true);
    const anew = asked.path !== null && asked.path.length === 0;
    const about = { lesson: answer.lesson || core.base.lesson || null, again: asked.again || core.base.again || null };
    core.loadDoc({ ...answer, ...about, cursor: anew ? answer.cursor : core.cursor }, { keepLanes, run: asked.stream ?? from.run, inLine: true });
  }

  function watch(token) {
    const watched = (core.base && core.base.problem.watch) || [];
    if (!watched.includes(token) && watched.length >= LIMITS.watchedTokens) {
      core.fail({ what: `At most ${LIMITS.watchedTokens} tokens can be watched.`, where: 'watch', hint: 'Stop watching another one first.', line: null, column: null });
      return Promise.resolve();
    }
    const toggle = (problem) => {
      const now = problem.watch || [];
      return { watch: now.includes(token) ? now.filter((id) => id !== token) : [...now, token] };
    };
    toggle.watchOnly = true;
    return replay(toggle);
  }

  async function follow(text) {
    if (!core.base) return null;
    if (!core.live()) { core.needsServer('Following a text'); return null; }
    moves.halt();
    moves.cancelDraw();
    let answer = null;
    await core.queue.add(async (ticket) => {
      const got = await core.ask('follow', { text });
      if (ticket.stale()) return;
      if (got.error && !got.follow) { core.fail(got.error); return; }
      core.loadDoc(got, { inLine: true });
      answer = got;
    });
    return answer;
  }

  // Requests that only read: they neither wait for the queue nor change what is shown.
  async function read(name, payload, what) {
    if (!core.lane()) return null;
    if (!core.live()) { core.needsServer(what); return null; }
    const answer = await core.ask(name, { path: laneIds(core.lane(), core.cursor), ...payload });
    if (answer.error) { core.fail(answer.error); return null; }
    return answer;
  }

  /** Asks for the refused run on screen again, with its error in the prompt: another problem, whose run starts anew. */
  async function askAgain() {
    const from = core.lane();
    if (!from) return;
    if (!core.live()) { core.needsServer('Asking again'); return; }
    moves.halt();
    const { problem, again: before } = core.base;
    // As the method does: each attempt's prompt is the first one with the latest refusal, not a pile of all.
    const prompt = before ? before.prompt : problem.prompt;
    const answer = await core.ask('again', { problem: { ...problem, prompt }, path: laneIds(from, from.steps.length) });
    if (core.lane() !== from) return;
    if (answer.error && answer.prompt === undefined) { core.fail(answer.error); return; }
    const attempt = (before ? before.attempt : 1) + 1;
    await replay({ prompt: answer.prompt, prefill: '' }, { path: [], run: Math.max(...core.lanes.map((each) => each.run)) + 1, again: Object.freeze({ attempt, prompt, error: answer.error }) });
  }

  /** Puts the other lanes of a link beside the one on screen, which is its first. others: {parent, at, run, page} each, the parent by its
   *  place among all, or null for one that can't be shown; run: the first lane's stream. */
  function openLanes(others, { run, shown, cursor }) {
    const ids = [core.laneId];
    core.replaceLane(core.laneId, { run });
    for (const each of others) {
      const parent = each && core.byId(ids[each.parent] ?? ids[0]);
      if (each) core.addLane({ parent: parent.id, forkAt: Math.min(each.at, parent.steps.length), run: each.run, ...standingOf(each.page), steps: Object.freeze(each.page.steps.map((step) => Object.freeze(step))) });
      ids.push(each ? core.laneId : null);
    }
    core.laneId = ids[shown] ?? ids[0];
    core.show(Math.max(0, Math.min(lastIndex(core.lane()), cursor)));
    core.changed();
  }

  return {
    actions: {
      take, openLanes, ghost, dropGhost, branch, selectLane, replay, watch, follow, askAgain,
      find: (query) => read('find', { query }, 'Looking up a token'),
      fullGraph: () => read('graph', {}, 'The whole automaton'),
      /** The exact law after `path`: the answer, {error}, or null without a server. */
      exact: (path) => (core.live() && core.server.exact && core.lane() ? core.ask('exact', { path }) : Promise.resolve(null)),
    },
  };
}
