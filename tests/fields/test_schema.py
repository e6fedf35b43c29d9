"""Record types of schemas: every combination is a record, every record a combination, and what is refused."""

import copy
import json
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from playground.constraints.schema_judge import schema_judge
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput, PlaygroundError
from playground.fields import built
from playground.fields.numbers import BINS, MOST_EACH
from playground.fields.record_type import ABSENT, RecordType
from playground.fields.schema import record_type_of, split
from playground.study.prompts.base import closed
from tests.fields.random_records import OPEN, RULES, SCALARS, documents, noisy_documents


def spec(schema: Any, kind: Any = "schema") -> ConstraintSpec:
    return ConstraintSpec(
        kind=kind, source=schema if isinstance(schema, str) else json.dumps(schema)
    )


def of(schema: Any, kind: Any = "schema", **edges: tuple[float, ...]) -> RecordType:
    return record_type_of(spec(schema, kind), edges)


def refused(schema: Any, kind: Any = "schema", **edges: tuple[float, ...]) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        of(schema, kind, **edges)
    assert caught.value.what.endswith(".")
    assert caught.value.where
    assert caught.value.hint, "no word on what to do"
    return caught.value


IMPOSSIBLE = ("no combination", "at most 10,000 are judged", "Nothing is valid", "can have a value")
"""What is said of a schema of closed fields that has no record, or too many to judge."""


def tried(schema: Any) -> RecordType | PlaygroundError:
    """The record type, or why there is none."""
    try:
        return of(schema)
    except PlaygroundError as error:
        return error


# the laws


@settings(max_examples=60, deadline=None)
@given(documents())
def test_a_combination_is_allowed_just_where_jsonschema_accepts_its_record(schema: Any) -> None:
    judge = Draft202012Validator(schema)
    found = tried(schema)
    if not isinstance(found, RecordType):
        assert any(why in found.what for why in IMPOSSIBLE), found
        free = tried({key: value for key, value in schema.items() if key not in RULES})
        if "no combination" in found.what and isinstance(free, RecordType):
            every = product(*map(range, free.sizes))
            assert not any(judge.is_valid(free.record(indices)) for indices in every)
        return
    assume(found.combinations <= 4_000)
    records = set()
    for indices in product(*map(range, found.sizes)):
        record = found.record(indices)
        assert judge.is_valid(record) == (found.allowed is None or indices in found.allowed), record
        if found.allowed is None or indices in found.allowed:
            assert found.indices(record) == indices
            records.add(json.dumps(record, sort_keys=True))
        else:
            with pytest.raises(InvalidInput):
                found.indices(record)
    assert len(records) == (found.combinations if found.allowed is None else len(found.allowed))


@settings(max_examples=60, deadline=None)
@given(documents())
def test_every_value_that_a_field_may_have_is_in_one_of_its_options(schema: Any) -> None:
    found = tried({key: schema[key] for key in ("type", "properties", "$defs")})
    if not isinstance(found, RecordType):
        assert any(why in found.what for why in IMPOSSIBLE), found
        return
    for field in found.fields:
        inner: Any = schema
        for key in field.path:
            inner = inner["properties"][key]
        judge = Draft202012Validator({**inner, "$defs": schema["$defs"]})
        is_binned = any(option.lower is not None for option in field.options)
        for value in (*SCALARS, *range(-8, 70), *(at / 2 for at in range(-15, 20)), ABSENT):
            if value is ABSENT:
                may = True  # nothing is required here
            elif isinstance(value, str) and field.kind == "date":
                continue  # jsonschema lets any text be a date
            else:
                may = judge.is_valid(value)
            if may:
                field.index(value)
            elif not is_binned:
                with pytest.raises(InvalidInput):
                    field.index(value)


