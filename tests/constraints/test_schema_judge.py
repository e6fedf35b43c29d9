"""The schema's own validator as the judge of a run: patterns are bounded wherever they stand."""

import json

import pytest

from playground.constraints.schema_judge import schema_judge
from playground.errors import BudgetExceeded


def test_key_patterns_are_judged() -> None:
    schema = {
        "patternProperties": {"^x-": {"type": "integer"}},
        "properties": {"name": {"type": "string"}},
        "additionalProperties": False,
    }
    valid = schema_judge(json.dumps(schema))
    assert valid({"name": "a", "x-1": 2})
    assert not valid({"x-1": "s"})
    assert not valid({"y": 2})


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^(a|aa)+$"},
        {"patternProperties": {"^(a|aa)+$": {}}},
        {"patternProperties": {"^(a|aa)+$": {}}, "additionalProperties": False},
        {"patternProperties": {"^(a|aa)+$": {}}, "unevaluatedProperties": False},
        {"propertyNames": {"pattern": "^(a|aa)+$"}},
    ],
)
def test_a_pattern_that_runs_away_is_stopped_in_words(schema: object) -> None:
    valid = schema_judge(json.dumps(schema))
    assert valid({"aaa": 1})
    assert valid("aaa")
    hostile = "a" * 60 + "b"
    with pytest.raises(BudgetExceeded, match=r"too long|more than .* second"):
        valid(hostile if "pattern" in schema else {hostile: 1})  # type: ignore[operator]


def test_patterns_beside_unevaluated_properties_are_judged_in_a_child() -> None:
    schema = {"patternProperties": {"^x": True}, "unevaluatedProperties": False}
    valid = schema_judge(json.dumps(schema))
    assert valid({"x": 1})
    assert not valid({"y": 1})


def test_a_value_that_comes_to_a_remote_reference_is_not_valid() -> None:
    valid = schema_judge('{"properties": {"a": {"$ref": "https://example.org/x"}}}')
    assert valid({"b": 1})
    assert not valid({"a": 1})


def test_a_keyword_that_is_no_schema_is_passed_over() -> None:
    valid = schema_judge('{"properties": {"a": {"type": "string", "required": true}}}')
    assert valid({"a": "x"})
    assert not valid({"a": 1})


def test_multiples_are_exact() -> None:
    valid = schema_judge('{"multipleOf": 0.01}')
    assert all(map(valid, (19.99, 4.35, 7, "x")))
    assert not valid(4.355)
