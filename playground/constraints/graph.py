"""The automaton as a picture: forced texts folded, bytes merged, laid out left to right."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from playground.constraints.characters import CharacterGraph
from playground.constraints.dfa import ByteDFA

MAX_NODES = 40
"""An automaton of so many nodes is drawn whole; of a larger one, so many around the state."""
MAX_LABEL = 40
"""Longest label, characters."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A state, with its place in the unit square: x to the right, y down."""

    name: str
    label: str
    """The name, with an ellipsis where edges lead out of the picture."""
    x: float
    y: float
    current: bool
    final: bool


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """What leads from one node to another, in words."""

    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A drawing, and whether it is all of the automaton."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    full: bool
    states: int
    """Byte states of the whole automaton; the drawing folds many of them into edges."""


class Drawing:
    """Draws one automaton."""

    def __init__(self, dfa: ByteDFA) -> None:
        self._dfa = dfa
        self._characters = CharacterGraph(dfa)

    def around(self, state: int, path_states: Sequence[int] = (), full: bool = False) -> Graph:
        """The whole automaton if it has at most MAX_NODES nodes, else the next few characters.

        Args:
            state: the current state: a node, even in the middle of a forced text or a character.
            path_states: states visited before, in order, to keep as nodes too.
            full: look one character further where the automaton is too large to be drawn whole.
        """
        path = [*dict.fromkeys(s for s in path_states if s != state), state]
        kept = frozenset(path)
        edges_of = partial(self._characters.edges, kept=kept)
        layers = layers_of([0], edges_of, len(self._dfa), MAX_NODES + 1)
        whole = len(layers) <= MAX_NODES and kept <= layers.keys()
        if not whole:
            layers = layers_of(path, edges_of, 4 if full else 3, MAX_NODES)
        edges = {node: edges_of(node) for node in layers}
        labels = {
            node: {after: _label(words) for after, words in found.items()}
            for node, found in edges.items()
        }
        return drawn(layers, labels, state, self._dfa, whole, len(self._dfa))


def layers_of(
    path: Sequence[int], after: Callable[[int], Iterable[int]], depth: int, most: int
) -> dict[int, int]:
    """Nodes with their distance: `path` in a row, then up to `depth` edges from its end, by
    `after`, a node's next ones; at most `most`."""
    layers = {node: place for place, node in enumerate(path)}
    frontier = [path[-1]]
    for layer in range(len(path), len(path) + depth):
        found = []
        for node in frontier:
            for following in after(node):
                if following not in layers:
                    if len(layers) >= most:
                        return layers
                    layers[following] = layer
                    found.append(following)
        if not found:
            break
        frontier = found
    return layers


def drawn(
    layers: dict[int, int],
    edges: dict[int, dict[int, str]],
    state: int,
    dfa: ByteDFA,
    whole: bool,
    states: int,
) -> Graph:
    """A drawing of the nodes in `layers`, each with its distance, and of the labelled edges between
    them; a node with edges to others says so by an ellipsis. The rest is as in Graph."""
    places = _places(layers, edges)
    nodes = tuple(
        GraphNode(
            f"q{node}",
            f"q{node}" if edges[node].keys() <= layers.keys() else f"q{node} …",
            *places[node],
            node == state,
            bool(dfa.final[node]),
        )
        for node in layers
    )
    lines = tuple(
        GraphEdge(f"q{node}", f"q{after}", label)
        for node in layers
        for after, label in edges[node].items()
        if after in layers
    )
    return Graph(nodes, lines, whole, states)


def _places(
    layers: dict[int, int], edges: dict[int, dict[int, str]]
) -> dict[int, tuple[float, float]]:
    """x by layer; y by the mean height of the nodes that lead here, so that few edges cross."""
    last = max(layers.values())
    heights: dict[int, list[float]] = {}
    places = {}
    for layer in range(last + 1):
        nodes = [node for node, at in layers.items() if at == layer]
        nodes.sort(key=lambda node: sum(seen) / len(seen) if (seen := heights.get(node)) else 0.5)
        for index, node in enumerate(nodes):
            y = (index + 0.5) / len(nodes)
            places[node] = (layer / last if last else 0.0, y)
            for after in edges[node]:
                heights.setdefault(after, []).append(y)
    return places


def _label(words: list[str]) -> str:
    label = " ".join(words)
    return label if len(label) <= MAX_LABEL else f"{label[: MAX_LABEL - 1]}…"
