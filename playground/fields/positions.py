"""Text whose words are all drawn at once: what becomes of two sentences when positions don't talk.

A toy that can be checked by hand: an output is a cell of a small table (`modes.Toy`). Laws, mixed
shares and refinement passes are exact; shares of what `draw` gives are counted (Clopper-Pearson).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np

from playground.errors import InvalidInput
from playground.fields.coherence import counted
from playground.fields.law import (
    Estimate,
    Indices,
    Vector,
    incoherent,
    marginals,
    product,
    sample,
    total_correlation,
)
from playground.fields.modes import Toy
from playground.fields.record_type import Law

MOST_PASSES: Final = 20
MOST_DRAWS: Final = 100_000
SLIP: Final = 0.01
"""How often a word of the smoothed law is any word of its position: see `smoothed`."""

Way = Literal["one-by-one", "at-once"]
"""How a refinement pass redraws the positions: each given the newest words of the others, from the
first to the last, or all from the same old output."""
Method = Literal["exact", "autoregressive", "factorised", "one-by-one", "at-once"]
"""The last two are the factorised law, refined."""
METHODS: Final[tuple[Method, ...]] = get_args(Method)


def exact(toy: Toy) -> Law:
    """(n_1, ..., n_T): each mode by its weight, any other output 0."""
    law = np.zeros(toy.sizes)
    for at, weight in zip(toy.indices, toy.weights, strict=True):
        law[at] = weight
    return law


def factorised(toy: Toy) -> Law:
    """(n_1, ..., n_T): the product of the positions' own laws, which is what a model that writes all
    positions at once draws from (arXiv:1711.02281)."""
    return product(marginals(exact(toy)))


def next_word(toy: Toy, prefix: Sequence[int]) -> Vector:
    """(n_t,) the law of the word after `prefix`, (t,) options.

    Raises:
        ValueError: no mode begins so, or all T words are there.
    """
    at, t = tuple(prefix), len(prefix)
    begun = [
        (mode[t], weight)
        for mode, weight in zip(toy.indices, toy.weights, strict=True)
        if mode[:t] == at and t < len(mode)
    ]
    if not begun:
        raise ValueError(f"no mode goes on after {at}")
    law = np.zeros(toy.sizes[t])
    for option, weight in begun:
        law[option] += weight
    return np.asarray(law / law.sum(), dtype=np.float64)


def autoregressive(toy: Toy) -> Law:
    """(n_1, ..., n_T): the product of `next_word` along each output; equal to `exact`."""
    law = np.zeros(toy.sizes)
    prefixes: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in toy.sizes:
        prefixes = {
            (*prefix, option): mass * p
            for prefix, mass in prefixes.items()
            for option, p in enumerate(next_word(toy, prefix))
            if p > 0
        }
    for at, mass in prefixes.items():
        law[at] = mass
    return law


def smoothed(toy: Toy, slip: float = SLIP) -> Law:
    """(n_1, ..., n_T): a mode is said, and each of its words slips with chance `slip`, on its own,
    to any word of its position. A refiner needs it: of a mixed output the exact law says nothing.

    Raises:
        InvalidInput: `slip` isn't above 0 and at most 1.
    """
    if not 0 < slip <= 1:
        raise InvalidInput(f"A slip of {slip:g} isn't usable.", "Give 0 < slip <= 1.", "slip")
    law = np.zeros(toy.sizes)
    for at, weight in zip(toy.indices, toy.weights, strict=True):
        said = [
            (1 - slip) * (np.arange(n) == i) + slip / n for i, n in zip(at, toy.sizes, strict=True)
        ]
        law += weight * product(said)
    return law


def refined(toy: Toy, passes: int, way: Way = "one-by-one", slip: float = SLIP) -> Iterator[Law]:
    """The factorised law, then the law after each pass: 1 + passes laws, (n_1, ..., n_T) each.

    A pass redraws every position from `smoothed` given the other words, as a masked language model
    does. One by one (Gibbs) tends to `smoothed`, whose own mixed share is the floor. At once
    (arXiv:1904.09324 redraws some positions so) it need not: where half of the words say one
    sentence and half another, each half follows the other, and they swap.

    Raises:
        InvalidInput: passes not in 0..MOST_PASSES, or a slip as in `smoothed`.
    """
    _require_passes(passes)
    given = _given_others(toy, slip)
    law = factorised(toy)
    yield law
    for _ in range(passes):
        if way == "one-by-one":
            for t, redrawn in enumerate(given):
                law = law.sum(axis=t, keepdims=True) * redrawn
        else:
            law = _at_once(law, given)
        yield law


def _given_others(toy: Toy, slip: float) -> list[Law]:
    """(T,) of (n_1, ..., n_T): the chance of a position's word given the other words."""
    law = smoothed(toy, slip)
    return [law / law.sum(axis=t, keepdims=True) for t in range(law.ndim)]


def _at_once(law: Law, given: Sequence[Law]) -> Law:
    """The law after all positions are redrawn, each given the others' old words."""
    out = np.zeros(law.shape)
    for at in zip(*np.nonzero(law), strict=True):
        out += law[at] * product([_row(redrawn, at, t) for t, redrawn in enumerate(given)])
    return out


