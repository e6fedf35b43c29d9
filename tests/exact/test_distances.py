"""Bounds on distances, against every way in which the open mass may turn out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.exact.distances import Cells, kl_bounds, tv_bounds
from playground.exact.interval import Interval

MASS = st.sampled_from([0.0, 1e-9, 1e-3, 0.1, 0.5, 1.0])
SHARE = st.sampled_from([0.0, 0.0, 0.3, 1.0])


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Cells, list[float], list[float], float]:
    """What is known, and laws that it may come from: p and p~ by text, the last one unknown so far,
    and p~ of what isn't finished."""
    n = draw(st.integers(1, 4))

    def several(values: st.SearchStrategy[float]) -> np.ndarray:
        return np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=np.float64)

    found, settled, masked = several(MASS), several(MASS), several(MASS)
    open_p, open_q, unfinished = draw(MASS), draw(MASS), draw(MASS)
    total = masked.sum() + open_q + unfinished
    if total == 0:
        masked[0] = total = 1.0
    masked, open_q, unfinished = masked / total, open_q / total, unfinished / total
    elsewhere = draw(MASS)  # settled for a text that is not known
    # Open mass may be laid on any text, on the unknown one, or outside.
    parts = np.append(several(SHARE), draw(SHARE))
    parts = parts / max(1.0, parts.sum()) * draw(st.sampled_from([0.0, 0.5, 1.0]))
    p = np.append(found + settled * several(SHARE), elsewhere * draw(SHARE)) + open_p * parts
    q_parts = np.append(several(MASS), [draw(MASS), draw(MASS)])
    q_parts = q_parts / q_parts.sum() if q_parts.sum() else np.eye(n + 2)[0]
    q = np.append(masked, [0.0, unfinished]) + open_q * q_parts
    cells = Cells(
        found=(found, found, found),
        settled=settled,
        masked=(masked, masked, masked),
        open_p=open_p,
        settled_p=float(settled.sum()) + elsewhere,
        open_q=open_q,
        unfinished=unfinished,
        doubt=0.0,
    )
    return cells, p.tolist(), q[:-1].tolist(), float(q[-1])


@settings(max_examples=150, deadline=None)
@given(outcomes())
def test_total_variation_is_within_its_bounds(drawn) -> None:
    cells, p, q, unfinished = drawn
    z = math.fsum(p)
    if z == 0:
        return
    tv = (math.fsum(abs(a / z - b) for a, b in zip(p, q, strict=True)) + unfinished) / 2
    claim = tv_bounds(cells)
    assert claim.lower - 1e-12 <= tv <= claim.upper + 1e-12


@settings(max_examples=150, deadline=None)
@given(outcomes())
def test_kl_is_within_its_bounds_whatever_the_open_mass_turns_out_to_be(drawn) -> None:
    cells, p, q, _ = drawn
    z = math.fsum(p)
    if z == 0:
        return
    shares = [(a / z, b) for a, b in zip(p, q, strict=True) if a]
    kl = (
        math.inf
        if any(b == 0 for _, b in shares)
        else math.fsum(a * math.log(a / b) for a, b in shares)
    )
    claim = kl_bounds(cells, tv_bounds(cells), Interval(-math.inf, 0.0), strict=False)
    assert claim.lower - 1e-12 <= kl
    # Settled mass of a text that has no cell of its own isn't possible: it was settled, so known.
    if not cells.open_p and cells.settled_p == pytest.approx(float(cells.settled.sum())):
        assert kl <= claim.upper + 1e-12


def test_nothing_open_is_exact() -> None:
    half = np.array([0.5, 0.5])
    masked = np.array([0.25, 0.5])
    zero = np.zeros(2)
    cells = Cells((half, half, half), zero, (masked, masked, masked), 0.0, 0.0, 0.0, 0.25, 0.0)
    tv = tv_bounds(cells)
    assert tv.lower == pytest.approx(0.25, abs=1e-15)
    assert tv.width < 1e-15
    kl = kl_bounds(cells, tv, Interval.point(-5.0), strict=True)
    assert kl.lower == pytest.approx(0.5 * math.log(2), abs=1e-15)
    assert kl.width < 1e-15


def test_nothing_found_says_nothing() -> None:
    none = np.array([])
    cells = Cells((none,) * 3, none, (none,) * 3, 1.0, 0.0, 1.0, 0.0, 0.0)
    assert tv_bounds(cells) == Interval(0.0, 1.0)
    assert kl_bounds(cells, Interval(0.0, 1.0), Interval(-7.0, 0.0), True) == Interval(0.0, 7.0)
    assert kl_bounds(cells, Interval(0.0, 1.0), Interval(-7.0, 0.0), False).upper == math.inf


@pytest.mark.parametrize("wide", [1e-12, 1e-3, 0.5])
def test_doubt_about_the_arithmetic_widens_both(wide) -> None:
    law = np.array([0.7, 0.3])
    low, high = law * math.exp(-wide), law * math.exp(wide)
    cells = Cells((low, law, high), np.zeros(2), (low, law, high), 0.0, 0.0, 0.0, 0.0, wide)
    tv = tv_bounds(cells)
    # Errors of opposite sign: the worst that they can do.
    p = np.array([high[0], low[1]]) / (high[0] + low[1])
    q = np.array([low[0], 1 - low[0]])
    assert abs(p - q).sum() / 2 <= tv.upper + 1e-15
    kl = kl_bounds(cells, tv, Interval.point(-9.0), strict=True)
    assert float((p * np.log(p / q)).sum()) <= kl.upper + 1e-15


def test_intervals_refuse_what_is_none() -> None:
    with pytest.raises(ValueError, match="no interval"):
        Interval(1.0, 0.5)
    with pytest.raises(ValueError, match="no interval"):
        Interval(math.nan, 0.5)


@pytest.mark.parametrize(
    ("logs", "truth"), [((-1e-3, 1e-3), 1.0), ((-800.0, -799.0), 0.0), ((-745.0, -744.0), 0.0)]
)
def test_logs_become_probabilities_that_hold_the_truth(logs, truth) -> None:
    interval = Interval.from_logs(*logs)
    assert 0.0 <= interval.lower <= truth or interval.lower < 1e-300
    assert truth <= interval.upper <= 1.0
    assert interval.upper > 0.0, "what isn't impossible isn't 0"


def test_nothing_at_all_is_zero() -> None:
    assert Interval.from_logs(-math.inf, -math.inf) == Interval(0.0, 0.0)


@given(
    st.lists(st.floats(0, 1e3), min_size=4, max_size=4),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_quotient_holds_every_quotient(ends, at, by) -> None:
    a, b = sorted(ends[:2]), sorted(ends[2:])
    x, y = a[0] + at * (a[1] - a[0]), b[0] + by * (b[1] - b[0])
    quotient = Interval(*a).over(Interval(*b))
    if y > 0 and math.isfinite(x / y):
        assert quotient.lower <= x / y * (1 + 1e-12)
        assert x / y * (1 - 1e-12) <= quotient.upper
