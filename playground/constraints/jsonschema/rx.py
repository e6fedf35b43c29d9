"""Regular expressions over code points as trees: built, measured, cut to a length, and spelled."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from playground.constraints.jsonschema.charset import ALL, Ranges, union
from playground.constraints.jsonschema.piece import EMPTY, Piece, either, repeat, seq


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a non-empty set."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Cat:
    """One after the other; the empty text when there are no items."""

    items: tuple["Rx", ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of them; no text at all when there are no items."""

    items: tuple["Rx", ...]


@dataclass(frozen=True, slots=True)
class Rep:
    """The node `low` to `high` times (None: any number)."""

    node: "Rx"
    low: int
    high: int | None


Rx = Chars | Cat | Alt | Rep
EPSILON: Rx = Cat(())
NEVER: Rx = Alt(())


def cat(*items: Rx) -> Rx:
    flat: list[Rx] = []
    for item in items:
        if item == NEVER:
            return NEVER
        for part in item.items if isinstance(item, Cat) else (item,):
            if not (flat and flat[-1] == part and isinstance(part, Rep) and _is_star(part)):
                flat.append(part)
    return flat[0] if len(flat) == 1 else Cat(tuple(flat))


def _is_star(node: Rep) -> bool:
    return node.low == 0 and node.high is None


def alt(*items: Rx) -> Rx:
    flat: dict[Rx, None] = {}
    singles: list[Ranges] = []
    for item in items:
        for part in item.items if isinstance(item, Alt) else (item,):
            if isinstance(part, Chars):
                singles.append(part.ranges)
            else:
                flat[part] = None
    if singles:
        flat = {Chars(union(*singles)): None, **flat}
    if EPSILON in flat:
        ones = [part for part in flat if isinstance(part, Rep) and part.low == 1]
        if ones:
            del flat[EPSILON]
            flat = {(rep(part.node, 0, part.high) if part in ones else part): None for part in flat}
    return next(iter(flat)) if len(flat) == 1 else Alt(tuple(flat))


def rep(node: Rx, low: int, high: int | None) -> Rx:
    if high == 0 or node == EPSILON:
        return EPSILON
    if node == NEVER:
        return EPSILON if low == 0 else NEVER
    if (low, high) == (1, 1):
        return node
    if isinstance(node, Rep) and node.low <= 1 and node.high is None and high is None:
        return Rep(node.node, min(node.low, low) if low <= 1 else low * node.low, None)
    return Rep(node, low, high)


ANY = Chars(ALL)
ANYTHING: Rx = Rep(ANY, 0, None)


def char(ranges: Ranges) -> Rx:
    return Chars(ranges) if ranges else NEVER


def text(value: str) -> Rx:
    """Exactly `value`."""
    return cat(*(Chars(((ord(c), ord(c)),)) for c in value))


def one_of(values: Iterable[str]) -> Rx:
    return alt(*(text(value) for value in values))


@lru_cache(maxsize=8192)
def lengths(node: Rx) -> tuple[int, int | None] | None:
    """Fewest and most characters (None: no bound); None when no text matches."""
    if isinstance(node, Chars):
        return 1, 1
    if isinstance(node, Rep):
        inner = lengths(node.node)
        if inner is None:
            return (0, 0) if node.low == 0 else None
        high = None if node.high is None or inner[1] is None else node.high * inner[1]
        return node.low * inner[0], 0 if inner[1] == 0 else high
    parts = [lengths(item) for item in node.items]
    if isinstance(node, Alt):
        found = [part for part in parts if part is not None]
        if not found:
            return None
        tops = [top for _, top in found if top is not None]
        return min(low for low, _ in found), max(tops) if len(tops) == len(found) else None
    low, high = 0, 0
    bounded = True
    for part in parts:
        if part is None:
            return None
        low += part[0]
        bounded = bounded and part[1] is not None
        high += part[1] or 0
    return low, high if bounded else None


def size(node: Rx) -> int:
    """How many character positions the tree spells out, repetitions multiplied."""
    if isinstance(node, Chars):
        return 1
    if isinstance(node, Rep):
        return size(node.node) * max(1, node.low, node.high or 0)
    return sum(size(item) for item in node.items)


