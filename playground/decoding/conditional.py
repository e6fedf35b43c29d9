"""p_V by the future mass F, as far as a search has bounded it; beyond, rejection that learns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.cars import Cars
from playground.decoding.chance import Choose, streams
from playground.decoding.learnt import FutureMass, Learnt
from playground.decoding.run import Cancelled, Draw, never, require_drawable
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class Conditional:
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

    def draws(
        self,
        problem: Problem,
        n: int,
        *,
        accept: Accept = LANGUAGE,
        tree: FutureMass | None = None,
        cancelled: Cancelled = never,
        choose: Choose | None = None,
    ) -> Iterator[Draw]:
        """Attempts as those of `Cars`, starting from the bounds of `tree`: its accepted draws are
        exact if `tree` keeps the promises of `FutureMass`. Without a tree it is `Cars`.

        Raises:
            InvalidInput: temperature 0.
        """
        require_drawable(problem, n)
        choose = choose or streams(problem.sampling.seed)
        cars = Cars(max_attempts=self.max_attempts)
        return cars.attempts(Learnt(problem, tree), n, accept, cancelled, choose)
