"""Witnesses: pairs that differ in one keyword alone, as jsonschema itself says."""

import json
import random
import time
from copy import deepcopy
from typing import Any

import jsonschema
import pytest
from referencing import Registry

from playground.constraints.instances.generator import LEAST, Generator
from playground.constraints.jsonschema.keywords import KNOWN
from playground.constraints.judge_schema import SchemaJudge
from playground.schema.occurrences import occurrences, plain
from playground.schema.witness import Witnesses, witnesses

CASES: list[tuple[dict[str, Any], str]] = [
    ({"type": "integer", "minimum": 3}, "/minimum"),
    ({"type": "integer", "maximum": 3}, "/maximum"),
    ({"type": "number", "exclusiveMinimum": 0}, "/exclusiveMinimum"),
    ({"type": "number", "exclusiveMaximum": 0}, "/exclusiveMaximum"),
    ({"type": "number", "multipleOf": 0.5}, "/multipleOf"),
    ({"type": "integer"}, "/type"),
    ({"type": ["string", "null"]}, "/type"),
    ({"enum": ["a", 1, None, {"x": 1}]}, "/enum"),
    ({"const": {"a": [1]}}, "/const"),
    ({"type": "string", "minLength": 2}, "/minLength"),
    ({"type": "string", "maxLength": 2}, "/maxLength"),
    ({"type": "string", "pattern": "^[a-c]{2}$"}, "/pattern"),
    ({"type": "string", "format": "date"}, "/format"),
    ({"type": "string", "format": "ipv4"}, "/format"),
    ({"type": "array", "items": {"type": "integer"}}, "/items"),
    ({"type": "array", "prefixItems": [{"type": "integer"}]}, "/prefixItems"),
    ({"type": "array", "prefixItems": [{}], "items": False}, "/items"),
    ({"type": "array", "minItems": 2}, "/minItems"),
    ({"type": "array", "maxItems": 2}, "/maxItems"),
    ({"type": "array", "uniqueItems": True}, "/uniqueItems"),
    ({"type": "array", "contains": {"type": "integer"}}, "/contains"),
    ({"type": "array", "contains": {"type": "integer"}, "minContains": 2}, "/minContains"),
    ({"type": "array", "contains": {"type": "integer"}, "maxContains": 2}, "/maxContains"),
    ({"type": "array", "prefixItems": [{}], "unevaluatedItems": False}, "/unevaluatedItems"),
    ({"type": "object", "required": ["a", "b"]}, "/required"),
    ({"type": "object", "properties": {"a": {"type": "integer"}}}, "/properties"),
    ({"properties": {"a": {}}, "additionalProperties": False, "type": "object"},
     "/additionalProperties"),
    ({"additionalProperties": {"type": "integer"}, "type": "object"}, "/additionalProperties"),
    ({"type": "object", "patternProperties": {"^x": {"type": "null"}}}, "/patternProperties"),
    ({"type": "object", "propertyNames": {"maxLength": 3}}, "/propertyNames"),
    ({"type": "object", "minProperties": 2}, "/minProperties"),
    ({"type": "object", "maxProperties": 2}, "/maxProperties"),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, "/dependentRequired"),
    ({"type": "object", "dependentSchemas": {"a": {"required": ["c"]}}}, "/dependentSchemas"),
    ({"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False},
     "/unevaluatedProperties"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "/anyOf"),
    ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, "/oneOf"),
    ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, "/allOf"),
    ({"not": {"type": "string"}}, "/not"),
    ({"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}}, "/then"),
    ({"type": "object", "if": {"required": ["a"]}, "else": {"required": ["b"]}}, "/else"),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}}, "/$ref"),
    ({"$schema": "http://json-schema.org/draft-04/schema#", "type": "number", "minimum": 2,
      "exclusiveMinimum": True}, "/exclusiveMinimum"),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array",
      "items": [{"type": "integer"}], "additionalItems": False}, "/additionalItems"),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
      "dependencies": {"a": ["b"]}}, "/dependencies"),
]  # fmt: skip


