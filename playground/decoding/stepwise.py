"""Independent runs that draw token by token from the next-token law: p, or p with a mask."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent, alone
from playground.decoding.run import (
    Course,
    Draw,
    Needed,
    Rule,
    Walk,
    drawn,
    importance_weight,
    walk,
)
from playground.decoding.trace import Problem


def single(
    problem: Problem, n: int, rule: Rule, asked: Asked, strays: bool = False
) -> Iterator[Walk[Ended]]:
    """`n` walks of one run each by `rule`, numbered from 0."""
    start = Course.start(problem)
    return (alone(walk(start, run, asked.choose, rule, strays)) for run in range(n))


@dataclass(frozen=True, slots=True)
class Ask(Independent):
    """The model left alone: runs go on to EOS or max_tokens, valid or not."""

    name: str = "unconstrained"
    title: str = "Unconstrained"
    law: str = "p: the model alone, nothing masked"
    target: Literal["p"] = "p"
    exact: bool = True
    weighted: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` runs. A run that has left the language by its end is REJECTED, finished or not;
        TRUNCATED is one that could have become valid.
        """
        return single(problem, n, lambda law: law.model, asked, strays=True)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The run; it weighs 1 where it has an end."""
        ((course,),) = ended
        return drawn(course, index, asked.accept, needed, 0.0 if course.ended else -inf)


@dataclass(frozen=True, slots=True)
class MaskedRuns(Independent):
    """Constrained decoding: mask, renormalise, draw, repeat. Draws p~ of the problem as it is set,
    its mask order included; `engine_order` masks before the filters whatever the problem says."""

    name: str = "masked"
    title: str = "Masked"
    law: str = "p~: the model, masked and renormalised at every step"
    target: Literal["masked"] = "masked"
    exact: bool = True
    weighted: bool = False
    engine_order: bool = False

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` runs."""
        if self.engine_order:
            sampling = problem.sampling.model_copy(update={"mask_order": "before-filters"})
            problem = replace(problem, sampling=sampling)
        return single(problem, n, lambda law: law.proposal, asked)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The run. The mean of exp(log_weight) is Z where the proposal covers p
        (`methods.covers`).
        """
        ((course,),) = ended
        return drawn(course, index, asked.accept, needed, importance_weight(course))
