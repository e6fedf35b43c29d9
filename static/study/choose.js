// Step 1: which prompts, what a valid answer is, which methods, how large; and what that will take.

import { fill, h, icon, setAttr, setShown, setText } from '../stage/dom.js';
import { count, counted } from '../stage/format.js';
import { choiceField, errorCard, formOf, numberField, segments, tickField } from './fields.js';
import { hasSchema, kindOf, tooLarge, validOf } from './setting.js';
import { planWords, timeWords } from './words.js';

const CHOOSE_VALID = [
  ['schema', 'the whole JSON Schema', 'The whole text must be JSON that matches the schema.'],
  ['salvaged', 'that, after salvage', 'The JSON found in the text (fences and words around it cut off) must match the schema.'],
  ['language', 'the mask’s language', 'The text must be one that the mask could have let through: keys in the schema’s order, bounded blanks.'],
];
const CHOOSE_KINDS = [['schema', 'JSON Schema'], ['regex', 'Regex'], ['choices', 'Choices, one a line'], ['pydantic', 'Pydantic model'], ['tool', 'Tool definition']];
const CHOOSE_LEVELS = { 1: 'level 1: ask', 1.5: 'level 1.5: a token given', 2: 'level 2: check and retry', 3: 'level 3: constrain' };

function card(title, ...children) {
  return h('section', { class: 'pg-card pg-panel st-choose', 'aria-label': title }, h('h3', { class: 'pg-card-title' }, title), ...children);
}

function samples(list) {
  return list.map(({ prompt, gold }) => h('li', null, h('q', { class: 'st-sample' }, prompt), gold === null || gold === undefined ? null : h('code', { class: 'st-gold' }, JSON.stringify(gold))));
}

