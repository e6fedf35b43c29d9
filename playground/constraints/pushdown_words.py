"""A pushdown state in words, asked of its engine byte by byte: what may follow, what would do."""

import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import State
from playground.constraints.dfa import DEAD
from playground.constraints.words import MAX_SHOWN, classes_of, shortened
from playground.logspace import Mask

WIDE = 40
"""From so many ASCII bytes on, those that lead elsewhere than most are told apart."""
MAX_FORKS = 3_000
"""Bytes tried in the search for a text that completes a state."""
MAX_SECONDS = 1.0
"""Longest such search: some grammars make each byte slow."""
BEAM = 8
"""Texts of one length that are followed."""
_COSTS = (b'"}])\n', b"0123456789", b"aetn", b" ,:+-*/=<>.;'", b"{[(")
"""Bytes that complete a text soon come first; all others are the last choice but for openings."""


class Ahead(Protocol):
    """A matcher over the 256 bytes: see `pushdown.Matcher`."""

    def fork(self) -> "Ahead": ...
    def feed(self, text: bytes) -> bool: ...
    def final(self) -> bool: ...
    def allowed(self) -> Mask: ...


class Twin(Protocol):
    """A grammar over BYTES: see `pushdown.PushdownAutomaton`."""

    def mask(self, state: State) -> Mask: ...
    def matcher(self, state: State) -> Ahead: ...


def byte_classes(twin: Twin, state: bytes) -> tuple[str, ...]:
    """The characters that may follow `state`, in words, as `words.expected` has them."""
    allowed = twin.mask(state)[:256]
    row = np.where(allowed, np.int32(0), np.int32(DEAD)).astype(np.int32)
    ascii_bytes = np.flatnonzero(allowed[:128])
    if len(ascii_bytes) >= WIDE:
        kinds: dict[bytes, int] = {}
        start = twin.matcher(state)
        for byte in ascii_bytes:
            ahead = start.fork()
            if ahead.feed(bytes([int(byte)])):
                row[byte] = kinds.setdefault(_signature(ahead), len(kinds))
    return classes_of(row)


def completion(twin: Twin, state: bytes) -> str:
    """A short text that completes `state`, its beginning where it is long; empty where the search,
    which follows the likeliest few of each length, finds none within MAX_FORKS bytes or
    MAX_SECONDS."""
    cost, until = _costs(), time.monotonic() + MAX_SECONDS
    front: list[tuple[int, bytes, Ahead]] = [(0, b"", twin.matcher(state))]
    forks = 0
    while front:
        found: dict[bytes, tuple[int, bytes, Ahead]] = {}
        for spent, text, matcher in front:
            row = np.flatnonzero(matcher.allowed()[:256])
            seen: set[bytes] = set()
            for byte in row[np.argsort(cost[row], kind="stable")][: BEAM * 3]:
                if forks >= MAX_FORKS or time.monotonic() > until:
                    return ""
                forks += 1
                ahead = matcher.fork()
                if not ahead.feed(bytes([int(byte)])):
                    continue
                longer = text + bytes([int(byte)])
                if ahead.final():
                    return shortened(longer[:MAX_SHOWN], len(longer))
                kind = _signature(ahead)
                if kind in seen:  # such a byte was tried here: a letter of a string, a digit
                    continue
                seen.add(kind)
                total = spent + int(cost[byte])
                if kind not in found or total < found[kind][0]:
                    found[kind] = (total, longer, ahead)
        front = sorted(found.values(), key=lambda each: each[:2])[:BEAM]
    return ""


def _signature(matcher: Ahead) -> bytes:
    """Two matchers that differ here allow different bytes, or one may stop."""
    return np.packbits(matcher.allowed()[:256]).tobytes() + bytes([matcher.final()])


def _costs() -> NDArray[np.int64]:
    """(256,) how late each byte is tried."""
    cost = np.full(256, 8)
    cost[0x21:0x7F] = 5
    for rank, group in enumerate(_COSTS):
        cost[list(group)] = rank if rank < len(_COSTS) - 1 else 6
    return cost
