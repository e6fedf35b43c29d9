// One token in full: its bytes, its numbers, the formula with them filled in, and why it is blocked.

import { h, icon, fill, setText, setShown, setAttr } from './dom.js';
import { prob, plain, logPlain, logit, count, isShort, tokenLabel, visible } from './format.js';
import { exactFormula, exactHere, exactRow } from './exact.js';
import { probBetween } from './interval.js';
import { maskComesFirst } from './settings.js';

const INSPECTOR_BYTES = { '09': 'a tab', '0a': 'a newline', '0d': 'a return', 20: 'a space', 22: 'a quote', '5c': 'a backslash' };

/** One byte in words: "a space", "`x`", "byte c3". */
export function byteWords(hexByte) {
  if (INSPECTOR_BYTES[hexByte]) return INSPECTOR_BYTES[hexByte];
  const code = parseInt(hexByte, 16);
  return code > 0x20 && code < 0x7f ? `\`${String.fromCharCode(code)}\`` : `byte ${hexByte}`;
}

/** "one of 0-9, }" */
function expectedWords(expected) {
  if (!expected || !expected.length) return 'nothing more';
  const shown = expected.map(visible);
  return shown.length === 1 ? shown[0] : `one of ${shown.join(', ')}`;
}

/** Why a token is blocked, in a sentence; empty for an allowed one. */
export function whyBlocked(token, position) {
  if (token.allowed) return '';
  const state = position && position.state ? position.state : null;
  if (token.eos) return `The text may not end here${state && state.needs ? `: it still needs ${visible(state.needs)}` : ': it is not valid yet'}.`;
  if (token.special || !token.hex) return 'A special token has no text, so it can never match.';
  const bytes = token.hex.match(/../g);
  if (token.killed_at === null || token.killed_at === undefined) return `The state expects ${expectedWords(state ? state.expected : [])}.`;
  const dead = byteWords(bytes[token.killed_at] || '');
  const fits = `Its first ${token.killed_at === 1 ? 'byte fits' : `${token.killed_at} bytes fit`}`;
  if (token.killed_at && token.expected && !token.expected.length) return `${fits}, then nothing more may follow, and ${dead} comes.`;
  const expected = expectedWords(token.expected && token.expected.length ? token.expected : state ? state.expected : []);
  if (token.killed_at === 0) return `The state expects ${expected}; the token starts with ${dead}.`;
  return `${fits}, then ${expected} is expected and ${dead} comes.`;
}

/** The formula "after mask = p / Z" with this row's numbers, or why it doesn't hold here. */
export function maskFormula(token, position, sampling = null) {
  if (!token.allowed) return 'after mask = 0: the mask sets blocked tokens to exactly 0';
  if (position.dead) return 'after mask: not defined, nothing can be drawn here';
  if (sampling && sampling.temperature === 0) return `temperature 0 takes the allowed token with the largest logit: after mask = ${plain(token.masked)}`;
  const ratio = token.p / position.z;
  if (maskComesFirst(sampling) && !(Math.abs(ratio - token.masked) <= 1e-6 * Math.max(ratio, token.masked) + 1e-12)) {
    return `after mask = ${plain(token.masked)}, not p / Z: the mask comes first here, then the filters`;
  }
  return `after mask = p / Z = ${plain(token.p)} / ${logPlain(position.log_z)} = ${prob(token.masked).text}`;
}

/** The weight of a step that isn't log Z, in a sentence with its numbers; empty where p·mask / Z is drawn from, whose weight is log Z. */
export function weightWords(step, problem) {
  if (!step.taken || step.log_proposal === undefined || step.given) return '';
  if (step.log_proposal === null) return 'No weight: the sampler could not have drawn this token here.';
  const { sampling = {}, method } = problem;
  const near = step.log_weight !== null && step.log_z !== null && Math.abs(step.log_weight - step.log_z) < 1e-9;
  const why = method === 'unconstrained' ? 'the draw ignores the mask' : sampling.temperature === 0 ? 'at temperature 0 the token is picked without chance'
    : maskComesFirst(sampling) ? 'the mask comes before the filters' : '';
  if (near || !why) return '';
  const sum = `Log weight = log p − log proposal = ${logit(step.log_p)} − ${step.log_proposal < 0 ? `(${logit(step.log_proposal)})` : logit(step.log_proposal)} = ${logit(step.log_weight)} nats`;
  return `${sum}${step.log_weight === null ? ': p gives this token nothing, yet it can be drawn' : `. It is not log Z (${logit(step.log_z)})`}, since ${why}.`;
}

/** The row to inspect: the locked one, else the one pointed at, else the taken one, else what the model wants. */
export function inspectedToken(store) {
  const position = store.shown();
  if (!position) return null;
  const view = store.view();
  for (const id of [view.lockedToken, view.hoverToken]) {
    const row = id === null ? null : position.candidates.find((each) => each.id === id);
    if (row) return row;
  }
  if (position.taken) return position.candidates.find((each) => each.id === position.taken.id) || position.taken;
  return position.argmax || null;
}

/** The states that a token crosses, the middle of a long way left out: "q2 → q3 → … → q9". */
export function crossedWords(token) {
  const names = token.states || [];
  const short = names.length > 6 ? [...names.slice(0, 3), '…', names[names.length - 1]] : names;
  return [...short, ...(token.allowed ? token.eos ? ['end'] : [] : ['blocked'])].join(' → ');
}

