// The panels by name: a wide screen goes to one, a phone shows one at a time.

import { fill, h, setAttr } from '../stage/dom.js';

export const PLACES = [['ask', 'One ticket'], ['together', 'Fields together'], ['train', 'Train'], ['measured', 'Measured'], ['against', 'Against generation'], ['positions', 'Text without an order']];

/** Renders the row of places into `root`. boxes: the panels' boxes by name; one of them is `data-here`. */
export function mountPlaces(root, store, boxes) {
  const go = (name) => {
    store.set({ place: name });
    show(name);
    const panel = boxes[name].querySelector('.dc-panel');
    panel.scrollIntoView();
    panel.focus({ preventScroll: true });
  };
  const buttons = PLACES.map(([name, title]) => h('button', { type: 'button', class: 'pg-link dc-place', onclick: () => go(name) }, title));
  fill(root, buttons);
  const show = (place) => PLACES.forEach(([name], at) => {
    setAttr(boxes[name], 'data-here', name === place);
    setAttr(buttons[at], 'aria-current', name === place ? 'true' : null);
  });
  store.subscribe(() => show(store.get().place));
  show(store.get().place);
}
