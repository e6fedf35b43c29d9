"""Temperature, filters, mask order, and what happens when nothing is left to draw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.decoding.position import next_token, position
from playground.decoding.sampler import SAMPLERS, draw, run, taken
from playground.decoding.sampling import Sampling, filtered, greedy_law, masked_law, model_law
from playground.decoding.trace import Outcome, Standing, Trace
from playground.logspace import log_normalize

logit_rows = st.lists(st.floats(-30, 30, width=32), min_size=2, max_size=12).map(
    lambda row: np.array(row, dtype=np.float32)
)


@given(logit_rows, st.data())
def test_after_filters_masked_times_z_is_p_on_every_allowed_token(logits, data) -> None:
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=logits.size, max_size=logits.size)))
    sampling = Sampling(
        temperature=data.draw(st.sampled_from([0.5, 1.0, 2.0])),
        top_k=data.draw(st.integers(0, 4)),
        top_p=data.draw(st.sampled_from([0.3, 0.9, 1.0])),
    )
    p = np.exp(model_law(logits, sampling))
    law = masked_law(logits, mask, sampling)
    z = p[mask].sum()
    assert p.sum() == pytest.approx(1.0)
    if law is None:
        assert z == 0.0
    else:
        assert np.exp(law) * z == pytest.approx(np.where(mask, p, 0.0), rel=1e-9, abs=1e-300)


@given(logit_rows, st.integers(1, 5))
def test_top_k_keeps_the_k_likeliest_and_their_ties(logits, k) -> None:
    kept = filtered(log_normalize(logits), Sampling(top_k=k)) > -np.inf
    assert kept.sum() >= min(k, logits.size)
    assert logits[kept].min() >= np.max(logits[~kept], initial=-np.inf)


@given(logit_rows, st.floats(0.05, 0.99))
def test_top_p_keeps_the_smallest_set_that_reaches_the_mass(logits, top_p) -> None:
    before = np.exp(log_normalize(logits))
    kept = filtered(log_normalize(logits), Sampling(top_p=top_p)) > -np.inf
    assert before[kept].sum() >= top_p - 1e-9
    assert before[kept].sum() - before[kept].min() < top_p + 1e-9


def test_before_filters_can_draw_what_p_cannot_and_its_weight_says_so() -> None:
    logits = np.log(np.array([0.6, 0.3, 0.1], dtype=np.float64)).astype(np.float32)
    mask = np.array([False, True, True])
    sampling = Sampling(top_k=2, mask_order="before-filters")
    law = masked_law(logits, mask, sampling)
    assert law is not None
    assert np.exp(law) == pytest.approx([0.0, 0.75, 0.25], rel=1e-6)
    assert model_law(logits, sampling)[2] == -np.inf


def test_greedy_takes_the_largest_allowed_logit_and_the_lowest_id_on_ties() -> None:
    logits = np.array([5.0, 3.0, 3.0, 1.0], dtype=np.float32)
    law = greedy_law(logits, np.array([False, True, True, True]))
    assert law is not None
    assert np.flatnonzero(law == 0.0).tolist() == [1]
    assert greedy_law(logits, np.zeros(4, dtype=bool)) is None


def test_temperature_zero_shows_the_law_of_temperature_one(open_toy) -> None:
    cold = open_toy("sky", "skill|cloud", temperature=0.0).problem
    warm = open_toy("sky", "skill|cloud").problem
    assert next_token(Standing.start(cold)).log_z == next_token(Standing.start(warm)).log_z
    *_, trace = run(Trace.start(cold), SAMPLERS["masked"])
    assert trace.standing.text == b"skill"


def test_filters_that_leave_no_allowed_token_are_a_dead_end_and_the_other_order_goes_on(
    open_toy,
) -> None:
    stuck = open_toy("two-step", "Bx", top_k=1).problem
    *_, trace = run(Trace.start(stuck), SAMPLERS["masked"])
    assert trace.outcome is Outcome.DEAD_END
    assert trace.steps == ()
    here = position(Standing.start(stuck), next_token(Standing.start(stuck)))
    assert here.dead
    assert here.log_z == -np.inf
    assert here.bits == np.inf
    other = open_toy("two-step", "Bx", top_k=1, mask_order="before-filters").problem
    *_, trace = run(Trace.start(other), SAMPLERS["masked"])
    assert trace.outcome is Outcome.ACCEPTED


def test_minus_a_billion_instead_of_minus_infinity_draws_blocked_tokens_at_a_dead_end() -> None:
    """With every token blocked, -1e9 for all of them is a uniform law: the mask has vanished."""
    logits = np.array([2.0, 1.0, 0.5], dtype=np.float32)
    nothing = np.zeros(3, dtype=bool)
    pretended = np.exp(log_normalize(np.where(nothing, logits, np.float32(-1e9))))
    assert pretended == pytest.approx([1 / 3] * 3)
    assert masked_law(logits, nothing, Sampling()) is None


@given(logit_rows, st.integers(0, 2**32), st.integers(0, 50), st.integers(0, 50))
def test_a_draw_has_mass_and_depends_on_its_stream_alone(logits, seed, r, t) -> None:
    law = log_normalize(np.where(np.arange(logits.size) % 2 == 0, logits, -np.inf))
    token = draw(law, seed, r, t)
    assert token % 2 == 0
    assert token == draw(law, seed, r, t)


def test_draws_follow_the_law_within_a_proved_bound() -> None:
    """Every stream gives one uniform: over 4,000 the counts stay inside six standard deviations.

    For fixed streams this is a fixed computation; six sigma leaves 2e-9 for chance.
    """
    law = np.log(np.array([0.5, 0.3, 0.15, 0.05]))
    counts = np.bincount([draw(law, 11, r, 0) for r in range(4000)], minlength=4)
    expected = 4000 * np.exp(law)
    assert (np.abs(counts - expected) <= 6 * np.sqrt(expected * (1 - np.exp(law)))).all()


def test_a_forced_token_that_cannot_be_drawn_has_no_proposal(open_toy) -> None:
    problem = open_toy("two-step", "Bx").problem
    trace = Trace.start(problem)
    a = problem.model.vocabulary.tokens.index(b"A")
    step = taken(trace.standing, SAMPLERS["masked"], a)
    assert step.log_proposal == -np.inf
    assert step.next_state is None
    assert trace.extended(step).outcome is Outcome.REJECTED


@pytest.mark.parametrize("regex", ["(A|B)x", "Bx"])
def test_shown_rows_and_the_rest_sum_to_one(open_toy, regex) -> None:
    standing = Standing.start(open_toy("two-step", regex).problem)
    here = position(standing, next_token(standing))
    kept = sum(row.p for row in here.candidates if row.allowed) + here.other_allowed[1]
    cut = sum(row.p for row in here.candidates if not row.allowed) + here.other_blocked[1]
    assert kept == pytest.approx(np.exp(here.log_z), rel=1e-12)
    assert kept + cut == pytest.approx(1.0, rel=1e-12)
    after = sum(row.masked for row in here.candidates) + here.other_allowed[2]
    assert after == pytest.approx(1.0, rel=1e-12)


def test_a_weight_is_never_nan_even_where_neither_law_has_mass(open_toy) -> None:
    start = Standing.start(open_toy("two-step", "Bx", top_k=1).problem)
    vocabulary = start.problem.model.vocabulary
    weights = {
        text: taken(start, SAMPLERS["masked"], vocabulary.tokens.index(text)).log_weight
        for text in (b"A", b"B", b"x")
    }
    assert weights == {b"A": np.inf, b"B": -np.inf, b"x": -np.inf}


def test_going_back_from_a_dead_end_sets_the_run_going_again(open_toy) -> None:
    *_, dead = run(Trace.start(open_toy("two-step", "(A|B)x", top_k=1).problem), SAMPLERS["masked"])
    assert dead.outcome is Outcome.DEAD_END
    assert len(dead.steps) == 1
    again = dead.back()
    assert (again.outcome, again.tokens) == (Outcome.RUNNING, dead.tokens)
    assert again.standing.state == dead.standing.state
    assert dead.back(2).tokens == ()
    assert dead.back(5).outcome is Outcome.RUNNING
    *_, stuck = run(Trace.start(open_toy("two-step", "Bx", top_k=1).problem), SAMPLERS["masked"])
    assert (stuck.back().outcome, stuck.back().steps) == (Outcome.RUNNING, ())


@pytest.mark.parametrize("temperature", [5e-324, 1e-310, 1e-3, -1.0, 11.0, np.nan, np.inf])
def test_a_temperature_that_floats_cannot_bear_is_refused(temperature) -> None:
    with pytest.raises(ValueError):
        Sampling(temperature=temperature)


def test_greedy_goes_on_where_the_filters_leave_nothing_and_is_not_called_dead(open_toy) -> None:
    problem = open_toy("two-step", "Bx", top_k=1, temperature=0.0).problem
    here = position(Standing.start(problem), next_token(Standing.start(problem)))
    assert not here.dead
    *_, trace = run(Trace.start(problem), SAMPLERS["masked"])
    assert trace.standing.text == b"Bx"
