"""Strings of a language: short ones, typical ones, and ones that just fail."""

import random
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from playground.constraints.jsonschema.charset import Ranges
from playground.constraints.jsonschema.dfa import (
    Component,
    Dfa,
    Language,
    Length,
    TooComplex,
    intersection,
)
from playground.constraints.jsonschema.pattern import Required, Untranslatable, parse
from playground.constraints.judge_patterns import PatternUndecided, PatternUnreadable, found

MAX_STATES = 300
"""A language of more states is not sampled."""
SECONDS = 0.02
"""Longest search of one pattern in one string."""
LONGEST = 60
"""A sample goes on for so many characters before it makes for an end."""
WORDS = (
    "alpha", "river", "blue", "north", "Ada", "Paris", "paper", "seven", "garden", "note",
    "a short text", "two words", "first", "item",
)  # fmt: skip
ODD = (
    "",
    'say "hi"',
    "a\\b",
    "line\nbreak",
    "tab\there",
    "é",
    "日本",
    "😀",
    " ",
    "\u007f",
    "/",
    "x" * 40,
)
"""Strings that JSON spells in special ways."""
_LIKED = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. /:@"


@lru_cache(maxsize=512)
def automaton(required: tuple[Required, ...], low: int, high: int | None) -> Dfa | None:
    """The strings in every language and of `low` to `high` characters; None where too large."""
    try:
        parts: list[Component] = [Language(each.node, each.negated) for each in required]
        if low or high is not None:
            parts.append(Length(low, high))
        return intersection(parts, MAX_STATES)
    except TooComplex:
        return None


def complement(each: Required) -> Required:
    """The strings that are not in the language."""
    return Required(each.node, not each.negated)


def sample(dfa: Dfa, rng: random.Random, shortest: bool = False) -> str | None:
    """A string of the automaton, of readable characters where it can; None where it has none."""
    if not dfa.edges:
        return None
    left = _left(dfa)
    state, out = 0, ""
    while True:
        ways = dfa.edges[state]
        hurry = shortest or len(out) >= LONGEST
        if state in dfa.finals and (hurry or not ways or rng.random() < 0.25):
            return out
        after = list(ways)
        if hurry:
            after = [to for to in after if left[to] < left[state]]
        state, ranges = (to := rng.choice(after)), ways[to]
        out += _character(ranges, rng)


@lru_cache(maxsize=256)
def _distances(edges: tuple[tuple[int, ...], ...], finals: frozenset[int]) -> list[int]:
    left = [len(edges)] * len(edges)
    todo = sorted(finals)
    for state in todo:
        left[state] = 0
    before: list[list[int]] = [[] for _ in edges]
    for source, targets in enumerate(edges):
        for target in targets:
            before[target].append(source)
    for state in todo:
        for source in before[state]:
            if left[source] == len(edges):
                left[source] = left[state] + 1
                todo.append(source)
    return left


def _left(dfa: Dfa) -> list[int]:
    return _distances(tuple(tuple(row) for row in dfa.edges), dfa.finals)


def _character(ranges: Ranges, rng: random.Random) -> str:
    liked = [char for char in _LIKED if _within(ranges, ord(char))]
    if liked:
        return rng.choice(liked[:26] if rng.random() < 0.8 else liked)
    low, high = rng.choice(ranges)
    return chr(rng.randint(max(low, min(0x21, high)), min(high, max(low, 0x2000))))


def _within(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)


def plain(rng: random.Random, low: int, high: int | None, odd: float) -> str:
    """A string of `low` to `high` characters."""
    text = rng.choice(ODD) if rng.random() < odd else rng.choice(WORDS)
    while len(text) < low:
        text += rng.choice(WORDS)
    return text if high is None else text[: max(high, 0)]


def sampled(
    required: Sequence[Required], low: int, high: int | None, rng: random.Random, shortest: bool
) -> str | None:
    """A string in every language; None where there is none or it is too hard to find."""
    dfa = automaton(tuple(required), low, high)
    return None if dfa is None else sample(dfa, rng, shortest)


def unread(schemas: Iterable[Any]) -> list[str]:
    """The patterns of the schemas that have no language here, such as one that looks ahead."""
    patterns = (schema.get("pattern") for schema in schemas if isinstance(schema, dict))
    return [each for each in patterns if isinstance(each, str) and not _readable(each)]


@lru_cache(maxsize=512)
def _readable(pattern: str) -> bool:
    try:
        parse(pattern)
    except Untranslatable:
        return False
    return True


def fits(patterns: Sequence[str], value: Any) -> bool:
    """The judge of patterns finds each of them in the value, if that is a string."""
    if not isinstance(value, str):
        return True
    try:
        return all(found(each, value, time.monotonic() + SECONDS) for each in patterns)
    except (PatternUndecided, PatternUnreadable):
        return False
