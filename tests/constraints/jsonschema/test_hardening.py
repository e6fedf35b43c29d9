"""Odd schemas and sources: notes that say what is so, and refusals with a place."""

import ipaddress
import json
import random
from typing import Any

import jsonschema
import pytest

from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.pydantic_source import to_schema
from playground.constraints.sources import resolve
from playground.errors import InvalidInput, PlaygroundError


def messages(schema: Any) -> str:
    return "\n".join(note.message for note in lower(json.dumps(schema)).notes)


@pytest.mark.parametrize(
    ("schema", "offered", "forbidden"),
    [
        ('{"const":1.0}', ["1", "1.0"], ["1.00", "1e0", "-1", "10"]),
        ('{"type":"integer","enum":[2.0]}', ["2", "2.0"], ["2.00"]),
        (
            '{"enum":[1.0,1e2,-0.0,1e20,1e21,0.5,3]}',
            ["1", "1.0", "100", "100.0", "0", "0.0", "1" + "0" * 20, "1e+21", "0.5", "3"],
            ["1e2", "-0", "0.50", "3.0"],
        ),
        ('{"const":[1.0,{"a":-2.0}]}', ['[1,{"a":-2.0}]', '[1.0,{"a":-2}]'], ['[1,{"a":2}]']),
    ],
)
def test_a_listed_float_is_offered_in_the_spellings_that_the_notes_tell(
    tools: Any, schema: str, offered: list[str], forbidden: list[str]
) -> None:
    dfa = tools.ByteDfa(lower(schema).regex)
    validator = jsonschema.Draft202012Validator(json.loads(schema))
    for text in offered:
        assert dfa.accepts(text), text
        assert validator.is_valid(json.loads(text)), text
    for text in forbidden:
        assert not dfa.accepts(text), text


def test_notes_on_listed_numbers_tell_the_kinds_that_are_listed() -> None:
    assert "1.0 or 1e0 as 1 and as 1.0" in messages({"const": 1.0})
    assert "1, not 1.0" not in messages({"const": 1.0})
    assert "1, not 1.0" in messages({"const": 1})
    assert "two spellings" not in messages({"const": 1})
    assert "0.5, not 0.50" in messages({"const": 0.5})
    assert "spelling" not in messages({"const": True})


def test_values_that_contains_passes_over_are_not_called_left_out(tools: Any) -> None:
    schema = {"type": "array", "contains": {"minimum": 6}, "items": {"enum": [4, 5, 6]}}
    assert "left out" not in messages(schema)
    dfa = tools.ByteDfa(lower(json.dumps(schema)).regex)
    assert dfa.accepts("[4,5,6]")
    assert not dfa.accepts("[4,5]")
    schema = {"type": "array", "contains": {"enum": [4, 5, 6]}, "items": {"minimum": 6}}
    assert "2 of 3 listed values fail another keyword" in messages(schema)


def test_values_that_another_alternative_offers_are_not_called_left_out(tools: Any) -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"enum": [1, 2, 3]}},
        "additionalProperties": False,
        "anyOf": [
            {"properties": {"a": {"minimum": 2}}},
            {"properties": {"a": {"maximum": 1}}},
        ],
    }
    assert "left out" not in messages(schema)
    dfa = tools.ByteDfa(lower(json.dumps(schema)).regex)
    assert all(dfa.accepts(f'{{"a":{value}}}') for value in (1, 2, 3))
    schema["anyOf"] = [
        {"properties": {"a": {"minimum": 3}}},
        {"properties": {"a": {"maximum": 1}}},
    ]
    assert "1 of 3 listed values fail another keyword" in messages(schema)
    assert "1 of 3 listed" in messages({"enum": [1, 2, 3], "minimum": 2})


def test_ipv6_is_what_the_standard_library_reads(tools: Any) -> None:
    dfa = tools.ByteDfa(lower('{"type":"string","format":"ipv6"}').regex)
    rng = random.Random(4)
    texts = ["::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "::", "1::", "::256.1.1.1"]
    for _ in range(3000):
        parts = rng.choices(["1", "ab", "FFFF", "1.2.3.4", "", "0"], k=rng.randint(2, 9))
        texts.append(":".join(parts).replace(":", rng.choice([":", "::"]), 1))
    valid = 0
    for text in texts:
        try:
            ipaddress.IPv6Address(text)
            expected = True
        except ValueError:
            expected = False
        valid += expected
        assert dfa.accepts(f'"{text}"') == expected, text
    assert 100 < valid < len(texts) - 100


def test_a_byte_order_mark_shifts_no_place() -> None:
    assert parse('\ufeff{"a":1}') == parse('{"a":1}')
    with pytest.raises(InvalidInput) as caught:
        parse('\ufeff{"a":,}')
    assert (caught.value.line, caught.value.column) == (1, 6)
    with pytest.raises(InvalidInput):
        parse('\ufeff\ufeff{"a":1}')


@pytest.mark.parametrize(
    "field",
    [
        r"a: int = Field(description='\ud800')",
        r"a: int = Field(title='\ud800')",
        r"a: int = Field(examples=[{'k': '\ud800'}])",
        r"a: str = '\ud83d\ude00'",
        r"a: Literal['\ud800']",
        r"""a: "Literal['\\ud800']" """,
        r"model_config = ConfigDict(title='\ud800')",
        r"'\ud800'",
    ],
)
def test_half_of_a_surrogate_pair_in_a_model_has_a_place(field: str) -> None:
    with pytest.raises(InvalidInput, match="half of a surrogate pair") as caught:
        to_schema(f"class A(BaseModel):\n    b: int\n    {field}\n")
    assert caught.value.line == 3
    assert caught.value.column is not None
    assert caught.value.column >= 5
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("annotation", "says"),
    [
        ("Literal[()]", "lists nothing"),
        ("Annotated[()]", "lists nothing"),
        ("Union[()]", "lists nothing"),
        ("Optional[()]", "lists nothing"),
        ("list[()]", "lists nothing"),
        ("dict[()]", "lists nothing"),
        ("Annotated[int]", "without a Field"),
    ],
)
def test_an_annotation_of_nothing_has_a_place(annotation: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says) as caught:
        to_schema(f"class A(BaseModel):\n    a: {annotation}\n")
    assert (caught.value.line, caught.value.column) == (2, 8)


@pytest.mark.parametrize(
    "line",
    [
        "a: int = " + "-" * 3000 + "1",
        "a: " + "|".join(["int"] * 3000),
        "a: " + "|".join(["int"] * 100),
        "a: Literal[" + "-" * 900 + "1]",
        "a: " + "-" * 900 + "1",
        "a: " + "list[" * 100 + "int" + "]" * 100,
        "a: int = " + "[" * 1000 + "]" * 1000,
    ],
)
def test_a_deep_source_is_told_that_it_is_deep(line: str) -> None:
    with pytest.raises(InvalidInput, match="nested") as caught:
        to_schema(f"class A(BaseModel):\n    {line}\n")
    assert "control characters" not in str(caught.value)


def test_a_place_in_a_made_schema_is_not_passed_off_as_one_in_the_source() -> None:
    sources = ["a: int = " + "[" * 150 + "]" * 150, "a: int = Field(ge=3, le=2)"]
    for line in sources:
        with pytest.raises(PlaygroundError) as caught:
            resolve("pydantic", f"class A(BaseModel):\n    {line}\n", "one", Limits())
        assert caught.value.line is None
        assert caught.value.where
