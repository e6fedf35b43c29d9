"""Places for children: a few run at once, and slow ones don't keep the others out."""

import time
from collections import deque
from collections.abc import Callable
from threading import Condition

from playground.errors import Busy, Cancelled

QUICK_PLACES = 2
"""So many children start at once."""
SLOW_PLACES = 3
"""So many more run on after their first seconds."""
SLOW = 2.0
"""A child that runs so long, seconds, moves to a place for slow ones; if none is free it ends."""
CROWD = 3
"""With so many waiting, a child moves, or ends, in half that time."""
PATIENCE = 60.0
"""Longest wait where the caller sets none, seconds."""
POLL = 0.02
"""How often a waiting visitor is asked whether to go on, seconds."""

_changed = Condition()
_free = {"quick": QUICK_PLACES, "slow": SLOW_PLACES}
_waiting: deque[object] = deque()
"""One ticket for each that waits for a quick place, in the order in which they came."""


class Place:
    """The place that a child holds; leave it when the child has ended."""

    def __init__(self, cancelled: Callable[[], bool] | None, until: float) -> None:
        """Wait for a free quick place, first come first served; raises as `wait_for`."""
        ticket = object()

        def try_once() -> bool:
            with _changed:
                if _waiting[0] is ticket and _free["quick"]:
                    _free["quick"] -= 1
                    return True
                _changed.wait(POLL)
                return False

        with _changed:
            _waiting.append(ticket)
        try:
            wait_for(try_once, cancelled, until)
        finally:
            with _changed:
                _waiting.remove(ticket)
                _changed.notify_all()
        self._held = "quick"
        self._since = time.monotonic()

    def still_held(self) -> bool:
        """Whether the child may go on. One that has run for long gives up its quick place: to a
        slow one, or, where none is free, by ending."""
        if self._held == "slow":
            return True
        with _changed:
            allowed = SLOW / 2 if len(_waiting) >= CROWD else SLOW
            if time.monotonic() - self._since <= allowed:
                return True
            if not _free["slow"]:
                return False
            _free["slow"] -= 1
            _free["quick"] += 1
            self._held = "slow"
            _changed.notify_all()
        return True

    def is_slow(self) -> bool:
        """It has become a slow place."""
        return self._held == "slow"

    def leave(self) -> None:
        """Give the place back."""
        with _changed:
            _free[self._held] += 1
            _changed.notify_all()


def deadline(patience: float = PATIENCE) -> float:
    """The moment on the monotonic clock at which a wait of `patience` seconds is over."""
    return time.monotonic() + patience


def wait_for(
    acquire: Callable[[], bool], cancelled: Callable[[], bool] | None, until: float
) -> None:
    """Call `acquire`, which waits a moment, until it returns True.

    Raises:
        Cancelled: the visitor stopped waiting.
        Busy: the monotonic clock has passed `until`.
    """
    while not acquire():
        if cancelled and cancelled():
            raise Cancelled("Compiling the constraint was cancelled.")
        if time.monotonic() > until:
            raise Busy(
                "The server is busy compiling other constraints, and none was done in time.",
                "Try again in a moment.",
            )
