"""Pieces of regex text in Rust syntax: put together with the grouping that they need, and sized."""

import re
from dataclasses import dataclass

MAX_TEXT = 500_000
"""Longest regex text, in characters: past this size compiling takes seconds."""

MAX_COST = 120_000
"""Most byte states, as estimated, that a piece may have."""

_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$#&\-~]")


class TooLarge(Exception):
    """A piece outgrew a limit; the caller tries again with narrower limits."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A regex with what it costs."""

    text: str
    cost: int
    """Roughly how many byte states it compiles to."""
    depth: int
    """How deep its groups nest, three levels each; the compiler refuses more than 250."""
    atom: bool
    """A repetition may be put right after it without a group."""

    def grouped(self) -> str:
        return self.text if self.atom else f"(?:{self.text})"


EMPTY = Piece("", 0, 1, False)


def quote(text: str) -> str:
    """`text` as a regex that matches it literally."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def literal(text: str) -> Piece:
    """A piece that matches exactly `text`."""
    return Piece(quote(text), len(text.encode()), 1, len(text) == 1)


def seq(*parts: Piece) -> Piece:
    """One after the other."""
    kept = [part for part in parts if part.text]
    if len(kept) == 1:
        return kept[0]
    return _sized(
        "".join(part.text for part in kept),
        sum(part.cost for part in kept),
        max((part.depth for part in kept), default=0),
        False,
    )


def either(*parts: Piece) -> Piece:
    """One of them; at least one must be given."""
    unique = list({part.text: part for part in parts}.values())
    if len(unique) == 1:
        return unique[0]
    nullable = [part for part in unique if part.text]
    if len(nullable) < len(unique):
        return optional(either(*nullable))
    return _sized(
        f"(?:{'|'.join(part.text for part in unique)})",
        sum(part.cost for part in unique),
        3 + max(part.depth for part in unique),
        True,
    )


def optional(part: Piece) -> Piece:
    """The part or nothing."""
    if not part.text:
        return EMPTY
    return _sized(part.grouped() + "?", part.cost, _nested(part), False)


def repeat(part: Piece, low: int, high: int | None) -> Piece:
    """The part `low` to `high` times (None: without an upper bound)."""
    if high == 0 or not part.text:
        return EMPTY
    if (low, high) == (1, 1):
        return part
    if (low, high) == (0, 1):
        return optional(part)
    if high is None:
        times = {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    else:
        times = f"{{{low}}}" if low == high else f"{{{low},{high}}}"
    copies = high if high is not None else max(1, low)
    return _sized(part.grouped() + times, part.cost * copies, _nested(part), False)


def separated(item: Piece, separator: Piece) -> Piece:
    """The item once or more, the separator between.

    Written `(item separator)* item`: both copies are read in step, so that the automaton has the
    states of one, which `item (separator item)*` doubles at every level of nesting.
    """
    before = repeat(seq(item, separator), 0, None)
    return _sized(before.text + item.grouped(), before.cost, before.depth, False)


def _nested(part: Piece) -> int:
    return part.depth + (1 if part.atom else 3)


def _sized(text: str, cost: int, depth: int, atom: bool) -> Piece:
    if len(text) > MAX_TEXT or cost > MAX_COST:
        raise TooLarge
    return Piece(text, cost, depth, atom)
