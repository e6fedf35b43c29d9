// Puts a run on the Step stage and shows that screen.

import { dearest } from './words.js';

/** Replays `path` of `problem` on the server and puts it on the stage, at step `cursor`, or at the dearest of `bits`. Returns null, or
 *  the error as a card. */
export async function openInStep(server, problem, path, bits = null, cursor = null) {
  const stage = globalThis.playgroundStage;
  let page;
  try {
    page = await server.replay({ problem, path });
  } catch (reason) {
    page = { error: { what: 'The server did not answer.', where: 'Step', hint: `Try again in a moment. (${reason.message})`, line: null, column: null } };
  }
  if (page.error) return page.error;
  const before = stage.store.doc();
  const same = before && JSON.stringify([before.problem.model, before.problem.toy, before.problem.prompt, before.problem.constraint]) === JSON.stringify([page.problem.model, page.problem.toy, page.problem.prompt, page.problem.constraint]);
  const at = cursor === null ? (bits && bits.length ? dearest(bits) : 0) : cursor;
  stage.update({ ...page, cursor: Math.min(at, Math.max(0, page.steps.length - 1)), lesson: same ? before.lesson : null });
  globalThis.playgroundShell.screen('step');
  return null;
}
