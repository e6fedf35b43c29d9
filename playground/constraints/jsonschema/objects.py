"""Objects as pieces: named properties in order, any subset of the optional ones, then extra keys.

Commas stand between members, so a member's text depends on whether one came before it. With a
required property the optional ones before it carry their comma behind, the ones after it in
front: each is written once. Without one, `X(k) = X(k-1) (, P(k))? | P(k)` writes each twice.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from playground.constraints.jsonschema.jsontext import JsonText
from playground.constraints.jsonschema.piece import Piece, either, optional, repeat, seq

CHAIN = 12
"""Up to so many optional members are chained one by one, more in blocks, to bound the nesting."""
MAX_SUBSETS = 64
"""Counting members writes out at most so many subsets."""


@dataclass(frozen=True, slots=True)
class Member:
    """One named property: its key, its value, and whether it must be there."""

    key: Piece
    value: Piece
    required: bool


@dataclass(frozen=True, slots=True)
class Members:
    """All that may stand in an object."""

    named: tuple[Member, ...]
    extra: Piece | None
    """A further member, key and value; any number may follow the named ones."""


def piece(text: JsonText, members: Members) -> Piece:
    """The object, any subset of the optional members, in order."""
    body, nullable = _body(text, members, 0, None)
    return text.object(body, nullable)


def counted(text: JsonText, members: Members, low: int, high: int | None) -> Piece | None:
    """The object with `low` to `high` members.

    Returns:
        The piece, or None when that would write out too many subsets.

    Raises:
        ValueError: no object has so many members.
    """
    needed = sum(member.required for member in members.named)
    free = [i for i, member in enumerate(members.named) if not member.required]
    least, most = max(0, low - needed), None if high is None else high - needed
    top = len(free) if members.extra is None else None
    if (most is not None and most < least) or (top is not None and least > top):
        raise ValueError("no object has so many members")
    if most is not None and top is not None and most >= top:
        most = None
    if least == 0 and most is None:
        return piece(text, members)
    if least == 1 and most is None and needed == 0:
        body, _ = _body(text, members, 0, None)
        return text.object(body, False)
    if most is None:
        picks = _first_picks(free, least)
    else:
        sizes = range(min(most, len(free)) + 1)
        picks = [
            (chosen, False)
            for size in sizes
            if members.extra is not None or size >= least
            for chosen in _subsets(free, size)
        ]
    if picks is None or len(picks) > MAX_SUBSETS:
        return None
    bodies, empty = [], False
    for chosen, open_end in picks:
        named = _picked(members.named, chosen, open_end)
        left = max(0, least - len(chosen))
        room = None if most is None else most - len(chosen)
        body, nullable = _body(text, Members(named, members.extra), left, room)
        empty |= nullable
        if body is not None:
            bodies.append(body)
    return text.object(either(*bodies) if bodies else None, empty)


def _subsets(free: Sequence[int], size: int) -> list[tuple[int, ...]]:
    if math.comb(len(free), size) > MAX_SUBSETS:
        return [()] * (MAX_SUBSETS + 1)
    return list(combinations(free, size))


def _first_picks(free: Sequence[int], least: int) -> list[tuple[tuple[int, ...], bool]] | None:
    """Which optional members come first, up to `least`; those behind the last of them are free."""
    if sum(math.comb(len(free), size) for size in range(least + 1)) > MAX_SUBSETS:
        return None
    return [
        (chosen, size == least) for size in range(least + 1) for chosen in combinations(free, size)
    ]


def _picked(named: Sequence[Member], chosen: tuple[int, ...], open_end: bool) -> tuple[Member, ...]:
    last = chosen[-1] if chosen else -1
    out = []
    for i, member in enumerate(named):
        if member.required or i in chosen:
            out.append(Member(member.key, member.value, True))
        elif open_end and i > last:
            out.append(member)
    return tuple(out)


def _body(
    text: JsonText, members: Members, low: int, high: int | None
) -> tuple[Piece | None, bool]:
    """(The text between the braces when it isn't empty, whether it may also be empty).

    `low` and `high` count the extra members.
    """
    parts = [seq(member.key, text.colon, member.value) for member in members.named]
    extra = members.extra if high != 0 else None
    if extra is None and low > 0:
        return None, False
    pivot = next((i for i, member in enumerate(members.named) if member.required), None)
    after = repeat(seq(text.comma, extra), low, high) if extra is not None else None
    if pivot is not None:
        before = [optional(seq(part, text.comma)) for part in parts[:pivot]]
        behind = [
            seq(text.comma, part) if member.required else optional(seq(text.comma, part))
            for part, member in zip(parts[pivot + 1 :], members.named[pivot + 1 :], strict=True)
        ]
        return seq(*before, parts[pivot], *behind, *([after] if after else [])), False
    chain = _any_of(text, parts) if parts else None
    if extra is None:
        return chain, True
    if chain is None:
        return text.listed(extra, max(1, low), high), low == 0
    assert after is not None
    if (low, high) == (0, None):
        return seq(either(chain, extra), after), True
    return either(seq(chain, after), text.listed(extra, max(1, low), high)), low == 0


def _any_of(text: JsonText, parts: Sequence[Piece]) -> Piece:
    """Any non-empty subset of the parts, in order."""
    if len(parts) <= CHAIN:
        return _chain(text, parts)
    size = math.isqrt(len(parts) - 1) + 1
    blocks = [parts[i : i + size] for i in range(0, len(parts), size)]
    out = _chain(text, blocks[0])
    for block in blocks[1:]:
        tail = seq(*(optional(seq(text.comma, part)) for part in block))
        out = either(seq(out, tail), _chain(text, block))
    return out


def _chain(text: JsonText, parts: Sequence[Piece]) -> Piece:
    out = parts[0]
    for part in parts[1:]:
        out = either(seq(out, optional(seq(text.comma, part))), part)
    return out


def unordered(text: JsonText, members: Members) -> Piece:
    """Optional members in any order, a key possibly twice: small where the chain would be huge."""
    groups: dict[Piece, list[Piece]] = {}
    for member in members.named:
        groups.setdefault(member.value, []).append(member.key)
    parts = [seq(either(*keys), text.colon, value) for value, keys in groups.items()]
    if members.extra is not None:
        parts.append(members.extra)
    return text.object(text.listed(either(*parts), 1, None), True)
