"""Strings: length, patterns and formats met together, and what had to be let go."""

from collections.abc import Sequence
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
from playground.constraints.jsonschema.rx import ANY, NEVER, Rx, rep, restrict, spell

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


def language(
    demands: Sequence[Demand], low: int, high: int | None
) -> tuple[Rx | None, list[Demand], list[str]]:
    """The tree of a constrained string, and what it does not enforce.

    Returns:
        (tree or None for any string at all, demands left out, length keywords left out).
    """
    wanted = tuple(each for demand in demands for each in demand.languages)
    whole = meet(wanted, low, high)
    if whole is not None:
        return whole, [], []
    kept: list[Demand] = []
    left: list[Demand] = []
    for demand in sorted(demands, key=lambda d: any(each.negated for each in d.languages)):
        tried = tuple(each for other in (*kept, demand) for each in other.languages)
        (kept if meet(tried, 0, None) is not None else left).append(demand)
    base = tuple(each for demand in kept for each in demand.languages)
    dropped = []
    if high is not None and meet(base, 0, high) is None:
        dropped, high = ["maxLength"], None
    tree = meet(base, low, high)
    if tree is None:
        dropped, low = ["minLength", *dropped], 0
        tree = meet(base, low, high)
    return tree, left, dropped


def piece(tree: Rx | None, low: int, high: int | None) -> Piece | None:
    """A string as JSON text; without a tree any string of that length. None: no string fits."""
    if tree is None:
        counted = max(low, high or 0)
        return in_quotes(repeat(FULL_CHAR if counted <= FULL_COUNT else LEAN_CHAR, low, high))
    return None if tree == NEVER else in_quotes(spell(tree, in_json))
