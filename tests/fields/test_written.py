"""Written confidence: read strictly, reported by hand, and doubted only where the numbers do."""

import json
from typing import Any

import jsonschema
import numpy as np
import pytest
from scipy.stats import beta

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.fields.written import (
    FIELD,
    INTENTS,
    LONGEST,
    WHY,
    WORDINGS,
    Scale,
    Written,
    read,
    report,
)
from playground.schema.asking import accepts
from playground.study.prompts.base import INPUT

NAMES = tuple(WORDINGS)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def wrote(*values: float | None) -> list[Written]:
    return [Written(value, {}, "" if value is not None else "no JSON") for value in values]


@pytest.mark.parametrize(
    ("text", "scale", "value"),
    [
        ('{"intent": "bug", "confidence": 0.85}', 1, 0.85),
        ('{"intent": "bug", "confidence": 85}', 100, 0.85),
        ('{"confidence": 1}', 1, 1.0),
        ('{"confidence": 1}', 100, 0.01),
        ('{"confidence": 0}', 100, 0.0),
        (' {"confidence": 8.5e-1}\n', 1, 0.85),
    ],
)
def test_a_number_is_read_on_its_scale(text: str, scale: Scale, value: float) -> None:
    assert read(text, scale).confidence == pytest.approx(value)
    assert not read(text, scale).why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON"),
        ("I am 90 % sure", "no JSON"),
        ('{"confidence": 0.9', "no JSON"),
        ('{"confidence": NaN}', "no JSON"),
        ('{"confidence": Infinity}', "no JSON"),
        ("[" * 50_000, "no JSON"),
        ('{"confidence": ' + "9" * 5000 + "}", "no JSON"),
        ("0.9", "no object"),
        ('[{"confidence": 0.9}]', "no object"),
        ('{"intent": "bug"}', "no number"),
        ('{"confidence": "0.9"}', "no number"),
        ('{"confidence": true}', "no number"),
        ('{"confidence": null}', "no number"),
        ('{"confidence": 90}', "outside the scale"),
        ('{"confidence": -0.1}', "outside the scale"),
        ('{"confidence": 1e999}', "outside the scale"),
        (" " * LONGEST + "{}", "too long"),
    ],
)
def test_what_has_no_number_says_why(text: str, why: str) -> None:
    found = read(text, 1)
    assert (found.confidence, found.why) == (None, why)
    assert why in WHY


def test_the_answer_is_kept_without_the_number() -> None:
    assert read('{"intent": "bug", "confidence": 0.4}', 1).answer == {"intent": "bug"}
    assert read('{"intent": "bug", "confidence": "high"}', 1).answer == {"intent": "bug"}


# wordings


@pytest.mark.parametrize("name", NAMES)
def test_a_wording_names_its_keys_and_takes_the_ticket_once(name: str) -> None:
    wording = WORDINGS[name]
    assert wording.instruction.count(INPUT) == 1
    assert list(wording.schema["properties"]) == ["intent", FIELD]
    for word in (*wording.schema["properties"], *INTENTS):
        assert word in wording.instruction
    ticket = "Pay {input} back & {0}"
    assert wording.prompt(ticket) == wording.instruction.replace(INPUT, ticket)
    assert wording.prompt(ticket, True).count(ticket) == 1
    assert wording.example in wording.prompt(ticket, True)


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_takes_what_is_read_and_the_mask_is_the_schema(name: str) -> None:
    wording = WORDINGS[name]
    spec = ConstraintSpec(kind="schema", source=json.dumps(wording.schema))
    compiled = compile_constraint(spec, BYTES)
    shown = wording.example.split("Answer:\n")[1].split("\n")[0]
    judge = jsonschema.Draft202012Validator(wording.schema)
    cases: list[Any] = [0, 1, 0.5, 0.85, 7, 50, 100, 101, -1, 1.5, "0.9", None, True]
    for number in cases:
        text = json.dumps({"intent": "bug", FIELD: number})
        valid = judge.is_valid(json.loads(text))
        assert accepts(compiled.automaton, text.encode()) == valid, text
        assert not valid or read(text, wording.scale).confidence is not None
    assert accepts(compiled.automaton, shown.encode())
    assert read(shown, wording.scale).confidence == 0.8


# the report


def test_a_report_by_hand() -> None:
    outputs = wrote(0.9, 0.9, 0.9, None, 0.5, 0.9)
    found = report(outputs, [True, False, True, True, False, False], rng())
    assert (found.n, found.read, found.unread) == (6, 5, {"no JSON": 1})
    assert found.mean == pytest.approx((4 * 0.9 + 0.5) / 5)
    assert (found.right.count, found.right.n) == (2, 5)
    assert [(each.value, each.count, each.right.count) for each in found.numbers] == [
        (0.9, 4, 2),
        (0.5, 1, 0),
    ]
    assert (found.few.count, found.few.n, found.few.lower) == (5, 5, None)
    assert found.gap is not None
    assert found.gap.lower == pytest.approx(found.mean - beta.ppf(0.975, 3, 3))
    assert found.gap.upper == pytest.approx(found.mean - beta.ppf(0.025, 2, 4))
    assert found.ece is not None
    assert found.ece.value == pytest.approx((4 * 0.4 + 0.5) / 5)
    assert found.auc.value == pytest.approx((2 * 2 * 0.5 + 2 * 1) / 6)


def test_the_few_commonest_numbers_and_what_each_is_worth() -> None:
    found = report(wrote(*[0.9] * 50, 0.8, 0.8, 0.7, 0.6), [False] * 54, rng())
    assert found.few.count == 53
    assert [each.value for each in found.numbers] == [0.9, 0.8, 0.6, 0.7]
    assert not found.numbers[0].holds
    assert found.numbers[-1].holds  # one output says too little


def test_a_model_that_always_writes_the_same_and_is_right_by_half_is_contradicted() -> None:
    found = report(wrote(*[0.95] * 100), [True, False] * 50, rng())
    said = " ".join(found.contradicted)
    assert len(found.contradicted) == 2
    assert "95.0 %" in said
    assert "50.0 % (39.8 % to 60.2 %)" in said
    assert found.auc.value == 0.5


def test_numbers_that_are_chances_are_seldom_contradicted() -> None:
    doubted = 0
    for seed in range(40):
        chance = np.random.default_rng(seed)
        sure = chance.choice([0.3, 0.6, 0.9], 150)
        right = chance.random(150) < sure
        doubted += bool(report(wrote(*sure.tolist()), right, chance).contradicted)
    assert doubted <= 12  # of 40, by two tests of 5 %: more has a chance of 1 in 11,000 at most


def test_few_right_answers_do_not_prove_a_gap() -> None:
    """Five outputs, all right at .9: their spread is 0, but five of five is not certainty."""
    found = report(wrote(*[0.9] * 5), [True] * 5, rng())
    assert found.gap is not None
    assert 0 in found.gap
    assert not found.contradicted


def test_nothing_read_says_nothing() -> None:
    found = report(wrote(None, None), [True, False], rng())
    assert (found.mean, found.gap, found.ece, found.auc.value) == (None, None, None, None)
    assert (found.read, found.numbers, found.contradicted) == (0, (), ())
    assert report([], [], rng()).n == 0


def test_answers_and_outputs_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="booleans are needed"):
        report(wrote(0.5), [True, False], rng())
