"""Every rule of the lint: what sets it off, a near miss that doesn't, and what its fix does."""

import json
import re
import time
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema.validators import Draft202012Validator

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.keywords import KNOWN
from playground.constraints.jsonschema.source import parse
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec, Kind
from playground.errors import EmptyLanguage, PlaygroundError
from playground.schema.lint import MAX_PER_RULE, RULES, lint
from playground.schema.lint.cost import MAX_CHARACTERS
from playground.vocabulary import Vocabulary


def rows_of(source: Any, kind: Kind = "schema", **more: Any) -> list[dict[str, Any]]:
    """The lint of a source; a value is written as JSON first."""
    text = source if isinstance(source, str) else json.dumps(source, indent=2)
    spec = ConstraintSpec(kind=kind, source=text, **more)
    return lint(spec, text if kind == "schema" else None)


def codes(source: Any, kind: Kind = "schema", **more: Any) -> set[str]:
    return {row["code"] for row in rows_of(source, kind, **more)}


def record(required: Any = None, **properties: Any) -> dict[str, Any]:
    """A closed object with these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": required or [],
        "additionalProperties": False,
    }


TEXT = {"type": "string", "maxLength": 20}
NODE = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}}}
PROPS = {f"key_{i}": {"type": "boolean"} for i in range(12)}
LEVELS = record(a=record(b=record(c=record(d=TEXT))))

SCHEMAS: list[tuple[str, Any, Any]] = [
    ("L001", record(risk={"enum": ["low", "high"]}), record(why=TEXT, risk={"enum": ["a", "b"]})),
    ("L001", record(["a_day", "b_day"], a_day=TEXT, b_day=TEXT), record(["name"], name=TEXT)),
    ("L001", record(score={"type": "integer"}), record(reasoning=TEXT, score={"type": "integer"})),
    ("L002", record(verdict=TEXT, reasoning=TEXT), record(reasoning=TEXT, verdict=TEXT)),
    ("L002", record(id=TEXT, label=TEXT, why=TEXT), record(id=TEXT, why=TEXT, label=TEXT)),
    (
        "L003",
        record(tier={"type": "string", "description": "One of: gold, silver or bronze."}),
        record(tier={"enum": ["gold", "silver"], "description": "One of: gold, silver."}),
    ),
    (
        "L003",
        record(size={"type": "string", "description": "small/medium/large"}),
        record(size={"type": "string", "description": "A file, such as src/main/size"}),
    ),
    ("L003", record(is_paid={"type": "string"}), record(is_paid={"type": "boolean"})),
    ("L003", record(paid={"enum": ["yes", "no"]}), record(paid={"enum": ["yes", "no", "partly"]})),
    ("L003", record(status={"type": "string"}), record(status_text={"type": "string"})),
    ("L004", record(a=TEXT), record(a={**TEXT, "description": "What a is."})),
    ("L004", record(a=TEXT), record(a={"const": 1})),
    ("L005", record(["price"], price={"type": "number"}), record(price={"type": "number"})),
    (
        "L005",
        record(["price"], price={"type": "number"}),
        record(["price"], price={"type": ["number", "null"]}),
    ),
    (
        "L005",
        record(["currency"], currency={"enum": ["EUR", "USD"]}),
        record(["currency"], currency={"enum": ["EUR", "USD", "unknown"]}),
    ),
    (
        "L005",
        record(["what"], what={"enum": ["unit", "item"]}),
        record(["what"], what={"enum": ["unit", "not stated"]}),
    ),
    (
        "L005",
        record(["born"], born={"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        record(["born"], born={"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ),
    (
        "L005",
        record(["city"], city={"type": "string", "description": "The city."}),
        record(["city"], city={"type": "string", "description": "The city; unknown if not told."}),
    ),
    ("L005", record(["city"], city=TEXT), record(["reasoning"], reasoning=TEXT)),
    ("L006", LEVELS, record(a=record(b=record(c=TEXT)))),
    (
        "L007",
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"type": "object", "additionalProperties": False},
    ),
    (
        "L007",
        {"type": "object", "patternProperties": {"^[A-Z]+$": {"type": "integer"}}},
        {"type": "object", "patternProperties": {"^x-": {}}},
    ),
    ("L007", {"Paris": 5, "Tokyo": 3}, {"width": 5, "height": 3}),
    (
        "L007",
        {"type": "object", "examples": [{"Paris": 5, "New York": 3}]},
        {"type": "object", "examples": [{"paris": "x", "tokyo": 3}]},
    ),
    ("L008", {"type": "object", "properties": {"a": TEXT}}, record(a=TEXT)),
    (
        "L008",
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": True},
        {"allOf": [{"type": "object", "properties": {"a": TEXT}}]},
    ),
    ("L008", NODE, {"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False}),
    ("L008", {"type": "object"}, {"type": "object", "maxProperties": 0, "const": {}}),
    ("L009", record(["a"], a={**TEXT, "default": "x"}), record(a={**TEXT, "default": "x"})),
    (
        "L009",
        record(["a"], a={**TEXT, "description": "The fax number, if any."}),
        record(["a"], a={**TEXT, "description": "The fax number."}),
    ),
    ("L011", record(a={"type": "string"}), record(a=TEXT)),
    (
        "L011",
        record(a={"type": "string", "pattern": "^a+$"}),
        record(a={"type": "string", "pattern": "^a{3}$"}),
    ),
    ("L012", {"type": "array"}, {"type": "array", "maxItems": 3}),
    ("L012", {"type": ["array", "null"]}, {"type": "array", "prefixItems": [{}], "items": False}),
    ("L014", {"enum": ["Not", "Not found"]}, {"enum": ["Found", "Not found"]}),
    ("L014", {"enum": ["error_disk", "error_net"]}, {"enum": ["disk", "net"]}),
    ("L014", {"enum": ["Low", "low"]}, {"enum": ["Low", "High"]}),
    ("L015", {"minimum": 5, "maximum": 3}, {"minimum": 3, "maximum": 3}),
    (
        "L015",
        {"type": "number", "exclusiveMinimum": 3, "maximum": 3},
        {"type": "number", "exclusiveMinimum": 3, "maximum": 4},
    ),
    (
        "L015",
        {"type": "object", "properties": {"a": False}, "required": ["a"]},
        {"type": "object", "properties": {"a": False}},
    ),
    ("L016", {"type": "string", "maxlenght": 3}, {"type": "string", "maxLength": 3}),
    ("L016", {"type": "string", "max_length": 3}, {"type": "string", "x-max": 3}),
    ("L016", {"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    ("L016", {"type": "string", "options": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
    (
        "L016",
        {"type": "object", "size": {"type": "integer"}, "name": {"type": "string"}},
        record(size={"type": "integer"}, name=TEXT),
    ),
    ("L016", {"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
    ("L017", {"type": "integer", "enum": [1, "2", "x"]}, {"type": "integer", "enum": [1, 2.0]}),
    ("L017", {"type": "string", "enum": [1, 2]}, {"type": "string", "enum": ["1", "2"]}),
    ("L017", {"type": "object", "enum": ["a", "b"]}, {"type": "object", "enum": [{}]}),
    ("L017", {"enum": ["a", "b", "a"]}, {"enum": ["a", "b", 1, True, 1.5, "1"]}),
    ("L017", {"enum": []}, {"enum": ["a"]}),
    ("L017", {"enum": "a"}, {"const": "a"}),
    (
        "L017",
        {"type": ["string", "null"], "enum": ["a", "b"]},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    ("L017", {"type": "string", "const": 5}, {"type": "string", "const": "5"}),
    ("L018", {"type": "integer", "default": "5"}, {"type": "integer", "default": 5}),
    ("L018", {"enum": ["a"], "examples": ["b"]}, {"enum": ["a"], "examples": ["a"]}),
    ("L018", {"type": "string", "maxLength": 2, "default": "abc"}, {**TEXT, "default": "abc"}),
    ("L019", {"enum": ["a<|im_end|>", "b"]}, {"enum": ["a<im_end>", "b"]}),
    ("L019", record(**{"</s>": TEXT}), record(**{"<b>": TEXT})),
    ("L019", {"type": "string", "pattern": r"^\[INST\]$"}, {"type": "string", "pattern": "[INST]"}),
    (
        "L020",
        record([*PROPS], **PROPS),
        record(["text"], text=TEXT),
    ),
    ("L021", record(**PROPS), record([*PROPS], **PROPS)),
    ("L022", record(["b", "a"], a=TEXT, b=TEXT), record(["a", "b"], a=TEXT, b=TEXT)),
    ("L022", record(**{"2": TEXT, "1": TEXT}), record(a1=TEXT, a2=TEXT)),
    (
        "L023",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "definitions": {"a": {"type": "string"}},
            "properties": {"x": {"$ref": "#/definitions/a", "maxLength": 3}},
        },
        {"$defs": {"a": {}}, "properties": {"x": {"$ref": "#/$defs/a", "maxLength": 3}}},
    ),
    ("L024", {"type": "integer", "minLength": 3}, {"type": ["integer", "string"], "minLength": 3}),
    ("L024", {"type": "integer", "minLength": 3, "format": "date"}, {"type": "integer"}),
    ("L024", {"then": {"minLength": 3}}, {"if": {"maxLength": 9}, "then": {"minLength": 3}}),
    ("L026", {"name": "Ada", "age": 36}, {"name": {"type": "string"}, "type": "object"}),
    ("L026", [1, 2, 3], True),
    ("L026", {"title": "Dune", "author": "Herbert"}, {"title": "Dune", "type": "object"}),
    (
        "L027",
        {"type": "object", "properties": {"a": {"type": "string", "required": True}}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    ),
    (
        "L027",
        {"type": "number", "minimum": 3, "exclusiveMinimum": True},
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "number",
            "minimum": 3,
            "exclusiveMinimum": True,
        },
    ),
    ("L028", record(["user_nmae"], user_name=TEXT), record(["user_name"], user_name=TEXT)),
    (
        "L028",
        record(["other"], user_name=TEXT),
        {"properties": {"a": {}}, "required": ["b"], "additionalProperties": TEXT},
    ),
    ("L029", {"type": "str"}, {"type": "string"}),
    ("L029", {"type": ["int", "null"]}, {"type": ["integer", "null"]}),
    ("L029", {"type": "Object"}, {"type": "object"}),
    ("L030", {"properties": {"a": TEXT}}, {"type": "object", "properties": {"a": TEXT}}),
    ("L030", {"minLength": 3}, {"minLength": 3, "enum": ["abc"]}),
    (
        "L031",
        {"type": "string", "pattern": "[a-z]{3}"},
        {"type": "string", "pattern": "^[a-z]{3}$"},
    ),
    ("L031", {"type": "string", "pattern": "a|b"}, {"type": "string", "pattern": ".*a"}),
]
OTHERS: list[tuple[str, Kind, str, str]] = [
    ("L010", "regex", r"a\s*b", r"a\s{0,3}b"),
    ("L010", "regex", r"a[ \t]+b", r"a[xy]+b"),
    ("L010", "grammar", 'root ::= "a" [ \\t\\n]* "b"', 'root ::= "a" [xy]* "b"'),
    ("L010", "grammar", 'root ::= "a" ws\nws ::= ([ \\t\\n] ws)?', 'root ::= "a" [ \\t]?'),
    ("L010", "grammar", 'start: "a"\n%import common.WS\n%ignore WS', 'start: "a"'),
    ("L011", "regex", "a+", "a{1,9}"),
    ("L013", "regex", "a*", "a+"),
    ("L013", "regex", "(a|b?)", "(a|b)"),
    ("L014", "choices", "Paris\nParis, Texas", "Paris\nTexas"),
    ("L019", "choices", "yes\n<|endoftext|>", "yes\nno"),
    ("L019", "regex", r"<\|im_end\|>", r"<im_end>"),
    ("L019", "grammar", 'root ::= "</s>"', 'root ::= "</p>"'),
]
EVERY: list[tuple[str, Kind, Any, Any]] = [
    (code, "schema", bad, good) for code, bad, good in SCHEMAS
]
EVERY += [(code, kind, bad, good) for code, kind, bad, good in OTHERS]


@pytest.mark.parametrize(("code", "kind", "bad", "good"), EVERY)
def test_a_rule_finds_its_mistake_and_lets_a_near_miss_be(
    code: str, kind: Kind, bad: Any, good: Any
) -> None:
    assert code in codes(bad, kind)
    assert code not in codes(good, kind)


def test_every_rule_has_such_a_pair_or_a_test_of_its_own() -> None:
    alone = {"L025", "L032"}
    assert {code for code, *_ in EVERY} | alone == set(RULES)


def test_codes_count_up_and_names_are_distinct() -> None:
    assert list(RULES) == [f"L{number:03}" for number in range(1, len(RULES) + 1)]
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    assert all(rule.why.endswith(".") and len(rule.why) > 40 for rule in RULES.values())


FIXED = [
    pytest.param(kind, row["code"], bad, index, id=f"{row['code']}-{number}-{index}")
    for number, (_, kind, bad, _) in enumerate(EVERY)
    for index, row in enumerate(rows_of(bad, kind))
    if row["fix"]
]


@pytest.mark.parametrize(("kind", "code", "source", "index"), FIXED)
def test_a_fix_mends_its_row_and_makes_no_new_error(
    kind: Kind, code: str, source: Any, index: int
) -> None:
    row = rows_of(source, kind)[index]
    fixed = row["fix"]["source"]
    after = rows_of(fixed, kind)
    if kind == "schema":
        parse(fixed)
        assert not any(
            (each["code"], each["pointer"], each["message"])
            == (code, row["pointer"], row["message"])
            for each in after
        )
    else:
        assert code not in {each["code"] for each in after}
    new = {each["code"] for each in after if each["level"] == "error"}
    assert new <= {each["code"] for each in rows_of(source, kind) if each["level"] == "error"}


@pytest.mark.parametrize(("code", "source"), [(code, bad) for code, bad, _ in SCHEMAS])
def test_a_fixed_schema_is_a_schema(code: str, source: Any) -> None:
    for row in rows_of(source):
        if row["fix"] and row["code"] == code and row["level"] != "error":
            before_is_one = not list(_breaches(source))
            if before_is_one:
                Draft202012Validator.check_schema(json.loads(row["fix"]["source"]))


def _breaches(schema: Any) -> Any:
    return Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema)


KEEPING = [
    (bad, json.loads(row["fix"]["source"]))
    for _, bad, _ in SCHEMAS
    if isinstance(bad, dict) and not list(_breaches(bad))
    for row in rows_of(bad)
    if row["fix"] and row["fix"]["keeps"]
]


POOL: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    3,
    3.5,
    "",
    "a",
    "b",
    "abc",
    "abcd",
    [],
    ["a"],
    {},
    {"a": 1},
)


def _instances(schema: dict[str, Any]) -> list[Any]:
    """Values of every kind, and objects of the schema's properties with values of every kind."""
    names = [*schema.get("properties", {})][:2]
    objects = [
        {name: value for name, value in zip(names, values, strict=True) if value != "absent"}
        for values in product((*POOL, "absent"), repeat=len(names))
    ]
    return [*POOL, *objects]


