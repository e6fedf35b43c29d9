"""How much work one answer may cost in the server's own process: steps, characters and seconds."""

import time
from dataclasses import dataclass, field

from playground.errors import BudgetExceeded

STEPS = 20_000
"""Parts of a schema that one answer looks at or writes."""
CHARACTERS = 500_000
"""Text that one answer writes."""
_CLOCK = 32
"""The clock is read once in so many steps."""


@dataclass(slots=True)
class Effort:
    """The work that is left to one answer. References make a small schema as large as one likes, so
    whoever follows them says each `step`."""

    seconds: float
    steps: int = STEPS
    characters: int = CHARACTERS
    _started: float = field(default_factory=time.monotonic)
    _taken: int = 0
    _written: int = 0

    @property
    def left(self) -> float:
        """Seconds that are left; never under zero."""
        return max(0.0, self._started + self.seconds - time.monotonic())

    def step(self, count: int = 1) -> None:
        """Look at `count` more parts.

        Raises:
            BudgetExceeded: there were too many, or the time is up.
        """
        before, self._taken = self._taken, self._taken + count
        if self._taken > self.steps:
            raise BudgetExceeded(
                f"It is too large: with its references written out it has more than "
                f"{self.steps:,} parts.",
                _HINT,
            )
        if before // _CLOCK != self._taken // _CLOCK or not before:
            self.in_time()

    def write(self, characters: int) -> None:
        """Write so many characters more; one step.

        Raises:
            BudgetExceeded: as `step`, or the text gets too long.
        """
        self._written += characters
        if self._written > self.characters:
            raise BudgetExceeded(
                "It is too large: with its references written out it has more than "
                f"{self.characters:,} characters.",
                _HINT,
            )
        self.step()

    def in_time(self) -> None:
        """Raises BudgetExceeded if the time is up."""
        if not self.left:
            raise BudgetExceeded(
                f"It is too large: it took more than {self.seconds:.3g} seconds.", _HINT
            )


_HINT = "Take a smaller part of the schema."
