"""How decided records compare with gold ones: rates with intervals, likelihoods."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from playground.fields.record_type import Law, RecordType
from playground.study.readings import Rate, rate

Indices = NDArray[np.int64]
"""(N, F) options of N records."""


def field_accuracy(decided: Indices, gold: Indices, names: Sequence[str]) -> dict[str, Rate]:
    """How often each of the F fields is right, with Clopper-Pearson's 95 % interval.

    Args:
        decided: (N, F); a row of -1 is an output that is no record, wrong in every field.
        gold: (N, F).
        names: (F,) of the fields.
    """
    right = _same(decided, gold).sum(0)
    return {
        name: rate(int(count), len(gold)) for name, count in zip(names, right.tolist(), strict=True)
    }


def whole_record(decided: Indices, gold: Indices) -> Rate:
    """How often all fields are right."""
    return rate(int(_same(decided, gold).all(1).sum()), len(gold))


def incoherent_rate(decided: Indices, allowed: NDArray[np.bool_]) -> Rate:
    """How often the options don't go together by a mask (n_1, ..., n_F).

    Args:
        decided: (N, F); a row with a -1 is no record and isn't counted.
        allowed: the combinations that do.
    """
    known = decided[(decided >= 0).all(1)]
    return rate(int((~allowed[tuple(known.T)]).sum()), len(known))


def seen(gold: Indices, record_type: RecordType) -> NDArray[np.bool_]:
    """(n_1, ..., n_F) True for the combinations that occur in (N, F) records.

    Raises:
        InvalidInput: the table would be too large.
    """
    record_type.require_table()
    mask = np.zeros(record_type.sizes, bool)
    mask[tuple(gold.T)] = True
    return mask


def mean_nll(laws: Law, gold: Indices) -> float:
    """Mean of -ln p(gold record) in nats over (N, n_1, ..., n_F) laws; inf where one has 0."""
    p = laws[(np.arange(len(gold)), *gold.T)]
    with np.errstate(divide="ignore"):
        return float(-np.log(p).mean())


def field_laws(laws: Law) -> tuple[NDArray[np.float64], ...]:
    """(N, n_f) of each field out of (N, n_1, ..., n_F) laws: the marginals of each text's law."""
    axes = range(1, laws.ndim)
    return tuple(laws.sum(axis=tuple(each for each in axes if each != axis)) for axis in axes)


def _same(decided: Indices, gold: Indices) -> NDArray[np.bool_]:
    if decided.shape != gold.shape or gold.ndim != 2:
        raise ValueError(f"records (N, F) of one shape: {decided.shape} and {gold.shape}")
    return np.asarray(decided == gold)
