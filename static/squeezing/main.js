// The Squeezing screen: puts its parts together, and follows the problem that the rail and the toy's table hold.

import { h, fill, setAttr, setShown, setText } from '../stage/dom.js';
import { counted, plain, prob, seconds, visible } from '../stage/format.js';
import { numberBetween, timesWords } from '../stage/interval.js';
import { errorCard, progressLine } from '../stage/news.js';
import { mountToy } from '../stage/toy.js';
import { openInStep } from '../compare/open_step.js';
import { misfit } from '../links/pack.js';
import { mountExports } from '../export/main.js';
import { squeezingTables } from '../export/tables.js';
import { lawless, problemWords } from '../compare/words.js';
import { noLawWords, wideWords } from '../compare/wide.js';
import { mountBoundary } from './boundary.js';
import { mountFix } from './fix.js';
import { mountFlow, openWords } from './flow.js';
import { gradeBadge, probKnown } from './known.js';
import { mountLeafCards } from './leaf_cards.js';
import { mountLeaves } from './leaves.js';
import { SECTIONS, lookOf, lookPart } from './link.js';
import { NOTHING_RECORDED, createState, gradeOf, isOld, problemKey, telling } from './state.js';
import { mountSweep } from './sweep.js';

const MAIN_STAGE_MS = 60;
const MAIN_OPEN = 0.5;
// Of two laws no further apart than this, that is said; below the second, they differ by the rounding of the sums alone.
const MAIN_NEAR = 0.005;
const MAIN_SAME = 1e-9;
const MAIN_SIZES = [['narrow', 560], ['small', 860], ['wide', Infinity]];

// A bound is never printed smaller than it is.
function upward(x) {
  const unit = 10 ** (Math.floor(Math.log10(x)) - 1);
  return plain(Math.ceil(x / unit) * unit);
}

/** What the screen has found, and why its range is wide, in sentences. `problem`: what was looked into. */
export function headline(exact, problem) {
  if (lawless(exact)) return noLawWords(exact, problem);
  const wide = wideWords(exact, problem);
  return wide ? `${found(exact)} ${wide}` : found(exact);
}

function found(exact) {
  if (!exact.texts.length) {
    return exact.status === 'exact' ? 'No text is valid here: the constraint and this model leave nothing.' : 'No valid text was found yet: all of the mass that could be valid still lies in what was not looked into.';
  }
  const most = exact.texts.find((text) => text.text === telling(exact.texts) && text.squeeze.lower > 1.05);
  if (exact.tv.upper - exact.tv.lower > MAIN_OPEN) return `Not closed yet: TV(p~, p_V) lies anywhere in ${numberBetween(exact.tv, 2)}. Read more rows, or estimate with the ways below.`;
  const far = `TV(p~, p_V) = ${numberBetween(exact.tv)}`;
  if (most) return `The mask gives “${visible(most.text)}” ${timesWords(most.squeeze)}. ${far}.`;
  if (exact.tv.upper < MAIN_SAME) return `The mask’s law is the exact one here, up to rounding. ${far}.`;
  if (exact.tv.upper < MAIN_NEAR) return `The mask’s law is within ${upward(exact.tv.upper)} of the exact one here. ${far}.`;
  return `${far}.`;
}

function stoppedWords({ exact }) {
  const why = { tolerance: 'closed to 1 %', rows: 'its rows are spent', seconds: 'its time is over', cancelled: 'stopped', complete: 'nothing is left to look into', memory: 'its memory is full' }[exact.stopped];
  return `${counted(exact.rows_used, 'row')} of the model read${why ? `; ${why}` : ' so far'}${exact.seconds >= 0.05 ? `, after ${seconds(exact.seconds)}` : ''}.`;
}

// The problem that the numbers are about, as Compare names it.
function problemLine(document) {
  const { model, kind, source, prompt, settings } = problemWords(document);
  return [h('b', null, model), prompt ? h('span', { class: 'pg-faint' }, ` “${prompt}”`) : null, ` · ${kind}`, source ? [' ', h('code', { class: 'pg-tok' }, source)] : null, h('span', { class: 'pg-faint' }, ` · ${settings}`)];
}

