"""Coverage: what a mask enforces is read off the mask, by pairs that differ in one keyword."""

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.schema.coverage import MAX_ASKED, coverage
from playground.vocabulary import Vocabulary

STATUSES = {"enforced", "partly", "not enforced", "annotation", "unknown keyword", "undecided"}


def rows(
    schema: Any, engine: str = "bytes", notes: Sequence[Note] | None = None, other: Any = None
) -> dict[str, dict[str, Any]]:
    """Coverage rows by pointer; `other` is the schema that the mask is really compiled from."""
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema), engine=engine)
    real = spec if other is None else spec.model_copy(update={"source": json.dumps(other)})
    compiled = compile_constraint(real, BYTES)
    told = compiled.report.notes if notes is None else notes
    found = coverage(spec, spec.source, compiled.automaton, told, seconds=3)
    assert {row["status"] for row in found} <= STATUSES
    return {row["pointer"]: row for row in found}


PERSON: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Person",
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z][a-z]+$", "maxLength": 6},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "born": {"type": "string", "format": "date"},
        "nick": {"type": "string", "nullable": True, "maxLenght": 3},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}


def test_our_mask_enforces_all_but_what_it_says() -> None:
    found = rows(PERSON)
    loose = {pointer for pointer, row in found.items() if row["status"] == "not enforced"}
    assert loose == {"/properties/tags/uniqueItems"}
    assert found["/title"]["status"] == "annotation"
    assert found["/properties/nick/nullable"]["status"] == "unknown keyword"
    assert found["/properties/nick/maxLenght"]["status"] == "unknown keyword"
    enforced = [row for row in found.values() if row["status"] == "enforced"]
    assert len(enforced) > 15
    assert all(row["decided_by"] == "witnesses" and row["witnesses"] for row in enforced)


def test_a_row_has_its_place_in_the_text_and_several_witnesses() -> None:
    text = '{\n  "type": "integer",\n    "minimum": 3\n}'
    spec = ConstraintSpec(kind="schema", source=text)
    compiled = compile_constraint(spec, BYTES)
    by_pointer = {
        row["pointer"]: row
        for row in coverage(spec, text, compiled.automaton, compiled.report.notes)
    }
    assert (by_pointer["/minimum"]["line"], by_pointer["/minimum"]["column"]) == (3, 5)
    assert len(by_pointer["/minimum"]["witnesses"]) >= 3
    for witness in by_pointer["/minimum"]["witnesses"]:
        assert json.loads(witness["valid"]) >= 3 > json.loads(witness["invalid"])
        assert witness["valid_allowed"]
        assert not witness["invalid_allowed"]


@pytest.mark.parametrize(
    ("pointer", "dropped"),
    [
        ("/properties/age/minimum", ("properties", "age", "minimum")),
        ("/properties/name/pattern", ("properties", "name", "pattern")),
        ("/required", ("required",)),
        ("/additionalProperties", ("additionalProperties",)),
        ("/properties/born/format", ("properties", "born", "format")),
    ],
)
def test_a_keyword_that_a_mask_drops_is_found_without_any_note(
    pointer: str, dropped: tuple[str, ...]
) -> None:
    other = json.loads(json.dumps(PERSON))
    inner = other
    for key in dropped[:-1]:
        inner = inner[key]
    del inner[dropped[-1]]
    found = rows(PERSON, notes=(), other=other)
    assert found[pointer]["status"] == "not enforced"
    assert found[pointer]["decided_by"] == "witnesses"
    kept = ("/properties/age/maximum", "/properties/name/maxLength", "/type")
    assert all(found[each]["status"] == "enforced" for each in kept if each != pointer)


def test_a_keyword_enforced_in_part_is_partly() -> None:
    asked = {"type": "array", "items": {"enum": [1, 2, 3, "x"]}}
    real = {"type": "array", "items": {"enum": [1, 2, 3, "x", True, None, 7]}}
    row = rows(asked, notes=(), other=real)["/items/enum"]
    assert row["status"] == "partly"
    assert "pass" in row["how"]


def test_a_mask_that_blocks_valid_texts_is_called_stricter() -> None:
    real = {"type": "integer", "minimum": 3, "maximum": 3}
    row = rows({"type": "integer", "minimum": 3}, notes=(), other=real)["/minimum"]
    assert "Stricter" in row["how"]


