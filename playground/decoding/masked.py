"""Constrained decoding as engines ship it: mask, renormalise, draw, repeat."""

from dataclasses import dataclass

from playground.decoding.position import NextToken
from playground.decoding.sampling import greedy_law
from playground.decoding.trace import Problem
from playground.logspace import LogProbs


@dataclass(frozen=True, slots=True)
class Masked:
    """p·m/Z_t at each step, so a run y is drawn with chance p(y) / prod Z_t.

    Not the model's conditional law: runs through small Z_t are drawn too often
    (Park et al. 2024, arXiv:2405.21047).
    """

    law: str = "p~: the model, masked and renormalised at every step"

    def proposal(self, problem: Problem, law: NextToken) -> LogProbs | None:
        """(V,) logprobs; the largest allowed logit at temperature 0; None at a dead end."""
        if problem.sampling.greedy:
            return greedy_law(law.logits, law.mask)
        return law.masked
