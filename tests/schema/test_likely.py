"""Typical instances: as a person would write them, by the schema's examples, formats and names."""

import json
import random
from typing import Any

import pytest

from playground.constraints.instances.likely import FORMATS, likely
from playground.constraints.judge_schema import SchemaJudge
from playground.schema.generate import instances

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "customerName": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "birth_date": {"type": "string", "format": "date"},
        "website": {"type": "string"},
        "city": {"type": "string", "maxLength": 5},
        "amount": {"type": "number", "maximum": 20},
        "currency": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "shift": {"type": "string", "examples": ["late shift"]},
        "level": {"type": "integer", "default": 77},
    },
}
FORM["required"] = list(FORM["properties"])


@pytest.mark.parametrize("seed", range(3))
def test_a_typical_one_follows_names_formats_examples_and_defaults(seed: int) -> None:
    value = json.loads(instances(json.dumps(FORM), seed, 1, style="typical")[0])
    assert "@example" in value["email"]
    assert value["birth_date"] in FORMATS["date"]
    assert value["website"].startswith("https://example.")
    assert value["city"] in ("Oslo", "Kyoto")
    assert value["amount"] == 7.5
    assert value["currency"] in ("EUR", "USD")
    assert value["shift"] == "late shift"
    assert value["level"] == 77
    assert " " in value["customerName"] or value["customerName"].isalpha()


def test_a_guess_that_does_not_fit_is_not_taken() -> None:
    schema = {
        "type": "object",
        "properties": {
            "email": {"type": "string", "pattern": "^[0-9]{2}$", "examples": ["nobody", 7]},
            "name": {"type": "boolean", "default": "no"},
        },
        "required": ["email", "name"],
    }
    judge = SchemaJudge(json.dumps(schema), True)
    found = instances(json.dumps(schema), 0, 3, style="typical")
    assert found
    assert all(judge.judge({"text": text}, 1.0)["status"] == "valid" for text in found)


def test_what_the_schema_says_itself_comes_first() -> None:
    guesses = likely(
        "email", [{"default": 5, "examples": ["mine"], "format": "date"}], random.Random(0)
    )
    assert guesses[:2] == ["mine", 5]
    assert guesses[2] in FORMATS["date"]
    assert set(FORMATS["email"]) <= set(map(str, guesses))
    assert "" not in likely("x", [{"default": ""}], random.Random(0))
