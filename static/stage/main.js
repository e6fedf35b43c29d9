// The Step stage: puts its parts together and keeps them in one store.

import { h, setText, setShown, setAttr, reducedMotion } from './dom.js';
import { createStore } from './store.js';
import { mountHeader } from './header.js';
import { mountStrip } from './strip.js';
import { mountLanes } from './lanes.js';
import { mountBar } from './bar.js';
import { mountCandidates } from './candidates.js';
import { mountInspector } from './inspector.js';
import { mountCaption, mountProvenance } from './caption.js';
import { mountTransport } from './transport.js';
import { mountKeys } from './keys.js';
import { mountPrompt } from './prompt.js';
import { mountState } from './state.js';
import { mountCharts } from './charts.js';
import { mountToy } from './toy.js';
import { mountFind } from './find.js';
import { mountFollow } from './follow.js';
import { mountExport } from './exporting.js';
import { mountPipeline } from './pipeline.js';
import { errorCard, progressLine } from './news.js';
import { mountNotes } from './notes.js';
import { mountOutcome } from './outcome.js';
import { createSettings } from './settings.js';

// Widths of the stage itself (it may stand beside a rail), in px.
const MAIN_SIZES = [['narrow', 680], ['small', 860], ['medium', 1120], ['wide', Infinity]];

function mountErrors(root, store) {
  const progress = progressLine();
  const card = errorCard(() => store.actions.dismissError());
  const note = h('p', { class: 'pg-doc-note', hidden: true });
  root.append(progress.node, card.node, note);
  const update = () => {
    card.show(store.error());
    progress.show(store.view().progress);
    const doc = store.doc();
    setShown(note, Boolean(doc && doc.note));
    setText(note, (doc && doc.note) || '');
  };
  store.subscribe(update);
  update();
}

function mountTabs(root, store) {
  const names = [['candidates', 'Candidates'], ['state', 'State'], ['charts', 'Charts']];
  const buttons = names.map(([name, label]) => h('button', { type: 'button', class: 'pg-tab', 'aria-pressed': 'false', onclick: () => store.set({ panel: name }) }, label));
  root.append(...buttons);
  const update = () => {
    const { panel } = store.view();
    names.forEach(([name], i) => setAttr(buttons[i], 'aria-pressed', String(name === panel)));
    setAttr(root.closest('.pg'), 'data-panel', panel);
  };
  store.subscribe(update);
  update();
}

/** Mounts the stage in `element`. value: a Doc or null; server: the functions of the record's contract, or null for a recording;
 *  figures: the charts' templates; onSettings({name: value}) hears what the stage changed of the settings beside it.
 *  Returns {store, update(doc), notice({error, progress}), toy(), remove()}. */
export function mountStage(element, { value = null, server = null, figures = null, onSettings = null } = {}) {
  const store = createStore({ doc: value, server });
  const place = (name, tag = 'div') => h(tag, { class: `pg-${name}` });
  const parts = Object.fromEntries(['head', 'errors', 'prompt', 'strip-box', 'lanes-box', 'bar', 'candidates', 'state-box', 'inspector', 'pipeline', 'charts', 'toy', 'find', 'follow', 'export', 'notes', 'outcome', 'transport', 'caption-box', 'provenance']
    .map((name) => [name, place(name)]));
  const tabs = h('div', { class: 'pg-tabs', role: 'group', 'aria-label': 'Panel' });
  const empty = h('div', { class: 'pg-empty' }, h('p', { class: 'pg-empty-title' }, 'Nothing to step through yet.'), h('p', null, 'Choose a lesson, or write a prompt and a constraint and press Start.'));
  const root = h('div', { class: 'pg', role: 'region', 'aria-label': 'Step through generation', dataset: { size: 'wide', panel: 'candidates' } },
    h('div', { class: 'pg-busy', 'aria-hidden': 'true' }), parts.errors, empty,
    h('div', { class: 'pg-content' },
      parts.head,
      h('div', { class: 'pg-card pg-tokens' }, parts.prompt, parts['strip-box'], parts['lanes-box']),
      // Here for the keyboard and for a phone; a wide page docks it at its lower edge.
      h('div', { class: 'pg-dock' }, parts['caption-box'], parts.transport),
      parts.outcome, parts.bar, tabs,
      h('div', { class: 'pg-grid' },
        h('div', { class: 'pg-column pg-column-main' }, h('div', { class: 'pg-card pg-candidates-card' }, parts.candidates), parts.pipeline, parts.charts),
        h('div', { class: 'pg-column pg-column-side' }, h('section', { class: 'pg-card pg-insp-card', 'aria-label': 'Token in full' }, parts.inspector), parts['state-box']),
        h('div', { class: 'pg-below' }, parts.notes, parts.toy, parts.find, parts.follow)), parts.provenance));
  element.append(root);

  mountErrors(parts.errors, store);
  mountHeader(parts.head, store, { openNotes: () => { store.set({ panel: 'state' }); parts.notes.scrollIntoView({ block: 'center', behavior: reducedMotion() ? 'auto' : 'smooth' }); } });
  mountStrip(parts['strip-box'], store);
  mountLanes(parts['lanes-box'], store);
  mountBar(parts.bar, store);
  mountTabs(tabs, store);
  const candidates = mountCandidates(parts.candidates, store);
  mountInspector(parts.inspector, store);
  mountCaption(parts['caption-box'], store);
  mountProvenance(parts.provenance, store);
  mountPrompt(parts.prompt, store);
  mountState(parts['state-box'], store);
  mountNotes(parts.notes, store);
  mountOutcome(parts.outcome, store);
  mountPipeline(parts.pipeline, store);
  mountCharts(parts.charts, store, { figures });
  mountToy(parts.toy, store);
  mountFollow(parts.follow, store);
  if (server) mountFind(parts.find, store);
  mountExport(parts.export, store);
  let transport = null;
  const keys = mountKeys(root, store, { onEscape: () => transport !== null && transport.close() });
  transport = mountTransport(parts.transport, store, { openKeys: keys.openHelp, exportRoot: parts.export });
  const update = () => {
    const doc = store.doc();
    setShown(empty, doc === null);
    setAttr(root, 'data-empty', doc === null);
    // What became of the run is news only at its end.
    const lane = store.lane();
    setShown(parts.outcome, Boolean(lane) && lane.outcome !== 'running' && store.cursor() >= lane.steps.length - 1);
    setAttr(root, 'data-busy', store.view().busy || store.view().running);
    setAttr(root, 'aria-busy', store.view().busy ? 'true' : null);
  };
  store.subscribe(update);
  update();

  const settings = createSettings(store, { tell: onSettings });

  const resized = new ResizeObserver(() => {
    const width = root.clientWidth;
    if (!width) return;
    const size = MAIN_SIZES.find(([, below]) => width < below)[0];
    if (root.dataset.size !== size) { root.dataset.size = size; candidates.redraw(); }
  });
  resized.observe(root);

  return {
    store,
    update: (fresh) => { if (fresh) store.actions.loadDoc(fresh); },
    // News from the page that leaves the trace alone: progress {words, done: 0..1 or null}, or an error.
    notice: (news) => {
      const { error = null, progress = null } = news || {};
      store.set({ progress });
      if (error) store.actions.showError(error);
      else if (progress) store.actions.dismissError();
    },
    // A change of a setting by the page's own inputs, as a partial problem: the path is kept and recomputed.
    change: settings.change,
    // The toy as it was edited here, or null.
    toy: () => (store.doc() && store.doc().problem.toy) || null,
    remove: () => { keys.remove(); resized.disconnect(); root.remove(); },
  };
}
