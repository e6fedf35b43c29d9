"""How good a field's laws are, and the temperature that mends them: fitted on dev, measured on test.

`Scored` carries the name of its split, so that rows of another split than dev can't be fitted on.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from playground.fields.reliability import (
    BINS,
    Bin,
    Ece,
    discrimination,
    ece,
    reliability,
)
from playground.study.prompts.base import Split
from playground.study.readings import Auc, Shift, shift

__all__ = [
    "BINS",
    "Bin",
    "Calibration",
    "Ece",
    "Fit",
    "Measured",
    "Scored",
    "brier",
    "calibrate",
    "discrimination",
    "ece",
    "fit_temperature",
    "losses",
    "measured",
    "nll",
    "reliability",
    "tempered",
]

# scipy is imported where it is used: it takes most of a second, and start-up must not wait for it.

LOWEST: Final = 0.05
HIGHEST: Final = 20.0
"""Between them a temperature is sought."""

_SLACK = 1e-6
"""How far the sum of a law may be from 1."""
_FLAT = 1e-12
"""A slope of the NLL, in nats, that counts as none."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Scored:
    """Laws of one field over N rows of one split, and what is right in each.

    Raises:
        ValueError: there are no rows, the shapes don't go together, a row is no law, or a label is
            no option.
    """

    split: Split
    laws: Floats
    """(N, n) float64, at least 0; each row sums to 1."""
    labels: Indices
    """(N,) int: the right option, 0 to n - 1."""

    def __post_init__(self) -> None:
        laws, labels = _table(self.laws, self.labels)
        object.__setattr__(self, "laws", laws)
        object.__setattr__(self, "labels", labels)

    @property
    def decided(self) -> Indices:
        """(N,) the likeliest option; the first of equals."""
        return np.asarray(self.laws.argmax(axis=1), dtype=np.int64)

    @property
    def confidence(self) -> Floats:
        """(N,) its probability."""
        return np.asarray(self.laws.max(axis=1), dtype=np.float64)

    @property
    def right(self) -> NDArray[np.bool_]:
        """(N,) whether it is the right one."""
        return np.asarray(self.decided == self.labels)

    def at(self, temperature: float) -> "Scored":
        """The same rows, their laws `tempered`."""
        return Scored(self.split, tempered(self.laws, temperature), self.labels)


def tempered(laws: ArrayLike, temperature: float) -> Floats:
    """p^(1/T), renormalised along the last axis: less sure for T > 1, surer for T < 1. What is
    likeliest stays likeliest; what is 0 stays 0.

    Args:
        laws: (..., n), at least 0; each row sums to 1.
        temperature: above 0.

    Raises:
        ValueError: it isn't.
    """
    return np.exp(_log_tempered(np.asarray(laws, dtype=np.float64), temperature))


def losses(laws: ArrayLike, labels: ArrayLike, temperature: float = 1.0) -> Floats:
    """(N,) -log of the probability of the right option under (N, n) laws at a temperature, nats;
    inf where it is 0."""
    table, right = _table(laws, labels)
    return 0.0 - _log_tempered(table, temperature)[np.arange(len(right)), right]


def nll(laws: ArrayLike, labels: ArrayLike, temperature: float = 1.0) -> float:
    """The mean of `losses`: nats, exact for these rows."""
    return float(losses(laws, labels, temperature).mean())


def brier(laws: ArrayLike, labels: ArrayLike) -> float:
    """The mean over N rows of the sum over n options of (p - [it is the right one])^2: 0 to 2, exact
    for these rows. Of two options it is twice the score of a yes-or-no forecast."""
    table, right = _table(laws, labels)
    apart = table - np.eye(table.shape[1])[right]
    return float((apart**2).sum(axis=1).mean())


@dataclass(frozen=True, slots=True)
class Fit:
    """The temperature at which the NLL of dev is least."""

    temperature: float
    n: int
    """Rows of dev that it was fitted on."""
    impossible: int
    """Further rows, whose right option has probability 0: their NLL is infinite at any temperature."""
    before: float
    """NLL of the n rows at temperature 1, nats."""
    after: float
    """At the fitted one: never larger."""
    at_limit: bool
    """It is LOWEST or HIGHEST, and the NLL still falls beyond: as where every row of dev is right."""


def fit_temperature(dev: Scored) -> Fit:
    """One temperature for a field (arXiv:1706.04599). The NLL is convex in 1/T: its least value is
    where its slope is 0.

    Raises:
        ValueError: the rows are not of dev.
    """
    if dev.split != "dev":
        raise ValueError(f"a temperature is fitted on dev, never on {dev.split}")
    possible = np.isfinite(losses(dev.laws, dev.labels))
    laws, labels = dev.laws[possible], dev.labels[possible]
    missing = len(possible) - len(labels)
    if not len(labels):
        return Fit(1.0, 0, missing, 0.0, 0.0, False)
    temperature, at_limit = _best(laws, labels)
    before, after = nll(laws, labels), nll(laws, labels, temperature)
    if after > before:  # the best is a rounding error away from 1
        temperature, after = 1.0, before
    return Fit(temperature, len(labels), missing, before, after, at_limit)