/** Builds the inspector; on a narrow stage it is a sheet that opens while a row is locked. */
export function mountInspector(root, store) {
  const name = h('span', { class: 'pg-insp-token' });
  const tag = h('span', { class: 'pg-insp-tag' });
  const close = h('button', { type: 'button', class: 'pg-icon-button pg-insp-close', 'aria-label': 'Close', title: 'Close', onclick: () => store.set({ lockedToken: null, hoverToken: null }) }, icon('close'));
  const why = h('p', { class: 'pg-insp-why' });
  const formula = h('p', { class: 'pg-insp-formula' });
  const exactSay = h('p', { class: 'pg-insp-exact', hidden: true });
  const weight = h('p', { class: 'pg-insp-weight' });
  const bytes = h('dd', { class: 'pg-insp-bytes' });
  const states = h('dd', { class: 'pg-insp-states' });
  const value = () => h('dd', null);
  const cells = { id: value(), logit: value(), rank: value(), p: value(), masked: value(), exact: value(), future: value() };
  const pair = (term, cell) => h('div', { class: 'pg-pair' }, h('dt', null, term), cell);
  const exactPairs = [pair('exact', cells.exact), pair('F', cells.future)];
  const take = h('button', { type: 'button', class: 'pg-button pg-primary', onclick: () => { const row = inspectedToken(store); if (row) store.actions.take(row.id); } });
  const watch = h('button', { type: 'button', class: 'pg-button', title: 'Keep this token in the table at every step (W)', onclick: () => { const row = inspectedToken(store); if (row) store.actions.watch(row.id); } });
  const statesPair = pair('states crossed', states);
  root.append(h('div', { class: 'pg-insp-head' }, h('h3', { class: 'pg-card-title' }, 'Token'), name, tag, h('span', { class: 'pg-gap' }), close),
    h('dl', { class: 'pg-insp-list' }, pair('model p', cells.p), pair('after mask', cells.masked), exactPairs, pair('logit', cells.logit), pair('rank', cells.rank), pair('id', cells.id)),
    h('dl', { class: 'pg-insp-wide' }, pair('bytes', bytes), statesPair),
    h('div', { class: 'pg-insp-say' }, formula, exactSay, weight, why),
    h('div', { class: 'pg-insp-actions' }, take, watch));
  let seen = [];
  const number = (cell, formatted) => { setText(cell, formatted.text); setAttr(cell, 'title', formatted.title); };
  const update = () => {
    const position = store.shown();
    const row = inspectedToken(store);
    setShown(root, Boolean(row));
    // Its card is the sheet that slides in.
    setAttr(root.parentElement, 'data-open', Boolean(row) && store.view().lockedToken !== null);
    if (!row) return;
    const doc = store.doc();
    const here = exactHere(store);
    const now = [row, position, doc.problem, store.live(), here.on, here.law, here.reason];
    if (now.every((each, i) => each === seen[i])) return;
    seen = now;
    setText(name, tokenLabel(row));
    setAttr(name, 'data-short', isShort(tokenLabel(row)));
    const taken = position.taken && position.taken.id === row.id;
    setText(tag, [row.allowed ? 'allowed' : 'blocked', taken ? 'taken' : '', row.eos ? 'end' : row.special ? 'special' : '', row.partial ? 'part of a character' : ''].filter(Boolean).join(' · '));
    setAttr(root, 'data-blocked', !row.allowed);
    setText(why, whyBlocked(row, position));
    setShown(why, !row.allowed);
    setText(formula, maskFormula(row, position, doc.problem && doc.problem.sampling));
    const weighed = taken ? weightWords(position, doc.problem || {}) : '';
    setText(weight, weighed);
    setShown(weight, weighed !== '');
    number(cells.p, prob(row.p));
    number(cells.masked, prob(row.masked, { blocked: !row.allowed }));
    const { exact, F, reason } = exactRow(row, here.law, here.reason);
    number(cells.exact, row.allowed ? probBetween(exact, { reason }) : prob(0, { blocked: true }));
    number(cells.future, row.allowed ? probBetween(F, { reason }) : prob(0));
    for (const each of [...exactPairs, exactSay]) setShown(each, here.on);
    setText(exactSay, here.on ? exactFormula(row, here) : '');
    setText(cells.logit, logit(row.logit));
    setText(cells.rank, `#${count(row.rank)}`);
    setAttr(cells.rank, 'title', `of ${count(position.vocab)} by raw logit`);
    setText(cells.id, String(row.id));
    const list = row.hex ? row.hex.match(/../g) : [];
    fill(bytes, list.length ? list.map((byte, i) => h('span', { class: 'pg-byte', 'data-dead': row.killed_at === i, 'data-unread': row.killed_at !== null && row.killed_at !== undefined && i > row.killed_at, title: byteWords(byte) }, byte)) : 'none');
    setShown(statesPair, Boolean(row.states && row.states.length));
    setText(states, crossedWords(row));
    fill(take, row.allowed ? icon('step') : icon('branch'), row.allowed ? 'Take this token' : 'Show where it breaks');
    setShown(take, store.live() && !taken);
    fill(watch, row.watched ? 'Stop watching' : 'Watch');
    setShown(watch, store.live());
  };
  store.subscribe(update);
  update();
}