def test_a_fix_that_claims_to_keep_the_meaning_does() -> None:
    assert len(KEEPING) >= 5
    for before, after in KEEPING:
        left, right = Draft202012Validator(before), Draft202012Validator(after)
        told = [(left.is_valid(value), right.is_valid(value)) for value in _instances(before)]
        assert all(one == other for one, other in told)
        assert {one for one, _ in told} == {True, False} or before.get("type") is None


CONTRACT = record(
    ["party_a", "party_b", "effective_date", "termination_date"],
    party_a={"type": "string"},
    party_b={"type": "string"},
    effective_date={"type": "string"},
    termination_date={"type": "string"},
)


def test_the_contract_lacks_a_way_out_and_room_to_reason() -> None:
    found = {row["name"]: row for row in rows_of(CONTRACT)}
    assert {"no-way-out", "no-reasoning"} <= found.keys()
    assert "`effective_date` and `termination_date`" in found["no-reasoning"]["message"]
    fixed = json.loads(found["no-reasoning"]["fix"]["source"])
    assert next(iter(fixed["properties"])) == fixed["required"][0] == "reasoning"
    nullable = json.loads(found["no-way-out"]["fix"]["source"])["properties"]
    assert all(each["type"] == ["string", "null"] for each in nullable.values())
    assert found["no-way-out"]["line"] == 4
    ConstraintSpec.model_validate(found["no-way-out"]["demo"]["constraint"])


