// The prompt as the model reads it: every token with its id, chat template and special tokens included.
import { h, fill, setText, setShown } from './dom.js';
import { count, counted, tokenLabel, visible } from './format.js';

const PROMPT_MOST = 400;

/** Renders the prompt's tokens into `root`, folded; nothing where the prompt has no tokens. */
export function mountPrompt(root, store) {
  const summary = h('summary', null);
  const list = h('ol', { class: 'pg-prompt-tokens' });
  const more = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true });
  const healed = h('p', { class: 'pg-quiet pg-healed', hidden: true });
  const details = h('details', { class: 'pg-prompt-fold' }, summary, list, more);
  const attempt = h('p', { class: 'pg-again', hidden: true });
  root.append(details, healed, attempt);
  let seen = null;
  let drawn = false;
  const chip = (token) => h('li', { class: token.special ? 'is-special' : null }, h('code', null, tokenLabel(token)), h('small', null, String(token.id)), token.special ? h('span', { class: 'pg-sr' }, ' special token') : null);
  const tokens = (all) => {
    const prompt = seen || [];
    const shown = all ? prompt : prompt.slice(0, PROMPT_MOST);
    fill(list, shown.map(chip));
    setShown(more, shown.length < prompt.length);
    setText(more, `Show all ${count(prompt.length)}`);
    drawn = true;
  };
  more.addEventListener('click', () => tokens(true));
  details.addEventListener('toggle', () => { if (details.open && !drawn) tokens(false); });
  const draw = () => {
    const doc = store.doc();
    const prompt = (doc && doc.prompt) || [];
    setShown(details, prompt.length > 0);
    const off = doc && doc.healed;
    setShown(healed, Boolean(off));
    if (off) setText(healed, `The prompt’s last token “${visible(off.text)}” was taken off: the run begins with its text, in tokens that the model chooses.`);
    const again = doc && doc.again;
    setShown(attempt, Boolean(again));
    if (again && attempt.pgAgain !== again) {
      attempt.pgAgain = again;
      const toy = doc.problem.toy ? ' A toy reads no prompt: only its luck is another.' : '';
      fill(attempt, h('b', null, `Attempt ${again.attempt} of ${doc.problem.attempts}.`), ' Fed back: ', h('q', null, visible(again.error).replaceAll('␣', ' ')), h('span', { class: 'pg-quiet' }, ` The output was fed back too, up to its first invalid token. What is drawn from now is p under the new prompt.${toy}`));
    }
    if (prompt === seen) return;
    seen = prompt;
    drawn = false;
    const special = prompt.filter((token) => token.special).length;
    const template = doc && doc.problem && doc.problem.chat ? ', chat template included' : '';
    setText(summary, `The prompt as the model reads it: ${counted(prompt.length, 'token')}${special ? `, ${count(special)} special` : ''}${template}`);
    if (details.open) tokens(false);
  };
  store.subscribe(draw);
  draw();
}
