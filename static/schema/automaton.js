// The automaton as a picture: around the state that the stepper's caret stands in, whole where it is small.

import { h, fill } from '../stage/dom.js';
import { mountGraph } from '../stage/graph.js';

/** Draws an answer {graph, state} of the server into `box`. The diagram of Step is used, which reads a store: here one that holds still. */
export function drawAutomaton({ graph }, box) {
  if (!graph || !graph.nodes.length) { fill(box, h('p', { class: 'pg-quiet' }, 'This engine has no automaton of states to draw: it keeps a stack.')); return; }
  const current = graph.nodes.find((node) => node.current);
  const shown = { graph: { ...graph, full: graph.full }, state: { name: current ? current.name : '' } };
  const view = { hoverToken: null, lockedToken: null, focusRow: null };
  const store = { doc: () => ({ problem: {} }), shown: () => shown, view: () => view, live: () => false, subscribe: () => () => {}, actions: {}, lane: () => null, cursor: () => 0 };
  fill(box);
  mountGraph(box, store);
}
