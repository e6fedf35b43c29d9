"""Instances made from a schema: valid, various, in the schema's order, and in bounded time."""

import json
import random
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.instances.generator import FULL, LEAST, TYPICAL, WILD, Generator
from playground.constraints.instances.goals import Map
from playground.constraints.instances.ordered import Speller
from playground.constraints.instances.reference import Reference, without
from playground.constraints.judge_schema import SchemaJudge
from playground.errors import UnsupportedSchema
from playground.schema.generate import instances
from tests.schema.random_schemas import documents, values

ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 3, "maximum": 9},
        "name": {"type": "string", "pattern": "^[A-Z][a-z]+$", "maxLength": 6},
        "day": {"type": "string", "format": "date"},
        "lines": {
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/line"},
            "uniqueItems": True,
        },
        "state": {"enum": ["new", "paid"]},
    },
    "required": ["id", "lines"],
    "additionalProperties": False,
    "$defs": {
        "line": {
            "type": "object",
            "properties": {"price": {"type": "number", "multipleOf": 0.5}, "sub": {"$ref": "#"}},
            "required": ["price"],
        }
    },
}


def valid(schema: Any, text: str) -> bool:
    verdict = SchemaJudge(json.dumps(schema), True).judge({"text": text}, 1.0)
    return bool(verdict["status"] == "valid")


@pytest.mark.parametrize("style", ["least", "typical", "full", "wild"])
def test_instances_are_valid_and_differ(style: Any) -> None:
    found = instances(json.dumps(ORDER), 0, 6, style=style)
    assert len(found) > 1 or style == "least"
    assert found
    assert len(set(found)) == len(found)
    assert all(valid(ORDER, text) for text in found)


def test_the_least_instance_has_the_required_keys_only_and_a_full_one_has_all() -> None:
    least, full = (
        json.loads(instances(json.dumps(ORDER), 0, 1, style=style)[0])
        for style in ("least", "full")
    )
    assert set(least) == {"id", "lines"}
    assert set(full) == set(ORDER["properties"])


def test_keys_stand_in_the_schemas_order_with_one_space_or_none() -> None:
    for text in instances(json.dumps(ORDER), 3, 5):
        keys = list(json.loads(text))
        assert keys == [name for name in ORDER["properties"] if name in keys]
        assert '": ' in text
    assert all(", " not in t for t in instances(json.dumps(ORDER), 0, 3, whitespace="none"))


def test_equal_seeds_give_equal_instances_and_other_seeds_others() -> None:
    one, again, other = (instances(json.dumps(ORDER), seed, 4) for seed in (5, 5, 6))
    assert one == again
    assert one != other


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"type": "integer"}, {"minimum": 5, "type": "number"}]},
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}, "minProperties": 2},
        {"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}},
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "type": "object"},
        {"not": {"type": ["string", "number"]}},
        {"type": "object", "patternProperties": {"^x": {"type": "integer"}}, "minProperties": 1,
         "additionalProperties": False},
        {"type": "object", "dependentRequired": {"a": ["b"]}, "required": ["a"]},
        {"prefixItems": [{"type": "string"}, {"type": "null"}], "items": False, "minItems": 2,
         "type": "array"},
        {"allOf": [{"minimum": 2}, {"maximum": 4}], "type": "integer"},
        {"enum": [{"b": 1, "a": [1, 2]}, "x"], "type": "object"},
    ],
)  # fmt: skip
def test_every_kind_of_keyword_is_met(schema: Any) -> None:
    found = instances(json.dumps(schema), 0, 3)
    assert found
    assert all(valid(schema, text) for text in found)


def test_a_listed_object_keeps_its_own_order() -> None:
    schema = {"enum": [{"b": 1, "a": 2}], "properties": {"a": {}, "b": {}}}
    assert instances(json.dumps(schema), 0, 1) == ['{"b": 1, "a": 2}']


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}},
        {"type": "string", "pattern": "^(a+)+$", "minLength": 30},
        {"type": "array", "minItems": 100_000, "items": {"type": "array", "minItems": 100_000}},
        {"type": "string", "minLength": 10_000_000},
        {"anyOf": [{"properties": {f"p{i}": {"$ref": "#"}}} for i in range(60)]},
        {"type": "object", "properties": {f"k{i}": {"$ref": "#"} for i in range(300)}},
    ],
)
def test_hostile_schemas_end_in_time(schema: Any) -> None:
    started = time.monotonic()
    found = instances(json.dumps(schema), 0, 5, seconds=0.5)
    assert time.monotonic() - started < 4
    assert all(len(text) < 2_000_000 for text in found)


def test_a_reference_that_leads_outside_is_said() -> None:
    with pytest.raises(UnsupportedSchema, match="outside"):
        instances('{"$ref": "https://example.com/other.json"}', 0, 1)


@settings(max_examples=40, deadline=None)
@given(documents(), values(), st.integers(0, 9))
def test_spelling_changes_no_value_and_loosening_forbids_nothing_more_by_itself(
    schema: dict[str, Any], value: Any, seed: int
) -> None:
    speller = Speller(Map(schema))
    assert json.loads(speller.text(value)) == value
    reference = Reference(schema)
    whole = reference.judge(schema)
    for keyword in (
        "minimum",
        "required",
        "properties",
        "allOf",
        "additionalProperties",
        "pattern",
    ):
        if keyword not in schema or not whole(value):
            continue
        loose = reference.judge(without(schema, (keyword,)))
        assert loose(value) is not False or "unevaluatedProperties" in schema
    assert schema == json.loads(json.dumps(schema))


def test_a_goal_is_come_to() -> None:
    deep = {
        "type": "object",
        "properties": {
            "a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/b"}]},
            "z": {"type": "string"},
        },
        "$defs": {"b": {"type": "array", "items": {"properties": {"c": {"type": "integer"}}}}},
    }
    goal = "/$defs/b/items/properties/c"
    for style in (LEAST, TYPICAL, FULL, WILD):
        made = Generator(deep, random.Random(0)).instance(style, Map(deep).distances(goal))
        assert made is not None
        assert any(pointer == goal for _, pointer in made.trace)
