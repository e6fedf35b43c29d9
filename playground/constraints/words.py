"""Byte states in words: which characters may follow, merged into classes that people read."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from playground.constraints.dfa import DEAD, ByteDFA

_NAMES = {" ": "space", "\n": "newline", "\t": "tab", "\r": "carriage return"}
_PRINTABLE = frozenset(range(0x20, 0x7F))
_MANY = 85
"""From so many printable ASCII characters on (of 95), name what is missing instead of listing."""
_LEADS = range(0xC2, 0xF5)
MAX_CLASSES = 20
"""Longest list of classes; the rest is counted."""
MAX_SHOWN = 200
"""Longest beginning of a text that is shown, bytes."""
MAX_CHARACTERS = 300
"""Beyond so many characters outside ASCII, they are not listed."""


def expected(dfa: ByteDFA, state: int) -> tuple[str, ...]:
    """The characters that may follow, in words: `0-9`, `"`, `space`, `any other character`, ...

    At most MAX_CLASSES + 1 items; empty where nothing may follow.
    """
    row = dfa.row(state)
    return classes_of(row, dfa)


def classes_of(row: NDArray[np.int32], dfa: ByteDFA | None = None) -> tuple[str, ...]:
    """The classes of the bytes with a next state in `row`, (256,) int32, DEAD where none.

    Bytes with the same next state belong together where a list would be long. `dfa` tells which
    characters outside ASCII a first byte can begin.
    """
    alive = {int(byte) for byte in np.flatnonzero(row != DEAD)}
    if alive and all(0x80 <= byte < 0xC0 for byte in alive):
        if len(alive) <= 4:
            return tuple(hex_byte(byte) for byte in sorted(alive))
        return ("rest of a UTF-8 character",)
    every_lead = alive.issuperset(_LEADS)
    ascii_bytes = {byte for byte in alive if byte < 0x80}
    if len(ascii_bytes & _PRINTABLE) >= _MANY:
        words = _mostly(row, ascii_bytes, every_lead)
    else:
        words = list(runs(ascii_bytes))
        if every_lead:
            other = "other " if words else ""
            words.append(f"any {other}UTF-8 character{'' if words else ' outside ASCII'}")
    if not every_lead and any(byte in _LEADS for byte in alive):
        words += _beyond_ascii(row, dfa)
    odd = [byte for byte in sorted(alive) if byte >= 0x80 and byte not in _LEADS]
    words += map(hex_byte, odd) if len(odd) <= 4 else ["bytes that begin no UTF-8 character"]
    if len(words) > MAX_CLASSES:
        words = [*words[:MAX_CLASSES], f"and {len(words) - MAX_CLASSES} more"]
    return tuple(words)


def _mostly(row: NDArray[np.int32], alive: set[int], every_lead: bool) -> list[str]:
    """Most of ASCII: name what leads elsewhere and what is missing, not what is there."""
    targets = [int(row[byte]) for byte in alive & _PRINTABLE]
    usual = max(set(targets), key=targets.count)
    special = {byte for byte in alive if row[byte] != usual}
    usual_bytes = alive - special
    if len(usual_bytes & _PRINTABLE) < _MANY:  # no group is usual: a list is clearer
        return [*runs(alive), *(["any other UTF-8 character"] if every_lead else [])]
    kind, domain = ("character" if every_lead else "ASCII character"), set(range(0x80))
    if not any(byte < 0x20 for byte in usual_bytes):
        kind, domain = f"printable {kind}", set(_PRINTABLE)
    phrase = f"any {'other ' if special else ''}{kind}"
    missing = list(runs(domain - alive))
    if missing:
        phrase += f" but {' '.join(missing)}"
    return [*runs(special), phrase]


def _beyond_ascii(row: NDArray[np.int32], dfa: ByteDFA | None) -> list[str]:
    """Some characters outside ASCII: listed when few."""
    found = characters(row, dfa) if dfa is not None else None
    if found is None:
        return ["some characters outside ASCII"]
    return list(runs(code for code, _ in found))


def characters(row: NDArray[np.int32], dfa: ByteDFA) -> list[tuple[int, int]] | None:
    """The code points above 127 that may follow a state with this row, each with the state after
    it; None if there are more than MAX_CHARACTERS."""
    found: list[tuple[int, int]] = []
    for lead in _LEADS:
        open_ends = [(bytes([lead]), int(row[lead]))] if row[lead] != DEAD else []
        for _ in range(1 + (lead >= 0xE0) + (lead >= 0xF0)):
            longer = []
            for text, state in open_ends:
                after = dfa.row(state)[0x80:0xC0]
                longer += [
                    (text + bytes([0x80 + int(i)]), int(after[i]))
                    for i in np.flatnonzero(after != DEAD)
                ]
            open_ends = longer
            if len(open_ends) + len(found) > MAX_CHARACTERS:
                return None
        found += [(ord(text.decode("utf-8")), state) for text, state in open_ends]
    return found


def runs(codes: Iterable[int]) -> Iterable[str]:
    """Code points as words: runs of digits or letters as `a-z`, the others one by one."""
    ordered = sorted(codes)
    at = 0
    while at < len(ordered):
        end = at
        while end + 1 < len(ordered) and _joined(ordered[end], ordered[end + 1]):
            end += 1
        first, last = ordered[at], ordered[end]
        if end - at >= 2:
            yield f"{character(first)}-{character(last)}"
        else:
            yield from (character(code) for code in ordered[at : end + 1])
        at = end + 1


def _joined(code: int, after: int) -> bool:
    if after != code + 1:
        return False
    if code < 0x80:
        return _kind(code) == _kind(after) != "sign"
    return True


def _kind(code: int) -> str:
    char = chr(code)
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "upper" if char.isupper() else "lower"
    return "sign" if char.isprintable() else "control"


def character(code: int) -> str:
    """A readable name of one character."""
    char = chr(code)
    if char in _NAMES:
        return _NAMES[char]
    if char.isprintable():
        return char
    return hex_byte(code) if code < 0x80 else f"U+{code:04X}"


def hex_byte(byte: int) -> str:
    """A byte as \\xNN."""
    return f"\\x{byte:02x}"


def either(words: Sequence[str]) -> str:
    """`a, b or c`; signs in quotes, so that they aren't read as punctuation."""
    quoted = [f"“{word}”" if len(word) == 1 and not word.isalnum() else word for word in words]
    if len(quoted) < 2 or quoted[-1].startswith("and "):
        return ", ".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def sentence(classes: Sequence[str], may_stop: bool, forced: bytes = b"") -> str:
    """What may follow a state, as one sentence.

    Args:
        classes: what `expected` says of it.
        may_stop: the text may stop there.
        forced: the text that must follow, where only one can.
    """
    if not classes:
        return "The text is complete: only its end may follow."
    if may_stop:
        return f"The text may stop here, or go on with {either(classes)}."
    if forced:
        return f"Only “{visible(forced)}” can follow."
    return f"Expects {either(classes)}."


def shortened(text: bytes, total: int | None = None) -> str:
    """`visible`, of a text of `total` bytes that may be long: its first MAX_SHOWN bytes, whole
    characters, and how many more there are. `text` needs to hold no more than those."""
    total = len(text) if total is None else total
    if total <= MAX_SHOWN:
        return visible(text)
    shown = text[:MAX_SHOWN]
    for length, lead in ((1, 0xC0), (2, 0xE0), (3, 0xF0)):  # the beginning of a longer character
        if shown[-length] >= lead:
            shown = shown[:-length]
            break
    return f"{visible(shown)}… and {total - len(shown):,} more bytes"


def visible(text: bytes) -> str:
    """Bytes as readable text: what isn't UTF-8 or isn't printable as \\xNN, \\n, ..."""
    decoded = text.decode("utf-8", errors="backslashreplace")
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in decoded
    )
