"""Places in what a visitor typed, as people count them: lines and columns from 1."""

import re

from playground.errors import InvalidInput

_SURROGATE = re.compile("[\ud800-\udfff]")


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of the character at `offset` (0..len) of `text`."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def invalid_at(text: str, offset: int, what: str, hint: str) -> InvalidInput:
    """The error that says `what` is wrong at `offset` of `text`."""
    line, column = line_column(text, offset)
    return InvalidInput(what, hint, f"line {line}, column {column}", line, column)


def first_surrogate(text: str) -> int | None:
    """Where `text` has half of a surrogate pair, which UTF-8 can't spell; None where nowhere."""
    found = _SURROGATE.search(text)
    return None if found is None else found.start()


def half_a_pair(half: str) -> tuple[str, str]:
    """What to say of a half, and what to do about it."""
    return (
        f"`\\u{ord(half):04x}` is half of a surrogate pair, which is no character.",
        "Remove it, or write the whole character.",
    )