def _row(redrawn: Law, at: Sequence[int], t: int) -> Vector:
    """(n_t,) the law of position t given the other words of the output `at`."""
    return redrawn[tuple(slice(None) if each == t else i for each, i in enumerate(at))]


def _require_passes(passes: int) -> None:
    if not 0 <= passes <= MOST_PASSES:
        raise InvalidInput(f"{passes} passes aren't usable.", f"Give 0 to {MOST_PASSES}.", "passes")


def law_of(toy: Toy, method: Method, passes: int = 1, slip: float = SLIP) -> Law:
    """(n_1, ..., n_T): what the method draws from; `passes` and `slip` only matter to refinement.

    Raises:
        InvalidInput: as in `refined`.
    """
    if method == "exact":
        return exact(toy)
    if method == "autoregressive":
        return autoregressive(toy)
    if method == "factorised":
        return factorised(toy)
    *_, law = refined(toy, passes, method, slip)
    return law


def draw(
    toy: Toy, method: Method, rng: np.random.Generator, n: int, passes: int = 1, slip: float = SLIP
) -> Indices:
    """(n, T) outputs, drawn as the method does: position by position, word by word, pass by pass.

    Raises:
        InvalidInput: n not in 1..MOST_DRAWS, or as in `refined`.
    """
    if not 1 <= n <= MOST_DRAWS:
        raise InvalidInput(f"{n:,} draws aren't usable.", f"Give 1 to {MOST_DRAWS:,}.", "n")
    law = exact(toy)
    if method == "exact":
        return sample(law, rng, n)
    out = np.zeros((n, law.ndim), dtype=np.int64)
    if method == "autoregressive":
        for t in range(law.ndim):
            begun = law.sum(axis=tuple(range(t + 1, law.ndim)))
            out[:, t] = _pick(begun[tuple(out[:, :t].T)], n, rng)
        return out
    for t, part in enumerate(marginals(law)):
        out[:, t] = _pick(part, n, rng)
    return out if method == "factorised" else _redrawn(toy, method, out, rng, passes, slip)


def _redrawn(
    toy: Toy, way: Way, out: Indices, rng: np.random.Generator, passes: int, slip: float
) -> Indices:
    """(n, T) outputs after the passes."""
    _require_passes(passes)
    given = [np.moveaxis(law, t, -1) for t, law in enumerate(_given_others(toy, slip))]
    for _ in range(passes):
        old = out.copy() if way == "at-once" else out
        for t, redrawn in enumerate(given):
            others = np.delete(old, t, axis=1)
            out[:, t] = _pick(redrawn[tuple(others.T)], len(out), rng)
    return out


def _pick(weights: Vector, n: int, rng: np.random.Generator) -> Indices:
    """(n,) options drawn by (n, k) weights, or by the same (k,) for all; never one of weight 0."""
    sums = np.broadcast_to(weights.cumsum(axis=-1), (n, weights.shape[-1]))
    passed = sums <= (rng.random(n) * sums[:, -1])[:, None]
    return np.asarray(passed.sum(axis=1), dtype=np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class Mixing:
    """How often one method mixes the sentences."""

    method: Method
    passes: int
    """Of refinement; 0 for the other methods."""
    law: Law
    mixed: float
    """The chance that an output is none of the sentences: exact."""
    drawn: Estimate
    """The same share, counted in draws."""
    total_correlation: float
    """Of the law, bits, exact: what the positions know of each other."""
    calls: int
    """Model calls that wait for each other in one output."""


def mixing(
    toy: Toy, rng: np.random.Generator, n: int, passes: int = 3, slip: float = SLIP
) -> tuple[Mixing, ...]:
    """Every method, refinement after each of its passes; n draws each.

    Raises:
        InvalidInput: as in `draw` and `refined`.
    """
    _require_passes(passes)
    length = len(toy.sizes)
    rows: list[tuple[Method, int, Law, int]] = [
        ("exact", 0, exact(toy), length),
        ("autoregressive", 0, autoregressive(toy), length),
        ("factorised", 0, factorised(toy), 1),
    ]
    ways: dict[Way, int] = {"one-by-one": length, "at-once": 1}
    for way, each in ways.items():
        laws = enumerate(refined(toy, passes, way, slip))
        rows += [(way, k, law, 1 + k * each) for k, law in laws if k]
    return tuple(
        Mixing(
            method, k, law, incoherent(law, toy.coherent),
            counted(draw(toy, method, rng, n, k, slip), toy.coherent), total_correlation(law), waits,
        )
        for method, k, law, waits in rows
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Output:
    """One text and its chance."""

    text: str
    p: float
    """Exact."""
    mixed: bool


def outputs(toy: Toy, law: Law, most: int = 16) -> tuple[Output, ...]:
    """The likeliest texts, those of chance 0 left out; ties in the table's order."""
    coherent = toy.coherent
    order = np.argsort(-law, axis=None, kind="stable")[:most]
    cells = (
        tuple(int(i) for i in at) for at in zip(*np.unravel_index(order, law.shape), strict=True)
    )
    return tuple(
        Output(toy.text(at), float(law[at]), not coherent[at]) for at in cells if law[at] > 0
    )
