// The stage's state: lanes of steps, the cursor, the view and undo. Values are frozen; a change is a new value.

import { createForks } from './forks.js';
import { laneIds, laneName, lastIndex, makeLane, standingOf } from './lane.js';
import { createMoves } from './moves.js';
import { createQueue } from './queue.js';

const STORE_HISTORY_LIMIT = 200;

const STORE_VIEW = { order: 'raw', log: false, layer: 'both', exact: null, exactSeen: null, playing: false, speed: 1, pauseOnEvents: true, focusRow: null,
  lockedToken: null, hoverToken: null, color: 'mask', busy: false, running: false, recorded: false, keys: true, panel: 'candidates', progress: null };

function isRecorded(base) {
  return Boolean(base && base.provenance && base.provenance.kind === 'recorded');
}

function storeError(what, where, hint) {
  return { what, where, hint, line: null, column: null };
}

/** What moves and forks work on: the state, and the few ways in which it changes. */
function createCore(server, clock) {
  const listeners = new Set();
  let notified = false;
  let inFlight = 0;
  let past = [];
  let future = [];
  let nextId = 1;

  const core = {
    server,
    time: clock || { set: (fn, ms) => setTimeout(fn, ms), clear: (id) => clearTimeout(id) },
    base: null,
    lanes: Object.freeze([]),
    laneId: 0,
    cursor: 0,
    view: Object.freeze({ ...STORE_VIEW, recorded: server === null }),
    error: null,
    snapshot: null,
    queue: null,

    /** Tells the listeners, once for all changes of this turn. */
    changed() {
      core.snapshot = null;
      if (notified) return;
      notified = true;
      queueMicrotask(() => {
        notified = false;
        for (const fn of [...listeners]) fn();
      });
    },
    /** Whether there is a model to ask: not in an export, nor while a recording is on screen. */
    live: () => server !== null && !isRecorded(core.base),
    subscribe(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    set(partial) {
      if (Object.entries(partial).every(([k, v]) => Object.is(core.view[k], v))) return;
      core.view = Object.freeze({ ...core.view, ...partial });
      core.changed();
    },

    byId: (id) => core.lanes.find((each) => each.id === id),
    lane: () => core.byId(core.laneId) || null,
    shown() {
      const lane = core.lane();
      if (!lane) return null;
      return core.cursor < lane.steps.length ? lane.steps[core.cursor] : lane.frontier;
    },
    doc() {
      if (!core.base) return null;
      const { steps, frontier, outcome, verdict, judged, validated } = core.lane();
      core.snapshot = core.snapshot || Object.freeze({ ...core.base, steps, frontier, outcome, verdict, judged, validated, cursor: core.cursor });
      return core.snapshot;
    },

    /** Moves the cursor; rows pointed at belong to the place that is left. */
    show(index) {
      core.cursor = index;
      const { focusRow, hoverToken, lockedToken } = core.view;
      if (focusRow !== null || hoverToken !== null || lockedToken !== null) core.view = Object.freeze({ ...core.view, focusRow: null, hoverToken: null, lockedToken: null });
    },
    replaceLane(id, fields) {
      core.lanes = Object.freeze(core.lanes.map((each) => (each.id === id ? makeLane({ ...each, ...fields }) : each)));
    },
    /** Adds a lane and, unless it is a ghost, puts it on screen. */
    addLane(fields) {
      const id = nextId++;
      const name = fields.name || laneName(core.lanes.filter((each) => !each.ghost).length);
      core.lanes = Object.freeze([...core.lanes, makeLane({ ...fields, id, name })]);
      if (!fields.ghost) core.laneId = id;
    },
    dropGhosts() {
      core.lanes = Object.freeze(core.lanes.filter((each) => !each.ghost));
    },
    extend(lane, answer) {
      const standing = standingOf(answer);
      if (answer.step) core.replaceLane(lane.id, { ...standing, steps: Object.freeze([...lane.steps, Object.freeze(answer.step)]) });
      else core.replaceLane(lane.id, { ...standing, frontier: standing.frontier || lane.frontier });
    },

    remember() {
      past.push({ base: core.base, lanes: core.lanes, laneId: core.laneId, cursor: core.cursor });
      if (past.length > STORE_HISTORY_LIMIT) past.shift();
      future = [];
    },
    undo: () => restore(past, future),
    redo: () => restore(future, past),
    /** What is on screen, to be put back by `putBack`, which is itself a thing to undo. */
    kept: () => ({ base: core.base, lanes: core.lanes, laneId: core.laneId, cursor: core.cursor }),
    putBack(kept) {
      core.remember();
      abandon();
      core.error = null;
      become(kept);
    },
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,

    fail(error) {
      core.error = error;
      core.halt();
      core.queue.drop();
      core.changed();
    },
    needsServer(what) {
      core.fail(storeError(`${what} needs the model, and this is a recording.`, 'this page',
        'Steps, lanes and panels that were recorded can all be looked at; open the playground itself to go further.'));
    },
    /** One request: its result, or {error} in words. Never throws. */
    async ask(name, payload) {
      inFlight += 1;
      core.set({ busy: true });
      try {
        const result = await server[name]({ problem: core.base.problem, ...payload });
        return result && typeof result === 'object' ? result : { error: storeError('The server gave an empty answer.', name, 'Try again; what is on screen stays.') };
      } catch (reason) {
        const why = reason && reason.message ? String(reason.message).slice(0, 200) : 'no reason given';
        return { error: storeError('The server did not answer.', name, `What is on screen stays; try again in a moment. (${why})`) };
      } finally {
        inFlight -= 1;
        if (inFlight === 0) core.set({ busy: false });
      }
    },

    /** Puts a document on screen; one that only brings an error leaves what is there. `inLine`: called by a job of the
     *  queue, whose later jobs still hold. */
    loadDoc(fresh, { keepLanes = false, undoable = true, run = 0, inLine = false } = {}) {
      if (!fresh) return false;
      const empty = !(fresh.steps && fresh.steps.length) && !fresh.frontier;
      if (fresh.error && empty && core.base) { core.fail(fresh.error); return false; }
      if (!inLine) abandon();
      if (core.base && undoable) core.remember();
      const { steps, frontier, outcome, verdict, judged, validated, cursor, ...base } = fresh;
      core.error = fresh.error || null;
      core.base = Object.freeze(base);
      const fields = { ...standingOf(fresh), steps: Object.freeze((steps || []).map((step) => Object.freeze(step))) };
      if (keepLanes && core.lane()) core.replaceLane(core.laneId, fields);
      else {
        core.lanes = Object.freeze([]);
        core.addLane({ ...fields, run });
      }
      core.show(Math.max(0, Math.min(lastIndex(core.lane()), Number.isInteger(cursor) ? cursor : 0)));
      core.set({ recorded: !core.live() });
      core.changed();
      return true;
    },
  };

  // What is on its way or in line belongs to a world that is being left.
  function abandon() {
    core.halt();
    core.queue.drop();
    core.queue.outdate();
  }

  function restore(from, to) {
    if (!from.length) return;
    abandon();
    to.push({ base: core.base, lanes: core.lanes, laneId: core.laneId, cursor: core.cursor });
    become(from.pop());
  }

  function become({ base, lanes, laneId, cursor }) {
    Object.assign(core, { base, lanes, laneId });
    core.show(cursor);
    core.set({ recorded: !core.live() });
    core.changed();
  }

  return core;
}

/** Creates the store of one stage. `server` may be null (a recording or an export); `clock` {set, clear} lets tests drive time. */
export function createStore({ doc = null, server = null, clock = null } = {}) {
  const core = createCore(server, clock);
  const moves = createMoves(core);
  core.queue = createQueue({ more: moves.more });
  core.halt = moves.halt;
  const forks = createForks(core, moves);
  if (doc) core.loadDoc(doc, { undoable: false });
  return {
    doc: core.doc,
    lanes: () => core.lanes,
    lane: core.lane,
    cursor: () => core.cursor,
    shown: core.shown,
    path: (n = core.cursor) => (core.lane() ? laneIds(core.lane(), n) : []),
    view: () => core.view,
    set: core.set,
    subscribe: core.subscribe,
    error: () => core.error,
    canUndo: core.canUndo,
    canRedo: core.canRedo,
    kept: core.kept,
    live: core.live,
    hooks: { openFind: null, openExport: null },
    actions: {
      ...moves.actions,
      ...forks.actions,
      undo: core.undo,
      redo: core.redo,
      putBack: core.putBack,
      loadDoc: (fresh) => core.loadDoc(fresh),
      showError: core.fail,
      dismissError: () => { if (core.error) { core.error = null; core.changed(); } },
    },
  };
}
