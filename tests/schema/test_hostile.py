"""The worst inputs: each question is answered or refused in words, and the next visitor's too."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from playground.constraints.spec import MAX_SOURCE, ConstraintSpec
from playground.debugger import Debugger
from playground.errors import PlaygroundError
from playground.session import Playground
from playground.settings import Settings

FINE = ConstraintSpec(kind="schema", source='{"enum": ["a", "b"]}')


def nested(levels: int, kind: str) -> str:
    """A schema of arrays or objects inside each other."""
    opening = {
        "arrays": '{"type": "array", "items": ',
        "objects": '{"type": "object", "required": ["a"], "properties": {"a": ',
        "any": '{"anyOf": [{"type": "null"}, ',
    }[kind]
    closing = {"arrays": "}", "objects": "}}", "any": "]}"}[kind]
    return opening * levels + '{"type": "integer"}' + closing * levels


def doubled(keyword: str, levels: int, inner: str = '{"type": "integer"}') -> str:
    """Definitions that each refer twice to the next: 2^levels when written out."""
    twice = '{"%s": [{"$ref": "#/$defs/a%d"}, {"$ref": "#/$defs/a%d"}]}'
    made = [f'"a{n}": {twice % (keyword, n + 1, n + 1)}' for n in range(levels)]
    definitions = ", ".join([*made, f'"a{levels}": {inner}'])
    return (
        '{"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "required": ["x"], '
        f'"additionalProperties": false, "$defs": {{{definitions}}}}}'
    )


def chained(levels: int) -> str:
    """Definitions that each are the next one."""
    chain = {f"a{n}": {"$ref": f"#/$defs/a{n + 1}"} for n in range(levels)}
    chain[f"a{levels}"] = {"type": "integer"}
    return json.dumps({"properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": chain})


def branching(levels: int) -> str:
    """Objects that each hold the next one twice."""
    made: dict[str, Any] = {
        f"a{n}": {
            "type": "object",
            "properties": {key: {"$ref": f"#/$defs/a{n + 1}"} for key in ("l", "r")},
        }
        for n in range(levels)
    }
    made[f"a{levels}"] = {"type": "integer"}
    return json.dumps({"$ref": "#/$defs/a0", "$defs": made})


def wide(count: int, **more: Any) -> str:
    """An object of many properties."""
    named = {f"k{n}": {"type": "integer"} for n in range(count)}
    return json.dumps({"type": "object", "properties": named, **more})


OPTIONS = json.dumps({"enum": [f"option {n * 7919}" for n in range(2000)]})
BOMBS = {
    **{f"{key} of 2^16": doubled(key, 16) for key in ("allOf", "anyOf", "oneOf")},
    **{f"{key} of 2^30": doubled(key, 30) for key in ("allOf", "anyOf", "oneOf")},
    "allOf of 2^30 objects": doubled("allOf", 30, wide(50)),
    "a $ref chain of 900": chained(900),
    "objects of 2^30": branching(30),
    "200 optional keys, counted": wide(200, minProperties=2, maxProperties=190),
    "1,500 required keys": wide(1500, required=[f"k{n}" for n in range(1500)]),
    "1,500 keys": wide(1500),
    "a large enum in 900 places": json.dumps(
        {
            "type": "object",
            "properties": {f"k{n}": {"$ref": "#/$defs/e"} for n in range(900)},
            "$defs": {"e": json.loads(OPTIONS)},
        }
    ),
    "150 levels": nested(150, "objects"),
}
"""Small schemas that are large when written out."""
BAD = '{"type": "string", "pattern": "%s"}'
HOSTILE = {
    "500 levels": ("schema", nested(500, "objects")),
    "50 arrays": ("schema", nested(50, "arrays")),
    "90 objects": ("schema", nested(90, "objects")),
    "40 choices": ("schema", nested(40, "any")),
    "5,000 options": ("schema", json.dumps({"enum": [f"option {n * 7919}" for n in range(5000)]})),
    "long string": ("schema", '{"type": "string", "maxLength": 100000}'),
    "2^53 characters": ("schema", '{"type": "string", "minLength": 9007199254740992}'),
    "1,000 items": ("schema", '{"type": "array", "minItems": 1000, "items": {"type": "string"}}'),
    "nested quantifiers in a pattern": ("schema", BAD % "^(a+)+$"),
    "an exploding pattern": ("schema", BAD % "(a|b)*a(a|b){16}"),
    "a self loop": ("schema", '{"$ref": "#"}'),
    "two loops": ("schema", '{"allOf": [{"$ref": "#"}, {"$ref": "#"}]}'),
    "keys of prototypes": ("schema", '{"properties": {"__proto__": {"type": "integer"}}}'),
    "a remote reference": ("schema", '{"$ref": "http://127.0.0.1:1/x.json"}'),
    "100 optional keys": (
        "schema",
        json.dumps({"properties": {f"key{n}": {"type": "string"} for n in range(100)}}),
    ),
    "a long repeat": ("regex", "[a-z]{1,100000}"),
    "nested repeats": ("regex", "((a{0,50}){0,50}){0,50}"),
    "an exponential automaton": ("regex", "(a|b)*a(a|b){20}"),
    "nested quantifiers": ("regex", "(x+x+)+y"),
    "1,000 groups": ("regex", "(" * 1000 + ")" * 1000),
    "a huge repeat": ("regex", "a{1,4294967295}"),
    "an ambiguous grammar": ("grammar", 'root ::= root root | "a" | ""'),
    "a left-recursive grammar": ("grammar", 'root ::= root "a" | "a"'),
    "a grammar without an end": ("grammar", 'root ::= "a" root'),
    "a grammar of many rules": (
        "grammar",
        "root ::= r0\n" + "\n".join(f'r{n} ::= r{n + 1} r{n + 1} | "a"' for n in range(60))
        + '\nr60 ::= "a"',
    ),
    "a model that runs": ("pydantic", "import os\nos.system('true')"),
    "a tool of tools": ("tool", json.dumps([{"name": "a", "input_schema": {}}] * 300)),
}  # fmt: skip


@pytest.fixture(scope="module")
def debugger(tmp_path_factory: pytest.TempPathFactory) -> Debugger:
    settings = Settings(cache=tmp_path_factory.mktemp("cache"), models=(), compile_seconds=3)
    return Playground(settings).debugger


@pytest.mark.parametrize("name", HOSTILE)
def test_every_question_is_answered_or_refused(debugger: Debugger, name: str) -> None:
    kind, source = HOSTILE[name]
    engine = "auto" if kind == "grammar" else "bytes"
    spec = ConstraintSpec.model_validate({"kind": kind, "source": source, "engine": engine})
    questions: list[Callable[[], Any]] = [
        lambda: debugger.analyse(spec),
        lambda: debugger.judge(spec, ["a" * 26, "{}", "[" * 200, '"' + "a" * 26 + '!"', "1"]),
        lambda: debugger.coverage(spec),
        lambda: debugger.stepper(spec, "aaaa", 0, None),
        lambda: debugger.dialects(spec),
        lambda: debugger.takeaway(spec),
        lambda: debugger.difference(spec, FINE),
    ]
    for question in questions:
        with suppress(PlaygroundError):
            json.dumps(question(), allow_nan=False)
    # And the next visitor's question is none the worse.
    assert debugger.judge(FINE, ['"a"'])["verdicts"][0]["mask"]["status"] == "valid"


@pytest.mark.parametrize("name", BOMBS)
def test_what_is_large_when_written_out_is_answered_in_seconds(
    debugger: Debugger, name: str
) -> None:
    spec = ConstraintSpec(kind="schema", source=BOMBS[name], engine="bytes")
    questions: list[Callable[[], Any]] = [
        lambda: debugger.analyse(spec),
        lambda: debugger.dialects(spec),
        lambda: debugger.takeaway(spec),
    ]
    for question in questions:
        started = time.monotonic()
        with suppress(PlaygroundError):
            json.dumps(question(), allow_nan=False)
        # Six seconds for all forms of take-away, five for a compilation; the rest is for a busy
        # machine. Written out, most of these would take hours.
        assert time.monotonic() - started < 20


@pytest.mark.parametrize("name", ["50 arrays", "an exponential automaton", "a long repeat"])
def test_what_an_engine_makes_of_it_never_ends_this_process(debugger: Debugger, name: str) -> None:
    kind, source = HOSTILE[name]
    for engine in ("outlines", "xgrammar", "llguidance"):
        spec = ConstraintSpec.model_validate({"kind": kind, "source": source, "engine": engine})
        report = debugger.analyse(spec)
        assert report["status"] in ("ok", "error", "unsatisfiable")


def test_a_megabyte_of_schema_is_refused_before_anything_reads_it() -> None:
    with pytest.raises(ValueError, match=f"at most {MAX_SOURCE}"):
        ConstraintSpec(kind="schema", source='{"a": "' + "x" * 1_000_000 + '"}')