def test_an_instance_with_data_as_keys_becomes_an_array_of_records() -> None:
    found = {row["name"]: row for row in rows_of('{"Paris": 5, "Tokyo": 3}')}
    assert found.keys() == {"instance-not-schema", "dynamic-keys"}
    schema = json.loads(found["dynamic-keys"]["fix"]["source"])
    rewritten = [{"key": "Paris", "value": 5}, {"key": "Tokyo", "value": 3}]
    assert Draft202012Validator(schema).is_valid(rewritten)
    assert not Draft202012Validator(schema).is_valid({"Paris": 5, "Tokyo": 3})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text("aä\n"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_a_schema_made_of_an_instance_accepts_it(value: Any) -> None:
    found = [row for row in rows_of({"record": value, "other": 1}) if row["code"] == "L026"]
    schema = json.loads(found[0]["fix"]["source"])
    if "key" not in json.dumps(schema):
        assert Draft202012Validator(schema).is_valid({"record": value, "other": 1})


def test_a_fix_changes_its_own_place_only() -> None:
    text = '{ "type":"object",\n\t"properties": {"a":{"type":"string", "maxlength" : 3}},\n"required":[] }'
    row = next(row for row in rows_of(text) if row["code"] == "L016")
    assert row["fix"]["source"] == text.replace("maxlength", "maxLength")
    assert (row["line"], row["column"]) == (2, 39)


def test_many_findings_of_a_kind_are_one_row() -> None:
    many = record(**{f"field{i}": {"type": "string"} for i in range(40)})
    found = [row for row in rows_of(many) if row["code"] == "L004"]
    assert len(found) == 1
    assert "and 37 more" in found[0]["message"]
    typos = record(**{f"f{i}": {"type": f"strin{i}"} for i in range(40)})
    assert len([row for row in rows_of(typos) if row["code"] == "L029"]) == MAX_PER_RULE + 1


def test_errors_stand_before_warnings_before_remarks() -> None:
    levels = [row["level"] for row in rows_of({"properties": {"a": {"type": "str"}}, "enum": []})]
    assert levels == sorted(levels, key=["error", "warning", "info"].index)
    assert {"error", "warning", "info"} == set(levels)


def test_what_the_lowering_does_not_enforce_is_a_row() -> None:
    source = '{"type": "array", "maxItems": 3, "uniqueItems": true, "items": {"type": "string"}}'
    notes = lower(source, "one").notes
    missing = [note for note in notes if note.level in ("not-enforced", "partly")]
    spec = ConstraintSpec(kind="schema", source=source)
    found = [row for row in lint(spec, source, notes=notes) if row["code"] == "L025"]
    assert [row["pointer"] for row in found] == [note.pointer for note in missing]
    assert missing
    assert not [row for row in lint(spec, source) if row["code"] == "L025"]


def test_a_compile_error_of_an_empty_language_is_a_row_with_its_place() -> None:
    source = '{"type": "string",\n "minLength": 3, "pattern": "^a$"}'
    spec = ConstraintSpec(kind="schema", source=source)
    with pytest.raises(EmptyLanguage) as caught:
        compile_constraint(spec, BYTES)
    found = [row for row in lint(spec, source, error=caught.value) if row["code"] == "L015"]
    assert len(found) == 1
    assert found[0]["message"] == caught.value.what
    assert found[0]["level"] == "error"


def test_parts_that_the_lowering_left_out_are_rows() -> None:
    impossible = {"type": "string", "minLength": 9, "pattern": "^a$"}
    source = json.dumps(record(a=impossible, b={"enum": ["a", "bbb"], "minLength": 2}))
    spec = ConstraintSpec(kind="schema", source=source)
    rows = lint(spec, source, notes=lower(source, "one").notes)
    found = {row["pointer"] for row in rows if row["code"] == "L015"}
    assert found == {"/properties/a"}
    # Of b's two values one is left: texts meet it, and L017 names the other.
    assert [row["pointer"] for row in rows if row["code"] == "L017"] == ["/properties/b/enum"]


def test_values_of_which_some_remain_are_no_proof_that_nothing_meets_a_part() -> None:
    source = json.dumps(record(["color"], color={"type": "string", "enum": ["blue", "grey", 7]}))
    spec = ConstraintSpec(kind="schema", source=source)
    rows = lint(spec, source, notes=compile_constraint(spec, BYTES).report.notes)
    assert "L015" not in {row["code"] for row in rows}
    assert len([row for row in rows if row["code"] == "L017"]) == 1


def satisfiable(source: str) -> bool | None:
    """Some text meets the schema; None where that wasn't found out."""
    try:
        compile_constraint(ConstraintSpec(kind="schema", source=source), BYTES)
    except EmptyLanguage:
        return False
    except PlaygroundError:
        return None
    return True


DANGEROUS: list[Any] = [
    {"type": "object", "properties": {"a": TEXT}, "required": ["a", "b"]},
    {"type": "object", "properties": {"a": TEXT}, "required": ["a"], "minProperties": 2},
    {
        "type": "object",
        "properties": {"a": TEXT},
        "required": ["a"],
        "dependentRequired": {"a": ["b"]},
    },
    {"type": "object", "properties": {"a": TEXT}, "enum": [{"b": 1}]},
    {"type": "object", "properties": {"a": TEXT}, "const": {"b": 1}},
    {"type": "string", "minLength": 250.0},
    {"type": "string", "pattern": "a{300}"},
    {"type": "array", "items": {"type": "null"}, "minItems": 25.0},
    {"type": "array", "contains": {"type": "null"}, "minContains": 30},
    {"minimum": 2, "maximum": 1},
    {"minLength": 2, "not": {"type": "string"}},
    {"properties": {"a": False}, "required": ["a"]},
    record(["c"], c={"type": "string", "description": "One of: red, green, blue", "minLength": 40}),
    record(["c"], c={"type": "string", "description": "One of: red, green", "maxLength": 2}),
]


def require_satisfiable_fixes(source: Any) -> None:
    text = json.dumps(source)
    fixes = [row for row in rows_of(text) if row["fix"]]
    if fixes and satisfiable(text):
        for row in fixes:
            assert satisfiable(row["fix"]["source"]) is not False, (row["fix"]["title"], text)


@pytest.mark.parametrize("source", DANGEROUS)
def test_no_fix_forbids_everything_where_something_was_allowed(source: Any) -> None:
    require_satisfiable_fixes(source)


LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "object", "array", ["string", "null"]]),
        "minLength": st.integers(0, 3),
        "maxLength": st.integers(0, 3),
        "minimum": st.integers(0, 3),
        "maximum": st.integers(0, 3),
        "minItems": st.integers(0, 3),
        "enum": st.lists(st.sampled_from(["a", "bcd", 7, None]), min_size=1, unique=True),
        "minProperties": st.integers(0, 2),
        "default": st.sampled_from(["a", 1]),
        "nullable": st.booleans(),
        "description": st.sampled_from(["optional", "one of: a, bcd", "yes or no"]),
    },
)
OBJECTS = st.fixed_dictionaries(
    {
        "type": st.just("object"),
        "properties": st.dictionaries(
            st.sampled_from(["a", "is_b", "verdict", "reasoning"]), LEAVES, min_size=1, max_size=2
        ),
    },
    optional={
        "required": st.lists(
            st.sampled_from(["a", "is_b", "verdict", "c"]), min_size=1, max_size=2, unique=True
        ),
        "additionalProperties": st.sampled_from([True, False]),
        "minProperties": st.integers(0, 3),
        "maxProperties": st.integers(0, 3),
        "dependentRequired": st.sampled_from([{"a": ["c"]}, {"a": ["is_b"]}]),
    },
)