@settings(max_examples=40, deadline=None)
@given(documents(), st.data())
def test_an_open_field_is_named_and_split_leaves_what_is_accepted(
    schema: Any, data: st.DataObject
) -> None:
    schema = {key: value for key, value in schema.items() if key not in RULES}
    plain = tried(schema)
    assume(isinstance(plain, RecordType))
    assert isinstance(plain, RecordType)
    where = [(), *((name,) for name, each in schema["properties"].items() if "properties" in each)]
    added = []
    spoiled = copy.deepcopy(schema)
    for at in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(where))
        owner = spoiled["properties"][path[0]] if path else spoiled
        owner["properties"][f"free{at}"] = data.draw(st.sampled_from(OPEN))
        if data.draw(st.booleans()):
            owner["required"] = [*owner["required"], f"free{at}"]
        added.append(".".join((*path, f"free{at}")))
    error = refused(spoiled)
    assert any(f"`{name}`" in error.what for name in added)
    assert "split the schema" in error.hint
    left, names = split(spec(spoiled))
    assert sorted(names) == sorted(added)
    assert record_type_of(left).document() == plain.document()
    assert split(left) == (left, ())


@settings(max_examples=60, deadline=None)
@given(noisy_documents())
def test_any_schema_gives_a_type_of_valid_records_or_is_refused_in_words(schema: Any) -> None:
    found = tried(schema)
    if not isinstance(found, RecordType):
        assert found.what.endswith("."), found
        assert found.where, found
        return
    judge = schema_judge(json.dumps(schema))
    allowed = sorted(found.allowed or product(*map(range, found.sizes)))[:200]
    for indices in allowed:
        assert judge(found.record(indices))
        assert found.indices(found.record(indices)) == indices


# what is read


def test_the_example_of_the_product() -> None:
    found = of(
        closed(
            intent={"enum": ["refund", "bug"], "description": "What it is about."},
            urgent={"type": "boolean"},
            amount={"type": "integer", "minimum": 0, "maximum": 100},
            day={"type": "string", "format": "date", "x-from": "2024-01-30", "x-to": "2024-02-02"},
        ),
        amount=(0, 10, 100),
    )
    assert found.names == ("intent", "urgent", "amount", "day")
    assert [field.kind for field in found.fields] == ["choice", "boolean", "binned", "date"]
    assert found.sizes == (2, 2, 2, 4)
    assert found.fields[0].description == "What it is about."
    assert [option.value for option in found.fields[1].options] == [False, True]
    assert found.fields[2].labels == ("0 to 9", "10 to 100")
    assert [found.fields[2].index(each) for each in (0, 9, 10, 100)] == [0, 0, 1, 1]
    assert found.fields[3].labels[0] == "2024-01-30"
    assert found.allowed is None


def test_one_number_more_than_are_an_option_each_makes_bins_and_says_so() -> None:
    few = of(closed(n={"type": "integer", "minimum": 1, "maximum": MOST_EACH}))
    many = of(closed(n={"type": "integer", "minimum": 0, "maximum": MOST_EACH}))
    assert few.sizes == (MOST_EACH,)
    assert few.fields[0].kind == "choice"
    assert not few.notes
    assert many.sizes == (BINS,)
    assert many.fields[0].kind == "binned"
    assert "8 equal bins" in many.notes[0]
    edges = [option.lower for option in many.fields[0].options]
    assert edges == [0, 8, 16, 24, 32, 40, 48, 56]


def test_the_callers_edges_win_over_the_schemas() -> None:
    schema = closed(n={"type": "number", "minimum": 0, "maximum": 10, "x-edges": [0, 5, 10]})
    assert of(schema).fields[0].labels == ("[0, 5)", "[5, 10]")
    assert of(schema, n=(0, 2.5, 10)).fields[0].labels == ("[0, 2.5)", "[2.5, 10]")
    wide = of(schema, n=(-5, 2.5, 99)).fields[0]
    assert wide.labels == ("[0, 2.5)", "[2.5, 10]")
    with pytest.raises(InvalidInput):
        wide.index(11)


