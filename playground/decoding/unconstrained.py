"""The model left alone: draw from p, and see whether the text is valid."""

from dataclasses import dataclass

import numpy as np

from playground.decoding.position import NextToken
from playground.decoding.sampling import greedy_law
from playground.decoding.trace import Problem
from playground.logspace import LogProbs


@dataclass(frozen=True, slots=True)
class Unconstrained:
    """p at each step; the run ends at its first token that leaves the language."""

    law: str = "p: the model alone, nothing masked"

    def proposal(self, problem: Problem, law: NextToken) -> LogProbs | None:
        """(V,) logprobs; the largest logit at temperature 0; never a dead end."""
        if problem.sampling.greedy:
            return greedy_law(law.logits, np.ones_like(law.mask))
        return law.logprobs
