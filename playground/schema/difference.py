"""What did my edit change? The shortest text that only one of two constraints allows, each way."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.dfa import DEAD, READABLE, ByteDFA
from playground.constraints.words import either, expected, visible
from playground.schema.verdict import allows

MAX_PAIRS = 3_000_000
"""So many pairs of states are looked at."""
MAX_WORDS = 6
"""So many classes of what one side expects are named."""

Keys = NDArray[np.int64]


@dataclass(slots=True)
class _Found:
    """The best text of one direction so far."""

    length: int
    prefix: tuple[int, int]
    """The level of the search and the pair's place in it."""
    byte: int | None = None
    """The byte after which the other side is dead; None where the text ends at the pair."""
    after: int = 0
    """The state of this side after that byte."""


@dataclass(slots=True)
class _Level:
    """The pairs that one more byte reaches: how each was reached first."""

    left: Keys
    right: Keys
    parents: Keys
    bytes: Keys


@dataclass(slots=True)
class _Search:
    levels: list[_Level] = field(default_factory=list)
    only_left: _Found | None = None
    only_right: _Found | None = None


def difference(left: ByteDFA, right: ByteDFA, most_seconds: float = 2.0) -> dict[str, Any]:
    """The shortest text that only one of two byte automata allows, each way.

    A breadth-first search of the pairs of states that one text reaches in both, readable bytes
    first. Where a side is dead, the other's shortest completion is known: such pairs cost nothing.

    Args:
        left: one constraint.
        right: the other.
        most_seconds: the search is cut after that time, or after MAX_PAIRS pairs.

    Returns:
        `only_left` and `only_right`: null or {"text", "note"}; `equal`: bool, null where the
        search was cut before it found anything; `how`: words.
    """
    end = time.monotonic() + most_seconds
    search = _Search()
    cut = _explore(left, right, search, end)
    one, other = search.only_left, search.only_right
    how = "automaton difference: every pair of states that a text reaches was compared"
    equal: bool | None = one is None and other is None
    if cut:
        pairs = sum(len(level.left) for level in search.levels)
        how = (
            f"automaton difference, cut after {pairs:,} pairs of states: a text that is shown is "
            "right, but may not be the shortest, and one that is missing was not excluded"
        )
        equal = None if equal else False
    return {
        "only_left": None if one is None else _document(search, one, left, right, "right"),
        "only_right": None if other is None else _document(search, other, right, left, "left"),
        "equal": equal,
        "how": how,
    }