def test_a_long_span_of_days_becomes_months() -> None:
    found = of(
        closed(
            day={"type": "string", "format": "date", "x-from": "2023-11-15", "x-to": "2024-02-01"}
        )
    ).fields[0]
    assert found.labels == ("2023-11", "2023-12", "2024-01", "2024-02")
    days = ("2023-11-15", "2023-11-30", "2023-12-01", "2024-01-31", "2024-02-01")
    assert [found.index(day) for day in days] == [0, 0, 1, 2, 3]
    for day in ("2023-11-14", "2024-02-02", "2024-W01-1", "20240101", "2024-1-1", 5, None, True):
        with pytest.raises(InvalidInput):
            found.index(day)


def test_left_out_and_null_are_options_of_their_own() -> None:
    found = of({"type": "object", "properties": {"a": {"enum": ["x", None]}}})
    assert found.fields[0].labels == ("x", "null", "(left out)")
    assert [found.record((at,)) for at in range(3)] == [{"a": "x"}, {"a": None}, {}]
    told = of({"type": "object", "properties": {"a": {"enum": [1, "1", "(left out)"]}}})
    assert told.fields[0].labels == ("1", '"1"', '"(left out)"', "(left out)")


def test_a_nested_object_is_flattened_and_left_out_as_a_whole() -> None:
    inner = closed(b={"type": "boolean"}, c={"enum": [1, 2]})
    found = of({"type": "object", "properties": {"a": inner}})
    assert found.names == ("a.b", "a.c")
    assert found.sizes == (3, 3)
    assert found.allowed == {(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)}
    assert found.record((2, 2)) == {}
    with pytest.raises(InvalidInput, match="is an object"):
        found.indices({"a": 5})


def test_a_required_object_stands_even_where_its_fields_are_left_out() -> None:
    inner = {"type": "object", "properties": {"b": {"const": 1}}}
    empty = {"type": "object", "additionalProperties": False}
    found = of(closed(a=inner, e=empty, x={"type": "boolean"}))
    assert found.names == ("a.b", "x")
    assert found.allowed is None
    assert found.record((1, 0)) == {"a": {}, "x": False, "e": {}}
    assert found.indices({"a": {}, "e": {}, "x": False}) == (1, 0)


def test_a_pydantic_model_and_a_tool_are_read_as_their_schemas() -> None:
    model = """
from enum import Enum
from typing import Literal, Optional
from pydantic import BaseModel, Field

class Intent(str, Enum):
    refund = "refund"
    bug = "bug"

class Place(BaseModel):
    floor: int = Field(ge=0, le=3)

class Ticket(BaseModel):
    intent: Intent
    place: Place
    urgent: bool
    level: Optional[Literal["low", "high"]]
    share: float = Field(ge=0, le=1)
"""
    found = of(model, "pydantic")
    assert found.names == ("intent", "place.floor", "urgent", "level", "share")
    assert found.sizes == (2, 4, 2, 3, 8)
    parameters = closed(
        on={"type": "boolean"}, speed={"type": "integer", "minimum": 1, "maximum": 3}
    )
    tool = {"type": "function", "function": {"name": "fan", "parameters": parameters}}
    assert of(tool, "tool").names == ("on", "speed")


def test_references_are_followed_and_draft_7_hides_what_stands_beside_one() -> None:
    schema = closed(a={"$ref": "#/definitions/a", "enum": [1]})
    schema["definitions"] = {"a": {"$ref": "#/definitions/b"}, "b": {"enum": [1, 2]}}
    assert of(schema).sizes == (1,)
    assert of({**schema, "$schema": "http://json-schema.org/draft-07/schema#"}).sizes == (2,)


def test_the_hash_tells_types_apart_and_forgets_the_words() -> None:
    one = closed(a={"enum": ["x", "y"]})
    said = closed(a={"enum": ["x", "y"], "description": "Words."})
    ruled = {**one, "not": {"properties": {"a": {"const": "x"}}}}
    hashes = [
        of(schema).hash
        for schema in (
            one,
            said,
            ruled,
            closed(a={"enum": ["y", "x"]}),
            closed(b={"enum": ["x", "y"]}),
        )
    ]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4


# what is refused


