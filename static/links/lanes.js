// The Step screen's state in a link: the tokens of every lane, the place, how it is looked at. No page here.

import { changes, fits, taken } from './checks.js';
import { misfit } from './pack.js';

const LANES_MOST = 12;
const LANES_TOKENS = 1024;
/** How the stage is looked at, and what that may be. */
const LANES_VIEW = { order: fits.oneOf(['raw', 'masked', 'exact']), log: fits.flag, layer: fits.oneOf(['both', 'model', 'mask', 'exact']), exact: fits.flag, panel: fits.oneOf(['candidates', 'state', 'charts']) };
const LANES_USUAL = { order: 'raw', log: false, layer: 'both', exact: null, panel: 'candidates' };
const lanesIds = fits.list(fits.whole(0, 2 ** 31 - 1), LANES_TOKENS);

// Ghosts are no runs; of very many lanes the one on screen and the oldest are kept.
function lanesKept(lanes, shown) {
  const runs = lanes.filter((each) => !each.ghost);
  let others = LANES_MOST - 1;
  return runs.filter((each) => each.id === shown || (others -= 1) >= 0);
}

/** Lanes as a link keeps them: the ids after the fork, then the parent's place among them, where it forked, its stream of luck; what
 *  is 0 at the end is left out. */
export function lanesPart(kept) {
  return kept.map(({ steps, parent, forkAt, run }) => {
    const at = kept.findIndex((each) => each.id === parent);
    const from = at < 0 ? 0 : forkAt;
    const row = [steps.slice(from).map((step) => step.taken.id), Math.max(0, at), from, run];
    while (row.length > 1 && row[row.length - 1] === 0) row.pop();
    return row;
  });
}

/** The part of a link about what the stage shows. store: the stage's. */
export function stagePart(store) {
  const doc = store.doc();
  const kept = lanesKept(store.lanes(), store.lane().id);
  const shown = kept.findIndex((each) => each.id === store.lane().id);
  const view = changes(store.view(), LANES_USUAL, LANES_VIEW);
  const part = { l: lanesPart(kept), c: store.cursor(), r: doc.provenance.revision };
  if (shown > 0) part.s = shown;
  if (Object.keys(view).length) part.w = view;
  return part;
}

/** What such a part says: {lanes: [{path, parent, at, run}], shown, cursor, view, revision}, each lane's path from its start; or {error}, a card. */
export function stageOf({ l = [[[]]], s = 0, c = 0, w = {}, r = null }) {
  const view = taken(w, LANES_VIEW);
  const about = taken({ s, c }, { s: fits.whole(0, LANES_MOST - 1), c: fits.whole(0, LANES_TOKENS) });
  if (!view || !about || !(r === null || fits.text(80)(r)) || !Array.isArray(l) || !l.length || l.length > LANES_MOST) return { error: misfit('a run') };
  const lanes = [];
  for (const row of l) {
    if (!Array.isArray(row) || !row.length || row.length > 4) return { error: misfit('a run') };
    const [ids, parent = 0, at = 0, run = 0] = row;
    const first = lanes.length === 0;
    const whole = [[parent, first ? 0 : lanes.length - 1], [at, first ? 0 : LANES_TOKENS], [run, 2 ** 31 - 1]].every(([value, most]) => fits.whole(0, most)(value));
    if (!whole || !lanesIds(ids) || (!first && at > lanes[parent].path.length)) return { error: misfit('a run') };
    const path = first ? ids : [...lanes[parent].path.slice(0, at), ...ids];
    if (path.length > LANES_TOKENS) return { error: misfit('a run') };
    lanes.push({ path, parent, at, run });
  }
  if (s >= lanes.length) return { error: misfit('a run') };
  return { lanes, shown: s, cursor: c, view, revision: r };
}
