"""asap, smc and mcmc tend to p_V: their draws are as near to it as exact draws would be.

The distance of n independent exact draws from their law is at most its mean, the noise floor, plus
sqrt(ln(1e8) / 2n), for all but one seed in 1e8 (McDiarmid). For asap and mcmc, whose later draws are
such, that is a bound; for smc, whose shares are weighted or resampled, it is a tolerance. That their
laws are right is proved in test_asap, test_smc and test_mcmc.
"""

import math
from collections import Counter

import pytest

from playground.decoding.asap import Asap
from playground.decoding.mcmc import Mcmc
from playground.decoding.smc import Smc, ess
from playground.exact.estimates import noise_floor
from playground.models.toys import TOYS
from tests.decoding.bruteforce import problem_of, reference

CASES = [("two-step", "(A|B)x", 8), ("binary-len-3", "000|1[01]{2}", 8), ("mars", r"0(\+0)*", 7)]


def seeded(playground, name, pattern, max_tokens, seed):
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    sampling = problem.sampling.model_copy(update={"seed": seed})
    return type(problem)(
        problem.model, problem.constraint, problem.rows, problem.prompt, sampling, max_tokens
    )


def allowed(law: dict, n: float) -> float:
    return noise_floor(list(law.values()), max(1, round(n))) + math.sqrt(math.log(1e8) / (2 * n))


def distance(shares: dict, law: dict) -> float:
    return sum(abs(shares.get(y, 0.0) - law.get(y, 0.0)) for y in shares.keys() | law.keys()) / 2


def shares_of(draws) -> dict:
    counts = Counter(draw.run.tokens for draw in draws if draw.accepted)
    return {tokens: count / counts.total() for tokens, count in counts.items()}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "pattern", "max_tokens"), CASES)
def test_asap_ends_where_exact_draws_are(playground, name, pattern, max_tokens, seed) -> None:
    """Once every valid run was met, which 300 draws of these toys see to, each draw is exact."""
    problem = seeded(playground, name, pattern, max_tokens, seed)
    law = reference(TOYS[name], pattern, max_tokens).conditional
    draws = list(Asap().draws(problem, 800))
    early = shares_of(draws[:300])
    assert set(early) == set(law)
    assert distance(shares_of(draws[300:]), law) <= allowed(law, 500)


@pytest.mark.parametrize("threshold", [0.0, 0.5])
@pytest.mark.parametrize(("name", "pattern", "max_tokens"), CASES)
def test_smc_with_many_particles_is_near(playground, name, pattern, max_tokens, threshold) -> None:
    """Weighted shares have an effective number: with few particles left, more is allowed."""
    problem = seeded(playground, name, pattern, max_tokens, 1)
    law = reference(TOYS[name], pattern, max_tokens).conditional
    draws = list(Smc(threshold=threshold).draws(problem, 1500))
    weights: Counter = Counter()
    for draw in draws:
        weights[draw.run.tokens] += math.exp(draw.log_weight)
    shares = {tokens: weight / weights.total() for tokens, weight in weights.items() if weight}
    # Before any resampling: afterwards equal weights hide how few parents there were.
    plain = Smc(threshold=0.0).draws(problem, 1500)
    effective = ess([draw.log_weight for draw in plain])
    assert distance(shares, law) <= allowed(law, effective)


@pytest.mark.parametrize(("name", "pattern", "max_tokens"), CASES)
def test_mcmc_comes_nearer_with_every_step(playground, name, pattern, max_tokens) -> None:
    """From p~ after one run, a chain of k restarts is within (1 - 1/w)^k of p_V, where w is the
    largest p_V / p~ (an independence sampler)."""
    truth = reference(TOYS[name], pattern, max_tokens)
    law = truth.conditional
    heaviest = max(law[tokens] / truth.masked[tokens] for tokens in law)
    problem = seeded(playground, name, pattern, max_tokens, 1)
    n = 150
    for steps in (1, 10, 30):
        draws = Mcmc(steps=steps, cuts="restart").draws(problem, n)
        bias = (1 - 1 / heaviest) ** steps
        assert distance(shares_of(draws), law) <= bias + allowed(law, n)
