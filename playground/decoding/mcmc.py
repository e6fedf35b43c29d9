"""Metropolis-Hastings over whole masked runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, log
from typing import Literal

import numpy as np

from playground.decoding.chance import CUT, MOVE, Categorical, Choose, stream
from playground.decoding.drawing import Asked, Drawing
from playground.decoding.laws import Laws
from playground.decoding.run import (
    Course,
    Draw,
    Needed,
    Walk,
    drawn,
    importance_weight,
    lockstep,
    walk,
)
from playground.decoding.trace import Outcome, Problem


@dataclass(frozen=True, slots=True)
class Mcmc(Drawing):
    """A draw is a chain of its own: a masked run, then `steps` proposals, each a run cut at a
    random place and continued by p·m/Z_t, accepted with chance p(y')q(y|y') / (p(y)q(y'|y))
    (Gonzalez et al. 2025, arXiv:2506.05754). The kernel leaves p_V as it is; a chain only tends
    to it as steps grow."""

    name: str = "mcmc"
    title: str = "Metropolis-Hastings"
    law: str = "masked runs moved towards p_V by accepting or refusing changes; p_V in the limit"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = False
    steps: int = 10
    """Proposals a draw."""
    cuts: Literal["uniform", "restart"] = "uniform"
    """Cut at any token with equal chance, or always at the start."""

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` chains; chain i has the runs from i·(steps + 1) on."""
        accept, cancelled, choose = asked.accept, asked.cancelled, asked.choose
        needed = Needed()
        chains = (self._chain(problem, i * (self.steps + 1), choose) for i in range(n))
        for index, visited in enumerate(lockstep(Laws(), chains, cancelled)):
            for course in visited:
                needed.add(course)
            yield drawn(visited[-1], index, accept, needed)

    def _chain(self, problem: Problem, first: int, choose: Choose) -> Walk[list[Course]]:
        """The runs that were tried; the last is where the chain stands."""
        start = Course.start(problem)
        current = yield from walk(start, first, choose, lambda law: law.masked)
        tried = [current]
        for run in range(first + 1, first + self.steps + 1):
            current, candidate = yield from self.step(current, run, choose)
            tried.append(candidate)
        return [*tried, current]

    def step(self, current: Course, run: int, choose: Choose) -> Walk[tuple[Course, Course]]:
        """One proposal from `current`: where the chain then stands, and what was proposed. A run
        that isn't valid has no mass under p_V: it is begun anew."""
        cut, length = 0, len(current.tokens)
        if current.outcome is Outcome.ACCEPTED and self.cuts == "uniform":
            even = Categorical(np.full(length, -log(length)))
            cut = choose(even, run, stream(CUT, 0))
        begun = current.cut(cut) if cut else Course.start(current.problem)
        candidate = yield from walk(begun, run, choose, lambda law: law.masked)
        log_ratio = self.log_ratio(current, candidate)
        if log_ratio < 0:
            keep = log(-np.expm1(log_ratio))
            law = Categorical(np.array([log_ratio, keep]))
            if choose(law, run, stream(MOVE, 0)) == 1:
                return current, candidate
        return candidate, candidate

    def log_ratio(self, current: Course, candidate: Course) -> float:
        """log of p(y')q(y|y') / (p(y)q(y'|y)) for y = `current` and y' = `candidate`: -inf for a
        candidate that isn't valid, inf for a valid one in place of one that isn't.

        q(y'|y) sums, over the cuts i of y up to where the two part, p~(y' after i) / length of y.
        Before i both have the same p~, so each term is p~(y') / p~(y) times that of q(y|y'), and
        so is the sum: what is left is the ratio of the weights p / p~, and that of the lengths.
        """
        if candidate.outcome is not Outcome.ACCEPTED:
            return -inf
        log_ratio = importance_weight(candidate) - importance_weight(current)
        if self.cuts == "uniform" and current.outcome is Outcome.ACCEPTED:
            log_ratio += log(len(current.tokens)) - log(len(candidate.tokens))
        return log_ratio
