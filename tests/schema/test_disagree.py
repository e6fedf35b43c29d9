"""Both judges on test strings: where they disagree, the finding says why, and nothing is unexplained."""

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.sources import resolve, schema_text
from playground.constraints.spec import ConstraintSpec
from playground.constraints.work_bytes import compiled
from playground.errors import EmptyLanguage, InvalidInput, PlaygroundError
from playground.schema import dropping
from playground.schema.disagree import disagreement, judge
from playground.schema.rewriting import spellings
from playground.schema.verdict import allows

PATIENT = 60.0
"""Seconds to look for what is to blame: a machine with other work on it is slow, not wrong."""
KINDS = {"json_schema": "schema", "regex": "regex", "grammar": "grammar"}
FIELDS = {"text", "mask", "reference", "finding", "certain", "remarks"}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `PATIENT`, for each schema that is compiled on the way."""
    monkeypatch.setattr(dropping, "ONE_SECONDS", PATIENT)
    monkeypatch.setattr(dropping, "PATIENCE", PATIENT)


def judged(source, texts, kind="schema", **more):
    """Both judges, the mask compiled as a visitor's would be."""
    source = source if isinstance(source, str) else json.dumps(source)
    spec = ConstraintSpec(
        kind=kind, source=source, **{k: v for k, v in more.items() if k in ("engine", "whitespace")}
    )
    given = {key: value for key, value in more.items() if key in ("formats", "seconds")}
    options = {"seconds": PATIENT, **given}
    text = schema_text(spec)
    try:
        found = compile_constraint(spec, BYTES)
    except PlaygroundError as error:
        return judge(spec, None, (), texts, schema_text=text, refusal=error, **options)
    return judge(spec, found.automaton, found.report.notes, texts, schema_text=text, **options)


def test_every_shared_case_is_answered_right_or_the_difference_is_announced(shared: Path) -> None:
    lines = (shared / "cases" / "constraints.jsonl").read_text().splitlines()
    assert len(lines) == 44
    for case in map(json.loads, lines):
        kind, source = KINDS[case["constraint_type"]], case["constraint"]
        engine = "bytes"
        if kind == "grammar":
            engine = "llguidance"
            source = source["lark"]
        texts = [string["text"] for string in case["strings"]]
        documents = judged(source, texts, kind, engine=engine)
        for string, said in zip(case["strings"], documents, strict=True):
            json.dumps(said)  # plain JSON
            assert said.keys() == FIELDS
            if string["valid"] is None:
                continue
            assert (said["reference"]["status"] == "valid") == string["valid"], (case["id"], string)
            if (said["mask"]["status"] == "valid") != string["valid"]:
                assert said["finding"]["kind"] in ("unsound", "too strict"), (case["id"], said)
                assert said["finding"]["note"]
            else:
                assert said["finding"] is None


def finding(schema, text, **more):
    (said,) = judged(schema, [text], **more)
    return said["finding"]


TWO = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"enum": ["é", 1]}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("text", "why", "note"),
    [
        ('{"b":1,"a":1}', "the order of its keys", "schema's order"),
        ('{"a":1,"b":"\\u00e9"}', "how its strings are spelled", "one spelling"),
        ('{"a":1.0,"b":1}', "how its numbers are spelled", "digits only"),
        (
            '{"a":1,\n"b":1}',
            "blanks between its tokens",
            "“one blank”: the mask writes at most one",
        ),
        ('  {"a":1,"b":1}', "of the blanks before the JSON", "none before or after the JSON"),
        ('{"a":1,"b":1}\n', "of the blanks after the JSON", "none before or after the JSON"),
        (' {"a":1, "b":1} ', "the blanks before and after the JSON", "none before or after"),
        (' {"a":1,\n"b":1}', "blanks around it or between its tokens", "none before or after"),
        ('{"a":5,"a":1,"b":1}', "a key that stands twice", "each once"),
        ('{"b":1,  "a":1e0}', "blanks between its tokens and the order of its keys and", "order"),
    ],
)
def test_the_spelling_is_blamed_before_the_value(text, why, note) -> None:
    found = finding(TWO, text)
    assert found["kind"] == "too strict"
    assert why in found["words"]
    assert note in found["note"]


def test_order_whitespace_and_spelling_inside_are_found_too() -> None:
    schema = {"type": "array", "items": TWO}
    found = finding(schema, '[{"a":1,"b":1},{"b":"é","a":2}]')
    assert "because of the order of its keys: the mask wants `a`, `b` in `$[1]`." in found["words"]


