"""Rejection: draw from p, keep what is valid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.chance import Choose
from playground.decoding.learnt import FutureMass
from playground.decoding.run import Cancelled, Draw, drawn, never, require_drawable
from playground.decoding.stepwise import independent
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Rejection:
    """Runs of p; the accepted ones have the law p_V exactly. An attempt ends at its first invalid
    token, except where a judge other than the mask has to read the whole text."""

    name: str = "rejection"
    title: str = "Rejection"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False

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
        """`n` attempts, accepted or not: the share accepted estimates q. `tree` is not looked at.

        Raises:
            InvalidInput: temperature 0.
        """
        require_drawable(problem, n)
        strays = accept.judge is not None
        runs = independent(problem, n, lambda law: law.model, choose, cancelled, strays)
        return (drawn(course, i, accept, needed) for i, (course, needed) in enumerate(runs))