function mountPrompts(store, form, actions) {
  const source = segments(form, 'source', 'Where the prompts come from', [['set', 'Built-in set'], ['own', 'My own']]);
  const set = choiceField(form, 'set', 'Set', []);
  const split = choiceField(form, 'split', 'Split', []);
  const about = h('p', { class: 'st-about' });
  const list = h('ul', { class: 'st-samples', 'aria-label': 'First prompts' });
  const builtin = h('div', { class: 'st-part-of' }, h('div', { class: 'st-fields' }, set.node, split.node), about, list);

  const text = h('textarea', { class: 'st-text', rows: 6, spellcheck: 'false', 'aria-label': 'Own prompts, CSV or JSONL', placeholder: 'prompt,gold.intent\n"My card was charged twice",billing' });
  const file = h('input', { type: 'file', accept: '.csv,.jsonl,.ndjson,text/csv,application/jsonl', hidden: true, tabindex: '-1', 'aria-hidden': 'true' });
  const pick = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => file.click() }, 'Choose a file');
  const kind = segments(form, 'kind', 'Format', [['csv', 'CSV'], ['jsonl', 'JSONL']]);
  const said = h('p', { class: 'pg-quiet', role: 'status' });
  const wrong = errorCard();
  const ownList = h('ul', { class: 'st-samples', 'aria-label': 'First own prompts' });
  const instruction = h('textarea', { class: 'st-text', rows: 2, spellcheck: 'false', 'aria-label': 'How a prompt is put to the model; {input} stands for it', placeholder: 'Read the ticket and answer with one JSON object.\n\n{input}' });
  const own = h('div', { class: 'st-part-of st-drop' }, h('p', { class: 'pg-quiet' }, 'Paste or drop a file with the column prompt and, if you like, id, source, and gold or gold.<field>. It is read in this page and sent as text.'),
    h('div', { class: 'st-fields' }, kind.node, pick, file), text, wrong.node, said, ownList);
  const ask = h('details', { class: 'st-more' }, h('summary', null, 'How a prompt is put to the model'), h('p', { class: 'pg-quiet st-put' }), instruction);

  const take = (name, content) => {
    const large = tooLarge(content, store.get().page.most_text);
    if (large) { wrong.show(large); return; }
    form.set({ text: content, name: name.slice(0, 200) || 'pasted', kind: kindOf(name, content) });
    text.value = content;
    actions.check();
  };
  const read = async (chosen) => {
    if (!chosen) return;
    const { most_text: most } = store.get().page;
    // A huge file isn't read at all: characters are never fewer than a third of UTF-8's bytes.
    if (chosen.size > 4 * most) { wrong.show({ what: `${chosen.name} has ${count(chosen.size)} bytes.`, where: 'prompts', hint: `At most ${count(most)} are read here. Nothing was sent.` }); return; }
    try {
      take(chosen.name, await chosen.text());
    } catch (reason) {
      wrong.show({ what: `${chosen.name} could not be read.`, where: 'prompts', hint: `Choose it again, or paste its text. (${reason.message})` });
    }
  };
  file.addEventListener('change', () => { read(file.files[0]); file.value = ''; });
  text.addEventListener('input', () => { form.set({ text: text.value, kind: kindOf('', text.value), name: 'pasted' }); actions.checkSoon(); });
  for (const name of ['dragover', 'dragleave', 'drop']) own.addEventListener(name, (event) => { event.preventDefault(); setAttr(own, 'data-over', name === 'dragover'); if (name === 'drop') read(event.dataTransfer.files[0]); });
  instruction.addEventListener('input', () => form.set({ instruction: instruction.value }));

  const node = card('Prompts', source.node, builtin, own, ask);
  let drawn = null;
  return {
    node,
    update(now) {
      const { sets, checked, wrong: refused } = store.get();
      source.update(now);
      kind.update(now);
      setShown(builtin, now.source === 'set');
      setShown(own, now.source === 'own');
      if (sets && set.select.options.length !== sets.length) set.put(sets.map((each) => [each.name, each.title]));
      set.update(now);
      const chosen = sets && sets.find((each) => each.name === now.set);
      const key = chosen ? `${chosen.name}` : null;
      if (chosen && drawn !== key) {
        drawn = key;
        split.put(Object.entries(chosen.splits).map(([name, size]) => [name, `${name} (${count(size)})`]));
        setText(about, `${chosen.about} ${chosen.gold === chosen.splits.all ? 'Every prompt has a gold answer.' : `${count(chosen.gold)} of them have a gold answer.`}`);
        fill(list, samples(chosen.samples));
      }
      split.update(now);
      setShown(split.node, Boolean(chosen) && Object.keys(chosen.splits).length > 2);
      if (document.activeElement !== text && text.value !== now.text) text.value = now.text;
      if (document.activeElement !== instruction && instruction.value !== now.instruction) instruction.value = now.instruction;
      wrong.show(now.source === 'own' ? refused : null);
      setText(said, now.source === 'own' && checked && !refused ? `${counted(checked.count, 'prompt')}, ${count(checked.gold)} with a gold answer.` : '');
      fill(ownList, now.source === 'own' && checked && !refused ? samples(checked.samples) : []);
      setText(ask.querySelector('.st-put'), now.source === 'set' && chosen ? `The set’s own: ${chosen.instruction}` : 'Without words of your own a prompt is put as it stands. {input} stands for it.');
    },
  };
}

