// The policy: costs of mistakes and of abstaining, the threshold, and what both do on the test split.

import { fill, h, setAttr, setShown, setText } from '../stage/dom.js';
import { costsAdvice, parseCosts, pointAt } from './costs.js';
import { choice, known, table, taskButtons, thresholdSlider, twin } from './parts.js';
import { bandOf, costAxis, costWords, pointWords, routedRows, selectiveWords, thinned, wideWords } from './outcomes.js';
import { legend, plot } from './plot.js';
import { chance } from './words.js';

const POLICY_SHARES = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], words: (tick) => `${100 * tick} %` };

/** The two charts of a field's policy at a threshold, as `twin` takes them. */
export function policyParts({ curve, least, expected, costs, abstain }, threshold) {
  const by = [...curve].sort((a, b) => a.threshold - b.threshold);
  const x = { ...POLICY_SHARES, title: 'abstain below this confidence' };
  const pays = expected.cost;
  const best = least ? ` The dot: the threshold that costs least on dev, ${chance(least.threshold)}; here it pays ${costWords(least)}.` : '';
  const tabled = policyTable(thinned(by));
  return {
    cost: {
      sentence: `Mean cost of a ticket by threshold, with its interval: each gets its option of least expected cost, or a person where that option is less likely than the threshold. Letting expected cost alone choose, the person included, pays ${costWords(expected)}, with ${chance(expected.coverage)} decided (dashed).${best}${wideWords({ curve, costs, abstain })}`,
      chart: [plot('Cost by threshold', { x, y: costAxis([pays, ...by.flatMap(bandOf)]), now: threshold,
        series: [{ cls: 'is-a', line: true, band: true, points: by.map((each) => [each.threshold, each.cost, ...bandOf(each)]) }, { cls: 'is-b', line: true, points: [[0, pays], [1, pays]] }, ...(least ? [{ cls: 'is-after', dots: true, points: [[least.threshold, least.cost]] }] : [])] }), legend([['is-a', 'by threshold'], ['is-b', 'by least expected cost']])],
      table: tabled,
    },
    share: {
      sentence: 'Coverage is the share that is decided; selective accuracy is the share of those that is right, with its interval.',
      chart: [plot('Coverage and selective accuracy by threshold', { x, y: POLICY_SHARES, now: threshold, series: [{ cls: 'is-b', line: true, points: by.map((each) => [each.threshold, each.coverage]) }, { cls: 'is-a', line: true, band: true, points: by.map((each) => [each.threshold, each.accuracy, each.low, each.high]) }] }), legend([['is-a', 'selective accuracy'], ['is-b', 'coverage']])],
      table: tabled.cloneNode(true),
    },
  };
}

function policyTable(curve) {
  return table('By threshold', ['threshold', 'decided', 'right, of those (95 %)', 'cost a ticket (95 %)'], curve.map((each) => [chance(each.threshold), chance(each.coverage), selectiveWords(each), costWords(each)]));
}

/** The editor of one field's costs. change(texts, abstain) hears what is typed. Returns {node, put, wrong(place)}. */
function costsEditor(change) {
  const body = h('div', { class: 'pg-scroll', tabindex: '0', role: 'region', 'aria-label': 'Costs by truth and decision' });
  const abstain = h('input', { type: 'text', inputmode: 'decimal', class: 'dc-cost', 'aria-label': 'Cost to abstain', autocomplete: 'off', oninput: tell });
  let inputs = [];
  function tell() { change(inputs.map((row) => row.map(({ value }) => value)), abstain.value); }
  return {
    node: h('div', { class: 'dc-editor' }, body, h('label', { class: 'dc-labelled' }, h('span', { class: 'pg-faint' }, 'Abstaining costs'), abstain)),
    put(options, costs, cost) {
      inputs = costs.map((row, truth) => row.map((value, decided) => h('input', { type: 'text', inputmode: 'decimal', class: 'dc-cost', value: String(value), 'aria-label': `Cost when ${options[truth]} is true and ${options[decided]} is decided`, autocomplete: 'off', oninput: tell })));
      abstain.value = String(cost);
      fill(body, h('table', { class: 'pg-table dc-law dc-costs' }, h('caption', null, 'Cost of each decision, by what is true'), h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'true ↓ decided →'), options.map((label) => h('th', { scope: 'col' }, label)))),
        h('tbody', null, inputs.map((row, truth) => h('tr', null, h('th', { scope: 'row' }, options[truth]), row.map((input) => h('td', null, input)))))));
    },
    wrong(place) {
      inputs.forEach((row, truth) => row.forEach((input, decided) => setAttr(input, 'aria-invalid', Array.isArray(place) && place[0] === truth && place[1] === decided ? 'true' : null)));
      setAttr(abstain, 'aria-invalid', place === 'abstain' ? 'true' : null);
    },
  };
}

