// The automaton around the current state as a diagram: circles, arrows with byte classes, and the chosen token's way.
import { h, svg, fill, setText, setShown } from './dom.js';
import { count, counted, tokenLabel } from './format.js';
import { graphLayout } from './graph_layout.js';
import { inspectedToken } from './inspector.js';

const GRAPH_FEW = 40;

let graphSerial = 0;

// A way over states in words, a stay in one state counted: "q4 → q5 (35 bytes) → q6".
function graphWay(states) {
  const runs = [];
  for (const name of states) {
    if (runs.length && runs[runs.length - 1].name === name) runs[runs.length - 1].stay += 1;
    else runs.push({ name, stay: 0 });
  }
  return runs.map(({ name, stay }) => (stay ? `${name} (stays for ${stay} more)` : name)).join(' → ');
}

function graphSummary(graph, focus) {
  const current = graph.nodes.find((node) => node.current);
  const finals = graph.nodes.filter((node) => node.final).length;
  const whole = graph.nodes.length === graph.states ? counted(graph.states, 'state') : `${counted(graph.states, 'byte state')} drawn as ${count(graph.nodes.length)} (text without a choice is folded)`;
  const part = graph.full ? `The whole automaton: ${whole}` : `${count(graph.nodes.length)} of ${counted(graph.states, 'state')}`;
  const here = current ? ` The text stands in ${current.name}${current.final ? ', where it may stop' : ''}.` : '';
  const way = focus && focus.states && focus.states.length > 1 ? ` ${tokenLabel(focus)} goes ${graphWay(focus.states)}${focus.allowed ? '' : ' and is blocked there'}.` : '';
  return `${part}, ${finals === 0 ? 'none' : finals} with a double ring where the text may stop.${here}${way}`;
}

function graphDrawing(graph, focus, { width, unit, id }) {
  const hops = focus && focus.states ? focus.states : [];
  const layout = graphLayout(graph, { width, unit, hops });
  const killed = focus && !focus.allowed && hops.length ? hops[hops.length - 1] : null;
  const marker = (name, cls) => svg('marker', { id: `${id}-${name}`, viewBox: '0 0 10 10', refX: 8, refY: 5, markerUnits: 'userSpaceOnUse', markerWidth: unit * (name === 'hop' ? 0.95 : 0.7), markerHeight: unit * (name === 'hop' ? 0.95 : 0.7), orient: 'auto-start-reverse', class: cls }, svg('path', { d: 'M 0 0.8 L 9 5 L 0 9.2 z' }));
  const drawing = svg('svg', { class: 'pg-graph', role: 'img', 'aria-labelledby': `${id}-words`, width: layout.width, height: layout.height, viewBox: `0 ${layout.top} ${layout.width} ${layout.height}`, 'font-size': unit },
    svg('defs', null, marker('arrow', 'pg-graph-head'), marker('hop', 'pg-graph-head is-hop')));
  const behind = (a, b) => Number(a.hop) - Number(b.hop);
  for (const edge of [...layout.edges].sort(behind)) {
    drawing.append(svg('path', { d: edge.path, class: `pg-graph-edge${edge.hop ? ' is-hop' : ''}${edge.hop && killed ? ' is-blocked' : ''}`, 'marker-end': `url(#${id}-${edge.hop ? 'hop' : 'arrow'})` }));
  }
  for (const node of layout.nodes) {
    const group = svg('g', { class: `pg-graph-node${node.current ? ' is-current' : ''}${node.final ? ' is-final' : ''}${node.hop ? ' is-hop' : ''}` }, svg('title', null, node.title), svg('circle', { cx: node.x, cy: node.y, r: layout.r }));
    if (node.final) group.append(svg('circle', { cx: node.x, cy: node.y, r: layout.r - 4, class: 'pg-graph-inner' }));
    group.append(svg('text', { x: node.x, y: node.y, dy: '0.35em', 'text-anchor': 'middle', 'font-size': Math.min(unit, (layout.r * 3) / [...node.label].length) }, node.label));
    if (node.name === killed) {
      const [x, y, s] = [node.x + layout.r * 0.8, node.y - layout.r * 0.8, unit * 0.4];
      group.append(svg('path', { class: 'pg-graph-killed', d: `M ${x - s} ${y - s} L ${x + s} ${y + s} M ${x + s} ${y - s} L ${x - s} ${y + s}` }));
    }
    drawing.append(group);
  }
  for (const edge of layout.edges) {
    if (!edge.box) continue;
    const { x, y, width: w, height: t } = edge.box;
    drawing.append(svg('g', { class: `pg-graph-label${edge.hop ? ' is-hop' : ''}` }, svg('title', null, edge.full), svg('rect', { x: x - w / 2, y: y - t / 2, width: w, height: t, rx: 3 }), svg('text', { x, y, dy: '0.35em', 'text-anchor': 'middle' }, edge.label)));
  }
  return { drawing, layout };
}

