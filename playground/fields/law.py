"""Laws of records as tables: marginals, products, chains, and how much the fields tell of each other.

A law is a (n_1, ..., n_F) float64 array, at least 0, sum 1. Fields are named by their place, from 0.
Everything here is exact, up to rounding, but `estimated_total_correlation`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.exact.interval import Interval
from playground.fields.record_type import Law

# scipy is imported where it is used: it takes most of a second, and start-up must not wait for it.

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
Indices = NDArray[np.int64]

LEVEL: Final = 0.95
"""Coverage that a bootstrap interval aims at; with few rows it covers less."""
RESAMPLES: Final = 2000
_BATCH: Final = 2_000_000
"""Most numbers that the bootstrap holds at once."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value read off n rows."""

    value: float
    interval: Interval
    n: int
    how: str
    """What the value is and what the interval claims, in words."""


def marginals(law: Law) -> tuple[Vector, ...]:
    """(n_f,) for each field: its own law."""
    return tuple(onto(law, (field,)) for field in range(law.ndim))


def onto(law: Law, fields: Sequence[int]) -> Law:
    """The law of some fields, in the order they are named; the others are summed out.

    Raises:
        ValueError: a field is named twice, or there is no such field.
    """
    _require_fields(law, fields)
    others = tuple(field for field in range(law.ndim) if field not in fields)
    kept = sorted(fields)
    summed: Law = law.sum(axis=others)
    return summed.transpose([kept.index(field) for field in fields])


def pair(law: Law, a: int, b: int) -> Law:
    """(n_a, n_b): the law of two fields; of one field with itself, its marginal on the diagonal."""
    return np.diag(onto(law, (a,))) if a == b else onto(law, (a, b))


def product(parts: Sequence[Vector]) -> Law:
    """(n_1, ..., n_F): the law of fields that don't know of each other, each with its own law."""
    law: Law = np.ones((1,) * len(parts))
    for field, part in enumerate(parts):
        law = law * part.reshape([-1 if each == field else 1 for each in range(len(parts))])
    return law


def chained(law: Law, order: Sequence[int]) -> Law:
    """(n_1, ..., n_F): p(ordered fields) times, for every other field f, p(f | ordered fields).

    No field in `order`: the product of the marginals. All of them, or all but one: the law itself.

    Raises:
        ValueError: a field is named twice, or there is no such field.
    """
    _require_fields(law, order)
    rest = tuple(field for field in range(law.ndim) if field not in order)
    first: Law = law.sum(axis=rest, keepdims=True)
    out = first
    for field in rest:
        others = tuple(each for each in rest if each != field)
        out = out * _divided(law.sum(axis=others, keepdims=True), first)
    return out


def greedy(law: Law, order: Sequence[int]) -> tuple[int, ...]:
    """(F,) a decision along `order`: each field its likeliest option given those decided before it;
    every other field its likeliest given the ordered ones. Ties: the first option.

    No field in `order`: each field's own likeliest option.

    Raises:
        ValueError: a field is named twice, or there is no such field.
    """
    _require_fields(law, order)
    decided: dict[int, int] = {}
    rest = [field for field in range(law.ndim) if field not in order]
    for field in order:
        decided[field] = int(np.argmax(_given(law, decided, field)))
    last = {field: int(np.argmax(_given(law, decided, field))) for field in rest}
    return tuple((decided | last)[field] for field in range(law.ndim))


def _given(law: Law, decided: dict[int, int], field: int) -> Vector:
    """(n_field,) proportional to the law of `field` given the options that were decided."""
    at = tuple(decided.get(each, slice(None)) for each in range(law.ndim))
    left = [each for each in range(law.ndim) if each not in decided]
    return onto(law[at], (left.index(field),))


def mode(law: Law) -> tuple[int, ...]:
    """(F,) the likeliest record; ties: the first in the table's order."""
    return tuple(int(at) for at in np.unravel_index(int(np.argmax(law)), law.shape))


def conditional(law: Law, allowed: Mask) -> Law:
    """(n_1, ..., n_F): the law given that the record is one of those allowed, (n_1, ..., n_F) bool.

    Raises:
        InvalidInput: the allowed records have no mass.
    """
    kept = np.where(allowed, law, 0.0)
    if not (mass := kept.sum()) > 0.0:
        raise InvalidInput(
            "The allowed records have no probability at all under this law.",
            "Allow a record that can happen.",
            "allowed",
        )
    return np.asarray(kept / mass, dtype=np.float64)


def incoherent(law: Law, allowed: Mask) -> float:
    """The chance of a record that isn't allowed; allowed: (n_1, ..., n_F) bool. 0 to 1."""
    return min(1.0, float(law[~allowed].sum()))


def entropy(p: Law) -> float:
    """Shannon's, of a law of any shape: bits, at least 0."""
    kept = p[p > 0]
    return max(0.0, float(-(kept * np.log2(kept)).sum()))


def margin(p: Vector) -> float:
    """How far the likeliest option of (n,) is above the next: 0 to 1; 1 where it is the only one."""
    if p.size == 1:
        return float(p[0])
    second, first = np.partition(p, -2)[-2:]
    return float(first - second)


