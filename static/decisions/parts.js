// Small parts that the Decisions screen is made of: panels, badges, segments, tables, lanes, the buttons of a task and its news.

import { h, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { mountNews } from '../stage/news.js';
import { tableToggle } from '../compare/plots.js';
import { runOf } from './state.js';
import { KNOWN } from './words.js';

const PARTS_ORIGINS = {
  recorded: 'Made before and kept with this page; press the button to make it here.',
  trained: 'Trained on this page: download it to keep it.',
  file: 'From a file that you opened.',
  live: 'Made here and now.',
};

/** A panel of the screen. Returns {node, news, body}. */
export function panel(name, title, about) {
  const body = h('div', { class: 'dc-body' });
  const news = h('div', { class: 'dc-news' });
  const node = h('section', { class: 'pg-card pg-panel dc-panel', id: `dc-${name}`, tabindex: '-1', 'aria-label': title }, h('h3', { class: 'pg-card-title dc-panel-title' }, title), about ? h('p', { class: 'pg-quiet dc-about' }, about) : null, news, body);
  return { node, news, body };
}

/** How a number is known: exact, bounded or estimated. */
export function known(status, title = '') {
  return h('span', { class: 'cmp-badge', dataset: { status }, title: title || KNOWN[status] || '' }, status);
}

/** Where a head or a document comes from. */
export function origin(kind) {
  return h('span', { class: 'pg-badge', dataset: { kind: kind === 'recorded' ? 'recorded' : 'live' }, title: PARTS_ORIGINS[kind] || '' }, kind === 'file' ? 'from a file' : kind);
}

/** A chart with its table twin and a sentence. Returns {node, fill({sentence, chart, table})}; null hides it. */
export function twin(title) {
  const chart = h('div', { class: 'st-chart', role: 'group', 'aria-label': title });
  const other = h('div', { class: 'dc-twin' });
  const sentence = h('p', { class: 'dc-sentence' });
  const { button } = tableToggle(chart, other);
  button.setAttribute('aria-label', `${title}: table`);
  const node = h('div', { class: 'dc-chart' }, h('header', { class: 'pg-panel-head' }, h('h4', { class: 'dc-chart-title' }, title), button), sentence, chart, other);
  return {
    node,
    fill(parts) {
      setShown(node, parts !== null);
      if (!parts) return;
      setText(sentence, parts.sentence || '');
      setShown(sentence, Boolean(parts.sentence));
      chart.replaceChildren(...[parts.chart].flat().filter(Boolean));
      other.replaceChildren(parts.table);
    },
  };
}

/** A table; a row is an array of cells (nodes or text), the first one its head. `stacks`: a phone shows a row as a card. */
export function table(caption, head, rows, { spoken = false, stacks = false, name = '' } = {}) {
  const cell = (each, at) => (at ? h('td', { 'data-label': head[at] }, stacks ? h('span', null, each) : each) : h('th', { scope: 'row' }, each));
  return h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': caption }, h('table', { class: `pg-table dc-table ${stacks ? 'dc-stacks' : ''} ${name}` },
    h('caption', spoken ? { class: 'pg-spoken' } : null, caption), h('thead', null, h('tr', null, head.map((each) => h('th', { scope: 'col' }, each)))), h('tbody', null, rows.map((cells) => h('tr', null, cells.map(cell))))));
}

/** One of a few, side by side: options [[value, words, title]]. get() is the value, set(value) takes one. */
export function segments(label, options, { get, set }) {
  const buttons = options.map(([value, words, title]) => h('button', { type: 'button', class: 'dc-segment', title, onclick: () => set(value) }, words));
  return { node: h('div', { class: 'dc-segments', role: 'group', 'aria-label': label }, buttons), update() { options.forEach(([value], at) => setAttr(buttons[at], 'aria-pressed', String(get() === value))); } };
}

/** A labelled choice of options [[value, words]]; `put` changes them. */
export function choice(label, options, { get, set }) {
  const select = h('select', { class: 'pg-select', onchange: () => set(select.value) });
  const put = (list) => select.replaceChildren(...list.map(([value, words]) => h('option', { value }, words)));
  put(options);
  return { node: h('label', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, label), select), select, put, update() { if (select.value !== String(get())) select.value = String(get()); } };
}

/** A labelled whole number within bounds. set(value) hears each that is; of another it is said what is allowed, and it is not passed on. */
export function wholeField(label, { least, most }, { get, set }) {
  const note = h('span', { class: 'dc-wrong', 'aria-live': 'polite', hidden: true });
  const input = h('input', { type: 'number', class: 'dc-number', min: least, max: most, step: '1', inputmode: 'numeric', autocomplete: 'off' });
  const judge = () => {
    const value = input.value.trim() === '' ? NaN : Number(input.value);
    const good = Number.isInteger(value) && value >= least && value <= most;
    setAttr(input, 'aria-invalid', good ? null : 'true');
    setText(note, good ? '' : `A whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}; ${get()} counts until then.`);
    setShown(note, !good);
    if (good) set(value);
  };
  input.addEventListener('input', judge);
  return { node: h('label', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, label), input, note), update() { if (document.activeElement !== input && input.value !== String(get())) { input.value = String(get()); judge(); } } };
}

