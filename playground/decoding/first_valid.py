"""First valid of N: runs of p side by side, of which the first valid one counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.rejection import Rejection
from playground.decoding.run import Draw, Needed, Walk, drawn
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class FirstValid(Independent):
    """A draw is a group of `size` runs of p; it is the first valid one in the order of the runs, so
    that its law is p_V exactly, given that one is valid. None is with chance (1-q)^size."""

    name: str = "first-valid"
    title: str = "First valid of N"
    law: str = "p_V: the model, given that the text is valid; every accepted draw exactly"
    target: Literal["conditional"] = "conditional"
    exact: bool = True
    weighted: bool = False
    size: int = 3
    """Runs in a group."""

    @property
    def beside(self) -> int:
        """The runs of a group."""
        return self.size

    def walks(self, problem: Problem, n: int, asked: Asked) -> Iterator[Walk[Ended]]:
        """`n` groups; group g has the runs from g·size on."""
        return Rejection().walks(problem, n * self.size, asked)

    def handed(self, ended: Sequence[Ended], index: int, asked: Asked, needed: Needed) -> Draw:
        """The first valid run, or where none is the first run, not accepted."""
        runs = [drawn(course, index, asked.accept, needed) for (course,) in ended]
        found = next((run for run in runs if run.accepted), runs[0])
        spent = [run.spent for run in runs]
        return replace(found, attempts=len(runs), spent=sum(spent), steps=max(spent))
