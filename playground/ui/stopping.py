"""The end of the process, made gentle: what is under way is told to end, and new work is refused."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from playground.record import Document

CARD: Document = {
    "what": "The server is stopping.",
    "where": "",
    "hint": "What is on screen stays. Try again in a minute; a study goes on from what is kept.",
    "line": None,
    "column": None,
}
"""What a visitor is told whose work is ended by it."""


class Stopping:
    """Whether the process is ending, and what then has to end with it. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: set[threading.Event] = set()
        self._begun = False

    @property
    def begun(self) -> bool:
        """The process is ending."""
        return self._begun

    @property
    def under_way(self) -> int:
        """Pieces of work that have not ended yet."""
        return len(self._work)

    def begin(self) -> None:
        """End all work that is under way, and what comes from now on at its beginning."""
        # No lock: this is called in a signal's handler, which may have interrupted a holder of it.
        self._begun = True
        for stop in tuple(self._work):
            stop.set()

    @contextmanager
    def ends(self, stop: threading.Event) -> Iterator[None]:
        """Within it work is under way that `stop` ends."""
        with self._lock:
            self._work.add(stop)
        if self._begun:
            stop.set()
        try:
            yield
        finally:
            with self._lock:
                self._work.discard(stop)


STOPPING = Stopping()
"""Of this process."""
