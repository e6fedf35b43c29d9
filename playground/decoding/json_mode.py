"""JSON mode: any JSON object by the mask, then the schema is judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from playground.constraints.automaton import TokenAutomaton
from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.run import Course, Draw, Needed, Walk, drawn
from playground.decoding.stepwise import single
from playground.decoding.trace import Outcome, Problem
from playground.models.base import Prefix


@dataclass(frozen=True, slots=True)
class JsonMode(Independent):
    """Runs masked by the syntax of JSON objects alone; what the problem asks of them is judged at
    the end, so that an output can be JSON and still refused."""

    name: str = "json-mode"
    title: str = "JSON mode, then judged"
    law: str = "p masked by any JSON object; the accepted ones: that law, given that they are valid"
    target: Literal["other"] = "other"
    exact: bool = False
    weighted: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` runs."""
        loose = replace(problem, constraint=problem.companion().json())
        return single(loose, n, lambda law: law.proposal, asked)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The run; its Z_t are those of the mask for JSON."""
        ((course,),) = ended
        strict = course.problem.companion().strict()
        return drawn(judged(course, strict), index, asked.accept, needed)


def judged(course: Course, constraint: TokenAutomaton) -> Course:
    """`course` with the outcome that it has by another constraint."""
    if course.outcome is not Outcome.ACCEPTED or spells(constraint, course.tokens):
        return course
    return replace(course, outcome=Outcome.REJECTED)


def spells(constraint: TokenAutomaton, tokens: Prefix) -> bool:
    """`tokens`, which end in EOS, are a valid run of `constraint`."""
    state = constraint.initial
    for token in tokens[:-1]:
        if constraint.hops(state, token).killed_at is not None:
            return False
        state = constraint.advance(state, token)
    return constraint.is_final(state)
