"""Rejection: draw from p, keep what is valid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.drawing import Asked, Drawing
from playground.decoding.run import Draw, drawn
from playground.decoding.stepwise import independent
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Rejection(Drawing):
    """Runs of p; the accepted ones have the law p_V exactly. An attempt ends at its first invalid
    token, except where a judge other than the mask has to read the whole text."""

    name: str = "rejection"
    title: str = "Rejection"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` attempts, accepted or not: the share accepted estimates q."""
        strays = asked.accept.judge is not None
        runs = independent(problem, n, lambda law: law.model, asked, strays)
        return (drawn(course, i, asked.accept, needed) for i, (course, needed) in enumerate(runs))
