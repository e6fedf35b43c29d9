"""One JSON value read from a place in a text, without recursion: where it ends, or where it breaks."""

import re
from dataclasses import dataclass
from typing import Literal

MAX_DEPTH = 200
"""Most brackets open at once. Python's reader, which recurses, is far from its own limit there."""
MAX_DIGITS = 4300
"""Most digits of an integer: Python reads no longer ones."""
BLANK = " \t\n\r"
"""The white space of JSON."""

Spot = Literal["value", "first value", "key", "first key", "colon", "after"]
"""What may stand next. "first ..." is right after the bracket, where it may close as well; "key"
and "value" inside an array are after a comma; "after" is after a value."""

_BLANK = re.compile(r"[ \t\n\r]*+")
_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
    (?P<string>"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+(?P<closed>")?)
    |(?P<number>-?[0-9][0-9.eE+-]*+|-)
    |(?P<word>[A-Za-z]++)
    |(?P<mark>[{}\[\]:,])
    )?""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*+)(\.[0-9]++)?+([eE][+-]?[0-9]++)?+")
_WORDS = ("true", "false", "null")
_CUT_STRING = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?")
"""What may be left of an escape at the end of the text, after a string without its closing quote."""
_CUT_NUMBER = re.compile(
    r"-?(?:(?:0|[1-9][0-9]*+)(?:\.(?:[0-9]++(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?"
)


@dataclass(slots=True)
class Scan:
    """What was read. Offsets count characters of the whole text."""

    start: int
    """Where the first token starts."""
    stop: int
    """After the value where it is whole; else where the first wrong token starts."""
    spot: Spot = "value"
    """What might have stood at `stop`."""
    open: str = ""
    """The brackets that are open at `stop`, outermost first."""
    bracket: int = -1
    """The last opening bracket that was read, -1 if none was."""
    keyed: bool = False
    """The colon after a key was read."""
    deep: bool = False
    """It breaks because more than MAX_DEPTH brackets are open."""
    cut: bool = False
    """It breaks only because the text ends: more text might complete it."""

    @property
    def whole(self) -> bool:
        """A value was read to its end."""
        return self.spot == "after" and not self.open


def scan(text: str, start: int, end: int) -> Scan:
    """Read one JSON value by the standard (no NaN; keys may repeat) from `text[start:end]`, white
    space before it skipped. It never raises; the time is linear in what it reads."""
    blank = _BLANK.match(text, start, end)
    assert blank
    found = Scan(blank.end(), blank.end())
    while not found.whole:
        token = _TOKEN.match(text, found.stop, end)
        assert token
        kind = token.lastgroup
        begin = token.start(kind) if kind else token.end()
        if not _take(found, kind, token.group(kind) if kind else "", begin, bool(token["closed"])):
            rest = text[token.end() : min(end, token.end() + 6)]
            found.cut = _is_cut(found, kind, text[begin : token.end()], rest)
            found.stop = begin
            return found
        found.stop = token.end()
    return found


def _take(found: Scan, kind: str | None, token: str, at: int, closed: bool) -> bool:
    """Whether the token may stand here; what is read so far moves on."""
    if kind == "mark":
        return _take_mark(found, token, at)
    if found.spot in ("key", "first key"):
        if kind != "string" or not closed:
            return False
        found.spot = "colon"
        return True
    if found.spot not in ("value", "first value") or not _is_scalar(kind, token, closed):
        return False
    found.spot = "after"
    return True


def _is_scalar(kind: str | None, token: str, closed: bool) -> bool:
    if kind == "number":
        number = _NUMBER.fullmatch(token)
        return number is not None and (len(number[1]) <= MAX_DIGITS or bool(number[2] or number[3]))
    return closed if kind == "string" else token in _WORDS


def _take_mark(found: Scan, mark: str, at: int) -> bool:
    spot, top = found.spot, found.open[-1:]
    if mark in "{[":
        found.deep = len(found.open) == MAX_DEPTH
        if spot not in ("value", "first value") or found.deep:
            return False
        found.open, found.bracket = found.open + mark, at
        found.spot = "first key" if mark == "{" else "first value"
    elif mark in "}]":
        if top != ("{" if mark == "}" else "["):
            return False
        if spot not in ("after", "first key" if top == "{" else "first value"):
            return False
        found.open, found.spot = found.open[:-1], "after"
    elif mark == ":":
        if spot != "colon":
            return False
        found.spot, found.keyed = "value", True
    else:
        if spot != "after":
            return False
        found.spot = "key" if top == "{" else "value"
    return True


def _is_cut(found: Scan, kind: str | None, token: str, rest: str) -> bool:
    """Whether a token that doesn't fit is the beginning of one that does, cut off by the end of the
    text; `rest` is what follows it, or as much as tells."""
    if kind is None:
        return not rest
    if kind == "string":
        return found.spot not in ("after", "colon") and _CUT_STRING.fullmatch(rest) is not None
    if rest or found.spot not in ("value", "first value"):
        return False
    if kind == "number":
        return not _NUMBER.fullmatch(token) and _CUT_NUMBER.fullmatch(token) is not None
    return kind == "word" and any(word.startswith(token) for word in _WORDS)
