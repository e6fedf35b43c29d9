"""Strings: length, patterns and formats met together, and what had to be let go."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from playground.constraints.jsonschema.charset import in_json
from playground.constraints.jsonschema.dfa import (
    Component,
    Language,
    Length,
    TooComplex,
    intersection,
)
from playground.constraints.jsonschema.eliminate import MAX_WEIGHT, to_tree
from playground.constraints.jsonschema.facts import Demand
from playground.constraints.jsonschema.jsontext import FULL_CHAR, LEAN_CHAR, in_quotes
from playground.constraints.jsonschema.pattern import Required
from playground.constraints.jsonschema.piece import Piece, repeat
from playground.constraints.jsonschema.rx import ANY, NEVER, Rx, rep, restrict, size, spell

FULL_COUNT = 100
r"""Strings counted further than this are offered without `\uXXXX`: half the states."""


@lru_cache(maxsize=2048)
def meet(required: tuple[Required, ...], low: int, high: int | None) -> Rx | None:
    """Exactly the texts in every language and of `low` to `high` characters.

    Returns:
        A tree (NEVER when no text fits), or None when it can't be written in a small size.
    """
    positive = list(dict.fromkeys(each.node for each in required if not each.negated))
    negative = list(dict.fromkeys(each.node for each in required if each.negated))
    if not all(_is_tame(node) for node in (*positive, *negative)):
        return None
    if not negative and len(positive) <= 1:
        base = positive[0] if positive else rep(ANY, 0, None)
        cut = restrict(base, low, high)
        if cut is not None:
            return cut
    components: list[Component] = []
    try:
        components.extend(Language(node) for node in positive)
        components.extend(Language(node, negated=True) for node in negative)
        if low or high is not None:
            components.append(Length(low, high))
        return to_tree(intersection(components), MAX_WEIGHT)
    except TooComplex:
        return None


@lru_cache(maxsize=2048)
def _is_tame(node: Rx) -> bool:
    """Making the pattern deterministic does not blow it up: (a|b)*a(a|b){16} would."""
    try:
        intersection([Language(node)], 4 * size(node) + 300)
    except TooComplex:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Met:
    """A constrained string and what had to be let go."""

    piece: Piece | None
    """The string as JSON text; None when no text fits."""
    loose: tuple[Demand, ...]
    """Demands of which nothing is enforced."""
    partial: tuple[Demand, ...]
    """Demands of which a part (a look-ahead) is not enforced."""
    dropped: tuple[str, ...]
    """`minLength` or `maxLength` where it is not enforced."""


def met(demands: Sequence[Demand], low: int, high: int | None, max_cost: int) -> Met:
    """A string that meets the demands and the length, as far as `max_cost` states allow.

    Lengths are let go first, the upper bound before the lower one, then single languages.
    """
    units = [(demand, each) for demand in demands for each in demand.languages]
    units.sort(key=lambda unit: unit[1].negated)
    kept: list[tuple[Demand, Required]] = []
    for unit in units:
        tried = tuple(each for _, each in (*kept, unit))
        if any(_made(tried, *bounds, max_cost) is not None for bounds in _looser(low, high)):
            kept.append(unit)
    languages = tuple(each for _, each in kept)
    loose: list[Demand] = []
    partial: list[Demand] = []
    for demand in demands:
        held = sum(owner is demand for owner, _ in kept)
        if held < len(demand.languages):
            (partial if held else loose).append(demand)
    if not kept:
        return Met(piece(None, low, high), tuple(loose), (), ())
    for least, most in _looser(low, high):
        found = _made(languages, least, most, max_cost)
        if found is not None:
            dropped = ["maxLength"] if most != high else []
            dropped += ["minLength"] if least != low else []
            return Met(found[0], tuple(loose), tuple(partial), tuple(dropped))
    raise AssertionError("what was kept can be made")


def _looser(low: int, high: int | None) -> list[tuple[int, int | None]]:
    return list(dict.fromkeys([(low, high), (low, None), (0, None)]))


def _made(
    languages: tuple[Required, ...], low: int, high: int | None, max_cost: int
) -> tuple[Piece | None] | None:
    """The piece (None: no text fits) in a tuple, or None when it is too large."""
    tree = meet(languages, low, high)
    if tree is None:
        return None
    found = piece(tree, low, high)
    return None if found is not None and found.cost > max_cost else (found,)


def piece(tree: Rx | None, low: int, high: int | None) -> Piece | None:
    """A string as JSON text; without a tree any string of that length. None: no string fits."""
    if tree is None:
        counted = max(low, high or 0)
        return in_quotes(repeat(FULL_CHAR if counted <= FULL_COUNT else LEAN_CHAR, low, high))
    return None if tree == NEVER else in_quotes(spell(tree, in_json))
