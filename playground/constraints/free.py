"""No constraint: every token with bytes is allowed, and the text may end anywhere."""

from collections.abc import Iterable

import numpy as np

from playground.constraints.automaton import Hops, State, StateView
from playground.constraints.graph import Graph, GraphEdge, GraphNode
from playground.logspace import Mask
from playground.vocabulary import Vocabulary


class FreeAutomaton:
    """One state, final, with a loop; the text need not even be UTF-8."""

    initial = 0

    def __init__(self, vocabulary: Vocabulary, engine: str = "bytes") -> None:
        self.vocabulary = vocabulary
        self.engine = engine
        self._mask = np.fromiter(
            (text is not None for text in vocabulary.tokens), np.bool_, len(vocabulary)
        )
        self._mask[sorted(vocabulary.eos_ids)] = True
        self._mask.setflags(write=False)

    def mask(self, state: State) -> Mask:
        """(V,) bool, read-only: False for special tokens that don't end the run only."""
        return self._mask

    def advance(self, state: State, token: int) -> int:
        """The same state.

        Raises:
            ValueError: the token has no bytes.
        """
        if self.vocabulary.tokens[token] is None:
            raise ValueError(f"token {token} adds no text")
        return 0

    def is_final(self, state: State) -> bool:
        """Always."""
        return True

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The one state in words."""
        return StateView("q0", "Anything may follow: there is no constraint.", ("any byte",), True)

    def hops(self, state: State, token: int) -> Hops:
        """A loop for each byte."""
        text = self.vocabulary.tokens[token]
        if text is None:
            allowed = bool(self._mask[token])
            return Hops(("q0",), None if allowed else 0, () if allowed else ("any byte",))
        return Hops(("q0",) * (len(text) + 1), None, ())

    def graph(self, state: State, path_states: Iterable[State] = (), full: bool = False) -> Graph:
        """One node and its loop."""
        node = GraphNode("q0", "q0", 0.5, 0.5, True, True)
        return Graph((node,), (GraphEdge("q0", "q0", "any byte"),), True, 1)
