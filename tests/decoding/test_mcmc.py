"""mcmc: the kernel, as a matrix from enumerating every choice, leaves p_V as it is."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from playground.decoding.laws import Laws
from playground.decoding.mcmc import Mcmc
from playground.decoding.run import Course, lockstep, walk
from playground.models.toys import TOYS
from tests.decoding.bruteforce import FAMILIAR, law_of, problem_of, random_toys, reference

CUTS = ("uniform", "restart")


def course_of(problem, tokens) -> Course:
    going = walk(Course.start(problem), 0, lambda law, run, t: tokens[t], lambda law: law.masked)
    (course,) = lockstep(Laws(), [going])
    assert course.tokens == tokens
    return course


def kernel(problem, runs, cuts) -> np.ndarray:
    """(K, K): from each valid run, the law of where one proposal leaves the chain."""
    method = Mcmc(cuts=cuts)
    matrix = np.zeros((len(runs), len(runs)))
    for row, tokens in enumerate(runs):
        current = course_of(problem, tokens)

        def moved(choose, current=current):
            ((after, _),) = lockstep(Laws(), [method.step(current, 1, choose)])
            return after.tokens

        for reached, chance in law_of(moved).items():
            matrix[row, runs.index(reached)] = chance
    return matrix


def check_invariant(problem, truth, cuts) -> None:
    runs = sorted(tokens for tokens in truth.valid if truth.masked.get(tokens))
    matrix = kernel(problem, runs, cuts)
    target = np.array([truth.conditional[tokens] for tokens in runs])
    assert matrix.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert target @ matrix == pytest.approx(target, abs=1e-12)
    # Reversible, which is stronger.
    flow = target[:, None] * matrix
    assert flow == pytest.approx(flow.T, abs=1e-12)


@pytest.mark.parametrize("cuts", CUTS)
@pytest.mark.parametrize(("name", "pattern", "max_tokens"), FAMILIAR)
def test_the_kernel_leaves_p_v_as_it_is(playground, name, pattern, max_tokens, cuts) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    check_invariant(problem, reference(TOYS[name], pattern, max_tokens), cuts)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(random_toys())
def test_the_kernel_leaves_p_v_as_it_is_on_random_toys_with_unfinished_and_dying_runs(
    playground, toy
) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    if truth.z:
        for cuts in CUTS:
            check_invariant(problem, truth, cuts)


@pytest.mark.parametrize("cuts", CUTS)
def test_a_draw_is_p_tilde_moved_by_the_kernel_and_tends_to_p_v(playground, cuts) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    truth = reference(TOYS["two-step"], "(A|B)x", 8)
    runs = sorted(truth.valid)
    matrix = kernel(problem, runs, cuts)
    begun = np.array([truth.masked[tokens] for tokens in runs])
    target = np.array([truth.conditional[tokens] for tokens in runs])

    def last(choose):
        (draw,) = Mcmc(steps=2, cuts=cuts).draws(problem, 1, choose=choose)
        assert draw.accepted
        return draw.run.tokens

    found = law_of(last)
    expected = begun @ matrix @ matrix
    assert [found[tokens] for tokens in runs] == pytest.approx(expected.tolist(), rel=1e-12)
    assert not np.allclose(expected, target, atol=1e-3)
    assert begun @ np.linalg.matrix_power(matrix, 2000) == pytest.approx(target, abs=1e-9)


def test_a_chain_that_starts_unfinished_is_restarted_until_it_is_valid(playground) -> None:
    problem = problem_of(playground, TOYS["mars"], r"0(\+0)*", 2)
    truth = reference(TOYS["mars"], r"0(\+0)*", 2)
    unfinished = 1 - truth.masked[(0, 3)]

    def finished(choose):
        (draw,) = Mcmc(steps=3).draws(problem, 1, choose=choose)
        assert draw.accepted == (draw.log_weight == 0.0)
        return draw.accepted

    assert law_of(finished)[False] == pytest.approx(unfinished**4, rel=1e-12)
