"""What to do with a law: the option of least expected cost, or to abstain and pass the row on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from playground.errors import InvalidInput
from playground.exact.estimates import LEVEL, Estimate, mean_weight
from playground.exact.interval import Interval
from playground.fields.calibration import Scored
from playground.study.prompts.base import Split
from playground.study.readings import Rate, rate

LARGEST: Final = 1e6
"""A cost, either way."""
MOST_THRESHOLDS: Final = 1001
THRESHOLDS: Final = tuple(at / 100 for at in range(101))
"""Of a curve, unless others are asked for."""

_TIE = 1e-12
"""Costs that differ by less than this, relative to the largest, are equal but for rounding."""

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Costs:
    """What each mistake in a field of n options costs, and what it costs to abstain.

    Raises:
        InvalidInput: the table isn't square, or a cost isn't a number within LARGEST of 0; `where`
            is its place.
    """

    matrix: Floats
    """(n, n) float64: row the true option, column the decided one. A cost below 0 is a gain."""
    abstain: float = 1.0
    """Whatever is true: what it costs that a person looks at the row."""
    labels: tuple[str, ...] = ()
    """(n,) names of the options, for errors; numbers if empty."""

    def __post_init__(self) -> None:
        try:
            matrix = np.asarray(self.matrix, dtype=np.float64)
            abstain = float(self.abstain)
        except (TypeError, ValueError):
            raise InvalidInput(
                "A cost is no number, or a row of costs is too short.", "Fill in every cell."
            ) from None
        n = len(matrix) if matrix.ndim else 0
        if not n or matrix.shape != (n, n) or len(self.labels) not in (0, n):
            raise InvalidInput(
                f"The costs have the shape {matrix.shape}.",
                "There must be a row and a column for each option.",
            )
        for true, decided in np.argwhere(~(np.abs(matrix) <= LARGEST)).tolist():
            names = self.labels or tuple(map(str, range(n)))
            where = f"true {names[true]}, decided {names[decided]}"
            raise _no_cost(float(matrix[true, decided]), where)
        if not abs(abstain) <= LARGEST:
            raise _no_cost(abstain, "abstain")
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "abstain", abstain)

    @classmethod
    def of_errors(cls, n: int, abstain: float, labels: tuple[str, ...] = ()) -> "Costs":
        """Every error costs 1: it is then best to abstain where no option has a probability of at
        least 1 - `abstain` (Chow 1970)."""
        return cls(1.0 - np.eye(n), abstain, labels)

    @property
    def size(self) -> int:
        """n; also the number that stands for abstaining among decisions."""
        return len(self.matrix)

    @property
    def table(self) -> Floats:
        """(n, n + 1): `matrix` with a last column for abstaining."""
        return np.column_stack([self.matrix, np.full(self.size, self.abstain)])


def _no_cost(value: float, where: str) -> InvalidInput:
    return InvalidInput(
        f"{value!r} is no cost.", f"Type a number from {-LARGEST:,.0f} to {LARGEST:,.0f}.", where
    )


def expected(laws: ArrayLike, costs: Costs) -> Floats:
    """(N, n + 1) the expected cost of each option, then of abstaining, under each of (N, n) laws.
    Exact; what is paid is that only if the laws are calibrated."""
    table = np.asarray(laws, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != costs.size:
        raise ValueError(f"(N, {costs.size}) laws are needed, not {table.shape}")
    return np.asarray(table @ costs.table)


def decide(laws: ArrayLike, costs: Costs) -> Indices:
    """(N,) the option of least expected cost, n where abstaining costs less than every option. Of
    equals the lowest, so that a tie is decided rather than passed on."""
    return _least(expected(laws, costs), costs)


@dataclass(frozen=True, eq=False, slots=True)
class Choices:
    """What is decided in N rows of one split if none is passed on, and how sure that is.

    Also for confidence that comes from no law, such as a number that a model wrote.
    """

    split: Split
    decided: Indices
    """(N,) an option."""
    confidence: Floats
    """(N,) in [0, 1], in it."""
    labels: Indices
    """(N,) the right option."""
    expected: Floats | None = None
    """(N,) its expected cost under the law, where there is one."""

    def __post_init__(self) -> None:
        confidence = np.asarray(self.confidence, dtype=np.float64)
        shapes = {np.shape(each) for each in (self.decided, confidence, self.labels)}
        if len(shapes) > 1 or confidence.ndim != 1:
            raise ValueError(f"decisions, confidence and labels are (N,), not {shapes}")
        if not np.all((confidence >= 0) & (confidence <= 1 + 1e-9)):
            raise ValueError("a confidence is in [0, 1]")
        object.__setattr__(self, "confidence", confidence)


def choices(scored: Scored, costs: Costs) -> Choices:
    """The option of least expected cost in every row, with its own probability as confidence."""
    table = expected(scored.laws, costs)[:, : costs.size]
    decided = _least(table, costs)
    rows = np.arange(len(decided))
    return Choices(
        scored.split, decided, scored.laws[rows, decided], scored.labels, table[rows, decided]
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a policy did to N rows."""

    routed: tuple[int, ...]
    """(n + 1,) rows sent to each option, and last those passed on."""
    coverage: Rate
    """Rows that were decided."""
    selective: Rate
    """Of those, the ones decided right; no value where none was."""
    paid: Estimate
    """The mean cost of a row, abstaining included; its interval covers at every N if the rows are
    independent (a bounded mean: the Chernoff-Hoeffding bound, inverted). Where every row cost the
    same, others of their kind cost something else with a chance of at most the Clopper-Pearson
    bound of 0 in N: the interval goes so far towards the table's least and largest cost."""
    expected: float | None
    """The mean cost that the laws expected; None without laws. Apart from `paid`, they are not
    calibrated."""
    threshold: float | None = None
    """Confidence below which rows were passed on; None where costs alone decided."""
    same: bool = False
    """Every row cost the same: on these rows the mean is exact."""


