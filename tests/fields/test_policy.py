"""Policies: worked by hand, Chow's rule, and that the decision is the cheapest over random laws."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.fields.calibration import Scored
from playground.fields.policy import (
    LARGEST,
    MOST_THRESHOLDS,
    Choices,
    Costs,
    at,
    choices,
    chosen,
    curve,
    decide,
    expected,
    follow,
    outcome,
)

Floats = NDArray[np.float64]

DEAR_MISS = Costs(np.array([[0.0, 1.0], [10.0, 0.0]]), 2.0, ("calm", "urgent"))
"""Taking an urgent ticket for a calm one costs ten times the opposite."""
ROWS = np.array([[0.95, 0.05], [0.85, 0.15], [0.5, 0.5], [0.1, 0.9]])


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Scored, Costs]:
    """Random laws, labels and costs of up to 4 options."""
    n, size = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    weights = draw(arrays(np.float64, (n, size), elements=st.floats(0.01, 1)))
    labels = draw(arrays(np.int64, n, elements=st.integers(0, size - 1)))
    matrix = draw(arrays(np.float64, (size, size), elements=st.floats(-50, 50)))
    laws = weights / weights.sum(axis=1, keepdims=True)
    return Scored("dev", laws, labels), Costs(matrix, draw(st.floats(-50, 50)))


def test_expected_costs_by_hand() -> None:
    assert expected(ROWS, DEAR_MISS).tolist() == [
        pytest.approx([0.5, 0.95, 2]),
        pytest.approx([1.5, 0.85, 2]),
        pytest.approx([5, 0.5, 2]),
        pytest.approx([9, 0.1, 2]),
    ]


def test_the_cheapest_is_not_the_likeliest() -> None:
    """At 85 % calm it is still cheaper to treat it as urgent."""
    assert decide(ROWS, DEAR_MISS).tolist() == [0, 1, 1, 1]


@given(worlds())
def test_no_decision_is_expected_to_cost_less(world: tuple[Scored, Costs]) -> None:
    scored, costs = world
    table = expected(scored.laws, costs)
    sent = decide(scored.laws, costs)
    assert np.all(table[np.arange(len(sent)), sent] <= table.min(axis=1) + 1e-9)


@given(worlds())
def test_costs_decide_at_least_as_well_as_any_threshold_where_laws_are_believed(
    world: tuple[Scored, Costs],
) -> None:
    scored, costs = world
    best = follow(scored, costs).expected
    assert best is not None
    for point in curve(choices(scored, costs), costs, (0, 0.25, 0.5, 0.75, 1)).points:
        assert point.expected is not None
        assert best <= point.expected + 1e-9


@given(worlds(), st.floats(0, 1))
def test_a_tie_goes_to_the_lowest_option(world: tuple[Scored, Costs], cost: float) -> None:
    scored, costs = world
    flat = Costs(np.full((costs.size, costs.size), cost), cost)
    assert not decide(scored.laws, flat).any()


def test_a_tie_is_decided_rather_than_passed_on() -> None:
    costs = Costs.of_errors(2, 0.3)
    assert decide([[0.7, 0.3], [0.3, 0.7], [0.69, 0.31]], costs).tolist() == [0, 1, 2]


@given(arrays(np.float64, (5, 3), elements=st.floats(0.01, 1)), st.floats(0.01, 0.9))
def test_equal_errors_give_the_rule_of_chow(weights: Floats, abstain: float) -> None:
    laws = weights / weights.sum(axis=1, keepdims=True)
    clear = np.abs(laws.max(axis=1) - (1 - abstain)) > 1e-9
    sent = decide(laws, Costs.of_errors(3, abstain))
    assert ((sent == 3) == (laws.max(axis=1) < 1 - abstain))[clear].all()


def test_what_a_policy_came_to_by_hand() -> None:
    found = outcome([0, 1, 2, 1], [0, 0, 1, 1], DEAR_MISS)
    assert found.routed == (1, 2, 1)
    assert (found.coverage.count, found.coverage.n) == (3, 4)
    assert (found.selective.count, found.selective.n) == (2, 3)
    assert found.paid.value == pytest.approx((0 + 1 + 2 + 0) / 4)
    assert found.paid.value in found.paid.interval
    assert found.paid.interval.lower >= 0
    assert found.paid.interval.upper <= 10
    assert found.expected is None


def test_calibrated_laws_pay_what_they_expect() -> None:
    """Labels in exactly the shares that the law says."""
    scored = Scored("test", np.array([[0.75, 0.25]] * 4), np.array([0, 0, 0, 1]))
    for abstain in (0.1, 2.0):
        found = follow(scored, Costs(DEAR_MISS.matrix, abstain))
        assert found.paid.value == pytest.approx(found.expected)


def test_the_interval_of_what_is_paid_covers_where_a_dear_miss_is_rare() -> None:
    """A miss of cost 100 at 1 in 100: half the samples of 50 see none and look free."""
    costs, missed, truth = Costs(np.array([[0.0, 0.0], [100.0, 0.0]]), 1.0), 0, 1.0
    for seed in range(200):
        labels = (np.random.default_rng(seed).random(50) < 0.01).astype(int)
        missed += truth not in outcome(np.zeros(50, int), labels, costs).paid.interval
    assert missed <= 20  # 5 % at most: more than 20 of 200 has a chance of 1 in 860


@pytest.mark.parametrize("n", [3, 10, 40])
def test_the_interval_covers_also_where_every_row_here_costs_the_same(n: int) -> None:
    """Exact, over all counts of rows that are passed on (.3), decided wrong (1) and right (0): the
    chance that the mean cost lies outside its interval."""
    costs = Costs.of_errors(2, 0.3)
    found = {}
    for passed in range(n + 1):
        for wrong in range(n - passed + 1):
            sent = [2] * passed + [1] * wrong + [0] * (n - passed - wrong)
            found[passed, wrong] = outcome(sent, [0] * n, costs)
    only = found[n, 0]
    assert (only.same, only.paid.value) == (True, 0.3)
    most = 1 - 0.025 ** (1 / n)  # Clopper-Pearson of 0 in n
    assert only.paid.interval.lower == pytest.approx(0.3 * (1 - most))
    assert only.paid.interval.upper == pytest.approx(0.3 + 0.7 * most)
    assert not found[n - 1, 1].same
    for passed in (0.0, 0.3, 0.9, 0.97, 0.99, 0.999, 1.0):
        for wrong in (0.0, 0.2, 0.5, 1.0):
            law = [passed, (1 - passed) * wrong, (1 - passed) * (1 - wrong)]
            truth = 0.3 * law[0] + law[1]
            missed = sum(
                math.comb(n, a)
                * math.comb(n - a, b)
                * law[0] ** a
                * law[1] ** b
                * law[2] ** (n - a - b)
                for (a, b), each in found.items()
                if not each.paid.interval.lower - 1e-12 <= truth <= each.paid.interval.upper + 1e-12
            )
            assert missed <= 0.05, (passed, wrong)


def test_a_policy_without_a_choice_pays_exactly_one_cost() -> None:
    found = outcome([0, 0], [0, 0], Costs(np.array([[3.0]]), 3.0))
    assert (found.paid.value, found.paid.interval.width) == (3.0, 0.0)


# thresholds


def test_confidence_is_the_probability_of_what_is_decided() -> None:
    found = choices(Scored("dev", ROWS, np.array([0, 0, 1, 1])), DEAR_MISS)
    assert found.decided.tolist() == [0, 1, 1, 1]
    assert found.confidence.tolist() == [0.95, 0.15, 0.5, 0.9]


def test_a_curve_by_hand() -> None:
    found = choices(Scored("dev", ROWS, np.array([0, 0, 1, 1])), DEAR_MISS)
    line = curve(found, DEAR_MISS, (0.92, 0.0, 0.5, 1.0))
    assert [point.threshold for point in line.points] == [0.0, 0.5, 0.92, 1.0]
    assert [point.coverage.value for point in line.points] == [1.0, 0.75, 0.25, 0.0]
    assert [point.selective.value for point in line.points] == [0.75, 1.0, 1.0, None]
    assert [point.routed for point in line.points] == [
        (1, 3, 0),
        (1, 2, 1),
        (1, 0, 3),
        (0, 0, 4),
    ]
    assert [point.paid.value for point in line.points] == pytest.approx([0.25, 0.5, 1.5, 2.0])
    assert line.points[0].expected == pytest.approx((0.5 + 0.85 + 0.5 + 0.1) / 4)
    assert chosen(line) is line.points[0]


@given(worlds())
def test_at_threshold_0_all_is_decided_and_coverage_falls(world: tuple[Scored, Costs]) -> None:
    scored, costs = world
    line = curve(choices(scored, costs), costs, (0, 0.2, 0.4, 0.6, 0.8, 1))
    covered = [point.coverage.count for point in line.points]
    assert covered[0] == len(scored.labels)
    assert covered == sorted(covered, reverse=True)
    for point in line.points:
        assert sum(point.routed) == len(scored.labels)
        assert point.routed[-1] == len(scored.labels) - point.coverage.count


@given(worlds())
def test_the_chosen_point_pays_least_and_of_equals_decides_most(
    world: tuple[Scored, Costs],
) -> None:
    scored, costs = world
    line = curve(choices(scored, costs), costs)
    best = chosen(line)
    assert all(best.paid.value <= point.paid.value for point in line.points)
    same = [point for point in line.points if point.paid.value == best.paid.value]
    assert best.coverage.count == max(point.coverage.count for point in same)


@pytest.mark.parametrize("split", ["test", "train"])
def test_no_threshold_is_chosen_on_another_split_than_dev(split: Any) -> None:
    found = choices(Scored(split, ROWS, np.array([0, 0, 1, 1])), DEAR_MISS)
    with pytest.raises(ValueError, match=f"never on {split}"):
        chosen(curve(found, DEAR_MISS))


def test_written_confidence_has_a_curve_but_expects_nothing() -> None:
    found = Choices("test", np.array([0, 1]), np.array([0.9, 0.9]), np.array([0, 0]))
    assert at(found, DEAR_MISS, 0.9).expected is None
    assert at(found, DEAR_MISS, 0.9).paid.value == 0.5
    assert at(found, DEAR_MISS, 0.91).coverage.count == 0


# what is typed


@pytest.mark.parametrize(
    ("matrix", "abstain", "where"),
    [
        ([[0, 1], [math.nan, 0]], 1, "true urgent, decided calm"),
        ([[0, math.inf], [1, 0]], 1, "true calm, decided urgent"),
        ([[0, 1], [1, 2 * LARGEST]], 1, "true urgent, decided urgent"),
        ([[0, None], [1, 0]], 1, "true calm, decided urgent"),
        ([[0, 1], [1, 0]], math.nan, "abstain"),
        ([[0, 1], [1, 0]], -2 * LARGEST, "abstain"),
        ([[0, 1], [1]], 1, ""),
        ([[0, "much"], [1, 0]], 1, ""),
        ([[0, 1]], 1, ""),
        ([0, 1], 1, ""),
        ([], 1, ""),
        (5, 1, ""),
        ([[0, 1], [1, 0]], None, ""),
    ],
)
def test_costs_that_are_none_are_refused_with_their_place(
    matrix: Any, abstain: Any, where: str
) -> None:
    with pytest.raises(InvalidInput) as error:
        Costs(matrix, abstain, ("calm", "urgent"))
    assert error.value.where == where
    assert error.value.hint


@pytest.mark.parametrize("threshold", [-0.1, 1.1, math.nan, math.inf])
def test_thresholds_are_from_0_to_1(threshold: float) -> None:
    found = Choices("dev", np.array([0]), np.array([0.9]), np.array([0]))
    with pytest.raises(InvalidInput, match="no threshold"):
        curve(found, DEAR_MISS, (threshold,))


def test_a_curve_has_some_points_and_not_too_many() -> None:
    found = Choices("dev", np.array([0]), np.array([0.9]), np.array([0]))
    for count in (0, MOST_THRESHOLDS + 1):
        with pytest.raises(InvalidInput, match="thresholds"):
            curve(found, DEAR_MISS, [0.5] * count)


@pytest.mark.parametrize(
    ("sent", "labels"), [([3], [0]), ([-1], [0]), ([0], [2]), ([0, 1], [0]), ([], [])]
)
def test_decisions_that_are_none_are_refused(sent: list[int], labels: list[int]) -> None:
    with pytest.raises(ValueError):
        outcome(sent, labels, DEAR_MISS)


def test_laws_of_other_options_are_refused() -> None:
    with pytest.raises(ValueError, match="laws are needed"):
        expected([[0.2, 0.3, 0.5]], DEAR_MISS)
