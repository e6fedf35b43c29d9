"""p_V by the future mass F, as far as a search has bounded it; beyond, rejection that learns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.cars import Cars
from playground.decoding.drawing import Asked, Drawing
from playground.decoding.learnt import Learnt
from playground.decoding.run import Draw
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Conditional(Drawing):
    """The next token by p(a)·F(prefix a) / F(prefix), with upper bounds for F where it is not known
    exactly, and then a chance of rejection that makes up for them. Every accepted draw is p_V's;
    where the search has closed everything, no attempt is rejected."""

    name: str = "conditional"
    title: str = "By the future mass"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False
    max_attempts: int = 2000

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """Attempts as those of `Cars`, starting from the bounds of `tree`: its accepted draws are
        exact if `tree` keeps the promises of `FutureMass`. Without a tree it is `Cars`.
        """
        cars = Cars(max_attempts=self.max_attempts)
        return cars.attempts(
            Learnt(problem, asked.tree), n, asked.accept, asked.cancelled, asked.choose
        )
