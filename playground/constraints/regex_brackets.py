"""Rust's bracketed classes, with nested classes and the set operations &&, -- and ~~."""

from playground.constraints.regex_escapes import Cursor, read_escape

MAX_DEPTH = 100
"""Deepest nesting of classes."""


def read_brackets(cursor: Cursor, verbose: bool) -> None:
    """Move past the class whose [ is at the cursor; `verbose` ignores blanks in it.

    Raises:
        InvalidInput: it is never closed, or a range in it makes no sense.
    """
    opened = [cursor.at]
    _enter(cursor)
    low: int | None = None  # the literal before, which may start a range
    while opened:
        char = cursor.peek()
        if not char:
            raise cursor.fail(
                opened[-1],
                "This [ is never closed: a ] is missing.",
                r"Close it, or write \[ for a literal bracket.",
            )
        if char == "]":
            opened.pop()
            cursor.at += 1
            low = None
        elif char == "[":
            if not _skip_named(cursor):
                opened.append(cursor.at)
                _enter(cursor)
            if len(opened) > MAX_DEPTH:
                raise cursor.fail(cursor.at, "Classes are nested too deep.", "Flatten them.")
            low = None
        elif cursor.peek(2) in ("&&", "--", "~~"):
            cursor.at += 2
            low = None
        elif char == "-" and low is not None and cursor.peek(2) not in ("-]", "-"):
            cursor.at += 1
            _read_range_end(cursor, low)
            low = None
        elif verbose and char.isspace():
            cursor.at += 1
        else:
            low = _read_member(cursor)


def _enter(cursor: Cursor) -> None:
    cursor.at += 1
    if cursor.peek() == "^":
        cursor.at += 1
    if cursor.peek() == "]":  # a first ] is a literal
        cursor.at += 1


def _skip_named(cursor: Cursor) -> bool:
    """Move past `[:alpha:]`, if that is what stands here."""
    end = cursor.find(":]")
    named = cursor.peek(2) == "[:" and cursor.text[cursor.at + 2 : end].strip("^").isalpha()
    if named:
        cursor.at = end + 2
    return named


def _read_member(cursor: Cursor) -> int | None:
    """Move past one member: its code point, None for a class of characters."""
    if cursor.peek() != "\\":
        cursor.at += 1
        return ord(cursor.text[cursor.at - 1])
    if cursor.peek(2) in ("\\A", "\\z"):
        raise cursor.fail(
            cursor.at, f"{cursor.peek(2)} is an anchor, not a character.", "Leave it out."
        )
    return read_escape(cursor)


def _read_range_end(cursor: Cursor, low: int) -> None:
    start = cursor.at
    high = _read_member(cursor) if cursor.peek() else None
    if high is None:
        raise cursor.fail(
            start, "A range must end in one character.", r"Write \- for a literal hyphen."
        )
    if high < low:
        raise cursor.fail(
            start,
            f"The range {chr(low)!r} to {chr(high)!r} runs backwards.",
            r"Swap its ends, or write \- for a literal hyphen.",
        )
