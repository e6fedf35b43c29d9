"""What is read off counts and scores: rates, costs, AUC, paired differences, each with what it claims."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from pydantic import BaseModel, ConfigDict

from playground.exact.estimates import LEVEL, acceptance

# scipy is imported where it is used: it takes most of a second, and start-up must not wait for it.


class Reading(BaseModel):
    """Frozen, and strict JSON as it stands: neither nan nor infinity."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Rate(Reading):
    """A share of n trials: an estimate."""

    count: int
    n: int
    value: float | None
    """count / n; None for n = 0."""
    lower: float | None
    """Clopper-Pearson: covers at every n. None for n = 0, and where trials hang together."""
    upper: float | None


class Cost(Reading):
    """What n outputs took, and what that makes per valid one."""

    total: int
    n: int
    valid: int
    mean: float | None
    """total / n."""
    per_valid: float | None
    """total / valid: what the invalid ones took is paid too. None where none is valid."""


class Spread(Reading):
    """Values of n outputs; claims no interval."""

    n: int
    mean: float | None
    low: float | None
    """The lower quartile."""
    median: float | None
    high: float | None
    """The upper quartile."""


class Bounds(Reading):
    """The mean over n, each of which is known between bounds."""

    n: int
    lower: float
    upper: float


class Auc(Reading):
    """The chance that a positive scores above a negative, ties counted half: an estimate."""

    positives: int
    negatives: int
    value: float | None
    lower: float | None
    """Newcombe's score interval on the variance of Hanley and McNeil: approximate, within [0, 1]."""
    upper: float | None
    why: str = ""
    """Why there is no value."""


class Paired(Reading):
    """Two methods at the same n prompts."""

    n: int
    only_a: int
    """Prompts at which a alone succeeds."""
    only_b: int
    difference: float | None
    """The rate of a less that of b."""
    lower: float | None
    """Tango's score interval: approximate, it covers about as often as it says."""
    upper: float | None
    p: float | None
    """McNemar's exact test, two-sided: of no difference. It decides about significance."""

    def turned(self) -> "Paired":
        """b compared with a."""
        return Paired(
            n=self.n,
            only_a=self.only_b,
            only_b=self.only_a,
            difference=_minus(self.difference),
            lower=_minus(self.upper),
            upper=_minus(self.lower),
            p=self.p,
        )


class Shift(Reading):
    """The mean of n differences, one a prompt."""

    n: int
    mean: float | None
    lower: float | None
    """Student's t: approximate. None for n < 2."""
    upper: float | None


