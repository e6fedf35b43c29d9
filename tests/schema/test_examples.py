"""Examples: every one is allowed by the mask, and each is what its kind says."""

import json
import time
from typing import Any

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.judge_schema import SchemaJudge
from playground.constraints.spec import ConstraintSpec
from playground.schema.asking import accepts
from playground.schema.examples import MOST, examples
from playground.schema.sampling import longest

ORDER = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 20},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    },
    "required": ["name", "age"],
}


def made(kind: Any, source: Any, seed: int = 0, **more: Any) -> list[dict[str, Any]]:
    text = source if isinstance(source, str) else json.dumps(source)
    spec = ConstraintSpec(kind=kind, source=text, **more)
    automaton = compile_constraint(spec, BYTES).automaton
    found = examples(spec, text if kind == "schema" else None, automaton, seed)
    for each in found:
        assert set(each) == {"kind", "text", "note"}
        assert each["note"].endswith(".")
        assert accepts(automaton, each["text"].encode()), each
    return found


def of(found: list[dict[str, Any]], kind: str) -> list[str]:
    return [each["text"] for each in found if each["kind"] == kind]


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("schema", ORDER),
        ("schema", {"enum": ["a", 'q"u', {"x": 1}]}),
        ("schema", True),
        ("regex", r"\d{3}-\d{2}-\d{4}"),
        ("regex", r"[^x]*y+"),
        ("choices", "positive\nnegative\nneutral"),
        ("type", "email"),
        ("regex", "(日本|é)+"),
    ],
)
def test_every_example_is_allowed_and_every_kind_is_there(kind: Any, source: Any) -> None:
    found = made(kind, source)
    assert [len(of(found, name)) for name in ("shortest", "typical", "longest")] == [1, 1, 1]
    assert len(of(found, "adversarial")) <= MOST
    texts = [each["text"] for each in found if each["kind"] == "adversarial"]
    assert len(texts) == len(set(texts))


def test_no_example_is_shorter_than_the_shortest() -> None:
    for kind, source in (("schema", ORDER), ("regex", "a{3,9}(b|cc)"), ("choices", "yes\nno")):
        found = made(kind, source)
        shortest = of(found, "shortest")[0]
        assert all(len(each["text"].encode()) >= len(shortest.encode()) for each in found)
    assert of(made("choices", "yes\nno"), "shortest") == ["no"]


def test_the_longest_of_a_finite_language_is_the_longest() -> None:
    assert of(made("regex", "a{2,5}|bb"), "longest") == ["aaaaa"]
    found = made("choices", "yes\nno\nperhaps")
    assert of(found, "longest") == ["perhaps"]
    assert "finite" in next(each["note"] for each in found if each["kind"] == "longest")


def test_an_endless_language_says_so() -> None:
    found = made("regex", "a+b")
    note = next(each["note"] for each in found if each["kind"] == "longest")
    assert "no longest" in note
    automaton = compile_constraint(ConstraintSpec(kind="regex", source="a+b"), BYTES).automaton
    assert longest(automaton.dfa) == (None, None)  # type: ignore[attr-defined]


def test_a_typical_one_is_valid_and_other_seeds_give_others() -> None:
    judge = SchemaJudge(json.dumps(ORDER), True)
    texts = {of(made("schema", ORDER, seed), "typical")[0] for seed in range(4)}
    assert len(texts) > 1
    for text in texts:
        assert judge.judge({"text": text}, 1.0)["status"] == "valid"


def test_adversarial_ones_are_at_the_edge_oddly_spelled_or_wrong_and_say_which() -> None:
    found = [each for each in made("schema", ORDER) if each["kind"] == "adversarial"]
    judge = SchemaJudge(json.dumps(ORDER), True)
    wrong = [e for e in found if judge.judge({"text": e["text"]}, 20.0)["status"] == "invalid"]
    assert wrong
    assert all("forbidden by the schema" in each["note"] for each in wrong)
    assert any("uniqueItems" in each["note"] for each in wrong)
    right = [each for each in found if each not in wrong]
    assert not any("forbidden" in each["note"] for each in right)
    assert any("120" in each["text"] for each in right)


def test_a_mask_that_drops_a_keyword_is_shown_by_its_examples() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 5}}}
    found = made("schema", schema, engine="outlines")
    assert any("`minimum`" in each["note"] and "forbidden" in each["note"] for each in found)


@pytest.mark.parametrize(
    "source",
    [
        {"type": "object", "properties": {f"k{i}": {"type": "object"} for i in range(40)}},
        {"enum": [f"option number {i}" for i in range(1_000)]},
        {"type": "string", "minLength": 1_500},
    ],
)
def test_large_schemas_end_in_time(source: Any) -> None:
    text = json.dumps(source)
    spec = ConstraintSpec.model_construct(
        kind="schema", source=text, engine="bytes", whitespace="one"
    )
    automaton = compile_constraint(spec, BYTES).automaton
    started = time.monotonic()
    assert examples(spec, text, automaton)
    assert time.monotonic() - started < 12
