"""The next-token laws that runs ask for: read in batches, equal prefixes once, kept briefly."""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property

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
    """Reads laws of one problem; the latest are kept, as runs of one method start alike."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._kept: OrderedDict[Prefix, Law] = OrderedDict()

    def at(self, places: Sequence[tuple[Prefix, State | None]]) -> list[Law]:
        """The laws after each of the outputs, which stand in the given states (None: outside the
        language). Equal outputs are read once, at most `BATCH` in one call of the row store."""
        found: dict[Prefix, Law] = {}
        missing: dict[Prefix, State | None] = {}
        for tokens, state in places:
            if tokens in self._kept:
                self._kept.move_to_end(tokens)
                found[tokens] = self._kept[tokens]
            else:
                missing[tokens] = state
        wanted = list(missing.items())
        for start in range(0, len(wanted), BATCH):
            found |= self._read(wanted[start : start + BATCH])
        return [found[tokens] for tokens, _ in places]

    def _read(self, places: Sequence[tuple[Prefix, State | None]]) -> dict[Prefix, Law]:
        problem = self.problem
        rows = problem.rows.get(problem.model, [problem.prompt + tokens for tokens, _ in places])
        read = {}
        for (tokens, state), row in zip(places, rows, strict=True):
            mask = None if state is None else problem.constraint.mask(state)
            read[tokens] = self._kept[tokens] = Law(row, mask, problem.sampling)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return read
