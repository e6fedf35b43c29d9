"""Rates, costs, AUC and paired differences: worked by hand, against scipy, by brute force."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError
from scipy.optimize import minimize_scalar
from scipy.stats import beta, multinomial, norm, t, ttest_1samp

from playground.study.readings import (
    Cost,
    Shift,
    auc,
    bounds,
    cost,
    paired,
    rate,
    score_variance,
    shift,
    spread,
)

Z = float(norm.isf(0.025))


def outcomes(both: int, only_a: int, only_b: int, neither: int) -> list[tuple[bool, bool]]:
    """So many prompts of each kind."""
    counts = (both, only_a, only_b, neither)
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return [kind for kind, count in zip(kinds, counts, strict=True) for _ in range(count)]


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (3, 7), (91, 100), (0, 30), (30, 30)])
def test_a_rate_has_the_quantiles_of_clopper_and_pearson(count: int, n: int) -> None:
    found = rate(count, n)
    lower = beta.ppf(0.025, count, n - count + 1) if count else 0.0
    upper = beta.ppf(0.975, count + 1, n - count) if count < n else 1.0
    assert found.value == count / n
    assert (found.lower, found.upper) == (pytest.approx(lower), pytest.approx(upper))


def test_no_trials_have_no_rate_and_dependent_ones_no_interval() -> None:
    assert rate(0, 0).model_dump() == {
        "count": 0,
        "n": 0,
        "value": None,
        "lower": None,
        "upper": None,
    }
    hanging = rate(3, 4, independent=False)
    assert (hanging.value, hanging.lower, hanging.upper) == (0.75, None, None)


def test_invalid_outputs_are_paid_for_by_the_valid_ones() -> None:
    assert cost([10, 20, 30], 2) == Cost(total=60, n=3, valid=2, mean=20.0, per_valid=30.0)
    assert cost([10, 20], 0).per_valid is None
    assert cost([], 0) == Cost(total=0, n=0, valid=0, mean=None, per_valid=None)


def test_quartiles_are_those_of_the_values_that_are_known() -> None:
    found = spread([4.0, None, 1.0, 3.0, 2.0, 5.0])
    assert (found.n, found.mean, found.low, found.median, found.high) == (5, 3.0, 2.0, 3.0, 4.0)
    assert spread([None]).mean is None


def test_bounds_are_averaged_end_by_end() -> None:
    found = bounds([(0.1, 0.3), None, (0.3, 0.9)])
    assert found is not None
    assert (found.n, found.lower, found.upper) == (2, pytest.approx(0.2), pytest.approx(0.6))
    assert bounds([None]) is None


SCORES = st.lists(st.integers(0, 6).map(float), min_size=2, max_size=12)


@given(SCORES, SCORES)
def test_auc_is_the_share_of_pairs_in_the_right_order(ups: list[float], downs: list[float]) -> None:
    found = auc(ups, downs)
    won = sum((up > down) + (up == down) / 2 for up, down in product(ups, downs))
    assert found.value == pytest.approx(won / (len(ups) * len(downs)), abs=1e-15)
    assert found.lower is not None
    assert found.upper is not None
    assert 0 <= found.lower <= found.value <= found.upper <= 1
    turned = auc(downs, ups)
    assert turned.value == pytest.approx(1 - found.value)


@given(SCORES, SCORES)
def test_the_ends_of_an_auc_are_z_standard_errors_away(
    ups: list[float], downs: list[float]
) -> None:
    found = auc(ups, downs)
    m, n = len(ups), len(downs)
    for end in (found.lower, found.upper):
        assert end is not None
        assert found.value is not None
        if end in (0.0, 1.0):
            assert end == found.value
            continue
        # Hanley and McNeil's variance in its first form, both n - 1 replaced by their mean.
        q1, q2, more = end / (2 - end), 2 * end**2 / (1 + end), (m + n) / 2 - 1
        variance = end * (1 - end) + more * (q1 - end**2) + more * (q2 - end**2)
        assert abs(found.value - end) == pytest.approx(Z * math.sqrt(variance / (m * n)), abs=1e-6)


def test_a_perfect_score_of_few_is_not_certain() -> None:
    found = auc([2.0, 3.0, 4.0], [0.0, 1.0])
    assert found.value == found.upper == 1.0
    assert found.lower is not None
    assert 0.2 < found.lower < 0.8


@pytest.mark.parametrize(("ups", "downs"), [([], [1.0, 2.0]), ([1.0], [1.0, 2.0]), ([1.0] * 5, [])])
def test_an_auc_of_less_than_two_of_a_kind_says_why_not(
    ups: list[float], downs: list[float]
) -> None:
    found = auc(ups, downs)
    assert (found.value, found.lower, found.upper) == (None, None, None)
    assert f"{len(ups)} and {len(downs)}" in found.why


def test_the_interval_of_an_auc_covers() -> None:
    """Two normal scores .74 standard deviations apart: AUC .7. Of 400 samples at least 92 % cover."""
    rng, truth = np.random.default_rng(1), 0.7
    apart = math.sqrt(2) * float(norm.ppf(truth))
    covered = 0
    for _ in range(400):
        found = auc((rng.normal(size=15) + apart).tolist(), rng.normal(size=25).tolist())
        covered += found.lower <= truth <= found.upper  # type: ignore[operator]
    assert covered >= 368


def test_mcnemar_by_hand() -> None:
    """5 against 1 of 6: 2 (1 + 6) / 64."""
    found = paired(outcomes(10, 5, 1, 4))
    assert (found.n, found.only_a, found.only_b) == (20, 5, 1)
    assert found.difference == 4 / 20
    assert found.p == pytest.approx(14 / 64)


def test_no_prompts_have_no_difference_and_equal_methods_have_none() -> None:
    assert paired([]).difference is None
    assert paired([]).p is None
    same = paired(outcomes(7, 0, 0, 3))
    margin = Z**2 / (10 + Z**2)
    assert (same.difference, same.p) == (0.0, 1.0)
    assert (same.lower, same.upper) == (pytest.approx(-margin), pytest.approx(margin))


COUNTS = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda counts: sum(counts) > 0)


@given(COUNTS)
def test_the_ends_of_a_difference_fail_the_score_test_just_so(
    counts: tuple[int, int, int, int],
) -> None:
    """At each end the score is z, its variance found by maximising the likelihood numerically."""
    found, n = paired(outcomes(*counts)), sum(counts)
    b, c = counts[1], counts[2]
    for end in (found.lower, found.upper):
        assert end is not None
        assert found.difference is not None
        if abs(end) == 1:
            assert end == found.difference
            continue
        p_c = most_likely(b, c, n, end)
        variance = 2 * p_c + end - end**2
        assert variance == pytest.approx(score_variance(b, c, n, end), abs=1e-5)
        assume(variance > 1e-4)
        assert abs(b - c - n * end) == pytest.approx(Z * math.sqrt(n * variance), rel=1e-3)


def most_likely(b: int, c: int, n: int, truth: float) -> float:
    """P(only b) of the most likely law of pairs with the difference `truth`."""
    low, high = max(0.0, -truth), (1 - truth) / 2

    def unlikeliness(p_c: float) -> float:
        parts = ((b, p_c + truth), (c, p_c), (n - b - c, 1 - 2 * p_c - truth))
        return -sum(k * math.log(max(p, 1e-300)) for k, p in parts if k)

    inner = minimize_scalar(
        unlikeliness, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    return float(min((low, high, float(inner.x)), key=unlikeliness))


@given(COUNTS)
def test_turning_a_comparison_turns_all_of_it(counts: tuple[int, int, int, int]) -> None:
    both, only_a, only_b, neither = counts
    there, back = paired(outcomes(*counts)), paired(outcomes(both, only_b, only_a, neither))
    turned = there.turned()
    assert (turned.only_a, turned.only_b, turned.p) == (back.only_a, back.only_b, back.p)
    assert turned.difference == back.difference
    assert turned.lower == pytest.approx(back.lower, abs=1e-8)
    assert turned.upper == pytest.approx(back.upper, abs=1e-8)


@pytest.mark.parametrize(("p_a", "p_b"), [(0.3, 0.1), (0.1, 0.1), (0.05, 0.25), (0.5, 0.3)])
def test_a_difference_is_covered_about_as_often_as_said(p_a: float, p_b: float) -> None:
    """The exact coverage at n = 25: over all tables, each with its multinomial chance."""
    n, covered = 25, 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            found = paired(outcomes(0, a, b, n - a - b))
            assert found.lower is not None
            assert found.upper is not None
            if found.lower <= p_a - p_b <= found.upper:
                covered += multinomial.pmf([a, b, n - a - b], n, [p_a, p_b, 1 - p_a - p_b])
    assert 0.93 < covered < 0.985


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=20))
def test_a_shift_has_the_interval_of_the_t_test(values: list[float]) -> None:
    assume(np.std(values) > 1e-3)
    found = shift(values)
    truth = ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert found.mean == pytest.approx(np.mean(values))
    assert (found.lower, found.upper) == (
        pytest.approx(truth.low, abs=1e-9),
        pytest.approx(truth.high, abs=1e-9),
    )


def test_a_shift_by_hand() -> None:
    found = shift([1.0, 3.0])
    assert found.upper == pytest.approx(2 + float(t.isf(0.025, 1)))
    assert shift([1.0]) == Shift(n=1, mean=1.0, lower=None, upper=None)
    assert shift([]).mean is None


def test_readings_refuse_what_is_no_json_number() -> None:
    with pytest.raises(ValidationError):
        Shift(n=1, mean=math.nan, lower=None, upper=None)
    with pytest.raises(ValidationError):
        Cost(total=1, n=1, valid=1, mean=math.inf, per_valid=None)
