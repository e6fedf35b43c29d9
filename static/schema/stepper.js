// The stepper: one string, byte by byte and token by token. Its caret moves together with one in the schema.

import { h, fill, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted, visible } from '../stage/format.js';
import { createNewest } from './newest.js';
import { answered, specKey, specOf, tooLong } from './state.js';
import { shortName } from './strings.js';
import { asked, mountTokenizer } from './tokenizer.js';
import { blank, cellText, cutWords, groups, hex, lastPlace, merged, moved, nearest, needed, tokenAt, tokenWords, windowAround } from './stepping.js';
import { partNodes, prose } from './prose.js';
import { expectedParts } from './verdict.js';

const STEPPER_CHIPS = 24;
const STEPPER_FRAMES = 12;

function button(label, title, onclick, ...inside) {
  return h('button', { type: 'button', class: 'pg-icon-button sc-move', 'aria-label': label, title, onclick }, ...inside);
}

// A token as a chip; its text as everywhere on the page.
function chip({ text, id }) {
  return h('code', { class: 'pg-tok', title: `token ${id}` }, visible(text) || '∅');
}

// What may stand at a place, in parts of a sentence.
function followWords({ may_stop: mayStop }, end, bad, expected) {
  if (bad && end) return ['The text may not end here. Expected here: ', ...(expected.length ? expected : ['nothing']), '.'];
  if (bad) return ['This byte can’t follow. Expected here: ', ...expected, mayStop ? (expected.length ? ' or the end' : 'the end') : expected.length ? '' : 'nothing', '.'];
  if (!expected.length) return [mayStop ? 'The text is whole: nothing more can follow.' : 'Nothing can follow here.'];
  return ['Could follow here: ', ...expected, mayStop ? ', or the end.' : '.'];
}

/** Renders the stepper into `root`. `ask(payload)` and `paste(payload)` are the server's; `follow(line, column)` puts the schema's caret; `models` may cut the text
 *  into tokens; `openStep(text)` follows the string in Step. Returns {commands} for the keyboard. */
