"""Texts to ask two forms of one constraint about: some that it allows, and some broken ones."""

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.dfa import DEAD, READABLE, ByteDFA
from playground.schema.effort import Effort

LONGEST = 400
"""Longest text, bytes."""
PLAIN = 0.9
"""How often a byte is taken from printable ASCII, where there is any."""
WANDER = 60
"""After so many bytes a walk heads for the end, later where the shortest text is long."""
_BREAKS = b'"\\{}[],: 0a\n'


def allowed_texts(
    dfa: ByteDFA, count: int, seed: int = 0, effort: Effort | None = None
) -> list[str]:
    """Up to `count` different texts of the automaton, the shortest one first, by random walks that
    prefer readable bytes; each at most LONGEST bytes."""
    rng = np.random.default_rng(seed)
    rank = np.empty(256)
    rank[list(READABLE)] = np.arange(256)
    found: dict[str, None] = {}
    shortest = dfa.completion(0, LONGEST + 1)
    if len(shortest) <= LONGEST:
        found[shortest.decode("utf-8", "replace")] = None
    for _ in range(4 * count):
        if len(found) >= count or (effort is not None and not effort.left):
            break
        text = _walk(dfa, rng, rank, max(WANDER, min(2 * len(shortest), LONGEST)))
        if text is not None:
            found[text.decode("utf-8", "replace")] = None
    return list(found)


def _walk(
    dfa: ByteDFA, rng: np.random.Generator, rank: NDArray[np.float64], wander: int
) -> bytes | None:
    state, text = 0, bytearray()
    stop = int(rng.integers(0, wander))
    while len(text) < stop or not dfa.final[state]:
        row = dfa.row(state)
        alive = np.flatnonzero(row != DEAD)
        if not len(alive):
            break
        if len(text) >= stop:
            text += dfa.completion(state, LONGEST + 1)
            break
        readable = alive[(alive >= 0x20) & (alive < 0x7F)]
        if len(readable) and rng.random() < PLAIN:
            alive = readable
        # One class of bytes as likely as another, so that closing a string comes up too.
        targets, which = np.unique(row[alive], return_inverse=True)
        group = alive[which == rng.integers(len(targets))]
        group = group[np.argsort(rank[group])][: 1 + int(rng.integers(40))]
        byte = int(rng.choice(group))
        text.append(byte)
        state = int(row[byte])
    return bytes(text) if len(text) <= LONGEST else None


def broken_texts(texts: list[str], count: int, seed: int = 0) -> list[str]:
    """Up to `count` texts that differ from one of `texts` in one byte; all of them UTF-8."""
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    for _ in range(6 * count):
        if len(found) >= count or not texts:
            break
        text = bytearray(texts[int(rng.integers(len(texts)))].encode())
        at, kind = int(rng.integers(len(text) + 1)), int(rng.integers(3))
        new = bytes([_BREAKS[int(rng.integers(len(_BREAKS)))]])
        text[at : at + (kind != 1)] = b"" if kind == 0 else new
        try:
            found[text.decode("utf-8")] = None
        except UnicodeDecodeError:
            continue
    return list(found)


def walked_texts(
    automaton: TokenAutomaton, count: int, seed: int = 0, effort: Effort | None = None
) -> list[str]:
    """Up to `count` texts that an automaton over the bytes allows, by random walks; fewer where
    walks don't come to an end."""
    rng = np.random.default_rng(seed)
    found: dict[str, None] = {}
    for _ in range(3 * count):
        if len(found) >= count or (effort is not None and not effort.left):
            break
        state: State = automaton.initial
        text = bytearray()
        while len(text) < WANDER and not (automaton.is_final(state) and rng.random() < 0.5):
            alive = np.flatnonzero(automaton.mask(state)[:256])
            if not len(alive):
                break
            readable = [byte for byte in alive.tolist() if 0x20 <= byte < 0x7F] or alive.tolist()
            byte = int(rng.choice(readable))
            text.append(byte)
            state = automaton.advance(state, byte)
        if automaton.is_final(state):
            found[text.decode("utf-8", "replace")] = None
    return list(found)
