"""Places for children: a few run at once, and a slow one doesn't keep the others out."""

import time
from collections.abc import Callable
from threading import BoundedSemaphore

from playground.errors import BudgetExceeded, Cancelled

MAX_CHILDREN = 2
"""So many run at once."""
SLOW = 2.0
"""A child that runs so long, seconds, moves over to the one place for slow ones, if it is free."""
MAX_WAIT = 60.0
"""Longest wait, seconds."""
POLL = 0.02
"""How often a waiting visitor is asked whether to go on, seconds."""

_quick = BoundedSemaphore(MAX_CHILDREN)
_slow = BoundedSemaphore(1)


class Place:
    """The place that a child holds; leave it when the child has ended."""

    def __init__(self, cancelled: Callable[[], bool] | None) -> None:
        """Wait for a free place; raises as `wait_for`."""
        wait_for(lambda: _quick.acquire(timeout=POLL), cancelled)
        self._held = _quick
        self._since = time.monotonic()

    def grow_slow(self) -> None:
        """Give the place to others, once it has been held for long."""
        if (
            self._held is _quick
            and time.monotonic() - self._since > SLOW
            and _slow.acquire(blocking=False)
        ):
            self._held = _slow
            _quick.release()

    def leave(self) -> None:
        """Give the place back."""
        self._held.release()


def wait_for(acquire: Callable[[], bool], cancelled: Callable[[], bool] | None) -> None:
    """Call `acquire`, which waits a moment, until it returns True.

    Raises:
        Cancelled: the visitor stopped waiting.
        BudgetExceeded: MAX_WAIT seconds have passed.
    """
    deadline = time.monotonic() + MAX_WAIT
    while not acquire():
        if cancelled and cancelled():
            raise Cancelled("Compiling the constraint was cancelled.")
        if time.monotonic() > deadline:
            raise BudgetExceeded(
                "The server is busy compiling other constraints.", "Try again in a moment."
            )
