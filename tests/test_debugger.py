"""What the Schema screen and the command line ask: every answer is a document, every limit is told."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from playground.asked import MAX_TEXT, MAX_TEXTS
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.debugger import Debugger
from playground.errors import EmptyLanguage, InvalidInput, ModelUnavailable
from playground.session import Playground
from playground.settings import Settings

PERSON = ConstraintSpec(
    kind="schema",
    source="""{
  "type": "object",
  "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
  "required": ["name"],
  "additionalProperties": false
}""",
)


@pytest.fixture(scope="module")
def debugger(tmp_path_factory: pytest.TempPathFactory) -> Debugger:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache"), models=())).debugger


def test_every_answer_is_strict_json(debugger: Debugger) -> None:
    toy = {"name": "toy:sky"}
    regex = ConstraintSpec(kind="regex", source="(skill|cloud)")
    answers: list[Any] = [
        debugger.judge(PERSON, ['{"name": "Ada"}', "{"]),
        debugger.analyse(PERSON),
        debugger.conflict(PERSON),
        debugger.coverage(PERSON),
        debugger.examples(PERSON),
        debugger.dialects(PERSON),
        debugger.takeaway(PERSON),
        debugger.difference(PERSON, PERSON),
        debugger.graph(PERSON, '{"na'),
        debugger.stepper(PERSON, '{"name": 5}', 3, None),
        debugger.stepper(regex, "skill", 0, toy),
        debugger.prefix(regex, "", toy),
        debugger.index(regex, 0, toy),
        debugger.index_state(regex, 0, toy),
    ]
    for answer in answers:
        json.dumps(answer, allow_nan=False)


@pytest.mark.parametrize(
    ("kind", "source", "status"),
    [
        ("schema", '{"type": "integer", "minimum": 5, "maximum": 3}', "unsatisfiable"),
        ("schema", '{"type": ', "error"),
        ("schema", "5", "error"),
        ("regex", "(", "error"),
        ("regex", "(a|b)*a(a|b){30}", "error"),
        ("pydantic", "import os", "error"),
        ("tool", '{"name": 5}', "error"),
        ("grammar", "root ::= nothing", "error"),
        ("schema", "", "error"),
    ],
)
def test_what_does_not_compile_is_told_and_still_answered(
    debugger: Debugger, kind: str, source: str, status: str
) -> None:
    spec = ConstraintSpec.model_validate({"kind": kind, "source": source})
    report = debugger.analyse(spec)
    assert report["status"] == status
    assert report["error"]["what"]
    assert report["compile"] is None
    (verdict,) = debugger.judge(spec, ["4"])["verdicts"]
    assert verdict["mask"]["status"] in ("unsatisfiable", "unknown")
    assert verdict["reference"]["status"] in ("valid", "invalid", "incomplete", "unknown")


def test_the_same_constraint_is_compiled_once(debugger: Debugger) -> None:
    spec = ConstraintSpec(kind="regex", source="[a-z]{3}-once")
    assert debugger.compile(spec).report.cached == "no"
    assert debugger.compile(spec).report.cached == "memory"
    assert debugger.compile(spec, anew=True).report.cached == "no"


def test_too_many_and_too_long_strings_are_refused_in_words(debugger: Debugger) -> None:
    with pytest.raises(InvalidInput, match=f"There are {MAX_TEXTS + 1} test strings"):
        debugger.judge(PERSON, ["{}"] * (MAX_TEXTS + 1))
    with pytest.raises(InvalidInput, match="Test string 2 has"):
        debugger.judge(PERSON, ["{}", "a" * (MAX_TEXT + 1)])


def test_an_answer_that_needs_an_automaton_says_why_there_is_none(debugger: Debugger) -> None:
    spec = ConstraintSpec(kind="schema", source="false")
    with pytest.raises(EmptyLanguage):
        debugger.coverage(spec)
    assert debugger.conflict(spec)["conflict"]["words"]


@pytest.mark.parametrize("tokenizer", [{"name": "other/model"}, {"pasted": "0" * 64}, {}, "x", 5])
def test_a_tokenizer_that_is_not_there_is_refused(debugger: Debugger, tokenizer: Any) -> None:
    with pytest.raises((InvalidInput, ModelUnavailable)):
        debugger.stepper(PERSON, "{}", 0, tokenizer)


def test_a_difference_of_engines_with_a_stack_is_sampled_and_says_so(debugger: Debugger) -> None:
    left = ConstraintSpec(kind="schema", source='{"enum": ["a"]}', engine="xgrammar")
    right = ConstraintSpec(kind="schema", source='{"enum": ["a", "b"]}', engine="xgrammar")
    found = debugger.difference(left, right)
    assert found["equal"] is not True
    assert found["how"].startswith("sampled, not proved")
    assert found["only_right"]["text"] == '"b"'


def test_the_command_line_waits_as_long_as_the_operator_allows(tmp_path: Path) -> None:
    quick = Playground(Settings(cache=tmp_path, compile_seconds=17)).debugger
    assert quick.limits.seconds < 17
    assert quick.patient().limits.seconds == 17


def test_a_vocabulary_that_cannot_spell_it_leaves_the_bytes(debugger: Debugger) -> None:
    spec = ConstraintSpec(kind="regex", source="zebra")
    document = debugger.stepper(spec, "zeb", 0, {"name": "toy:sky"})
    assert len(document["bytes"]) == 4
    assert document["tokens"] is None
    assert "can't spell" in document["tokens_error"]["what"]


def test_questions_about_one_edit_share_a_compilation_and_its_refusal(
    debugger: Debugger, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[str] = []

    def counting(spec: ConstraintSpec, *args: Any, **more: Any) -> Any:
        compiled.append(spec.source)
        return compile_constraint(spec, *args, **more)

    monkeypatch.setattr("playground.asked.compile_constraint", counting)
    for source in ("((a{0,50}){0,50}){0,50}x", "(yes|no)-shared"):
        spec = ConstraintSpec(kind="regex", source=source)
        with ThreadPoolExecutor(4) as pool:
            asked = list(pool.map(lambda _, spec=spec: debugger.ask(spec), range(4)))
        assert len({each.refusal is None for each in asked}) == 1
        if asked[0].refusal is not None:
            assert debugger.ask(spec).refusal is asked[0].refusal
    assert compiled.count("((a{0,50}){0,50}){0,50}x") == 1


MODEL = ConstraintSpec(
    kind="pydantic",
    source="class Model(BaseModel):\n    n: int = Field(ge=5)\n    s: str = Field(max_length=5000)",
)
TOOL = ConstraintSpec(
    kind="tool",
    source="""{
  "name": "f",
  "parameters": {
    "type": "object",
    "properties": {
      "n": {"type": "integer",
            "minimum": 5}
    },
    "required": ["n"]
  }
}""",
)


def places(document: Any) -> list[tuple[Any, Any]]:
    """(pointer, line) of every part of a schema that a document names."""
    if isinstance(document, list):
        return [place for each in document for place in places(each)]
    if not isinstance(document, dict):
        return []
    found = [place for each in document.values() for place in places(each)]
    pointer = document.get("schema_pointer", document.get("pointer"))
    return [*found, (pointer, document["line"])] if pointer and "line" in document else found


def told(debugger: Debugger, spec: ConstraintSpec) -> list[tuple[Any, Any]]:
    text = '{"n":3,"s":""}'
    answers: list[Any] = [
        debugger.judge(spec, [text]),
        debugger.coverage(spec),
        debugger.dialects(spec),
        debugger.stepper(spec, text, 5, None),
    ]
    found = [places(answer) for answer in answers]
    assert all(found)
    return [place for each in found for place in each]


def test_no_line_of_a_schema_that_nobody_typed_is_named(debugger: Debugger) -> None:
    assert {line for _, line in told(debugger, MODEL)} == {None}
    never = MODEL.model_copy(
        update={"source": "class A(BaseModel):\n    a: int = Field(ge=5, le=2)"}
    )
    found = debugger.conflict(never)["conflict"]
    assert {line for _, line in places(found)} == {None}
    assert "/properties/a" in found["words"]
    assert "(line" not in found["words"]


def test_a_tools_schema_is_placed_where_it_was_typed(debugger: Debugger) -> None:
    found = dict(told(debugger, TOOL))
    assert found["/properties/n/minimum"] == 7
    assert found["/required"] == 9


def test_a_note_of_many_places_is_one_with_their_lines(debugger: Debugger) -> None:
    unique = '{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}'
    source = f'{{"type": "object", "properties": {{\n"a": {unique},\n"b": {unique}}}}}'
    notes = debugger.analyse(ConstraintSpec(kind="schema", source=source))["notes"]
    (note,) = (note for note in notes if note["keyword"] == "uniqueItems")
    assert note["pointer"] == "/properties/a/uniqueItems"
    assert note["message"].startswith("In 2 places (lines 2, 3): `uniqueItems` is NOT enforced")
