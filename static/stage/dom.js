// Building and updating the page's elements: data enters as text and attributes, never as markup.

const DOM_SVG_NS = 'http://www.w3.org/2000/svg';

function domApply(node, attrs) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on') && typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (name === 'dataset') for (const [k, v] of Object.entries(value)) node.dataset[k] = v;
    else if (name === 'style' && typeof value === 'object') for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

function domAppend(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === true) continue;
    if (Array.isArray(child)) domAppend(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** An HTML element. attrs: null and false are left out, true is an empty attribute, `onclick` etc. are
 *  listeners, `style` and `dataset` take objects. Children: nodes, text, nested arrays; null is skipped. */
export function h(tag, attrs, ...children) {
  const node = document.createElement(tag);
  domApply(node, attrs);
  domAppend(node, children);
  return node;
}

/** The same for SVG. */
export function svg(tag, attrs, ...children) {
  const node = document.createElementNS(DOM_SVG_NS, tag);
  domApply(node, attrs);
  domAppend(node, children);
  return node;
}

/** Replaces everything in `node` by `children` (as `h` takes them). */
export function fill(node, ...children) {
  node.replaceChildren();
  domAppend(node, children);
  return node;
}

/** Sets the text only when it differs, so that a scrub doesn't touch what stays; a lone text node is kept, as a new one
 *  costs the browser a style. */
export function setText(node, text) {
  const value = String(text);
  if (node.textContent === value) return;
  const only = node.firstChild;
  if (only && only === node.lastChild && only.nodeType === Node.TEXT_NODE && value) only.data = value;
  else node.textContent = value;
}

/** Sets or (null, false) removes an attribute, only when it differs. */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Shows or hides by the `hidden` attribute. */
export function setShown(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** Keeps `parent`'s children equal to `items` by key, reusing nodes: make(item) -> Node, update(node, item, index). Keyed by
 *  their place, nodes are drawn over and none is made anew while there are as many. */
export function keyed(parent, items, key, make, update) {
  const old = parent.pgKeyed || (parent.pgKeyed = new Map());
  const now = new Map();
  let at = parent.firstChild;
  items.forEach((item, index) => {
    const k = key(item, index);
    const node = old.get(k) || make(item, index);
    now.set(k, node);
    update(node, item, index);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  });
  for (const [k, node] of old) if (now.get(k) !== node) node.remove();
  parent.pgKeyed = now;
}

/** True while the visitor asked their system for less motion. */
export function reducedMotion() {
  return typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}

const DOM_ICONS = {
  first: ['M6 5v14', 'M19 5l-9 7 9 7z'],
  back: ['M15 5l-8 7 8 7'],
  play: ['M7 4.5v15l12-7.5z'],
  pause: ['M8 5v14', 'M16 5v14'],
  step: ['M9 5l8 7-8 7'],
  event: ['M5 5l8 7-8 7z', 'M18 5v14'],
  end: ['M4 5l7 7-7 7', 'M12 5l7 7-7 7', 'M21 5v14'],
  undo: ['M9 7L4 12l5 5', 'M4 12h10a5 5 0 0 1 0 10h-2'],
  redo: ['M15 7l5 5-5 5', 'M20 12H10a5 5 0 0 0 0 10h2'],
  branch: ['M6 4v16', 'M6 15c0-5 12-3 12-9', 'M15 7l3-3 3 3'],
  more: ['M5 12h.01', 'M12 12h.01', 'M19 12h.01'],
  search: ['M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z', 'M20 20l-4-4'],
  close: ['M6 6l12 12', 'M18 6L6 18'],
  blocked: ['M6 6l12 12', 'M18 6L6 18'],
  broken: ['M4 4h16v16H4z', 'M9 9l6 6', 'M15 9l-6 6'],
  low_mass: ['M5 8l7 8 7-8', 'M5 20h14'],
  forced: ['M6 11h12v9H6z', 'M8.5 11V8a3.5 3.5 0 0 1 7 0v3'],
  multi_state: ['M5 12h.01', 'M12 12h.01', 'M19 12h.01'],
  field_edge: ['M13 5v15', 'M17 5v15', 'M19 5h-8a4 4 0 0 0 0 8h2'],
  may_stop: ['M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z', 'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z'],
  opens: ['M15 4H9v16h6'],
  closes: ['M9 4h6v16H9'],
  given: ['M12 13v8', 'M8 3h8', 'M9 3v6l-2 4h10l-2-4V3'],
  down: ['M6 9l6 6 6-6'],
  keys: ['M3 7h18v11H3z', 'M7 11h.01', 'M11 11h.01', 'M15 11h.01', 'M8 15h8'],
  stop: ['M7 7h10v10H7z'],
  'export': ['M12 4v11', 'M8 11l4 4 4-4', 'M5 20h14'],
};

/** An inline SVG icon, decorative (hidden from screen readers); names: the keys of DOM_ICONS. */
export function icon(name) {
  const thick = name === 'more' || name === 'multi_state' || name === 'keys';
  return svg('svg', { viewBox: '0 0 24 24', class: `pg-icon pg-icon-${name}`, 'aria-hidden': 'true', focusable: 'false',
    fill: 'none', stroke: 'currentColor', 'stroke-width': thick ? 3 : 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
  ...(DOM_ICONS[name] || []).map((d) => svg('path', { d })));
}
