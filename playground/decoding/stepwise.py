"""Independent runs that draw token by token from the next-token law: p, or p with a mask."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from playground.decoding.drawing import Asked, Drawing
from playground.decoding.laws import Laws
from playground.decoding.run import (
    Course,
    Draw,
    Needed,
    Rule,
    drawn,
    importance_weight,
    lockstep,
    walk,
)
from playground.decoding.trace import Problem


def independent(
    problem: Problem,
    n: int,
    rule: Rule,
    asked: Asked,
    strays: bool = False,
) -> Iterator[tuple[Course, Needed]]:
    """`n` runs by `rule`, numbered from 0, and the rows that they needed so far."""
    start, needed = Course.start(problem), Needed()
    walks = (walk(start, run, asked.choose, rule, strays) for run in range(n))
    for course in lockstep(Laws(problem), walks, asked.cancelled):
        needed.add(course)
        yield course, needed


@dataclass(frozen=True, slots=True)
class Ask(Drawing):
    """The model left alone: runs go on to EOS or max_tokens, valid or not."""

    name: str = "unconstrained"
    title: str = "Unconstrained"
    law: str = "p: the model alone, nothing masked"
    target: Literal["p"] = "p"
    exact: bool = True
    weighted: bool = False

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` runs. A run that has left the language by its end is REJECTED, finished or not;
        TRUNCATED is one that could have become valid.
        """
        runs = independent(problem, n, lambda law: law.model, asked, strays=True)
        return (
            drawn(course, i, asked.accept, needed, 0.0 if course.ended else -inf)
            for i, (course, needed) in enumerate(runs)
        )


@dataclass(frozen=True, slots=True)
class MaskedRuns(Drawing):
    """Constrained decoding: mask, renormalise, draw, repeat. Draws p~ of the problem as it is set,
    its mask order included; `engine_order` masks before the filters whatever the problem says."""

    name: str = "masked"
    title: str = "Masked"
    law: str = "p~: the model, masked and renormalised at every step"
    target: Literal["masked"] = "masked"
    exact: bool = True
    weighted: bool = False
    engine_order: bool = False

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` runs. The mean of exp(log_weight) is Z where the proposal covers p
        (`methods.covers`).
        """
        if self.engine_order:
            sampling = problem.sampling.model_copy(update={"mask_order": "before-filters"})
            problem = replace(problem, sampling=sampling)
        runs = independent(problem, n, lambda law: law.proposal, asked)
        return (
            drawn(course, i, asked.accept, needed, importance_weight(course))
            for i, (course, needed) in enumerate(runs)
        )
