"""The schema of an answer whose typed fields are decided: they come first and can't be another."""

import json

import pytest
from jsonschema import Draft202012Validator

from playground.errors import InvalidInput
from playground.fields.explained import explained_schema

SCHEMA = {
    "type": "object",
    "properties": {
        "why": {"type": "string"},
        "mood": {"enum": ["calm", "tense"]},
        "inner": {
            "type": "object",
            "properties": {"note": {"type": "string"}, "on": {"type": "boolean"}},
            "required": ["note", "on"],
        },
    },
    "required": ["why", "mood"],
    "additionalProperties": False,
}
RECORD = {"mood": "tense", "inner": {"on": True}}


def made() -> dict[str, object]:
    out: dict[str, object] = json.loads(explained_schema(json.dumps(SCHEMA), RECORD))
    return out


def test_typed_fields_come_first_and_the_free_ones_are_asked_for() -> None:
    found = made()
    assert list(found["properties"]) == ["mood", "inner", "why"]  # type: ignore[call-overload]
    assert found["required"] == ["mood", "inner", "why"]
    inner = found["properties"]["inner"]  # type: ignore[index]
    assert list(inner["properties"]) == ["on", "note"]


@pytest.mark.parametrize(
    ("answer", "valid"),
    [
        ({"mood": "tense", "inner": {"on": True, "note": "a"}, "why": "b"}, True),
        ({"mood": "calm", "inner": {"on": True, "note": "a"}, "why": "b"}, False),
        ({"mood": "tense", "inner": {"on": False, "note": "a"}, "why": "b"}, False),
        ({"mood": "tense", "inner": {"on": True, "note": "a"}}, False),
        ({"mood": "tense", "inner": {"on": True, "note": 1}, "why": "b"}, False),
    ],
)
def test_an_answer_has_the_decided_values_and_every_free_text(answer: object, valid: bool) -> None:
    assert Draft202012Validator(made()).is_valid(answer) is valid
    assert not valid or Draft202012Validator(SCHEMA).is_valid(answer)


def test_a_schema_without_properties_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no properties"):
        explained_schema('{"anyOf": [{"type": "object"}]}', {})


@pytest.mark.parametrize("deep", [False, True])
def test_what_stands_behind_a_reference_is_asked_for_too(deep: bool) -> None:
    """As Pydantic writes a model within a model; also where the object around it is all decided."""
    inner = dict(SCHEMA["properties"]["inner"])  # type: ignore[index]
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"]}, "$defs": {"Inner": inner}}  # type: ignore[dict-item]
    named = {"$ref": "#/$defs/Inner", "title": "beside it"}
    record: dict[str, object] = dict(RECORD)
    if deep:
        named = {"type": "object", "properties": {"in": named}, "required": ["in"]}  # type: ignore[dict-item]
        record = {"mood": "tense", "inner": {"in": {"on": True}}}
    schema["properties"]["inner"] = named  # type: ignore[index]
    found = json.loads(explained_schema(json.dumps(schema), record))

    def answer(**inner: object) -> dict[str, object]:
        return {"mood": "tense", "inner": {"in": inner} if deep else inner, "why": "b"}

    judge = Draft202012Validator(found)
    assert judge.is_valid(answer(on=True, note="a"))
    assert not judge.is_valid(answer(on=True))
    assert not judge.is_valid(answer(on=False, note="a"))
    assert Draft202012Validator(schema).is_valid(answer(on=True, note="a"))


def test_properties_that_stand_elsewhere_are_refused_not_lost() -> None:
    inner = {"allOf": [SCHEMA["properties"]["inner"]]}  # type: ignore[index]
    schema = {**SCHEMA, "properties": {**SCHEMA["properties"], "inner": inner}}  # type: ignore[dict-item]
    with pytest.raises(InvalidInput, match="no properties of its own") as found:
        explained_schema(json.dumps(schema), RECORD)
    assert found.value.where == "/properties/inner/properties"
