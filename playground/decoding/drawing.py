"""What every method does alike before it draws: refuse what has no law, and settle its choices."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.chance import Choose, streams
from playground.decoding.learnt import FutureMass
from playground.decoding.run import Cancelled, Draw, never, require_drawable
from playground.decoding.trace import Problem


@dataclass(frozen=True, eq=False, slots=True)
class Asked:
    """How draws are asked for: see `methods.Method.draws`."""

    accept: Accept
    tree: FutureMass | None
    cancelled: Cancelled
    choose: Choose


class Drawing(ABC):
    """A method that says in `_draws` how it draws, and what its `n` counts."""

    __slots__ = ()

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
        """See `methods.Method.draws`.

        Raises:
            InvalidInput: temperature 0, or `n` below 1.
        """
        require_drawable(problem, n)
        choose = choose or streams(problem.sampling.seed)
        return self._draws(problem, n, Asked(accept, tree, cancelled, choose))

    @abstractmethod
    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """The draws of a problem that has a law."""
