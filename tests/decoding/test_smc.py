"""Resampling, effective numbers, and the streams of choices that draw no token."""

import numpy as np
import pytest

from playground.decoding.chance import CUT, MOVE, RESAMPLE, Categorical, stream, streams
from playground.decoding.sampler import draw
from playground.decoding.sampling import Sampling
from playground.decoding.smc import Smc, ess, systematic
from playground.models.toys import TOYS
from tests.decoding.bruteforce import problem_of


def mars(playground, **sampling):
    return problem_of(playground, TOYS["mars"], r"0(\+0)*", 7, Sampling(**sampling))


def record(draws):
    return [
        (d.run.tokens, d.run.outcome, d.run.log_z, d.log_weight, d.accepted, d.index, d.rows_used)
        for d in draws
    ]


def test_choices_that_draw_no_token_have_streams_of_their_own() -> None:
    numbers = {stream(kind, t) for kind in (RESAMPLE, CUT, MOVE) for t in range(3000)}
    assert len(numbers) == 9000
    assert min(numbers) >= 2**32
    drawn = {np.random.default_rng((7, 2, t)).random() for t in [*range(3000), *numbers]}
    assert len(drawn) == 12000


def test_the_stream_of_a_token_is_that_of_the_step_screen() -> None:
    with np.errstate(divide="ignore"):
        law = Categorical(np.log(np.array([0.2, 0.0, 0.5, 0.3])))
    choose = streams(11)
    for r in range(50):
        for t in range(4):
            assert choose(law, r, t) == draw(law.logprobs, 11, r, t)


def test_systematic_offspring_are_as_many_as_their_share_and_differ_by_less_than_one() -> None:
    weights = np.log(np.array([0.5, 0.25, 0.2, 0.05]))
    law, parents = systematic(weights)
    chances = np.exp(law.logprobs)
    counts = np.array([np.bincount(parents(i), minlength=4) for i in range(len(chances))])
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert chances @ counts == pytest.approx(4 * np.exp(weights), abs=1e-12)
    assert (np.abs(counts - 4 * np.exp(weights)) < 1).all()
    alone, parents = systematic(np.array([-np.inf, 0.0, -np.inf]))
    assert len(alone.logprobs) == 1
    assert parents(0) == [1, 1, 1]


def test_ess_is_the_number_of_equal_weights_and_falls_with_their_spread() -> None:
    assert ess([-700.0] * 8) == pytest.approx(8)
    assert ess([0.0, -np.inf, -np.inf]) == pytest.approx(1)
    assert ess([-np.inf] * 3) == 0.0
    assert ess([0.0, np.log(0.5)]) == pytest.approx(1.5**2 / 1.25)


def test_repeats_of_smc_are_different_populations_with_runs_of_their_own(playground) -> None:
    problem = mars(playground)
    draws = list(Smc(repeats=3).draws(problem, 10))
    assert [d.index for d in draws] == list(range(30))
    populations = [tuple(d.run.tokens for d in draws[k : k + 10]) for k in (0, 10, 20)]
    assert len(set(populations)) == 3
    assert record(draws[:10]) == record(Smc().draws(problem, 10))
