"""What samples say: estimates with intervals that hold at every n, and those that claim none."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.exact.interval import Interval

# scipy is imported where it is used: it takes most of a second, and start-up must not wait for it.

LEVEL = 0.95
"""Coverage of every interval here, at least; of `share`'s on average only."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value read off n samples."""

    value: float
    interval: Interval
    """Holds the truth with a chance of at least `LEVEL`, whatever n is."""
    n: int


def acceptance(accepted: int, n: int) -> Estimate | None:
    """q from n plain draws of which `accepted` were valid: Clopper-Pearson; None for no draws."""
    if not n:
        return None
    from scipy.stats import binomtest

    found = binomtest(accepted, n).proportion_ci(LEVEL, method="exact")
    return Estimate(accepted / n, Interval(float(found.low), float(found.high)), n)


def share(count: int, n: int) -> Interval:
    """The chance of an outcome seen `count` times in n draws: Wilson's interval; [0, 1] for none."""
    if not n:
        return Interval(0.0, 1.0)
    from scipy.stats import binomtest

    found = binomtest(count, n).proportion_ci(LEVEL, method="wilson")
    low, high = float(found.low), float(found.high)
    return Interval(min(low, count / n), max(high, count / n))


def mean_weight(
    log_weights: Sequence[float], log_bound: float, certified: Interval | None = None
) -> Estimate | None:
    """Z as the mean weight of constrained runs: unbiased, an unfinished run weighs 0.

    The interval inverts the Chernoff-Hoeffding bound n kl(mean, Z) <= ln(2 / (1 - LEVEL)) for
    independent values in [0, b]: it needs no variance, so a sample that missed the heavy runs
    still covers. It is cut to what is certified.

    Args:
        log_weights: log weight of each run, nats; -inf for unfinished ones.
        log_bound: log b, above every possible weight (log Z_1), nats.
        certified: bounds on Z that are proved.

    Raises:
        ValueError: a weight is above the bound, so the interval would not hold.
    """
    n = len(log_weights)
    if n and max(log_weights) > log_bound + 1e-6:
        raise ValueError(f"a log weight of {max(log_weights)} is above its bound {log_bound}")
    if not n or log_bound == -math.inf:
        return None
    scaled = np.exp(np.minimum(np.asarray(log_weights, dtype=np.float64) - log_bound, 0.0))
    mean, bound = float(scaled.mean()), math.exp(log_bound)
    allowed = math.log(2 / (1 - LEVEL)) / n
    interval = Interval(bound * _least(mean, allowed), bound * _most(mean, allowed))
    if certified is not None:
        interval = interval.clipped(certified.lower, certified.upper)
    return Estimate(mean * bound, interval, n)


def _kl(a: float, b: float) -> float:
    """KL of two coins, nats."""
    kl = 0.0
    if a > 0:
        kl += a * math.log(a / b) if b > 0 else math.inf
    if a < 1:
        kl += (1 - a) * (math.log1p(-a) - math.log1p(-b)) if b < 1 else math.inf
    return kl


def _most(mean: float, allowed: float) -> float:
    """The largest chance that is at most `allowed` nats from `mean`."""
    from scipy.optimize import brentq

    if mean >= 1.0:
        return 1.0
    return float(brentq(lambda chance: _kl(mean, chance) - allowed, mean, 1.0, rtol=1e-12))


def _least(mean: float, allowed: float) -> float:
    """The smallest chance that is at most `allowed` nats from `mean`, sought on a log scale."""
    from scipy.optimize import brentq

    if mean <= 0.0:
        return 0.0

    def excess(log_chance: float) -> float:
        return _kl(mean, math.exp(log_chance)) - allowed

    top = math.log(mean)
    return math.exp(float(brentq(excess, _SMALLEST, top))) if excess(_SMALLEST) > 0 else 0.0


_SMALLEST = -740.0
"""Log of the smallest chance told from 0."""


def none_valid(q: Interval, n: int) -> Interval:
    """(1 - q)^n: the chance that n independent draws give nothing valid."""
    return Interval(_power(q.upper, n), _power(q.lower, n))


def _power(q: float, n: int) -> float:
    return math.exp(n * math.log1p(-q)) if q < 1 else 0.0 if n else 1.0


def draws_for(q: Interval, chance: float) -> Interval:
    """How many draws make the chance of nothing valid at most `chance`; inf where q may be 0."""

    def draws(q: float) -> float:
        if q <= 0:
            return math.inf
        return 1.0 if q >= 1 else float(math.ceil(math.log(chance) / math.log1p(-q) - 1e-9))

    return Interval(draws(q.upper), draws(q.lower))


def distance_slack(cells: int, n: int, level: float = 0.95) -> float:
    """How far the shares of `n` independent draws over `cells` outcomes lie from their own law, in total
    variation: at most this with probability `level`.

    The mean is at most half the root of (cells - 1) / n, and one draw moves the distance by at most
    1 / n, so McDiarmid's inequality bounds what exceeds the mean.
    """
    return 0.5 * math.sqrt((cells - 1) / n) + math.sqrt(-math.log(1.0 - level) / (2 * n))


def noise_floor(law: Sequence[float], n: int) -> float:
    """The mean TV between a law and the shares of n exact draws from it, to first order:
    sum of sqrt(2 p (1 - p) / (pi n)) / 2."""
    p = np.asarray(law, dtype=np.float64)
    return min(1.0, float(np.sqrt(2 * p * (1 - p) / (math.pi * n)).sum() / 2)) if n else 1.0
