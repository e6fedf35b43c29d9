"""Importance sampling: masked runs, each weighted by what the mask cost it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.run import Draw, Needed, Walk, drawn, importance_weight
from playground.decoding.stepwise import single
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Importance(Independent):
    """Runs of p·m/Z_t with weight prod Z_t, that is smc without resampling. Their mean weight is Z
    in expectation; the weighted texts tend to p_V as runs grow."""

    name: str = "importance"
    title: str = "Importance sampling"
    law: str = "p~, weighted by prod Z_t; tends to p_V as runs grow"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = True

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` weighted runs."""
        return single(problem, n, lambda law: law.masked, asked)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The run and its weight."""
        ((course,),) = ended
        return drawn(course, index, asked.accept, needed, importance_weight(course))
