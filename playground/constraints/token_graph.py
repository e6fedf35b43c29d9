"""The automaton over tokens as a picture: states between tokens, edges that name the tokens."""

import numpy as np
from numpy.typing import NDArray

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.graph import MAX_NODES, Graph, drawn, layers_of
from playground.constraints.words import visible

NAMED = 3
"""Tokens that an edge names; the others are counted."""
AHEAD = 2
"""Tokens that are looked ahead where the whole is too large to be drawn."""


def token_graph(automaton: ByteAutomaton, state: int) -> Graph:
    """The states that tokens lead to: all of them where at most MAX_NODES, else those that the next
    few tokens reach from `state`. A state in the middle of a token is no node of the whole."""
    tokens = _Tokens(automaton)
    layers = layers_of([0], tokens.edges, len(automaton.dfa), MAX_NODES + 1)
    whole = len(layers) <= MAX_NODES
    if not whole:
        layers = layers_of([state], tokens.edges, AHEAD, MAX_NODES)
    edges = {node: tokens.edges(node) for node in layers}
    states = len(layers) if whole else len(automaton.dfa)
    return drawn(layers, edges, state, automaton.dfa, whole, states)


class _Tokens:
    """The edges of one automaton over the tokens of its vocabulary, kept for one drawing."""

    def __init__(self, automaton: ByteAutomaton) -> None:
        self._automaton = automaton
        texts = [text or b"" for text in automaton.vocabulary.tokens]
        self._lengths = np.array([len(text) for text in texts])
        width = int(self._lengths.max(initial=1))
        flat = b"".join(text.ljust(width, b"\0") for text in texts)
        self._bytes = np.frombuffer(flat, dtype=np.uint8).reshape(len(texts), width)
        self._known: dict[int, dict[int, str]] = {}

    def edges(self, state: int) -> dict[int, str]:
        """The states one token further, each with the tokens that lead there in words."""
        if state not in self._known:
            self._known[state] = self._found(state)
        return self._known[state]

    def _found(self, state: int) -> dict[int, str]:
        dfa, vocabulary = self._automaton.dfa, self._automaton.vocabulary
        mask = self._automaton.mask(state).copy()
        mask[sorted(vocabulary.eos_ids)] = False
        tokens = np.flatnonzero(mask)
        states = np.full(len(tokens), state, dtype=np.int64)
        for place in range(int(self._lengths[tokens].max(initial=0))):
            longer = self._lengths[tokens] > place
            letters = self._bytes[tokens[longer], place]
            states[longer] = dfa.moves[states[longer], dfa.classes[letters]]
        targets, counts = np.unique(states, return_counts=True)
        return {
            int(target): self._words(tokens[states == target])
            for target in targets[np.argsort(-counts, kind="stable")]
        }

    def _words(self, tokens: NDArray[np.int64]) -> str:
        texts = self._automaton.vocabulary.tokens
        named = " ".join(
            visible(texts[int(token)] or b"").replace(" ", "␣")[:16] for token in tokens[:NAMED]
        )
        more = len(tokens) - NAMED
        return f"{named} + {more:,} more" if more > 0 else named
