"""Free text with constrained spans between two markers, any number of them: think, then constrain."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import State, StateView, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton, located
from playground.constraints.dfa import DEAD, ByteDFA, Ints, distances, told_apart
from playground.constraints.healed import bytes_of
from playground.constraints.spec import Markers
from playground.errors import BudgetExceeded

MAX_FORKS = 10_000
"""Most states in which a span may both go on and be ending."""
NOWHERE = -1
MARKING = ("stand between markers in free text", "constrain the whole text")


@dataclass(frozen=True, slots=True)
class Span:
    """A constrained part of a text, its markers left out."""

    start: int
    """Offset in bytes."""
    end: int | None
    """None while it is open."""


class MarkedAutomaton(ByteAutomaton):
    """The texts whose every span, from an opening marker to the first closing marker that follows a
    text of L, holds a text of L; outside them anything may stand, and only there may a text end.

    Nothing is masked outside the spans, but a token may cross an opening marker: what it has after
    the marker must begin a text of L.
    """

    def __init__(self, plain: TokenAutomaton, markers: Markers) -> None:
        """
        Args:
            plain: the automaton of L: a `ByteAutomaton` or a `FreeAutomaton`.
            markers: what a span stands between.

        Raises:
            InvalidInput: `plain` is of an engine without byte states.
            BudgetExceeded: L holds too many texts that a closing marker may stand in.
        """
        table = _table(bytes_of(plain, *MARKING), markers.open.encode(), markers.close.encode())
        super().__init__(table.dfa, plain.vocabulary)
        self.plain = plain
        self.markers = markers
        self._inner = table.inner
        self._free = table.free

    def outside(self, state: State) -> bool:
        """The state stands in free text."""
        return bool(self._free[self._number(state)])

    def spans(self, text: bytes) -> tuple[Span, ...]:
        """The spans of a text, up to where it leaves the language."""
        found, start, close = list[Span](), None, len(self.markers.close.encode())
        for offset, number in enumerate(self.dfa.walk(0, text)):
            free = bool(self._free[number])
            if start is None and not free:
                start = offset
            elif start is not None and free:
                found.append(Span(start, offset - close))
                start = None
        return (*found, *([] if start is None else [Span(start, None)]))

    def answer(self, text: bytes) -> bytes | None:
        """The last closed span; None without one."""
        closed = [span for span in self.spans(text) if span.end is not None]
        return text[closed[-1].start : closed[-1].end] if closed else None

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words; places in a schema are those of the span."""
        number = self._number(state)
        view = super().describe(number)
        if self._free[number]:
            words = (
                "Free text: nothing but special tokens is masked. "
                f"{self.markers.open!r} opens a constrained span."
            )
            return StateView(view.name, words, ("any byte",), True)
        inner = int(self._inner[number])
        if inner == NOWHERE:
            return StateView(
                view.name, located("The closing marker", view.words), view.expected, False,
                needs=view.needs,
            )  # fmt: skip
        rest = None if text is None else text[self.spans(text)[-1].start :]
        plain = self.plain.describe(inner, rest)
        words = located("Inside a span", plain.words)
        return StateView(view.name, words, view.expected, False, plain.pointer, view.needs)


@dataclass(frozen=True, eq=False, slots=True)
class _Table:
    """The byte automaton of marked text, and what each of its n states stands for."""

    dfa: ByteDFA
    inner: NDArray[np.int64]
    """(n,) the state of L; NOWHERE in free text and where only the closing marker goes on."""
    free: NDArray[np.bool_]
    """(n,) it stands in free text."""


def _table(plain: ByteDFA, opening: bytes, closing: bytes) -> _Table:
    """The states are those of free text, by how much of the opening marker it ends with, then L's
    own, then forks: a state of L or none, and how much of a closing marker may be begun, which is a
    set as L's text may hold its beginning."""
    classes, moves = told_apart(plain, opening + closing)
    waiting, width = len(opening), moves.shape[1]
    free = np.zeros((waiting, width), dtype=np.int32)
    for matched in range(waiting):
        for byte in set(opening):
            free[matched, classes[byte]] = _matched(opening, matched, byte)
    own = np.where(moves == DEAD, DEAD, moves + np.int32(waiting)).astype(np.int32)
    forks: dict[tuple[int, frozenset[int]], int] = {}

    def state(inner: int, begun: frozenset[int]) -> int:
        """Its number. The marker closes the span wherever it is complete."""
        if len(closing) in begun:
            return 0
        if not begun:
            return DEAD if inner == DEAD else waiting + inner
        if len(forks) >= MAX_FORKS:
            raise BudgetExceeded(
                "The texts between the markers can hold the closing marker in too many places.",
                "Choose a closing marker that they can't hold.",
                "markers",
            )
        return forks.setdefault((inner, begun), waiting + len(own) + len(forks))

    for final in np.flatnonzero(plain.final).tolist():
        first = int(classes[closing[0]])
        own[final, first] = state(int(moves[final, first]), frozenset({1}))
    rows: list[Ints] = []
    while len(rows) < len(forks):
        inner, begun = list(forks)[len(rows)]
        row = np.full(width, DEAD, dtype=np.int32) if inner == DEAD else own[inner].copy()
        for byte in set(closing):
            longer = {length + 1 for length in begun if closing[length] == byte}
            if inner != DEAD and plain.final[inner] and closing[0] == byte:
                longer.add(1)
            following = DEAD if inner == DEAD else int(moves[inner, classes[byte]])
            row[classes[byte]] = state(following, frozenset(longer))
        rows.append(row)
    table = np.concatenate([free, own, np.array(rows, dtype=np.int32).reshape(-1, width)])
    stands = [*([NOWHERE] * waiting), *range(len(own)), *(inner for inner, _ in forks)]
    distance = distances(table)
    kept = np.argsort(distance, kind="stable")[: int(np.count_nonzero(distance < len(table)))]
    number = np.full(len(table) + 1, DEAD, dtype=np.int32)  # the last entry is that of DEAD
    number[kept] = np.arange(len(kept), dtype=np.int32)
    outside = kept < waiting
    dfa = ByteDFA(number[table[kept]], classes, outside)
    return _Table(dfa, np.array(stands)[kept], outside)


def _matched(marker: bytes, matched: int, byte: int) -> int:
    """How much of `marker` a text ends with, after `matched` bytes of it and `byte`; all of it is
    the number of L's initial state."""
    text = marker[:matched] + bytes([byte])
    return next(length for length in range(len(text), -1, -1) if text.endswith(marker[:length]))
