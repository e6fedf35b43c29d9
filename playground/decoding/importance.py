"""Importance sampling: masked runs, each weighted by what the mask cost it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.chance import Choose
from playground.decoding.learnt import FutureMass
from playground.decoding.run import (
    Cancelled,
    Draw,
    drawn,
    importance_weight,
    never,
    require_drawable,
)
from playground.decoding.stepwise import independent
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Importance:
    """Runs of p·m/Z_t with weight prod Z_t, that is smc without resampling. Their mean weight is Z
    in expectation; the weighted texts tend to p_V as runs grow."""

    name: str = "importance"
    title: str = "Importance sampling"
    law: str = "p~, weighted by prod Z_t; tends to p_V as runs grow"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = True

    def draws(
        self,
        problem: Problem,
        n: int,
        *,
        accept: Accept = LANGUAGE,
        tree: FutureMass | None = None,
        cancelled: Cancelled = never,
        choose: Choose | None = None,
    ) -> Iterator[Draw]:
        """`n` weighted runs. `tree` is not looked at.

        Raises:
            InvalidInput: temperature 0.
        """
        require_drawable(problem, n)
        runs = independent(problem, n, lambda law: law.masked, choose, cancelled)
        return (
            drawn(course, i, accept, needed, importance_weight(course))
            for i, (course, needed) in enumerate(runs)
        )
