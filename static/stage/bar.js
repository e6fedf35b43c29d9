// The erase-and-stretch bar: what masking does to the model's belief, held anywhere between before and after.

import { h, icon, keyed, setText, setAttr, reducedMotion } from './dom.js';
import { isShort, prob, tokenLabel } from './format.js';
import { maskComesFirst } from './settings.js';

const BAR_LABELLED = 0.055;
const BAR_MS = 400;

/** The bar's pieces, allowed first: [{label, p, masked, allowed, token}]; p sums to 1, and so does masked unless it is a dead end. */
export function barPieces(position) {
  const rows = position.candidates;
  const piece = (row) => ({ label: tokenLabel(row), p: row.p, masked: row.masked || 0, allowed: row.allowed, token: row.id });
  const rest = (allowed, other) => ({ label: 'others', p: other.p, masked: other.masked || 0, allowed, token: null });
  const pieces = [...rows.filter((row) => row.allowed).map(piece), rest(true, position.other_allowed),
    ...rows.filter((row) => !row.allowed).map(piece), rest(false, position.other_blocked)];
  return pieces.filter((each) => each.p > 0 || each.masked > 0);
}

/** Width and opacity of a piece at `t`: 0 model, 0.5 erased but not stretched, 1 after the mask. */
export function barAt(piece, t) {
  const erased = Math.min(1, 2 * t);
  const stretched = Math.max(0, 2 * t - 1);
  return { width: piece.p * (1 - stretched) + piece.masked * stretched, opacity: piece.allowed ? 1 : 1 - erased };
}

/** Builds the bar with its slider and its button. */
export function mountBar(root, store) {
  let t = 0;
  let frame = 0;
  let position = null;
  let first = false;
  let layer = store.view().layer;
  const track = h('div', { class: 'pg-bar-track', role: 'img' });
  const slider = h('input', { type: 'range', class: 'pg-slider', min: 0, max: 100, step: 1, value: 0, 'aria-label': 'Erase, then stretch',
    oninput: () => { stopAnimation(); t = Number(slider.value) / 100; draw(); } });
  const button = h('button', { type: 'button', class: 'pg-button pg-button-small', onclick: () => animate(t < 0.5 ? 1 : 0) });
  const say = h('output', { class: 'pg-bar-say' });
  root.append(track, h('div', { class: 'pg-bar-controls' }, button,
    h('span', { class: 'pg-bar-end', 'aria-hidden': 'true' }, 'model'), slider, h('span', { class: 'pg-bar-end', 'aria-hidden': 'true' }, 'after mask'), say));

  function words({ z, dead }, first) {
    const kept = prob(z).text;
    if (dead) return 'Everything the model wants is blocked: there is nothing to stretch.';
    if (first && t > 0.5) return `${t < 1 ? 'On the way to' : 'This is'} what is drawn from: the mask comes first here, then the filters, so it is not p / Z.`;
    if (z >= 1 && !first) return 'No mass is blocked: the mask changes nothing here.';
    if (t === 0) return `The model's belief: ${kept} on allowed tokens, ${prob(1 - z).text} on blocked ones.`;
    if (t < 0.5) return `Erase: the blocked ${prob(1 - z).text} goes.`;
    if (t === 0.5) return `Erased: ${kept} is left. That is Z.`;
    if (t < 1) return 'Stretch: what is left grows, each piece by the same factor.';
    return `Stretched by 1 / Z: ${kept} became 100 %.`;
  }

  function draw() {
    if (!position) return;
    const sentence = words(position, first);
    const pieces = barPieces(position);
    setAttr(track, 'data-phase', t === 0 ? 'model' : t < 1 ? 'between' : 'mask');
    track.style.setProperty('--pg-t', String(Math.max(0, 2 * t - 1)));
    keyed(track, pieces, (piece, index) => index, (piece) => h('span', { class: 'pg-piece' }, h('span', { class: 'pg-piece-label' })), (node, piece) => {
      const at = barAt(piece, t);
      node.style.width = `${100 * at.width}%`;
      node.style.opacity = String(at.opacity);
      setAttr(node, 'data-allowed', String(piece.allowed));
      setAttr(node, 'title', `${piece.label}: model ${prob(piece.p).text}, after mask ${prob(piece.masked, { blocked: !piece.allowed }).text}`);
      setAttr(node.firstChild, 'data-short', isShort(piece.label));
      setText(node.firstChild, at.width >= BAR_LABELLED ? piece.label : '');
    });
    setText(say, sentence);
    setAttr(track, 'aria-label', sentence);
    if (slider.value !== String(Math.round(100 * t))) slider.value = String(Math.round(100 * t));
    setAttr(slider, 'aria-valuetext', sentence);
    const label = t < 0.5 ? 'Erase and stretch' : 'Back to the model';
    if (button.dataset.label !== label) { button.dataset.label = label; button.replaceChildren(icon(t < 0.5 ? 'play' : 'undo'), label); }
  }

  function stopAnimation() {
    cancelAnimationFrame(frame);
    frame = 0;
  }

  function animate(to) {
    stopAnimation();
    if (reducedMotion()) {
      // A cross-fade instead of movement: both pictures are still, only the opacity changes.
      track.classList.remove('pg-fade');
      void track.offsetWidth;
      track.classList.add('pg-fade');
      t = to;
      draw();
      return;
    }
    const from = t;
    const start = performance.now();
    const move = (now) => {
      const done = Math.min(1, (now - start) / BAR_MS);
      t = from + (to - from) * done;
      draw();
      if (done < 1) frame = requestAnimationFrame(move);
    };
    frame = requestAnimationFrame(move);
  }

  const update = () => {
    const now = store.shown();
    root.hidden = !now;
    if (now && now !== position) { position = now; first = maskComesFirst(store.doc().problem.sampling); draw(); }
    const wanted = store.view().layer;
    if (wanted !== layer) {
      layer = wanted;
      if (layer === 'model') animate(0);
      if (layer === 'mask') animate(1);
    }
  };
  store.subscribe(update);
  update();
}
