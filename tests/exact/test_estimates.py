"""Intervals from samples cover the truth as often as they say, summed over every outcome."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.decoding.smc import ess
from playground.exact.estimates import (
    LEVEL,
    acceptance,
    distance_slack,
    draws_for,
    mean_weight,
    noise_floor,
    none_valid,
    share,
)
from playground.exact.interval import Interval


def binomial(n: int, k: int, q: float) -> float:
    return math.comb(n, k) * q**k * (1 - q) ** (n - k)


@pytest.mark.parametrize("n", [1, 3, 10, 40])
@pytest.mark.parametrize("q", [1e-4, 0.05, 0.3, 0.9])
def test_acceptance_covers_at_every_n_and_q(n: int, q: float) -> None:
    covered = sum(binomial(n, k, q) for k in range(n + 1) if q in acceptance(k, n).interval)
    assert covered >= LEVEL - 1e-12


@pytest.mark.parametrize("n", [1, 5, 30, 100])
@pytest.mark.parametrize("heavy", [0.0189, 0.2, 0.7])
def test_the_mean_weight_covers_though_no_sample_saw_the_heavy_run(n: int, heavy: float) -> None:
    """The sky case: all of Z comes from runs that 100 samples miss 15 % of the time."""
    log_heavy, log_light = math.log(0.9), math.log(1e-6)
    z = heavy * 0.9 + (1 - heavy) * 1e-6
    covered = sum(
        binomial(n, k, heavy)
        for k in range(n + 1)
        if z in mean_weight([log_heavy] * k + [log_light] * (n - k), 0.0).interval
    )
    assert covered >= LEVEL - 1e-12


def test_the_mean_weight_is_cut_to_what_is_certified() -> None:
    found = mean_weight([-3.0] * 10, 0.0, Interval(0.04, 0.05))
    assert found.value == pytest.approx(math.exp(-3))
    assert 0.04 <= found.interval.lower <= found.interval.upper <= 0.05


def test_unfinished_runs_weigh_nothing() -> None:
    half = mean_weight([-1.0, -math.inf], 0.0)
    assert half.value == pytest.approx(math.exp(-1) / 2)
    assert mean_weight([-math.inf] * 5, -2.0).value == 0.0
    assert mean_weight([], 0.0) is None
    assert acceptance(0, 0) is None


def test_none_of_a_thousand_bounds_q_below_four_in_a_thousand() -> None:
    found = acceptance(0, 1000).interval
    assert found.lower == 0.0
    assert found.upper == pytest.approx(1 - 0.025 ** (1 / 1000), rel=1e-9)


def test_the_table_of_no_valid_draw_has_the_worked_numbers() -> None:
    assert none_valid(Interval.point(0.9), 3).upper == pytest.approx(0.001, rel=1e-12)
    assert draws_for(Interval.point(0.05), 0.01) == Interval.point(90.0)
    assert draws_for(Interval(0.0, 0.05), 0.01) == Interval(90.0, math.inf)
    assert none_valid(Interval(0.0, 1.0), 7) == Interval(0.0, 1.0)


@given(st.floats(1e-9, 1.0), st.floats(1e-6, 0.5))
def test_draws_for_is_the_least_number_that_is_enough(q: float, chance: float) -> None:
    n = draws_for(Interval.point(q), chance).lower
    assert none_valid(Interval.point(q), int(n)).upper <= chance * (1 + 1e-6)
    if n > 1:
        assert none_valid(Interval.point(q), int(n) - 1).lower > chance * (1 - 1e-6)


def test_q_s_interval_is_carried_through() -> None:
    q = Interval(0.2, 0.4)
    assert none_valid(q, 5).lower == pytest.approx(0.6**5)
    assert none_valid(q, 5).upper == pytest.approx(0.8**5)


@given(st.lists(st.floats(-700, 0), min_size=1, max_size=20))
def test_the_effective_sample_size_lies_between_one_and_n(logs: list[float]) -> None:
    assert 1 - 1e-9 <= ess(logs) <= len(logs) + 1e-9
    same = ess([logs[0]] * len(logs))
    assert same == pytest.approx(len(logs))


def test_no_weight_at_all_has_no_effective_sample() -> None:
    assert ess([-math.inf] * 4) == 0.0


def test_the_noise_floor_is_the_mean_distance_of_exact_draws() -> None:
    """Against the exact mean of |k/n - p| for a coin, where the two outcomes share the error."""
    for n, p in ((400, 0.5), (1000, 0.2)):
        exact = sum(binomial(n, k, p) * abs(k / n - p) for k in range(n + 1))
        assert noise_floor([p, 1 - p], n) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(("n", "p"), [(1, 0.3), (20, 0.05), (200, 0.5)])
def test_the_shares_of_n_draws_lie_within_the_slack_of_their_law(n: int, p: float) -> None:
    """Exactly, over every count of a coin: at least 19 in 20, and by less room not even a half."""
    slack = distance_slack(2, n)

    def within(most: float) -> float:
        return sum(binomial(n, k, p) for k in range(n + 1) if abs(k / n - p) <= most)

    assert within(slack) >= 0.95
    assert within(0.1 * slack) < 0.5


def test_a_share_has_wilson_s_interval() -> None:
    """Three of ten: (3 + z^2/2 -+ z sqrt(3 * 7 / 10 + z^2/4)) / (10 + z^2) with z = 1.959964."""
    z = 1.959963984540054
    middle, half = (3 + z * z / 2) / (10 + z * z), z * math.sqrt(2.1 + z * z / 4) / (10 + z * z)
    assert share(3, 10).lower == pytest.approx(middle - half, rel=1e-9)
    assert share(3, 10).upper == pytest.approx(middle + half, rel=1e-9)
    assert share(0, 0) == Interval(0.0, 1.0)


@pytest.mark.parametrize("q", [0.05, 0.3, 0.5])
def test_a_share_covers_about_as_often_as_it_says(q: float) -> None:
    """On average over n from 40 to 80; at a single n it may be some per cent less."""
    covered = [
        sum(binomial(n, k, q) for k in range(n + 1) if q in share(k, n)) for n in range(40, 81)
    ]
    assert sum(covered) / len(covered) == pytest.approx(LEVEL, abs=0.015)


def test_a_weight_above_its_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="above its bound"):
        mean_weight([-1.0, -0.5], -0.7)