function mountSchema(store, form, actions) {
  const which = segments(form, 'schema', 'Which constraint', [['set', 'The set’s own'], ['rail', 'The rail’s'], ['pasted', 'Pasted']]);
  const about = h('p', { class: 'pg-quiet' });
  const pastedKind = choiceField(form, 'pastedKind', 'Kind', CHOOSE_KINDS);
  const text = h('textarea', { class: 'st-text', rows: 6, spellcheck: 'false', 'aria-label': 'Constraint' });
  text.addEventListener('input', () => form.set({ pasted: text.value }));
  const pasted = h('div', { class: 'st-part-of' }, pastedKind.node, text);
  const snippet = h('pre', { class: 'pg-snippet', tabindex: '0' });
  const valid = choiceField(form, 'valid', 'Valid is', CHOOSE_VALID.map(([value, words]) => [value, words]));
  const validAbout = h('p', { class: 'pg-quiet' });
  const salvage = tickField(form, 'salvage', 'Retries judge after salvage', 'As the fallback of a program does: fences and words around the JSON are cut off first.');
  return {
    node: card('What a valid answer is', which.node, about, snippet, pasted, h('div', { class: 'st-fields' }, valid.node), validAbout, salvage.node),
    update(now) {
      which.update(now);
      const own = now.source === 'own';
      which.node.querySelector('[data-value="set"]').disabled = own;
      if (now.schema === 'rail' && now.rail === null) actions.takeRail();
      const kinds = [...pastedKind.select.options].map(({ value }) => value);
      if (!kinds.includes(now.pastedKind)) pastedKind.put([...CHOOSE_KINDS, [now.pastedKind, now.pastedKind]]);
      pastedKind.update(now);
      if (document.activeElement !== text && text.value !== now.pasted) text.value = now.pasted;
      setShown(pasted, now.schema === 'pasted');
      const sets = store.get().sets;
      const chosen = sets && sets.find((each) => each.name === now.set);
      const says = { set: own ? 'Own prompts have no schema of their own: take the rail’s, or paste one.' : `The schema that the answers of the set follow${chosen && chosen.fields.length ? `: ${chosen.fields.join(', ')}` : ''}.`,
        rail: now.rail ? `The constraint of the other screens: ${now.rail.kind}, engine ${now.rail.engine}.` : 'The rail of the other screens holds no constraint.', pasted: '' }[now.schema];
      setText(about, says);
      setShown(about, Boolean(says));
      setShown(snippet, now.schema === 'rail' && Boolean(now.rail));
      setText(snippet, now.rail ? now.rail.source : '');
      const judged = hasSchema(now);
      const value = validOf(now);
      valid.select.disabled = !judged;
      valid.select.value = value;
      setText(validAbout, `${CHOOSE_VALID.find(([name]) => name === value)[2]}${judged ? '' : ' Without a JSON Schema nothing else can judge.'}`);
      setShown(salvage.node, judged);
      salvage.update(now);
    },
  };
}

function mountMethods(store, form) {
  const { labels } = store.get().page;
  const boxes = new Map();
  const toggle = (name, on) => {
    const { methods } = form.get();
    form.set({ methods: labels.map((each) => each.name).filter((each) => (each === name ? on : methods.includes(each))) });
  };
  const parallel = numberField(form, 'parallel', 'samples', { title: 'Samples side by side: 1 to 32' });
  const line = (label) => {
    const input = h('input', { type: 'checkbox', name: `study-method-${label.name}`, onchange: () => toggle(label.name, input.checked) });
    boxes.set(label.name, input);
    const level = CHOOSE_LEVELS[label.level];
    const many = /^parallel-/.test(label.name);
    return h('div', { class: 'st-method' }, h('label', { class: 'st-method-label' }, input, h('span', null, h('b', null, many ? 'First valid of several' : label.title), ' ', h('code', null, many ? 'parallel-N' : label.name), level ? h('span', { class: 'cmp-badge' }, level) : null, h('span', { class: 'st-law' }, `${label.law}.`))), many ? parallel.node : null);
  };
  const more = h('details', { class: 'st-more' }, h('summary', null, 'Other methods'), labels.filter((each) => !each.usual).map(line));
  return {
    node: card('Methods', labels.filter((each) => each.usual).map(line), more),
    update(now) {
      for (const [name, input] of boxes) input.checked = now.methods.includes(name);
      parallel.update(now);
    },
  };
}

