"""Each fact, read off a toy whose numbers are worked out by hand; and what can't be read, in words."""

import copy
import math

import pytest

from playground.errors import InvalidInput
from playground.exact.interval import Interval
from playground.lessons.facts import FACTS, value_of
from playground.lessons.lesson import scene
from playground.lessons.recording import record_scene
from playground.record import Document
from playground.session import Playground

H = -(0.9 * math.log2(0.9) + 0.1 * math.log2(0.1))
"""Entropy of a choice of .9 and .1, bits."""
BY_HAND = [
    ("z", 0, "", 1.0),
    ("z", 1, "", 0.01),
    ("bits", 1, "", math.log2(100)),
    ("allowed", 0, "", 2),
    ("allowed", 1, "", 1),
    ("forced", 0, "", False),
    ("forced", 1, "", True),
    ("argmax-blocked", 0, "", False),
    ("argmax-blocked", 1, "", True),
    ("may-stop", 1, "", False),
    ("entropy-before", 0, "", H),
    ("entropy-after", 0, "", H),
    ("entropy-after", 1, "", 0.0),
    ("argmax", 0, "", "A"),
    ("argmax", 1, "", "y"),
    ("argmax-p", 1, "", 0.99),
    ("taken", 1, "", "x"),
    ("taken-p", 1, "", 0.01),
    ("state", 0, "", "q0"),
    ("state", 1, "", "q1"),
    ("future", 0, "A", 0.01),
    ("future", 0, "B", 1.0),
    ("future", 1, "y", 0.0),
    ("exact-next", 0, "A", 0.009 / 0.109),
    ("exact-next", 1, "x", 1.0),
    ("states", None, "", 3),
    ("hops", 1, "", 1),
    ("p", 0, "B", 0.1),
    ("after-mask", 0, "A", 0.9),
    ("after-mask", 1, "x", 1.0),
    ("rank", 1, "x", 2),
    ("token-allowed", 1, "y", False),
    ("text", None, "", "Ax"),
    ("outcome", None, "", "running"),
    ("steps", None, "", 2),
    ("least-z", None, "", 0.01),
    ("largest-z", None, "", 1.0),
    ("product-of-z", None, "", 0.01),
    ("forced-steps", None, "", 1),
    ("Z", None, "", 0.109),
    ("tv", None, "", 0.9 - 0.009 / 0.109),
    ("p-of", None, "Ax", 0.009),
    ("exact-of", None, "Bx", 0.1 / 0.109),
    ("masked-of", None, "Ax", 0.9),
    ("squeeze-of", None, "Ax", 0.9 / (0.009 / 0.109)),
    ("texts", None, "", 2),
    ("drawn", None, "masked", 40),
    ("accepted", None, "masked", 40),
    ("verdict", None, "Ax", "valid"),
    ("verdict", None, "Ay", "invalid"),
    ("mask-verdict", None, "Ay", "invalid"),
]
ELSEWHERE = {"correlation", "apart-of", "stack", "share-of-draws"}
"""Facts that need another toy."""


def test_every_fact_is_worked_out_by_hand() -> None:
    assert {name for name, *_ in BY_HAND} | ELSEWHERE == set(FACTS)


@pytest.mark.parametrize(("fact", "step", "of", "value"), BY_HAND)
def test_a_fact_is_the_number_worked_out_by_hand(ax: Document, fact, step, of, value) -> None:
    found = value_of(ax, fact, step, of)
    if isinstance(value, bool | str):
        assert found == value
        assert type(found) is type(value)
    else:
        assert isinstance(found, Interval)
        assert (found.lower, found.upper) == pytest.approx((value, value), rel=1e-9, abs=1e-12)


def fields(second: dict[str, dict[str, float]]) -> Document:
    """A toy of two fields: the first is a or b, the second follows from it by these laws."""
    rules = [
        {"prefix": [], "p": {"a": 1, "b": 1}},
        {"position": 1, "p": {"-": 1}},
        *({"prefix": [one, "-"], "p": law} for one, law in second.items()),
        {"p": {"<eos>": 1}},
    ]
    return {"name": "fields", "tokens": ["a", "b", "-"], "rules": rules}


@pytest.mark.parametrize(
    ("second", "bits"),
    [
        ({"a": {"a": 1}, "b": {"b": 1}}, 1.0),
        ({"a": {"a": 1, "b": 3}, "b": {"a": 1, "b": 3}}, 0.0),
        ({"a": {"a": 3, "b": 1}, "b": {"a": 1, "b": 3}}, 1 + 0.75 * math.log2(0.75) - 0.5),
    ],
    ids=["copied", "apart", "leaning"],
)
def test_the_correlation_of_two_fields_is_their_mutual_information(
    playground: Playground, second, bits
) -> None:
    two = scene("toy:two-step", "regex", "[ab]-[ab]", toy=fields(second), law=True)
    found = value_of(record_scene(playground, two), "correlation", None, "-")
    assert isinstance(found, Interval)
    assert found.middle == pytest.approx(bits, abs=1e-12)


