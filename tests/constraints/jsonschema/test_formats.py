"""Formats against the libraries that read them."""

import datetime
import ipaddress
import json
import random
import re
import uuid
from typing import Any

import pytest

from playground.constraints.jsonschema.charset import in_json, raw
from playground.constraints.jsonschema.formats import PATTERNS, language
from playground.constraints.jsonschema.rx import spell


def matcher(name: str) -> re.Pattern[str]:
    return re.compile(spell(language(name)[0].node, raw).text)


def reads(read: object, text: str) -> bool:
    try:
        read(text)  # type: ignore[operator]
    except ValueError:
        return False
    return True


def test_dates_are_exactly_the_calendar() -> None:
    found = matcher("date")
    for year in (
        *range(1, 30),
        100,
        400,
        1896,
        *range(1899, 1906),
        1999,
        2000,
        2023,
        2024,
        2100,
        9999,
    ):
        for month in range(14):
            for day in (0, 1, 9, 10, 28, 29, 30, 31, 32):
                text = f"{year:04}-{month:02}-{day:02}"
                assert bool(found.fullmatch(text)) == reads(datetime.date.fromisoformat, text), text
    assert not found.fullmatch("0000-02-29")


@pytest.mark.parametrize(
    ("name", "read", "texts"),
    [
        (
            "ipv4",
            ipaddress.IPv4Address,
            ["0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "01.2.3.4"],
        ),
        (
            "ipv6",
            ipaddress.IPv6Address,
            [
                "::",
                "::1",
                "1::",
                "1:2:3:4:5:6:7:8",
                "1::8",
                "1:2:3:4:5:6:7::",
                "1:2:3:4:5:6::8",
                "::2:3:4:5:6:7:8",
                "1:2",
                "1:::2",
                "1::2::3",
                "1:2:3:4:5:6:7:8:9",
                "fe80::12345",
            ],
        ),
        (
            "date-time",
            datetime.datetime.fromisoformat,
            [
                "2024-02-29T23:59:59Z",
                "2023-02-29T00:00:00Z",
                "2024-01-01T24:00:00Z",
                "2024-01-01T10:00:00.5+02:00",
                "2024-01-01T10:60:00Z",
            ],
        ),
    ],
)
def test_a_format_agrees_with_the_library(name: str, read: object, texts: list[str]) -> None:
    found = matcher(name)
    for text in texts:
        assert bool(found.fullmatch(text)) == reads(read, text), text


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("uuid", str(uuid.UUID(int=7)), "00000000-0000-0000-0000-00000000000"),
        ("email", "ada.lovelace@example.co.uk", 'a"b@example.org'),
        ("hostname", "a-b.example.org", "-a.example.org"),
        ("uri", "https://example.org:8080/a/b?c=d#e", 'http://a.com/"x'),
        ("uri", "mailto:a@b.co", "no scheme"),
        ("time", "10:00:00.5Z", "10:00"),
        ("duration", "P1Y2M3DT4H5M6S", "P"),
        ("json-pointer", "/a~1b/0", "a"),
    ],
)
def test_a_format_has_its_usual_spelling(name: str, good: str, bad: str) -> None:
    found = matcher(name)
    assert found.fullmatch(good)
    assert not found.fullmatch(bad)


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_format_is_json_inside_its_quotes(name: str, tools: Any) -> None:
    dfa = tools.ByteDfa(spell(language(name)[0].node, in_json).text)
    rng = random.Random(1)
    found = tools.python_regex(spell(language(name)[0].node, raw).text)
    for _ in range(40):
        body = dfa.sample(rng).decode()
        assert found.fullmatch(json.loads(f'"{body}"')), body
