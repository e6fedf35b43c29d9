"""Rejection: draw from p, keep what is valid."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.run import Draw, Needed, Walk, drawn
from playground.decoding.stepwise import single
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Rejection(Independent):
    """Runs of p; the accepted ones have the law p_V exactly. An attempt ends at its first invalid
    token, except where a judge other than the mask has to read the whole text."""

    name: str = "rejection"
    title: str = "Rejection"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` attempts, accepted or not: the share accepted estimates q."""
        strays = asked.accept.judge is not None
        return single(problem, n, lambda law: law.model, asked, strays)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The attempt."""
        ((course,),) = ended
        return drawn(course, index, asked.accept, needed)
