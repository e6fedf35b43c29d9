// The toy model's table: rules by tokens, edited in place; every change is replayed, so that all views follow.
import { h, fill, setText, setAttr, setShown } from './dom.js';
import { prob, visible } from './format.js';
import { mountStale } from './toy_stale.js';
import { TOY_END, toyColumns, toyValue, toyShares, toyCondition, toySet, toyAddToken, toyRenameToken, toyRemoveToken, toyAddRule, toyRemoveRule, toyNameProblem, toyNumber, toyEmptyRules, toyPath, toyPlace, toyKey } from './toy_edit.js';

const TOY_WAIT_MS = 120;
const TOY_LOGIT_REACH = 20;

let toySerial = 0;

function toyTokenText(token) {
  return token === TOY_END ? 'end' : visible(token) || '∅';
}

function toyPlainNumber(value) {
  return value === null ? '' : String(Number(value.toPrecision(6)));
}

/** Renders the toy editor into `root`; it is hidden where the model is no toy, and read only without a server. */
export function mountToy(root, store) {
  const serial = toySerial += 1;
  const title = h('h3', { class: 'pg-card-title' }, 'The toy model');
  const note = h('p', { class: 'pg-quiet' });
  const reset = h('button', { type: 'button', class: 'pg-button pg-button-small' }, 'Back to the original');
  const table = h('table', { class: 'pg-table pg-toy-table' });
  const message = h('p', { class: 'pg-toy-message', role: 'alert', hidden: true });
  const forms = h('div', { class: 'pg-toy-forms' });
  const section = h('section', { class: 'pg-card pg-panel pg-toy-panel', 'aria-label': 'The toy model', hidden: true },
    h('header', { class: 'pg-panel-head' }, title, reset), note,
    h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Rules and weights' }, table), message, forms);
  root.append(section);

  const originals = new Map();
  let draft = null;
  let seen = null;
  let sentKey = null;
  let renamed = {};
  let timer = null;
  let sending = 0;
  let cells = [];
  let edited = null;

  const locked = () => !store.live();

  // Marks one cell (or, without one, the whole table) with what is wrong.
  const mark = (cell, problem) => {
    if (cell) {
      cell.input.setAttribute('aria-invalid', 'true');
      setText(cell.problem, problem);
      setShown(cell.problem, true);
    } else {
      setText(message, problem);
      setShown(message, true);
    }
  };
  const unmark = () => {
    setShown(message, false);
    for (const cell of cells) {
      cell.input.removeAttribute('aria-invalid');
      setShown(cell.problem, false);
    }
  };

  const send = async () => {
    timer = null;
    const spec = draft;
    const doc = store.doc();
    if (!doc || !doc.problem.toy || toyKey(spec) === toyKey(doc.problem.toy)) return;
    const path = toyPath(store.path(store.lane().steps.length), doc.problem.toy, spec, renamed);
    const error = store.error();
    sentKey = toyKey(spec);
    sending += 1;
    await store.actions.replay({ toy: spec }, { path });
    sending -= 1;
    const after = store.doc().problem.toy;
    if (after && toyKey(after) === sentKey) renamed = {};
    const fresh = store.error();
    if (fresh && fresh !== error && spec === draft) {
      const place = toyPlace(fresh.where) || toyPlace(fresh.what) || edited;
      const row = place ? cells.filter((each) => each.rule === place.rule) : [];
      mark(row.find((each) => each.token === place.token) || row[0] || null, [fresh.what, fresh.hint].filter(Boolean).join(' '));
    }
    sync();
  };

  // Takes a new draft. Nothing is sent while a number can't be read or a rule comes to nothing.
  const change = (next, { rebuild = false } = {}) => {
    draft = next;
    if (rebuild) build();
    unmark();
    refresh();
    clearTimeout(timer);
    timer = null;
    const bad = cells.find((cell) => cell.typed && cell.typed.problem);
    for (const cell of cells) if (cell.typed && cell.typed.problem) mark(cell, cell.typed.problem);
    const empty = toyEmptyRules(draft);
    for (const index of empty) mark(cells.find((cell) => cell.rule === index) || null, 'One token of this rule needs a weight above 0.');
    if (!bad && !empty.length) timer = setTimeout(send, TOY_WAIT_MS);
  };

  const cellOf = (rule, index, token, condition) => {
    const isLogit = Boolean(rule.logits);
    const value = toyValue(rule, token);
    const label = `${isLogit ? 'Logit' : 'Weight'} of ${toyTokenText(token)}, ${condition}`;
    const most = Math.max(1, ...Object.values(rule.p || {}).filter(Number.isFinite));
    const problemId = `pg-toy-${serial}-${index}-${toyColumns(draft).indexOf(token)}`;
    const input = h('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', value: toyPlainNumber(value), placeholder: isLogit ? '−∞' : '0', 'aria-label': label, 'aria-describedby': problemId, disabled: locked() });
    const slider = h('input', { type: 'range', min: isLogit ? -TOY_LOGIT_REACH : 0, max: isLogit ? TOY_LOGIT_REACH : most, step: isLogit ? 0.1 : most / 1000, 'aria-label': `${label}, slider`, disabled: locked() });
    slider.value = String(value ?? -TOY_LOGIT_REACH);
    const share = h('span', { class: 'pg-toy-share' });
    const bar = h('span', { class: 'pg-toy-bar', 'aria-hidden': 'true' }, h('i', null));
    const problem = h('span', { class: 'pg-toy-problem', id: problemId, role: 'alert', hidden: true });
    const cell = { rule: index, token, input, slider, share, bar, problem, typed: null, isLogit };
    input.addEventListener('input', () => {
      cell.typed = toyNumber(input.value, isLogit);
      edited = cell;
      if (cell.typed.problem) { change(draft); return; }
      slider.value = String(cell.typed.value ?? -TOY_LOGIT_REACH);
      change(toySet(draft, index, token, cell.typed.value));
    });
    slider.addEventListener('input', () => {
      cell.typed = null;
      edited = cell;
      input.value = toyPlainNumber(Number(slider.value));
      change(toySet(draft, index, token, Number(slider.value)));
    });
    cells.push(cell);
    return h('td', { 'data-token': toyTokenText(token) }, h('div', { class: 'pg-toy-cell' }, input, share, slider, bar), problem);
  };

  const headOf = (token) => {
    if (token === TOY_END) return h('th', { scope: 'col', class: 'pg-toy-end' }, h('span', null, 'end'), h('small', null, TOY_END));
    const input = h('input', { type: 'text', class: 'pg-toy-name', value: token, maxlength: 40, autocomplete: 'off', spellcheck: 'false', 'aria-label': `Text of the token ${toyTokenText(token)}`, disabled: locked() });
    const problem = h('span', { class: 'pg-toy-problem', role: 'alert', hidden: true });
    input.addEventListener('change', () => {
      const why = toyNameProblem(draft, input.value, token);
      setAttr(input, 'aria-invalid', why ? 'true' : null);
      setText(problem, why || '');
      setShown(problem, Boolean(why));
      if (why || input.value === token) return;
      const first = Object.keys(renamed).find((name) => renamed[name] === token) || token;
      renamed = { ...renamed, [first]: input.value };
      edited = null;
      change(toyRenameToken(draft, token, input.value), { rebuild: true });
    });
    const remove = h('button', { type: 'button', class: 'pg-x', 'aria-label': `Remove the token ${toyTokenText(token)}`, hidden: locked() || draft.tokens.filter((each) => each !== TOY_END).length < 2 }, '×');
    remove.addEventListener('click', () => { edited = null; change(toyRemoveToken(draft, token), { rebuild: true }); });
    return h('th', { scope: 'col' }, h('span', { class: 'pg-toy-head' }, input, remove), problem);
  };

  function build() {
    cells = [];
    const columns = toyColumns(draft);
    const last = draft.rules.length - 1;
    fill(table, h('caption', null, 'The first rule that fits gives the weights of the next token; the model’s p is the weight over the rule’s sum.'),
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'rule'), columns.map(headOf))),
      h('tbody', null, draft.rules.map((rule, i) => {
        const condition = visible(toyCondition(rule, i === last)).replaceAll('␣', ' ');
        const remove = h('button', { type: 'button', class: 'pg-x', 'aria-label': `Remove the rule ${condition}`, hidden: locked() || i === last }, '×');
        remove.addEventListener('click', () => { edited = null; change(toyRemoveRule(draft, i), { rebuild: true }); });
        return h('tr', null, h('th', { scope: 'row' }, h('div', { class: 'pg-toy-row' }, h('span', { class: 'pg-toy-rule' }, condition, rule.logits ? h('small', null, 'logits') : null), remove)), columns.map((token) => cellOf(rule, i, token, condition)));
      })));
    buildForms(columns);
  }

  function buildForms(columns) {
    fill(forms);
    setShown(forms, !locked());
    if (locked()) return;
    const name = h('input', { type: 'text', maxlength: 40, autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Text of the new token', placeholder: 'token' });
    const why = h('span', { class: 'pg-toy-problem', role: 'alert', hidden: true });
    const addToken = h('form', { class: 'pg-toy-form' }, h('span', null, 'Add a token'), name, h('button', { type: 'submit', class: 'pg-button pg-button-small' }, 'Add'), why);
    addToken.addEventListener('submit', (event) => {
      event.preventDefault();
      const problem = toyNameProblem(draft, name.value);
      setText(why, problem || '');
      setShown(why, Boolean(problem));
      if (problem) return;
      edited = null;
      change(toyAddToken(draft, name.value), { rebuild: true });
    });

    const tokens = columns.filter((token) => token !== TOY_END);
    const kind = h('select', { 'aria-label': 'Condition of the new rule' }, h('option', { value: 'last' }, 'when the last token is'), h('option', { value: 'prefix' }, 'after exactly the text so far'), h('option', { value: 'position' }, 'at position'));
    const last = h('select', { 'aria-label': 'Last token' }, tokens.map((token) => h('option', { value: token }, toyTokenText(token))));
    const position = h('input', { type: 'number', min: 0, max: 63, value: 0, 'aria-label': 'Position, from 0', hidden: true });
    const prefix = h('output', { hidden: true });
    const written = () => {
      const names = toyColumns(store.doc().problem.toy);
      return store.path().map((id) => names[id]).filter((each) => each !== undefined && each !== TOY_END);
    };
    const choose = () => {
      setShown(last, kind.value === 'last');
      setShown(position, kind.value === 'position');
      setShown(prefix, kind.value === 'prefix');
      setText(prefix, written().map((each) => `“${visible(each)}”`).join(' ') || '(the start)');
    };
    kind.addEventListener('change', choose);
    const addRule = h('form', { class: 'pg-toy-form' }, h('span', null, 'Add a rule'), kind, last, position, prefix, h('button', { type: 'submit', class: 'pg-button pg-button-small' }, 'Add'));
    addRule.addEventListener('submit', (event) => {
      event.preventDefault();
      const condition = kind.value === 'last' ? { last: last.value } : kind.value === 'prefix' ? { prefix: written() } : { position: Math.max(0, Math.round(Number(position.value) || 0)) };
      edited = null;
      change(toyAddRule(draft, condition), { rebuild: true });
    });
    forms.pgChoose = choose;
    fill(forms, addToken, addRule);
    choose();
  }

  function refresh() {
    const columns = toyColumns(draft);
    draft.rules.forEach((rule, i) => {
      const shares = toyShares(rule, columns);
      for (const cell of cells.filter((each) => each.rule === i)) {
        const p = shares[columns.indexOf(cell.token)];
        const { text, title: exact } = prob(p);
        setText(cell.share, text);
        cell.share.title = exact;
        cell.bar.firstChild.style.setProperty('width', `${100 * (p || 0)}%`);
      }
    });
    const first = original();
    setShown(reset, Boolean(first) && toyKey(first) !== toyKey(draft));
  }

  // The first table that came under this name, unless it came edited: a record may.
  const original = () => (draft && !locked() && originals.get(draft.name)) || null;
  function restore() { edited = null; renamed = {}; change(original(), { rebuild: true }); }
  reset.addEventListener('click', restore);

  function sync() {
    const doc = store.doc();
    const toy = doc && doc.problem ? doc.problem.toy : null;
    if (toy && !doc.toy_edited && !originals.has(toy.name)) originals.set(toy.name, toy);
    setShown(section, Boolean(toy));
    const grid = root.closest('.pg-grid');
    if (grid) setAttr(grid, 'data-toy', Boolean(toy));
    if (!toy) { seen = null; draft = null; return; }
    if (toy === seen || sending) return;
    const key = toyKey(toy);
    const ours = draft !== null && (key === sentKey || (seen !== null && key === toyKey(seen)));
    seen = toy;
    setText(title, `The toy model: ${toy.title || toy.name}`);
    setText(note, toy.note || '');
    setShown(note, Boolean(toy.note));
    if (ours) return;
    clearTimeout(timer);
    timer = null;
    sentKey = key;
    renamed = {};
    if (draft && toyKey(draft) === key) { draft = toy; return; }
    draft = toy;
    build();
    unmark();
    refresh();
  }
  store.subscribe(() => { sync(); if (forms.pgChoose && !section.hidden) forms.pgChoose(); });
  sync();
  mountStale(root, store, { note, restore, canRestore: () => original() !== null });
}