@dataclass(frozen=True, slots=True)
class Measured:
    """How good the laws of one field are on some rows."""

    nll: float
    """Nats."""
    brier: float
    bins: tuple[Bin, ...]
    ece: Ece
    auc: Auc
    """That confidence tells right from wrong."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A temperature fitted on dev, and what it does to test."""

    fit: Fit
    before: Measured
    """Test at temperature 1."""
    after: Measured
    """Test at the fitted one."""
    change: Shift
    """NLL after less before, paired by row of test: below 0 where it helps. Over the rows where
    both are finite."""


def measured(
    scored: Scored,
    rng: np.random.Generator,
    temperature: float = 1.0,
    bins: int = BINS,
    adaptive: bool = False,
) -> Measured:
    """All measures of the rows of any split at a given temperature."""
    warm = scored.at(temperature)
    error = ece(warm.confidence, warm.right, rng, bins, adaptive)
    assert error is not None, "there are rows"
    return Measured(
        nll(scored.laws, scored.labels, temperature),
        brier(warm.laws, warm.labels),
        reliability(warm.confidence, warm.right, bins, adaptive),
        error,
        discrimination(warm.confidence, warm.right),
    )


def calibrate(
    dev: Scored,
    test: Scored,
    rng: np.random.Generator,
    bins: int = BINS,
    adaptive: bool = False,
) -> Calibration:
    """A temperature from dev alone, measured on test alone.

    Raises:
        ValueError: `dev` is not of the split dev, or `test` not of test.
    """
    if test.split != "test":
        raise ValueError(f"a calibration is measured on test, not on {test.split}")
    fit = fit_temperature(dev)
    old = losses(test.laws, test.labels)
    new = losses(test.laws, test.labels, fit.temperature)
    finite = np.isfinite(old) & np.isfinite(new)
    return Calibration(
        fit,
        measured(test, rng, 1.0, bins, adaptive),
        measured(test, rng, fit.temperature, bins, adaptive),
        shift((new[finite] - old[finite]).tolist()),
    )


def _best(laws: Floats, labels: Indices) -> tuple[float, bool]:
    """The temperature of the least NLL, and whether that is a limit."""
    from scipy.optimize import brentq

    logs = _log_tempered(laws, 1.0)
    held = np.where(np.isfinite(logs), logs, 0.0)
    right = held[np.arange(len(labels)), labels]

    def slope(inverse: float) -> float:
        """Of the NLL in 1/T: the mean of log p under the law at T, less log p of what is right."""
        mean = (tempered(laws, 1 / inverse) * held).sum(axis=1)
        return float((mean - right).mean())

    here = slope(1.0)
    if abs(here) < _FLAT:
        return 1.0, False
    limit = HIGHEST if here > 0 else LOWEST
    if here * slope(1 / limit) > 0:
        return limit, True
    ends = sorted((1.0, 1 / limit))
    return 1 / float(brentq(slope, *ends, xtol=1e-13)), False


def _log_tempered(laws: Floats, temperature: float) -> Floats:
    """log of p^(1/T), renormalised along the last axis."""
    if not 0 < temperature < np.inf:
        raise ValueError(f"a temperature is above 0, not {temperature!r}")
    with np.errstate(divide="ignore"):
        logs = np.log(laws)
    raised = (logs - logs.max(axis=-1, keepdims=True)) / temperature
    return np.asarray(raised - np.log(np.exp(raised).sum(axis=-1, keepdims=True)))


def _table(laws: ArrayLike, labels: ArrayLike) -> tuple[Floats, Indices]:
    """Both as arrays, once they go together."""
    table, right = np.asarray(laws, dtype=np.float64), np.asarray(labels)
    if table.ndim != 2 or not table.size or right.shape != table.shape[:1]:
        raise ValueError(
            f"(N, n) laws and (N,) labels are needed, N > 0: {table.shape}, {right.shape}"
        )
    if not np.all(table >= 0) or not np.all(np.abs(table.sum(axis=1) - 1) <= _SLACK):
        raise ValueError("each row of laws is at least 0 and sums to 1")
    if not np.issubdtype(right.dtype, np.integer):
        raise ValueError(f"labels are whole numbers, not {right.dtype}")
    if right.min() < 0 or right.max() >= table.shape[1]:
        raise ValueError(f"labels are 0 to {table.shape[1] - 1}")
    return table, right.astype(np.int64)
