// What the links say: a line that goes away, a card that stays until it is closed, and the way home from a page inside another one.

import { h, setShown, setText } from '../stage/dom.js';
import { errorCard } from '../stage/news.js';

const SAID_MS = 6000;

/** Puts them on the page. Returns {say(words), copied(text), card(error), note(words, action), hide(), home()}. */
export function createSaid() {
  const line = h('p', { class: 'link-line', role: 'status', 'aria-live': 'polite' });
  const words = h('p', null);
  const act = h('button', { type: 'button', class: 'pg-button', hidden: true });
  const error = errorCard(() => hide());
  const close = h('button', { type: 'button', class: 'pg-button', onclick: () => hide() }, 'Close');
  const note = h('div', { class: 'link-note', role: 'status', hidden: true }, words, h('div', { class: 'link-acts' }, act, close));
  const box = h('div', { class: 'pg link-box', hidden: true }, error.node, note);
  document.body.append(box, h('div', { class: 'link-line-box' }, line));
  let timer = null;
  let press = null;
  act.addEventListener('click', () => press && press());

  function hide() {
    error.show(null);
    setShown(note, false);
    setShown(box, false);
  }

  return {
    hide,
    say(text) {
      setText(line, text);
      clearTimeout(timer);
      timer = setTimeout(() => setText(line, ''), SAID_MS);
    },
    /** Whether the browser has copied it. */
    async copied(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        return false;
      }
    },
    card(told) {
      hide();
      setShown(box, true);
      error.show(told);
    },
    /** action: {label, press} or null. */
    note(text, action) {
      hide();
      setShown(box, true);
      setShown(note, true);
      setText(words, text);
      setShown(act, action !== null);
      setText(act, action ? action.label : '');
      press = action ? action.press : null;
    },
    /** The link out of a page that stands inside another one. */
    home() {
      const link = h('a', { class: 'link-home', target: '_blank', rel: 'noopener' }, 'Open in the playground');
      const here = () => {
        const url = new URL(location.href);
        url.searchParams.delete('view');
        link.href = url.href;
      };
      here();
      for (const name of ['pointerdown', 'focus']) link.addEventListener(name, here);
      document.body.prepend(h('div', { class: 'link-home-bar' }, link));
    },
  };
}
