// Step 3: what the study says, chart by chart, each with its table and its sentence.

import { fill, h, icon, setShown, setText } from '../stage/dom.js';
import { provenanceLine } from '../stage/caption.js';
import { chartSection, plainSection } from './marks.js';
import { downloads } from './downloads.js';
import { mountDetail } from './detail.js';
import { mountRows } from './rows.js';
import { adviceParts, alarmParts, apartParts, bitsParts, costParts, failureParts, fieldParts, outcomeParts, pairParts, sourceParts, spreadParts, validParts } from './sections.js';
import { studying } from './runs.js';
import { scatterParts } from './scatter.js';
import { mountSweep } from './sweep.js';
import { standing } from './words.js';

/** Renders step 3 into `root`. actions: resume, again, copyLink, copy(text), openStep(problem, path), export(kind), rows(filter), row(where), scatter. */
export function mountResults(root, store, actions) {
  const title = h('h3', { class: 'st-title' });
  const stand = h('p', { class: 'st-standing' });
  const model = h('p', { class: 'pg-quiet' });
  const note = h('p', { class: 'st-note', role: 'status' });
  const resume = h('button', { type: 'button', class: 'pg-button pg-primary st-resume', onclick: actions.resume }, icon('play'), 'Resume');
  const again = h('button', { type: 'button', class: 'pg-button', onclick: actions.again }, 'Change and run again');
  const link = h('button', { type: 'button', class: 'pg-button', onclick: async () => { setText(note, await actions.copyLink()); } }, 'Copy link');
  const head = h('section', { class: 'pg-card pg-panel st-head', 'aria-label': 'The study' }, title, stand, model, h('div', { class: 'st-actions' }, resume, again, link), note);

  const detail = mountDetail({ ask: actions.row, openStep: actions.openStep, categories: () => (store.get().doc || { categories: {} }).categories });
  const table = plainSection('All outputs');
  const rows = mountRows(table.body, { ask: actions.rows, open: detail.open });
  const list = (filter) => { rows.filter(filter); table.node.scrollIntoView({ block: 'start' }); };
  const charts = {
    advice: plainSection('What to use', 'st-advice-card'), valid: chartSection('Valid rate'), outcomes: chartSection('Valid is not right'), failures: plainSection('Failure classes'), fields: chartSection('Accuracy by field'), cost: chartSection('Cost of a valid answer'),
    bits: chartSection('Bits that the mask takes'), scatter: chartSection('Bits against right and wrong'), spread: chartSection('Over the prompts'), alarm: plainSection('Alarm'), source: plainSection('Not in the source'), apart: plainSection('Disagreements'), pairs: plainSection('Methods in pairs'),
  };
  const sweep = mountSweep(store, actions);
  const command = h('code', { class: 'st-command' });
  const saved = plainSection('Take it away');
  saved.fill(h('p', { class: 'st-sentence' }, 'The command that runs it again, with the same numbers on the same model:'), h('div', { class: 'st-command-box' }, command, h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: async () => { setText(copied, await actions.copy(command.textContent)); } }, 'Copy')));
  const copied = h('p', { class: 'pg-quiet', role: 'status' });
  const own = h('p', { class: 'pg-quiet' }, 'It reads the study’s own file, study.jsonl: save it first.');
  saved.body.append(copied, own, ...downloads(actions.export));
  const column = (...names) => h('div', { class: 'st-column-of' }, names.map((name) => charts[name].node));
  root.append(head, charts.advice.node, h('div', { class: 'st-grid' }, column('valid', 'cost'), column('outcomes', 'bits', 'scatter', 'alarm')), h('div', { class: 'st-grid' }, column('fields'), column('spread', 'source')),
    charts.failures.node, charts.apart.node, charts.pairs.node, sweep.node, table.node, saved.node, detail.node);

  let drawn = null;
  async function scattered(doc) {
    const bits = doc.summary.methods.some((each) => each.bits.n);
    if (!bits) { charts.scatter.fill(null); return; }
    const answer = await actions.scatter();
    if (drawn !== doc) return;
    const { labels } = store.get().page;
    charts.scatter.fill(answer.error ? { sentence: `${answer.error.what} ${answer.error.hint || ''}`, chart: [], table: '' } : scatterParts(answer, { labels, categories: doc.categories, open: detail.open }));
  }
  return {
    update() {
      const { doc, running, step } = store.get();
      if (!doc) return;
      const { labels } = store.get().page;
      setText(title, doc.own ? `Own prompts: ${doc.title}` : doc.title);
      setText(stand, `${standing(doc, studying(store.get()))}.${doc.summary.small ? ' Fewer than 30 prompts: the intervals count, no mean is put forward.' : ''}`);
      fill(model, h('span', { class: 'pg-badge', dataset: { kind: doc.recorded ? 'recorded' : doc.provenance.kind } }, doc.recorded ? 'recorded' : doc.provenance.kind), ` ${provenanceLine(doc.provenance)}`);
      setShown(resume, !doc.done && !running && !doc.recorded && !doc.elsewhere);
      setShown(link, !doc.recorded);
      sweep.update();
      if (step !== 'results' || drawn === doc) return;
      drawn = doc;
      const parts = (answer) => (answer === null ? [null] : answer);
      charts.advice.fill(...adviceParts(doc));
      charts.valid.fill(validParts(doc, labels));
      charts.outcomes.fill(outcomeParts(doc, labels));
      charts.fields.fill(fieldParts(doc, labels));
      charts.cost.fill(costParts(doc, labels));
      charts.bits.fill(bitsParts(doc, labels));
      charts.spread.fill(spreadParts(doc, labels));
      charts.failures.fill(...parts(failureParts(doc, { open: detail.open, list })));
      charts.alarm.fill(...parts(alarmParts(doc)));
      charts.source.fill(...parts(sourceParts(doc)));
      charts.apart.fill(...parts(apartParts(doc, detail.open)));
      charts.pairs.fill(...parts(pairParts(doc)));
      setText(command, doc.command);
      setShown(own, doc.command.includes('--spec'));
      rows.update(doc);
      scattered(doc);
    },
  };
}
