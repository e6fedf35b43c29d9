"""Reading JSON with positions."""

import json

import pytest

from playground.constraints.jsonschema.source import NOWHERE, at, keys, parse, step
from playground.errors import InvalidInput


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('{"a": 1,}', 1, 9, "Remove the comma"),
        ('{\n  "a": NaN\n}', 2, 8, "no NaN"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ('{"a": 1\n "b": 2}', 2, 2, 'Expected `,` or `}` (opened in line 1, column 1), found `"`'),
        ("[1, 2,]", 1, 7, "Remove the comma"),
        ('{"a": "x', 1, 7, "not closed"),
        ('{"a": True}', 1, 7, "`true`"),
        ('{"a": 01}', 1, 7, "leading zeros"),
        ('{"a": 1} x', 1, 10, "more text"),
        ("", 1, 1, "the end of the text"),
        ('{"a": 1,\n"b": 2,\n"a": 3}', 3, 1, '"a" stands twice'),
        ("[1e999]", 1, 2, "too large"),
        (r'"\q"', 1, 2, r"`\q` is no escape"),
        ('"a\nb"', 1, 3, "control character"),
        ("// x", 1, 1, "comments"),
        ('{"a" 1}', 1, 6, "Expected `:`"),
        ("[" * 102 + "]" * 102, 1, 102, "more than 100 levels"),
        ("9" * 5000, 1, 1, "too many digits"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert said in str(caught.value)
    assert caught.value.where == f"line {line}, column {column}"


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, -2.5, 1e3, 0], "b": {"": null}, "c": [true, false]}',
        r'"\ud83d\ude00 \u00e9 \" \\ \/ \b\f\n\r\t"',
        " \n [ ] ",
        "0",
        "[" * 100 + "]" * 100,
    ],
)
def test_what_json_reads_is_read_alike(text: str) -> None:
    assert parse(text).value == json.loads(text)


def test_every_key_has_its_line_and_column() -> None:
    places = parse('{\n  "a": {\n    "b/c": [1,\n 2]\n  }\n}').places
    assert places[""] == (1, 1)
    assert places["/a"] == (2, 3)
    assert places["/a/b~1c"] == (3, 5)
    assert places["/a/b~1c/1"] == (4, 2)


def test_what_step_puts_together_keys_takes_apart() -> None:
    names = ("a/b", "m~n", "~1", "", "²", "0")
    pointer = ""
    for name in names:
        pointer = step(pointer, name)
    assert tuple(keys(pointer)) == names
    assert keys("") == []


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", {"a": [{"b/c": 1}, 2]}),
        ("/a/0/b~1c", 1),
        ("/a/1", 2),
        ("/a/2", NOWHERE),
        ("/a/²", NOWHERE),
        ("/a/-1", NOWHERE),
        ("/a/" + "9" * 5000, NOWHERE),
        ("/a/1/x", NOWHERE),
        ("/b", NOWHERE),
    ],
)
def test_a_pointer_leads_to_a_value_or_nowhere(pointer: str, found: object) -> None:
    value = {"a": [{"b/c": 1}, 2]}
    assert at(value, pointer) == found
