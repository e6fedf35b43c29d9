"""Intersections that trees can't express: several languages run side by side as one automaton."""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from playground.constraints.jsonschema.charset import ALL, Ranges, normal
from playground.constraints.jsonschema.rx import Alt, Cat, Chars, Rep, Rx, size

MAX_STATES = 400
MAX_POSITIONS = 10_000


class TooComplex(Exception):
    """The intersection can't be written in a small size."""


class Component(Protocol):
    """One language of an intersection, as a deterministic automaton built on demand."""

    @property
    def start(self) -> Hashable: ...

    def sets(self) -> list[Ranges]:
        """The character sets that it tells apart."""
        ...

    def step(self, state: Hashable, code: int) -> Hashable | None:
        """The state after one character, or None when no text can follow."""
        ...

    def final(self, state: Hashable) -> bool: ...


class Language:
    """The texts of a tree, or with `negated` all the others."""

    def __init__(self, node: Rx, negated: bool = False) -> None:
        if size(node) > MAX_POSITIONS:
            raise TooComplex
        self._negated = negated
        self._free: list[list[int]] = []
        self._moves: list[tuple[Ranges, int] | None] = []
        entry, self._end = self._new(), self._new()
        self._build(node, entry, self._end)
        self._steps: dict[tuple[frozenset[int], int], frozenset[int]] = {}
        self._entry = self._closure([entry])

    @property
    def start(self) -> Hashable:
        return self._entry

    def sets(self) -> list[Ranges]:
        return list({move[0] for move in self._moves if move})

    def step(self, state: Hashable, code: int) -> Hashable | None:
        assert isinstance(state, frozenset)
        key = (state, code)
        if key not in self._steps:
            targets = [
                move[1] for node in state if (move := self._moves[node]) and _has(move[0], code)
            ]
            self._steps[key] = self._closure(targets)
        after = self._steps[key]
        return after if after or self._negated else None

    def final(self, state: Hashable) -> bool:
        assert isinstance(state, frozenset)
        return (self._end in state) != self._negated

    def _new(self) -> int:
        self._free.append([])
        self._moves.append(None)
        return len(self._free) - 1

    def _build(self, node: Rx, source: int, target: int) -> None:
        if isinstance(node, Chars):
            step = self._new()
            self._free[source].append(step)
            self._moves[step] = (node.ranges, target)
        elif isinstance(node, Alt):
            for item in node.items:
                self._build(item, source, target)
        elif isinstance(node, Cat):
            for item in node.items:
                middle = self._new()
                self._build(item, source, middle)
                source = middle
            self._free[source].append(target)
        else:
            self._build_repeat(node, source, target)

    def _build_repeat(self, node: Rep, source: int, target: int) -> None:
        for _ in range(node.low):
            middle = self._new()
            self._build(node.node, source, middle)
            source = middle
        if node.high is None:
            loop = self._new()
            self._free[source].append(loop)
            self._build(node.node, loop, loop)
            source = loop
        else:
            for _ in range(node.high - node.low):
                middle = self._new()
                self._free[source].append(target)
                self._build(node.node, source, middle)
                source = middle
        self._free[source].append(target)

    def _closure(self, nodes: list[int]) -> frozenset[int]:
        seen, todo = set(nodes), list(nodes)
        while todo:
            for after in self._free[todo.pop()]:
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return frozenset(n for n in seen if self._moves[n] is not None or n == self._end)


@dataclass(frozen=True, slots=True)
class Length:
    """Texts of `low` to `high` characters."""

    low: int
    high: int | None
    start: int = 0

    def sets(self) -> list[Ranges]:
        return []

    def step(self, state: Hashable, code: int) -> Hashable | None:
        assert isinstance(state, int)
        if self.high is None:
            return min(state + 1, self.low)
        return state + 1 if state < self.high else None

    def final(self, state: Hashable) -> bool:
        assert isinstance(state, int)
        return state >= self.low


def _has(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)


def atoms(sets: Sequence[Ranges]) -> list[Ranges]:
    """The coarsest partition of all code points that no set of `sets` cuts through."""
    cuts = {0}
    for ranges in sets:
        for low, high in ranges:
            cuts.update((low, high + 1))
    edges = [*sorted(cut for cut in cuts if cut <= ALL[-1][1]), ALL[-1][1] + 1]
    groups: dict[tuple[bool, ...], list[tuple[int, int]]] = {}
    for low, after in pairwise(edges):
        key = tuple(_has(ranges, low) for ranges in sets)
        groups.setdefault(key, []).append((low, after - 1))
    return [ranges for pairs in groups.values() if (ranges := normal(pairs))]


@dataclass(frozen=True, slots=True)
class Dfa:
    """A trimmed automaton: state 0 is the start; `edges[i]` maps a successor to its characters."""

    edges: list[dict[int, Ranges]]
    finals: frozenset[int]


def intersection(components: Sequence[Component], max_states: int = MAX_STATES) -> Dfa:
    """The texts that every component accepts, as a minimal automaton.

    Raises:
        TooComplex: it would take more than `max_states` states.
    """
    sets = list({ranges for component in components for ranges in component.sets()})
    if len(sets) > 60:
        raise TooComplex
    alphabet = atoms(sets)
    samples = [ranges[0][0] for ranges in alphabet]
    start = tuple(component.start for component in components)
    ids: dict[tuple[Hashable, ...], int] = {start: 0}
    table: list[list[int]] = []
    todo = deque([start])
    while todo:
        state = todo.popleft()
        row = []
        for code in samples:
            after: list[Hashable] = []
            for component, part in zip(components, state, strict=True):
                nxt = component.step(part, code)
                if nxt is None:
                    break
                after.append(nxt)
            key = tuple(after)
            if len(key) < len(components):
                row.append(-1)
                continue
            if key not in ids:
                if len(ids) >= max_states:
                    raise TooComplex
                ids[key] = len(ids)
                todo.append(key)
            row.append(ids[key])
        table.append(row)
    finals = [
        all(component.final(part) for component, part in zip(components, state, strict=True))
        for state in ids
    ]
    return _minimal(table, finals, alphabet)


def _minimal(table: list[list[int]], finals: list[bool], alphabet: list[Ranges]) -> Dfa:
    live = {i for i, final in enumerate(finals) if final}
    before: dict[int, set[int]] = {}
    for i, row in enumerate(table):
        for j in row:
            before.setdefault(j, set()).add(i)
    todo = list(live)
    while todo:
        for i in before.get(todo.pop(), ()):
            if i not in live:
                live.add(i)
                todo.append(i)
    if 0 not in live:
        return Dfa([], frozenset())
    block = {i: int(finals[i]) for i in live} | {-1: -1}
    count = 0
    while True:
        keys = {
            i: (block[i], *(block[j] if j in live else -1 for j in table[i])) for i in sorted(live)
        }
        names = {key: n for n, key in enumerate(dict.fromkeys(keys.values()))}
        block = {i: names[key] for i, key in keys.items()} | {-1: -1}
        if len(names) == count:
            break
        count = len(names)
    # Names follow the order of first appearance, and state 0 is the first: the start stays 0.
    edges: list[dict[int, Ranges]] = [{} for _ in range(count)]
    done: set[int] = set()
    for i in sorted(live):
        if block[i] in done:
            continue
        done.add(block[i])
        pairs: dict[int, list[tuple[int, int]]] = {}
        for atom, j in zip(alphabet, table[i], strict=True):
            if j in live:
                pairs.setdefault(block[j], []).extend(atom)
        edges[block[i]] = {j: normal(found) for j, found in pairs.items()}
    return Dfa(edges, frozenset(block[i] for i in live if finals[i]))
