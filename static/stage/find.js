// Finds any token of the vocabulary by its text: how likely it is here, whether it is allowed, and if not, why.
import { h, fill, setText, setShown } from './dom.js';
import { count, counted, isShort, logit, prob, tokenLabel, tokenSpoken } from './format.js';
import { whyBlocked } from './inspector.js';

const FIND_WAIT_MS = 180;

/** Renders the token search into `root`, and sets `store.hooks.openFind`. */
export function mountFind(root, store) {
  const input = h('input', { type: 'search', class: 'pg-find-input', autocomplete: 'off', spellcheck: 'false', maxlength: 200, placeholder: 'text of a token', 'aria-label': 'Find a token of the vocabulary by its text' });
  const status = h('p', { class: 'pg-find-status', role: 'status' });
  const again = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true }, 'Look again here');
  const list = h('ul', { class: 'pg-find-list' });
  const section = h('section', { class: 'pg-card pg-panel pg-find-panel', 'aria-label': 'Find a token' },
    h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Find a token'), h('kbd', { 'aria-hidden': 'true' }, '/')), h('div', { class: 'pg-find-row' }, input, again), status, list);
  root.append(section);
  let timer = null;
  let asked = 0;
  let place = null;

  const here = () => {
    const lane = store.lane();
    return lane ? `${lane.id} ${JSON.stringify(store.path())}` : null;
  };

  const row = (candidate) => {
    const p = prob(candidate.p);
    const masked = prob(candidate.masked, { blocked: !candidate.allowed });
    const watched = (store.doc().problem.watch || []).includes(candidate.id);
    const spoken = tokenSpoken(candidate);
    const why = whyBlocked(candidate, store.shown());
    return h('li', { class: candidate.allowed ? null : 'is-blocked' },
      h('span', { class: 'pg-find-token' }, h('code', { class: 'pg-tok', 'data-short': isShort(tokenLabel(candidate)) }, tokenLabel(candidate)), h('small', null, `id ${candidate.id}`)),
      h('span', { class: 'pg-find-numbers' }, h('span', { title: p.title }, `model ${p.text}`), ' · ', h('span', { title: masked.title }, `after mask ${masked.text}`), ' · ', `rank ${count(candidate.rank)}`, ' · ', `logit ${logit(candidate.logit)}`),
      why ? h('span', { class: 'pg-find-why' }, h('b', null, 'blocked:'), ' ', why) : null,
      h('span', { class: 'pg-find-actions' },
        h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': String(watched), 'aria-label': `Watch ${spoken}`, onclick: () => { store.actions.watch(candidate.id); } }, watched ? 'Watched' : 'Watch'),
        h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-label': `${candidate.allowed ? 'Take' : 'See what breaks with'} ${spoken}`, onclick: () => { if (candidate.allowed) store.actions.take(candidate.id); else store.actions.ghost(candidate.id); } }, candidate.allowed ? 'Take' : 'What breaks')));
  };

  let rows = [];
  const show = () => fill(list, rows.map(row));

  const look = async () => {
    timer = null;
    const query = input.value;
    const mine = asked += 1;
    if (query === '') { rows = []; place = null; show(); setText(status, ''); setShown(again, false); return; }
    setText(status, 'Looking.');
    const at = here();
    const answer = await store.actions.find(query);
    if (mine !== asked) return;
    if (!answer) { setText(status, 'The search failed; the message above says why.'); return; }
    rows = answer.matches;
    place = at;
    show();
    const n = answer.total;
    setText(status, n === 0 ? 'No token of this vocabulary holds this text. A longer text is spelled with several tokens.' : `${counted(n, 'token')}${n > rows.length ? `, the ${rows.length} likeliest shown` : ''}.`);
    draw();
  };

  // A scrub asks nothing: numbers of another place are taken away from the buttons, and can be asked for again.
  function draw() {
    setShown(section, store.live() && Boolean(store.doc()));
    const stale = place !== null && place !== here();
    setShown(again, stale);
    list.classList.toggle('is-stale', stale);
    for (const each of list.querySelectorAll('button')) each.disabled = stale;
  }

  let watch = null;
  store.subscribe(() => {
    const doc = store.doc();
    if (doc && doc.problem.watch !== watch) { watch = doc.problem.watch; if (rows.length) show(); }
    draw();
  });
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, FIND_WAIT_MS); });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') { clearTimeout(timer); look(); }
    if (event.key === 'Escape') { event.stopPropagation(); input.value = ''; look(); input.blur(); }
  });
  again.addEventListener('click', look);
  store.hooks.openFind = () => { section.scrollIntoView({ block: 'nearest' }); input.focus(); input.select(); };
  draw();
}
