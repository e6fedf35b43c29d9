"""From an automaton back to a tree: states are taken out one by one, the cheapest first."""

from functools import lru_cache

from playground.constraints.jsonschema.dfa import Dfa, TooComplex
from playground.constraints.jsonschema.rx import (
    EPSILON,
    NEVER,
    Alt,
    Cat,
    Chars,
    Rep,
    Rx,
    alt,
    cat,
    rep,
)

MAX_STATES = 160
"""Larger automata all but never read back as a small tree, and trying takes long."""
MAX_WEIGHT = 2_500
"""Largest tree accepted, in character sets: about 8 characters of regex each."""


@lru_cache(maxsize=20_000)
def weight(node: Rx) -> int:
    """How many character sets the regex text of the tree spells out."""
    if isinstance(node, Chars):
        return 1
    if isinstance(node, Rep):
        return weight(node.node)
    return sum(weight(item) for item in node.items)


def to_tree(dfa: Dfa, max_weight: int = MAX_WEIGHT) -> Rx:
    """A tree of the automaton's language.

    Raises:
        TooComplex: the tree outgrows `max_weight` character sets.
    """
    if not dfa.edges:
        return NEVER
    if len(dfa.edges) > MAX_STATES:
        raise TooComplex
    count = len(dfa.edges)
    start, end = count, count + 1
    out: dict[int, dict[int, Rx]] = {i: {} for i in range(count + 2)}
    for i, row in enumerate(dfa.edges):
        for j, ranges in row.items():
            out[i][j] = Chars(ranges)
    out[start][0] = EPSILON
    for i in dfa.finals:
        out[i][end] = EPSILON
    into: dict[int, set[int]] = {i: set() for i in range(count + 2)}
    for i, targets in out.items():
        for j in targets:
            into[j].add(i)
    prices = {state: _price(state, out, into) for state in range(count)}
    while prices:
        chosen = min(prices, key=lambda state: (prices[state], state))
        del prices[chosen]
        around = (into[chosen] | set(out[chosen])) - {chosen}
        _take_out(chosen, out, into, max_weight)
        prices.update({i: _price(i, out, into) for i in around if i in prices})
    return out[start].get(end, NEVER)


def _price(state: int, out: dict[int, dict[int, Rx]], into: dict[int, set[int]]) -> int:
    """How much text taking `state` out would add."""
    sources = [i for i in into[state] if i != state]
    targets = [(j, node) for j, node in out[state].items() if j != state]
    loop = weight(out[state][state]) if state in out[state] else 0
    entering = sum(weight(out[i][state]) for i in sources)
    leaving = sum(weight(node) for _, node in targets)
    added = entering * (len(targets) - 1) + leaving * (len(sources) - 1)
    return added + loop * (len(sources) * len(targets) - 1)


def _take_out(
    state: int, out: dict[int, dict[int, Rx]], into: dict[int, set[int]], max_weight: int
) -> None:
    loop = rep(out[state].pop(state), 0, None) if state in out[state] else EPSILON
    into[state].discard(state)
    targets = out.pop(state)
    sources = into.pop(state)
    for j in targets:
        into[j].discard(state)
    for i in sources:
        entering = out[i].pop(state)
        for j, leaving in targets.items():
            way = factored(out[i].get(j, NEVER), cat(entering, loop, leaving))
            if weight(way) > max_weight:
                raise TooComplex
            out[i][j] = way
            into[j].add(i)


def factored(a: Rx, b: Rx) -> Rx:
    """`a` or `b`, with a common first or last part written once."""
    for old in a.items if isinstance(a, Alt) else (a,):
        joined = _joined(old, b)
        if joined is not None:
            rest = [item for item in a.items if item is not old] if isinstance(a, Alt) else []
            return alt(*rest, joined)
    return alt(a, b)


def _joined(a: Rx, b: Rx) -> Rx | None:
    left = a.items if isinstance(a, Cat) else (a,)
    right = b.items if isinstance(b, Cat) else (b,)
    if left and right and left[0] == right[0]:
        return cat(left[0], factored(cat(*left[1:]), cat(*right[1:])))
    if left and right and left[-1] == right[-1]:
        return cat(factored(cat(*left[:-1]), cat(*right[:-1])), left[-1])
    return None