def test_a_note_against_the_witnesses_is_told_and_not_swallowed() -> None:
    note = Note("not-enforced", "minimum", "/minimum", "`minimum` is NOT enforced: too large.")
    row = rows({"type": "integer", "minimum": 3}, notes=(note,))["/minimum"]
    assert row["status"] == "partly"
    assert note.message in row["how"]
    assert "forbidden" in row["how"]


def test_what_only_loosens_is_no_leak() -> None:
    found = rows({"not": {"type": "string", "minLength": 3}})
    assert found["/not"]["status"] == "enforced"
    assert found["/not/minLength"]["status"] in ("enforced", "partly")


def test_keywords_that_forbid_nothing_are_annotations() -> None:
    schema = {
        "type": "object", "minLength": 0, "additionalProperties": True, "then": {"type": "null"},
        "minContains": 2, "uniqueItems": False, "x-mine": 1, "default": {}, "$defs": {"a": {}},
    }  # fmt: skip
    found = rows(schema)
    assert {row["status"] for pointer, row in found.items() if pointer.count("/") == 1} == {
        "annotation",
        "enforced",
    }
    assert found["/type"]["status"] == "enforced"


def test_beside_a_ref_of_draft_7_keywords_are_hidden() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$ref": "#/definitions/x",
        "minimum": 9,
        "definitions": {"x": {"type": "integer"}},
    }
    found = rows(schema)
    assert found["/minimum"]["status"] == "annotation"
    assert found["/definitions/x/type"]["status"] == "enforced"


def test_outlines_as_shipped_is_shown_to_drop_bounds() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0}},
        "required": ["n"],
        "additionalProperties": False,
    }
    found = rows(schema, "outlines")
    assert found["/properties/n/minimum"]["status"] == "not enforced"
    assert found["/required"]["status"] == "enforced"


def test_a_leak_is_blamed_on_the_keyword_itself_and_not_on_those_around_it() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/n"}, "all": {"allOf": [{"$ref": "#/$defs/n"}]}},
        "$defs": {"n": {"type": "integer", "minimum": 0}},
    }
    real = json.loads(json.dumps(schema))
    del real["$defs"]["n"]["minimum"]
    found = rows(schema, notes=(), other=real)
    assert found["/$defs/n/minimum"]["status"] == "not enforced"
    around = ("/properties", "/properties/n/$ref", "/properties/all/allOf")
    assert {found[pointer]["status"] for pointer in around} == {"enforced"}
    assert "`minimum`" in found["/properties/n/$ref"]["how"]


def test_many_keywords_are_asked_in_part_and_the_others_grouped() -> None:
    schema = {
        "type": "object",
        "properties": {f"k{i}": {"type": "integer"} for i in range(MAX_ASKED + 50)},
    }
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema))
    compiled = compile_constraint(spec, BYTES)
    started = time.monotonic()
    found = coverage(spec, spec.source, compiled.automaton, compiled.report.notes)
    assert time.monotonic() - started < 5
    assert len(found) <= MAX_ASKED + 10
    groups = [row for row in found if "more places" in row["how"]]
    assert len(groups) == 1
    assert groups[0]["status"] == "undecided"


def test_a_reference_that_leads_outside_leaves_all_undecided_with_the_reason() -> None:
    schema = {"$ref": "https://example.com/x.json"}
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema))
    compiled = compile_constraint(spec.model_copy(update={"source": "true"}), BYTES)
    found = coverage(spec, spec.source, compiled.automaton, ())
    assert [row["status"] for row in found] == ["undecided"]
    assert "outside" in found[0]["how"]


def test_without_a_schema_there_are_no_rows_and_without_bytes_no_answer() -> None:
    spec = ConstraintSpec(kind="regex", source="a+")
    compiled = compile_constraint(spec, BYTES)
    assert coverage(spec, None, compiled.automaton, ()) == []
    tokens = Vocabulary((b"1", b"2", None), frozenset({2}))
    spec = ConstraintSpec(kind="schema", source='{"enum": [1, 2]}')
    other = compile_constraint(spec, tokens)
    with pytest.raises(InvalidInput):
        coverage(spec, spec.source, other.automaton, ())


def test_rows_are_plain_json() -> None:
    json.dumps(list(rows(PERSON).values()), allow_nan=False)


def test_a_keyword_of_another_draft_makes_no_demand() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema))
    compiled = compile_constraint(spec, BYTES)
    found = coverage(spec, spec.source, compiled.automaton, compiled.report.notes)
    (row,) = (row for row in found if row["keyword"] == "const")
    assert row["status"] == "annotation"
    assert "no keyword of draft 4" in row["how"]
