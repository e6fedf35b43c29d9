"""A `pattern` of JSON Schema for the reference judge: ECMA's reading and Python's, bounded in time."""

import re
import time
from functools import lru_cache

import regex

PATTERN_SECONDS = 0.2
"""Longest search of one pattern in one string."""
BEYOND = "\U0010ffff"

_SETS = {
    "d": "0-9",
    "w": "0-9A-Za-z_",
    "s": "\\t-\\r\\x20\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
    "D": f"\\x00-/:-{BEYOND}",
    "W": f"\\x00-/:-@\\[-\\^`{{-{BEYOND}",
    "S": "\\x00-\\x08\\x0e-\\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e"
    f"\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-{BEYOND}",
}
"""ECMA's class escapes as the inside of a bracketed class."""
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|"
    r"u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<\w+>|[0-9]+|.)",
    re.DOTALL,
)
_COUNT = {True: re.compile(r"\{[0-9]+(?:,[0-9]*)?\}"), False: re.compile(r"\{[0-9]*,?[0-9]*\}")}


class PatternUnreadable(ValueError):
    """No reader of patterns understands it."""


class PatternUndecided(Exception):
    """The judge can't say whether the pattern is found; with the reason as a sentence."""


def found(pattern: str, text: str, until: float | None = None) -> bool:
    """Whether `pattern` is found anywhere in `text`.

    Args:
        pattern: in the syntax of ECMA 262, which JSON Schema names; Python's reading, which many
            validators use, must agree where there is one.
        text: the string or the key.
        until: the search ends at this moment of the monotonic clock; PATTERN_SECONDS from now if
            None, and at the latest.

    Raises:
        PatternUnreadable: it is no pattern.
        PatternUndecided: the search takes too long, or the two readings differ.
    """
    readings = compiled(pattern)
    if not readings:
        raise PatternUnreadable(f"`{pattern[:60]}` is no pattern")
    left = PATTERN_SECONDS if until is None else min(PATTERN_SECONDS, until - time.monotonic())
    answers = set()
    for reading in readings:
        try:
            answers.add(reading.search(text, timeout=max(left, 0.001)) is not None)
        except TimeoutError:
            raise PatternUndecided(
                f"The pattern `{pattern[:60]}` takes too long on a string of {len(text):,} "
                "characters."
            ) from None
    if len(answers) > 1:
        raise PatternUndecided(
            f"Readers of patterns differ on `{pattern[:60]}` for this string: ECMA 262 and Python "
            "give other meanings to \\d, \\w, \\s, . or $."
        )
    return answers.pop()


@lru_cache(maxsize=512)
def compiled(pattern: str) -> tuple[regex.Pattern[str], ...]:
    """The readings of a pattern that differ in their text: ECMA's, Python's, or none."""
    texts = [_translated(pattern, ecma=True)]
    try:
        re.compile(pattern)
        texts.append(_translated(pattern, ecma=False))
    except (re.error, OverflowError, RecursionError):
        pass  # Python has no reading of it; ECMA's may do
    out = []
    for text in dict.fromkeys(texts):
        try:
            out.append(regex.compile(text, regex.VERSION0))
        except (regex.error, OverflowError, ValueError):
            continue
    return tuple(out)


def _translated(pattern: str, ecma: bool) -> str:
    """The pattern for the package `regex`, as ECMA or as Python reads it."""
    out, at, inside = [], 0, False
    while at < len(pattern):
        char = pattern[at]
        piece, length = char, 1
        if char == "\\":
            match = _ESCAPE.match(pattern, at)
            length = len(match.group()) if match else 1
            piece = _escape(match.group() if match else "\\\\", inside, ecma)
        elif inside:
            inside = char != "]"
            piece = "\\[" if char == "[" else char
        elif char == "[":
            piece, length, inside = _opened(pattern, at, ecma)
        elif char == "{":
            count = _COUNT[ecma].match(pattern, at)
            counts = count is not None and count.group() not in ("{}", "{,}")
            piece, length = (count.group(), count.end() - at) if count and counts else ("\\{", 1)
        elif char == "}":
            piece = "\\}"
        elif ecma and char == "$":
            piece = "\\Z"
        elif ecma and char == ".":
            piece = "[^\\n\\r\u2028\u2029]"
        out.append(piece)
        at += length
    return "".join(out)


def _opened(pattern: str, at: int, ecma: bool) -> tuple[str, int, bool]:
    """The beginning of a class: what to write, its length, and whether the class goes on."""
    for empty, means in (("[^]", "[\\s\\S]"), ("[]", "(?!)")):
        if pattern.startswith(empty, at):
            if ecma:
                return means, len(empty), False
            return f"{empty[:-1]}\\]", len(empty), True
    opening = "[^" if pattern.startswith("[^", at) else "["
    return opening, len(opening), True


def _escape(escape: str, inside: bool, ecma: bool) -> str:
    kind = escape[1:2]
    if kind == "u" and len(escape) > 2:
        if len(escape) == 12:
            return str(regex.escape(_pair(escape)))
        code = int(escape[2:].strip("{}"), 16)
        return str(regex.escape(chr(code))) if code <= 0x10FFFF else "(?!)"
    if not ecma:
        return escape
    if kind in _SETS:
        return _SETS[kind] if inside else f"[{_SETS[kind]}]"
    if kind == "c" and len(escape) == 3:
        return f"\\x{ord(escape[2]) % 32:02x}"
    if kind == "k":
        return f"(?P={escape[3:-1]})"
    if escape == "\\0":
        return "\\x00"
    if kind in "bBfnrtvxpP" or kind.isdigit() or not kind.isalnum():
        return escape
    return str(regex.escape(kind))


def _pair(escape: str) -> str:
    high, low = int(escape[2:6], 16), int(escape[8:], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
