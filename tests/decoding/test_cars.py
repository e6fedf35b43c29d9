"""cars and conditional: an accepted attempt is p_V's whatever is known, proved by enumeration."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.decoding.accept import LANGUAGE
from playground.decoding.cars import Cars
from playground.decoding.chance import streams
from playground.decoding.conditional import Conditional
from playground.decoding.laws import Laws
from playground.decoding.learnt import Learnt, attempt, surplus
from playground.decoding.methods import METHODS
from playground.decoding.run import lockstep
from playground.decoding.trace import Outcome, Problem
from playground.models.toy import EOS, Rule, ToyModel, ToySpec
from playground.models.toys import TOYS
from tests.decoding.bruteforce import FAMILIAR, outcomes, problem_of, random_toys, reference

random = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

BRANCHES = ToySpec(
    name="branches",
    tokens=("A", "B", "x", "y"),
    rules=(
        Rule(prefix=(), p={"A": 0.5, "B": 0.5}),
        Rule(prefix=("A",), p={"x": 0.1, "y": 0.9}),
        Rule(prefix=("B",), p={"x": 1}),
        Rule(p={EOS: 1}),
    ),
)


def attempted(problem, memory, choose, masked=False):
    """The one attempt from `memory`."""
    (course,) = lockstep(Laws(), [attempt(memory, 0, choose, masked)])
    return course


def accepted_law(problem, memory, masked=False):
    law = defaultdict(float)
    for chance, course in outcomes(lambda choose: attempted(problem, memory, choose, masked)):
        if course.outcome is Outcome.ACCEPTED:
            law[course.tokens] += chance
    return dict(law)


def is_exact(law, truth, bound) -> bool:
    """Every valid run y comes with chance p(y) / bound."""
    return {k for k, m in law.items() if m} == truth.valid and all(
        law[tokens] == pytest.approx(truth.p[tokens] / bound, rel=1e-12) for tokens in truth.valid
    )


def grown(problem, data, memory) -> None:
    """Let `memory` learn from arbitrary attempts, rows of other methods being stored meanwhile."""
    model, laws = problem.model, Laws()
    ids = st.lists(st.integers(0, len(model.vocabulary) - 2), max_size=3).map(tuple)

    def choose(law, run, t):
        problem.rows.get(model, [data.draw(ids)])
        return data.draw(st.sampled_from(np.flatnonzero(law.logprobs > -np.inf).tolist()))

    for _ in range(data.draw(st.integers(0, 5))):
        before = memory.log_bound
        memory.learn(laws, attempted(problem, memory, choose))
        assert memory.log_bound <= before


@pytest.mark.parametrize(("name", "pattern", "max_tokens"), FAMILIAR)
@settings(parent=random, max_examples=5)
@given(st.data())
def test_an_accepted_attempt_is_exact_from_any_memory_on_the_familiar_toys(
    playground, name, pattern, max_tokens, data
) -> None:
    problem = problem_of(playground, TOYS[name], pattern, max_tokens)
    truth, memory = reference(TOYS[name], pattern, max_tokens), Learnt(problem)
    grown(problem, data, memory)
    assert is_exact(accepted_law(problem, memory), truth, np.exp(memory.log_bound))


@random
@given(random_toys(), st.data())
def test_an_accepted_attempt_is_exact_from_any_memory_on_random_toys(playground, toy, data) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    memory = Learnt(problem)
    grown(problem, data, memory)
    bound = np.exp(memory.log_bound)
    assert truth.z <= bound * (1 + 1e-12)
    if bound > 0:
        assert is_exact(accepted_law(problem, memory), truth, bound)


def test_a_row_stored_by_another_method_does_not_mask_and_one_used_in_mid_attempt_would_be_caught(
    playground,
) -> None:
    """Masking a node that the memory didn't know at the start gives a half each for .091 / .909."""
    problem, truth = problem_of(playground, BRANCHES, "(A|B)x"), reference(BRANCHES, "(A|B)x", 8)
    assert sorted(truth.conditional.values()) == pytest.approx([0.05 / 0.55, 0.5 / 0.55])
    for _ in METHODS["masked"].draws(problem, 20):
        pass
    assert problem.rows.held[0] == 5
    fresh = Learnt(problem)
    assert is_exact(accepted_law(problem, fresh), truth, 1.0)
    hasty = accepted_law(problem, fresh, masked=True)
    assert list(hasty.values()) == pytest.approx([0.5, 0.5])
    assert not is_exact(hasty, truth, sum(hasty.values()) / truth.z)


