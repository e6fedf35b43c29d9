"""Distances between p_V and p~ over texts, bounded from what a search has found."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from playground.exact.interval import TINY, Interval

Values = NDArray[np.float64]
Pair = tuple[Values, Values]


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """T known texts. Masses under p share one scale, which cancels; those under p~ sum to 1."""

    found: tuple[Values, Values, Values]
    """(T,) found mass under p: at least, as computed, at most."""
    settled: Values
    """(T,) open mass under p that can only become this text, at most."""
    masked: tuple[Values, Values, Values]
    """(T,) p~ found or settled: at least, as computed, at most."""
    open_p: float
    """Open mass under p that could become several texts, at most."""
    settled_p: float
    """The sum of settled mass under p, of unknown texts too."""
    open_q: float
    """Open mass under p~, at most."""
    unfinished: float
    """p~ of the runs that are cut or dead."""
    doubt: float
    """Largest error of a log mass, nats."""


def cell_bounds(cells: Cells) -> tuple[Pair, Pair]:
    """(T,) at least and at most: each known text's mass under p_V, and under p~."""
    low, _, high = cells.found
    below, _, above = cells.masked
    others_low = np.maximum(float(low.sum()) - low, 0.0)
    others_high = np.maximum(float(high.sum()) - high, 0.0) + cells.open_p + cells.settled_p
    most = high + cells.settled + cells.open_p
    return (
        (_share(low, others_high), _share(most, others_low)),
        (np.minimum(1.0, below), np.minimum(1.0, above + cells.open_q)),
    )


def _share(part: Values, rest: Values) -> Values:
    """part / (part + rest), 0 for nothing."""
    return part / np.maximum(part + rest, 1e-300)


def tv_bounds(cells: Cells) -> Interval:
    """Total variation, the tighter of two bounds on either side.

    That of the found laws, normalised, give or take the open mass of both laws and the arithmetic's
    error: neither law moves further however its open mass is laid. And, from each text's own
    bounds, TV = sum of (a - b)+ = sum of (b - a)+ = 1 - sum of min(a, b).
    """
    _, found, _ = cells.found
    inside = float(found.sum())
    open_p = cells.open_p + cells.settled_p
    known = float(cells.masked[1].sum()) + cells.unfinished
    if inside <= 0 or known <= 0:
        return Interval(0.0, 1.0)
    masked = cells.masked[1] / known
    distance = (float(np.abs(found / inside - masked).sum()) + cells.unfinished / known) / 2
    slack = open_p / (inside + open_p) + min(1.0, cells.open_q) + math.expm1(2 * cells.doubt)
    (a_low, a_high), (b_low, b_high) = cell_bounds(cells)
    unfinished = cells.unfinished * math.exp(-cells.doubt)
    lower = max(
        distance - slack,
        float(np.maximum(0.0, a_low - b_high).sum()),
        float(np.maximum(0.0, b_low - a_high).sum()) + unfinished,
    )
    upper = min(distance + slack, 1.0 - float(np.minimum(a_low, b_low).sum()))
    return Interval(min(max(0.0, lower), 1.0), min(1.0, max(lower, upper, 0.0)))


def kl_bounds(cells: Cells, tv: Interval, log_z: Interval, strict: bool) -> Interval:
    """KL(p_V || p~), nats.

    Below: the least value of each known text's term, given its bounds, and of the rest's; or
    Pinsker's 2 TV^2. Above: over the finer partition {what is found or settled of each text} and
    {each open run}, as merging cells never raises a KL; an open run y adds
    p_V(y) ln(prod Z_t / Z) <= p_V(y) (-ln Z). `strict`: p~ = p / prod Z_t holds, so that no text's
    p_V / p~ is above 1 / Z.
    """
    low, _, high = cells.found
    # A mass that small has lost digits, and its log is off by more than is allowed for.
    below = np.where(cells.masked[0] < TINY, 0.0, cells.masked[0])
    total_low = float(low.sum())
    open_p = cells.open_p + cells.settled_p
    if total_low <= 0:
        return Interval(0.0, math.inf if not strict else max(0.0, -log_z.lower))
    (least, most_text), (_, cap) = cell_bounds(cells)
    most_cell = _share(high + cells.settled, np.maximum(total_low - low, 0.0))
    lower = float(_least_term(least, most_text, cap).sum())
    rest = open_p / (total_low + open_p)
    lower += -rest * math.log(1 / rest) if 0 < rest < 1 / math.e else (-1 / math.e if rest else 0.0)
    lower = max(0.0, lower, 2 * tv.lower**2)
    with np.errstate(divide="ignore"):
        upper = float(np.maximum(_term(least, below), _term(most_cell, below)).sum())
    bound = max(0.0, -log_z.lower)
    if strict:
        upper = min(bound, upper + (cells.open_p / (total_low + cells.open_p)) * bound)
    elif open_p > 0:
        upper = math.inf
    return Interval(min(lower, max(0.0, upper)), max(lower, upper, 0.0))


def _term(a: Values, b: Values) -> Values:
    """a ln(a / b), 0 where a is 0, inf where only b is 0."""
    positive = a > 0
    term = np.zeros_like(a)
    with np.errstate(divide="ignore"):
        term[positive] = a[positive] * (np.log(a[positive]) - np.log(b[positive]))
    return term


def _least_term(low: Values, high: Values, b: Values) -> Values:
    """The least a ln(a / b) for low <= a <= high: it falls until a = b / e, then rises."""
    return _term(np.clip(b / math.e, low, np.maximum(low, high)), b)
