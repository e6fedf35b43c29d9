"""Sets of Unicode code points as ranges, and their spelling in a regex class and in JSON text."""

from collections.abc import Iterable
from functools import lru_cache

from playground.constraints.jsonschema.piece import Piece, either, quote

Ranges = tuple[tuple[int, int], ...]
"""Sorted, disjoint, never adjacent, both ends included."""

TOP = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)
SHORT_ESCAPES = {0x22: '"', 0x5C: "\\", 8: "b", 9: "t", 10: "n", 12: "f", 13: "r"}
"""Code points that JSON spells as a backslash and one letter (`/` may be spelled raw)."""


def normal(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """`pairs` sorted and merged, surrogates cut out."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(_without_surrogates(pairs)):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _without_surrogates(pairs: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for low, high in pairs:
        if low < SURROGATES[0] and min(high, SURROGATES[0] - 1) >= low:
            yield low, min(high, SURROGATES[0] - 1)
        if high > SURROGATES[1] and max(low, SURROGATES[1] + 1) <= high:
            yield max(low, SURROGATES[1] + 1), high


def chars(text: str) -> Ranges:
    """The set of the characters of `text`."""
    return normal((ord(char), ord(char)) for char in text)


def union(*sets: Ranges) -> Ranges:
    return normal(pair for ranges in sets for pair in ranges)


@lru_cache(maxsize=512)
def complement(ranges: Ranges) -> Ranges:
    """Every code point but these."""
    out, start = [], 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= TOP:
        out.append((start, TOP))
    return normal(out)


def intersect(a: Ranges, b: Ranges) -> Ranges:
    out, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if low <= high:
            out.append((low, high))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return normal(out)


def minus(a: Ranges, b: Ranges) -> Ranges:
    return intersect(a, complement(b))


ALL = normal([(0, TOP)])
ASCII = normal([(0, 127)])
CONTROLS = normal([(0, 31)])
DIGIT = normal([(48, 57)])
_NOT_RAW = union(CONTROLS, chars('"\\'))


@lru_cache(maxsize=4096)
def raw(ranges: Ranges) -> Piece:
    """A non-empty set as one regex class over UTF-8 text."""
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return Piece(quote(chr(ranges[0][0])), len(chr(ranges[0][0]).encode()), 1, True)
    if ranges == ALL:
        return Piece("(?s:.)", 8, 1, True)
    wide = ranges[-1][1] > 127
    other = complement(ranges)
    negated = wide and len(other) < len(ranges)
    inner = "".join(_range(low, high) for low, high in (other if negated else ranges))
    cost = 1 + (7 * min(4, sum(high > 127 for _, high in ranges)) if wide else 0)
    return Piece(f"[{'^' if negated else ''}{inner}]", cost, 2, True)


def _range(low: int, high: int) -> str:
    if low == high:
        return _in_class(low)
    return f"{_in_class(low)}{'-' if high > low + 1 else ''}{_in_class(high)}"


def _in_class(code: int) -> str:
    char = chr(code)
    if char in r"\[]^-&~":
        return "\\" + char
    if 32 <= code < 127 or (code > 160 and char.isprintable()):
        return char
    return f"\\x{code:02x}" if code < 256 else f"\\x{{{code:x}}}"


@lru_cache(maxsize=4096)
def in_json(ranges: Ranges) -> Piece:
    r"""A non-empty set as it is spelled inside a JSON string, each character in one way only.

    Characters are raw where JSON allows it, else a backslash and a letter; `\u00XX` serves only a
    set with nothing else to offer (a control character asked for by name).
    """
    parts = []
    plain = minus(ranges, _NOT_RAW)
    if plain:
        parts.append(raw(plain))
    short = [letter for code, letter in SHORT_ESCAPES.items() if intersect(ranges, ((code, code),))]
    if short:
        letters = raw(chars("".join(short)))
        parts.append(Piece(r"\\" + letters.text, 2, 3, False))
    if not parts:
        codes = [code for low, high in ranges for code in range(low, high + 1)]
        parts = [Piece(rf"\\u00{code >> 4}{_hex(code & 15)}", 6, 2, False) for code in codes]
    return either(*parts)


def _hex(digit: int) -> str:
    return str(digit) if digit < 10 else f"[{digit:x}{digit:X}]"
