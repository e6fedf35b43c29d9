"""The trie of a vocabulary, and the walk of a byte automaton over all of it at once."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from playground.constraints.dfa import DEAD, ByteDFA, ranges
from playground.logspace import Mask
from playground.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False, slots=True)
class Trie:
    """The prefixes of V tokens as N nodes, numbered level by level; node 0 is the empty prefix."""

    levels: tuple[slice, ...]
    """Nodes of each depth from 1 on."""
    parents: NDArray[np.int32]
    """(N,) the parent, counted from the first node of the level above."""
    bytes: NDArray[np.uint8]
    """(N,) the last byte of the prefix."""
    children: NDArray[np.int32]
    """(N + 1,) the children of node i are children[i]..children[i + 1] - 1."""
    tokens: NDArray[np.int32]
    """(T,) the ids that have bytes."""
    ends: NDArray[np.int32]
    """(T,) the node where each of `tokens` ends."""
    single: NDArray[np.bool_]
    """(256,) bytes that are a token of their own."""
    size: int
    """V."""


def build_trie(vocabulary: Vocabulary) -> Trie:
    """The trie of all tokens with bytes."""
    spelled = sorted((text, i) for i, text in enumerate(vocabulary.tokens) if text is not None)
    lengths = np.fromiter((len(text) for text, _ in spelled), np.int64, len(spelled))
    letters = np.frombuffer(b"".join(text for text, _ in spelled), dtype=np.uint8)
    starts = np.cumsum(lengths) - lengths
    node = np.zeros(len(spelled), dtype=np.int64)  # where each token's prefix of this depth ends
    levels, parents, last = [], [np.zeros(1, np.int64)], [np.zeros(1, np.uint8)]
    above, first, depth = 0, 1, 0
    active = np.flatnonzero(lengths > 0)
    while active.size:
        byte = letters[starts[active] + depth]
        before = node[active]
        # The tokens are sorted, so equal prefixes are neighbours.
        new = np.ones(len(active), dtype=bool)
        new[1:] = (before[1:] != before[:-1]) | (byte[1:] != byte[:-1])
        node[active] = first - 1 + np.cumsum(new)
        parents.append(before[new] - above)
        last.append(byte[new])
        levels.append(slice(first, first + len(parents[-1])))
        above, first, depth = first, levels[-1].stop, depth + 1
        active = active[lengths[active] > depth]
    absolute = np.concatenate(
        [
            parents[level] + (levels[level - 2].start if level > 1 else 0)
            for level in range(1, len(parents))
        ]
        or [np.zeros(0, np.int64)]
    )
    children = 1 + np.searchsorted(absolute, np.arange(first + 1))
    single = np.zeros(256, dtype=bool)
    single[letters[starts[lengths == 1]]] = True
    return Trie(
        tuple(levels),
        np.concatenate(parents).astype(np.int32),
        np.concatenate(last),
        children.astype(np.int32),
        np.fromiter((i for _, i in spelled), np.int32, len(spelled)),
        node.astype(np.int32),
        single,
        len(vocabulary),
    )


class Walker:
    """One byte automaton over one trie."""

    def __init__(self, dfa: ByteDFA, trie: Trie) -> None:
        self._trie = trie
        n, k = dfa.moves.shape
        self._classes = dfa.classes[trie.bytes].astype(np.int32)
        # States are stored times k, so that a step is one sum and one look-up; row n is dead.
        self._width, self._dead = k, n * k
        table = np.full((n + 1, k), n, dtype=np.int32)
        np.copyto(table[:n], dfa.moves, where=dfa.moves != DEAD)
        self._next = (table * k).ravel()

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, bytes."""
        return int(self._next.nbytes + self._classes.nbytes)

    def alive(self, state: int) -> Mask:
        """(V,) bool: the tokens all of whose bytes can follow `state`. EOS ids are False.

        Level by level through the trie: whole levels while many prefixes live, and only the
        children of living ones once they are few.
        """
        trie, step, classes = self._trie, self._next, self._classes
        living = np.zeros(len(classes), dtype=bool)
        living[0] = True
        above = np.array([state * self._width], dtype=np.int32)
        for level in trie.levels:
            above = step[above[trie.parents[level]] + classes[level]]
            lives = above != self._dead
            living[level] = lives
            if np.count_nonzero(lives) * 4 < len(lives):
                break
        else:
            return self._tokens(living)
        nodes = level.start + np.flatnonzero(lives)
        states = above[lives]
        while nodes.size:
            starts, ends = trie.children[nodes], trie.children[nodes + 1]
            reached = ranges(starts, ends)
            states = step[np.repeat(states, ends - starts) + classes[reached]]
            lives = states != self._dead
            nodes, states = reached[lives], states[lives]
            living[nodes] = True
        return self._tokens(living)

    def _tokens(self, living: NDArray[np.bool_]) -> Mask:
        mask = np.zeros(self._trie.size, dtype=bool)
        mask[self._trie.tokens] = living[self._trie.ends]
        return mask


_MOST = 16
_tries: OrderedDict[str, Trie] = OrderedDict()
_lock = Lock()


def trie_of(vocabulary: Vocabulary) -> Trie:
    """The trie of a vocabulary, built once; the most recent ones are kept. Thread-safe."""
    key = vocabulary.fingerprint
    with _lock:
        if key not in _tries:
            _tries[key] = build_trie(vocabulary)
            while len(_tries) > _MOST:
                _tries.popitem(last=False)
        _tries.move_to_end(key)
        return _tries[key]
