"""Think, then constrain: free text, and between markers the constraint."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.run import Draw, Needed, Walk, drawn
from playground.decoding.stepwise import single
from playground.decoding.trace import Outcome, Problem


@dataclass(frozen=True, slots=True)
class Think(Independent):
    """Runs that are masked only inside the spans that the model opens by a marker, any number of
    times (Banerjee et al. 2025, arXiv:2502.09061). What counts is the last closed span: a run
    without one has no answer. Z_t is below 1 only inside, and where a token crosses a marker."""

    name: str = "think"
    title: str = "Think, then constrain"
    law: str = (
        "p outside the markers, masked and renormalised inside them; the answer is the last span, "
        "under whatever the model wrote before it"
    )
    target: Literal["other"] = "other"
    exact: bool = False
    weighted: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` runs."""
        marked = replace(problem, constraint=problem.companion().marked())
        return single(marked, n, lambda law: law.proposal, asked)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The run; its text is the answer, or all that was written where there is none."""
        ((course,),) = ended
        answer = course.problem.companion().marked().answer(course.text)
        draw = drawn(course, index, asked.accept, needed)
        if answer is None or course.outcome is not Outcome.ACCEPTED:
            return replace(draw, accepted=False, log_weight=-inf)
        accepted = asked.accept(course.outcome, course.ended, answer)
        return replace(draw, text=answer, accepted=accepted, log_weight=0.0 if accepted else -inf)
