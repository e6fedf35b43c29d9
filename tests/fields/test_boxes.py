"""Bounds from boxes hold every law in the box, and are tight where the box is a point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.exact.interval import Interval
from playground.fields.boxes import entropy_bounds, margin_bounds, mixture, tv_between

Law = np.ndarray


@st.composite
def boxed(draw: st.DrawFn, n: int | None = None) -> tuple[Law, list[Interval]]:
    """A law of n options and a box around it."""
    size = n or draw(st.integers(2, 7))
    weights = draw(st.lists(st.integers(0, 20), min_size=size, max_size=size))
    law = np.array(weights, dtype=np.float64) + (0 if sum(weights) else 1)
    law /= law.sum()
    slack = draw(st.lists(st.floats(0, 0.5), min_size=2 * size, max_size=2 * size))
    box = [
        Interval(max(0.0, p - a), min(1.0, p + b))
        for p, a, b in zip(law.tolist(), slack[:size], slack[size:], strict=True)
    ]
    return law, box


def bits(law: Law) -> float:
    kept = law[law > 0]
    return float(-(kept * np.log2(kept)).sum())


@given(boxed())
def test_entropy_and_margin_hold_the_law(case: tuple[Law, list[Interval]]) -> None:
    law, box = case
    assert bits(law) in entropy_bounds(box)
    largest = np.sort(law)[::-1]
    assert float(largest[0] - largest[1]) in margin_bounds(box)


@given(boxed(4), boxed(4))
def test_the_distance_holds(
    one: tuple[Law, list[Interval]], other: tuple[Law, list[Interval]]
) -> None:
    truth = float(np.abs(one[0] - other[0]).sum()) / 2
    assert truth in tv_between(one[1], other[1])


@given(boxed(2), boxed(3), boxed(3))
def test_a_mixture_holds(
    weights: tuple[Law, list[Interval]],
    one: tuple[Law, list[Interval]],
    other: tuple[Law, list[Interval]],
) -> None:
    truth = weights[0][0] * one[0] + weights[0][1] * other[0]
    for value, interval in zip(truth, mixture(weights[1], [one[1], other[1]]), strict=True):
        assert float(value) in interval


def test_a_point_has_one_entropy_and_what_is_unknown_has_all() -> None:
    fair = entropy_bounds([Interval.point(0.25)] * 4)
    assert 2.0 in fair
    assert fair.width < 1e-9
    assert entropy_bounds([Interval(0.0, 1.0)] * 4) == Interval(0.0, 2.0)
    # .5 is certain; the rest lies anywhere: one more option with all of it, or both with half.
    half = entropy_bounds([Interval.point(0.5), Interval(0.0, 0.5), Interval(0.0, 0.5)])
    assert half.lower == pytest.approx(1.0)
    assert half.upper == pytest.approx(1.5)


def test_one_option_has_nothing_beside_it() -> None:
    assert margin_bounds([Interval.point(1.0)]) == Interval(1.0, 1.0)
    assert entropy_bounds([Interval.point(1.0)]).upper < 1e-9
