"""The registry, what weights can stand for, and distances against the noise of their number."""

from collections import defaultdict

import numpy as np
import pytest

from playground.decoding.methods import METHODS, covers
from playground.decoding.sampling import Sampling
from playground.decoding.smc import ess
from playground.models.toy import EOS, Rule, ToySpec
from playground.models.toys import TOYS
from tests.decoding.bruteforce import problem_of, reference, total_variation


def test_the_registry_is_the_list_of_methods() -> None:
    assert list(METHODS) == [
        "unconstrained",
        "masked",
        "engine-order",
        "rejection",
        "first-valid",
        "cars",
        "asap",
        "smc",
        "importance",
        "mcmc",
        "conditional",
        "retry",
        "json-mode",
        "think",
    ]
    for name, method in METHODS.items():
        assert method.name == name
        assert method.title
        assert method.law
    exact = {name for name, method in METHODS.items() if method.exact}
    assert exact == {"unconstrained", "masked", "rejection", "first-valid", "cars", "conditional"}


def test_engine_order_masks_before_the_filters_and_covers_says_what_that_costs(playground) -> None:
    spec = ToySpec(
        name="nucleus",
        tokens=("b", "a", "c"),
        rules=(Rule(prefix=(), p={"b": 0.8, "a": 0.07, "c": 0.07, EOS: 0.06}), Rule(p={EOS: 1})),
    )
    sampling = Sampling(top_p=0.86)
    problem = problem_of(playground, spec, "b|a", 8, sampling)
    filtered = {d.text for d in METHODS["masked"].draws(problem, 200)}
    engine = {d.text for d in METHODS["engine-order"].draws(problem, 200)}
    assert filtered == {b"b", b"a"}
    assert engine == {b"b"}
    before = sampling.model_copy(update={"mask_order": "before-filters"})
    assert covers(sampling)
    assert not covers(before)
    assert covers(before.model_copy(update={"top_p": 1.0, "top_k": 2}))
    assert {
        d.text
        for d in METHODS["importance"].draws(problem_of(playground, spec, "b|a", 8, before), 200)
    } == filtered


@pytest.mark.parametrize(
    ("name", "n"),
    [("rejection", 1500), ("cars", 800), ("conditional", 800), ("smc", 1500), ("importance", 1500)],
)
def test_many_draws_come_as_near_to_p_v_as_their_number_lets_them(playground, name, n) -> None:
    """The distance is held against the noise floor of n exact draws, n counting what is accepted
    and, with weights, the effective number; masked draws, for comparison, stay far above theirs.

    For fixed streams this is a fixed computation. The distance moves by at most 1/n a draw, so it
    is above its mean by more than 3/sqrt(n) with chance exp(-18) (McDiarmid) for exact draws.
    """
    problem = problem_of(playground, TOYS["binary-len-5-0"], "00000|1[01]{4}")
    truth = reference(TOYS["binary-len-5-0"], "00000|1[01]{4}", 8).conditional

    def distance(draws, weights):
        found = defaultdict(float)
        for one, weight in zip(draws, weights, strict=True):
            found[one.run.tokens] += weight / sum(weights)
        return total_variation(found, truth)

    def margin(size):
        floor = sum(np.sqrt(2 * p * (1 - p) / (np.pi * size)) for p in truth.values()) / 2
        return floor + 3 / np.sqrt(size)

    accepted = [d for d in METHODS[name].draws(problem, n) if d.accepted]
    weights = [np.exp(d.log_weight) for d in accepted]
    size = ess([d.log_weight for d in accepted])
    assert distance(accepted, weights) < margin(size) < 0.3
    masked = list(METHODS["masked"].draws(problem, n))
    assert distance(masked, [1.0] * n) > margin(n) + 0.1
