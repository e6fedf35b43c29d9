// The buttons that move through the run and extend it.

import { h, icon, setAttr, setShown, setText } from './dom.js';

const TRANSPORT_SPEEDS = [0.25, 0.5, 1, 2, 4];

/** The next speed up or down. */
export function otherSpeed(speed, direction) {
  const at = TRANSPORT_SPEEDS.indexOf(speed);
  return TRANSPORT_SPEEDS[Math.max(0, Math.min(TRANSPORT_SPEEDS.length - 1, (at < 0 ? 2 : at) + direction))];
}

/** Builds the transport; `openKeys` shows the list of keys, `exportRoot` holds the export menu. */
export function mountTransport(root, store, { openKeys, exportRoot = null }) {
  const act = store.actions;
  const button = (name, label, keys, press, cls = '') => h('button', { type: 'button', class: `pg-move ${cls}`, 'aria-label': label, title: keys ? `${label} (${keys})` : label, onclick: press }, icon(name));
  const first = button('first', 'First step', 'Home', () => act.home(), 'pg-wide-only');
  const back = button('back', 'Back', 'Left', () => act.back());
  const play = button('play', 'Play', 'Space', () => (store.view().playing ? act.stop() : act.play()), 'pg-play');
  const step = h('button', { type: 'button', class: 'pg-move pg-step', 'aria-label': 'Step', title: 'Step (Right): forward in the run, or one new token at its end', onclick: () => act.next() }, icon('step'), h('span', null, 'Step'));
  const event = button('event', 'Next event', 'N', () => act.nextEvent(1));
  const end = button('end', 'To the end', '', () => act.toEnd(), 'pg-wide-only');
  const cancel = h('button', { type: 'button', class: 'pg-move pg-cancel', 'aria-label': 'Cancel', title: 'Cancel (Esc): the tokens drawn so far stay', onclick: () => act.stop() }, icon('stop'), h('span', null, 'Cancel'));
  const more = h('button', { type: 'button', class: 'pg-move pg-narrow-only', 'aria-label': 'More', 'aria-expanded': 'false', onclick: () => { open = !open; update(); } }, icon('more'));
  const undo = button('undo', 'Undo', 'U', () => act.undo());
  const redo = button('redo', 'Redo', 'Shift U', () => act.redo());
  undo.append(h('span', { class: 'pg-narrow-label' }, 'Undo'));
  redo.append(h('span', { class: 'pg-narrow-label' }, 'Redo'));
  const fork = h('button', { type: 'button', class: 'pg-move pg-labelled', 'aria-label': 'Fork here', title: 'Fork here (B): a new lane with the text so far, that draws its own luck', onclick: () => act.branch() }, icon('branch'), h('span', null, 'Fork'));
  const speed = h('select', { class: 'pg-select', 'aria-label': 'Speed', title: 'Speed ([ and ])', onchange: () => store.set({ speed: Number(speed.value) }) },
    TRANSPORT_SPEEDS.map((each) => h('option', { value: each }, `${each}×`)));
  const pause = h('input', { type: 'checkbox', onchange: () => store.set({ pauseOnEvents: pause.checked }) });
  const pauseLabel = h('label', { class: 'pg-check', title: 'Stop playing where the model is overruled' }, pause, 'pause on events');
  const find = h('button', { type: 'button', class: 'pg-move pg-labelled', 'aria-label': 'Find a token', title: 'Find any token of the vocabulary (/)', onclick: () => { open = false; store.hooks.openFind(); } }, icon('search'), h('span', null, 'Find'));
  const keys = h('button', { type: 'button', class: 'pg-move pg-labelled', 'aria-label': 'Keys and marks', title: 'Keys and marks (?)', onclick: () => { open = false; update(); openKeys(); } }, icon('keys'), h('span', null, 'Keys'));
  const homeToo = h('button', { type: 'button', class: 'pg-move pg-labelled pg-narrow-only', onclick: () => act.home() }, icon('first'), h('span', null, 'First'));
  const endToo = h('button', { type: 'button', class: 'pg-move pg-labelled pg-narrow-only', onclick: () => { open = false; act.toEnd(); update(); } }, icon('end'), h('span', null, 'To the end'));
  const main = h('div', { class: 'pg-moves', role: 'toolbar', 'aria-label': 'Move through the run' }, first, back, play, step, event, end, cancel, more);
  const rest = h('div', { class: 'pg-rest', role: 'toolbar', 'aria-label': 'More' }, homeToo, endToo, undo, redo, fork, h('span', { class: 'pg-speed' }, speed, pauseLabel), h('span', { class: 'pg-gap' }), find, exportRoot, keys);
  root.append(main, rest);
  let open = false;
  let wasPlaying = null;

  function update() {
    const view = store.view();
    const lane = store.lane();
    const cursor = store.cursor();
    setShown(root, Boolean(lane));
    if (!lane) return;
    const running = lane.outcome === 'running';
    const atEnd = cursor >= (lane.frontier ? lane.steps.length : lane.steps.length - 1);
    const canGrow = running && store.live();
    setAttr(back, 'disabled', cursor === 0);
    setAttr(first, 'disabled', cursor === 0);
    setAttr(step, 'disabled', atEnd && !canGrow);
    setAttr(event, 'disabled', atEnd && !canGrow);
    setAttr(end, 'disabled', atEnd && !canGrow);
    setAttr(play, 'disabled', lane.steps.length === 0 && !canGrow);
    setText(step.lastChild, cursor >= lane.steps.length - 1 && canGrow ? 'New token' : 'Step');
    setAttr(step, 'aria-label', step.lastChild.textContent);
    setShown(end, !view.running);
    setShown(cancel, view.running);
    if (wasPlaying !== view.playing) {
      wasPlaying = view.playing;
      play.replaceChildren(icon(view.playing ? 'pause' : 'play'));
      setAttr(play, 'aria-label', view.playing ? 'Pause' : 'Play');
    }
    setAttr(undo, 'disabled', !store.canUndo());
    setAttr(redo, 'disabled', !store.canRedo());
    setAttr(fork, 'disabled', !store.shown());
    // A recording has no model to draw a fork's tokens.
    for (const each of [undo, redo, fork]) setShown(each, store.live());
    if (Number(speed.value) !== view.speed) speed.value = String(view.speed);
    pause.checked = view.pauseOnEvents;
    setShown(find, Boolean(store.hooks.openFind) && store.live());
    setAttr(rest, 'data-open', open);
    setAttr(more, 'aria-expanded', String(open));
  }
  store.subscribe(update);
  update();
  return { close: () => { const was = open; open = false; update(); return was; } };
}