def total_correlation(law: Law) -> float:
    """The sum of the fields' entropies less that of the record: bits, at least 0.

    It is KL(law || product of its marginals): what a model of independent fields can't tell.
    """
    apart = sum(entropy(part) for part in marginals(law))
    return max(0.0, apart - entropy(law))


def shift(law: Law, a: int, b: int) -> Vector:
    """(n_a,) how far b's law moves when a is set to each option: the total variation between
    p(b | a = i) and p(b), 0 to 1. 0 where a is never i: there is nothing to condition on."""
    both = pair(law, a, b)
    first = both.sum(axis=1, keepdims=True)
    moved = np.abs(_divided(both, first) - both.sum(axis=0)).sum(axis=1) / 2
    return np.where(first[:, 0] > 0, moved, 0.0)


def coupling(law: Law) -> NDArray[np.float64]:
    """(F, F) how far setting a field moves another: the mean of `shift` over the options of a.

    It is the total variation between the law of the pair and the product of its marginals, so it is
    symmetric, and 0 just where the two are independent. On the diagonal stands how far a field's
    law moves when it is told itself: 1 less the sum of its squared chances.
    """
    out = np.zeros((law.ndim, law.ndim))
    for a in range(law.ndim):
        for b in range(a, law.ndim):
            both = pair(law, a, b)
            apart = np.outer(both.sum(axis=1), both.sum(axis=0))
            out[a, b] = out[b, a] = np.abs(both - apart).sum() / 2
    return out


def sample(law: Law, rng: np.random.Generator, n: int) -> Indices:
    """(n, F) int64: n records drawn from the law; one without mass is never drawn."""
    flat = law.ravel()
    drawn = rng.choice(flat.size, size=n, p=flat / flat.sum())
    return np.stack(np.unravel_index(drawn, law.shape), axis=1).astype(np.int64)


def empirical(indices: NDArray[Any], sizes: Sequence[int]) -> Law:
    """(n_1, ..., n_F): the shares of (N, F) records.

    Raises:
        InvalidInput: there are none.
        ValueError: an index is outside its field.
    """
    if not len(indices):
        raise InvalidInput("There are no records to count.", "Give one at least.", "records")
    return tally(indices, sizes) / len(indices)


def tally(indices: NDArray[Any], sizes: Sequence[int]) -> NDArray[np.int64]:
    """(n_1, ..., n_F): how often each of (N, F) records occurs.

    Raises:
        ValueError: an index is outside its field.
    """
    at = np.asarray(indices, dtype=np.int64).reshape(-1, len(sizes))
    flat = np.ravel_multi_index(tuple(at.T), tuple(sizes))
    return np.bincount(flat, minlength=math.prod(sizes)).reshape(tuple(sizes))


def estimated_total_correlation(laws: Iterable[Law], seed: int = 0) -> Estimate:
    """The mean of `total_correlation` over rows, bits; laws: (N, n_1, ..., n_F), or N laws.

    Each row's number is exact; what the mean would be over other rows is estimated.

    Raises:
        InvalidInput: there are no rows.
    """
    bits, most = [], 0.0
    for law in laws:
        bits.append(total_correlation(law))
        most = most_total_correlation(law.shape)
    return mean_over_rows(bits, most, seed)


def most_total_correlation(sizes: Sequence[int]) -> float:
    """What no law of that shape exceeds, bits: every field is told by the largest."""
    logs = [math.log2(size) for size in sizes]
    return sum(logs) - max(logs, default=0.0)


def mean_over_rows(values: Sequence[float], most: float, seed: int = 0) -> Estimate:
    """The mean of (N,) numbers from 0 to `most`, with a percentile bootstrap interval over the rows.

    Raises:
        InvalidInput: there are no rows.
    """
    rows = np.asarray(values, dtype=np.float64)
    if not rows.size:
        raise InvalidInput("There are no rows to average.", "Give one at least.", "rows")
    exact = "exact over these rows"
    if rows.size == 1:
        how = f"{exact}; one row says nothing of others"
        return Estimate(float(rows[0]), Interval(0.0, max(most, float(rows[0]))), 1, how)
    from scipy.stats import bootstrap

    found = bootstrap(
        (rows,), np.mean, n_resamples=RESAMPLES, batch=max(1, _BATCH // rows.size),
        method="percentile", confidence_level=LEVEL, rng=np.random.default_rng(seed),
    ).confidence_interval  # fmt: skip
    how = (
        f"{exact}; for others of their kind estimated: 95 %, percentile bootstrap over {rows.size} "
        f"rows, {RESAMPLES:,} resamples, seed {seed}"
    )
    mean = float(rows.mean())
    interval = Interval(min(float(found.low), mean), max(float(found.high), mean))
    return Estimate(mean, interval, rows.size, how)


def _divided(part: Law, whole: Law) -> Law:
    """part / whole, 0 where both are."""
    out = np.zeros(np.broadcast_shapes(part.shape, whole.shape))
    return np.divide(part, whole, out=out, where=whole > 0)


def _require_fields(law: Law, fields: Sequence[int]) -> None:
    if len(set(fields)) != len(fields) or not set(fields) <= set(range(law.ndim)):
        raise ValueError(f"not different fields of {law.ndim}: {list(fields)}")
