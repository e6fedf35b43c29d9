// "What did my edit change?": the texts that only one of two constraints allows, and how far apart the model's laws are.

import { h, fill, keyed, setAttr, setShown, setText } from '../stage/dom.js';
import { visible } from '../stage/format.js';
import { probBetween } from '../stage/interval.js';
import { betweenWords } from '../squeezing/boundary.js';
import { runName } from '../squeezing/state.js';
import { prose, sentence } from './prose.js';
import { specKey, specOf } from './state.js';

const DIFFERENCE_ROWS = 8;

function side(title, found, add, none) {
  return h('div', { class: 'sc-side' }, h('h4', null, title), found ? [h('button', { type: 'button', class: 'sc-example-text', title: 'Add it to the test strings', onclick: () => add(found.text) }, h('code', null, visible(found.text) || 'the empty string')), found.note ? h('p', { class: 'pg-faint' }, prose(found.note.replace('the right one', 'the constraint as it is now').replace('the left one', 'the constraint from before'))) : null] : h('p', { class: 'pg-quiet' }, none));
}

/** Draws what an edit changed; `answer` null: nothing is pinned yet. */
export function drawDifference(answer, box, { pin, unpin, add, back, between }) {
  if (!answer) {
    fill(box, h('p', null, 'Keep the constraint as it is now as “before”, then edit it: the shortest text that only one of them allows is shown, each way.'), h('button', { type: 'button', class: 'pg-button pg-primary', onclick: pin }, 'Keep this as “before”'));
    return;
  }
  const head = h('div', { class: 'sc-diff-actions' }, h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: pin }, 'Keep this as “before”'), h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: back }, 'Back to “before”'), h('button', { type: 'button', class: 'pg-link', onclick: unpin }, 'Forget it'));
  if (answer.same) { fill(box, head, h('p', null, 'The constraint is still the one that was kept. Edit it to see what changes.')); return; }
  const { only_left: before, only_right: after, equal, how } = answer;
  const words = equal === true ? 'Nothing changed: both allow the same texts.' : equal === null ? 'No difference was found, and none was excluded.' : before && after ? 'Each allows texts that the other does not.' : before ? 'The edit made it stricter: nothing new is allowed.' : after ? 'The edit made it looser: nothing was taken away.' : 'They differ.';
  fill(box, head, h('p', { class: 'sc-summary' }, words), h('div', { class: 'sc-sides' }, side('Only before allows', before, add, 'No such text.'), side('Only now allows', after, add, 'No such text.')), h('p', { class: 'pg-faint' }, `${sentence(how)}.`), between);
}

const toyWords = (models) => `The rail of Step holds a toy: its few tokens spell its own example’s texts alone, so it has no law under these constraints. ${models.length ? `“Open in Step with a model” puts ${models[0]} and this constraint into the rail; come back then and ask again.` : 'Choose a model in the rail of Step, then ask again.'}`;

const lawWords = ({ p_V: law }) => (law ? probBetween(law).text : '–');

/** The model's law under both constraints, as a node to put under the difference: asked for by a press, since it reads the model.
 *  `ask(what)` starts a run, `stop(run)` ends one; `toy()` says whether the rail's model is one, `openStep()` puts a model there. Returns {node, receive, notice}. */
export function mountBetween(state, { ask, stop, toy, models, openStep }) {
  let run = null;
  let key = null;
  let running = false;
  let doc = null;
  let error = null;
  let words = '';
  let onToy = false;
  const offer = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true, title: 'It puts a model and this constraint into the rail', onclick: openStep }, 'Open in Step with a model');
  const start = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: begin }, 'How far do the model’s laws move?');
  const end = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true, onclick: () => { if (run) stop(run); } }, 'Stop');
  const says = h('p', { 'aria-live': 'polite' });
  const body = h('tbody', null);
  const table = h('table', { class: 'pg-table' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Text'), h('th', { scope: 'col', class: 'pg-num' }, 'p_V before'), h('th', { scope: 'col', class: 'pg-num' }, 'p_V now'))), body);
  const scroll = h('div', { class: 'pg-scroll' }, table);
  const node = h('section', { class: 'sc-between', 'aria-label': 'On the model' }, h('h4', null, 'On the model of the rail'), h('p', { class: 'pg-quiet' }, 'TV between the exact laws under both constraints, with the model, the prompt and the sampling that the rail of Step holds.'), h('div', { class: 'sc-diff-actions' }, start, end), says, offer, scroll);
  const keyNow = () => { const now = state.get(); return now.pinned ? JSON.stringify([specKey(now.pinned), specKey(now)]) : null; };

  function begin() {
    const now = state.get();
    if (running && run) stop(run);
    run = runName('between');
    [key, running, doc, error, words] = [keyNow(), true, null, null, 'Asking …'];
    onToy = toy();
    ask({ run, kind: 'between', left: now.pinned, right: specOf(now) });
    draw();
  }

  function draw() {
    const fits = key !== null && key === keyNow();
    setShown(end, running && fits);
    setShown(start, !(running && fits));
    setShown(scroll, Boolean(doc) && fits);
    // A toy's few tokens don't spell the texts of another constraint, and its error tells of letters alone. Once the rail holds another
    // model, what was said of the toy is no answer.
    if (error && onToy && !toy()) [error, words] = [null, 'The rail of Step holds another model now: ask again.'];
    const cant = fits && Boolean(error) && onToy;
    setShown(offer, cant && models.length > 0);
    setText(says, !fits ? '' : cant ? toyWords(models) : error ? `${error.what} ${error.hint || ''}` : doc ? `${running ? 'So far: ' : ''}${betweenWords(doc)}` : words);
    setAttr(node, 'data-running', running && fits);
    if (doc && fits) {
      keyed(body, doc.texts.slice(0, DIFFERENCE_ROWS), ({ text }) => text, () => h('tr', null, h('th', { scope: 'row' }, h('code', null)), h('td', { class: 'pg-num' }), h('td', { class: 'pg-num' })), (row, text) => {
        setText(row.querySelector('code'), visible(text.text) || 'the empty string');
        setText(row.children[1], lawWords(text.left));
        setText(row.children[2], lawWords(text.right));
      });
    }
  }
  state.subscribeLate(draw);
  draw();
  return {
    node,
    receive(value) { if (value.run === run && value.document) { doc = value.document; draw(); } },
    notice(news) {
      if (news.run !== run) return;
      running = news.running !== false;
      error = news.error || null;
      words = news.progress ? news.progress.words : running ? 'Searching both sides …' : '';
      draw();
    },
  };
}