@given(OBJECTS)
@settings(max_examples=40, deadline=None)
def test_no_fix_of_a_random_object_forbids_everything(source: Any) -> None:
    require_satisfiable_fixes(source)


def test_a_compile_error_that_a_row_explains_is_not_said_twice() -> None:
    source = '{"type": "string", "minLength": 5, "maxLength": 3}'
    spec = ConstraintSpec(kind="schema", source=source)
    with pytest.raises(EmptyLanguage) as caught:
        compile_constraint(spec, BYTES)
    found = [row for row in lint(spec, source, error=caught.value) if row["code"] == "L015"]
    assert [row["fix"]["title"] for row in found] == ["Swap `minLength` and `maxLength`"]


def test_the_empty_match_is_read_off_the_automaton() -> None:
    spec = ConstraintSpec(kind="grammar", source='root ::= "a"*')
    spec_full = ConstraintSpec(kind="regex", source="(a|b)*")
    compiled = compile_constraint(spec_full, BYTES)
    assert "L013" in {row["code"] for row in lint(spec_full, None, compiled=compiled)}
    assert "L013" in {row["code"] for row in lint(spec, None, compiled=compiled)}


def test_a_vocabulary_shows_options_with_the_same_first_token() -> None:
    tokens = (b'"in', b'"', b"a", None)
    vocabulary = Vocabulary(tokens, frozenset({3}), {3: "<end>"})
    spec = ConstraintSpec(kind="schema", source='{"enum": ["invoice", "inquiry", "other"]}')
    said = [row["message"] for row in lint(spec, spec.source, vocabulary=vocabulary)]
    assert any("2 options of 3 begin with the same token" in each for each in said)
    assert "L014" not in codes(spec.source)