def found(schema: Any, *pointers: str, **options: Any) -> list[Witnesses]:
    return witnesses(json.dumps(schema), pointers, **options)


def judged(schema: Any, text: str) -> bool:
    kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    checked = kind(schema, registry=Registry(), format_checker=kind.FORMAT_CHECKER)
    return bool(checked.is_valid(json.loads(text)))


@pytest.mark.parametrize(("schema", "pointer"), CASES, ids=lambda case: str(case)[:40])
def test_pairs_differ_in_the_one_keyword_as_jsonschema_says(
    schema: dict[str, Any], pointer: str
) -> None:
    one = found(schema, pointer)[0]
    assert one.pairs, one.why
    keyword = pointer[1:]
    without = deepcopy(schema)
    del without[keyword]
    names_its_neighbours = {"prefixItems", "properties", "patternProperties"}
    for pair in one.pairs:
        assert judged(schema, pair.valid)
        assert not judged(schema, pair.invalid)
        if keyword not in names_its_neighbours:
            assert judged(without, pair.invalid), pair


def test_a_keyword_deep_inside_is_witnessed_through_references_and_alternatives() -> None:
    schema = {
        "type": "object",
        "properties": {"list": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/list"}]}},
        "$defs": {"list": {"type": "array", "items": {"type": "string", "maxLength": 2}}},
    }
    one = found(schema, "/$defs/list/items/maxLength")[0]
    assert len(one.pairs) >= 3
    assert all(json.loads(pair.invalid)["list"] for pair in one.pairs)


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        (r"^(\S+\s+){0,199}\S+$", None),  # too large to be sampled
        (r"^([^,]+(,|$)){3,}$", "tag1, tag2, tag3"),  # an end inside, which no language here has
        (r"^(?=.*\d)[a-z\d]{4,}$", "plan9"),
    ],
)
def test_beside_a_pattern_that_is_not_sampled_every_keyword_is_witnessed(
    pattern: str, example: str | None
) -> None:
    told = {"examples": [example]} if example else {}
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": pattern, **told}, "b": {"minimum": 1}},
        "required": ["a"],
    }
    pointers = ["/type", "/required", "/properties/a/type", "/properties/a/pattern"]
    for one in found(schema, *pointers, "/properties/b/minimum", masks=False):
        assert one.pairs, one.why
        for pair in one.pairs:
            assert judged(schema, pair.valid)
            assert not judged(schema, pair.invalid)


def test_alternatives_inside_are_broken_by_what_none_of_them_allows() -> None:
    rules: dict[str, Any] = {
        name: {
            "type": "object",
            "properties": {
                "t": {"type": "string", "pattern": f"^{name}$"},
                "c": {"$ref": "#/$defs/r"},
            },
            "required": ["t", "c"] if name != "LEAF" else ["t"],
        }
        for name in ("AB", "LEAF", "CD", "EF", "GH", "IJ", "KL", "MN", "OP", "QR", "ST")
    }
    del rules["ST"]["type"]  # it allows whatever is no object
    one_of = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in rules]}
    schema = {"items": {"$ref": "#/$defs/r"}, "$defs": {"r": one_of, **rules}}
    for one in found(schema, "/items", "/items/$ref", masks=False):
        assert one.pairs, one.why


def test_the_least_instance_holds_no_list_where_a_text_will_do() -> None:
    deep = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/u"}}
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"$ref": "#/$defs/u"}},
        "$defs": {"u": {"anyOf": [deep, {"type": "string"}]}},
    }
    for seed in range(8):
        made = Generator(schema, random.Random(seed)).instance(LEAST)
        assert made is not None
        assert made.value == {"a": ""}


def test_an_edit_is_small() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"minLength": 2}}}
    for pair in found(schema, "/properties/a/type")[0].pairs:
        one, other = json.loads(pair.valid), json.loads(pair.invalid)
        assert {k: v for k, v in one.items() if k != "a"} == {
            k: v for k, v in other.items() if k != "a"
        }


