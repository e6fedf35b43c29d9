"""How often fields that are decided apart don't go together, and how many bits they tell of each other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.exact.estimates import acceptance
from playground.fields.law import (
    Estimate,
    Mask,
    chained,
    coupling,
    estimated_total_correlation,
    greedy,
    incoherent,
    marginals,
    mean_over_rows,
    mode,
    onto,
    product,
    tally,
    total_correlation,
)
from playground.fields.record_type import Law

Laws = NDArray[np.float64] | Sequence[Law]
"""(N, n_1, ..., n_F), or N laws of one shape: one for each row that a head has read."""

UNSEEN: Final = "a combination that never occurs among the training labels"
"""What counts as incoherent where no rule says it. It may still be true of a record to come: count
the gold labels of the test rows by the same measure, and no method can be asked for less."""


def unseen(labels: NDArray[Any], sizes: Sequence[int]) -> Mask:
    """(n_1, ..., n_F) bool: True where no row of `labels`, (N, F) of options, has the combination.

    Raises:
        InvalidInput: there are no labels.
        ValueError: a label is outside its field.
    """
    if not len(labels):
        raise InvalidInput("There are no training labels.", "Give one at least.", "labels")
    return np.asarray(tally(labels, sizes) == 0)


def restricted(laws: Laws, fields: Sequence[int]) -> NDArray[np.float64]:
    """(N, n_a, n_b, ...): each row's law of some fields, in the order they are named."""
    return np.stack([onto(law, fields) for law in laws])


@dataclass(frozen=True, slots=True)
class Incoherence:
    """How often one way of using a law gives a combination that isn't allowed."""

    method: str
    drawn: Estimate
    """The chance that a draw is incoherent, averaged over rows: exact over these rows."""
    decided: Estimate
    """The share of rows whose likeliest decision is incoherent: counted, Clopper-Pearson."""


def incoherence(
    laws: Laws, allowed: Mask, order: Sequence[int], seed: int = 0
) -> tuple[Incoherence, ...]:
    """The same laws used in three ways: factorised, chained, joint.

    Factorised: each field by its own marginal. Chained: `order` one after the other, the other
    fields given those. Joint: the law as it is; it is as coherent as the head that made it.

    Args:
        laws: (N, n_1, ..., n_F).
        allowed: (n_1, ..., n_F) bool.
        order: fields of the chain.
        seed: of the bootstrap over rows.

    Raises:
        InvalidInput: there are no rows.
        ValueError: `order` names a field twice, or one that isn't there.
    """
    ways: dict[str, tuple[Callable[[Law], Law], Callable[[Law], tuple[int, ...]]]] = {
        "factorised": (lambda law: chained(law, ()), lambda law: greedy(law, ())),
        "chained": (lambda law: chained(law, order), lambda law: greedy(law, order)),
        "joint": (lambda law: law, mode),
    }
    return tuple(
        Incoherence(
            method,
            mean_over_rows([incoherent(used(law), allowed) for law in laws], 1.0, seed),
            counted(np.array([decision(law) for law in laws]), allowed),
        )
        for method, (used, decision) in ways.items()
    )


def counted(records: NDArray[Any], allowed: Mask) -> Estimate:
    """The share of (N, F) given records, generated, decided or gold, that aren't allowed.

    Raises:
        InvalidInput: there are none.
    """
    at = np.asarray(records, dtype=np.int64).reshape(-1, allowed.ndim)
    found = acceptance(int((~allowed[tuple(at.T)]).sum()), len(at))
    if found is None:
        raise InvalidInput("There are no records to count.", "Give one at least.", "records")
    how = f"counted in {found.n} records; 95 %, Clopper-Pearson"
    return Estimate(found.value, found.interval, found.n, how)


@dataclass(frozen=True, eq=False, slots=True)
class Correlation:
    """What two fields tell of each other, beyond what the input tells of both."""

    fields: tuple[int, int]
    rows: NDArray[np.float64]
    """(N,) total correlation given each row's input: bits, exact. A factorised head loses it."""
    mean: Estimate
    """Of `rows`."""
    mixed: float
    """Total correlation of the mean law, bits, exact over these rows: what the fields tell of each
    other before the input is read. A factorised head can keep what the input explains of it."""
    moved: float
    """The mean over rows of `law.coupling`, 0 to 1, exact over these rows."""


def correlation(laws: Laws, a: int, b: int, seed: int = 0) -> Correlation:
    """Of two fields of (N, n_1, ..., n_F) laws.

    Raises:
        InvalidInput: there are no rows.
        ValueError: the fields are the same, or one isn't there.
    """
    pairs = [onto(law, (a, b)) for law in laws]
    mean = estimated_total_correlation(pairs, seed)
    return Correlation(
        (a, b),
        np.array([total_correlation(law) for law in pairs]),
        mean,
        total_correlation(np.mean(pairs, axis=0)),
        float(np.mean([coupling(law)[0, 1] for law in pairs])),
    )


def correlations(laws: Laws, seed: int = 0) -> Iterator[Correlation]:
    """Of every two fields, the first before the second.

    Raises:
        InvalidInput: there are no rows.
    """
    fields = range(laws[0].ndim if len(laws) else 2)
    yield from (correlation(laws, a, b, seed) for a in fields for b in fields if a < b)


@dataclass(frozen=True, eq=False, slots=True)
class Multimodality:
    """One law, and what is left of it where its fields are drawn apart or in a chain; all exact."""

    law: Law
    marginals: tuple[NDArray[np.float64], ...]
    factorised: Law
    """The product of the marginals."""
    chained: Law
    total_correlation: float
    """Bits."""
    incoherent: dict[str, float]
    """The chance of a combination that isn't allowed: factorised, chained, joint."""


def multimodality(law: Law, allowed: Mask, order: Sequence[int]) -> Multimodality:
    """Of one (n_1, ..., n_F) law; `allowed` as there, bool; `order`: the fields of the chain.

    Raises:
        ValueError: `order` names a field twice, or one that isn't there.
    """
    parts = marginals(law)
    factorised, chain = product(parts), chained(law, order)
    laws = {"factorised": factorised, "chained": chain, "joint": law}
    rates = {name: incoherent(each, allowed) for name, each in laws.items()}
    return Multimodality(law, parts, factorised, chain, total_correlation(law), rates)


def country_currency() -> Law:
    """(2, 2) US or DE by USD or EUR: the toss of one coin decides both, US/USD or DE/EUR."""
    return np.array([[0.5, 0.0], [0.0, 0.5]])