def _explore(left: ByteDFA, right: ByteDFA, search: _Search, end: float) -> bool:
    """Fill `search`; True if it was cut short."""
    # Bytes that neither side tells apart are one letter, and the most readable stands for it.
    letters: dict[tuple[int, int], int] = {}
    for byte in READABLE:
        letters.setdefault((int(left.classes[byte]), int(right.classes[byte])), byte)
    columns = np.array(list(letters), dtype=np.int64)
    labels = np.array(list(letters.values()), dtype=np.int64)
    zero = np.zeros(1, dtype=np.int64)
    search.levels.append(_Level(zero, zero, zero, zero))
    seen = {0}
    width = len(right)
    while True:
        depth, level = len(search.levels) - 1, search.levels[-1]
        finals = left.final[level.left], right.final[level.right]
        _ends(search, depth, finals[0] & ~finals[1], finals[1] & ~finals[0])
        if all(
            one is not None and one.length <= depth for one in (search.only_left, search.only_right)
        ):
            return False
        ahead = left.moves[level.left][:, columns[:, 0]].astype(np.int64)
        beside = right.moves[level.right][:, columns[:, 1]].astype(np.int64)
        search.only_left = _deaths(search.only_left, depth, ahead, beside, left, labels)
        search.only_right = _deaths(search.only_right, depth, beside, ahead, right, labels)
        both = np.flatnonzero((ahead != DEAD) & (beside != DEAD))
        keys = ahead.ravel()[both] * width + beside.ravel()[both]
        _, first = np.unique(keys, return_index=True)
        first = np.sort(first)
        fresh = [
            place
            for place, key in zip(first.tolist(), keys[first].tolist(), strict=True)
            if key not in seen
        ]
        if not fresh:
            return False
        new, places = keys[fresh], both[fresh]
        seen.update(new.tolist())
        rows, letter = np.divmod(places, len(labels))
        search.levels.append(_Level(new // width, new % width, rows, labels[letter]))
        if time.monotonic() > end or len(seen) > MAX_PAIRS:
            return True


def _ends(search: _Search, depth: int, lefts: NDArray[np.bool_], rights: NDArray[np.bool_]) -> None:
    """Note the pairs of this level where one side may stop and the other may not."""
    if lefts.any() and (search.only_left is None or search.only_left.length > depth):
        search.only_left = _Found(depth, (depth, int(lefts.argmax())))
    if rights.any() and (search.only_right is None or search.only_right.length > depth):
        search.only_right = _Found(depth, (depth, int(rights.argmax())))


def _deaths(
    best: _Found | None, depth: int, alive: Keys, dead: Keys, side: ByteDFA, labels: Keys
) -> _Found | None:
    """The shortest text of `side` that leaves this level by a byte which kills the other side."""
    places = np.flatnonzero((alive != DEAD) & (dead == DEAD))
    if not len(places):
        return best
    states = alive.ravel()[places]
    lengths = depth + 1 + side.to_final[states]
    nearest = int(lengths.argmin())
    if best is not None and best.length <= lengths[nearest]:
        return best
    row, letter = divmod(int(places[nearest]), len(labels))
    return _Found(int(lengths[nearest]), (depth, row), int(labels[letter]), int(states[nearest]))


def _document(
    search: _Search, found: _Found, side: ByteDFA, other: ByteDFA, name: str
) -> dict[str, str]:
    text = bytearray()
    depth, place = found.prefix
    while depth:
        level = search.levels[depth]
        text.append(int(level.bytes[place]))
        place, depth = int(level.parents[place]), depth - 1
    text.reverse()
    state = other.walk(0, bytes(text))[-1]
    awaited = expected(other, state)
    words = either(awaited[:MAX_WORDS]) if awaited else "the end of the text"
    if len(awaited) > MAX_WORDS:
        words += " and more"
    at = len(text)
    if found.byte is None:
        note = f"The {name} one can't stop here; it still expects {words}."
    else:
        got = visible(bytes([found.byte]))
        may_stop = " or the end of the text" if other.final[state] and awaited else ""
        note = f"At byte {at + 1} the {name} one forbids “{got}”; it expects {words}{may_stop}."
        text.append(found.byte)
        text += side.completion(found.after)
    return {"text": _shown(bytes(text)), "note": note}


def _shown(text: bytes) -> str:
    """The text itself, where it is UTF-8; else with the other bytes written out."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return visible(text)


def sampled(left: TokenAutomaton, right: TokenAutomaton, texts: Iterable[bytes]) -> dict[str, Any]:
    """`difference` for engines without a finite automaton: over given texts, so never a proof.

    Args:
        left: over the vocabulary of the bytes.
        right: over the vocabulary of the bytes.
        texts: what both are asked about.

    Returns:
        As `difference`; `equal` is false or null, and `how` says that it was sampled.
    """
    found: dict[bool, bytes] = {}
    count = 0
    for text in texts:
        count += 1
        mine, yours = allows(left, text), allows(right, text)
        if mine != yours and (mine not in found or len(text) < len(found[mine])):
            found[mine] = text
    notes = {True: "The right one forbids it.", False: "The left one forbids it."}
    documents = {
        mine: {"text": _shown(found[mine]), "note": notes[mine]}
        for mine in (True, False)
        if mine in found
    }
    return {
        "only_left": documents.get(True),
        "only_right": documents.get(False),
        "equal": False if found else None,
        "how": f"sampled, not proved: {count:,} texts were asked of both",
    }
