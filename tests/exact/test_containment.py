"""Every claim holds at every budget, on random toys, random live models and random constraints."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from playground.decoding import masses
from playground.decoding.masses import MassTree
from playground.decoding.trace import Outcome, Problem, Standing
from playground.vocabulary import Vocabulary
from tests.exact.checks import complaints
from tests.exact.enumerate import Ambiguous, Law, TooLarge, Truth, truth_of
from tests.exact.problems import LiveDouble, every_budget, live_problem, toy_problem
from tests.exact.strategies import CONSTRAINTS, FILTERS, TEMPERATURES, TOKENS, toys

few = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
BATCHES = st.sampled_from([1, 2, 5])
AIMS = st.sampled_from(["both", "z"])
LENGTHS = st.integers(1, 6)
TOPS = st.sampled_from([1, 2, 3, 32])


@pytest.fixture(autouse=True)
def _everything_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.exact.posterior.SHOWN", 10**6)


def known(problem: Problem, law: Law, pattern: str, start: Standing | None = None) -> Truth:
    """The truth, for problems that have few prefixes and no filter on a knife's edge."""
    try:
        return truth_of(
            law,
            problem.model.vocabulary,
            pattern,
            max_tokens=problem.max_tokens,
            sampling=problem.sampling,
            start=start.tokens if start else (),
            most=300,
        )
    except (Ambiguous, TooLarge):
        assume(False)
        raise


def hold_at_every_budget(
    problem: Problem, truth: Truth, batch: int, aim: object, top: int, start: Standing | None = None
) -> None:
    """All claims are true, and the bracket of Z never widens."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masses, "TOP", top)
        patch.setattr(masses, "MORE", min(top, 4))
        tree = MassTree(problem, start)
        low, high = -np.inf, np.inf
        # Where a mass is looked into, its error may come to be that of one token more.
        slack = tree.delta * problem.max_tokens + 1e-12
        for claims in every_budget(tree, batch, aim):  # type: ignore[arg-type]
            assert complaints(tree, claims, truth) == []
            assert low - slack <= claims.log_z.lower
            assert claims.log_z.upper <= high + slack
            low, high = claims.log_z.lower, claims.log_z.upper


@few
@given(toys(), CONSTRAINTS, LENGTHS, TEMPERATURES, BATCHES, AIMS, TOPS)
def test_toys(spec, constraint, max_tokens, temperature, batch, aim, top) -> None:
    kind, source = constraint
    problem, law, pattern = toy_problem(spec, source, kind, max_tokens, temperature=temperature)
    hold_at_every_budget(problem, known(problem, law, pattern), batch, aim, top)


@few
@given(toys(), CONSTRAINTS, LENGTHS, FILTERS, BATCHES, AIMS, TOPS)
def test_filters_in_both_orders(spec, constraint, max_tokens, filters, batch, aim, top) -> None:
    kind, source = constraint
    problem, law, pattern = toy_problem(spec, source, kind, max_tokens, **filters)
    hold_at_every_budget(problem, known(problem, law, pattern), batch, aim, top)


@st.composite
def doubles(draw: st.DrawFn, noise: bool = True) -> LiveDouble:
    """A live model over a and b: every byte is a token, so that texts settle."""
    tokens = [token.encode() for token in draw(TOKENS)]
    ends = draw(st.integers(1, 2))
    vocabulary = Vocabulary(
        (*tokens, *[None] * (ends + 1)), frozenset(range(len(tokens), len(tokens) + ends))
    )
    return LiveDouble(
        vocabulary,
        draw(st.integers(0, 2**32)),
        draw(st.sampled_from([0.5, 2.0, 6.0])),
        draw(st.sampled_from([0.0, 1e-4, 1.9e-4])) if noise else 0.0,
        draw(st.booleans()),
    )


@few
@given(
    doubles(),
    CONSTRAINTS,
    LENGTHS,
    TEMPERATURES,
    BATCHES,
    AIMS,
    TOPS,
    st.sampled_from([2000, 2**24]),
)
def test_live_models_whose_rows_move_a_little(
    model, constraint, max_tokens, temperature, batch, aim, top, store
) -> None:
    kind, source = constraint
    problem, law, pattern = live_problem(
        model, source, kind, max_tokens, store=store, temperature=temperature
    )
    hold_at_every_budget(problem, known(problem, law, pattern), batch, aim, top)


@few
@given(doubles(noise=False), CONSTRAINTS, LENGTHS, FILTERS, BATCHES, AIMS, TOPS)
def test_live_models_under_filters(model, constraint, max_tokens, filters, batch, aim, top) -> None:
    kind, source = constraint
    problem, law, pattern = live_problem(model, source, kind, max_tokens, **filters)
    hold_at_every_budget(problem, known(problem, law, pattern), batch, aim, top)


@few
@given(st.one_of(toys(), doubles()), CONSTRAINTS, LENGTHS, BATCHES, AIMS, st.data())
def test_from_the_middle_of_a_run(given_model, constraint, max_tokens, batch, aim, data) -> None:
    kind, source = constraint
    make = live_problem if isinstance(given_model, LiveDouble) else toy_problem
    problem, law, pattern = make(given_model, source, kind, max_tokens + 2)
    start = Standing.start(problem)
    for _ in range(2):
        allowed = np.flatnonzero(problem.constraint.mask(start.state)).tolist()
        assume(allowed)
        start = start.after(data.draw(st.sampled_from(allowed)))
        assume(start.outcome is Outcome.RUNNING)
    hold_at_every_budget(problem, known(problem, law, pattern, start), batch, aim, 3, start)


@few
@given(
    st.integers(0, 2**32),
    st.sampled_from([0.5, 2.0]),
    st.sets(st.integers(0, 4), min_size=1, max_size=4),
    CONSTRAINTS,
    LENGTHS,
    TEMPERATURES,
    BATCHES,
)
def test_the_worst_that_batching_may_do_is_allowed_for(
    seed, spread, favoured, constraint, max_tokens, temperature, batch
) -> None:
    # Every row of a run errs the same way, by nearly all that the bounds allow for.
    kind, source = constraint
    vocabulary = Vocabulary((b"a", b"b", b"ab", b"ba", None), frozenset({4}))
    noise = masses.FLOAT32_DELTA * 0.99
    model = LiveDouble(vocabulary, seed, spread, noise, favoured=frozenset(favoured))
    problem, law, pattern = live_problem(model, source, kind, max_tokens, temperature=temperature)
    hold_at_every_budget(problem, known(problem, law, pattern), batch, "both", 32)
