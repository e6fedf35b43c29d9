"""One text, byte by byte and token by token: where each stands, and what could follow there."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.words import character, hex_byte
from playground.errors import BudgetExceeded
from playground.models.base import Prefix
from playground.schema.effort import Effort
from playground.schema.verdict import READ_SECONDS

WINDOW = 60
"""Bytes on either side of the place asked for that are described."""
CHIPS = 12
"""Allowed tokens that are shown at one place."""
_PARTS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[{}\[\]:,]|[^\s{}\[\]:,"]+', re.DOTALL)
"""The parts of a JSON text: strings, marks, numbers and words."""


@dataclass(frozen=True, eq=False, slots=True)
class Cut:
    """A text cut into tokens by a tokenizer, and the constraint over its vocabulary."""

    name: str
    automaton: TokenAutomaton
    tokens: Prefix


def walk(automaton: TokenAutomaton, text: bytes) -> list[State]:
    """The states before each byte of `text`, and after the last: one more than the bytes if all of
    them can follow; shorter, up to the one before the byte that can't, if not, or that an engine
    with a stack came to in READ_SECONDS. `automaton` is over bytes."""
    return _read(automaton, text)[0]


def _read(automaton: TokenAutomaton, text: bytes) -> tuple[list[State], bool]:
    """`walk`, and whether the time was up before the end and before a byte that can't follow."""
    states, effort = [automaton.initial], Effort(READ_SECONDS)
    for byte in text:
        if not effort.left:
            return states, True
        try:
            states.append(automaton.advance(states[-1], byte))
        except ValueError:
            break
    return states, False


def stepper(
    automaton: TokenAutomaton,
    text: str,
    at: int,
    places: dict[str, tuple[int, int]],
    cut: Cut | None,
    json_kind: bool,
) -> dict[str, Any]:
    """The bytes and tokens of `text` around byte `at`, as a document.

    Args:
        automaton: the constraint over bytes.
        text: the text.
        at: a byte, 0..n; those up to WINDOW away are described.
        places: line and column in the constraint's source of each JSON pointer.
        cut: the text in tokens, where a tokenizer is chosen.
        json_kind: the text is JSON, whose parts tokens can straddle.

    Returns:
        `{"count": n, "from": first described byte, "fails_at", "stopped_after", "bytes": [...],
        "tokens": [...] or None, "tokens_stopped_after", "vocabulary"}`; the entry after the last
        byte stands for the end. An engine with a stack reads for READ_SECONDS, is asked about bytes
        from `at` outwards for as long, and about tokens for as long; `stopped_after` is the number
        of bytes that were read where the time was too short, else None.

    Raises:
        BudgetExceeded: the engine doesn't come to byte `at` in READ_SECONDS.
    """
    data = text.encode("utf-8", "surrogatepass")
    states, stopped = _read(automaton, data)
    count = len(states) - 1
    fails = count if count < len(data) and not stopped else None
    at = min(max(at, 0), len(data))
    if stopped and at >= count:
        raise BudgetExceeded(
            f"{automaton.engine} took more than {READ_SECONDS:g} seconds for {count} bytes.",
            "Ask about an earlier byte, or choose another engine.",
        )
    # Whether the byte can follow that the reading stopped at isn't known.
    first, last = max(0, at - WINDOW), min(len(data), at + WINDOW, count - stopped)
    effort, described = Effort(READ_SECONDS), dict[int, dict[str, Any]]()
    for offset in sorted(range(first, last + 1), key=lambda offset: abs(offset - at)):
        if described and not effort.left:
            break
        described[offset] = _byte(automaton, data, offset, states, fails, places)
    tokens, cut_after = (None, None) if cut is None else _tokens(cut, data, first, last, json_kind)
    return {
        "count": len(data),
        "from": min(described, default=first),
        "fails_at": fails,
        "stopped_after": count if stopped else None,
        "bytes": [described[offset] for offset in sorted(described)],
        "tokens": tokens,
        "tokens_stopped_after": cut_after,
        "vocabulary": None if cut is None else cut.name,
    }


def _byte(
    automaton: TokenAutomaton,
    data: bytes,
    offset: int,
    states: Sequence[State],
    fails: int | None,
    places: dict[str, tuple[int, int]],
) -> dict[str, Any]:
    view = automaton.describe(states[offset], data[:offset])
    end = offset == len(data)
    byte = None if end else data[offset]
    place = places.get(view.pointer) if view.pointer is not None else None
    return {
        "offset": offset,
        "byte": byte,
        "text": "the end" if byte is None else _shown(data, offset),
        "state": view.name,
        "allowed": view.may_stop if end else offset != fails,
        "may_stop": view.may_stop,
        "expected": list(view.expected),
        "words": view.words,
        "needs": view.needs,
        "stack": list(getattr(view, "stack", ())),
        "pointer": view.pointer,
        "line": None if place is None else place[0],
        "column": None if place is None else place[1],
    }


def _shown(data: bytes, offset: int) -> str:
    """The byte as a character; a byte of a longer character as \\xNN."""
    byte = data[offset]
    return character(byte) if byte < 0x80 else hex_byte(byte)


def _tokens(
    cut: Cut, data: bytes, first: int, last: int, json_kind: bool
) -> tuple[list[dict[str, Any]], int | None]:
    """The tokens that touch bytes `first`..`last`, with what else each place allows; and after how
    many bytes READ_SECONDS were up, None where they were enough."""
    automaton, vocabulary = cut.automaton, cut.automaton.vocabulary
    starts = [match.start() for match in _PARTS.finditer(data)] if json_kind else []
    state: State | None = automaton.initial
    out: list[dict[str, Any]] = []
    start, effort = 0, Effort(READ_SECONDS)
    for token in cut.tokens:
        if not effort.left:
            return out, start
        piece = vocabulary.tokens[token] or b""
        end = start + len(piece)
        mask = None if state is None else automaton.mask(state)
        if start <= last and end >= first:
            allowed = mask is not None and bool(mask[token])
            out.append(
                {
                    "start": start,
                    "end": end,
                    "text": vocabulary.name(token),
                    "id": int(token),
                    "allowed": allowed,
                    "reached": state is not None,
                    "straddles": json_kind and _straddles(starts, start, end),
                    "allowed_count": 0 if mask is None else int(mask.sum()),
                    "chips": []
                    if mask is None
                    else [
                        {"text": vocabulary.name(int(i)), "id": int(i)}
                        for i in np.flatnonzero(mask)[:CHIPS]
                    ],
                }
            )
        if state is not None:
            state = automaton.advance(state, token) if mask is not None and mask[token] else None
        start = end
        if start > last:
            break
    return out, None


def _straddles(starts: Sequence[int], start: int, end: int) -> bool:
    """A part of the JSON text begins inside the token, after its first byte that isn't a blank."""
    return bisect_right(starts, end - 1) - bisect_right(starts, start) > 0
