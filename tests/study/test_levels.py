"""The arithmetic of the three levels, by hand and by its laws."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from playground.exact.interval import Interval
from playground.study.levels import (
    LADDER,
    Budget,
    Plan,
    attempts_for,
    attempts_that_fit,
    expected_attempts,
    fewer_failures,
    ladder,
    latency,
    mean_attempts,
    plans,
    reliability,
    retry_latency,
    some_valid,
)

RATES = st.floats(0, 1)
COUNTS = st.integers(0, 40)


def test_from_91_to_99_is_nine_times_fewer_failures_and_then_none() -> None:
    first, second, third = ladder()
    assert [rung.valid for rung in (first, second, third)] == list(LADDER)
    assert first.fewer is None
    assert second.fewer == pytest.approx(9)
    assert third.fewer == math.inf
    assert (first.failing, third.failing) == (pytest.approx(0.09), 0.0)


def test_fewer_failures_of_any_rates() -> None:
    assert fewer_failures(0.5, 0.75) == 2
    assert fewer_failures(0.75, 0.5) == 0.5
    assert fewer_failures(1, 1) == 1
    assert fewer_failures(1, 0.5) == 0
    assert ladder([]) == ()


def test_forty_steps_of_25_ms_are_a_second() -> None:
    assert latency(40, 25) == 1000
    assert latency(40) == 1000
    assert latency(40, 25, 120) == 1120


def test_attempts_by_hand() -> None:
    assert expected_attempts(0.25) == 4
    assert expected_attempts(0) == math.inf
    assert some_valid(0.5, 3) == 0.875
    assert some_valid(0.8, 3) == pytest.approx(0.992)
    assert mean_attempts(0.5, 3) == pytest.approx(1.75)  # 1 + 1/2 + 1/4
    assert mean_attempts(0, 3) == 3
    assert mean_attempts(1, 3) == 1
    assert retry_latency(0.5, 3, 1000) == pytest.approx(1750)


def test_attempts_for_99_percent() -> None:
    assert attempts_for(0.9, 0.99) == 2
    assert attempts_for(0.5, 0.99) == 7  # 1/64 is above 1 %, 1/128 below
    assert attempts_for(0.05, 0.99) == 90
    assert attempts_for(0, 0.99) == math.inf
    assert attempts_for(1, 0.99) == 1
    assert attempts_for(0.3, 0) == 0


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_attempts_for_a_chance_are_the_fewest(q: float, chance: float) -> None:
    n = int(attempts_for(q, chance))
    assert some_valid(q, n) >= chance - 1e-9
    assert some_valid(q, n - 1) < chance + 1e-9


@given(RATES, COUNTS)
def test_chances_stay_chances_and_grow_with_attempts(q: float, n: int) -> None:
    assert 0 <= some_valid(q, n) <= some_valid(q, n + 1) <= 1
    assert mean_attempts(q, n) <= mean_attempts(q, n + 1) <= n + 1


@given(RATES, RATES, COUNTS)
def test_a_higher_rate_never_hurts(one: float, other: float, n: int) -> None:
    low, high = sorted((one, other))
    assert some_valid(low, n) <= some_valid(high, n)
    assert mean_attempts(high, n) <= mean_attempts(low, n) + 1e-12
    assert expected_attempts(high) <= expected_attempts(low)
    assume(low < 1)
    assert fewer_failures(low, high) >= 1


@given(st.floats(0.001, 1), st.integers(1, 12))
def test_mean_attempts_are_the_mean_of_a_cut_off_geometric_law(q: float, n: int) -> None:
    stops = [k * q * (1 - q) ** (k - 1) for k in range(1, n)]
    assert mean_attempts(q, n) == pytest.approx(sum(stops) + n * (1 - q) ** (n - 1))


def test_a_tiny_rate_keeps_its_digits() -> None:
    assert some_valid(1e-18, 3) == pytest.approx(3e-18)
    assert mean_attempts(1e-18, 3) == pytest.approx(3)


def test_twenty_calls_at_99_percent_all_succeed_at_82_percent() -> None:
    found = reliability(Interval(0.91, 0.99), 20)
    assert found.upper == pytest.approx(0.8179, abs=5e-5)
    assert found.lower == pytest.approx(0.1516, abs=5e-5)
    assert reliability(Interval.point(1.0), 20) == Interval.point(1.0)
    assert reliability(Interval(0.2, 0.5), 0) == Interval.point(1.0)


@given(RATES, RATES, COUNTS)
def test_the_interval_of_many_calls_holds_that_of_each(one: float, other: float, n: int) -> None:
    low, high = sorted((one, other))
    found = reliability(Interval(low, high), n)
    assert 0 <= found.lower <= found.upper <= 1
    for inside in np.linspace(low, high, 5):
        assert found.lower - 1e-15 <= float(inside) ** n <= found.upper + 1e-15


def test_attempts_that_fit_a_budget() -> None:
    assert attempts_that_fit(1000, 3500) == 3
    assert attempts_that_fit(1000, 3000) == 3
    assert attempts_that_fit(0.1, 0.3) == 3  # though 0.3 / 0.1 is 2.9999999999999996
    assert attempts_that_fit(1000, 999) == 0
    assert attempts_that_fit(1000, 9000, 2) == 2
    assert attempts_that_fit(1000, None, 2) == 2
    assert attempts_that_fit(1000) is None
    assert attempts_that_fit(0, 1000) is None


def by_level(q: Interval, budget: Budget, **fields: Interval) -> dict[str, Plan]:
    """The plans of 40 steps and up to 3 attempts."""
    return {plan.level: plan for plan in plans(q, 40, budget, **fields)}


def test_latency_rules_out_retries_but_not_samples_side_by_side() -> None:
    found = by_level(Interval.point(0.5), Budget(ms=1500))
    assert {level: plan.fits for level, plan in found.items()} == {
        "1": True,
        "2": False,
        "parallel": True,
        "3": True,
    }
    assert "Latency rules out retries" in found["2"].why
    assert "3,000 ms" in found["2"].why
    assert found["2"].most_ms == 3000
    assert found["2"].mean_ms.middle == pytest.approx(1750)
    assert found["2"].valid.middle == pytest.approx(0.875)
    assert found["parallel"].most_ms == 1000
    assert found["parallel"].mean_calls == Interval.point(3.0)
    assert found["3"].valid == Interval.point(1.0)


def test_a_budget_for_two_attempts_says_that_two_fit() -> None:
    found = by_level(Interval.point(0.5), Budget(ms=2500))
    assert not found["2"].fits
    assert "rules out" not in found["2"].why
    assert "2 would fit" in found["2"].why


def test_calls_rule_out_samples_side_by_side_too() -> None:
    found = by_level(Interval.point(0.5), Budget(calls=2))
    assert [level for level, plan in found.items() if plan.fits] == ["1", "3"]
    assert "3 calls" in found["parallel"].why


def test_a_budget_below_one_attempt_fits_nothing() -> None:
    assert not any(plan.fits for plan in plans(Interval.point(0.9), 40, Budget(ms=500)))


def test_prefill_counts_at_each_attempt() -> None:
    assert by_level(Interval.point(0.5), Budget(prefill_ms=200))["2"].most_ms == 3600


def test_the_interval_of_q_is_carried_through() -> None:
    found = by_level(
        Interval(0.5, 0.9),
        Budget(),
        prefilled=Interval(0.6, 0.7),
        constrained=Interval(0.97, 1.0),
    )
    assert found["1"].valid == Interval(0.5, 0.9)
    assert found["1.5"].valid == Interval(0.6, 0.7)
    assert found["2"].valid.lower == pytest.approx(0.875)
    assert found["2"].valid.upper == pytest.approx(0.999)
    assert found["2"].mean_calls.lower == pytest.approx(1.11)
    assert found["2"].mean_calls.upper == pytest.approx(1.75)
    assert found["3"].valid == Interval(0.97, 1.0)


@pytest.mark.parametrize("q", [-0.1, 1.1, math.nan])
def test_what_is_no_rate_is_refused(q: float) -> None:
    for ask in (expected_attempts, lambda q: some_valid(q, 2), lambda q: fewer_failures(q, 0.5)):
        with pytest.raises(ValueError, match="rate"):
            ask(q)


def test_what_is_no_count_or_chance_or_time_is_refused() -> None:
    with pytest.raises(ValueError, match="count"):
        mean_attempts(0.5, -1)
    with pytest.raises(ValueError, match="chance"):
        attempts_for(0.5, 1.0)
    with pytest.raises(ValueError, match="at least 0"):
        latency(-1)