@pytest.mark.parametrize("inner", OPEN)
def test_every_kind_of_open_field_is_refused_with_its_name_and_place(inner: Any) -> None:
    schema = closed(typed={"type": "boolean"}, reason=inner)
    error = refused(schema)
    assert "`reason`" in error.what
    assert "typed fields first" in error.hint
    assert error.where == "/properties/reason"
    assert (error.line, error.column) == (1, json.dumps(schema).index('"reason"') + 1)


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ({"type": "array"}, "an object"),
        ({"type": "object"}, "no properties"),
        (True, "no properties"),
        (closed(a={"enum": [["x"]]}), "list or an object"),
        (closed(a={"enum": []}), "Nothing is valid"),
        (closed(a=False), "Nothing is valid"),
        (closed(a={"enum": ["x"], "type": "integer"}), "Nothing is valid"),
        (closed(a={"type": [["x"], {}]}), "Nothing is valid"),
        (closed(a={"allOf": [{"type": "number"}, {"type": [["x"], "string"]}]}), "Nothing is valid"),
        (closed(a={"type": "integer", "minimum": 3, "maximum": 2}), "Nothing is valid"),
        (closed(a={"$ref": "#/nowhere"}), "points nowhere"),
        (closed(a={"$ref": "https://example.org/x"}), "nothing is fetched"),
        (closed(a={"$ref": "#"}, b={"type": "boolean"}), "holds itself"),
        (closed(a={"type": "integer", "minimum": 0, "maximum": 10**40}), "too large"),
        (closed(a={"enum": list(range(1001))}), "1,001 options"),
        (closed(**{f"f{at}": {"type": "boolean"} for at in range(33)}), "more than 32 fields"),
        (closed(**{"a.b": {"const": 1}, "a": closed(b={"const": 1})}), "Two fields"),
        ({**closed(a={"const": 1}), "required": ["a", "z"]}, "`z` is required"),
        ({**closed(a={"const": 1}), "not": {}}, "no combination"),
        (
            closed(a={"anyOf": [{"type": "number", "minimum": low, "maximum": low + 1} for low in (0, 5)]}),
            "several ranges",
        ),
        (
            closed(a={"type": "number", "minimum": 0, "maximum": 9, "x-edges": "0, 9"}),
            "no list of numbers",
        ),
        (
            closed(a={"type": "string", "format": "date", "x-from": "soon", "x-to": "2024-01-01"}),
            "is no day",
        ),
        (
            {**closed(**{f"f{at}": {"type": "integer", "minimum": 1, "maximum": 9} for at in range(5)}),
             "minProperties": 1},
            "59,049 combinations",
        ),
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused_in_words(schema: Any, what: str) -> None:
    assert what in str(refused(schema))


@pytest.mark.parametrize(
    ("edges", "what"),
    [
        ((0,), "at least two"),
        ((0, 50, 50, 100), "do not increase"),
        ((0, 50), "leave out"),
        ((0, 100, 200), "outside"),
        ((0, 0.2, 0.8, 100), "No number"),
        ((0, float("nan"), 100), "at least two numbers"),
    ],
)
def test_edges_that_do_not_fit_are_refused(edges: tuple[float, ...], what: str) -> None:
    schema = closed(n={"type": "integer", "minimum": 0, "maximum": 99})
    assert what in refused(schema, n=edges).what


def test_edges_of_no_field_are_refused() -> None:
    schema = closed(n={"type": "boolean"})
    assert "`m`" in refused(schema, m=(0, 1)).what
    assert "`n`" in refused(schema, n=(0, 1)).what


def test_several_tools_and_other_constraints_are_refused() -> None:
    tools = [{"name": name, "parameters": closed(a={"const": 1})} for name in ("one", "two")]
    assert "several tools" in refused(tools, "tool").what
    assert "kind regex" in refused("a|b", "regex").what
    with pytest.raises(InvalidInput, match="end of the text"):
        of('{"type": ')