def bound_by_hand(problem: Problem, truth, visited, tokens=()) -> float:
    """The bound that the visited prefixes prove, from the toy's table."""
    eos = len(problem.model.vocabulary) - 1
    if tokens not in visited:
        return 1.0
    assert isinstance(problem.model, ToyModel)
    row = np.exp(problem.model.logits([tokens])[0])
    mask = problem.constraint.mask(state_after(problem, tokens))
    total = 0.0
    for token in np.flatnonzero(mask & (row > 0)).tolist():
        if token == eos:
            total += row[token]
        elif len(tokens) + 1 < problem.max_tokens:
            total += row[token] * bound_by_hand(problem, truth, visited, (*tokens, token))
    return total


def state_after(problem: Problem, tokens):
    state = problem.constraint.initial
    for token in tokens:
        state = problem.constraint.advance(state, token)
    return state


@random
@given(random_toys(), st.integers(1, 3), st.data())
def test_attempts_that_ran_side_by_side_teach_all_they_met(playground, toy, together, data) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    visited = set()

    def choose(law, run, t):
        return data.draw(st.sampled_from(np.flatnonzero(law.logprobs > -np.inf).tolist()))

    bounds = [0.0]
    cars = Cars(max_attempts=6, together=together)
    for draw in cars.draws(problem, 6, choose=choose):
        visited |= {draw.run.tokens[:length] for length in range(len(draw.run.tokens))}
        bounds.append(draw.log_bound)
        assert draw.rows_used == len(visited)
        if draw.accepted:
            assert draw.run.log_proposal <= 0
    assert bounds == sorted(bounds, reverse=True)
    if (len(bounds) - 1) % together == 0:
        expected = bound_by_hand(problem, truth, visited)
        assert np.exp(bounds[-1]) == pytest.approx(expected, rel=1e-12, abs=1e-300)


def test_whole_runs_of_cars_give_p_v_first_and_at_each_later_attempt(playground) -> None:
    problem, truth = problem_of(playground, BRANCHES, "(A|B)x"), reference(BRANCHES, "(A|B)x", 8)
    for together in (1, 2):
        cars = Cars(max_attempts=3, together=together)
        by_attempt = [defaultdict(float) for _ in range(3)]
        for chance, draws in outcomes(lambda c, cars=cars: list(cars.draws(problem, 3, choose=c))):
            for draw in draws:
                if draw.accepted:
                    by_attempt[draw.index][draw.run.tokens] += chance
        for law in by_attempt:
            total = sum(law.values())
            assert {k: m / total for k, m in law.items()} == pytest.approx(truth.conditional)


def test_cars_stops_at_n_accepted_at_its_limit_and_where_nothing_is_valid(playground) -> None:
    sky = problem_of(playground, TOYS["sky"], "skill|cloud")
    draws = list(Cars().draws(sky, 30))
    assert sum(draw.accepted for draw in draws) == 30
    assert draws[-1].accepted
    # What has been met once is never drawn again: three dead ways out, of which each costs a run.
    assert len(draws) <= 33
    assert len(list(Cars(max_attempts=4).draws(sky, 30))) == 4
    never = problem_of(playground, TOYS["two-step"], "xx")
    (only,) = Cars().draws(never, 5)
    assert not only.accepted
    assert only.log_bound == -np.inf


def test_a_valid_mass_of_ten_to_the_minus_thirty_is_not_lost_to_rounding(playground) -> None:
    spec = ToySpec(
        name="thin",
        tokens=("a", "b"),
        rules=(
            Rule(position=3, p={EOS: 1}),
            Rule(logits={"a": -23.02585092994046, "b": 0.0}),
        ),
    )
    problem, truth = problem_of(playground, spec, "aaa"), reference(spec, "aaa", 8)
    draws = list(Cars().draws(problem, 5))
    assert truth.z == pytest.approx(1e-30, rel=1e-6)
    assert sum(draw.accepted for draw in draws) == 5
    assert len(draws) <= 9
    assert draws[-1].log_bound == pytest.approx(np.log(truth.z), abs=1e-12)


class Bounds:
    """Upper bounds on some prefixes, which belong together as `FutureMass` asks."""

    def __init__(self, known) -> None:
        self.known = known

    def upper(self, tokens):
        return self.known.get(tokens)

    def children(self, tokens):
        return [t[-1] for t in self.known if t and t[:-1] == tokens]


