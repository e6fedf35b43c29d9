// Whose tokens are shown: a model's, or those of a tokenizer.json that the visitor has.

import { h } from '../stage/dom.js';
import { count } from '../stage/format.js';
import { base64, deflated } from '../links/bytes.js';
import { sure } from './newest.js';

const TOKENIZER_FILE = 'file';
/** Longest packed file that is sent, characters: the server takes requests of 3,000,000 bytes. */
const TOKENIZER_MOST = 2900000;

/** The tokenizer to ask the server for: the one chosen, else the first model's; null where there is none. */
export function tokenizerOf({ tokenizer }, models) {
  if (tokenizer) return asked(tokenizer);
  return models.length ? { name: models[0] } : null;
}

/** A choice of the list as the server takes it; null for bytes only. */
export function asked(tokenizer) {
  if (!tokenizer) return null;
  return tokenizer.startsWith('pasted:') ? { pasted: tokenizer.slice(7) } : { name: tokenizer };
}

/** The list of tokenizers. `paste(payload)` sends a file; `told(words)` hears what became of it. */
export function mountTokenizer(state, { models, paste, told }) {
  const select = h('select', { class: 'pg-select', 'aria-label': 'Show the tokens of', onchange: chosen }, h('option', { value: '' }, 'bytes only'), models.map((model) => h('option', { value: model }, model)), h('option', { value: TOKENIZER_FILE }, 'a tokenizer.json …'));
  const file = h('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-label': 'A tokenizer.json', onchange: () => { if (file.files.length) send(file.files[0]); file.value = ''; } });

  function chosen() {
    if (select.value !== TOKENIZER_FILE) { told(''); state.set({ tokenizer: select.value }); return; }
    select.value = state.get().tokenizer;
    file.click();
  }

  async function send(chosenFile) {
    told(`Reading ${chosenFile.name} …`);
    const packed = base64(await deflated(new Uint8Array(await chosenFile.arrayBuffer())));
    if (packed.length > TOKENIZER_MOST) { told(`${chosenFile.name} is too large: ${count(packed.length)} characters when packed, at most ${count(TOKENIZER_MOST)}.`); return; }
    const answer = await sure(paste({ packed }));
    if (answer.error) { told(`${answer.error.what} ${answer.error.hint || ''}`); return; }
    const value = `pasted:${answer.pasted}`;
    if (![...select.options].some((option) => option.value === value)) select.insertBefore(h('option', { value }, `${chosenFile.name.slice(0, 40)}: ${count(answer.tokens)} tokens`), select.lastChild);
    told('');
    state.set({ tokenizer: value });
  }

  const update = () => { const wanted = state.get().tokenizer; if (select.value !== wanted) select.value = wanted; };
  state.subscribeLate(update);
  update();
  return [select, file];
}
