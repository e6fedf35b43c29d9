"""Constraints by name: readable regexes for dates, numbers and the like, and what each accepts."""

from collections.abc import Mapping
from dataclasses import dataclass

from playground.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class TypeRule:
    """A named regex."""

    regex: str
    accepts: str
    """What it accepts, as a sentence."""
    example: str


_INTEGER = r"(?:0|-?[1-9][0-9]*)"
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"

_YEAR = r"(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
_BY_FOUR = r"(?:0[48]|[2468][048]|[13579][26])"  # 04, 08, 12, ... 96: not 00
_LEAP_YEAR = rf"(?:[0-9]{{2}}{_BY_FOUR}|{_BY_FOUR}00)"
_LONG_MONTHS = r"(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
_SHORT_MONTHS = r"(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
_FEBRUARY = r"02-(?:0[1-9]|1[0-9]|2[0-8])"
_DATE = rf"(?:{_YEAR}-(?:{_LONG_MONTHS}|{_SHORT_MONTHS}|{_FEBRUARY})|{_LEAP_YEAR}-02-29)"

_HOUR_MINUTE = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"{_HOUR_MINUTE}:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-]{_HOUR_MINUTE})"

_HEX = r"[0-9A-Fa-f]"
_UUID = rf"{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}"

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = rf"{_ATOM}(?:\.{_ATOM})*@(?:{_LABEL}\.)+[A-Za-z]{{2,63}}"

TYPES: Mapping[str, TypeRule] = {
    "integer": TypeRule(
        _INTEGER, "A whole number without leading zeros and of any length; not -0.", "-12"
    ),
    "number": TypeRule(
        _NUMBER,
        "A JSON number: no leading zeros, a digit on both sides of the dot, an exponent if wanted.",
        "3.14",
    ),
    "boolean": TypeRule(r"(?:true|false)", "true or false, in lower case.", "true"),
    "date": TypeRule(
        _DATE,
        "A day of the years 0001 to 9999 as YYYY-MM-DD: months have their lengths, and "
        "February 29 exists in leap years only.",
        "2024-02-29",
    ),
    "time": TypeRule(
        _TIME,
        "A time of RFC 3339, HH:MM:SS with a fraction if wanted and an offset: Z or +01:00. "
        "No leap seconds, T and Z in upper case.",
        "23:59:59Z",
    ),
    "datetime": TypeRule(
        rf"{_DATE}T{_TIME}",
        "A moment of RFC 3339: a date, T, and a time with an offset, as in those two types.",
        "2024-02-29T12:00:00+01:00",
    ),
    "uuid": TypeRule(
        _UUID,
        "32 hex digits in groups of 8, 4, 4, 4 and 12, in either case; any version.",
        "123e4567-e89b-12d3-a456-426614174000",
    ),
    "email": TypeRule(
        _EMAIL,
        "An ASCII address without quotes or comments: dotted words, @, and a domain of at least "
        "two labels.",
        "ada@example.org",
    ),
}
"""By the name that a visitor types."""


def type_named(name: str) -> TypeRule:
    """The type of that name.

    Raises:
        InvalidInput: there is none.
    """
    if name not in TYPES:
        raise InvalidInput(f"There is no type {name[:40]!r}.", f"Choose one of {', '.join(TYPES)}.")
    return TYPES[name]