/** Renders the policy into `root`. actions: evaluate(costs), stop. */
export function mountPolicy(root, store, { actions }) {
  const field = choice('Policy of', [], { get: () => store.get().costField, set: (name) => store.set({ costField: name }) });
  const threshold = thresholdSlider(store);
  const note = h('p', { class: 'dc-warning', role: 'status', hidden: true });
  const at = h('p', { class: 'dc-sentence', role: 'status' });
  const cost = twin('Expected cost by threshold');
  const share = twin('Coverage and selective accuracy');
  const routed = h('div', null);
  let typed = null;
  const editor = costsEditor((texts, abstain) => { typed = { texts, abstain }; judge(); buttons.update(); });
  const why = () => (typed && parsed().wrong ? 'Mend the cost that is marked.' : '');
  const buttons = taskButtons(store, 'evaluate', 'Reckon with these costs', { stop: actions.stop, why, press: () => {
    const name = shownField();
    if (!typed) { actions.evaluate(); return; }
    const { costs, abstain } = parsed();
    store.set({ costs: { ...store.get().costs, [name]: { costs, abstain } } });
    actions.evaluate();
  } });
  fill(root, h('div', { class: 'dc-policy' }, h('h4', { class: 'dc-result-title' }, 'Policy: when to decide, when to ask a person'), h('div', { class: 'dc-controls' }, field.node, threshold.node), at,
    h('details', { class: 'dc-more' }, h('summary', null, 'What a mistake costs'), editor.node, note, h('div', { class: 'dc-actions' }, buttons.node)), h('div', { class: 'dc-curves' }, cost.node, share.node), routed));

  const shownField = () => { const { evaluation: doc, costField } = store.get(); return doc.policy[costField] ? costField : Object.keys(doc.policy)[0]; };
  const parsed = () => parseCosts(typed.texts, typed.abstain, store.get().evaluation.policy[shownField()].options);
  function judge() {
    const found = typed ? parsed() : null;
    editor.wrong(found && found.wrong ? found.place : null);
    setText(note, found ? found.wrong || costsAdvice(found.costs, found.abstain) : '');
    setShown(note, note.textContent !== '');
  }
  let seen = [];
  const update = () => {
    const { evaluation: doc, costField, threshold: below } = store.get();
    const some = Boolean(doc && doc.policy && Object.keys(doc.policy).length);
    setShown(root, some);
    if (!some) return;
    threshold.update();
    buttons.update();
    if (seen[0] === doc && seen[1] === costField && seen[2] === below) return;
    const name = shownField();
    const policy = doc.policy[name];
    if (seen[0] !== doc) field.put(Object.keys(doc.policy).map((each) => [each, each]));
    field.select.value = name;
    if (seen[0] !== doc || seen[1] !== costField) {
      typed = null;
      editor.put(policy.options, policy.costs, policy.abstain);
      judge();
    }
    seen = [doc, costField, below];
    setText(at, pointWords(pointAt(policy.curve, below), doc.n.test));
    fill(routed, table(`Where ${name} sends the test tickets when each takes the decision of least expected cost`, ['to', 'tickets', 'share'], routedRows(policy)), h('p', { class: 'pg-quiet' }, known(doc.known), ' Every number here is of these test tickets.'));
    const parts = policyParts(policy, below);
    cost.fill(parts.cost);
    share.fill(parts.share);
  };
  store.subscribe(update);
  update();
}