def test_a_keyword_that_only_loosens_is_told_apart() -> None:
    one = found({"not": {"type": "string", "minLength": 3}}, "/not/minLength")[0]
    assert not one.pairs
    assert one.loosens
    assert (
        json.loads(one.loosens[0].valid) in ("", "a") or len(json.loads(one.loosens[0].valid)) < 3
    )


@pytest.mark.parametrize(
    ("schema", "pointer", "why"),
    [
        ({"allOf": [{"minimum": 0}, {"minimum": 0}]}, "/allOf/0/minimum", "alone forbids"),
        ({"type": "object", "properties": {"a": False}, "$defs": {"x": {"type": "null"}}},
         "/$defs/x/type", "no valid text"),
        ({"type": "string", "allOf": [False]}, "/type", "no valid text"),
    ],
)  # fmt: skip
def test_without_a_witness_the_reason_is_said(schema: Any, pointer: str, why: str) -> None:
    one = found(schema, pointer, masks=False)[0]
    assert not one.pairs
    assert not one.idle
    assert why in one.why


@pytest.mark.parametrize(
    ("schema", "pointer", "why"),
    [
        ({"enum": [1, 2], "minimum": 0}, "/minimum", "every value under `enum` fits"),
        ({"enum": ["a", "b"], "type": "string"}, "/type", "has that type"),
        ({"const": 5, "enum": [5, 6]}, "/enum", "every value under `const` fits"),
        ({"enum": ["ab", "cd"], "pattern": "^[a-d]+$"}, "/pattern", "fits it anyway"),
        ({"type": "integer", "minLength": 3}, "/minLength", "allows no strings"),
        ({"minLength": 1, "pattern": r"^(\S+\s+){0,99}\S+$"}, "/minLength", "no shorter string"),
        ({"minLength": 5, "pattern": r"^[a-z]{5,}"}, "/minLength", "no shorter string"),
        ({"maxLength": 3, "pattern": "^a?b?$"}, "/maxLength", "no longer string"),
        ({"items": {"description": "any", "url": {}}}, "/items", "allow everything"),
        ({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"title": "t"}}},
         "/properties", "allow everything"),
        ({"anyOf": [{"type": "null"}, True]}, "/anyOf", "allow everything"),
        ({"type": "string", "minLength": 2, "allOf": [{"minLength": 5}]}, "/minLength",
         "the mask is the same"),
        ({"type": "object", "allOf": [{"type": "object"}]}, "/type", "the mask is the same"),
        ({"type": "array", "items": {"allOf": [False], "minimum": 3}}, "/items/minimum",
         "leads to no value"),
    ],
)  # fmt: skip
def test_a_keyword_that_forbids_nothing_beside_the_others_is_told_with_the_reason(
    schema: Any, pointer: str, why: str
) -> None:
    one = found(schema, pointer)[0]
    assert not one.pairs
    assert why in one.idle
    loosened = deepcopy(schema)
    inner = loosened
    for part in pointer.split("/")[1:-1]:
        inner = inner[part]
    del inner[pointer.rpartition("/")[2]]
    for value in (1, 2, 5, 6, "a", "ab", "abcde", "x", None, [], [1], [4], {}, {"a": 1}, {"a": 2}):
        text = json.dumps(value)
        assert judged(loosened, text) == judged(schema, text)


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"enum": ["a", 7], "type": "string"}, "/type"),
        ({"enum": ["ab", "x"], "minLength": 2}, "/minLength"),
        ({"type": ["integer", "string"], "minLength": 3}, "/minLength"),
        ({"items": {"type": "string"}}, "/items"),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "enum": [2, 3],
          "minimum": 2, "exclusiveMinimum": True}, "/minimum"),
        ({"type": "array", "items": {"enum": ["sun", "moon", "rain"]}, "uniqueItems": True,
          "maxItems": 2}, "/maxItems"),
        ({"type": "array", "items": {"enum": ["sun", "moon"]}, "uniqueItems": True,
          "minItems": 2}, "/minItems"),
        ({"type": "string", "pattern": "^a+$", "maxLength": 4}, "/maxLength"),
        ({"type": "string", "format": "date", "pattern": "^2"}, "/pattern"),
        ({"type": "string", "minLength": 2, "pattern": "^a+$"}, "/minLength"),
        ({"type": "string", "maxLength": 2, "pattern": "^a?b?"}, "/maxLength"),
        ({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
          "additionalProperties": False, "maxProperties": 1}, "/maxProperties"),
        ({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
          "additionalProperties": False, "minProperties": 2}, "/minProperties"),
        ({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
          "additionalProperties": False, "required": ["a"]}, "/required"),
        ({"anyOf": [{"type": "object", "required": ["a"], "additionalProperties": False,
                     "properties": {"a": {"type": "integer", "minimum": 3}}},
                    {"type": "null"}]}, "/anyOf/0/properties/a/minimum"),
    ],
)  # fmt: skip
def test_a_keyword_between_tight_neighbours_has_its_pair(schema: Any, pointer: str) -> None:
    one = found(schema, pointer)[0]
    assert not one.idle
    assert one.pairs, one.why
    for pair in one.pairs:
        assert judged(schema, pair.valid)
        assert not judged(schema, pair.invalid)


