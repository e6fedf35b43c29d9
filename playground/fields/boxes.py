"""Bounds on what depends on a law that is known between bounds: entropy, margin, distance.

A box is an interval for each option; the law is any point of it that sums to 1.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from playground.exact.interval import Interval

Values = NDArray[np.float64]
_ROUNDING = 1e-12
"""Covers float64's error in these sums, bits or probability."""


def entropy_bounds(box: Sequence[Interval]) -> Interval:
    """Shannon entropy of the law, bits.

    Entropy falls along the majorisation order. Above: the flattest point of the box. Below: the
    sums of the k largest are at most min(sum of k largest upper, 1 - the n - k smallest lower), and
    the vector with exactly these sums majorises every point of the box.
    """
    low, high = _sides(box)
    if not len(low) or high.sum() <= 0:
        return Interval(0.0, 0.0)
    most = np.concatenate(([0.0], np.cumsum(np.sort(high)[::-1])))
    smallest = np.concatenate(([0.0], np.cumsum(np.sort(low))))
    sums = np.minimum(np.minimum(most, 1.0 - smallest[::-1]), 1.0)
    sharpest = np.maximum(np.diff(np.maximum(sums, 0.0)), 0.0)
    return _padded(_bits(sharpest), _bits(_flattest(low, high)), float(np.log2(len(low))))


def margin_bounds(box: Sequence[Interval]) -> Interval:
    """The largest probability less the second largest; 1 where there is one option."""
    low, high = _sides(box)
    if len(low) < 2:
        return Interval(1.0, 1.0)
    gaps_low = low - _others_largest(high)
    gaps_high = high - _others_largest(low)
    return _padded(max(0.0, float(gaps_low.max())), max(0.0, float(gaps_high.max())), 1.0)


def tv_between(box: Sequence[Interval], other: Sequence[Interval]) -> Interval:
    """Total variation between two laws over the same options in the same order, in [0, 1].

    TV = sum of (a - b)+ = sum of (b - a)+ = 1 - sum of min(a, b) = half the sum of |a - b|.
    """
    (a_low, a_high), (b_low, b_high) = _sides(box), _sides(other)
    lower = max(
        float(np.maximum(0.0, a_low - b_high).sum()), float(np.maximum(0.0, b_low - a_high).sum())
    )
    upper = min(
        1.0 - float(np.minimum(a_low, b_low).sum()),
        float(np.maximum(a_high - b_low, b_high - a_low).sum()) / 2,
    )
    return _padded(lower, upper, 1.0)


def mixture(weights: Sequence[Interval], boxes: Sequence[Sequence[Interval]]) -> list[Interval]:
    """The box of sum of w_i law_i: one interval for each option of the laws."""
    weight_low, weight_high = _sides(weights)
    low, high = (np.array([[getattr(x, side) for x in box] for box in boxes]) for side in SIDES)
    lower, upper = weight_low @ low, np.minimum(1.0, weight_high @ high)
    return [_padded(a, b, 1.0) for a, b in zip(lower.tolist(), upper.tolist(), strict=True)]


SIDES = ("lower", "upper")


def _sides(box: Sequence[Interval]) -> tuple[Values, Values]:
    low = np.array([each.lower for each in box], dtype=np.float64)
    return low, np.array([each.upper for each in box], dtype=np.float64)


def _padded(lower: float, upper: float, most: float) -> Interval:
    low = min(max(0.0, lower - _ROUNDING), most)
    return Interval(low, max(low, min(most, upper + _ROUNDING)))


def _others_largest(values: Values) -> Values:
    """(n,) the largest of the other values."""
    first, second = np.sort(values)[::-1][:2]
    out = np.full(len(values), first)
    out[int(np.argmax(values))] = second
    return out


def _bits(p: Values) -> float:
    kept = p[p > 0]
    return max(0.0, float(-(kept * np.log2(kept)).sum()))


def _flattest(low: Values, high: Values) -> Values:
    """clip(level, low, high) with the level at which it sums to 1, as nearly as the box allows."""
    below, above = 0.0, 1.0
    for _ in range(60):
        level = (below + above) / 2
        if float(np.clip(level, low, high).sum()) < 1.0:
            below = level
        else:
            above = level
    flat: Values = np.clip(above, low, high)
    return flat