/** The threshold below which a decision is not taken; one value for the whole screen. */
export function thresholdSlider(store) {
  const input = h('input', { type: 'range', class: 'pg-slider', min: '0', max: '100', step: '1', 'aria-label': 'Abstain below this confidence', oninput: () => store.set({ threshold: Number(input.value) / 100 }) });
  const words = h('output', null);
  return { node: h('label', { class: 'dc-labelled dc-threshold' }, h('span', { class: 'pg-faint' }, 'Abstain below'), input, words),
    update() {
      const at = String(Math.round(100 * store.get().threshold));
      if (input.value !== at) input.value = at;
      setAttr(input, 'aria-valuetext', `${at} %`);
      setText(words, `${at} %`);
    } };
}

const percent = (p) => `${100 * Math.max(0, Math.min(1, p))}%`;

/** A lane from 0 to 1. Marks: {at, mark: bar | hollow | diamond | dot, ends: [lo, hi]}; decoration beside the number in words. */
export function lane(marks, cls = '') {
  return h('span', { class: `dc-lane ${cls}`, 'aria-hidden': 'true' }, marks.map(({ at, mark, ends }) => [
    ends && ends[1] - ends[0] > 1e-6 ? h('b', { style: { left: percent(ends[0]), width: percent(ends[1] - ends[0]) } }) : null,
    at === null ? null : mark === 'bar' || mark === 'hollow' ? h('i', { class: `is-${mark}`, style: { width: percent(at) } }) : h('i', { class: `is-${mark}`, style: { left: percent(at) } })]));
}

/** A row of a chart: its name, its lane, its number in words. */
export function laneRow(name, marks, words, cls = '') {
  return h('div', { class: 'st-row dc-row' }, h('span', { class: 'st-row-name' }, name), lane(marks, cls), h('span', { class: 'st-row-words' }, words));
}

/** The words of the run that stands in the way of `task`; '' for none. */
export function inTheWay(state, task) {
  const { running, task: under } = runOf(state, task);
  const busy = { train: 'Training', score: 'Scoring', explain: 'Writing', evaluate: 'Measuring', table: 'The comparison' }[under];
  return running && busy && under !== task ? `${busy} is under way: stop it, or wait for its end.` : '';
}

/** The button of a task and its Stop. press() starts it; why(state) says why it can't, in words, else ''. */
export function taskButtons(store, task, words, { press, stop, why = () => '', primary = false }) {
  const note = h('span', { class: 'pg-quiet dc-why', role: 'status' });
  const reason = () => inTheWay(store.get(), task) || why(store.get());
  const run = h('button', { type: 'button', class: `pg-button ${primary ? 'pg-primary' : ''}`, onclick: () => { if (!reason()) press(); } }, words);
  const end = h('button', { type: 'button', class: 'pg-button', onclick: () => { if (!runOf(store.get(), task).stopping) stop(task); } }, icon('stop'), h('span', null, task === 'train' ? 'Stop and keep' : 'Stop'));
  return { node: h('span', { class: 'dc-go' }, run, end, note), run,
    update() {
      const { running, stopping, task: under } = runOf(store.get(), task);
      const mine = running && under === task;
      const here = document.activeElement;
      setShown(run, !mine);
      setShown(end, mine);
      setAttr(end, 'aria-disabled', stopping ? 'true' : null);
      if (here === run && mine) end.focus();
      if (here === end && !mine) run.focus();
      const said = mine ? '' : reason();
      setAttr(run, 'aria-disabled', said ? 'true' : null);
      setText(note, said);
    } };
}

/** The progress and the error of these tasks of one place, and of no others, in `root`. dismiss(task) takes the error away; told(state): progress that documents tell. */
export function taskNews(root, store, tasks, words, { dismiss, told = () => null }) {
  const get = () => {
    const state = store.get();
    const now = runOf(state, tasks[0]);
    const mine = tasks.includes(now.task);
    return { ...state, task: now.task, progress: mine ? now.progress : null, running: mine && now.running, error: tasks.includes(now.failed) ? now.error : null };
  };
  mountNews(root, { get, set: () => dismiss(tasks[0]), subscribe: store.subscribe }, (now) => (now.running ? told(now) || { words: words[now.task] || 'Working', done: null } : null));
}

/** What was decided, scored or written of a text that isn't the one above any more, in words; '' where it is that one. done: "Decided". again: what makes it anew. */
export function beforeWords(done, text, now, again) {
  if (text === undefined || text === null || text === now) return '';
  return `${done} of the text before, “${text.length > 100 ? `${text.slice(0, 100)}…` : text}”. ${again} for the one above.`;
}
