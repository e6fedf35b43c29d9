"""Rejection that learns: what an attempt proves invalid is never drawn again."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal

from playground.decoding.accept import Accept
from playground.decoding.chance import Choose
from playground.decoding.drawing import Asked, Drawing
from playground.decoding.laws import Laws
from playground.decoding.learnt import Learnt, attempt
from playground.decoding.run import (
    Cancelled,
    Draw,
    Needed,
    drawn,
    lockstep,
)
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Cars(Drawing):
    """Every accepted draw is p_V's, whatever the memory knows (Parys et al. 2025, arXiv:2510.01902).

    A tree of visited prefixes subtracts the mass proved invalid. Runs that reach max_tokens are
    invalid. An accepted draw with a judge is p_V's given that the judge accepts.
    """

    name: str = "cars"
    title: str = "Rejection that learns (CARS)"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False
    max_attempts: int = 2000
    together: int = 1
    """Attempts that run side by side and read the same memory: fewer model calls, more rows."""

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """Attempts, accepted or not, until `n` are accepted or `max_attempts` were made; fewer when
        nothing is left that could be valid.
        """
        return self.attempts(Learnt(problem), n, asked.accept, asked.cancelled, asked.choose)

    def attempts(
        self, memory: Learnt, n: int, accept: Accept, cancelled: Cancelled, choose: Choose
    ) -> Iterator[Draw]:
        """The draws, from a memory that may know something already; it learns from them."""
        laws, needed = Laws(), Needed()
        made = accepted = 0
        while made < self.max_attempts and memory.log_bound > -inf:
            numbers = range(made, min(made + self.together, self.max_attempts))
            walks = (attempt(memory, run, choose) for run in numbers)
            courses = list(lockstep(laws, walks, cancelled))
            for course in courses:
                memory.learn(laws, course)
            for course in courses:
                needed.add(course)
                draw = drawn(course, made, accept, needed, log_bound=memory.log_bound)
                yield draw
                made += 1
                accepted += draw.accepted
                if accepted == n:
                    return
            if len(courses) < len(numbers):
                return
