"""The byte automaton of a constraint: a table of next states, every one of them alive."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

DEAD = -1
THIN = 64
"""So few transitions of a lone state are followed without numpy."""

Ints = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class ByteDFA:
    """n states, numbered in breadth-first order from the initial state 0; k classes of bytes.

    Every state can be reached from the initial one and can reach a final one, so the text read so
    far is a prefix of a valid text exactly where the state is not DEAD.
    """

    moves: Ints
    """(n, k) int32: the next state for each class of bytes, DEAD where none."""
    classes: NDArray[np.uint8]
    """(256,) uint8: the class, 0..k-1, of each byte; bytes of one class are never told apart."""
    final: NDArray[np.bool_]
    """(n,) bool: the text may stop here."""

    def __len__(self) -> int:
        """n, the number of states."""
        return len(self.moves)

    @property
    def nbytes(self) -> int:
        """Memory of the arrays, bytes."""
        return self.moves.nbytes + self.classes.nbytes + self.final.nbytes

    @cached_property
    def transitions(self) -> int:
        """Number of pairs of a state and a byte that may follow it."""
        width = np.bincount(self.classes, minlength=self.moves.shape[1])
        return int(np.count_nonzero(self.moves != DEAD, axis=0) @ width)

    @property
    def table(self) -> Ints:
        """(n, 256) int32: the next state for each byte, written out anew at each call."""
        return np.asarray(self.moves[:, self.classes])

    def row(self, state: int) -> Ints:
        """(256,) int32: the next state for each byte, DEAD where it can't follow."""
        return np.asarray(self.moves[state][self.classes])

    def walk(self, state: int, text: bytes) -> list[int]:
        """The states that `text` crosses from `state`, the start first.

        One more than its bytes if all can follow; shorter, up to the byte that can't, if not.
        """
        states = [state]
        classes, moves = self.classes, self.moves
        for byte in text:
            state = int(moves[state, classes[byte]])
            if state == DEAD:
                break
            states.append(state)
        return states

    @cached_property
    def to_final(self) -> Ints:
        """(n,) int32: bytes of a shortest text that completes each state; 0 where final."""
        sources, classes = np.nonzero(self.moves != DEAD)
        targets = self.moves[sources, classes].astype(np.int64)
        order = np.argsort(targets, kind="stable")
        distance = np.zeros(len(self), dtype=np.int32)
        finals = np.flatnonzero(self.final)
        for steps, states in enumerate(_levels(targets[order], sources[order], finals, len(self))):
            distance[states] = steps
        return distance

    def completion(self, state: int, most: int | None = None) -> bytes:
        """A shortest text that leads from `state` to a final state, of readable bytes if any; its
        first `most` bytes where it is longer."""
        text = bytearray()
        while not self.final[state] and (most is None or len(text) < most):
            row = self.row(state)
            steps = self.to_final[row]
            fits = (row != DEAD) & (steps == self.to_final[state] - 1)
            byte = next(byte for byte in READABLE if fits[byte])
            text.append(byte)
            state = int(row[byte])
        return bytes(text)

    @cached_property
    def _parents(self) -> Ints:
        """(n,) int32: a state one byte nearer to the initial one; its own number for that one."""
        parents = np.zeros(len(self), dtype=np.int32)
        sources, classes = np.nonzero(self.moves != DEAD)
        targets = self.moves[sources, classes]
        # States are numbered breadth-first: the smallest source of a state is on a shortest way.
        parents[targets[::-1]] = sources[::-1]
        parents[0] = 0
        return parents

    def witness(self, state: int, most: int | None = None) -> bytes | None:
        """A shortest text that leads from the initial state to `state`, readable if possible; None
        where it has more than `most` bytes."""
        text = bytearray()
        while state:
            if most is not None and len(text) >= most:
                return None
            parent = int(self._parents[state])
            row = self.row(parent)
            text.append(next(byte for byte in READABLE if row[byte] == state))
            state = parent
        return bytes(reversed(text))


READABLE = tuple(
    sorted(
        range(256),
        key=lambda byte: (not 32 < byte < 127, not chr(byte).isalnum(), byte != 32, byte),
    )
)
"""All bytes, those that read best in an example first."""


