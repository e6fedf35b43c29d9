"""Places in what a visitor typed, as people count them: lines and columns from 1."""

from playground.errors import InvalidInput


def line_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of the character at `offset` (0..len) of `text`."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def invalid_at(text: str, offset: int, what: str, hint: str) -> InvalidInput:
    """The error that says `what` is wrong at `offset` of `text`."""
    line, column = line_column(text, offset)
    return InvalidInput(what, hint, f"line {line}, column {column}", line, column)
