"""Importance sampling: masked runs, each weighted by what the mask cost it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.drawing import Asked, Drawing
from playground.decoding.run import (
    Draw,
    drawn,
    importance_weight,
)
from playground.decoding.stepwise import independent
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Importance(Drawing):
    """Runs of p·m/Z_t with weight prod Z_t, that is smc without resampling. Their mean weight is Z
    in expectation; the weighted texts tend to p_V as runs grow."""

    name: str = "importance"
    title: str = "Importance sampling"
    law: str = "p~, weighted by prod Z_t; tends to p_V as runs grow"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = True

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` weighted runs."""
        runs = independent(problem, n, lambda law: law.masked, asked)
        return (
            drawn(course, i, asked.accept, needed, importance_weight(course))
            for i, (course, needed) in enumerate(runs)
        )