def told_apart(dfa: ByteDFA, chosen: bytes) -> tuple[NDArray[np.uint8], Ints]:
    """The classes (256,) and moves (n, k) of `dfa` with a class of its own for each byte of
    `chosen`, so that states can be added which tell it from all others."""
    classes = dfa.classes.copy()
    moves = [dfa.moves[:, i] for i in range(dfa.moves.shape[1])]
    for byte in set(chosen):
        shared = int(classes[byte])
        if np.count_nonzero(classes == shared) > 1:
            classes[byte] = len(moves)
            moves.append(dfa.moves[:, shared])
    return classes, np.stack(moves, axis=1)


def ranges(starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of every range starts[i]..ends[i]-1, one after the other: (sum of lengths,)."""
    lengths = ends - starts
    shift = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return np.arange(len(shift)) + shift


def distances(table: Ints) -> NDArray[np.int64]:
    """(m,) the bytes from state 0 to each state of an (m, 256) table; m where there is no way."""
    sources, labels = np.nonzero(table != DEAD)
    distance = np.full(len(table), len(table), dtype=np.int64)
    targets = table[sources, labels].astype(np.int64)
    for steps, states in enumerate(_levels(sources, targets, np.array([0]), len(table))):
        distance[states] = steps
    return distance


def trimmed(table: Ints, initial: int, final: NDArray[np.bool_]) -> ByteDFA | None:
    """The automaton of a table, without the states that no text reaches or that lead nowhere.

    Args:
        table: (m, 256) int32, the next state for each byte, DEAD where none.
        initial: the state before the first byte.
        final: (m,) bool.

    Returns:
        None when no text is accepted.
    """
    moves, classes = _compressed(table)
    sources, columns = np.nonzero(moves != DEAD)
    targets = moves[sources, columns].astype(np.int64)
    alive = np.zeros(len(moves), dtype=bool)
    order = np.argsort(targets, kind="stable")
    for states in _levels(targets[order], sources[order], np.flatnonzero(final), len(moves)):
        alive[states] = True
    if not alive[initial]:
        return None
    keep = alive[sources] & alive[targets]
    # Edges lie in the order of state and byte, so the numbers depend on the language's shape only.
    levels = _levels(sources[keep], targets[keep], np.array([initial]), len(moves))
    reached = np.concatenate(list(levels))
    number = np.full(len(moves) + 1, DEAD, dtype=np.int32)  # the last entry is that of DEAD
    number[reached] = np.arange(len(reached), dtype=np.int32)
    moves, merged = _compressed(number[moves[reached]])
    return ByteDFA(moves, merged[classes], final[reached])


def _levels(
    keys: NDArray[np.int64], ends: NDArray[np.int64], start: NDArray[np.int64], n: int
) -> Iterator[NDArray[np.int64]]:
    """States by their distance from `start` along edges key -> end, which are sorted by key."""
    offsets = np.searchsorted(keys, np.arange(n + 1))
    seen = np.zeros(n, dtype=bool)
    while start.size:
        yield start
        seen[start] = True
        if len(start) == 1:  # a long text has thousands of such levels: the same, done quicker
            first, last = offsets[start[0]], offsets[start[0] + 1]
            if last - first <= THIN:
                new = [end for end in ends[first:last].tolist() if not seen[end]]
                start = np.array(list(dict.fromkeys(new)), dtype=np.int64)
                continue
        found = ends[ranges(offsets[start], offsets[start + 1])]
        found = found[~seen[found]]
        _, places = np.unique(found, return_index=True)
        start = found[np.sort(places)]


def _compressed(table: Ints) -> tuple[Ints, NDArray[np.uint8]]:
    """The distinct columns of (n, c) `table`, c <= 256, in order, and which one each column is."""
    seen: dict[bytes, int] = {}
    which = np.zeros(table.shape[1], dtype=np.uint8)
    by_column = np.ascontiguousarray(table.T)
    for index, column in enumerate(by_column):
        which[index] = seen.setdefault(column.tobytes(), len(seen))
    _, first = np.unique(which, return_index=True)
    return np.ascontiguousarray(by_column[first].T), which