def test_unsound_blames_the_keyword_that_the_note_names() -> None:
    schema = {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}
    found = finding(schema, "[1,1]")
    assert found["kind"] == "unsound"
    assert [each["keyword"] for each in found["keywords"]] == ["uniqueItems"]
    assert found["keywords"][0]["line"] == 1
    assert "NOT enforced" in found["note"]


def test_a_closed_part_that_is_wrong_is_a_finding_where_the_mask_goes_on() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "uniqueItems": True, "items": {"type": "integer"}},
            "b": {"type": "integer"},
        },
        "required": ["a", "b"],
    }
    (said,) = judged(schema, ['{"a":[1,1],'])
    assert (said["mask"]["status"], said["reference"]["status"]) == ("incomplete", "invalid")
    assert said["finding"]["kind"] == "unsound"
    assert said["certain"]["missing"] == ["$.b"]


def test_a_format_that_was_not_asked_of_the_reference_judge_is_announced() -> None:
    schema = {"type": "string", "format": "ipv4"}
    found = finding(schema, '"999.1.1.1"')
    assert (found["kind"], found["keywords"][0]["keyword"]) == ("too strict", "format")
    assert "`format` is enforced" in found["note"]
    assert finding(schema, '"999.1.1.1"', formats=True) is None


def test_a_value_too_deep_or_a_recursion_too_long_is_announced() -> None:
    deep = "[" * 20 + "]" * 20
    assert "levels of arrays" in finding({}, deep)["note"]
    tree = {"properties": {"next": {"$ref": "#"}}, "additionalProperties": False, "type": "object"}
    text = "{}"
    for _ in range(15):
        text = f'{{"next":{text}}}'
    assert "unrolled" in finding(tree, text)["note"]


def test_contains_out_of_order_is_blamed_on_contains() -> None:
    schema = {"type": "array", "contains": {"const": 1}, "prefixItems": [{"type": "integer"}] * 3}
    schema |= {"minContains": 2}
    found = finding(schema, "[2,1,1]", seconds=10.0)
    assert found["kind"] == "too strict"
    assert [each["keyword"] for each in found["keywords"]] == ["contains"]
    assert "offered first" in found["note"]


def test_another_engine_is_blamed_by_the_keyword_it_drops() -> None:
    pytest.importorskip("outlines_core")
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}}
    schema |= {"required": ["n"], "additionalProperties": False}
    found = finding(schema, '{"n":7}', engine="outlines")
    assert found["kind"] == "unsound"
    assert [each["pointer"] for each in found["keywords"]] == ["/properties/n/maximum"]


def test_a_mask_that_allows_what_is_no_json_is_unsound() -> None:
    pytest.importorskip("xgrammar")
    found = finding({"type": "string", "maxLength": 8}, '"a\tb"', engine="xgrammar")
    assert found["kind"] == "unsound"
    assert found["note"]


def test_where_nothing_compiles_the_reference_still_judges() -> None:
    (said,) = judged({"type": "integer", "minimum": 5, "maximum": 3}, ["4"])
    assert (said["mask"]["status"], said["reference"]["status"]) == ("unsatisfiable", "invalid")
    assert said["finding"] is None
    (said,) = judged('{"type": ', ["4"])
    assert (said["mask"]["status"], said["reference"]["status"]) == ("unknown", "unknown")


def test_pydantics_own_word_is_a_remark() -> None:
    source = "class A(BaseModel):\n    n: int\n"
    valid, converted, wrong = judged(source, ['{"n": 5}', '{"n": "5"}', '{"n": "x"}'], "pydantic")
    assert not valid["remarks"]
    assert converted["reference"]["status"] == "invalid"
    assert any("Pydantic itself accepts" in remark for remark in converted["remarks"])
    assert not wrong["remarks"]


def test_odd_texts_are_named_and_judged() -> None:
    said = judged({"type": "object"}, ["NaN", '{"a":1,"a":2}', '{"a":"\ud800"}', "\ufeff{}"])
    assert [each["reference"]["status"] for each in said] == [
        "invalid",
        "valid",
        "valid",
        "invalid",
    ]
    assert all(each["remarks"] for each in (said[0], said[1], said[3]))
    assert said[2]["mask"]["status"] == "invalid"


