"""How much a compilation may cost."""

from dataclasses import dataclass

from playground.settings import Settings


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one compilation; every one that is reached raises BudgetExceeded."""

    seconds: float = 20.0
    """Wall-clock time of the child process."""
    megabytes: int = 2048
    """Address space of the child process."""
    states: int = 100_000
    """Byte states of the automaton."""
    regex: int = 500_000
    """Characters of the regex that a schema is lowered to."""
    repeats: int = 100_000
    """Characters of a hand-written regex with its bounded repeats written out."""

    @classmethod
    def from_settings(cls, settings: Settings) -> "Limits":
        """The limits that the operator chose."""
        return cls(seconds=settings.compile_seconds, megabytes=settings.compile_mb)