function graphTable(graph) {
  const rows = graph.edges.map((edge) => h('tr', null, h('th', { scope: 'row' }, edge.source), h('td', null, h('code', null, edge.label)), h('td', null, edge.target)));
  const named = (test) => graph.nodes.filter(test).map((node) => node.name).join(', ') || 'none';
  return [
    h('p', null, `Current: ${named((node) => node.current)}. May stop in: ${named((node) => node.final)}.`),
    h('table', { class: 'pg-table' }, h('caption', null, 'Transitions shown'),
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'from'), h('th', { scope: 'col' }, 'bytes'), h('th', { scope: 'col' }, 'to'))), h('tbody', null, rows)),
  ];
}

/** Renders the diagram panel into `root` and keeps it in step with the store. */
export function mountGraph(root, store) {
  const id = `pg-graph-${graphSerial += 1}`;
  const words = h('p', { class: 'pg-graph-words', id: `${id}-words` });
  const box = h('div', { class: 'pg-graph-box', tabindex: '0', role: 'group', 'aria-label': 'Diagram; scrolls sideways' });
  const table = h('div', { class: 'pg-graph-table', hidden: true });
  const crowded = h('p', { class: 'pg-quiet', hidden: true }, 'Some arrows had no room for a label: the table has them all.');
  const toTable = h('button', { type: 'button', class: 'pg-button pg-button-small', 'aria-pressed': 'false' }, 'Table');
  const toAll = h('button', { type: 'button', class: 'pg-button pg-button-small', hidden: true });
  const section = h('section', { class: 'pg-card pg-panel pg-graph-panel', 'aria-label': 'Diagram of the constraint' },
    h('header', { class: 'pg-panel-head' }, h('h3', { class: 'pg-card-title' }, 'Diagram'), toAll, toTable), box, table, words, crowded);
  root.append(section);

  // The whole automaton, once asked for: kept while the constraint stays, so that scrubbing asks nothing.
  let whole = null;
  let wholeOf = null;
  let wanted = false;
  let seen = [];
  const constraintOf = (doc) => JSON.stringify(doc.problem.constraint || null);

  const chosen = (shown, doc) => {
    if (whole && wholeOf !== constraintOf(doc)) [whole, wanted] = [null, false];
    if (!wanted || !whole) return shown.graph;
    if (!whole.nodes.some((node) => node.name === shown.state.name)) return shown.graph;
    return { ...whole, nodes: whole.nodes.map((node) => ({ ...node, current: node.name === shown.state.name })) };
  };

  // Measured when it changes, not at every step: that would lay out the page in the middle of a change.
  let room = { width: 0, unit: 14 };
  const measure = () => {
    room = { width: Math.floor(box.clientWidth), unit: Math.round(Math.min(28, parseFloat(getComputedStyle(box).fontSize) || 14)) };
    draw();
  };

  const draw = () => {
    const doc = store.doc();
    const shown = store.shown();
    const graph = shown && shown.graph && shown.graph.nodes.length ? chosen(shown, doc) : null;
    setShown(section, Boolean(graph));
    if (!graph) { seen = []; return; }
    const focus = inspectedToken(store);
    const { width, unit } = room;
    const now = [shown, focus, wanted && whole, width, unit, table.hidden];
    if (now.every((each, i) => each === seen[i])) return;
    seen = now;
    const few = shown.graph.states < GRAPH_FEW;
    setShown(toAll, store.live() && !shown.graph.full);
    setText(toAll, wanted ? 'Near the state' : few ? `All ${counted(shown.graph.states, 'state')}` : 'Further around');
    toAll.setAttribute('aria-pressed', String(wanted));
    setText(words, graphSummary(graph, focus));
    if (!table.hidden) fill(table, ...graphTable(graph));
    if (width < 40) return;
    const { drawing, layout } = graphDrawing(graph, focus, { width, unit, id });
    fill(box, drawing);
    setShown(crowded, layout.crowded > 0);
    const current = layout.nodes.find((node) => node.current);
    if (current && layout.width > width) box.scrollLeft = current.x - width / 3;
  };

  toTable.addEventListener('click', () => {
    setShown(table, table.hidden);
    setShown(box, table.hidden);
    toTable.setAttribute('aria-pressed', String(!table.hidden));
    draw();
  });
  toAll.addEventListener('click', async () => {
    wanted = !wanted;
    const doc = store.doc();
    if (wanted && !whole) {
      const answer = await store.actions.fullGraph();
      if (answer && answer.graph) [whole, wholeOf] = [answer.graph, constraintOf(doc)];
      else wanted = false;
    }
    draw();
  });
  if (typeof ResizeObserver === 'function') new ResizeObserver(measure).observe(box);
  store.subscribe(draw);
  measure();
}
