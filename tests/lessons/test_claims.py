"""A claim stands while its numbers prove it: what is only likely, or wrong, doesn't."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from playground.exact.interval import Interval
from playground.lessons.claims import holds, proof_document, proofs
from playground.lessons.lesson import Check, Lesson
from playground.lessons.recording import record
from playground.lessons.shelf import load_lessons
from playground.record import Document
from playground.session import Playground


def check(relation: str, value: object, within: float = 0.0) -> Check:
    return Check.model_validate(
        {"fact": "Z", "relation": relation, "value": value, "within": within}
    )


@pytest.mark.parametrize(
    ("relation", "value", "within", "found", "proved"),
    [
        ("<", 0.3, 0, (0.1, 0.2), True),
        ("<", 0.2, 0, (0.1, 0.2), False),
        ("<", 0.15, 0, (0.1, 0.2), False),
        ("<", 0.05, 0, (0.1, 0.2), False),
        (">", 0.05, 0, (0.1, 0.2), True),
        (">", 0.1, 0, (0.1, 0.2), False),
        (">", 0.15, 0, (0.1, 0.2), False),
        ("near", 0.15, 0.06, (0.1, 0.2), True),
        ("near", 0.15, 0.04, (0.1, 0.2), False),
        ("near", 0.1, 0.06, (0.1, 0.2), False),
        ("near", 0.3, 0.05, (0.1, 0.2), False),
        ("is", 0.15, 0, (0.1, 0.2), False),
        ("is", 0.1, 0, (0.1, 0.1), True),
        ("is", 0.3, 0, (0.1 + 0.2, 0.1 + 0.2), True),
        ("is", 2, 0, (2.0, 2.0), True),
        ("is", 0.1, 0, (0.1001, 0.1001), False),
        (">", 0.1, 0, (0.2, float("inf")), True),
        ("<", 1.0, 0, (0.2, float("inf")), False),
        ("near", 1.0, 1e9, (0.2, float("inf")), False),
    ],
)
def test_bounds_prove_a_relation_only_where_both_do(relation, value, within, found, proved) -> None:
    assert holds(check(relation, value, within), Interval(*found)) is proved


@pytest.mark.parametrize(
    ("value", "found", "proved"),
    [
        ("A", "A", True),
        ("A", "B", False),
        (True, True, True),
        (True, False, False),
        ("True", True, False),
        (1, True, False),
        (True, Interval.point(1.0), False),
        ("1", Interval.point(1.0), False),
    ],
)
def test_texts_and_truths_are_compared_with_their_own_kind(value, found, proved) -> None:
    assert holds(check("is", value), found) is proved


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"fact": "zz"}, "is no fact"),
        ({"fact": "Z", "relation": "<", "value": "A"}, "is no number"),
        ({"fact": "Z", "relation": ">", "value": True}, "is no number"),
        ({"fact": "Z", "relation": "near", "value": 1.0}, "distance above 0"),
    ],
)
def test_a_check_that_could_never_be_read_is_refused(wrong, words) -> None:
    with pytest.raises(ValidationError, match=words):
        Check.model_validate({"value": 1.0, **wrong})


@pytest.fixture(scope="module")
def two_step(playground: Playground) -> tuple[Lesson, Document]:
    lesson = load_lessons()["two-step"]
    return lesson, record(playground, lesson)


def with_value(lesson: Lesson, claim: int, index: int, **changed: object) -> Lesson:
    """The lesson with one check changed."""
    document = lesson.model_dump(mode="json")
    document["claims"][claim]["checks"][index].update(changed)
    return Lesson.model_validate(document)


def test_a_claim_with_a_wrong_value_fails_and_the_others_dont(two_step) -> None:
    lesson, recording = two_step
    assert all(proof.holds for proof in proofs(lesson, recording["scenes"]))
    for number, claim in enumerate(lesson.claims):
        for index, each in enumerate(claim.checks):
            wrong = with_value(lesson, number, index, value=float(each.value) + 0.001)
            held = [proof.holds for proof in proofs(wrong, recording["scenes"])]
            assert held == [other != number for other in range(len(lesson.claims))]


def test_a_check_that_cant_be_read_fails_and_says_why(two_step) -> None:
    lesson, recording = two_step
    for changed, why in (
        ({"of": "Q"}, "no token 'Q'"),
        ({"step": 7}, "no step 7"),
        ({"fact": "drawn", "scene": "locked-out", "of": "masked"}, "recorded without methods"),
    ):
        proof = proofs(with_value(lesson, 0, 0, **changed), recording["scenes"])[0]
        assert not proof.holds
        assert why in proof_document(proof)["checks"][0]["why"]


def test_without_its_scene_nothing_is_proved(two_step) -> None:
    lesson, recording = two_step
    some = {"popular": recording["scenes"]["popular"]}
    assert not any(proof.holds for proof in proofs(lesson, {}))
    assert [proof.holds for proof in proofs(lesson, some)] == [True, False, True, True]


def test_a_proof_is_strict_json(two_step) -> None:
    lesson, recording = two_step
    for proof in proofs(lesson, recording["scenes"]):
        wide = replace(proof.checks[0], found=Interval(0.0, float("inf")))
        document = proof_document(replace(proof, checks=(wide,)))
        assert document["checks"][0]["found"] == {"lower": 0.0, "upper": None}
        assert json.loads(json.dumps(document, allow_nan=False)) == document