function mountHead(root, state) {
  const title = h('h2', { class: 'sq-title' }, 'Where did the probability go?');
  const problem = h('p', { class: 'sq-problem' });
  const say = h('p', { class: 'sq-headline' });
  const badge = h('span', { class: 'sq-badge sq-badge-large' });
  const cell = (term, title_) => { const dd = h('dd', null); return [h('div', { title: title_ }, h('dt', null, term), dd), dd]; };
  const [z, zText] = cell('Z = q', 'The chance that an unconstrained draw is valid');
  const [tv, tvText] = cell('TV(p~, p_V)', 'Total variation between the law of the mask and the exact one: the mass that is in the wrong place');
  const [kl, klText] = cell('KL(p_V || p~)', 'In nats; how surprised the mask’s law is by the exact one');
  const [lost, lostText] = cell('not finished', 'p~ of runs that reach max tokens or a dead end: no text comes of them');
  const facts = h('dl', { class: 'sq-numbers' }, z, tv, kl, lost);
  const cost = h('span', { class: 'pg-quiet' });
  const note = h('p', { class: 'sq-stale', hidden: true });
  const run = h('button', { type: 'button', class: 'pg-button pg-primary', onclick: () => state.start('flow', { more: Boolean(state.get().doc) && !isOld(state.get()) }) });
  const stop = h('button', { type: 'button', class: 'pg-button', onclick: () => state.stop('flow') }, 'Stop');
  const progress = progressLine();
  const error = errorCard();
  const idle = h('div', { class: 'pg-card sq-idle', hidden: true });
  const idleModel = h('b', null);
  idle.append(h('p', null, 'The search walks the valid prefixes of this problem on ', idleModel, ', the weightiest first: up to 400 rows of the model, about 6 seconds here. It proves bounds at any time, can be stopped, and goes on where it was.'));
  root.append(h('div', { class: 'sq-head-top' }, h('div', { class: 'sq-head-words' }, title, problem, say), h('div', { class: 'sq-head-actions' }, run, stop)), progress.node, error.node, note, idle,
    h('div', { class: 'sq-head-numbers' }, badge, facts, cost));
  let named = null;
  const update = () => {
    const now = state.get();
    const flow = now.runs.flow;
    const running = state.running('flow');
    const doc = now.doc;
    const old = isOld(now);
    const failed = now.trouble || (flow && !running ? flow.error : null);
    setText(say, doc ? headline(doc.exact, doc.problem) : running ? 'Looking …' : now.held ? NOTHING_RECORDED : now.idle && !failed ? 'Not looked into yet.' : '');
    setShown(idle, Boolean(now.idle) && !running && !failed);
    setShown(problem, Boolean(doc));
    setText(idleModel, now.idle ? now.idle.problem.model : '');
    setShown(root.querySelector('.sq-head-numbers'), Boolean(doc));
    if (doc) {
      const { exact } = doc;
      const status = gradeOf(now);
      const none = lawless(exact);
      const grade = gradeBadge(status);
      if (named !== doc.problem) { named = doc.problem; fill(problem, problemLine(doc.problem)); }
      setText(badge, grade.word);
      setAttr(badge, 'data-status', status);
      setAttr(badge, 'title', grade.title);
      setShown(tv, !none);
      setShown(kl, !none);
      const number = (cell_, shown) => { setText(cell_, shown.text); setAttr(cell_, 'title', shown.title); };
      number(zText, probKnown(exact.Z, status));
      setText(tvText, numberBetween(exact.tv));
      setText(klText, exact.kl.upper === null ? exact.kl.lower > 0.005 ? `≥ ${exact.kl.lower.toFixed(2)}` : '–' : `${numberBetween(exact.kl, 2)} nats`);
      number(lostText, prob(exact.cut + exact.dead));
      setShown(lost, exact.cut + exact.dead > 0);
      setText(cost, stoppedWords(doc));
    }
    const open = doc && doc.exact.status === 'bounded' && !old;
    setShown(run, !running && !now.held && (Boolean(now.idle) || now.stale || open || Boolean(flow && flow.error)));
    setText(run, doc && !old && !now.idle ? 'Read 400 more rows' : flow && flow.error ? 'Try again' : 'Look');
    setShown(stop, running);
    stop.disabled = Boolean(flow && flow.stopping);
    progress.show(running ? flow.progress || (doc ? null : { words: 'Searching', done: null }) : null);
    error.show(failed);
    setShown(note, old);
    setText(note, now.stale ? 'The problem has changed: these numbers are about the one named above.' : 'These numbers are about the problem named above, from before the error.');
  };
  state.subscribe(update);
  update();
}

/** The Step stage's store, when it has been mounted: a promise. */
function stageStore() {
  return new Promise((resolve) => {
    const look = () => { if (globalThis.playgroundStage) resolve(globalThis.playgroundStage.store); else setTimeout(look, MAIN_STAGE_MS); };
    look();
  });
}