def _minus(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


@lru_cache(4096)
def rate(count: int, n: int, independent: bool = True) -> Rate:
    """`count` of `n`; without an interval where the trials are not `independent`."""
    found = acceptance(count, n)
    if found is None or not independent:
        value = count / n if n else None
        return Rate(count=count, n=n, value=value, lower=None, upper=None)
    bounds = found.interval
    return Rate(count=count, n=n, value=found.value, lower=bounds.lower, upper=bounds.upper)


def cost(amounts: Sequence[int], valid: int) -> Cost:
    """The amounts of all outputs, `valid` of which were valid."""
    total, n = sum(amounts), len(amounts)
    return Cost(
        total=total,
        n=n,
        valid=valid,
        mean=total / n if n else None,
        per_valid=total / valid if valid else None,
    )


def spread(values: Iterable[float | None]) -> Spread:
    """Mean and quartiles (linear between neighbours) of the values that are known."""
    known = [value for value in values if value is not None]
    if not known:
        return Spread(n=0, mean=None, low=None, median=None, high=None)
    low, median, high = (float(each) for each in np.quantile(known, (0.25, 0.5, 0.75)))
    mean = math.fsum(known) / len(known)
    return Spread(n=len(known), mean=mean, low=low, median=median, high=high)


def bounds(pairs: Iterable[tuple[float, float] | None]) -> Bounds | None:
    """The mean of the bounds that are known; None where none is."""
    known = [pair for pair in pairs if pair is not None]
    if not known:
        return None
    lower, upper = (math.fsum(ends) / len(known) for ends in zip(*known, strict=True))
    return Bounds(n=len(known), lower=min(lower, upper), upper=upper)


FEWEST = 2
"""Scores of each kind below which no AUC is given."""


def auc(positives: Sequence[float], negatives: Sequence[float]) -> Auc:
    """How well a score tells the two kinds apart: .5 is chance, 1 is never wrong.

    The interval holds every value whose distance to the observed one is at most z standard errors,
    by the variance that the value itself would have for exponential scores (Hanley and McNeil 1982;
    Newcombe 2006, with both sample sizes replaced by their mean in its second factor).
    """
    m, n = len(positives), len(negatives)
    if min(m, n) < FEWEST:
        why = f"It needs {FEWEST} of each kind; there are {m} and {n}."
        return Auc(positives=m, negatives=n, value=None, lower=None, upper=None, why=why)
    ranked = sorted(negatives)
    halves = sum(bisect_left(ranked, each) + bisect_right(ranked, each) for each in positives)
    value, middle, z = halves / (2 * m * n), (m + n) / 2, _z()

    def excess(truth: float) -> float:
        more = 2 * middle - 1 - (3 * middle - 3) / ((2 - truth) * (1 + truth))
        return (truth - value) ** 2 - z * z * truth * (1 - truth) / (m * n) * more

    lower, upper = _limits(excess, value, 0.0)
    return Auc(positives=m, negatives=n, value=value, lower=lower, upper=upper)


def paired(outcomes: Iterable[tuple[bool, bool]]) -> Paired:
    """The comparison of (a succeeds, b succeeds), one pair a prompt.

    The interval holds every difference that the score test of matched pairs doesn't refuse
    (Tango 1998); p is exact given the number of prompts at which one alone succeeds.
    """
    pairs = list(outcomes)
    n = len(pairs)
    only_a = sum(a and not b for a, b in pairs)
    only_b = sum(b and not a for a, b in pairs)
    if not n:
        nothing = dict.fromkeys(("difference", "lower", "upper", "p"))
        return Paired(n=0, only_a=0, only_b=0, **nothing)
    value, z = (only_a - only_b) / n, _z()

    def excess(truth: float) -> float:
        variance = score_variance(only_a, only_b, n, truth)
        return (only_a - only_b - n * truth) ** 2 - z * z * n * variance

    lower, upper = _limits(excess, value, -1.0)
    return Paired(
        n=n,
        only_a=only_a,
        only_b=only_b,
        difference=value,
        lower=lower,
        upper=upper,
        p=_mcnemar(only_a, only_b),
    )


def score_variance(only_a: int, only_b: int, n: int, truth: float) -> float:
    """The variance of one pair's difference if its mean were `truth`: P(only a) + P(only b) -
    truth^2 where P(only b) is the most likely one given `truth`, the root of a quadratic."""
    linear = (2 * n - only_a + only_b) * truth - only_a - only_b
    inside = linear * linear + 8 * n * only_b * truth * (1 - truth)
    p_only_b = (math.sqrt(max(0.0, inside)) - linear) / (4 * n)
    return max(0.0, 2 * p_only_b + truth * (1 - truth))


def shift(differences: Sequence[float]) -> Shift:
    """The mean difference over prompts."""
    n = len(differences)
    if not n:
        return Shift(n=0, mean=None, lower=None, upper=None)
    mean = math.fsum(differences) / n
    if n < 2:
        return Shift(n=n, mean=mean, lower=None, upper=None)
    from scipy.stats import t

    error = float(np.std(differences, ddof=1)) / math.sqrt(n)
    margin = float(t.isf((1 - LEVEL) / 2, n - 1)) * error
    return Shift(n=n, mean=mean, lower=mean - margin, upper=mean + margin)


def _mcnemar(only_a: int, only_b: int) -> float:
    from scipy.stats import binomtest

    apart = only_a + only_b
    return float(binomtest(only_a, apart).pvalue) if apart else 1.0


def _z() -> float:
    from scipy.stats import norm

    return float(norm.isf((1 - LEVEL) / 2))


_CLOSE = 1e-12
"""The square of a distance and its margin may both vanish at the observed value itself."""


def _limits(excess: Callable[[float], float], value: float, least: float) -> tuple[float, float]:
    """The ends of the values within [least, 1] around `value` at which `excess` is at most 0."""
    from scipy.optimize import brentq

    lower = brentq(excess, least, value - _CLOSE, xtol=1e-13) if value > least else least
    upper = brentq(excess, value + _CLOSE, 1.0, xtol=1e-13) if value < 1 else 1.0
    return float(lower), float(upper)