def test_fields_chosen_apart_have_the_product_of_their_marginals(playground: Playground) -> None:
    laws = {"a": {"a": 3, "b": 1}, "b": {"b": 1}}
    two = scene("toy:two-step", "regex", "[ab]-[ab]", toy=fields(laws), law=True)
    recorded = record_scene(playground, two)
    for pair, chance in (
        ("a-a", 0.5 * 0.375),
        ("b-a", 0.5 * 0.375),
        ("b-b", 0.5 * 0.625),
        ("c-a", 0),
    ):
        found = value_of(recorded, "apart-of", None, pair)
        assert isinstance(found, Interval)
        assert found.middle == pytest.approx(chance, abs=1e-12)
    for pair in ("ab", "a-b-c", "a-/b"):
        with pytest.raises(InvalidInput, match="two fields"):
            value_of(recorded, "apart-of", None, pair)


def test_the_stack_grows_with_what_is_open_and_has_no_end_of_states(playground: Playground) -> None:
    toy = {"name": "s", "tokens": ["(", "x", ")"], "rules": [{"p": {"(": 1, "x": 1, ")": 1}}]}
    nested = scene(
        "toy:two-step", "grammar", 'root ::= "x" | "(" root ")"',
        toy=toy, engine="llguidance", path=("(", "(", "x"),
    )  # fmt: skip
    recorded = record_scene(playground, nested)
    for step in range(3):
        assert value_of(recorded, "stack", step, "") == Interval.point(step)
    assert value_of(recorded, "states", None, "") == Interval.point(math.inf)


@pytest.mark.parametrize(
    ("fact", "step", "of", "words"),
    [
        ("z", None, "", "no step None: the run has 2"),
        ("z", 2, "", "no step 2: the run has 2"),
        ("z", -1, "", "no step -1"),
        ("p", 0, "Q", "no token 'Q'"),
        ("exact-of", None, "Ay", "no text 'Ay'"),
        ("drawn", None, "cars", "'cars' wasn't compared"),
        ("verdict", None, "Bx", "'Bx' wasn't judged"),
        ("share-of-draws", None, "masked Ay", "isn't among"),
        ("share-of-draws", None, "cars Ax", "'cars' wasn't compared"),
        ("correlation", None, "x", "texts"),
        ("future", 5, "A", "no step 5"),
        ("future", 1, "Q", "no token 'Q'"),
    ],
)
def test_what_isnt_in_the_recording_is_told(ax: Document, fact, step, of, words) -> None:
    if fact == "correlation":
        ax = copy.deepcopy(ax)
        ax["squeezing"]["exact"]["status"] = "bounded"
    with pytest.raises(InvalidInput, match=words):
        value_of(ax, fact, step, of)


def test_a_share_of_draws_is_by_weight_where_they_are_weighed(playground: Playground) -> None:
    doors = scene("toy:two-step", "regex", "(A|B)x", methods=("masked", "importance"), n=60)
    recorded = record_scene(playground, doors)
    ax = {text["text"]: text for text in recorded["compare"]["methods"]["masked"]["texts"]}["Ax"]
    a, b = ax["count"], 60 - ax["count"]
    for method, share in (("masked", a / 60), ("importance", 0.01 * a / (0.01 * a + b))):
        for text, value in (("Ax", share), ("Bx", 1 - share)):
            found = value_of(recorded, "share-of-draws", None, f"{method} {text}")
            assert isinstance(found, Interval)
            assert found.middle == pytest.approx(value, abs=1e-9)


def test_the_exact_law_of_a_step_that_no_beat_shows_is_told(ax: Document) -> None:
    shown = {**ax, "exact": {"1": ax["exact"]["1"]}}
    assert value_of(shown, "future", 1, "x") == value_of(ax, "future", 1, "x")
    with pytest.raises(InvalidInput, match="no beat shows the exact law of step 0"):
        value_of(shown, "future", 0, "A")


@pytest.mark.parametrize(
    ("fact", "of"), [("Z", ""), ("drawn", "masked"), ("verdict", "Ax"), ("steps", "")]
)
def test_what_wasnt_recorded_is_told(fact, of) -> None:
    with pytest.raises(InvalidInput, match="recorded without"):
        value_of(dict.fromkeys(("page", "squeezing", "compare", "judged")), fact, None, of)


@pytest.mark.parametrize(
    "broken", [{}, [], 3, "x", {"steps": 3}, {"steps": [{"z": "x"}]}, {"steps": []}]
)
def test_a_recording_out_of_a_file_that_isnt_ours_is_refused_in_words(broken) -> None:
    for fact, step in (("least-z", None), ("z", 0), ("p", 0)):
        with pytest.raises(InvalidInput):
            value_of({"page": broken}, fact, step, "A")


def test_bounds_that_the_record_has_no_number_for_are_infinite(ax: Document) -> None:
    wide = copy.deepcopy(ax)
    wide["squeezing"]["exact"]["Z"] = {"lower": 0.1, "upper": None}
    assert value_of(wide, "Z", None, "") == Interval(0.1, math.inf)
