"""A limit of time on one piece of Python work in a child's main thread, by the system's alarm."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.05
"""The alarm rings again after so many seconds, should the first have been swallowed."""


class TimeUp(Exception):
    """The time of this piece of work is up."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise TimeUp inside the block after `seconds`. Only in the main thread of a process that
    uses no other alarm; not nested."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
