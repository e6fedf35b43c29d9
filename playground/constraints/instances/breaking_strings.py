"""Edits of numbers and strings that may break a bound, a length, a pattern or a format."""

import random
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from playground.constraints.instances import texts
from playground.constraints.jsonschema import formats
from playground.constraints.jsonschema.keywords import NUMBERS as NUMBERS
from playground.constraints.jsonschema.pattern import Untranslatable, parse

STRINGS = frozenset({"minLength", "maxLength", "pattern", "format"})
NEAR_MISSES = MappingProxyType(
    {
        "date": ("2023-02-30", "2024-13-01", "2024-1-1"),
        "time": ("25:00:00Z", "10:61:00Z", "10:00:00"),
        "date-time": ("2024-01-01 10:00:00Z", "2024-02-30T10:00:00Z", "2024-01-01T10:00:00"),
        "duration": ("P", "1D", "P1H"),
        "email": ("ada", "@", "ada@"),
        "hostname": ("-a", "a..b", "a_b"),
        "ipv4": ("1.2.3.256", "1.2.3", "01.2.3.4"),
        "ipv6": (":::", "1::2::3", "12345::"),
        "uuid": ("123e4567-e89b-12d3-a456-42661417400", "123e4567"),
        "uri": ("no uri", "//", "a b"),
        "uri-reference": ("a b", "\\\\x", "%zz"),
        "json-pointer": ("a", "/~2"),
        "regex": ("(", "[", "*"),
    }
)
"""Strings that all but fit a format."""


def numbers(schema: dict[str, Any], keyword: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Numbers beyond a bound, or between two multiples."""
    asked = schema[keyword]
    if isinstance(asked, bool):  # draft-04: the bound beside it is open
        asked = schema.get({"exclusiveMinimum": "minimum"}.get(keyword, "maximum"))
        if asked is True:
            return
    if not isinstance(asked, int | float) or isinstance(asked, bool):
        return
    if keyword == "multipleOf":
        base = value if isinstance(value, int | float) and not isinstance(value, bool) else asked
        for shift in (1, asked / 2, asked / 10, 0.5, asked + 1):
            yield "between two multiples", _whole(base + shift)
        return
    sign = -1 if "inimum" in keyword else 1
    if keyword.startswith("exclusive"):
        yield "the bound itself", asked
    yield "one beyond", asked + sign
    yield "far beyond", asked + sign * 1000
    yield "half beyond", asked + sign * 0.5
    yield "a hair beyond", asked + sign * 0.001
    yield "very far beyond", asked + sign * 10**12


def _whole(value: float) -> float:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def of_length(value: Any, length: int) -> Iterator[str]:
    """Strings of exactly so many characters."""
    if length < 0 or length > 20_000:
        return
    text = value if isinstance(value, str) else ""
    yield (text + "x" * length)[:length]
    if length:
        yield "é" * length
        yield "😀" * length


def strings(rng: random.Random, keyword: str, asked: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """Strings too long, too short, or not in the language."""
    if keyword in ("minLength", "maxLength"):
        if not isinstance(asked, int | float) or isinstance(asked, bool):
            return
        one = int(asked) + (1 if keyword == "maxLength" else -1)
        for text in of_length(value, one):
            yield f"{one} character{'' if one == 1 else 's'}", text
        far = 3 * int(asked) + 20 if keyword == "maxLength" else 0
        yield from ((f"{far} characters", text) for text in of_length(value, far))
        return
    text = value if isinstance(value, str) else ""
    if keyword == "format":
        yield from (("all but fits", near) for near in NEAR_MISSES.get(asked, ()))
    yield "without its last character", text[:-1]
    yield from _unlike(rng, keyword, asked)
    yield "a blank behind", text + " "
    yield "a letter behind", text + "x"
    yield "a blank before", " " + text
    yield "without its first character", text[1:]
    for other in ("", "x", "7", "?", "no", "é", "A-1", "two words", "line\nbreak", "~", "%"):
        yield "another string", other
    for index in range(min(len(text), 6)):
        yield "one character exchanged", text[:index] + "?" + text[index + 1 :]


def _unlike(rng: random.Random, keyword: str, asked: Any) -> Iterator[tuple[str, str]]:
    """Strings outside the language of a pattern or format."""
    try:
        if keyword == "pattern":
            languages = parse(str(asked), True)
        else:
            languages = formats.language(asked) if asked in formats.PATTERNS else ()
    except Untranslatable:
        return
    for each in languages[:2]:
        for shortest in (False, False, True):
            found = texts.sampled([texts.complement(each)], 0, None, rng, shortest)
            if found is not None:
                yield "outside the language", found
