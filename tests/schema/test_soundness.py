"""Laws of our own lowering: it claims no keyword that it drops, and blocks nothing in silence."""

import json
import random
import warnings
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.dfa import ByteDFA
from playground.constraints.instances.generator import FULL, LEAST, TYPICAL, WILD, Generator
from playground.constraints.instances.goals import Map
from playground.constraints.instances.ordered import Speller
from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.entry import Lowered
from playground.constraints.judge_schema import SchemaJudge
from playground.errors import EmptyLanguage, UnsupportedSchema
from tests.schema.random_schemas import documents, values
from tests.tables_blame import blamed, disclaims


def depth(value: Any) -> int:
    """Levels of arrays and objects."""
    if isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        return 1 + max(map(depth, inner), default=0)
    return 0


def parts(value: Any) -> list[Any]:
    """The value, everything inside it, and its keys."""
    out = [value]
    if isinstance(value, dict):
        out += [*value, *(part for each in value.values() for part in parts(each))]
    elif isinstance(value, list):
        out += [part for each in value for part in parts(each)]
    return out


def explained(lowered: Lowered, value: Any) -> bool:
    """A note says why this valid value is not offered, and the value is of the kind it speaks of."""
    inside = parts(value)
    strings = [part for part in inside if isinstance(part, str)]
    keys = [key for part in inside if isinstance(part, dict) for key in part]
    numbers = [p for p in inside if isinstance(p, int | float) and not isinstance(p, bool)]
    seen = {
        "$ref": depth(value) > 0,
        "depth": depth(value) > 1,
        "order": any(not key.isalnum() for key in keys),
        "escapes": any(not text.isprintable() for text in strings),
        "spelling": any("e" in repr(n) or n != n // 1 or repr(n) == "-0.0" for n in numbers),
        "contains": any(isinstance(part, list) for part in inside),
        "not": any(n != n // 1 for n in numbers),
        "format": bool(strings),
        "unevaluatedItems": any(isinstance(part, list) for part in inside),
        "unevaluatedProperties": bool(keys),
    }
    return any(
        seen.get(note.keyword, False)
        or note.level in ("not-enforced", "partly")
        or "can never be valid" in note.message
        for note in lowered.notes
    )


def accepts(dfa: ByteDFA, text: str) -> bool:
    content = text.encode()
    states = dfa.walk(0, content)
    return len(states) == len(content) + 1 and bool(dfa.final[states[-1]])


def made(schema: Any, seed: int) -> list[Any]:
    """Values near the schema: some valid, some not."""
    try:
        generator = Generator(schema, random.Random(seed))
    except UnsupportedSchema:
        return []
    found = [generator.instance(style) for style in (LEAST, TYPICAL, FULL, WILD)]
    return [each.value for each in found if each is not None]


@settings(max_examples=60, deadline=None)
@given(documents(), st.lists(values(), max_size=6), st.integers(0, 99))
def test_no_claimed_keyword_is_dropped_and_nothing_is_blocked_in_silence(
    schema: dict[str, Any], extra: list[Any], seed: int
) -> None:
    text = json.dumps(schema, ensure_ascii=False)
    judge = SchemaJudge(text, formats=False)
    dfa = lowered = None
    try:
        lowered = lower(text, "one")
        dfa = build(lowered.regex, 200_000)
    except UnsupportedSchema:
        return  # said aloud
    except EmptyLanguage as empty:
        said = "can offer" in empty.what
    speller = Speller(Map(schema))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tried = [*made(schema, seed), *extra]
    for value in tried:
        spelled = speller.text(value)
        verdict = judge.judge({"text": spelled}, 2.0)["status"]
        if dfa is None or lowered is None:
            assert verdict != "valid" or said, (schema, spelled)
            continue
        allowed = accepts(dfa, spelled)
        if verdict == "invalid" and allowed:
            assert disclaims(lowered.notes, blamed(schema, value)), (schema, spelled)
        elif verdict == "valid" and not allowed:
            assert explained(lowered, value), (schema, spelled, lowered.notes)


CLOSED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "kind": {"enum": ["a", "b", 3, None]},
        "count": {"type": "integer", "minimum": -5, "exclusiveMaximum": 1000},
        "share": {"type": "number", "multipleOf": 0.25, "minimum": 0, "maximum": 2},
        "code": {"type": "string", "pattern": "^[A-Z]{2}[0-9]+$", "maxLength": 6},
        "name": {"type": "string", "minLength": 1, "maxLength": 8},
        "pair": {"type": "array", "prefixItems": [{"type": "boolean"}], "maxItems": 3,
                 "items": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}},
        "in": {"oneOf": [{"type": "boolean"}, {"type": "integer", "minimum": 4}]},
    },
    "required": ["kind", "count"],
    "additionalProperties": False,
    "dependentRequired": {"share": ["name"]},
}  # fmt: skip
"""A schema of which the mask leaves nothing out but odd spellings."""


LETTERS = st.characters(codec="utf-8", min_codepoint=0x20)
INSTANCES = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["a", "b", 3, None]),
        "count": st.integers(-5, 999),
        "name": st.text(LETTERS, min_size=1, max_size=8),
    },
    optional={
        "share": st.integers(0, 8).map(lambda quarters: quarters / 4),
        "code": st.from_regex("^[A-Z]{2}[0-9]{1,4}\\Z"),
        "pair": st.tuples(st.booleans(), st.none() | st.booleans()).map(list),
        "in": st.booleans() | st.integers(4, 10**6),
    },
)
"""Instances of CLOSED, made without our generator."""


@settings(max_examples=150, deadline=None)
@given(INSTANCES)
def test_every_instance_made_otherwise_is_offered(value: Any) -> None:
    spelled = Speller(Map(CLOSED)).text(value)
    assert SchemaJudge(json.dumps(CLOSED), True).judge({"text": spelled}, 1.0)["status"] == "valid"
    assert accepts(_closed(), spelled), spelled


@settings(max_examples=80, deadline=None)
@given(values())
def test_nothing_invalid_is_offered_by_the_closed_schema(value: Any) -> None:
    judge = SchemaJudge(json.dumps(CLOSED), formats=True)
    spelled = Speller(Map(CLOSED)).text(value)
    if judge.judge({"text": spelled}, 1.0)["status"] == "invalid":
        assert not accepts(_closed(), spelled)


@cache
def _closed() -> ByteDFA:
    lowered = lower(json.dumps(CLOSED), "one")
    assert not [note for note in lowered.notes if note.level in ("not-enforced", "partly")]
    return build(lowered.regex, 100_000)
