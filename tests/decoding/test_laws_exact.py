"""The law of each method's draws, proved by enumerating every random choice on toys."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from playground.decoding.first_valid import FirstValid
from playground.decoding.methods import METHODS
from playground.decoding.sampling import Sampling
from playground.decoding.smc import Smc
from playground.decoding.trace import Outcome
from playground.models.toys import TOYS
from tests.decoding.bruteforce import (
    FAMILIAR,
    law_of,
    outcomes,
    problem_of,
    random_toys,
    reference,
    total_variation,
)

familiar = pytest.mark.parametrize(("name", "pattern", "max_tokens"), FAMILIAR)
random = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def first(method, problem, choose, n=1):
    """The first draw, of `n`."""
    return next(iter(method.draws(problem, n, choose=choose)))


def same(found, expected) -> None:
    assert {key for key, mass in found.items() if mass} == {k for k, m in expected.items() if m}
    for key, mass in expected.items():
        assert found.get(key, 0.0) == pytest.approx(mass, rel=1e-12, abs=1e-15)


def check_simple_methods(problem, truth) -> None:
    ask = law_of(lambda choose: first(METHODS["unconstrained"], problem, choose).run.tokens)
    same(ask, truth.p)
    for name in ("masked", "importance", "asap"):
        found = law_of(lambda choose, m=METHODS[name]: first(m, problem, choose).run.tokens)
        same(found, truth.masked)
    check_accepted(METHODS["rejection"], problem, truth, truth.z)


def check_accepted(method, problem, truth, rate) -> None:
    """An accepted draw is p_V's, and a draw is accepted with chance `rate`."""
    law = defaultdict(float)
    for chance, draw in outcomes(lambda choose: first(method, problem, choose)):
        if draw.accepted:
            assert draw.log_weight == 0.0
            law[draw.run.tokens] += chance
    total = sum(law.values())
    assert total == pytest.approx(rate, rel=1e-12, abs=1e-15)
    same({key: mass / total for key, mass in law.items()}, truth.conditional if total else {})


@familiar
def test_each_method_draws_the_law_that_it_states_on_the_familiar_toys(
    playground, name, pattern, max_tokens
) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    truth = reference(TOYS[name], pattern, max_tokens)
    check_simple_methods(problem, truth)
    if name in ("two-step", "sky"):
        pair = FirstValid(size=2)
        check_accepted(pair, problem, truth, 1 - (1 - truth.z) ** 2)


@random
@given(random_toys())
def test_each_method_draws_the_law_that_it_states_on_random_toys(playground, toy) -> None:
    check_simple_methods(problem_of(playground, *toy), reference(*toy))


@pytest.mark.parametrize("top_k", [0, 2])
@pytest.mark.parametrize(("name", "pattern", "max_tokens"), [FAMILIAR[1], FAMILIAR[4]])
def test_with_temperature_and_filters_p_is_the_filtered_law(
    playground, name, pattern, max_tokens, top_k
) -> None:
    sampling = Sampling(temperature=0.7, top_k=top_k)
    problem = problem_of(playground, TOYS[name], pattern, max_tokens, sampling)
    truth = reference(TOYS[name], pattern, max_tokens, 0.7, top_k)
    check_simple_methods(problem, truth)
    check_accepted(METHODS["cars"], problem, truth, truth.z)


@familiar
def test_importance_weights_have_mean_z(playground, name, pattern, max_tokens) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    for method in ("importance", "masked", "asap"):
        found = outcomes(lambda choose, m=METHODS[method]: first(m, problem, choose))
        mean = sum(chance * np.exp(draw.log_weight) for chance, draw in found)
        assert mean == pytest.approx(reference(TOYS[name], pattern, max_tokens).z, rel=1e-12)


@random
@given(random_toys())
def test_importance_weights_have_mean_z_on_random_toys_too(playground, toy) -> None:
    problem = problem_of(playground, *toy)
    found = list(outcomes(lambda choose: first(METHODS["importance"], problem, choose)))
    mean = sum(chance * np.exp(draw.log_weight) for chance, draw in found)
    assert mean == pytest.approx(reference(*toy).z, rel=1e-12, abs=1e-15)
    for _, draw in found:
        if draw.accepted:
            assert draw.log_weight == pytest.approx(sum(draw.run.log_z), abs=1e-12)


def test_the_worked_numbers_come_out(playground) -> None:
    def texts(name, pattern):
        truth = reference(TOYS[name], pattern, 8)
        return truth, total_variation(truth.masked, truth.conditional)

    two, _ = texts("two-step", "(A|B)x")
    assert sorted(two.conditional.values()) == pytest.approx([0.009 / 0.109, 0.1 / 0.109])
    sky, distance = texts("sky", "skill|cloud")
    assert sky.z == pytest.approx(0.2512)
    assert distance == pytest.approx(0.701, abs=5e-4)
    squeeze = {t: sky.masked[t] / sky.conditional[t] for t in sky.valid}
    assert max(squeeze.values()) == pytest.approx(148, abs=0.5)
    for name, pattern, z, tv in [
        ("binary-len-3", "000|1[01]{2}", 5 / 8, 0.3),
        ("binary-len-5-0", "00000|1[01]{4}", 17 / 32, 0.441176),
        ("mars", r"0(\+0)*", 0.175, 0.310714),
    ]:
        truth, distance = texts(name, pattern)
        assert (truth.z, distance) == pytest.approx((z, tv), abs=1e-6)


@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.99])
@pytest.mark.parametrize(("name", "pattern", "max_tokens"), [FAMILIAR[0], FAMILIAR[1]])
def test_the_mean_weight_of_smc_has_mean_z(
    playground, name, pattern, max_tokens, threshold
) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    method = Smc(threshold=threshold)
    resampled = set()

    def mean_weight(choose):
        def watching(law, run, t):
            resampled.update({t} if t >= 2**32 else ())
            return choose(law, run, t)

        draws = list(method.draws(problem, 3, choose=watching))
        return np.mean([np.exp(draw.log_weight) for draw in draws])

    mean = sum(chance * found for chance, found in outcomes(mean_weight))
    assert mean == pytest.approx(reference(TOYS[name], pattern, max_tokens).z, rel=1e-12)
    assert bool(resampled) == (threshold > 0)


@settings(parent=random, max_examples=15)
@given(random_toys().filter(lambda toy: toy[2] <= 3))
def test_the_mean_weight_of_smc_has_mean_z_on_random_toys_too(playground, toy) -> None:
    """With two particles; dying and unfinished ones among them."""
    problem, truth = problem_of(playground, *toy), reference(*toy)

    def weighted(choose):
        return list(Smc(threshold=0.99).draws(problem, 2, choose=choose))

    total, by_run = 0.0, defaultdict(float)
    for chance, draws in outcomes(weighted):
        total += chance * sum(np.exp(draw.log_weight) for draw in draws) / 2
        for draw in draws:
            by_run[draw.run.tokens] += chance * np.exp(draw.log_weight) / 2
            assert (draw.log_weight > -np.inf) == (draw.run.outcome is Outcome.ACCEPTED)
    assert total == pytest.approx(truth.z, rel=1e-12, abs=1e-15)
    # And more: weighted runs have the unnormalised law p·1[V].
    same(by_run, {tokens: truth.p[tokens] for tokens in truth.valid})
