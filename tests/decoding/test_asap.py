"""asap: p~ at first, p_V once everything invalid has been met."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.decoding.accept import LANGUAGE
from playground.decoding.asap import Asap
from playground.decoding.laws import Laws
from playground.decoding.learnt import Learnt, attempt
from playground.decoding.run import lockstep, never
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


def sampled(problem, memory, choose):
    (course,) = lockstep(Laws(), [attempt(memory, 0, choose, masked=True)])
    return course


def taught(problem) -> Learnt:
    """A memory that has met every run that masking can draw."""
    memory = Learnt(problem)
    met = [course for _, course in outcomes(lambda c: sampled(problem, Learnt(problem), c))]
    for course in met:
        memory.learn(Laws(), course)
    return memory


@pytest.mark.parametrize(("name", "pattern", "max_tokens"), FAMILIAR)
def test_with_everything_met_asap_draws_p_v_and_its_bound_is_z(
    playground, name, pattern, max_tokens
) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    truth, memory = reference(TOYS[name], pattern, max_tokens), taught(problem)
    assert np.exp(memory.log_bound) == pytest.approx(truth.z, rel=1e-12)
    law = law_of(lambda choose: sampled(problem, memory, choose).tokens)
    assert law == pytest.approx(truth.conditional, rel=1e-12)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(random_toys(), st.data())
def test_from_any_memory_the_weights_of_asap_have_mean_z(playground, toy, data) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    memory = Learnt(problem)

    def any_token(law, run, t):
        return data.draw(st.sampled_from(np.flatnonzero(law.logprobs > -np.inf).tolist()))

    for _ in Asap().samples(memory, data.draw(st.integers(1, 4)), LANGUAGE, never, any_token):
        pass
    total = 0.0
    for chance, course in outcomes(lambda choose: sampled(problem, memory, choose)):
        if course.outcome.value == "accepted":
            total += chance * np.exp(sum(course.log_p) - sum(course.log_proposal))
    assert total == pytest.approx(truth.z, rel=1e-12, abs=1e-15)


def test_what_one_sample_taught_moves_the_next_towards_p_v(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    truth = reference(TOYS["two-step"], "(A|B)x", 8)
    laws = [
        law_of(lambda c, k=k: [d.run.tokens for d in Asap().draws(problem, k + 1, choose=c)][k])
        for k in range(4)
    ]
    distances = [total_variation(law, truth.conditional) for law in laws]
    assert laws[0] == pytest.approx(truth.masked)
    assert distances == sorted(distances, reverse=True)
    assert distances[3] < 0.1 * distances[0]
