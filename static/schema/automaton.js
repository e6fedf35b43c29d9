// The automaton as a picture: around the state that the stepper's caret stands in, whole where it is small; by bytes and by tokens.

import { h, fill } from '../stage/dom.js';
import { mountGraph } from '../stage/graph.js';

// The diagram of Step is used, which reads a store: here one that holds still.
function picture(graph) {
  const box = h('div', { class: 'sc-graph' });
  const current = graph.nodes.find((node) => node.current);
  const shown = { graph, state: { name: current ? current.name : '' } };
  const view = { hoverToken: null, lockedToken: null, focusRow: null };
  const store = { doc: () => ({ problem: {} }), shown: () => shown, view: () => view, live: () => false, subscribe: () => () => {}, actions: {}, lane: () => null, cursor: () => 0 };
  mountGraph(box, store);
  return box;
}

/** Draws an answer {graph, token_graph} of the server into `box`. */
export function drawAutomaton({ graph, token_graph: tokens }, box) {
  if (!graph || !graph.nodes.length) { fill(box, h('p', { class: 'pg-quiet' }, 'This engine has no automaton of states to draw: it keeps a stack.')); return; }
  const inside = tokens && tokens.full && !tokens.nodes.some((node) => node.current) ? h('p', { class: 'pg-quiet' }, 'The stepper stands inside a token here, between two of these states.') : null;
  fill(box, h('h4', { class: 'sc-graph-title' }, 'By bytes'), picture(graph),
    tokens ? [h('h4', { class: 'sc-graph-title' }, 'By tokens'), inside, picture(tokens)] : h('p', { class: 'pg-quiet' }, 'Choose whose tokens cut the string, above the stepper, to see the same automaton by tokens.'));
}