def spell(node: Rx, spelling: Callable[[Ranges], Piece]) -> Piece:
    """The tree as a piece; `spelling` gives the regex of one character set.

    Raises:
        ValueError: no text matches the tree.
    """
    if isinstance(node, Chars):
        return spelling(node.ranges)
    if isinstance(node, Rep):
        return repeat(spell(node.node, spelling), node.low, node.high)
    if isinstance(node, Alt):
        if not node.items:
            raise ValueError("the empty language has no spelling")
        return either(*(spell(item, spelling) for item in node.items))
    return seq(*(spell(item, spelling) for item in node.items)) if node.items else EMPTY


class _TooMany(Exception):
    """Cutting to a length would need more alternatives than allowed."""


MAX_ALTERNATIVES = 160


def restrict(node: Rx, low: int, high: int | None) -> Rx | None:
    """Exactly the texts of `node` with `low` to `high` characters.

    Returns:
        The cut tree (NEVER when none is left), or None when it can't be written in a small size.
    """
    try:
        return _cut(node, low, high, [MAX_ALTERNATIVES])
    except _TooMany:
        return None


def _cut(node: Rx, low: int, high: int | None, budget: list[int]) -> Rx:
    span = lengths(node)
    if span is None or (high is not None and span[0] > high):
        return NEVER
    if span[1] is not None and span[1] < low:
        return NEVER
    if span[0] >= low and (high is None or (span[1] is not None and span[1] <= high)):
        return node
    if isinstance(node, Alt):
        return alt(*(_cut(item, low, high, budget) for item in node.items))
    if isinstance(node, Rep):
        return _cut_repeat(node, low, high, budget)
    assert isinstance(node, Cat)
    return _cut_cat(node.items, low, high, budget)


def _cut_repeat(node: Rep, low: int, high: int | None, budget: list[int]) -> Rx:
    inner = lengths(node.node)
    assert inner is not None
    if inner[0] == inner[1] and inner[0] > 0:
        least = max(node.low, -(-low // inner[0]))
        tops = [top for top in (node.high, high and high // inner[0]) if top is not None]
        most = min(tops) if tops else None
        return NEVER if most is not None and most < least else rep(node.node, least, most)
    if node.high is None or node.high > 6:
        raise _TooMany
    counts = range(node.low, node.high + 1)
    return alt(*(_cut_cat((node.node,) * count, low, high, budget) for count in counts))


def _cut_cat(items: tuple[Rx, ...], low: int, high: int | None, budget: list[int]) -> Rx:
    spans = [span for span in map(lengths, items) if span is not None]
    variable = [i for i, span in enumerate(spans) if span[0] != span[1]]
    if not variable:
        return _cut(cat(*items), low, high, budget)
    fixed = sum(span[0] for i, span in enumerate(spans) if i not in variable)
    first = variable[0]
    if len(variable) == 1:
        part = _cut(items[first], max(0, low - fixed), high and high - fixed, budget)
        return cat(*items[:first], part, *items[first + 1 :])
    before, after = cat(*items[:first]), items[first + 1 :]
    lead, (least, most) = fixed_length(before), spans[first]
    rest_least = sum(span[0] for span in spans[first + 1 :])
    # Below `stop` each length needs an alternative; from there on `low` no longer binds the rest.
    stop = max(least, low - lead - rest_least) if high is None else high - lead - rest_least
    stop = stop if most is None else min(stop, most)
    out: list[Rx] = []
    for length in range(least, stop + 1):
        budget[0] -= 1
        if budget[0] < 0:
            raise _TooMany
        last = length == stop and high is None
        head = _cut(items[first], length, None if last else length, budget)
        rest_high = None if high is None else high - lead - length
        out.append(
            cat(before, head, _cut_cat(after, max(0, low - lead - length), rest_high, budget))
        )
    return alt(*out)


def fixed_length(node: Rx) -> int:
    span = lengths(node)
    assert span is not None
    assert span[0] == span[1]
    return span[0]
