"""The types by name accept what their sentence says; dates against the calendar itself."""

import re
from datetime import date, timedelta

import pytest

from playground.constraints.types import TYPES, type_named
from playground.errors import InvalidInput

WRONG = {
    "integer": ["", "01", "-0", "+1", "1.0", "1e3", " 1", "٣"],
    "number": ["", "01", ".5", "1.", "1.e2", "+1", "1e", "--1", "NaN"],
    "boolean": ["", "True", "yes", "truefalse"],
    "date": ["2024-2-29", "0000-01-01", "2024-13-01", "2024-00-10", "2024-01-00", "24-01-01"],
    "time": ["24:00:00Z", "12:60:00Z", "12:00:60Z", "12:00:00", "12:00Z", "12:00:00.Z", "1:00:00Z"],
    "datetime": ["2023-02-29T00:00:00Z", "2024-02-29 00:00:00Z", "2024-02-29T00:00:00", ""],
    "uuid": ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", ""],
    "email": ["a@b", "@example.org", "a b@example.org", "a@-x.org", "a..b@example.org", "a@x.o1"],
}
RIGHT = {
    "integer": ["0", "-7", "1234567890123456789012345"],
    "number": ["0", "-0", "-0.50", "1e9", "1.25E-3"],
    "boolean": ["true", "false"],
    "date": ["2000-02-29", "0001-01-01", "9999-12-31", "0004-02-29"],
    "time": ["00:00:00Z", "23:59:59.999999+14:00", "12:00:00-00:00"],
    "datetime": ["2024-02-29T12:00:00+01:00"],
    "uuid": ["00000000-0000-0000-0000-000000000000", "123E4567-e89b-12d3-A456-426614174000"],
    "email": ["a@b.co", "first.last+tag@sub.example.org"],
}


def test_every_type_is_tested() -> None:
    assert set(TYPES) == set(WRONG) == set(RIGHT)


@pytest.mark.parametrize("name", TYPES)
def test_it_accepts_what_it_says(name: str) -> None:
    rule = TYPES[name]
    for text in (rule.example, *RIGHT[name]):
        assert re.fullmatch(rule.regex, text), text
    for text in WRONG[name]:
        assert not re.fullmatch(rule.regex, text), text


def test_dates_are_the_days_of_the_calendar() -> None:
    """Every day of the years around each kind of leap year, and no 29th to 31st beyond them."""
    pattern = re.compile(TYPES["date"].regex)
    for year in (1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 9999):
        days, day = set(), date(year, 1, 1)
        while day.year == year:
            days.add(day.isoformat())
            if day == date.max:
                break
            day += timedelta(days=1)
        written = {
            f"{year:04d}-{month:02d}-{number:02d}" for month in range(14) for number in range(33)
        }
        assert {text for text in written if pattern.fullmatch(text)} == days


def test_leap_years_are_those_of_the_calendar() -> None:
    pattern = re.compile(TYPES["date"].regex)
    for year in range(1, 10_000):
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        assert bool(pattern.fullmatch(f"{year:04d}-02-29")) == leap, year


def test_an_unknown_type_is_refused_with_the_choices() -> None:
    with pytest.raises(InvalidInput, match="Choose one of integer, number"):
        type_named("float")
