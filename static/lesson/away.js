// The way back to the beat, for a visitor who has moved on from what it shows.

import { h, icon, setShown } from '../stage/dom.js';

/** Puts the button beside the lesson's other moves in `bar`. show: see show.js. Returns what looks again. */
export function mountAway(bar, { show, player }) {
  const back = h('button', { type: 'button', class: 'pg-button lesson-away', hidden: true, title: 'Show again what this beat is about', onclick: () => player.go(player.store.get().beat) }, icon('back'), 'Off the beat: back to it');
  bar.querySelector('.lesson-moves').prepend(back);
  let was = false;
  const look = () => {
    const now = Boolean(player.store.get().form) && show.away();
    if (now === was) return;
    was = now;
    setShown(back, now);
    if (now) show.unring();
  };
  player.store.subscribe(look);
  return look;
}
