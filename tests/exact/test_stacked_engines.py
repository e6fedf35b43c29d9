"""Exact numbers do not depend on the engine where its masks are exact; recursion works as well."""

import numpy as np
import pytest

from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.decoding.chance import streams
from playground.decoding.masses import MassTree
from playground.decoding.methods import METHODS
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Problem
from playground.models.rows import RowStore
from playground.models.toy import ToyModel
from playground.models.toyspec import ToySpec
from tests.exact.problems import finished, toy

LETTERS = toy(
    ["a", "b", "ab", "ba"],
    [
        {"position": 0, "p": {"a": 0.6, "b": 0.2, "ba": 0.1, "ab": 0.1}},
        {"last": "a", "p": {"a": 0.1, "b": 0.2, "ba": 0.3, "<eos>": 0.4}},
        {"p": {"a": 0.3, "b": 0.2, "ab": 0.1, "ba": 0.1, "<eos>": 0.3}},
    ],
)
BRACKETS = toy(
    ["(", ")", "x", "()"],
    [{"p": {"(": 0.3, ")": 0.3, "x": 0.1, "()": 0.1, "<eos>": 0.2}}],
)
NESTED = 'root ::= "(" root ")" | "x"'


def posed(spec: ToySpec, kind: str, source: str, engine: str, max_tokens: int = 6) -> Problem:
    model = ToyModel(spec)
    asked = ConstraintSpec.model_validate({"kind": kind, "source": source, "engine": engine})
    constraint = compile_constraint(asked, model.vocabulary).automaton
    return Problem(model, constraint, RowStore(2**22), (), Sampling(), max_tokens)


@pytest.mark.parametrize(
    ("kind", "source"), [("regex", "(ab|ba){1,3}b?"), ("choices", "ab\nabba\nb"), ("regex", "a*b*")]
)
def test_z_is_the_same_with_bytes_and_with_xgrammar(kind, source) -> None:
    one, other = (
        finished(MassTree(posed(LETTERS, kind, source, engine))) for engine in ("bytes", "xgrammar")
    )
    assert other.Z == one.Z
    assert other.tv == one.tv
    assert other.texts == one.texts


def test_z_with_llguidance_is_smaller_where_it_forces_the_tokens() -> None:
    exact, forced = (
        finished(MassTree(posed(LETTERS, "regex", "ab", engine)))
        for engine in ("bytes", "llguidance")
    )
    # "ab" is a then b, or the one token ab; llguidance knows the latter alone.
    assert exact.Z.lower == pytest.approx(0.6 * 0.2 * 0.3 + 0.1 * 0.3, abs=1e-9)
    assert forced.Z.lower == pytest.approx(0.1 * 0.3, abs=1e-9)


def test_z_with_llguidance_is_the_same_where_nothing_is_forced() -> None:
    exact, free = (
        finished(MassTree(posed(LETTERS, "regex", "[ab]{1,3}", engine)))
        for engine in ("bytes", "llguidance")
    )
    assert free.Z == exact.Z


@pytest.mark.parametrize("engine", ["xgrammar", "llguidance", "auto"])
def test_a_grammar_without_bound_has_exact_masses(engine) -> None:
    found = finished(MassTree(posed(BRACKETS, "grammar", NESTED, engine, max_tokens=8)))
    # x, (x), ((x)), (((x))): each bracket costs 0.3 and the end 0.2; a longer one has no room.
    want = 0.1 * 0.2 * sum(0.09**depth for depth in range(4))
    assert found.Z.lower == pytest.approx(want, abs=1e-9)
    assert len(found.texts) == 4


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name].target != "other"])
@pytest.mark.parametrize("engine", ["xgrammar", "llguidance"])
def test_every_method_runs_on_a_grammar(engine, name) -> None:
    problem = posed(BRACKETS, "grammar", NESTED, engine, max_tokens=8)
    draws = list(METHODS[name].draws(problem, 60, choose=streams(3)))
    accepted = [draw.text for draw in draws if draw.accepted]
    assert accepted
    for text in accepted:
        if METHODS[name].target != "p":
            depth = (len(text) - 1) // 2
            assert text == b"(" * depth + b"x" + b")" * depth


def test_cars_accepts_by_the_law_of_the_grammar() -> None:
    problem = posed(BRACKETS, "grammar", NESTED, "xgrammar", max_tokens=8)
    texts = [d.text for d in METHODS["cars"].draws(problem, 400, choose=streams(1)) if d.accepted]
    assert len(texts) == 400
    want = 1 / sum(0.09**depth for depth in range(4))
    share = texts.count(b"x") / 400
    assert abs(share - want) < 4 * np.sqrt(want * (1 - want) / 400)
