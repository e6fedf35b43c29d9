"""The byte automaton seen character by character: whole characters and forced texts as edges."""

from dataclasses import dataclass

import numpy as np

from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.words import characters, classes_of, runs, visible

MAX_FORCED = 200
"""Longest forced text in one edge, bytes."""
_FEW_LEADS = 4
"""So many first bytes of characters outside ASCII are looked into, to list what they begin."""


@dataclass(frozen=True, slots=True)
class _Edge:
    target: int
    words: tuple[str, ...]
    literal: bytes | None
    """The one character that leads here; None for a class."""


class CharacterGraph:
    """The edges between the states that stand between two characters."""

    def __init__(self, dfa: ByteDFA) -> None:
        self._dfa = dfa
        self._known: dict[int, tuple[_Edge, ...]] = {}
        sources, classes = np.nonzero(dfa.moves != DEAD)
        pairs = np.unique(dfa.moves[sources, classes].astype(np.int64) * len(dfa) + sources)
        self._ways_in = np.bincount(pairs // len(dfa), minlength=len(dfa))
        continuing = np.unique(dfa.classes[0x80:0xC0])
        self._inside = (dfa.moves[:, continuing] != DEAD).any(axis=1)

    def edges(self, state: int, kept: frozenset[int]) -> dict[int, list[str]]:
        """The states that may come next, each with the classes of characters that lead there.

        A state in the middle of a forced text or of a character is passed over, unless it is in
        `kept`; the edge then says the whole text.
        """
        found: dict[int, list[str]] = {}
        for edge in self._characters(state, kept):
            target, words = edge.target, list(edge.words)
            if edge.literal is not None:
                target, text = self._forced(edge, kept)
                if len(text) > 1:
                    words = [visible(text).replace(" ", "␣")]
            found.setdefault(target, []).extend(words)
        return found

    def _forced(self, edge: _Edge, kept: frozenset[int]) -> tuple[int, bytes]:
        """Follow the text that must come after `edge`, to the next choice, end or kept state."""
        target, text = edge.target, edge.literal or b""
        while (
            target not in kept
            and not self._dfa.final[target]
            and self._ways_in[target] == 1
            and len(text) < MAX_FORCED
        ):
            after = self._characters(target, kept)
            if len(after) != 1 or after[0].literal is None:
                break
            target, text = after[0].target, text + after[0].literal
        return target, text

    def _characters(self, state: int, kept: frozenset[int]) -> tuple[_Edge, ...]:
        """One edge for each state after the next character."""
        stops = frozenset(node for node in kept if self._inside[node])
        if stops or self._inside[state]:
            return self._found(state, stops)
        if state not in self._known:
            self._known[state] = self._found(state, stops)
        return self._known[state]

    def _found(self, state: int, stops: frozenset[int]) -> tuple[_Edge, ...]:
        row = self._dfa.row(state)
        alive = [int(byte) for byte in np.flatnonzero(row != DEAD)]
        few = 0 < sum(byte >= 0xC2 for byte in alive) <= _FEW_LEADS and not stops
        listed = characters(row, self._dfa) if few else None
        by_bytes: dict[int, list[int]] = {}
        by_codes: dict[int, list[int]] = {}
        for byte in alive:
            if byte < 0x80:
                by_bytes.setdefault(int(row[byte]), []).append(byte)
            elif listed is None:
                for end in self._ends(int(row[byte]), stops):
                    by_bytes.setdefault(end, []).append(byte)
        for code, target in listed or ():
            by_codes.setdefault(target, []).append(code)
        edges = []
        for target in dict.fromkeys([*by_bytes, *by_codes]):
            own = np.full(256, DEAD, dtype=np.int32)
            own[by_bytes.get(target, [])] = target
            codes = by_codes.get(target, [])
            singles = [*(code for code in by_bytes.get(target, []) if code < 0x80), *codes]
            alone = len(singles) == len(by_bytes.get(target, [])) + len(codes) == 1
            literal = chr(singles[0]).encode() if alone else None
            edges.append(_Edge(target, (*classes_of(own), *runs(codes)), literal))
        return tuple(edges)

    def _ends(self, state: int, stops: frozenset[int]) -> set[int]:
        """Where the character ends that `state` is in the middle of; `stops` end it early."""
        ends, seen, todo = set(), {state}, [state]
        while todo:
            node = todo.pop()
            if node in stops or not self._inside[node]:
                ends.add(node)
                continue
            for after in {int(s) for s in self._dfa.moves[node] if s != DEAD} - seen:
                seen.add(after)
                todo.append(after)
        return ends