export function mountStepper(root, state, { ask, paste, follow, models, openStep }) {
  let known = blank('');
  let key = null;
  let at = 0;
  let error = null;
  // What went wrong with the newest question, while earlier answers about the string are on screen.
  let late = null;
  let drawnFor = null;
  // A question that waits for the verdict of its string.
  let held = false;
  // The caret hasn't been put anywhere in this string yet, whoever's tokens it is then cut into.
  let unplaced = false;
  const title = h('h3', { class: 'pg-card-title' }, 'Step through');
  const name = h('code', { class: 'pg-tok sc-step-name' });
  const working = h('p', { class: 'sc-step-problem sc-working', role: 'status', hidden: true });
  const pasted = h('p', { class: 'sc-step-problem', role: 'status' });
  const tokenizer = mountTokenizer(state, { models, paste, told: (news) => setText(pasted, news) });
  const open = h('button', { type: 'button', class: 'pg-button pg-button-small', title: 'The constraint and this string, in the Step screen, with a model', onclick: () => openStep(known.text) }, 'Open in Step');
  const cells = h('div', { class: 'sc-cells', role: 'group', 'aria-label': 'The string, byte by byte' });
  const moves = h('div', { class: 'sc-moves' },
    button('First byte', 'First byte (Home)', () => go(0), icon('first')), button('Back one byte', 'Back (Left)', () => step(-1), icon('back')),
    button('Forward one byte', 'Forward (Right)', () => step(1), icon('step')), button('End', 'End (End)', () => go(Infinity), icon('end')),
    h('button', { type: 'button', class: 'pg-button pg-button-small sc-fail', title: 'To the byte that can’t follow (F)', onclick: () => toFail() }, 'Where it fails'));
  const fail = moves.lastChild;
  const where = h('p', { class: 'sc-where', role: 'status', 'aria-live': 'polite' });
  const words = h('p', { class: 'sc-words' });
  const wanted = h('p', { class: 'sc-wanted' });
  const needs = h('p', { class: 'sc-needs' });
  const stack = h('p', { class: 'sc-stack' });
  const token = h('p', { class: 'sc-token-words' });
  const chips = h('p', { class: 'sc-chips' });
  const sign = (data, text, words) => h('span', { class: 'sc-key' }, h('span', { class: 'sc-group', dataset: data }, text), words);
  const legend = h('p', { class: 'pg-quiet sc-legend', hidden: true }, sign({}, 'a', 'a token'), sign({ straddles: '' }, '":', 'one that straddles two parts of the text'), sign({ blocked: '' }, 'x', 'one that is blocked'));
  const problem = h('p', { class: 'sc-step-problem', hidden: true });
  const cut = h('p', { class: 'sc-step-problem sc-cut', role: 'status', hidden: true });
  const facts = h('div', { class: 'sc-facts' }, where, words, wanted, needs, stack, token, chips);
  root.append(h('header', { class: 'pg-card-head' }, title, name, h('span', { class: 'pg-gap' }), h('label', { class: 'sc-labelled' }, 'Tokens of', tokenizer), open), pasted, working, problem, cut, h('div', { class: 'sc-stepper-body' }, h('div', { class: 'sc-cells-box' }, cells, moves, legend), facts));

  const questions = createNewest({
    wait: 30,
    run: ({ spec, text, at: place, tokenizer: whose }) => ask({ spec, text, at: place, tokenizer: whose }),
    take: (answer, payload) => {
      if (payload.key !== key) return;
      const described = nearest(known, payload.at);
      // A place that the engine doesn't come to in time: what is known of the places before it stays.
      if (answer.error && described === null && payload.at > 0) { at = 0; request(); return; }
      late = described === null ? null : answer.error || null;
      if (late) { at = described; draw(); return; }
      error = answer.error || null;
      known = error ? blank(known.text) : merged(known, answer);
      // At first the caret stands where the string fails, since that is what one looks for.
      if (!error && unplaced) {
        unplaced = false;
        at = known.fails === null ? 0 : known.fails;
      }
      at = Math.min(at, lastPlace(known));
      if (!error && needed(known, at) && !known.bytes.has(at)) request();
      draw();
    },
    busy: (on) => { setText(working, state.get().tokenizer ? 'Cutting the string into tokens; the first time, the tokenizer is loaded …' : 'Reading the string …'); setShown(working, on); },
  });

  function request() {
    held = false;
    if (tooLong(known.text)) { questions.drop(); error = { what: 'This string is too long to be stepped through.', hint: tooLong(known.text) }; return; }
    const now = state.get();
    questions.ask({ key, spec: specOf(now), text: known.text, at: Math.min(at, known.count), tokenizer: asked(now.tokenizer) }, { now: true });
  }

  function go(to) {
    at = Math.max(0, Math.min(lastPlace(known), to));
    unplaced = false;
    if (needed(known, at)) request();
    draw();
  }

  function step(by, whole = false) { go(moved(known, at, by, whole)); }
  function toFail() { if (known.fails !== null) go(known.fails); }

  function cell(offset, limit) {
    const text = cellText(known.data[offset]);
    const state_ = offset === known.fails ? 'fails' : offset > limit ? 'unread' : null;
    return h('button', { type: 'button', class: 'sc-cell', tabindex: '-1', dataset: { offset, ...(state_ ? { standing: state_ } : {}), ...(text.length > 1 ? { hex: '' } : {}) },
      'aria-label': `Byte ${offset + 1}: ${visible(String.fromCharCode(known.data[offset]))}`, onclick: () => go(offset) }, text);
  }

  // The cells are built for a window; a step only moves the caret's mark.
  function drawCells() {
    const range = windowAround(known, at);
    const limit = lastPlace(known);
    const signature = [key, range.from, range.to, known.fails, limit, known.tokens.size].join();
    if (signature !== drawnFor) {
      drawnFor = signature;
      const parts = groups(known, range).map(({ token: each, from, to }) => {
        const inside = [];
        for (let offset = from; offset < to; offset += 1) inside.push(cell(offset, limit));
        if (!each) return inside;
        return h('span', { class: 'sc-group', title: tokenWords(each).join(visible(each.text)), dataset: { ...(each.straddles ? { straddles: '' } : {}), ...(each.allowed ? {} : { blocked: '' }) } }, inside);
      });
      fill(cells, range.from > 0 ? h('span', { class: 'pg-faint' }, `${counted(range.from, 'byte')} before … `) : null, parts,
        range.to === known.count ? h('button', { type: 'button', class: 'sc-cell sc-end', tabindex: '-1', dataset: { offset: known.count, ...(known.fails === known.count ? { standing: 'fails' } : limit < known.count ? { standing: 'unread' } : {}) }, 'aria-label': 'The end', onclick: () => go(known.count) }, 'end')
          : h('span', { class: 'pg-faint' }, ` … ${counted(known.count - range.to, 'byte')} more`));
    }
    for (const each of cells.querySelectorAll('[aria-current]')) each.removeAttribute('aria-current');
    const current = cells.querySelector(`[data-offset="${at}"]`);
    if (!current) return;
    current.setAttribute('aria-current', 'true');
    // Within the box alone: the page stays where it is.
    const top = current.offsetTop - cells.offsetTop;
    if (top < cells.scrollTop || top + 30 > cells.scrollTop + cells.clientHeight) cells.scrollTop = top - cells.clientHeight / 2;
  }

  function drawFacts() {
    const here = known.bytes.get(at);
    const end = at === known.count;
    const byte = end ? null : known.data[at];
    const reading = here && here.words ? here.words : '';
    const expected = here ? expectedParts(here.expected) : [];
    setAttr(facts, 'data-waiting', !here);
    setText(where, end ? `After all ${counted(known.count, 'byte')}: the end` : `Byte ${count(at + 1)} of ${count(known.count)}: ${cellText(byte)} (${hex(byte)})${here && here.state ? `, read in state ${here.state}` : ''}`);
    fill(words, prose(reading));
    const bad = here && !here.allowed;
    setAttr(wanted, 'data-bad', bad);
    fill(wanted, !here ? null : partNodes(followWords(here, end, bad, expected)));
    setText(needs, here && here.needs && !here.may_stop ? `A shortest way to finish: “${here.needs}”` : '');
    const frames = (here && here.stack) || [];
    fill(stack, frames.length ? ['Stack, the outermost first: ', frames.length > STEPPER_FRAMES ? '… ' : null, frames.slice(-STEPPER_FRAMES).map((frame) => [h('span', { class: 'sc-frame' }, frame), ' '])] : null);
    const each = tokenAt(known, at);
    fill(token, each ? tokenWords(each, at).flatMap((part, n) => [n ? chip(each) : null, part]) : null);
    fill(chips, each && each.chips.length ? ['Allowed at its start: ', each.chips.slice(0, STEPPER_CHIPS).map((one) => [chip(one), ' ']),
      each.allowed_count > each.chips.length ? `and ${count(each.allowed_count - each.chips.length)} more` : ''] : null);
    follow(here ? here.line : null, here ? here.column : null);
  }

  function draw() {
    const told = error || late;
    setShown(problem, Boolean(told));
    setText(problem, told ? `${told.what} ${told.hint || ''}` : '');
    setShown(cut, !told && Boolean(cutWords(known)));
    setText(cut, cutWords(known));
    setShown(facts, !error);
    setShown(legend, known.cut && !error);
    drawCells();
    if (!error) drawFacts(); else follow(null, null);
    fail.disabled = known.fails === null;
    if (state.get().at !== at) state.set({ at });
  }

  function update() {
    const now = state.get();
    const each = state.string();
    const text = each ? each.text : '';
    const next = JSON.stringify([specKey(now), text, now.tokenizer || '']);
    setText(name, each ? shortName(text) : '');
    // A constraint that doesn't compile has nothing to step through; its card says why.
    const blocked = Boolean(now.trouble) || !now.shown;
    if (next === key || blocked) {
      if (held && !blocked && answered(now, text)) { request(); if (error) draw(); }
      return;
    }
    const sameText = known.text === text;
    key = next;
    const before = known;
    known = blank(text);
    if (sameText) known.fails = before.fails;
    drawnFor = null;
    error = null;
    late = null;
    at = Math.min(at, known.count);
    // The verdict of an edit comes first: what the stepper asks takes longer, and would take its time.
    held = true;
    if (!sameText) unplaced = true;
    if (answered(now, text)) request();
    draw();
  }
  state.subscribeLate(update);
  update();
  return {
    /** The text before the caret; half a character at its end is left out. */
    before: () => new TextDecoder().decode(known.data.slice(0, at)).replace(/\ufffd+$/, ''),
    commands: { next: () => step(1), back: () => step(-1), nextToken: () => step(1, true), backToken: () => step(-1, true), home: () => go(0), end: () => go(Infinity), fail: toFail },
  };
}
