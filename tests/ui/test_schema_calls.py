"""What the Schema screen asks of the server: garbage is answered in words, never with a failure."""

import base64
import json
import zlib
from types import SimpleNamespace
from typing import Any

import pytest

from playground.constraints.engines import ENGINES
from playground.constraints.pasted_tokenizer import MAX_SOURCE as MAX_TOKENIZER
from playground.errors import InvalidInput
from playground.session import Playground
from playground.settings import Settings
from playground.ui.rail_values import FINITE
from playground.ui.schema import USUAL_PROMPT, step_problem
from playground.ui.schema_calls import schema_calls, unpacked, whole
from playground.ui.schema_starts import FIRST, STARTS

SPEC = {"kind": "regex", "source": "[0-9]+", "engine": "bytes", "whitespace": "one"}
GIVEN = {
    "model": "toy:sky",
    "toy": None,
    "prompt": "",
    "chat": True,
    "constraint": {**SPEC, "source": "a"},
}


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def calls(playground: Playground) -> dict[str, Any]:
    return {call.__name__: call for call in schema_calls(playground)}


def packed(data: bytes) -> str:
    """`data` as a browser packs it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(data) + packer.flush()).decode()


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        "x",
        {},
        {"spec": None, "left": None, "right": None},
        {"spec": {"kind": "nonsense"}, "left": {"kind": 7}, "right": {}},
        {"spec": {**SPEC, "extra": 1}, "left": {**SPEC, "extra": 1}, "packed": "%%%"},
        {"spec": {**SPEC, "source": "\ud800"}, "left": {**SPEC, "source": "\ud800"}},
        {"spec": {**SPEC, "source": "x" * 100_001}, "left": {**SPEC, "source": "x" * 100_001}},
    ],
)
def test_every_call_answers_a_malformed_request_with_a_card(
    calls: dict[str, Any], payload: Any
) -> None:
    for name, call in calls.items():
        card = call(payload).get("error")
        assert card is not None, name
        assert "Something broke" not in card["what"], name


def sendable(answer: Any) -> bool:
    """Whether UTF-8 can spell the whole answer."""
    try:
        return bool(json.dumps(answer, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        return False


HALVES = [
    '"\\udc00\\ud800"',
    '"\\ud800"',
    "\ud800",
    '{"\\ud800": 1, "\\udfff": "\\udc00"}',
    '"\x00"',
]
"""Texts with halves of surrogate pairs: escaped in a value and in a key, and as themselves."""


@pytest.mark.parametrize("text", HALVES)
@pytest.mark.parametrize(
    "source",
    [
        '{"type": "string", "maxLength": 1}',
        '{"additionalProperties": {"enum": ["x"]}, "maxProperties": 1}',
        '{"properties": {"\\ud800": {"const": "\\udc00"}}, "required": ["\\ud800"]}',
        '{"enum": ["\\ud800"], "description": "\\udc00"}',
        '{"type": "\\ud800"}',
    ],
)
def test_no_answer_holds_what_utf8_cannot_spell(
    calls: dict[str, Any], source: str, text: str
) -> None:
    spec = {**SPEC, "kind": "schema", "source": source}
    payload = {
        "spec": spec,
        "left": spec,
        "right": SPEC,
        "packed": "AAAA",
        "formats": True,
        "texts": [text],
        "text": text,
        "tokenizer": {"name": text},
    }
    for name, call in calls.items():
        answer = call(payload)
        assert sendable(answer), name
        assert "Something broke" not in str(answer.get("error")), name
    assert sendable(calls["judge"]({**payload, "spec": {**spec, "kind": text}}))


def test_every_answer_passes_the_boundary_that_spells_halves() -> None:
    class Halves:
        """Answers every question with halves of pairs."""

        def __getattr__(self, name: str) -> Any:
            return lambda *_: {"a\ud800": ["\udc00", {"b": ("\ud800",)}], "n": 1.5, "none": None}

    told: Any = SimpleNamespace(debugger=Halves())
    payload = {"spec": SPEC, "left": SPEC, "right": SPEC, "texts": [], "packed": packed(b"{}")}
    wanted = {"a\\ud800": ["\\udc00", {"b": ["\\ud800"]}], "n": 1.5, "none": None}
    for call in schema_calls(told):
        assert call(payload) == wanted, call.__name__


def test_a_string_is_judged_by_both(calls: dict[str, Any]) -> None:
    answer = calls["judge"]({"spec": SPEC, "texts": ["12", "1x", "\ud800"], "formats": False})
    assert [each["mask"]["status"] for each in answer["verdicts"]] == [
        "valid",
        "invalid",
        "invalid",
    ]
    assert calls["judge"]({"spec": SPEC, "texts": [1]})["error"]["where"] == "texts"


def test_every_start_can_be_asked_about(calls: dict[str, Any]) -> None:
    assert STARTS[0] is FIRST
    assert len({start["slug"] for start in STARTS}) == len(STARTS)
    for start in STARTS:
        engine = "auto" if start["kind"] == "grammar" else "bytes"
        spec = {"kind": start["kind"], "source": start["source"], "engine": engine}
        texts = [each["text"] for each in start["strings"]]
        answer = calls["judge"]({"spec": spec, "texts": texts})
        says = [each["mask"]["status"] for each in answer["verdicts"]]
        if start is FIRST:  # its strings show what the mask lets through
            assert says == ["valid", "valid", "valid", "invalid"]
        elif start["slug"] == "nothing":
            assert says == ["unsatisfiable"]
        else:
            wanted = [each["should"] == "pass" for each in start["strings"]]
            assert [status == "valid" for status in says] == wanted, start["slug"]


def test_the_engines_that_can_run_no_grammar_exist(playground: Playground) -> None:
    assert set(FINITE) < set(ENGINES)
    assert "auto" in ENGINES


def test_a_file_comes_packed_and_bounded() -> None:
    text = '{"model": "\u00e9"}' * 1000
    assert unpacked(packed(text.encode())) == text
    assert unpacked(packed(b"")) == ""
    for bad in ("%%%", "AAAA", "", packed(b"\xff\xfe"), packed(text.encode())[:40]):
        with pytest.raises(InvalidInput):
            unpacked(bad)
    with pytest.raises(InvalidInput, match=f"{MAX_TOKENIZER:,} bytes"):
        unpacked(packed(b" " * (MAX_TOKENIZER + 10)))


def test_half_a_character_is_in_no_text() -> None:
    assert whole("a\ud800b") == "a?b"
    assert whole("\u00e9\U0001f30d") == "\u00e9\U0001f30d"


def test_step_gets_the_constraint_on_a_model_that_can_spell_it(playground: Playground) -> None:
    problem = step_problem(playground, {"spec": SPEC}, GIVEN)
    assert problem["model"] == "smollm2"
    assert problem["prompt"] == USUAL_PROMPT
    assert problem["constraint"]["source"] == "[0-9]+"
    same = step_problem(playground, {"spec": GIVEN["constraint"]}, GIVEN)
    assert same["model"] == "toy:sky"
    told = step_problem(playground, {"spec": SPEC, "prompt": "Count."}, GIVEN)
    assert told["prompt"] == "Count."
    bare = step_problem(playground, {"spec": SPEC}, {**GIVEN, "chat": False})
    assert bare["prompt"] == ""
    with pytest.raises(InvalidInput):
        step_problem(playground, {"spec": {"kind": "none"}}, GIVEN)
