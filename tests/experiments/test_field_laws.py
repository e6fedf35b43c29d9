"""The exact law of a field: by hand, and as the marginal of whole laws."""

import json
from itertools import product

import pytest

from playground.constraints.spec import ConstraintSpec
from playground.decoding.masses import MassTree
from playground.errors import InvalidInput
from playground.exact.search import Budget, search
from playground.experiments.laws import Field, field_laws, tv
from playground.models.rows import RowStore
from playground.models.toyspec import EOS, Rule, ToySpec
from playground.problem import ProblemSpec
from playground.study.prompts.base import closed

WEIGHT = {"risk": {"enum": ["low", "high"]}}
LEAN = ToySpec(
    name="lean",
    tokens=(
        '{"risk":', '{"reasoning":', ', "risk":', ', "reasoning":', ' "low"', ' "high"', ' "', "low",
        "hi", "gh", '"', ' "ok"', ' "bad"', "}",
    ),
    rules=(
        Rule(prefix=(), p={'{"risk":': 0.5, '{"reasoning":': 0.5}),
        Rule(last='{"reasoning":', p={' "ok"': 0.5, ' "bad"': 0.5}),
        Rule(prefix=('{"reasoning":', ' "ok"', ', "risk":'), p={' "low"': 0.9, ' "high"': 0.1}),
        Rule(prefix=('{"reasoning":', ' "bad"', ', "risk":'), p={' "low"': 0.2, ' "high"': 0.8}),
        Rule(
            last='{"risk":',
            p={' "low"': 0.30, ' "high"': 0.10, ' "': 0.20, ' "ok"': 0.25, "}": 0.15},
        ),
        Rule(last=' "', p={"low": 0.25, "hi": 0.75}),
        Rule(last="hi", p={"gh": 1}),
        Rule(last="low", p={'"': 1}),
        Rule(last="gh", p={'"': 1}),
        Rule(prefix=('{"risk":', ' "low"', ', "reasoning":'), p={' "ok"': 0.9, ' "bad"': 0.1}),
        Rule(last=', "reasoning":', p={' "ok"': 0.3, ' "bad"': 0.7}),
        Rule(last=' "ok"', p={"}": 0.5, ', "risk":': 0.5}),
        Rule(last=' "bad"', p={"}": 0.5, ', "risk":': 0.5}),
        Rule(last="}", p={EOS: 1}),
        Rule(p={"}": 0.5, ', "reasoning":': 0.5}),
    ),
)  # fmt: skip
"""It would like a low risk after a good reasoning, and a good reasoning after a low risk."""
LOW, HIGH = options = ('"low"', '"high"')


def lean_problem(playground, text, first):
    said = {"reasoning": {"const": text}}
    schema = closed(**said, **WEIGHT) if first else closed(**WEIGHT, **said)
    constraint = ConstraintSpec(kind="schema", source=json.dumps(schema))
    return playground.open(ProblemSpec(toy=LEAN, constraint=constraint)).problem


def lean_law(playground, text, first):
    before = f'{{"reasoning": "{text}", "risk":' if first else '{"risk":'
    asked = [(lean_problem(playground, text, first), Field(before, options))]
    return field_laws(asked, RowStore(2**20))[0]


def marginal(playground, text, first, law):
    """The share of low risks among all whole texts, by the search that proves."""
    *_, found = search(MassTree(lean_problem(playground, text, first)), Budget(tolerance=0.0))
    assert found.status == "exact"
    masses = [(LOW in each.text.decode(), getattr(each, law).middle) for each in found.texts]
    return sum(mass for low, mass in masses if low) / sum(mass for _, mass in masses)


def test_the_law_of_a_field_sums_its_spellings_as_calculated_by_hand(playground) -> None:
    law = lean_law(playground, "ok", first=False)
    assert law[LOW] == pytest.approx((0.30 + 0.20 * 0.25) / 0.60, abs=1e-12)
    assert law[HIGH] == pytest.approx((0.10 + 0.20 * 0.75) / 0.60, abs=1e-12)


def test_a_reasoning_written_last_leaves_the_risk_alone_and_one_written_first_does_not(
    playground,
) -> None:
    last = [lean_law(playground, text, first=False) for text in ("ok", "bad")]
    first = [lean_law(playground, text, first=True) for text in ("ok", "bad")]
    assert last[0] == pytest.approx(last[1], abs=1e-12)
    assert tv(list(first[0].values()), list(first[1].values())) == pytest.approx(0.7, abs=1e-12)


def test_the_law_of_a_field_is_the_marginal_of_the_whole_masked_law(playground) -> None:
    for text, first in product(("ok", "bad"), (True, False)):
        law = lean_law(playground, text, first)
        assert law[LOW] == pytest.approx(marginal(playground, text, first, "masked"), abs=1e-9)


def test_keeping_finished_answers_by_their_last_reasoning_is_another_law(playground) -> None:
    kept = [marginal(playground, text, False, "conditional") for text in ("ok", "bad")]
    assert kept[0] > kept[1] + 0.3


def test_a_beginning_that_the_constraint_forbids_is_refused(playground) -> None:
    problem = lean_problem(playground, "ok", first=False)
    with pytest.raises(InvalidInput, match="doesn't allow"):
        field_laws([(problem, Field('{"reasoning":', options))], RowStore(2**20))


def test_an_option_is_chosen_once_no_other_is_left() -> None:
    field = Field("{", ('"low"', '"long"', "null"))
    assert [field.chosen(text) for text in ("", ' "', '"lo', '"low', " n", '"long", ')] == [
        None, None, None, '"low"', "null", '"long"',
    ]  # fmt: skip
    with pytest.raises(ValueError, match="none of"):
        field.chosen("x")
