"""Judges other than the mask."""

import json

import pytest

from playground.decoding.accept import SYNTAX, Accept, by_schema, is_json
from playground.decoding.first_valid import FirstValid
from playground.decoding.methods import METHODS
from playground.decoding.trace import Outcome
from playground.models.toy import EOS, Rule, ToySpec
from tests.decoding.bruteforce import problem_of

JSONISH = ToySpec(
    name="jsonish",
    tokens=("1", "NaN", "{", "}", "x"),
    rules=(
        Rule(prefix=(), p={"1": 0.4, "NaN": 0.2, "{": 0.3, "x": 0.1}),
        Rule(prefix=("{",), p={"}": 0.5, "x": 0.5}),
        Rule(p={EOS: 1}),
    ),
)


def test_a_judge_reads_the_whole_text_instead_of_the_mask(playground) -> None:
    problem = problem_of(playground, JSONISH, "1")
    object_only = by_schema(lambda value: isinstance(value, dict), str)
    for name in ("unconstrained", "rejection"):
        for accept, valid in ((SYNTAX, {b"1", b"{}"}), (object_only, {b"{}"})):
            draws = list(METHODS[name].draws(problem, 60, accept=accept))
            assert {d.text for d in draws if d.accepted} == valid
            assert {d.text for d in draws} >= {b"1", b"NaN", b"{}", b"{x", b"x"}
    judged = list(METHODS["masked"].draws(problem, 3, accept=object_only))
    assert [(d.text, d.accepted, d.run.outcome) for d in judged] == [
        (b"1", False, Outcome.ACCEPTED)
    ] * 3
    group = list(FirstValid(size=4).draws(problem, 12, accept=SYNTAX))
    assert {d.text for d in group if d.accepted} == {b"1", b"{}"}


def test_a_run_that_is_cut_off_is_not_judged(playground) -> None:
    problem = problem_of(playground, JSONISH, "1", 1)
    draws = list(METHODS["rejection"].draws(problem, 60, accept=SYNTAX))
    assert {(d.text, d.run.outcome) for d in draws} == {
        (b"1", Outcome.TRUNCATED),
        *((text, Outcome.REJECTED) for text in (b"NaN", b"{", b"x")),
    }
    assert not any(d.accepted for d in draws)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ('{"a": 1}', True),
        ("NaN", False),
        ('{"a": -Infinity}', False),
        ("[" * 100_000, False),
        ("1" * 5000, False),
        ("", False),
        ("1 1", False),
    ],
)
def test_json_is_that_of_the_standard(text, valid) -> None:
    assert is_json(text) is valid
    assert by_schema(lambda value: True, str)(Outcome.REJECTED, True, text.encode()) is valid


def test_bytes_that_are_no_text_are_not_valid() -> None:
    anything = Accept("schema", lambda text: True)
    assert not anything(Outcome.ACCEPTED, True, b'"\xff"')
    assert anything(Outcome.REJECTED, True, json.dumps("é").encode())
