"""Methods whose draws don't depend on each other: each is one or more runs that can be led to their
ends beside those of any other method on the same model."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from playground.decoding.drawing import Asked, Drawing
from playground.decoding.laws import Laws
from playground.decoding.run import Course, Draw, Needed, Walk, lockstep
from playground.decoding.trace import Problem

Ended = tuple[Course, ...]
"""The runs of one walk, one after another, all ended; the last one is what it comes to."""


class Independent(Drawing):
    """A method that says which walks a draw is made of, and what their ends come to."""

    __slots__ = ()

    @property
    def beside(self) -> int:
        """Walks side by side that make up a draw."""
        return 1

    @abstractmethod
    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """The walks of `n` draws, those of a draw after one another: n times `beside`."""

    @abstractmethod
    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """Draw `index`, from what its walks have come to; `needed` counts their rows already."""

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        ends = lockstep(Laws(), self.walks(problem, n, asked), asked.cancelled)
        return self.gathered(ends, asked)

    def gathered(self, ends: Iterable[Ended], asked: Asked) -> Iterator[Draw]:
        """The draws, from the ends of their walks in order. A draw some of whose walks are missing
        at the end is left out."""
        needed, group, index = Needed(), list[Ended](), 0
        for ended in ends:
            for course in ended:
                needed.add(course)
            group.append(ended)
            if len(group) == self.beside:
                yield self.handed(group, index, asked, needed)
                group, index = [], index + 1


def alone(walk: Walk[Course]) -> Walk[Ended]:
    """A walk of one run."""
    return ((yield from walk),)
