// Moving through the run: step, play, jump to events, and draw new tokens at its end.

import { eventAt, pausesAt } from './events.js';
import { laneIds, lastIndex } from './lane.js';

const MOVES_PLAY_MS = 700;

/** The moves over a store's core; see `createCore`. */
export function createMoves(core) {
  let until = null;
  let untilRemembered = false;
  let timer = null;

  const canDraw = (lane) => Boolean(lane) && !lane.ghost && lane.outcome === 'running' && core.live();

  /** Puts an answered step at the end of `target`. `stayed`: the visitor is where they were when they asked, so the screen follows. */
  function append(target, answer, stayed) {
    const follow = stayed && core.laneId === target.id && core.cursor >= target.steps.length - 1;
    // A run to the end is one thing to undo.
    if (!until || !untilRemembered) core.remember();
    untilRemembered = until !== null;
    core.extend(target, answer);
    if (answer.step && follow) core.show(target.steps.length);
    core.changed();
  }

  async function draw(ticket) {
    const target = core.lane();
    if (!canDraw(target)) { stopRun(); return; }
    const from = core.cursor;
    const answer = await core.ask('advance', { path: laneIds(target, target.steps.length), action: { draw: target.run } });
    if (ticket.stale()) return;
    if (answer.error) { core.fail(answer.error); return; }
    if (core.byId(target.id) !== target) return;
    append(target, answer, core.cursor === from);
    const now = core.byId(target.id);
    if (until && (now.outcome !== 'running' || until(now.steps, now.steps.length - 1))) stopRun();
  }

  function stopRun() {
    until = null;
    core.set({ running: false });
  }

  /** Stops drawing and playing. A request in flight may still bring its step; other changes in line stay. */
  function halt() {
    core.queue.drop(draw);
    until = null;
    if (timer !== null) core.time.clear(timer);
    timer = null;
    core.set({ playing: false, running: false });
  }

  function moveTo(index) {
    const to = Math.max(0, Math.min(lastIndex(core.lane()), index));
    if (to === core.cursor) return;
    core.show(to);
    core.changed();
  }

  function next() {
    const lane = core.lane();
    if (lane && core.cursor >= lane.steps.length - 1 && canDraw(lane)) return core.queue.add(draw);
    moveTo(core.cursor + 1);
    return Promise.resolve();
  }

  async function tick() {
    timer = null;
    const before = core.shown();
    await next();
    if (!core.view.playing) return;
    const lane = core.lane();
    const ended = lane === null || (core.cursor >= lastIndex(lane) && !canDraw(lane));
    if (ended || (core.view.pauseOnEvents && core.shown() !== before && pausesAt(lane.steps[core.cursor]))) core.set({ playing: false });
    else timer = core.time.set(tick, MOVES_PLAY_MS / core.view.speed);
  }

  function play() {
    const lane = core.lane();
    if (!lane) return;
    halt();
    if (core.cursor >= lastIndex(lane) && !canDraw(lane)) moveTo(0);
    core.set({ playing: true });
    timer = core.time.set(tick, 0);
  }

  /** Draws until `stop(steps, index of the newest)` or the run's end. */
  function runUntil(stop) {
    const lane = core.lane();
    halt();
    moveTo(lastIndex(lane));
    if (!canDraw(lane)) return Promise.resolve();
    until = stop;
    untilRemembered = false;
    core.set({ running: true });
    return core.queue.pump();
  }

  function nextEvent(direction = 1) {
    const lane = core.lane();
    if (!lane) return Promise.resolve();
    for (let i = core.cursor + direction; i >= 0 && i < lane.steps.length; i += direction) {
      if (eventAt(lane.steps, i)) { halt(); moveTo(i); return Promise.resolve(); }
    }
    if (direction > 0) return runUntil((steps, i) => eventAt(steps, i) !== null);
    halt();
    moveTo(0);
    return Promise.resolve();
  }

  return {
    append,
    halt,
    moveTo,
    /** Puts a change of the problem in line: tokens that were asked for come after it, from the new problem. */
    change: (run) => { untilRemembered = false; return core.queue.addBefore(draw, run); },
    /** What the queue does when nothing waits. */
    more: () => (until ? draw : null),
    /** Makes the draw in flight, if any, come to nothing. */
    cancelDraw: () => core.queue.cancel(draw),
    actions: {
      go: (index) => { if (core.view.playing) halt(); moveTo(index); },
      next: () => { if (core.view.playing) halt(); return next(); },
      back: () => { halt(); moveTo(core.cursor - 1); },
      home: () => { halt(); moveTo(0); },
      end: () => { halt(); moveTo(lastIndex(core.lane())); },
      play,
      stop: halt,
      toEnd: () => runUntil(() => false),
      nextEvent,
    },
  };
}
