"""Golds that can never be matched: what is found is certain, and what a visitor gets wrong is found."""

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.spec import ConstraintSpec, Kind
from playground.study.gold_check import MOST_JUDGED, GoldCheck, check_golds, gold_warning
from playground.study.gold_schema import folded, of_fields, of_whole
from playground.study.items import SETS, Item, read_items
from playground.study.row import compared

TICKET = {
    "type": "object",
    "properties": {
        "intent": {"enum": ["billing", "Bug"]},
        "total": {"type": "integer", "minimum": 0},
        "due": {"type": ["string", "null"], "pattern": "^[0-9]{4}$", "minLength": 4},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "maxItems": 2},
    },
    "required": ["intent", "total", "due"],
    "additionalProperties": False,
    "$defs": {"tag": {"const": "vip"}},
}


def check(schema: Any, *golds: Any, kind: Kind = "schema") -> GoldCheck:
    source = schema if isinstance(schema, str) else json.dumps(schema)
    items = [Item(id=f"row-{at + 2}", prompt="p", gold=gold) for at, gold in enumerate(golds)]
    return check_golds(ConstraintSpec(kind=kind, source=source), items)


@pytest.mark.parametrize(
    ("gold", "why"),
    [
        ({"intent": "refunds"}, 'intent: "refunds" is not one of "billing", "Bug"'),
        ({"intent": 3}, 'intent: 3 is not one of "billing", "Bug"'),
        ({"total": "49"}, 'total: "49" is text, the schema wants integer'),
        ({"total": 49.5}, "total: 49.5 is a number, the schema wants integer"),
        ({"total": True}, "total: true is a boolean, the schema wants integer"),
        ({"total": -1}, "total: the schema refuses -1"),
        ({"due": 2024}, "due: 2024 is a number, the schema wants string or null"),
        ({"tags": ["vip", "old"]}, 'tags: the schema refuses ["vip", "old"]'),
        ({"Intent": "billing"}, "Intent: the schema has no such field; it has"),
        ("billing", '"billing" is text, the schema wants object'),
        ([], "[] is a list, the schema wants object"),
    ],
)
def test_what_the_schema_forbids_is_found_with_its_row_and_field(gold: Any, why: str) -> None:
    found = check(TICKET, {"intent": "billing"}, gold)
    assert [str(each).partition(why)[0] for each in found.found] == (
        ["row 3, "] if isinstance(gold, dict) else ["row 3: "]
    )
    assert why in gold_warning(found)


def test_what_an_answer_may_equal_is_not() -> None:
    fine = check(
        TICKET, {"intent": " BUG"}, {"total": 49.0}, {"due": None}, {"due": " 20 "}, {}, None,
        {"tags": ["VIP", "vip"]}, {"intent": "billing", "total": 3},
    )  # fmt: skip
    assert fine == GoldCheck((), True, True)
    assert gold_warning(fine) == ""


def test_the_built_in_golds_fit_their_schemas() -> None:
    for found in SETS.values():
        spec = ConstraintSpec(kind="schema", source=json.dumps(found.schema))
        assert check_golds(spec, found.make()[:300]).found == (), found.name