def valid_prefixes(problem: Problem, tokens=()):
    """Prefixes of valid texts, the deepest first."""
    if len(tokens) < problem.max_tokens:
        for token in np.flatnonzero(problem.constraint.mask(state_after(problem, tokens))).tolist():
            if token not in problem.model.vocabulary.eos_ids:
                yield from valid_prefixes(problem, (*tokens, token))
        yield tokens


def arbitrary_bounds(problem, truth, data) -> Bounds:
    known = {}
    for tokens in valid_prefixes(problem):
        row = np.exp(problem.model.logits([tokens])[0])
        eos = len(row) - 1
        mask = problem.constraint.mask(state_after(problem, tokens))
        least = sum(
            row[token] * (1.0 if token == eos else known.get((*tokens, token), 1.0))
            for token in np.flatnonzero(mask).tolist()
            if token == eos or len(tokens) + 1 < problem.max_tokens
        )
        choice = data.draw(st.sampled_from(["none", "least", "between"]))
        if choice != "none":
            share = 0.0 if choice == "least" else data.draw(st.floats(0, 1))
            known[tokens] = min(1.0, least + share * (1 - least))
    for tokens in list(known):  # tokens that the mask blocks are named too
        blocked = np.flatnonzero(~problem.constraint.mask(state_after(problem, tokens))).tolist()
        known.update({(*tokens, token): 0.0 for token in blocked if data.draw(st.booleans())})
    return Bounds(known)


@random
@given(random_toys(), st.data())
def test_conditional_is_exact_from_any_bounds_that_belong_together(playground, toy, data) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    tree = arbitrary_bounds(problem, truth, data)
    memory = Learnt(problem, tree)
    upper = tree.upper(())
    bound = 1.0 if upper is None else upper
    assert truth.z <= bound * (1 + 1e-12)
    if bound > 0:
        assert is_exact(accepted_law(problem, memory), truth, bound)
        grown(problem, data, memory)
        bound = np.exp(memory.log_bound)
        assert bound == 0 or is_exact(accepted_law(problem, memory), truth, bound)


@random
@given(random_toys())
def test_conditional_never_rejects_where_f_is_known(playground, toy) -> None:
    problem, truth = problem_of(playground, *toy), reference(*toy)
    prefixes = {tokens[:length] for tokens in truth.p for length in range(len(tokens))}
    tree = Bounds({tokens: truth.future(tokens) for tokens in prefixes})
    if truth.z:
        law = accepted_law(problem, Learnt(problem, tree))
        assert sum(law.values()) == pytest.approx(1.0, rel=1e-12)
        assert law == pytest.approx(truth.conditional, rel=1e-12)
        assert all(draw.accepted for draw in Conditional().draws(problem, 4, tree=tree))


def test_conditional_without_a_tree_is_cars(playground) -> None:
    problem = problem_of(playground, TOYS["sky"], "skill|cloud")
    one, other = (
        [draw.run.tokens for draw in method.draws(problem, 9)] for method in (Cars(), Conditional())
    )
    assert one == other


def test_bounds_that_contradict_each_other_are_refused(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    tree = Bounds({(): 0.5, (0,): 0.9, (1,): 0.9})
    with pytest.raises(ValueError, match=r"a bound of 0\.5"):
        list(Conditional().draws(problem, 1, tree=tree))
    assert surplus(0.0, 1e-9) == -np.inf
    assert np.exp(surplus(np.log(0.7), np.log(0.2))) == pytest.approx(0.5)


def test_cars_reads_few_rows_and_counts_its_own(playground) -> None:
    """`rows_used` is the same with a warm store as with a cold one, and so are the draws."""
    cold = problem_of(playground, TOYS["mars"], r"0(\+0)*", 7)
    one = [(d.run.tokens, d.rows_used, d.log_bound) for d in Cars().draws(cold, 10)]
    for name in ("unconstrained", "masked", "smc"):
        list(METHODS[name].draws(cold, 50))
    again = [(d.run.tokens, d.rows_used, d.log_bound) for d in Cars().draws(cold, 10)]
    assert one == again


def test_a_memory_is_given_on_and_judges_only_cut_down_what_is_accepted(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    memory = Learnt(problem)
    choose = streams(0)
    first = list(Cars().attempts(memory, 3, LANGUAGE, lambda: False, choose))
    later = list(Cars().attempts(memory, 3, LANGUAGE, lambda: False, choose))
    assert later[0].log_bound <= first[-1].log_bound
