"""Calibration: worked by hand, against scipy, as laws over random laws; nothing is fitted on test."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.stats import beta

from playground.fields.calibration import (
    HIGHEST,
    LOWEST,
    Scored,
    brier,
    calibrate,
    discrimination,
    ece,
    fit_temperature,
    losses,
    measured,
    nll,
    reliability,
    tempered,
)
from playground.fields.reliability import _CELLS, REPLICATES, _batches

Floats = NDArray[np.float64]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def law(*rows: tuple[float, ...]) -> Floats:
    return np.array(rows, dtype=np.float64)


@st.composite
def scored(draw: st.DrawFn, split: str = "dev") -> Scored:
    """Up to 30 laws of up to 5 options from logits of up to ± 12, and any labels."""
    n, size = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    logits = draw(arrays(np.float64, (n, size), elements=st.floats(-12, 12)))
    labels = draw(arrays(np.int64, n, elements=st.integers(0, size - 1)))
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    return Scored(split, p / p.sum(axis=1, keepdims=True), labels)  # type: ignore[arg-type]


def simulated(seed: int, n: int, sharpness: float) -> Scored:
    """Labels drawn from random laws, which are then told too sure by `sharpness`."""
    chance = rng(seed)
    logits = chance.normal(0, 1.5, (n, 3))
    p = np.exp(logits)
    p /= p.sum(axis=1, keepdims=True)
    labels = (chance.random((n, 1)) > p.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    return Scored("dev", tempered(p, 1 / sharpness), labels)


# scores


def test_nll_and_brier_of_two_rows_by_hand() -> None:
    laws, labels = law((0.8, 0.2), (0.6, 0.4)), [0, 1]
    assert nll(laws, labels) == pytest.approx(-(math.log(0.8) + math.log(0.4)) / 2)
    assert brier(laws, labels) == pytest.approx((0.04 + 0.04 + 0.36 + 0.36) / 2)


def test_a_right_option_of_probability_0_costs_infinitely_much() -> None:
    assert losses(law((1, 0), (1, 0)), [0, 1]).tolist() == [0.0, math.inf]
    assert nll(law((1, 0)), [1]) == math.inf


def test_the_worst_and_the_best_brier_score() -> None:
    assert brier(law((1, 0, 0)), [2]) == 2
    assert brier(law((1, 0, 0)), [0]) == 0


@pytest.mark.parametrize(
    ("laws", "labels"),
    [
        (np.zeros((0, 2)), []),
        (law((0.5, 0.5)), [0, 1]),
        (law((0.5, 0.6)), [0]),
        (law((1.5, -0.5)), [0]),
        (law((math.nan, 1)), [0]),
        (law((0.5, 0.5)), [2]),
        (law((0.5, 0.5)), [-1]),
        (law((0.5, 0.5)), [0.0]),
        (np.array([0.5, 0.5]), [0, 1]),
    ],
)
def test_what_is_no_law_or_no_label_is_refused(laws: Any, labels: Any) -> None:
    with pytest.raises(ValueError):
        Scored("dev", laws, labels)
    with pytest.raises(ValueError):
        nll(laws, labels)


# reliability


def test_a_diagram_by_hand() -> None:
    bins = reliability([0.3, 0.35, 0.39, 1.0, 0.0], [True, False, False, True, False])
    assert [(each.lower, each.n) for each in bins] == [
        (0.0, 1), (0.1, 0), (0.2, 0), (0.3, 3), (0.4, 0),
        (0.5, 0), (0.6, 0), (0.7, 0), (0.8, 0), (0.9, 1),
    ]  # fmt: skip
    third = bins[3]
    assert third.mean_confidence == pytest.approx((0.3 + 0.35 + 0.39) / 3)
    assert third.accuracy == pytest.approx(1 / 3)
    assert third.interval is not None
    assert third.interval.lower == pytest.approx(beta.ppf(0.025, 1, 3))
    assert third.interval.upper == pytest.approx(beta.ppf(0.975, 2, 2))
    assert (bins[1].mean_confidence, bins[1].accuracy, bins[1].interval) == (None, None, None)


def test_an_edge_belongs_to_the_bin_above_it() -> None:
    for at in range(10):
        (only,) = [each for each in reliability([at / 10], [True]) if each.n]
        assert only.lower == at / 10


def test_adaptive_bins_have_equal_counts_and_ties_stay_together() -> None:
    distinct = reliability(np.arange(20) / 40, np.ones(20, bool), 4, adaptive=True)
    assert [each.n for each in distinct] == [5, 5, 5, 5]
    assert (distinct[0].lower, distinct[-1].upper) == (0.0, 19 / 40)
    tied = reliability([0.9] * 7 + [0.1], [True] * 8, 4, adaptive=True)
    assert [each.n for each in tied if each.n] == [1, 7]
    assert [each.n for each in reliability([0.5] * 3, [True] * 3, adaptive=True)] == [3]


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40),
    st.integers(1, 12),
    st.booleans(),
)
def test_every_row_is_in_one_bin_whose_edges_hold_it(
    pairs: list[tuple[float, bool]], bins: int, adaptive: bool
) -> None:
    sure, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = reliability(sure, right, bins, adaptive)
    assert sum(each.n for each in found) == len(pairs)
    for each in found:
        if each.mean_confidence is not None and each.accuracy is not None:
            assert each.lower - 1e-12 <= each.mean_confidence <= each.upper + 1e-12
            assert each.interval is not None
            assert each.accuracy in each.interval


@pytest.mark.parametrize(
    ("sure", "right", "bins"),
    [
        ([0.5], [True, False], 10),
        ([1.5], [True], 10),
        ([math.nan], [True], 10),
        ([0.5], [1], 10),
        ([0.5], [True], 0),
        ([0.5], [True], 101),
        ([[0.5]], [[True]], 10),
    ],
)
def test_what_is_no_confidence_is_refused(sure: Any, right: Any, bins: int) -> None:
    with pytest.raises(ValueError):
        reliability(sure, right, bins)
    with pytest.raises(ValueError):
        ece(sure, right, rng(), bins)


# ECE


def test_an_ece_by_hand() -> None:
    found = ece([0.9] * 4 + [0.6] * 4, [True, True, True, False] + [True] * 4, rng())
    assert found is not None
    assert found.value == pytest.approx((0.15 + 0.4) / 2)
    assert (found.bins, found.adaptive, found.n) == (10, False, 8)


def test_no_rows_have_no_ece() -> None:
    assert ece([], [], rng()) is None
    assert all(each.n == 0 for each in reliability([], [], adaptive=True))


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30),
    st.integers(1, 12),
    st.booleans(),
)
def test_the_ece_is_the_mean_gap_of_its_diagram(
    pairs: list[tuple[float, bool]], bins: int, adaptive: bool
) -> None:
    sure, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = ece(sure, right, rng(), bins, adaptive)
    assert found is not None
    gaps = [
        each.n * abs(each.accuracy - each.mean_confidence)
        for each in reliability(sure, right, bins, adaptive)
        if each.accuracy is not None and each.mean_confidence is not None
    ]
    assert found.value == pytest.approx(sum(gaps) / len(pairs), abs=1e-12)
    assert 0 <= found.interval.lower <= found.interval.upper <= 1


def test_the_bootstrap_repeats_by_seed_and_its_batches_are_all_of_it() -> None:
    sample = simulated(1, 300, 2.0)
    once, again, other = (ece(sample.confidence, sample.right, rng(s)) for s in (5, 5, 6))
    assert once == again != other
    for n in (1, 7, _CELLS // 3, 2 * _CELLS):
        assert sum(_batches(n)) == REPLICATES


def test_true_probabilities_seldom_exceed_what_chance_shows_and_boasts_always_do() -> None:
    honest = 0
    for seed in range(60):
        chance = rng(seed)
        sure = chance.uniform(0.4, 1, 200)
        found = ece(sure, chance.random(200) < sure, chance)
        assert found is not None
        honest += found.value > found.by_chance
    assert honest <= 11  # of 60 at 5 %: more has a chance of 1 in 27,000
    for seed in range(5):
        boast = ece(np.full(200, 0.95), rng(seed).random(200) < 0.6, rng(seed))
        assert boast is not None
        assert boast.value > boast.by_chance


def test_the_interval_of_the_ece_mostly_holds_the_true_one() -> None:
    """Always .1 too sure, in three bins; the interval says of itself that it covers less than 95 %."""
    covered = 0
    for seed in range(60):
        chance = rng(seed)
        sure = chance.choice([0.55, 0.75, 0.95], 300)
        found = ece(sure, chance.random(300) < sure - 0.1, chance)
        assert found is not None
        covered += 0.1 in found.interval
    assert covered >= 42


def test_auc_of_confidence_by_hand() -> None:
    found = discrimination([0.9, 0.8, 0.7, 0.6], [True, False, True, False])
    assert found.value == 0.75  # of four pairs, .7 against .8 is the wrong way round


# temperature


def test_three_of_four_right_at_ninety_percent_make_the_temperature_two() -> None:
    """The fitted law must say 3/4: (9/1)^(1/T) = 3/1."""
    dev = Scored("dev", law(*[(0.9, 0.1)] * 4), np.array([0, 0, 0, 1]))
    fit = fit_temperature(dev)
    assert fit.temperature == pytest.approx(2, abs=1e-9)
    assert tempered(dev.laws, fit.temperature)[0].tolist() == pytest.approx([0.75, 0.25])
    assert fit.before == pytest.approx(-(3 * math.log(0.9) + math.log(0.1)) / 4)
    assert fit.after == pytest.approx(-(3 * math.log(0.75) + math.log(0.25)) / 4)
    assert (fit.n, fit.impossible, fit.at_limit) == (4, 0, False)


@pytest.mark.parametrize("split", ["test", "train"])
def test_no_temperature_is_fitted_on_another_split_than_dev(split: Any) -> None:
    with pytest.raises(ValueError, match=f"never on {split}"):
        fit_temperature(Scored(split, law((0.9, 0.1)), np.array([0])))


def test_dev_and_test_cannot_be_swapped() -> None:
    dev = simulated(2, 40, 2.0)
    test = Scored("test", dev.laws, dev.labels)
    for pair in ((dev, dev), (test, test), (test, dev)):
        with pytest.raises(ValueError):
            calibrate(*pair, rng())


def test_what_is_fitted_does_not_depend_on_test() -> None:
    dev, other = simulated(3, 80, 2.0), simulated(4, 60, 2.0)
    turned = Scored("test", other.laws, (other.labels + 1) % 3)
    found = calibrate(dev, Scored("test", other.laws, other.labels), rng())
    assert found.fit == calibrate(dev, turned, rng()).fit == fit_temperature(dev)


def test_a_calibration_measures_test_before_and_after() -> None:
    dev, test = simulated(5, 400, 3.0), simulated(6, 400, 3.0)
    test = Scored("test", test.laws, test.labels)
    found = calibrate(dev, test, rng())
    assert 2 < found.fit.temperature < 4.5
    assert found.after.nll < found.before.nll
    assert found.after.ece.value < found.before.ece.value
    assert found.change.mean == pytest.approx(found.after.nll - found.before.nll)
    assert found.change.upper is not None
    assert found.change.upper < 0
    assert found.before == measured(test, rng())


@given(scored())
def test_on_dev_the_nll_is_least_at_the_fitted_temperature(dev: Scored) -> None:
    fit = fit_temperature(dev)
    assert fit.after <= fit.before
    assert fit.after == pytest.approx(nll(dev.laws, dev.labels, fit.temperature))
    assert LOWEST <= fit.temperature <= HIGHEST
    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2):
        other = fit.temperature * factor
        if LOWEST <= other <= HIGHEST:
            assert fit.after <= nll(dev.laws, dev.labels, other) + 1e-9
    best = minimize_scalar(
        lambda log: nll(dev.laws, dev.labels, math.exp(log)),
        bounds=(math.log(LOWEST), math.log(HIGHEST)),
        method="bounded",
    )
    assert fit.after <= best.fun + 1e-9


@given(scored(), st.floats(LOWEST, HIGHEST))
def test_a_temperature_never_changes_what_is_decided(dev: Scored, temperature: float) -> None:
    """But where rounding makes two options equal: then the old one is among the likeliest."""
    warm = dev.at(temperature)
    rows = np.arange(len(dev.labels))
    assert np.all(warm.laws[rows, dev.decided] >= warm.confidence * (1 - 1e-12))
    assert np.allclose(warm.laws.sum(axis=1), 1)


def test_tempering_by_hand() -> None:
    assert tempered([0.8, 0.2], 0.5).tolist() == pytest.approx([0.64 / 0.68, 0.04 / 0.68])
    assert tempered(law((0.25, 0.75, 0.0)), 1).tolist()[0] == pytest.approx([0.25, 0.75, 0.0])
    for wrong in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="above 0"):
            tempered([0.5, 0.5], wrong)


def test_limits_are_said() -> None:
    sure = law(*[(0.9, 0.1)] * 3)
    assert fit_temperature(Scored("dev", sure, np.array([0, 0, 0]))).temperature == LOWEST
    wrong = fit_temperature(Scored("dev", sure, np.array([1, 1, 1])))
    assert (wrong.temperature, wrong.at_limit) == (HIGHEST, True)
    even = fit_temperature(Scored("dev", law((1 / 3, 1 / 3, 1 / 3)), np.array([2])))
    assert (even.temperature, even.at_limit) == (1.0, False)


def test_rows_that_no_temperature_can_save_are_counted_and_left_out() -> None:
    dev = Scored("dev", law(*[(0.9, 0.1, 0.0)] * 5), np.array([0, 0, 0, 1, 2]))
    fit = fit_temperature(dev)
    assert (fit.n, fit.impossible) == (4, 1)
    assert fit.temperature == pytest.approx(2, abs=1e-9)
    none = fit_temperature(Scored("dev", law((1, 0)), np.array([1])))
    assert (none.temperature, none.n, none.impossible) == (1.0, 0, 1)


def test_a_hot_loss_is_not_lost_to_underflow() -> None:
    """e^-1000 is 0 as a float; its log is kept."""
    p = math.exp(-50)
    assert nll(law((1 - p, p)), [1], 0.05) == pytest.approx(1000)