def test_a_vocabulary_adds_its_own_control_tokens() -> None:
    vocabulary = Vocabulary((b"a", None), frozenset({1}), {1: "[STOP]"})
    spec = ConstraintSpec(kind="choices", source="yes\nno[STOP]")
    assert "L019" in {row["code"] for row in lint(spec, None, vocabulary=vocabulary)}
    assert "L019" not in codes(spec.source, "choices")


def test_flexible_whitespace_is_remarked_on() -> None:
    assert "L010" in codes(record(a=TEXT), whitespace="flexible")
    assert "L010" not in codes(record(a=TEXT), whitespace="one")


def test_a_schema_that_was_not_typed_has_no_lines_and_no_fixes() -> None:
    spec = ConstraintSpec(kind="pydantic", source="class A(BaseModel):\n    is_paid: str")
    rows = lint(spec, json.dumps(record(["is_paid"], is_paid={"type": "string"})))
    assert rows
    assert all(row["line"] is None and row["fix"] is None for row in rows)


TOOL = """{"type": "function", "function": {"name": "pay",
  "parameters": {"type": "object",
    "properties": {"sum": {"type": "number", "minimun": 0}}}}}"""


def test_a_tool_is_linted_and_mended_in_its_own_text() -> None:
    spec = ConstraintSpec(kind="tool", source=TOOL)
    rows = lint(spec, schema_text(spec))
    row = next(row for row in rows if row["code"] == "L016")
    assert (row["pointer"], row["line"]) == ("/properties/sum/minimun", 3)
    assert row["fix"]["source"] == TOOL.replace("minimun", "minimum")
    closed = next(row for row in rows if row["code"] == "L008")["fix"]["source"]
    assert json.loads(closed)["function"]["parameters"]["additionalProperties"] is False
    assert json.loads(closed)["function"]["name"] == "pay"


