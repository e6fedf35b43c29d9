// The editor: Gradio's CodeMirror, with marks beside its lines. What it lacks is drawn over it, and follows its scrolling.

import { h, fill, setShown } from '../stage/dom.js';
import { legible, prose } from './prose.js';

const EDITOR_WORDS = { error: 'Error', off: 'NOT enforced', warning: 'Warning', info: 'Note' };
const EDITOR_SIGNS = { error: '✕', off: '⊘', warning: '!', info: 'i' };

/** CodeMirror's view inside `root`: null until Gradio has mounted it. */
export function viewIn(root) {
  const content = root.querySelector('.cm-content');
  if (!content) return null;
  content.tabIndex = 0;
  // The way from an element to its view has had two names.
  const tile = content.cmTile || content.cmView;
  return (tile && (tile.view || (tile.root && tile.root.view))) || null;
}

/** The offset of line and column (from 1; columns count characters) in a CodeMirror document. */
function offsetOf(doc, line, column) {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  const before = [...at.text].slice(0, Math.max(0, (column || 1) - 1)).join('');
  return at.from + Math.min(at.length, before.length);
}

/** Takes over the editor that Gradio mounts as `node`. `edited(text)` hears every change, `picked(line)` a mark that was pressed.
 *  Returns {text, setText, caret, here, marks, focus}; `ready` is told once the view is there. */
export function mountEditor(node, { edited, picked, ready }) {
  let view = null;
  let doc = null;
  let wanted = [];
  let place = null;
  const layer = h('div', { class: 'sc-marks-layer' });
  const box = h('div', { class: 'sc-marks' }, layer);
  const tip = h('div', { class: 'sc-tip', role: 'tooltip', hidden: true });

  function look() {
    if (!view || doc === view.state.doc) return;
    doc = view.state.doc;
    place = null;
    draw();
    edited(doc.toString());
  }

  function topOf(line) {
    const block = view.lineBlockAt(view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line))).from);
    return { top: block.top + view.documentPadding.top, height: block.height };
  }

  function showTip(mark, top) {
    if (tip.dataset.line !== String(mark.line)) {
      tip.dataset.line = mark.line;
      fill(tip, mark.messages.slice(0, 4).map((message) => h('p', null, prose(message))), mark.messages.length > 4 ? h('p', null, `and ${mark.messages.length - 4} more`) : null);
    }
    tip.style.top = `${top - view.scrollDOM.scrollTop + 20}px`;
    setShown(tip, true);
  }

  function drawn(mark) {
    const { top, height } = topOf(mark.line);
    const button = h('button', { type: 'button', class: 'sc-mark', dataset: { level: mark.level, line: mark.line }, tabindex: '-1', style: { top: `${top}px`, height: `${height}px` },
      'aria-label': `Line ${mark.line}: ${EDITOR_WORDS[mark.level]}: ${legible(mark.messages.join(' '))}`,
      onclick: () => { showTip(mark, top); picked(mark.line); },
      onmouseenter: () => showTip(mark, top), onmouseleave: () => setShown(tip, false), onfocus: () => showTip(mark, top), onblur: () => setShown(tip, false) }, EDITOR_SIGNS[mark.level]);
    return [h('div', { class: 'sc-line', dataset: { level: mark.level }, style: { top: `${top}px`, height: `${height}px` } }), button];
  }

  function draw() {
    if (!view) return;
    const lines = view.state.doc.lines;
    const parts = wanted.filter(({ line }) => line <= lines).map(drawn);
    if (place && place.line <= lines) {
      const { top, height } = topOf(place.line);
      parts.push(h('div', { class: 'sc-line sc-here', style: { top: `${top}px`, height: `${height}px` } }), h('span', { class: 'sc-here-caret', 'aria-hidden': 'true', style: { top: `${top + height / 2 - 5}px` } }));
    }
    fill(layer, parts);
    follow();
  }

  function follow() {
    layer.style.transform = `translateY(${-view.scrollDOM.scrollTop}px)`;
  }

  function attach(found) {
    view = found;
    doc = view.state.doc;
    // Tab goes on to the next control, as everywhere; Ctrl ] indents.
    view.setTabFocusMode(true);
    view.dom.append(box, tip);
    view.scrollDOM.addEventListener('scroll', () => { follow(); setShown(tip, false); }, { passive: true });
    new MutationObserver(look).observe(view.contentDOM, { childList: true, subtree: true, characterData: true });
    new ResizeObserver(() => { if (view.dom.clientWidth) draw(); }).observe(view.dom);
    ready();
    draw();
  }

  const waiting = new MutationObserver(() => find());
  function find() {
    const found = viewIn(node);
    if (!found) return;
    waiting.disconnect();
    attach(found);
  }
  waiting.observe(node, { childList: true, subtree: true });
  find();

  // Within the editor's own box alone: the page stays where the visitor has it.
  function reveal(line) {
    const { top, height } = topOf(line);
    const scroller = view.scrollDOM;
    if (top < scroller.scrollTop + height) scroller.scrollTop = Math.max(0, top - 3 * height);
    else if (top + 2 * height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top - scroller.clientHeight + 4 * height;
  }

  return {
    text: () => (view ? view.state.doc.toString() : ''),
    /** Replaces what differs, as one change that the editor's own undo takes back. */
    setText(text) {
      if (!view) return;
      const old = view.state.doc.toString();
      if (old === text) return;
      let from = 0;
      while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
      let end = 0;
      while (end < old.length - from && end < text.length - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
      view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) }, selection: { anchor: from }, userEvent: 'input' });
      look();
    },
    /** Puts the cursor at a place and shows it; `focus` also types there. */
    caret(line, column, { focus = false } = {}) {
      if (!view || !line) return;
      view.dispatch({ selection: { anchor: offsetOf(view.state.doc, line, column) } });
      reveal(line);
      if (focus) view.focus();
    },
    /** The line that the stepper stands in; null for none. */
    here(line, column) {
      const next = line ? { line, column } : null;
      if ((place && place.line) === (next && next.line)) { place = next; return; }
      place = next;
      if (!view) return;
      draw();
      if (place) reveal(Math.min(place.line, view.state.doc.lines));
    },
    /** Marks beside the lines: [{line, level, messages}]. */
    marks(list) { wanted = list; setShown(tip, false); draw(); },
    look,
    focus: () => { if (view) view.focus(); },
  };
}