def test_references_branches_and_nested_dialects_are_looked_into() -> None:
    ticket = {"$ref": "#/$defs/ticket", "$defs": {"ticket": TICKET, "tag": {"const": "vip"}}}
    assert len(check(ticket, {"intent": "refunds"}).found) == 1
    either = {"oneOf": [TICKET, {"type": "object", "properties": {"intent": {"const": "other"}}}]}
    assert check({**either, "$defs": TICKET["$defs"]}, {"intent": "other"}).found == ()
    tight = {"oneOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"a": {"const": 2}}}]}
    assert len(check(tight, {"a": 1}, {"a": 3}).found) == 1
    tree = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
    assert check(tree, {"next": {"next": {}}}).found == ()
    # A reference inside it would mean another place.
    inner = {"$id": "inner", "type": "string"}
    assert check({"properties": {"a": inner}}, {"a": 3}).found == ()


@pytest.mark.parametrize(
    "schema",
    [
        '{"properties": {"a": {"$ref": "https://example.invalid/x"}}}',
        '{"properties": {"a": {"$ref": "#/$defs/gone"}}}',
        '{"properties": 3, "enum": 4, "type": "sting"}',
        '{"broken',
        "3",
    ],
)
def test_a_schema_that_says_nothing_warns_of_nothing(schema: str) -> None:
    assert check(schema, {"a": 3}, "x").found == ()


def test_a_hostile_schema_ends_in_time_and_warns_of_nothing() -> None:
    defs = {f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(40)}
    doubling = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d40": {}}}
    keys = {"patternProperties": {"^(a+)+$": False}, "additionalProperties": True}
    began = time.monotonic()
    for schema in (doubling, {**doubling, "$ref": "#/$defs/d0"}, keys):
        found = check(schema, {"b": 1} if schema is keys else {"a": 1}, {"a" * 40 + "b": 1})
        assert gold_warning(found) == ""
    assert time.monotonic() - began < 60


def test_answers_that_are_texts_have_texts_as_golds() -> None:
    found = check("[0-9]+", 49, "49", {"a": 1}, None, kind="regex")
    assert [each.item for each in found.found] == ["row-2", "row-4"]
    assert "49 is no text: in quotes it is" in gold_warning(found)
    assert not found.by_schema
    choices = check("yes\nNo", " NO ", "maybe", kind="choices")
    assert [str(each) for each in choices.found] == ['row 3: "maybe" is not one of "yes", "No"']


def test_the_warning_counts_golds_names_the_first_and_says_what_to_do() -> None:
    bad = [{"intent": f"x{at}", "total": "a"} for at in range(5)]
    said = gold_warning(check(TICKET, *bad))
    assert said.startswith(
        "5 golds can never be matched by an answer that the schema allows: row 2"
    )
    assert "; and 7 more. Mend the gold or the constraint" in said
    named = [Item(id="a\n<b>" + "x" * 90, prompt="p", gold={"intent": "y\u2028"})]
    text = gold_warning(
        check_golds(ConstraintSpec(kind="schema", source=json.dumps(TICKET)), named)
    )
    assert "prompt a·<b>x" in text
    assert "\n" not in text
    many = check(TICKET, *({"total": f"n{at}"} for at in range(MOST_JUDGED + 1)))
    assert not many.whole
    assert gold_warning(many).startswith(f"At least {MOST_JUDGED:,} golds")


JSON = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["a", "A ", " a", "b", "é", "e\u0301"])
    | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 0.5]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(st.sampled_from(["x", "y"]), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip


def typed(value: Any) -> str:
    """A spelling in which true is not 1, and 1 is 1.0."""
    return json.dumps(value, sort_keys=True)


@settings(deadline=None)
@given(JSON, JSON)
def test_folding_is_the_comparison_of_an_answer_with_its_gold(gold: Any, value: Any) -> None:
    same = all(compared([gold], [value]).values())
    assert same == (typed(folded(gold)) == typed(folded(value)))


SCHEMA = st.recursive(
    st.sampled_from(
        [{"type": "string", "pattern": "^a"}, {"enum": ["A ", 1, None]}, {"const": "b"}, True,
         {"type": ["integer", "null"], "minimum": 0}, {"minLength": 2}, {"not": {"const": "a"}}]
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from(["x", "y"]), inner, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "required": st.just(["x"]),
            "items": inner,
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "if": inner,
            "else": inner,
            "uniqueItems": st.just(True),
        },
    ),
    max_leaves=6,
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(SCHEMA, JSON)
def test_what_the_schema_accepts_its_wider_ones_accept_folded(schema: Any, value: Any) -> None:
    from jsonschema import Draft202012Validator

    if not Draft202012Validator(schema).is_valid(value):
        return
    assert Draft202012Validator(of_whole(schema)).is_valid(folded(value))
    if isinstance(value, dict):
        for name, each in value.items():
            assert Draft202012Validator(of_fields(schema)).is_valid({name: folded(each)})


def test_a_visitors_own_rows_are_named_as_in_the_file() -> None:
    text = "prompt,gold.intent\na,billing\n\nb,refunds\n"
    spec = ConstraintSpec(kind="schema", source=json.dumps(TICKET))
    found = check_golds(spec, read_items(text, "csv", 9))
    assert "row 4, intent" in gold_warning(found)