def test_a_map_in_a_tool_is_replaced_without_its_wrapping() -> None:
    tool = {"name": "count", "input_schema": {"additionalProperties": {"type": "integer"}}}
    spec = ConstraintSpec(kind="tool", source=json.dumps(tool))
    row = next(row for row in lint(spec, schema_text(spec)) if row["code"] == "L007")
    fixed = json.loads(row["fix"]["source"])
    assert fixed["name"] == "count"
    assert fixed["input_schema"]["type"] == "array"


def test_several_tools_have_places_and_no_fixes() -> None:
    tools = f'[{TOOL},\n{{"name": "b", "inputSchema":\n {{"type": "objekt"}}}}]'
    spec = ConstraintSpec(kind="tool", source=tools)
    rows = {row["code"]: row for row in lint(spec, schema_text(spec))}
    assert rows["L029"]["line"] == 5
    assert rows["L016"]["line"] == 3
    assert rows["L029"]["fix"] is None


def test_broken_json_is_left_to_the_error_message() -> None:
    assert rows_of('{"type": ') == []


def test_two_kilobytes_are_linted_in_some_milliseconds() -> None:
    properties = {f"field_{i}": {"type": "string", "description": "what"} for i in range(30)}
    text = json.dumps(record([*properties], **properties), indent=1)
    assert len(text) > 2_000
    rows_of(text)
    best = min(_seconds(text) for _ in range(5))
    assert best < 0.02