def test_a_bin_that_a_keyword_forbids_is_refused_with_its_label() -> None:
    schema = closed(n={"type": "number", "minimum": 0, "maximum": 9, "x-edges": [0, 4, 9],
                       "not": {"minimum": 4}})  # fmt: skip
    assert "[4, 9]" in refused(schema).what


def test_a_schema_made_to_run_long_is_bounded() -> None:
    deep: dict[str, Any] = {"d0": {"type": "boolean"}}
    for at in range(40):
        deep[f"d{at + 1}"] = {"anyOf": [{"$ref": f"#/$defs/d{at}"}] * 2}
    with pytest.raises(PlaygroundError):
        of({**closed(a={"$ref": "#/$defs/d40"}), "$defs": deep})


def test_a_chain_of_references_too_deep_for_python_is_refused() -> None:
    chain: dict[str, Any] = {"d0": {"type": "boolean"}}
    for at in range(1_500):
        chain[f"d{at + 1}"] = {"$ref": f"#/$defs/d{at}"}
    assert refused({**closed(a={"$ref": "#/$defs/d1500"}), "$defs": chain})


# split


def test_split_takes_the_explanation_out_of_a_model() -> None:
    model = "class T(BaseModel):\n    urgent: bool\n    reason: str\n    tags: list[str] = []\n"
    left, names = split(spec(f"from pydantic import BaseModel\n\n{model}", "pydantic"))
    assert names == ("reason", "tags")
    assert left.kind == "schema"
    assert record_type_of(left).names == ("urgent",)


def test_split_takes_a_demand_along_and_refuses_a_condition() -> None:
    fields = closed(urgent={"type": "boolean"}, reason={"type": "string"})
    fields["required"] = ["urgent"]
    demand = {
        **fields,
        "if": {"properties": {"urgent": {"const": True}}},
        "then": {"$ref": "#/$defs/why"},
        "$defs": {"why": {"required": ["reason"]}},
    }
    left, names = split(spec(demand))
    assert names == ("reason",)
    assert record_type_of(left).allowed is None
    for rule in (
        {"if": {"required": ["reason"]}, "then": {"properties": {"urgent": {"const": True}}}},
        {"not": {"properties": {"reason": {"const": ""}}}},
        {"dependentRequired": {"reason": ["urgent"]}},
    ):
        with pytest.raises(InvalidInput, match="A rule looks at `reason`"):
            split(spec({**fields, **rule}))


def test_split_of_nothing_typed_says_so() -> None:
    with pytest.raises(InvalidInput, match="Nothing in the schema is a typed field"):
        split(spec(closed(reason={"type": "string"})))


def test_the_safety_net_catches_a_rule_that_no_keyword_announces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Draft 3 demands a property by a boolean inside it."""
    schema = {
        "$schema": "http://json-schema.org/draft-03/schema#",
        "type": "object",
        "properties": {"a": {"type": "boolean", "required": True}},
    }
    assert of(schema).allowed == {(0,), (1,)}
    monkeypatch.setattr(built, "_each_option_once", lambda record_type: [])
    assert of(schema).allowed is None, "the net isn't what caught it"


@pytest.mark.parametrize(
    ("schema", "what"),
    [
        ({**closed(a={"const": 1}), "$id": 5}, "`$id`"),
        ({"$ref": "#"}, "without end"),
        (closed(a={"type": "boolean", "not": {"$ref": "#/properties/a"}}), "without end"),
        ({**closed(a={"const": 1}), "if": {"$ref": "#/x"}, "then": {}}, "points nowhere"),
        (closed(a={"type": "number", "minimum": -1e308, "maximum": 1e308}), "too large"),
        (closed(a={"type": "number", "minimum": 0, "maximum": 5e-324}), "do not increase"),
        (
            closed(a={"type": "string", "format": "date", "x-from": "0001-01-01", "x-to": "9999-12-31"}),
            "119,988 options",
        ),
    ],
)  # fmt: skip
def test_odd_schemas_are_refused_in_words(schema: Any, what: str) -> None:
    assert what in refused(schema).what