@pytest.mark.parametrize(
    ("mask", "reference", "cut", "kind"),
    [
        ("valid", "valid", False, None),
        ("valid", "invalid", False, "unsound"),
        ("valid", "incomplete", False, "unsound"),
        ("invalid", "valid", False, "too strict"),
        ("incomplete", "valid", False, "too strict"),
        ("unsatisfiable", "valid", False, "too strict"),
        ("unsatisfiable", "invalid", False, None),
        ("incomplete", "invalid", True, "unsound"),
        ("incomplete", "invalid", False, None),  # 5 of at least 10: 50 may still come
        ("invalid", "incomplete", True, None),
        ("unknown", "valid", False, None),
        ("valid", "unknown", False, None),
    ],
)
def test_the_rule_of_disagreement(mask, reference, cut, kind) -> None:
    assert disagreement(mask, reference, cut) == kind


@given(st.integers(-(10**6), 10**6), st.integers(-8, 8), st.booleans())
def test_every_spelling_of_a_number_is_that_number(digits, exponent, upper) -> None:
    number = f"{digits}{'E' if upper else 'e'}{exponent}"
    found = spellings(number)
    assert found[0] == number
    assert {json.loads(each) for each in found} == {json.loads(number)}


scalars = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "integer", "minimum": 2, "maximum": 30},
        {"type": "number", "exclusiveMinimum": 0.5},
        {"type": "string"},
        {"type": "string", "maxLength": 2},
        {"type": "string", "pattern": "^[ab]+$"},
        {"type": "string", "format": "date"},
        {"enum": ["a", 1, None, {"x": 1, "y": [2]}]},
        {"const": 1.0},
        {"type": ["null", "boolean"]},
        {"multipleOf": 3},
        {"not": {"type": "integer"}},
        {},
        False,
    ]
)
NAMES = ("a", "b", "c")
schemas = st.recursive(
    scalars,
    lambda inner: (
        st.fixed_dictionaries(
            {
                "type": st.just("object"),
                "properties": st.dictionaries(st.sampled_from(NAMES), inner),
            },
            optional={
                "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
                "additionalProperties": st.just(False) | inner,
                "patternProperties": st.fixed_dictionaries({"^x": inner}),
                "minProperties": st.integers(0, 2),
                "maxProperties": st.integers(1, 3),
                "dependentRequired": st.just({"a": ["b"]}),
            },
        )
        | st.fixed_dictionaries(
            {"type": st.just("array"), "items": inner},
            optional={
                "minItems": st.integers(0, 2),
                "maxItems": st.integers(1, 3),
                "uniqueItems": st.just(True),
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "contains": inner,
            },
        )
        | st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"oneOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)})
        | st.fixed_dictionaries({"if": inner, "then": inner, "else": inner})
    ),
    max_leaves=5,
)
leaves = st.sampled_from([None, True, 0, 1, 1.0, 3, 20, -4, 2.5, "", "a", "ab", "é", "2024-02-29"])
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*NAMES, "x1", "z"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def texts(draw):
    """JSON in some spelling, at times cut, at times with a character too many or too few."""
    text = json.dumps(
        draw(values),
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,  ", ":")])),
    )
    damage = draw(st.sampled_from(["none", "none", "none", "cut", "added"]))
    at = draw(st.integers(0, len(text)))
    if damage == "cut":
        return text[:at]
    return (
        text[:at]
        + draw(st.sampled_from(['"', "}", ",", "1", " "]))
        + text[at:] * (damage == "added")
        if damage == "added"
        else text
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(schemas, st.lists(texts(), min_size=1, max_size=6))
def test_nothing_crashes_hangs_or_stays_unexplained(schema, strings) -> None:
    source, limits = json.dumps(schema), Limits()
    spec = ConstraintSpec(kind="schema", source=source)
    automaton, notes, refusal = None, (), None
    try:
        core = compiled("schema", source, resolve("schema", source, "one", limits), limits)
        automaton, notes = ByteAutomaton(core.dfa, BYTES, source), core.notes
    except (EmptyLanguage, InvalidInput) as error:
        refusal = error
    started = time.monotonic()
    documents = judge(
        spec, automaton, notes, strings, schema_text=source, refusal=refusal, seconds=20.0
    )
    assert time.monotonic() - started < 30
    for text, said in zip(strings, documents, strict=True):
        json.dumps(said, allow_nan=False)
        assert said["text"] == text
        assert said["reference"]["status"] != "unknown"
        found = said["finding"]
        if found is not None:
            assert found["kind"] != "unexplained", (source, text, said)
            assert found["note"]
        if automaton is not None:
            assert (said["mask"]["status"] == "valid") == allows(automaton, text)
        for verdict in (said["mask"], said["reference"]):
            if verdict["offset"] is not None:
                assert 0 <= verdict["offset"] <= len(text.encode())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.from_regex(r"\A(?:[ab.]|\[\^?ab\]|\((?:a|b)\|b?\))(?:[ab.*+?]|\(a\|b\)){0,5}\Z"),
    st.lists(st.text(alphabet="abcé\n", max_size=5), min_size=1, max_size=5),
)
def test_regexes_are_judged_alike(source, strings) -> None:
    limits = Limits()
    try:
        resolved = resolve("regex", source, "one", limits)
    except InvalidInput:
        return
    core = compiled("regex", source, resolved, limits)
    spec = ConstraintSpec(kind="regex", source=source)
    automaton = ByteAutomaton(core.dfa, BYTES)
    for said in judge(spec, automaton, core.notes, strings, schema_text=None):
        assert said["finding"] is None, (source, said)
        # The beginnings that some text has are the same to both.
        assert said["mask"]["status"] == said["reference"]["status"], (source, said)