/** Mounts the screen. server: {stop, tokenisations}; ask(what) starts a run; figures: {sweep}. Returns {show, notice, state}. */
export function mount(element, { server, figures, ask }) {
  const state = createState({ send: ask, stop: (run) => { server.stop({ run }).catch(() => {}); } });
  const card = (cls, label) => h('section', { class: `pg-card ${cls}`, 'aria-label': label });
  const head = h('header', { class: 'sq-head' });
  const flow = card('sq-flow-card', 'Where the mass goes');
  const openNote = h('p', { class: 'pg-quiet sq-open-note', hidden: true });
  const leaves = card('sq-leaves-card', 'Valid texts');
  const water = card('sq-water-card', 'What its tokens cost');
  const identity = card('sq-identity-card', 'Identities');
  const fix = card('sq-fix-card', 'Fix it');
  const sweep = card('sq-sweep-card', 'Sweep');
  const boundary = card('sq-boundary-card', 'Boundary');
  const toy = h('div', { class: 'sq-toy' });
  const root = h('div', { class: 'pg sq', role: 'region', 'aria-label': 'Squeezing: where the probability goes', dataset: { size: 'wide' } },
    head, flow, leaves, h('div', { class: 'sq-pair' }, water, identity), fix, h('div', { class: 'pg-below' }, toy), sweep, boundary);
  element.append(root);
  mountHead(head, state);
  const exports = h('div', { class: 'pg-exports' });
  head.append(exports);
  mountExports(exports, { screen: 'squeezing', title: 'Where did the probability go?', within: root, shown: () => state.get().doc, tables: squeezingTables, caption: () => headline(state.get().doc.exact, state.get().doc.problem) });
  mountFlow(flow, state);
  flow.append(openNote);
  mountLeaves(leaves, state, { spell: async (problem, text) => {
    const answer = state.get().held ? null : await server.tokenisations({ problem, text }).catch(() => null);
    return answer && !answer.error ? answer : null;
  } });
  mountLeafCards(water, identity, state, { openStep });
  mountFix(fix, state);
  mountSweep(sweep, state, { figures });
  mountBoundary(boundary, state);

  let store = null;
  let known = null;

  async function openStep(run) {
    if (state.get().held) return;
    state.set({ trouble: await openInStep(server, state.get().doc.problem, run.path, run.bits) });
  }

  // Asked at every step of Step: the box itself would have to be laid out for it.
  const onScreen = () => document.body.dataset.screen === 'squeezing';
  const settle = () => state.running('flow');

  // A toy is looked into at once, a model when asked for; while a run goes on, a newer problem waits for its end.
  function follow() {
    if (!onScreen() || !store || !store.doc() || state.get().held) return;
    const key = problemKey(store.doc().problem);
    if (key === known || settle()) return;
    known = key;
    const { doc } = state.get();
    // Until the new numbers are there, those shown are the old problem's.
    if (doc && problemKey(doc.problem) !== key) state.set({ stale: true });
    state.start('flow', { auto: true });
  }

  function opened() {
    known = null;
    follow();
  }

  let shown = false;
  new ResizeObserver(() => {
    const width = root.clientWidth;
    if (width) {
      const size = MAIN_SIZES.find(([, below]) => width < below)[0];
      if (root.dataset.size !== size) root.dataset.size = size;
    }
    if (Boolean(width) !== shown) { shown = Boolean(width); if (shown) opened(); }
  }).observe(root);
  stageStore().then((found) => {
    store = found;
    mountToy(toy, store);
    store.subscribe(() => {
      const now = state.get();
      // A change while this screen is away is looked at when it comes back.
      if (now.doc && !now.held && store.doc() && !now.stale && problemKey(store.doc().problem) !== problemKey(now.doc.problem) && !state.running('flow') && onScreen()) state.set({ stale: true });
      follow();
    });
    follow();
  });
  state.subscribe(() => {
    const { doc, held } = state.get();
    setAttr(root, 'data-held', held);
    const words = doc ? openWords(doc.exact) : '';
    setShown(openNote, words !== '');
    setText(openNote, words);
    follow();
  });
  // The text that a link chose comes with the document of its problem.
  let wanted = null;
  state.subscribe(() => {
    const { doc } = state.get();
    if (wanted === null || !doc || !store || problemKey(doc.problem) !== problemKey(store.doc().problem)) return;
    if (doc.exact.texts.some(({ text }) => text === wanted)) { state.set({ leaf: wanted, picked: true }); wanted = null; }
  });
  const sections = Object.fromEntries([flow, leaves, water, identity, fix, toy, sweep, boundary].map((node, at) => [SECTIONS[at], node]));
  const nearest = () => (root.getBoundingClientRect().top > -40 ? null : SECTIONS.find((name) => sections[name].getClientRects().length && sections[name].getBoundingClientRect().bottom > 120) || null);
  return { state,
    /** How the screen is looked at for a link, and opening one: a toy is looked into, a model when it is asked for. */
    link: () => lookPart(state.get(), nearest()),
    refusesLink: (part) => (lookOf(part) ? null : misfit('a picture')),
    openLink: async (part) => {
      const look = lookOf(part);
      if (!look) return misfit('a picture');
      wanted = look.leaf;
      const { held } = state.get();
      state.hold(undefined);
      if (held) opened();
      state.set({ byRuns: look.byRuns, t: look.t });
      if (look.section) setTimeout(() => sections[look.section].scrollIntoView(), MAIN_STAGE_MS);
      return null;
    },
    /** Shows a recorded document, or null, and asks nothing of the server until `recorded(undefined)` gives the screen back. */
    recorded: (document) => { const { held } = state.get(); state.hold(document); if (held && document === undefined) opened(); },
    show: (value) => { if (value) state.receive(value); }, notice: (news) => { if (news) state.notice(news); } };
}

