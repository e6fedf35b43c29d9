// An order of names, changed by buttons.

import { h, icon } from '../stage/dom.js';

/** The order with `name` moved by so many places; the same order where it can't move. */
export function moved(order, name, by) {
  const at = order.indexOf(name);
  const to = at + by;
  if (at < 0 || to < 0 || to >= order.length) return order;
  const out = order.filter((each) => each !== name);
  out.splice(to, 0, name);
  return out;
}

/** A list whose items move by two buttons each. get() is the order, set(order) takes a new one. Returns {node, update}. */
export function orderList(label, { get, set }) {
  const node = h('ol', { class: 'dc-order', 'aria-label': label });
  let seen = null;
  function update() {
    const order = get();
    if (seen === order.join('\n')) return;
    seen = order.join('\n');
    const held = node.contains(document.activeElement) ? document.activeElement.dataset : null;
    const move = (name, by, words, sign) => h('button', { type: 'button', class: 'pg-icon-button dc-move', 'aria-label': `${name}: ${words}`, title: words, dataset: { name, by }, 'aria-disabled': moved(order, name, by) === order ? 'true' : null,
      onclick: () => set(moved(get(), name, by)) }, icon(sign));
    node.replaceChildren(...order.map((name) => h('li', null, h('span', null, name), move(name, -1, 'earlier', 'back'), move(name, 1, 'later', 'step'))));
    // The button moves with its name: so does the focus.
    if (held && held.name) [...node.querySelectorAll('.dc-move')].find(({ dataset }) => dataset.name === held.name && dataset.by === held.by)?.focus();
  }
  return { node, update };
}