STRIDE = 1 if os.environ.get("PLAYGROUND_FULL_SUITE") else 9
"""Every ninth group of the public suite is asked, all of them when the variable is set (2 min)."""


def test_no_disagreement_on_the_public_suite_is_unexplained(shared: Path) -> None:
    folder = shared / "json-schema-test-suite" / "tests" / "draft2020-12"
    if not folder.is_dir():
        pytest.skip("the JSON Schema Test Suite is absent")
    groups = [
        group for path in sorted(folder.glob("*.json")) for group in json.loads(path.read_text())
    ]
    asked = 0
    for group in groups[::STRIDE]:
        strings = [json.dumps(test["data"]) for test in group["tests"]]
        for said in judged(group["schema"], strings, seconds=20.0):
            asked += 1
            found = said["finding"]
            assert found is None or (found["kind"] != "unexplained" and found["note"]), said
    assert asked > 1200 // STRIDE // 2


def test_numbers_that_floats_round_are_no_disagreement() -> None:
    for found in judged({"type": "number", "multipleOf": 0.01}, ["19.99", "4.35"]):
        assert (found["mask"]["status"], found["reference"]["status"]) == ("valid", "valid")
        assert found["finding"] is None
        assert any("divides floats" in remark for remark in found["remarks"])
        assert "remarks" not in found["reference"]


@pytest.mark.parametrize(
    ("schema", "text"),
    [({"type": "number"}, "1e999999999"), ({"type": "number", "exclusiveMinimum": 0}, "1e-400")],
)
def test_a_number_beyond_every_float_is_an_explanation(schema, text) -> None:
    (found,) = judged(schema, [text])
    assert found["finding"]["kind"] == "too strict"
    assert "too large or too small" in found["finding"]["words"]


@pytest.mark.parametrize(("text", "escaped"), [('{"\\u0061":"x"}', True), ('{"a":"x"}', False)])
def test_a_note_about_escaped_keys_explains_texts_with_one_alone(text, escaped) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema), engine="xgrammar")
    notes = compile_constraint(spec, BYTES).report.notes
    anything = compile_constraint(ConstraintSpec(kind="regex", source="(?s:.*)"), BYTES).automaton
    (said,) = judge(spec, anything, notes, [text], schema_text=spec.source)
    assert said["finding"]["kind"] == "unsound"
    assert said["finding"]["keywords"][0]["pointer"] == "/properties/a/type"
    assert ("escaped key" in said["finding"]["note"]) == escaped


def test_an_escaped_key_elsewhere_in_the_text_explains_nothing() -> None:
    notes = [Note("partly", "escapes", "/properties", "E"), Note("warning", "engine", "", "W")]
    anything = compile_constraint(ConstraintSpec(kind="regex", source="(?s:.*)"), BYTES).automaton
    source = '{"properties": {"a": {"items": {"type": "integer"}}, "b": {}}}'
    spec = ConstraintSpec(kind="schema", source=source)
    told = {'{"\\u0062": 1, "a": ["x"]}': "W", '{"\\u0061": [1, "x"], "b": 2}': "E"}
    for said in judge(spec, anything, notes, list(told), schema_text=source):
        assert said["finding"]["note"] == told[said["text"]]


def test_a_keyword_of_another_draft_is_announced() -> None:
    schema = {"type": "object", "dependencies": {"a": ["b"]}}
    found = finding(schema, '{"a":1}')
    assert found["kind"] == "too strict"
    assert "`dependencies` is no keyword of draft 2020-12" in found["note"]
