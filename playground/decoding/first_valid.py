"""First valid of N: runs of p side by side, of which the first valid one counts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from playground.decoding.drawing import Asked, Drawing
from playground.decoding.rejection import Rejection
from playground.decoding.run import Draw
from playground.decoding.trace import Problem


@dataclass(frozen=True, slots=True)
class FirstValid(Drawing):
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

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` groups; group g has the runs from g·size on. Where none is valid, the draw is the
        first run, not accepted. All runs of a group count towards `rows_used`.
        """
        attempts = Rejection().draws(
            problem,
            n * self.size,
            accept=asked.accept,
            cancelled=asked.cancelled,
            choose=asked.choose,
        )
        return self._groups(attempts)

    def _groups(self, attempts: Iterator[Draw]) -> Iterator[Draw]:
        group: list[Draw] = []
        for draw in attempts:
            group.append(draw)
            if len(group) == self.size:
                found = next((one for one in group if one.accepted), group[0])
                yield replace(found, index=draw.index // self.size, rows_used=draw.rows_used)
                group = []
