// Follows a pasted text, for example what a production model wrote: its steps, and where it leaves the constraint or breaks off.
import { h, fill, setText, setShown } from './dom.js';
import { bits, count, counted, visible } from './format.js';
import { LIMITS } from './settings.js';

const FOLLOW_AROUND = 60;

const FOLLOW_WORDS = {
  valid: ['VALID', 'The text is complete and fits the constraint.'],
  incomplete: ['INCOMPLETE', 'The text fits as far as it goes, and then it was cut.'],
  invalid: ['INVALID', 'The text leaves the constraint.'],
  refused: ['REFUSED', 'The engine refuses this way of cutting the text into tokens; the text itself is valid.'],
};

/** The text around byte `offset` of `text` as [before, at, after], at most `around` characters a side; `at` is one character or empty. */
export function followAround(text, offset, around = FOLLOW_AROUND) {
  const bytes = new TextEncoder().encode(text);
  let begin = Math.min(Math.max(0, offset), bytes.length);
  while (begin > 0 && begin < bytes.length && (bytes[begin] & 0xc0) === 0x80) begin -= 1;
  const decoder = new TextDecoder();
  const before = [...decoder.decode(bytes.slice(0, begin))];
  const rest = [...decoder.decode(bytes.slice(begin))];
  const cutBefore = before.length > around ? `…${before.slice(-around).join('')}` : before.join('');
  const cutAfter = rest.length > around + 1 ? `${rest.slice(1, around + 1).join('')}…` : rest.slice(1).join('');
  return [cutBefore, rest[0] || '', cutAfter];
}

function followFits(bytes) {
  if (bytes === 0) return 'no byte fits';
  return bytes === 1 ? 'the first byte fits' : `the first ${count(bytes)} bytes fit`;
}

/** Renders the follow panel into `root` and keeps its verdict in step with the store. */
export function mountFollow(root, store) {
  const area = h('textarea', { rows: 4, spellcheck: 'false', class: 'pg-follow-text', 'aria-label': 'A text to follow', placeholder: 'Paste a text, for example a model’s output from production' });
  const button = h('button', { type: 'submit', class: 'pg-button pg-button-small' }, 'Follow this text');
  const problem = h('p', { class: 'pg-toy-problem', role: 'alert', hidden: true });
  const result = h('div', { class: 'pg-follow-result', role: 'status' });
  const form = h('form', { class: 'pg-follow-form' }, area, button, problem);
  const section = h('section', { class: 'pg-card pg-panel pg-follow-panel', 'aria-label': 'Follow a text' }, h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Follow a text')), form, result);
  root.append(section);
  let followed = '';

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = area.value;
    const size = [...text].length;
    const why = size === 0 ? 'There is no text to follow yet.' : size > LIMITS.textCharacters ? `The text has ${count(size)} characters; at most ${count(LIMITS.textCharacters)} can be followed. Paste the part around the fault.` : null;
    setText(problem, why || '');
    setShown(problem, Boolean(why));
    if (why) return;
    button.disabled = true;
    followed = text;
    await store.actions.follow(text);
    button.disabled = false;
  });

  let seen = null;
  const draw = () => {
    const doc = store.doc();
    const follow = doc ? doc.follow : null;
    setShown(form, store.live());
    setShown(section, Boolean(doc) && (store.live() || Boolean(follow)));
    if (!follow) { if (seen) fill(result); seen = null; return; }
    if (follow === seen) return;
    seen = follow;
    const [word, sentence] = FOLLOW_WORDS[follow.verdict] || [String(follow.verdict).toUpperCase(), ''];
    const total = doc.steps.reduce((sum, step) => (sum === null || step.bits === null ? null : sum + step.bits), 0);
    const at = follow.blocked_at;
    const facts = [counted(doc.steps.length, 'token'), followFits(follow.consumed), `the mask would have taken ${bits(total)}`].join('; ');
    const around = followed ? followAround(followed, at ? at.offset : follow.consumed) : null;
    const expected = at ? at.expected.map(visible) : [];
    fill(result,
      h('p', { class: `pg-result is-${follow.verdict}` }, h('b', null, word), ` ${sentence}`),
      h('p', null, `${facts}.`),
      at ? h('p', null, 'First blocked byte: ', h('b', null, `line ${at.line}, column ${at.column}`), ` (byte ${count(at.offset + 1)}, offset ${count(at.offset)}). Got `, h('code', null, at.got === '' || at.got === null ? 'the end' : visible(at.got)), `; expected ${expected.join(' or ') || 'nothing: no text can go on from here'}.`) : null,
      follow.verdict === 'incomplete' && follow.needs ? h('p', null, 'It still needs ', h('code', null, visible(follow.needs)), '.') : null,
      around && follow.verdict !== 'valid' ? h('pre', { class: 'pg-follow-around' }, around[0], h('mark', { class: at ? 'is-blocked' : 'is-cut' }, at ? visible(around[1]) || 'end' : 'cut here'), around[2]) : null);
  };
  store.subscribe(draw);
  draw();
}
