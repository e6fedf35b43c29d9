"""Every random choice of the methods, through one door: a law over outcomes and a stream."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from playground.decoding.sampler import cumulative, pick, uniform
from playground.logspace import LogProbs, log_normalize

RESAMPLE, CUT, MOVE = 1, 2, 3
"""Kinds of choices that draw no token, each with streams of its own: see `stream`."""
AGAIN = 16
"""From this kind on: the tokens of the second attempt at an output, the third, ..."""


class Categorical:
    """A law over the outcomes 0..K-1. Its running sums are kept: many runs draw from one law."""

    def __init__(self, logprobs: LogProbs) -> None:
        """`logprobs` is (K,), nats, normalised; -inf for what can't be drawn."""
        self.logprobs = logprobs

    @cached_property
    def cdf(self) -> NDArray[np.float64]:
        """(K,) running sums of the probabilities."""
        return cumulative(self.logprobs)


def proportional(weights: LogProbs) -> Categorical:
    """The law in proportion to exp(`weights`), (K,) nats, not all -inf."""
    return Categorical(log_normalize(weights))


Choose = Callable[[Categorical, int, int], int]
"""(law, run, t) -> an outcome with mass. The one place where chance enters a method."""


def streams(seed: int) -> Choose:
    """The draws of `sampler.draw`: token t of run r from stream (seed, r, t), in every method."""

    def choose(law: Categorical, run: int, t: int) -> int:
        return pick(law.cdf, uniform(seed, run, t))

    return choose


def stream(kind: int, t: int) -> int:
    """The `t` under which a choice of `kind` at position `t` is drawn.

    Kinds lie 2^32 apart and tokens below 2^32, so no such stream is that of a token of a first run.
    """
    return (kind << 32) + t
