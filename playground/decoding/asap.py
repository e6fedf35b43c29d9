"""Masked decoding corrected by what its earlier samples proved invalid."""

from collections.abc import Iterator
from dataclasses import dataclass
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
    importance_weight,
    lockstep,
)
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Asap(Drawing):
    """p·m times the bounds learnt so far (Park et al. 2024, arXiv:2405.21047).

    The first sample is p~'s (mask after filters); later ones tend to p_V. Not independent draws.
    """

    name: str = "asap"
    title: str = "Masking that learns (ASAp)"
    law: str = "p~ corrected by the invalid mass met so far; the first draw is p~'s, later ones tend to p_V"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = False

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` samples, one after another; the method counts them equally, whatever their
        log_weight.
        """
        return self.samples(Learnt(problem), n, asked.accept, asked.cancelled, asked.choose)

    def samples(
        self, memory: Learnt, n: int, accept: Accept, cancelled: Cancelled, choose: Choose
    ) -> Iterator[Draw]:
        """The draws, from a memory that may know something already; it learns from them."""
        laws, needed = Laws(), Needed()
        for index in range(n):
            for course in lockstep(laws, [attempt(memory, index, choose, masked=True)], cancelled):
                memory.learn(laws, course)
                needed.add(course)
                weight = importance_weight(course)
                yield drawn(course, index, accept, needed, weight, memory.log_bound)