@pytest.mark.parametrize("wrong", [5, "x", None, True, [], {}, [1], {"a": 1}, [[1]], -1, 1.5])
def test_keywords_with_values_of_the_wrong_kind_break_nothing(wrong: Any) -> None:
    refused = {"type"}  # an unknown type is refused as a whole
    keywords = [key for key in KNOWN - refused if not key.startswith("$")]
    schema = {"properties": {f"p{i}": {key: wrong} for i, key in enumerate(sorted(keywords))}}
    pointers = [each.pointer for each in occurrences(schema)]
    assert len(found(schema, *pointers, pairs=1)) == len(pointers)


def test_an_unknown_type_is_refused_as_a_whole_or_its_place_undecided() -> None:
    schema = {"properties": {"a": {"type": "strng"}, "b": {"type": "string"}}}
    bad, good = found(schema, "/properties/a/type", "/properties/b/type")
    assert not bad.pairs
    assert bad.why
    assert good.pairs


def test_the_time_is_kept_and_said() -> None:
    schema = {
        "type": "object",
        "properties": {f"k{i}": {"pattern": "^(a|b)*c$"} for i in range(400)},
    }
    pointers = [each.pointer for each in occurrences(schema)]
    started = time.monotonic()
    every = found(schema, *pointers, seconds=0.3)
    assert time.monotonic() - started < 4
    assert len(every) == len(pointers)
    assert any("time" in one.why for one in every)


def test_a_pattern_that_backtracks_hangs_nothing() -> None:
    started = time.monotonic()
    found({"type": "string", "pattern": "^(a+)+$", "minLength": 28}, "/pattern", "/minLength")
    assert time.monotonic() - started < 5


def test_most_keywords_of_real_schemas_are_witnessed(shared: Any) -> None:
    lines = (shared / "cases" / "constraints.jsonl").read_text().splitlines()
    asked = decided = 0
    for case in map(json.loads, lines):
        if case["constraint_type"] != "json_schema":
            continue
        schema, text = case["constraint"], json.dumps(case["constraint"])
        pointers = [o.pointer for o in occurrences(schema) if plain(o, False) is None]
        judge = SchemaJudge(text, True)
        for one in witnesses(text, pointers, pairs=2):
            asked += 1
            decided += bool(one.pairs or one.loosens)
            for pair in one.pairs:
                assert judge.judge({"text": pair.valid}, 1.0)["status"] == "valid"
                assert judge.judge({"text": pair.invalid}, 1.0)["status"] == "invalid"
    assert asked > 100
    assert decided / asked > 0.9
