"""Intervals and tests for arms that were asked the same prompts."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.exact.estimates import acceptance
from playground.experiments.finding import Effect, How, Measure, Unit
from playground.study.readings import paired

# scipy is imported where it is used, as in `exact.estimates`.

ALPHA = 0.05
RESAMPLES = 10_000
ALL_SWAPS = 13
"""Most prompts whose swaps are all tried."""
CLOPPER = "95 %, Clopper-Pearson"
BOOTSTRAP = "95 %, bootstrap over prompts (estimated, seed {seed})"
TANGO = "95 %, Tango's score interval (approximate)"


def rate(name: str, hits: Sequence[bool]) -> Measure:
    """A share of draws, with its Clopper-Pearson interval."""
    found = acceptance(sum(hits), len(hits))
    if found is None:
        return Measure(name=name, value=None, unit="share", how="estimated")
    low, high = found.interval.lower, found.interval.upper
    return Measure(
        name=name, value=found.value, lower=low, upper=high, unit="share", how="estimated",
        interval=CLOPPER,
    )  # fmt: skip


def mean(name: str, values: Sequence[float], unit: Unit, how: How, seed: int) -> Measure:
    """The mean over prompts, with a bootstrap interval; `how` speaks of the values."""
    if not values:
        return Measure(name=name, value=None, unit=unit, how=how)
    low, high = _bootstrap(np.asarray(values, dtype=np.float64), seed)
    return Measure(
        name=name, value=float(np.mean(values)), lower=low, upper=high, unit=unit, how=how,
        interval=BOOTSTRAP.format(seed=seed),
    )  # fmt: skip


def certain(name: str, value: float, unit: Unit) -> Measure:
    """A number that is proved, for every prompt."""
    return Measure(name=name, value=value, lower=value, upper=value, unit=unit, how="exact")


def paired_rates(name: str, first: Sequence[bool], second: Sequence[bool]) -> Effect:
    """The share of hits of `first` less that of `second`, at the same prompts in the same order: an
    interval by scores, and McNemar's exact test, which decides.

    Raises:
        ValueError: no prompts, or not the same number.
    """
    _paired(first, second)
    found = paired(zip(first, second, strict=True))
    value, low, high, p = found.difference, found.lower, found.upper, found.p
    if value is None or low is None or high is None or p is None:
        raise ValueError("there are no prompts")
    test = f"exact McNemar, {found.only_a} prompts against {found.only_b}"
    return _effect(name, value, (low, high), "share", "estimated", TANGO, test, p)


def paired_means(
    name: str, first: Sequence[float], second: Sequence[float], unit: Unit, how: How, seed: int
) -> Effect:
    """The mean of `first` less that of `second`, at the same prompts in the same order: a bootstrap
    interval, and a permutation test of the mean: how often it is as large when at each prompt a coin
    says which arm is which.

    Args:
        how: of the values.
        seed: of both.

    Raises:
        ValueError: no prompts, or not the same number.
    """
    _paired(first, second)
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    p, test = _swapped(differences, seed)
    return _effect(
        name, float(differences.mean()), _bootstrap(differences, seed), unit, how,
        BOOTSTRAP.format(seed=seed), test, p,
    )  # fmt: skip


def distances(name: str, tvs: Sequence[float], slack: float, seed: int) -> Effect:
    """The mean of exact distances between two laws, one a prompt. That a law moves is proved by one
    prompt at which it does; chance is in the mean over further prompts alone.

    Args:
        slack: what arithmetic may move a TV by.

    Raises:
        ValueError: no prompts.
    """
    if not len(tvs):
        raise ValueError("there are no prompts")
    moved = sum(tv > slack for tv in tvs)
    low, high = _bootstrap(np.asarray(tvs, dtype=np.float64), seed)
    test = f"none needed: the laws are exact, and differ at {moved} of {len(tvs)} prompts"
    return Effect(
        name=name, value=float(np.mean(tvs)), lower=low, upper=high, unit="TV", how="exact",
        interval=BOOTSTRAP.format(seed=seed), test=test, p_value=None, significant=moved > 0,
    )  # fmt: skip


SLACK = 1e-3
"""TV below which a proved 0 is taken for one: logits of different batches differ by 1e-4."""


def proved(name: str, tvs: Sequence[float], proof: str) -> Effect:
    """A distance that is 0 by `proof`: the largest that was computed, so that a flaw would show."""
    value = float(max(tvs))
    return Effect(
        name=name, value=value, lower=value, upper=value, unit="TV", how="exact",
        interval="none: it holds for every prompt", test="none: it is proved", p_value=None,
        proof=proof, significant=value > SLACK,
    )  # fmt: skip


def _paired(first: Sequence[Any], second: Sequence[Any]) -> None:
    if not len(first) or len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} prompts can't be paired")


def _swapped(differences: NDArray[np.float64], seed: int) -> tuple[float, str]:
    """The p-value of the mean of (n,) differences under swaps of the arms, and how it was got."""
    told = differences[differences != 0]  # a swap does nothing to the others
    if len(told) <= ALL_SWAPS:
        signs = np.array(list(product((-1, 1), repeat=len(told))), dtype=np.float64)
        test = f"paired permutation, exact: all 2^{len(told)} swaps"
    else:
        signs = np.random.default_rng(seed).choice((-1, 1), size=(RESAMPLES, len(told)))
        signs[0] = 1  # the arms as they are count as one of the swaps: p is never 0
        test = f"paired permutation (estimated, {RESAMPLES:,} swaps, seed {seed})"
    sums = np.abs(signs @ told)
    return float((sums >= abs(told.sum()) - 1e-9).mean()), test


def _bootstrap(values: NDArray[np.float64], seed: int) -> tuple[float, float]:
    """95 % percentile interval of the mean of (n,) values."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[chosen].mean(axis=1), [ALPHA / 2, 1 - ALPHA / 2])
    return float(low), float(high)


def _effect(
    name: str, value: float, bounds: tuple[float, float], unit: Unit, how: How, interval: str,
    test: str, p: float,
) -> Effect:  # fmt: skip
    low, high = bounds
    return Effect(
        name=name, value=value, lower=low, upper=high, unit=unit, how=how, interval=interval,
        test=test, p_value=min(1.0, p), significant=p < ALPHA and not low <= 0 <= high,
    )  # fmt: skip
