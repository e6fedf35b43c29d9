"""The place in the schema of a text that is still being written."""

import json
import time
from typing import Any

import pytest

from playground.constraints.jsonschema.place import fields, locate
from playground.constraints.jsonschema.scan import characters, scan

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 10},
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
        "pet": {"$ref": "#/$defs/Pet"},
        "odd key": {"type": "boolean"},
    },
    "patternProperties": {"^x-": {"type": "null"}},
    "$defs": {
        "Pet": {
            "anyOf": [
                {"properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}},
                {"properties": {"kind": {"const": "dog"}, "lives": {"type": "null"}}},
            ]
        }
    },
}


@pytest.mark.parametrize(
    ("text", "pointer", "words"),
    [
        ("", "", "expects the value of $: an object"),
        ("{", "", "expects a key of $ (name, age, tags, pet, ...), or the closing brace"),
        ('{"na', "/properties/name", 'inside a key of $: "na" so far'),
        ('{"name"', "/properties/name", 'after the key "name": a colon'),
        (
            '{"name": "',
            "/properties/name",
            "inside the string of $.name: 0 characters so far, at most 10",
        ),
        (
            '{"name": "A\\"\\u00e9',
            "/properties/name",
            "inside the string of $.name: 3 characters so far, at most 10",
        ),
        ('{"name": "Ada"', "/properties/name", "after $.name: a comma or the closing brace"),
        ('{"name": "Ada",', "", "expects a key of $ (age, tags, pet, odd key)"),
        ('{"age":', "/properties/age", "expects the value of $.age: an integer, at least 0"),
        ('{"age":3', "/properties/age", "inside the number of $.age: 3 so far"),
        (
            '{"tags":[',
            "/properties/tags/items",
            'expects the value of $.tags[0]: one of "a", "b", or the closing bracket',
        ),
        (
            '{"tags":["a"',
            "/properties/tags/items",
            "after $.tags[0]: a comma or the closing bracket",
        ),
        ('{"tags":["a"]', "/properties/tags", "after $.tags: a comma or the closing brace"),
        (
            '{"odd key":tr',
            "/properties/odd key",
            'inside the word of $["odd key"]: tr so far',
        ),
        (
            '{"pet":{"lives":',
            "/$defs/Pet/anyOf/0/properties/lives",
            "expects the value of $.pet.lives: an integer",
        ),
        (
            '{"pet":{"kind":"dog","lives":',
            "/$defs/Pet/anyOf/1/properties/lives",
            "expects the value of $.pet.lives: null",
        ),
        ('{"x-1":', "/patternProperties/^x-", "expects the value of $.x-1: null"),
        ('{"zz":', None, "expects the value of $.zz: any JSON value"),
        ('{"age":3}', "", "after the end of the document"),
        ("}", "", "not JSON any more"),
    ],
)
def test_the_place_is_named(text: str, pointer: str | None, words: str) -> None:
    place = locate(SCHEMA, text.encode())
    shown = words.replace("$.x-1", '$["x-1"]')
    assert (place.pointer, place.words) == (pointer, shown)


def test_every_beginning_of_a_document_has_a_place() -> None:
    text = json.dumps({"name": 'A"\\é😀', "tags": ["a", []], "pet": {"k": {}}}, indent=1)
    for end in range(len(text.encode()) + 1):
        beginning = text.encode()[:end]
        assert scan(beginning).spot != "lost"
        assert locate(SCHEMA, beginning).words


def test_a_pointer_leads_to_a_part_of_the_schema() -> None:
    text = b'{"name": "x", "tags": ["a"], "pet": {"kind": "dog", "lives": null}, "x-1": null}'
    for end in range(len(text)):
        pointer = locate(SCHEMA, text[:end]).pointer
        part: Any = SCHEMA
        for key in (pointer or "").split("/")[1:]:
            part = part[int(key)] if isinstance(part, list) else part[key]
        assert isinstance(part, dict)


def test_fields_say_what_is_complete_and_what_is_open() -> None:
    found = fields(SCHEMA, b'{"name": "Ada", "tags": ["a", "b"], "pet": {"lives": 12')
    assert [(f.path, f.complete, f.text) for f in found] == [
        ("$.name", True, '"Ada"'),
        ("$.tags[0]", True, '"a"'),
        ("$.tags[1]", True, '"b"'),
        ("$.pet.lives", False, "12"),
    ]
    assert found[0].pointer == "/properties/name"


@pytest.mark.parametrize(
    ("partial", "count"),
    [
        ("", 0),
        ("ab", 2),
        (r"\n\"", 2),
        (r"\u00e9", 1),
        (r"\ud83d\ude00", 1),
        (r"a\u00", 1),
        ("a\\", 1),
        (r"\\u12", 4),
    ],
)
def test_characters_of_an_open_string_are_counted_as_the_schema_counts(
    partial: str, count: int
) -> None:
    assert characters(partial) == count


def test_two_thousand_bytes_take_about_a_millisecond() -> None:
    text = json.dumps({"tags": ["some words"] * 150}).encode()[:2000]
    begun = time.perf_counter()
    for _ in range(50):
        locate(SCHEMA, text)
    assert (time.perf_counter() - begun) / 50 < 0.01  # a tenth of it when nothing else runs