def outcome(
    decided: ArrayLike,
    labels: ArrayLike,
    costs: Costs,
    believed: ArrayLike | None = None,
    threshold: float | None = None,
) -> Outcome:
    """What decisions came to.

    Args:
        decided: (N,) options, n for a row that is passed on; N > 0.
        labels: (N,) the right options.
        costs: of the n options.
        believed: (N,) the cost that was expected of each decision.
        threshold: that was used, to be kept with the result.

    Raises:
        ValueError: shapes or ranges are others.
    """
    sent, right = np.asarray(decided), np.asarray(labels)
    n = costs.size
    if sent.ndim != 1 or not len(sent) or sent.shape != right.shape:
        raise ValueError(f"(N,) decisions and labels are needed: {sent.shape}, {right.shape}")
    if min(sent.min(), right.min()) < 0 or sent.max() > n or right.max() >= n:
        raise ValueError(f"an option is 0 to {n - 1}, and {n} stands for none")
    kept = sent < n
    paid = costs.table[right, sent]
    return Outcome(
        tuple(np.bincount(sent, minlength=n + 1).tolist()),
        rate(int(kept.sum()), len(sent)),
        rate(int((sent == right)[kept].sum()), int(kept.sum())),
        _mean(paid, costs),
        None if believed is None else float(np.asarray(believed, dtype=np.float64).mean()),
        threshold,
        bool(np.all(paid == paid[0])),
    )


def follow(scored: Scored, costs: Costs) -> Outcome:
    """Each row decided or passed on by least expected cost."""
    table = expected(scored.laws, costs)
    sent = _least(table, costs)
    return outcome(sent, scored.labels, costs, table[np.arange(len(sent)), sent])


def at(found: Choices, costs: Costs, threshold: float) -> Outcome:
    """Rows of less confidence than `threshold` are passed on.

    Raises:
        InvalidInput: it isn't in [0, 1].
    """
    if not 0 <= threshold <= 1:
        raise InvalidInput(
            f"{threshold!r} is no threshold.", "Type a number from 0 to 1.", "threshold"
        )
    kept = found.confidence >= threshold
    believed = None if found.expected is None else np.where(kept, found.expected, costs.abstain)
    sent = np.where(kept, found.decided, costs.size)
    return outcome(sent, found.labels, costs, believed, threshold)


@dataclass(frozen=True, slots=True)
class Curve:
    """A policy at several thresholds."""

    split: Split
    points: tuple[Outcome, ...]
    """By rising threshold; coverage falls along it."""


def curve(found: Choices, costs: Costs, thresholds: Sequence[float] = THRESHOLDS) -> Curve:
    """Coverage, selective accuracy and mean cost at each threshold; at 0 everything is decided.

    Raises:
        InvalidInput: there are none or more than MOST_THRESHOLDS, or one isn't in [0, 1].
    """
    if not 0 < len(thresholds) <= MOST_THRESHOLDS:
        raise InvalidInput(
            f"{len(thresholds)} thresholds are asked for.",
            f"Ask for 1 to {MOST_THRESHOLDS}.",
            "thresholds",
        )
    return Curve(found.split, tuple(at(found, costs, each) for each in sorted(set(thresholds))))


def chosen(dev: Curve) -> Outcome:
    """The point of least mean cost; of equals the one that decides most. What it pays on dev is too
    good, since it was chosen there: take its threshold to test.

    Raises:
        ValueError: the curve is not of dev.
    """
    if dev.split != "dev":
        raise ValueError(f"a threshold is chosen on dev, never on {dev.split}")
    return min(dev.points, key=lambda point: point.paid.value)


def _least(table: Floats, costs: Costs) -> Indices:
    """(N, m) costs -> (N,) the first that is least but for rounding."""
    slack = _TIE * float(np.abs(costs.table).max())
    near = table <= table.min(axis=1, keepdims=True) + slack
    return np.asarray(near.argmax(axis=1), dtype=np.int64)


def _mean(paid: Floats, costs: Costs) -> Estimate:
    """The mean of costs that all lie within the table's."""
    low, high = float(costs.table.min()), float(costs.table.max())
    if high == low:
        return Estimate(low, Interval.point(low), len(paid))
    if np.all(paid == paid[0]):
        one, other = float(paid[0]), 1.0 - ((1.0 - LEVEL) / 2) ** (1.0 / len(paid))
        ends = Interval(one + other * (low - one), one + other * (high - one))
        return Estimate(one, ends, len(paid))
    with np.errstate(divide="ignore"):
        logs = np.log((paid - low) / (high - low))
    found = mean_weight(logs.tolist(), 0.0)
    assert found is not None, "there are rows"
    lower, upper = (
        low + (high - low) * end for end in (found.interval.lower, found.interval.upper)
    )
    value = math.fsum(paid.tolist()) / len(paid)
    return Estimate(value, Interval(min(lower, value), max(upper, value)), len(paid))