function mountSize(store, form) {
  const model = choiceField(form, 'model', 'Model', store.get().page.models.map((name) => [name, name]));
  const fields = [
    model, numberField(form, 'n', 'Prompts', { title: 'The first ones, in their order' }), numberField(form, 'draws', 'Draws each', { title: 'Of each method at each prompt' }),
    numberField(form, 'temperature', 'Temperature', { step: 0.1 }), numberField(form, 'topP', 'Top-p', { step: 0.1, title: '1 is off' }), numberField(form, 'maxTokens', 'Max tokens', { title: 'Of one run, the end counted' }), numberField(form, 'seed', 'Seed'), numberField(form, 'attempts', 'Attempts', { title: 'Most runs of a retry at one output' }),
    numberField(form, 'exactRows', 'Exact rows', { title: 'Rows that bounding Z and TV may read at each prompt; 0 leaves it out' }),
  ];
  const ticks = [tickField(form, 'showSchema', 'Schema in the prompt', 'Its text is added to what every prompt says; it costs tokens.'), tickField(form, 'yes', 'Ask the model whether a valid answer is right', 'Each valid answer is read once more with its whole prompt: p(yes), held against the gold answer.')];
  return {
    node: card('Size and sampling', h('div', { class: 'st-fields' }, fields.map((each) => each.node)), ticks.map((each) => each.node)),
    update(now) {
      for (const each of [...fields, ...ticks]) each.update(now);
      setShown(ticks[0].node, hasSchema(now));
    },
  };
}

/** Renders step 1 into `root`. actions: run, check, checkSoon, takeRail, small, recorded, mine. */
export function mountChoose(root, store, actions) {
  const form = formOf(store);
  const parts = [mountPrompts(store, form, actions), mountSchema(store, form, actions), mountMethods(store, form), mountSize(store, form)];
  const small = h('button', { type: 'button', class: 'pg-button pg-primary', onclick: actions.small }, icon('play'), 'Run a small one: 8 tickets');
  const recorded = h('button', { type: 'button', class: 'pg-button', onclick: actions.recorded }, 'Show a recorded study');
  const mine = h('button', { type: 'button', class: 'pg-button', onclick: actions.mine }, 'Back to your study');
  const about = h('p', null, 'A study puts many prompts to the model by several methods and counts: valid, right, and what a valid answer cost. Every rate comes with its interval, and at the end stands which method to use, with the reasons.');
  const title = h('h2', { class: 'st-hello-title' }, 'How often is the answer valid, and how often right?');
  const hello = h('section', { class: 'pg-card st-hello', 'aria-label': 'What a study is' }, title, about, h('p', { class: 'st-hello-actions' }, small, recorded, mine));
  const plan = h('p', { class: 'st-plan-words' });
  const time = h('p', { class: 'pg-quiet' });
  const golds = h('p', { class: 'st-golds', role: 'status' });
  const wrong = errorCard();
  const run = h('button', { type: 'button', class: 'pg-button pg-primary st-run', onclick: actions.run }, icon('play'), 'Run');
  const foot = h('div', { class: 'pg-card st-plan', role: 'region', 'aria-label': 'What it will take' }, h('div', { class: 'st-plan-text' }, plan, time, golds, wrong.node), run);
  const [prompts, schema, methods, size] = parts.map((each) => each.node);
  root.append(hello, h('div', { class: 'st-grid' }, h('div', { class: 'st-column-of' }, prompts, methods), h('div', { class: 'st-column-of' }, schema, size)), foot);
  return {
    update() {
      const { form: now, plan: found, refused, running, doc, recorded: there, model, experimenting, mine: own } = store.get();
      for (const each of parts) each.update(now);
      const first = !doc && (!running || Boolean(experimenting));
      const back = Boolean(doc && doc.recorded && own);
      for (const each of [title, about]) setShown(each, first);
      setShown(hello, first || Boolean(there) || back);
      setShown(mine, back);
      setAttr(hello, 'data-brief', !first);
      recorded.disabled = running && !experimenting;
      small.disabled = Boolean(experimenting);
      setShown(recorded, Boolean(there));
      setShown(small, first && Boolean(model));
      wrong.show(refused);
      setShown(plan, !refused);
      setShown(time, !refused);
      setText(plan, found ? planWords(found) : 'Reckoning what it will take.');
      setText(time, found ? timeWords(found) : '');
      const warned = !refused && found && found.golds ? found.golds : '';
      setShown(golds, Boolean(warned));
      setText(golds, warned);
      run.disabled = Boolean(refused) || Boolean(experimenting);
      setAttr(run, 'title', experimenting ? 'An experiment is running: stop it first.' : null);
    },
  };
}
