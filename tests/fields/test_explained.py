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
