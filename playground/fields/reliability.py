"""How often decisions of a given confidence are right: the reliability diagram, its ECE, the AUC."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from playground.exact.estimates import LEVEL, acceptance
from playground.exact.interval import Interval
from playground.study.readings import Auc, auc

BINS: Final = 10
"""Of a diagram and of its ECE, unless another number is asked for."""
MOST_BINS: Final = 100
REPLICATES: Final = 1000
"""Of the bootstrap, and of what chance would show."""

_CELLS = 2_000_000
"""Numbers that the bootstrap holds at a time."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose confidence is at least `lower` and below `upper`; the last bin is closed."""

    lower: float
    upper: float
    n: int
    mean_confidence: float | None
    """None for n = 0."""
    accuracy: float | None
    """The share of them that are right: an estimate."""
    interval: Interval | None
    """Of the accuracy: Clopper-Pearson, covers at every n if the rows are independent."""


@dataclass(frozen=True, slots=True)
class Ece:
    """Expected calibration error: the mean over rows of their bin's |accuracy - mean confidence|."""

    value: float
    """0 to 1, exact for these rows. Of all the rows there could be it is an estimate that is too
    large in the mean, the more so the fewer rows a bin has."""
    interval: Interval
    """Bootstrap over rows with the bins held, turned round the value to undo that excess, cut to
    [0, 1]: approximate, it covers less than 95 % (85 to 90 % of simulated samples of 300 rows)."""
    by_chance: float
    """Simulated: if each confidence were exactly the chance of being right, 95 % of samples would
    have at most this ECE. A value that isn't above it is no evidence of miscalibration."""
    bins: int
    """As asked for; equal confidences share a bin, so an adaptive diagram may have fewer."""
    adaptive: bool
    """Bins of equal counts rather than of equal widths."""
    n: int


def reliability(
    confidence: ArrayLike, right: ArrayLike, bins: int = BINS, adaptive: bool = False
) -> tuple[Bin, ...]:
    """The reliability diagram.

    Args:
        confidence: (N,) float64 in [0, 1].
        right: (N,) bool.
        bins: 1 to MOST_BINS.
        adaptive: cut at rows of rising confidence, so that counts are as equal as ties allow;
            else [0, 1] is cut into equal widths, and bins may be empty.

    Raises:
        ValueError: shapes or ranges are others.
    """
    sure, hits = _pairs(confidence, right)
    edges = _edges(sure, bins, adaptive)
    at = _binned(sure, edges)
    return tuple(
        _bin(float(edges[b]), float(edges[b + 1]), sure[at == b], hits[at == b])
        for b in range(len(edges) - 1)
    )


def ece(
    confidence: ArrayLike,
    right: ArrayLike,
    rng: np.random.Generator,
    bins: int = BINS,
    adaptive: bool = False,
) -> Ece | None:
    """The expected calibration error in the bins of `reliability`; None for no rows.

    Args:
        confidence: (N,) float64 in [0, 1].
        right: (N,) bool.
        rng: for the bootstrap and for what chance alone would show.
        bins: 1 to MOST_BINS.
        adaptive: of equal counts rather than of equal widths.

    Raises:
        ValueError: shapes or ranges are others.
    """
    sure, hits = _pairs(confidence, right)
    edges, n = _edges(sure, bins, adaptive), len(sure)
    if not n:
        return None
    at, gaps = _binned(sure, edges), hits - sure
    value = float(_errors(gaps[None], at[None])[0])
    again, chance = list[Floats](), list[Floats]()
    for size in _batches(n):
        rows = rng.integers(0, n, (size, n))
        again.append(_errors(gaps[rows], at[rows]))
        drawn = rng.random((size, n)) < sure
        chance.append(_errors(drawn - sure, np.broadcast_to(at, drawn.shape)))
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(np.concatenate(again), (tail, 1 - tail))
    lower, upper = (min(max(2 * value - float(end), 0.0), 1.0) for end in (high, low))
    by_chance = float(np.quantile(np.concatenate(chance), LEVEL))
    return Ece(value, Interval(lower, upper), by_chance, bins, adaptive, n)


def discrimination(confidence: ArrayLike, right: ArrayLike) -> Auc:
    """The chance that a right row has more confidence than a wrong one: at .5 the confidence says
    nothing about which are right. No temperature moves it where a field has two options."""
    sure, hits = _pairs(confidence, right)
    return auc(sure[hits].tolist(), sure[~hits].tolist())


def _errors(gaps: Floats, at: Indices) -> Floats:
    """(R,) ECE of samples, from (R, N) right less confidence and (R, N) the bin of each row."""
    samples, n = gaps.shape
    bins = int(at.max()) + 1
    cells = at + bins * np.arange(samples)[:, None]
    sums = np.bincount(cells.ravel(), gaps.ravel(), samples * bins).reshape(samples, bins)
    return np.asarray(np.abs(sums).sum(axis=1) / n)


def _batches(n: int) -> Iterator[int]:
    """Sizes that make up REPLICATES."""
    size = max(1, _CELLS // n)
    for done in range(0, REPLICATES, size):
        yield min(size, REPLICATES - done)


def _bin(lower: float, upper: float, sure: Floats, hits: Bools) -> Bin:
    found = acceptance(int(hits.sum()), len(hits))
    if found is None:
        return Bin(lower, upper, 0, None, None, None)
    return Bin(lower, upper, len(hits), float(sure.mean()), found.value, found.interval)


def _edges(sure: Floats, bins: int, adaptive: bool) -> Floats:
    """(bins + 1,) ascending; the last adaptive bin may be one value wide."""
    if not 1 <= bins <= MOST_BINS:
        raise ValueError(f"1 to {MOST_BINS} bins, not {bins}")
    if not adaptive or not len(sure):
        return np.arange(bins + 1) / bins
    starts = np.unique(np.sort(sure)[np.arange(bins) * len(sure) // bins])
    return np.append(starts, sure.max())


def _binned(sure: Floats, edges: Floats) -> Indices:
    """(N,) the bin of each row."""
    found = np.searchsorted(edges, sure, side="right") - 1
    return np.clip(found, 0, len(edges) - 2).astype(np.int64)


def _pairs(confidence: ArrayLike, right: ArrayLike) -> tuple[Floats, Bools]:
    """Both as arrays, once they go together."""
    sure, hits = np.asarray(confidence, dtype=np.float64), np.asarray(right)
    if not hits.size:
        hits = hits.astype(np.bool_)
    if sure.ndim != 1 or sure.shape != hits.shape or hits.dtype != np.bool_:
        raise ValueError(f"(N,) numbers and (N,) booleans are needed: {sure.shape}, {hits.shape}")
    if not np.all((sure >= -_SLACK) & (sure <= 1 + _SLACK)):
        raise ValueError("a confidence is in [0, 1]")
    return np.clip(sure, 0.0, 1.0), hits


_SLACK = 1e-9
"""How far above 1 a sum of probabilities may lie by rounding."""