def _seconds(text: str) -> float:
    started = time.thread_time()
    rows_of(text)
    return time.thread_time() - started


HOSTILE = {
    "many properties": record(**{f"f{i}": {"type": "string"} for i in range(2_000)}),
    "many options": {"type": "integer", "enum": [str(i) for i in range(5_000)]},
    "many unknown": {"type": "object", **{f"word{i}x": i for i in range(4_000)}},
    "many required": record([f"feld{i}" for i in range(4_000)], field1=TEXT),
    "blanks": record(a={"type": "string", "description": "one of" + " " * 50_000}),
    "slashes": record(a={"type": "string", "description": "a/" * 30_000}),
    "chain": {
        "$ref": "#/$defs/a0",
        "$defs": {
            f"a{i}": {"properties": {"x": {"$ref": f"#/$defs/a{i + 1}"}}} for i in range(900)
        },
    },
    "fan": {
        "$ref": "#/$defs/a0",
        "$defs": {f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 8} for i in range(30)},
    },
    "loop": {"$ref": "#", "allOf": [{"$ref": "#"}]},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_large_and_twisted_schemas_are_linted_in_bounded_time(name: str) -> None:
    spec = ConstraintSpec(kind="schema", source="{}")
    text = json.dumps(HOSTILE[name])
    started = time.thread_time()
    lint(spec, text)
    assert time.thread_time() - started < 4


