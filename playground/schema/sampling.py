"""Texts of an automaton over BYTES: a shortest one, a longest one, and random ones."""

import random
from collections.abc import Sequence

import numpy as np

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.dfa import DEAD, ByteDFA

MAX_BYTES = 4_000
"""No longer text is made."""
MAX_STATES = 20_000
"""An automaton of more states is not searched for its longest text."""
MAX_LEVELS = 400
"""So long is a shortest text of an automaton without a table, at most."""
BEAM = 24
"""So many states of one length are followed there."""
LIKED = b'aeionrstl0123456789bcdfghjkmpquvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "{}[]:,.-_/()+*=<>;\n'
ODD = b"\"\\\xf0\xe2\xc3 \t\n{}[]'/%0-"
ENDS = b'"}])\n;0123456789'


def shortest(automaton: TokenAutomaton) -> bytes | None:
    """A shortest text that the automaton allows; of one without a table of states a short text that
    a search finds, None where it finds none. At most MAX_BYTES."""
    if isinstance(automaton, ByteAutomaton):
        if int(automaton.dfa.to_final[0]) > MAX_BYTES:
            return None
        return automaton.dfa.completion(0)
    front: list[tuple[bytes, State]] = [(b"", automaton.initial)]
    for _ in range(MAX_LEVELS):
        ready = next((text for text, state in front if automaton.is_final(state)), None)
        if ready is not None:
            return ready
        after: dict[bytes, tuple[bytes, State]] = {}
        for text, state in front:
            for byte in _ordered(automaton.mask(state)[:256], ENDS + LIKED)[:BEAM]:
                longer = automaton.advance(state, byte)
                key = np.packbits(automaton.mask(longer)).tobytes()
                after.setdefault(key, (text + bytes([byte]), longer))
        front = list(after.values())[:BEAM]
        if not front:
            return None
    return None


def _ordered(row: np.ndarray, liked: bytes) -> list[int]:
    """The bytes that are allowed in a (256,) bool row, the liked ones first."""
    allowed = {int(byte) for byte in np.flatnonzero(row)}
    first = [byte for byte in dict.fromkeys(liked) if byte in allowed]
    return first + sorted(allowed - set(first))


def longest(dfa: ByteDFA) -> tuple[int | None, bytes | None]:
    """(Bytes of a longest text, None where there is no longest or it isn't searched for; such a
    text, None where it has more than MAX_BYTES)."""
    if len(dfa) > MAX_STATES:
        return None, None
    after = [np.unique(row[row != DEAD]).tolist() for row in dfa.moves]
    order = _topological(after)
    if order is None:
        return None, None
    best = [0] * len(dfa)
    for state in reversed(order):
        best[state] = max((1 + best[to] for to in after[state]), default=0)
    if best[0] > MAX_BYTES:
        return best[0], None
    text, state = bytearray(), 0
    while best[state]:
        row = dfa.row(state)
        alive = row != DEAD
        good = np.zeros(256, dtype=bool)
        good[alive] = [best[to] == best[state] - 1 for to in row[alive]]
        byte = _ordered(good, LIKED)[0]
        text.append(byte)
        state = int(row[byte])
    return best[0], bytes(text)


def _topological(after: Sequence[Sequence[int]]) -> list[int] | None:
    """The states, each before those that follow it; None where there is a cycle."""
    waits = [0] * len(after)
    for targets in after:
        for target in targets:
            waits[target] += 1
    todo = [state for state, count in enumerate(waits) if not count]
    for state in todo:
        for target in after[state]:
            waits[target] -= 1
            if not waits[target]:
                todo.append(target)
    return todo if len(todo) == len(after) else None


def walk(
    automaton: TokenAutomaton,
    rng: random.Random,
    *,
    odd: bool = False,
    length: int = 40,
    stop: float = 0.15,
) -> bytes | None:
    """A random text: readable, or with `odd` of characters that spell trouble. Where it
    may end before `length` bytes it does with chance `stop`; then it makes for its end. None where
    it finds none within MAX_BYTES."""
    state, text = automaton.initial, bytearray()
    table = automaton.dfa if isinstance(automaton, ByteAutomaton) else None
    bound = MAX_BYTES if table is not None else 4 * length
    while len(text) < bound:
        row = automaton.mask(state)[:256] if table is None else table.row(_number(state)) != DEAD
        allowed = np.flatnonzero(row)
        final = automaton.is_final(state)
        hurry = len(text) >= length
        if final and (not len(allowed) or hurry or rng.random() < stop):
            return bytes(text)
        if not len(allowed):
            return None
        if hurry and table is not None:
            nexts = table.row(_number(state))
            steps = table.to_final[nexts]
            row = row & (steps == int(table.to_final[_number(state)]) - 1)
        byte = _pick(row, rng, odd, hurry)
        text.append(byte)
        state = automaton.advance(state, byte)
    return None


def _number(state: State) -> int:
    assert isinstance(state, int)
    return state


def _pick(row: np.ndarray, rng: random.Random, odd: bool, hurry: bool) -> int:
    """One of the allowed bytes; those of one kind count once, so that no kind crowds others out."""
    if hurry:
        return _ordered(row, ENDS + LIKED)[0]
    if odd and rng.random() < 0.6:
        strange = [byte for byte in ODD if row[byte]]
        if strange:
            return rng.choice(strange)
    kinds: dict[str, list[int]] = {}
    for byte in np.flatnonzero(row):
        kinds.setdefault(_kind(int(byte)), []).append(int(byte))
    if not odd and len(kinds) > 1:
        kinds = {name: found for name, found in kinds.items() if name != "other"} or kinds
    common = ["letter"] * 6 if "letter" in kinds else []
    return rng.choice(kinds[rng.choice([*kinds, *common])])


def _kind(byte: int) -> str:
    char = chr(byte)
    if byte >= 0x80 or byte < 0x20:
        return "other" if byte not in (9, 10) else "blank"
    if char.isalpha():
        return "letter" if char.islower() else "capital"
    return "digit" if char.isdigit() else "sign"
