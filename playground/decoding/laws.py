"""The next-token laws that runs ask for: read in batches, equal prefixes once, kept briefly."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from playground.constraints.automaton import State
from playground.decoding.chance import Categorical
from playground.decoding.sampling import Sampling, masked_law, model_law
from playground.decoding.trace import Problem
from playground.logspace import Logits, LogProbs, Mask, logsumexp
from playground.models.base import Prefix

BATCH = 64
"""Most prefixes in one call of the row store."""
KEPT = 16
"""Laws kept from batch to batch: 0.8 MB each for 50,000 tokens."""


class Place(Protocol):
    """Where a run stands."""

    @property
    def problem(self) -> Problem: ...

    @property
    def tokens(self) -> Prefix:
        """The output so far."""
        ...

    @property
    def state(self) -> State | None:
        """Of the problem's constraint; None outside the language."""
        ...


class Law:
    """p and what the mask makes of it, at one prefix. V is the vocabulary size."""

    def __init__(self, logits: Logits, mask: Mask | None, sampling: Sampling) -> None:
        """`logits` is (V,); `mask` is None where the text has left the language."""
        self.logprobs: LogProbs = model_law(logits, sampling)
        self.mask = mask
        self._sampling = sampling
        # A copy, as a row may be part of a whole batch; and only where it is needed again.
        self._logits = (
            np.array(logits)
            if sampling.filtered and sampling.mask_order == "before-filters"
            else None
        )

    @cached_property
    def model(self) -> Categorical:
        """p itself."""
        return Categorical(self.logprobs)

    @cached_property
    def log_z(self) -> float:
        """log Z_t, nats; -inf where the mask keeps no mass, or there is no mask."""
        return -np.inf if self.mask is None else min(0.0, logsumexp(self.logprobs[self.mask]))

    @cached_property
    def masked(self) -> Categorical | None:
        """p·m/Z_t, whatever the mask order: it covers what p can draw. None without mass."""
        if self.mask is None or self.log_z == -np.inf:
            return None
        return Categorical(np.where(self.mask, self.logprobs - self.log_z, -np.inf))

    @cached_property
    def proposal(self) -> Categorical | None:
        """What constrained decoding draws from, in the problem's mask order; None without mass."""
        if self._logits is None or self.mask is None:
            return self.masked
        law = masked_law(self._logits, self.mask, self._sampling)
        return None if law is None else Categorical(law)


class Laws:
    """Reads the laws of runs; the latest are kept, as runs of one method start alike. Runs of
    several problems may share its batches, where the problems share a model and its rows."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Problem, Prefix], Law] = OrderedDict()

    def at(self, places: Sequence[Place]) -> list[Law]:
        """The laws where runs stand. Equal outputs of a problem are read once, at most `BATCH`
        prefixes in one call of the row store."""
        found: dict[tuple[Problem, Prefix], Law] = {}
        missing: dict[tuple[Problem, Prefix], State | None] = {}
        keys = [(place.problem, place.tokens) for place in places]
        for key, place in zip(keys, places, strict=True):
            if key in self._kept:
                self._kept.move_to_end(key)
                found[key] = self._kept[key]
            else:
                missing[key] = place.state
        wanted = list(missing.items())
        for start in range(0, len(wanted), BATCH):
            found |= self._read(wanted[start : start + BATCH])
        return [found[key] for key in keys]

    def _read(
        self, places: Sequence[tuple[tuple[Problem, Prefix], State | None]]
    ) -> dict[tuple[Problem, Prefix], Law]:
        prefixes = [problem.prompt + tokens for (problem, tokens), _ in places]
        distinct = list(dict.fromkeys(prefixes))
        shared = places[0][0][0]
        rows = dict(zip(distinct, shared.rows.get(shared.model, distinct), strict=True))
        read = {}
        for (key, state), prefix in zip(places, prefixes, strict=True):
            problem = key[0]
            mask = None if state is None else problem.constraint.mask(state)
            read[key] = self._kept[key] = Law(rows[prefix], mask, problem.sampling)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return read
