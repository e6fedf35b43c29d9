"""A schema beside the vendors' subsets: what leaves them, where, and the mechanical rewriting."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from playground.errors import InvalidInput
from playground.schema.dialects import dialects
from playground.schema.dialects.counts import counts
from playground.schema.dialects.merge import NoWay, merged
from playground.schema.dialects.references import components, recursive
from playground.schema.dialects.rewrite import fixed
from playground.schema.dialects.rewrite_parts import nullable
from playground.schema.dialects.vendors import ANTHROPIC, DIALECTS, GEMINI, GEMINI_SCHEMA, OPENAI
from playground.schema.dialects.walk import walk

STRICT = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Who."},
        "unit": {"type": ["string", "null"], "enum": ["C", "F", None]},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "minItems": 1},
    },
    "required": ["name", "unit", "lines"],
    "additionalProperties": False,
    "$defs": {
        "line": {
            "type": "object",
            "properties": {"price": {"type": "number"}},
            "required": ["price"],
            "additionalProperties": False,
        }
    },
}


def breaches(schema: Any, dialect: Any = OPENAI) -> list[tuple[str, str]]:
    return [(one.keyword, one.pointer) for one in walk(schema, dialect) if one.breach]


def rewritten(schema: Any, dialect: Any = OPENAI) -> tuple[Any, str]:
    found = fixed(schema, dialect)
    assert found is not None
    return json.loads(found["source"]), found["title"]


def by_name(text: str) -> dict[str, dict[str, Any]]:
    return {document["name"]: document for document in dialects(text)}


@pytest.mark.parametrize("dialect", [OPENAI, GEMINI, ANTHROPIC])
def test_a_schema_written_for_all_vendors_fits(dialect: Any) -> None:
    schema = json.loads(json.dumps(STRICT))
    if dialect is GEMINI:
        schema["properties"]["unit"]["enum"] = ["C", "F"]
    assert breaches(schema, dialect) == []


def test_every_problem_has_a_line_and_the_page_it_comes_from() -> None:
    text = json.dumps({"type": "object", "properties": {"a": {"not": {}}}}, indent=1)
    found = by_name(text)["OpenAI strict mode"]
    assert not found["fits"]
    lines = {(one["keyword"], one["line"]) for one in found["problems"]}
    assert lines == {
        ("additionalProperties", 1),
        ("required", 1),
        ("not", 5),
        ("type", 4),
        ("type", 5),
    }
    assert found["as_of"] == "2026-10"
    assert found["source"].startswith("https://developers.openai.com/")


def test_a_keyword_that_a_page_is_silent_about_is_a_note_and_no_problem() -> None:
    schema = json.loads(json.dumps(STRICT))
    schema["properties"]["name"]["minLength"] = 1
    found = by_name(json.dumps(schema))
    assert found["OpenAI strict mode"]["fits"]
    (note,) = found["OpenAI strict mode"]["notes"]
    assert (note["keyword"], note["pointer"]) == ("minLength", "/properties/name/minLength")
    assert "nothing promises it" in note["message"]
    strict = found["Anthropic structured outputs and strict tools"]
    assert [one["keyword"] for one in strict["problems"]] == ["minLength"]


def test_openai_wants_an_object_without_choice_at_the_root() -> None:
    for schema in ({"type": "string"}, {"anyOf": [{"type": "object"}]}, {}):
        assert ("type", "") in breaches(schema)
    new, title = rewritten({"type": "array", "items": {"type": "string"}})
    assert new["properties"]["value"] == {"type": "array", "items": {"type": "string"}}
    assert new["required"] == ["value"]
    assert "the answer stands under the property `value`" in title


def test_optional_properties_become_required_and_nullable() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "enum": ["x"]},
            "c": {"$ref": "#/$defs/d"},
        },
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"d": {"type": "integer"}},
    }
    new, title = rewritten(schema)
    assert new["required"] == ["a", "b", "c"]
    assert new["properties"]["b"] == {"type": ["string", "null"], "enum": ["x", None]}
    assert new["properties"]["c"] == {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]}
    assert "b, c at the root must be there, and may be null" in title
    valid = Draft202012Validator(new).is_valid
    assert valid({"a": "", "b": None, "c": None})
    assert valid({"a": "", "b": "x", "c": 1})
    assert not valid({"a": None, "b": None, "c": None})
    assert not valid({"a": ""})


def test_what_is_dropped_is_listed() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "maxLength": 3, "format": "uri-template"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    new, title = rewritten(schema, ANTHROPIC)
    assert new["properties"]["a"] == {"type": "string"}
    assert "maxLength at /properties/a/maxLength" in title
    assert "format at /properties/a/format" in title


def test_items_go_with_prefix_items_so_that_nothing_becomes_narrower() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {
                "type": "array",
                "prefixItems": [{"type": "string"}],
                "items": {"type": "integer"},
            }
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    new, _ = rewritten(schema)
    assert new["properties"]["a"] == {"type": "array"}


def test_the_tuple_of_old_drafts_is_renamed_or_dropped() -> None:
    schema = {"type": "array", "items": [{"type": "string"}], "additionalItems": False}
    assert ("items", "/items") in breaches(schema, GEMINI)
    new, _ = rewritten(schema, GEMINI)
    assert new == {"type": "array", "prefixItems": [{"type": "string"}], "items": False}
    new, title = rewritten(schema, ANTHROPIC)
    assert new == {"type": "array"}
    assert "items at /items" in title


def test_free_keys_have_no_mechanical_rewriting() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert breaches(schema) == [("additionalProperties", "/additionalProperties")]
    assert fixed(schema, OPENAI) is None


def test_all_of_is_merged_or_left_alone() -> None:
    new, _ = rewritten(
        {
            "allOf": [
                {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            ]
        }
    )
    assert new["required"] == ["a", "b"]
    assert "allOf" not in new
    with pytest.raises(NoWay):
        merged([{"type": "string"}, {"type": "integer"}])
    with pytest.raises(NoWay):
        merged(
            [{"properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}]
        )
    assert merged([{"minimum": 1}, {"minimum": 3, "maximum": 9}]) == {"minimum": 3, "maximum": 9}


def test_the_schema_object_of_gemini_has_no_references_and_no_type_lists() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "b": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"type": "integer", "minimum": 1}},
    }
    new, _ = rewritten(schema, GEMINI_SCHEMA)
    assert new["properties"] == {
        "a": {"type": "string", "nullable": True},
        "b": {"type": "integer", "minimum": 1},
    }
    assert "$defs" not in new
    loop = {"type": "object", "properties": {"next": {"$ref": "#"}}}
    assert fixed(loop, GEMINI_SCHEMA) is None


def test_a_schema_may_contain_itself_where_the_page_says_so() -> None:
    loop = {
        "type": "object",
        "properties": {"next": {"$ref": "#"}},
        "required": ["next"],
        "additionalProperties": False,
    }
    assert breaches(loop) == []
    assert breaches(loop, ANTHROPIC) == [("$ref", "/properties/next/$ref")]
    assert breaches(loop, GEMINI) == [("$ref", "/properties/next/$ref")]
    del loop["required"]
    assert breaches(loop, GEMINI) == []


def test_recursion_is_found_through_definitions_and_not_where_there_is_none() -> None:
    schema = {
        "$defs": {
            "a": {"properties": {"b": {"$ref": "#/$defs/b"}}},
            "b": {"items": {"$ref": "#/$defs/a"}},
            "c": {"$ref": "#/$defs/d"},
            "d": {"type": "string"},
        },
        "properties": {"x": {"$ref": "#/$defs/a"}, "y": {"$ref": "#/$defs/c"}},
    }
    assert recursive(schema) == {"/$defs/a/properties/b", "/$defs/b/items"}


def test_strongly_connected_parts_are_those_that_reach_each_other() -> None:
    part = components({"a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["e"], "e": []})
    assert part["a"] == part["b"] == part["c"]
    assert len({part["a"], part["d"], part["e"]}) == 3


def test_limits_are_counted_and_named() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        deep = {
            "type": "object",
            "properties": {"n": deep},
            "required": ["n"],
            "additionalProperties": False,
        }
    assert counts(deep).depth == 11
    (remark,) = [one for one in walk(deep, OPENAI) if one.breach]
    assert remark.message == "The schema has 11 levels of objects; at most 10 may be."
    through = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/b"}},
        "$defs": {"b": {"type": "object", "properties": {"c": {"$ref": "#/$defs/b"}}}},
    }
    assert counts(through).depth == 2
    long = {
        **STRICT,
        "properties": {"name": {"enum": [f"{n:070}" for n in range(251)]}},
        "required": ["name"],
    }
    assert ("enum", "/properties/name/enum") in breaches(long)


def test_a_chain_of_a_thousand_definitions_is_measured() -> None:
    chain = {
        "$defs": {
            f"d{n}": {"type": "object", "properties": {"x": {"$ref": f"#/$defs/d{n + 1}"}}}
            for n in range(1_500)
        }
        | {"d1500": {"type": "string"}},
        "$ref": "#/$defs/d0",
    }
    assert counts(chain).depth == 1_500
    assert recursive(chain) == set()


def test_json_mode_lets_through_what_the_schema_forbids() -> None:
    found = by_name(json.dumps(STRICT))["JSON mode"]
    assert found["example"] == "{}"
    assert found["problems"][0]["message"] == "JSON mode allows {}, and the schema forbids it."
    anything = by_name("true")["JSON mode"]
    assert anything["fits"]
    assert anything["example"] is None


def test_a_schema_that_never_ends_its_check_costs_no_more_than_its_limit() -> None:
    schema: dict[str, Any] = {"$defs": {"a0": {"type": "string"}}}
    for n in range(1, 60):
        schema["$defs"][f"a{n}"] = {"allOf": [{"$ref": f"#/$defs/a{n - 1}"}] * 2}
    schema["$ref"] = "#/$defs/a59"
    found = by_name(json.dumps(schema))["JSON mode"]
    assert found["fits"] == (found["example"] is None)


@pytest.mark.parametrize("text", ["3", "[", '{"a": }'])
def test_what_is_no_schema_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        dialects(text)
    assert caught.value.line == 1


def test_every_fact_names_its_page_and_month() -> None:
    for dialect in DIALECTS:
        assert dialect.source.startswith("https://")
        assert "2026" in dialect.as_of
        assert dialect.silences


def schemas(shared: Path) -> list[Any]:
    lines = (shared / "cases" / "constraints.jsonl").read_text().splitlines()
    cases = [json.loads(line) for line in lines]
    return [one["constraint"] for one in cases if one["constraint_type"] == "json_schema"]


def test_every_fix_of_the_handed_over_schemas_lies_inside_its_dialect(shared: Path) -> None:
    found = 0
    for schema in schemas(shared):
        for dialect in DIALECTS:
            if breaches(schema, dialect):
                fix = fixed(schema, dialect)
                if fix is not None:
                    found += 1
                    assert breaches(json.loads(fix["source"]), dialect) == []
    assert found > 20


def test_a_rewriting_that_names_only_losses_still_allows_every_valid_instance(shared: Path) -> None:
    asked = 0
    for line in (shared / "cases" / "constraints.jsonl").read_text().splitlines():
        case = json.loads(line)
        if case["constraint_type"] != "json_schema" or "patternProperties" in line:
            continue
        valid = [json.loads(one["text"]) for one in case["strings"] if one["valid"]]
        for dialect in DIALECTS:
            fix = fixed(case["constraint"], dialect)
            if fix is None or "Narrower" in fix["title"] or "Changed" in fix["title"]:
                continue
            judge = Draft202012Validator(json.loads(fix["source"]))
            for value in valid:
                if "nullable" in fix["source"] and "null" in json.dumps(value):
                    continue  # OpenAPI's word for null, which this judge doesn't know
                asked += 1
                assert judge.is_valid(value), (case["id"], dialect.name, value)
    assert asked > 100


KEYWORDS = [
    *(
        "$defs",
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "enum",
        "format",
        "items",
    ),
    *("maximum", "minItems", "minimum", "oneOf", "pattern", "properties", "required", "type", "a"),
]
json_values = st.recursive(
    st.sampled_from([None, True, False, 0, 3, "", "a", "object", "#", "string", "#/$defs/a"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=300)
@given(json_values)
def test_no_schema_however_odd_stops_the_walk_or_gets_a_fix_outside_its_dialect(
    schema: Any,
) -> None:
    for dialect in DIALECTS:
        walk(schema, dialect)
        fix = fixed(schema, dialect)
        if fix is not None:
            assert breaches(json.loads(fix["source"]), dialect) == []


@given(
    st.sampled_from(
        [
            {"type": "string"},
            {"enum": [1]},
            {"const": "a"},
            {"type": ["integer"]},
            {"anyOf": [{"type": "string"}]},
            True,
            {"type": "null"},
            {},
        ]
    ),
    st.none() | st.text(max_size=2) | st.integers(0, 2),
)
def test_a_nullable_schema_allows_null_and_else_what_it_did(schema: Any, value: Any) -> None:
    before = Draft202012Validator(schema).is_valid(value)
    assert Draft202012Validator(nullable(schema)).is_valid(value) is (before or value is None)
