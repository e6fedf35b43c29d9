"""conditional from the bounds of a real mass tree, however far its search has come."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.decoding import masses
from playground.decoding.bounds import TreeBounds
from playground.decoding.conditional import Conditional
from playground.decoding.learnt import Learnt
from playground.decoding.masses import MassTree
from playground.decoding.trace import Standing
from playground.models.toys import TOYS
from tests.decoding.bruteforce import problem_of, random_toys, reference
from tests.decoding.test_cars import accepted_law, is_exact


def opened(tree: MassTree, choose, steps: int) -> None:
    """Open up to `steps` entries of the frontier, each as `choose(n)` says."""
    for _ in range(steps):
        n = len(tree.frontier)
        if not n:
            return
        entry = choose(n)
        prefix = tree.prefix(int(tree.frontier.rows["node"][entry]))
        row = tree.problem.rows.get(tree.problem.model, [prefix])
        tree.open(np.array([entry]), row)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(random_toys(), st.integers(0, 12), st.sampled_from([1, 32]), st.data())
def test_conditional_is_exact_from_any_state_of_a_search(playground, toy, steps, top, data) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masses, "TOP", top)  # 1: siblings stay together in a rest
        tree = MassTree(problem)
        opened(tree, lambda n: data.draw(st.integers(0, n - 1)), steps)
        memory = Learnt(problem, TreeBounds(tree))
    assert truth.z <= np.exp(memory.log_bound) * (1 + 1e-12)
    if memory.log_bound > -np.inf:
        assert is_exact(accepted_law(problem, memory), truth, np.exp(memory.log_bound))


def test_with_the_search_closed_every_attempt_is_accepted(playground) -> None:
    problem = problem_of(playground, TOYS["mars"], r"0(\+0)*", 7)
    tree = MassTree(problem)
    opened(tree, lambda n: 0, 10_000)
    assert not len(tree.frontier)
    draws = list(Conditional().draws(problem, 40, tree=TreeBounds(tree)))
    assert all(draw.accepted for draw in draws)
    assert draws[0].log_bound == pytest.approx(np.log(0.175), abs=1e-12)


def test_a_tree_from_inside_a_run_is_refused(playground) -> None:
    problem = problem_of(playground, TOYS["mars"], r"0(\+0)*", 7)
    with pytest.raises(ValueError, match="inside a run"):
        TreeBounds(MassTree(problem, Standing.start(problem).after(0)))
