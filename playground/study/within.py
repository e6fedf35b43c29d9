"""How far a chunk of a study has come while it runs."""

import time
from collections.abc import Callable
from dataclasses import dataclass

LEAST = 0.1
"""Share of a chunk that tells the pace."""


def _unheard() -> None:
    """Nobody listens."""


@dataclass(eq=False, slots=True)
class Within:
    """The chunk under way: written by the thread that runs it, for who shows it."""

    ended: int = 0
    of: int = 0
    """Runs of the chunk; 0 while none is under way."""
    begun: float = 0.0
    """When it began, by `time.monotonic`."""
    share: float = 0.0
    """Of its work that is done, 0 to 1 (`runner.Tell`)."""
    reading: float = 0.0
    """Seconds that its prompts took, before the first token."""
    heard: Callable[[], None] = _unheard
    """Called whenever the numbers have changed."""

    def tell(self, ended: int, of: int, share: float) -> None:
        """So many runs have ended."""
        if not share:
            self.begun = time.monotonic()
        elif not self.share:
            self.reading = time.monotonic() - self.begun
        self.ended, self.of, self.share = ended, of, share
        self.heard()

    @property
    def spent(self) -> float:
        """Seconds since the chunk began; 0 while none is under way."""
        return time.monotonic() - self.begun if self.of else 0.0

    def left(self, told: float | None, chunks: int) -> float | None:
        """Seconds that a study will still take, an estimate.

        Args:
            told: what it was when this chunk began, by the pace of those before it; None in the
                first one, whose tokens then tell the pace.
            chunks: those that were left then, this one included.

        Returns:
            None while too little of the first chunk is done.
        """
        spent = self.spent
        if told is not None:
            return max(told - spent, told * (chunks - 1) / chunks) if chunks else told
        if self.share < LEAST:
            return None
        return (self.reading + (spent - self.reading) / self.share) * chunks - spent