def test_a_megabyte_is_not_linted_and_says_so() -> None:
    text = json.dumps({"description": "x" * MAX_CHARACTERS})
    rows = lint(ConstraintSpec(kind="schema", source="{}"), text)
    assert [row["code"] for row in rows] == ["L032"]


KEYS = st.sampled_from([*sorted(KNOWN), "a", "nullable", "maxlength", "is_paid", "reasoning"])
SCHEMA_LIKE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["string", "object", "int", "^a*$", "#", "#/$defs/a", "one of a, b", "\u00e9"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(SCHEMA_LIKE)
def test_any_json_is_linted_without_a_crash_and_every_fix_is_json(value: Any) -> None:
    text = json.dumps(value)
    spec = ConstraintSpec(kind="schema", source=text)
    for row in lint(spec, text):
        assert row["level"] in ("error", "warning", "info")
        assert row["line"] is not None
        assert re.fullmatch(r"L\d{3}", row["code"])
        if row["fix"]:
            json.loads(row["fix"]["source"])
        json.dumps(row, allow_nan=False)


@settings(max_examples=100, deadline=None)
@given(st.text("ab*+?{}()[]|\\^$.<>:=\"' \n,1", max_size=30), st.sampled_from(["regex", "grammar"]))
def test_any_regex_or_grammar_is_linted_without_a_crash(text: str, kind: Kind) -> None:
    lint(ConstraintSpec(kind=kind, source=text), None)


def test_additional_items_without_a_list_are_meant_as_items() -> None:
    source = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "array",
        "additionalItems": {"type": "string"},
    }
    found = rows_of(source)
    row = next(row for row in found if row["code"] == "L024")
    assert row["level"] == "warning"
    assert "no list under `items` beside it. Did you mean `items`?" in row["message"]
    assert json.loads(row["fix"]["source"])["items"] == {"type": "string"}
    assert "L011" not in codes(source), "no text is asked for there"
    assert "L011" in codes(row["fix"]["source"])


def test_every_reason_is_named_where_several_keywords_do_nothing() -> None:
    (row,) = (each for each in rows_of({"else": {}, "maxContains": 2}) if each["code"] == "L024")
    assert "no `if` beside it; there is no `contains` beside it" in row["message"]


def test_one_name_in_many_objects_is_one_field() -> None:
    inner = record(["type"], type={"type": "number"})
    said = [row["message"] for row in rows_of(record(a=inner, b=inner)) if row["code"] == "L005"]
    assert said[0].startswith("`type` is required, and it can't say")


def test_a_number_is_not_called_a_schema_that_accepts_everything() -> None:
    (row,) = (each for each in rows_of(7) if each["code"] == "L026")
    assert "neither an object nor true or false" in row["message"]
    assert "accept everything" not in row["message"]
    (other,) = (each for each in rows_of({"name": "Ada"}) if each["code"] == "L026")
    assert "accept everything" in other["message"]


def test_one_row_speaks_for_a_keyword_dropped_in_many_places() -> None:
    unique = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}
    text = json.dumps(record(a=unique, b=unique, c=unique), indent=1)
    notes = lower(text).notes
    spec = ConstraintSpec(kind="schema", source=text)
    (row,) = (each for each in lint(spec, text, notes=notes) if each["code"] == "L025")
    lines = [number for number, line in enumerate(text.split("\n"), 1) if "uniqueItems" in line]
    assert row["message"].startswith(f"In 3 places (lines {', '.join(map(str, lines))}): `uniq")
