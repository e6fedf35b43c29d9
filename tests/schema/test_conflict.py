"""The smallest conflicting part of a schema."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.conflict_search import (
    Piece,
    _is_empty,
    _is_in,
    _kept_whole,
    _pieces,
    reduced,
    search,
)
from playground.constraints.jsonschema import lower
from playground.constraints.limits import Limits
from playground.constraints.spec import ConstraintSpec
from playground.errors import EmptyLanguage, PlaygroundError
from playground.schema.conflict import conflict


def told(schema):
    source = schema if isinstance(schema, str) else json.dumps(schema)
    return conflict(ConstraintSpec(kind="schema", source=source), source)


def pointers(schema):
    return [each["pointer"] for each in told(schema)["keywords"]]


def test_exactly_minimum_and_maximum_with_their_places() -> None:
    source = '{"minimum":5,\n "maximum":3,\n "type":"integer",\n "title":"x"}'
    found = told(source)
    assert found["complete"]
    assert [(each["keyword"], each["line"], each["column"]) for each in found["keywords"]] == [
        ("minimum", 1, 2),
        ("maximum", 2, 2),
    ]
    assert "`minimum` (line 1)" in found["words"]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "enum": [1]}, ["/type", "/enum"]),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, ["/allOf/0/type", "/allOf/1/type"]),
        ({"type": "string", "pattern": "^ab$", "maxLength": 1}, ["/pattern", "/maxLength"]),
        (
            {"type": "integer", "minimum": 1.2, "maximum": 1.8},
            ["/type", "/minimum", "/maximum"],
        ),
        (
            {
                "type": "object",
                "properties": {"z": {"type": "string"}, "a": {"$ref": "#/$defs/x"}},
                "required": ["z", "a"],
                "$defs": {"x": {"type": "integer", "minimum": 5, "maximum": 3}},
            },
            ["/required", "/$defs/x/minimum", "/$defs/x/maximum"],
        ),
        (False, [""]),
        (
            {"type": "object", "properties": {"a": False}, "required": ["a"]},
            ["/required", "/properties/a"],
        ),
        (
            {"type": "array", "minItems": 2, "items": False},
            ["/minItems", "/items"],
        ),
    ],
)
def test_the_smallest_part_is_told(schema, expected) -> None:
    assert pointers(schema) == expected


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["integer", "string", "number"]),
            "minimum": st.integers(0, 4),
            "maximum": st.integers(0, 4),
            "minLength": st.integers(0, 3),
            "maxLength": st.integers(0, 3),
            "enum": st.lists(st.integers(0, 4) | st.sampled_from(["a", "abc"]), min_size=1),
            "const": st.integers(0, 4),
            "title": st.just("x"),
        },
    )
)
def test_none_of_what_is_told_can_be_spared(schema) -> None:
    limits = Limits()
    try:
        lower(json.dumps(schema))
    except EmptyLanguage:
        found = search(json.dumps(schema), "one", 5.0, limits)
        told_ones = {Piece("", keyword) for _, keyword in found["pieces"]}
        context = {Piece("", keyword) for _, keyword in found["context"]}
        assert told_ones
        spare = {Piece("", keyword) for keyword in schema} - told_ones - context
        for piece in told_ones:
            lower(json.dumps(reduced(schema, {piece} | spare)))  # it has values: nothing is raised
        return
    assert search(json.dumps(schema), "one", 5.0, limits)["pieces"] == []


def test_other_kinds_get_a_sentence() -> None:
    spec = ConstraintSpec(kind="regex", source="[a&&b]")
    found = conflict(spec, None)
    assert found["keywords"] == []
    assert found["words"]


def test_without_time_the_set_is_at_most_that() -> None:
    properties = {f"p{i}": {"type": "string", "minLength": i} for i in range(20)}
    schema = {"type": "object", "properties": properties, "minimum": 5, "maxProperties": 2}
    schema["required"] = sorted(properties)
    found = search(json.dumps(schema), "one", 0.0, Limits())
    assert not found["complete"]
    assert found["pieces"]


def test_keywords_and_context_alone_have_no_value() -> None:
    """What is named conflicts by itself, and the sentence tells of the types that it needs."""
    schema = {
        "type": "object",
        "title": "x",
        "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 3}, "b": {}},
        "required": ["a"],
    }
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema))
    found = conflict(spec, spec.source)
    named = {(each["pointer"], each["keyword"]) for each in found["keywords"] + found["context"]}
    assert {each["keyword"] for each in found["keywords"]} == {"required", "minLength", "maxLength"}
    assert "`type`" in found["words"]
    left = {piece for piece in _pieces(schema) if (piece.pointer, piece.keyword) not in named}
    with pytest.raises(EmptyLanguage):
        lower(json.dumps(reduced(schema, left)))
    for each in found["keywords"]:
        gone = Piece(each["pointer"].rpartition("/")[0], each["keyword"])
        lower(json.dumps(reduced(schema, {*left, gone})))


def reduced_to(schema, found):
    """The schema without every piece that was found to be spare."""
    named = {(pointer, keyword) for pointer, keyword in found["pieces"] + found["context"]}
    whole = _kept_whole(schema, loose=False)
    return {
        piece
        for piece in _pieces(schema)
        if not _is_in(piece, whole) and (piece.pointer, piece.keyword) not in named
    }


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        # Without `maxLength` in it, `not` alone would allow nothing: that is another schema.
        ({"enum": ["a"], "not": {"maxLength": 5}, "title": "x"}, ["/enum", "/not"]),
        ({"type": "integer", "not": {"type": "number", "minimum": 0}, "minimum": 3}, None),
        ({"enum": ["a"], "if": {"const": "a"}, "then": False}, ["/enum", "/if", "/then"]),
        (
            {"if": {"type": "string"}, "then": {"minLength": 3}, "else": False, "maxLength": 2},
            ["/if", "/else", "/maxLength", "/then/minLength"],
        ),
        (
            {
                "enum": ["a"],
                "not": {"$ref": "#/$defs/x"},
                "$defs": {"x": {"type": "string", "maxLength": 5}},
            },
            ["/enum", "/not"],
        ),
        (
            {"enum": ["abcd"], "oneOf": [{"minLength": 3}, {"maxLength": 5}]},
            ["/enum", "/oneOf"],
        ),
        (
            {"oneOf": [{"type": "integer", "enum": ["a"]}, {"type": "string", "enum": [1]}]},
            ["/oneOf/0/type", "/oneOf/0/enum", "/oneOf/1/type", "/oneOf/1/enum"],
        ),
        # `properties` is first in vain: it can go only once `additionalProperties` has gone.
        (
            {
                "properties": {"a": {}},
                "additionalProperties": False,
                "required": ["a"],
                "type": "object",
                "allOf": [{"type": "string"}],
            },
            ["/type", "/allOf/0/type"],
        ),
        (
            {
                "type": "object",
                "properties": {"a": {}},
                "additionalProperties": False,
                "required": ["a", "b"],
            },
            ["/additionalProperties", "/required"],
        ),
    ],
)
def test_a_part_of_the_schema_is_told_and_not_another_one(schema, expected) -> None:
    found = search(json.dumps(schema), "one", 20.0, Limits())
    assert found["complete"]
    told_ones = [pointer for pointer, _ in found["pieces"]]
    assert expected is None or told_ones == expected
    spare = reduced_to(schema, found)
    with pytest.raises(EmptyLanguage):
        lower(json.dumps(reduced(schema, spare)))
    for pointer, keyword in found["pieces"]:
        owner = pointer.removesuffix(f"/{keyword}") if keyword else pointer
        lower(json.dumps(reduced(schema, {*spare, Piece(owner, keyword)})))  # it has values


PARTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["integer", "string"]),
        "minimum": st.integers(0, 3),
        "maximum": st.integers(0, 3),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "enum": st.lists(st.integers(0, 3) | st.sampled_from(["a", "abc"]), min_size=1),
    },
)


@settings(max_examples=60, deadline=None)
@given(
    PARTS,
    st.fixed_dictionaries(
        {}, optional={"not": PARTS, "if": PARTS, "then": PARTS | st.just(False), "else": PARTS}
    ),
)
def test_none_can_be_spared_beside_what_is_negated_or_asked(plain, rest) -> None:
    schema = {**plain, **rest}
    try:
        lower(json.dumps(schema))
    except EmptyLanguage:
        pass
    except PlaygroundError:
        return
    else:
        return
    found = search(json.dumps(schema), "one", 20.0, Limits())
    assert found["complete"]
    assert found["pieces"]
    spare = reduced_to(schema, found)
    assert _is_empty(reduced(schema, spare), "one", None)
    for pointer, keyword in found["pieces"]:
        owner = pointer.removesuffix(f"/{keyword}") if keyword else pointer
        gone = {*spare, Piece(owner, keyword)}
        assert not _is_empty(reduced(schema, gone), "one", None)


def test_keywords_of_one_name_are_told_apart() -> None:
    found = told({"allOf": [{"type": "string"}, {"type": "integer"}]})
    assert "`type` (line 1, column 13) and `type` (line 1, column 33) can't" in found["words"]
    spread = told('{"allOf":[{"type":"string"},\n{"type":"integer"}]}')
    assert "`type` (line 1) and `type` (line 2) can't" in spread["words"]
    nested = {"properties": {"a": {"type": "string", "minLength": 5, "maxLength": 3}}}
    words = told({"type": "object", **nested, "required": ["a"]})["words"]
    assert words.count("`type` (line 1, column ") == 2
    assert "beside them say which values they are about." in words


def test_passes_are_repeated_until_nothing_can_be_spared() -> None:
    schema = {
        "properties": {"a": {}},
        "additionalProperties": False,
        "type": "object",
        "allOf": [{"type": "string"}],
    }
    found = search(json.dumps(schema), "one", 20.0, Limits())
    assert found["context"] == [["/allOf", "allOf"]]  # `properties` too has gone, in a second pass
