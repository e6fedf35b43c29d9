"""A lock that serves first come, first served: a long job in pieces lets others in between."""

import threading
from collections import deque
from types import TracebackType


class Turns:
    """Mutual exclusion where those who wait are served in order of arrival. Not reentrant. Only the
    next one is woken, however many wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queue: deque[threading.Event] = deque()
        """Who has the turn, then who waits for it; set: it is theirs."""

    def __enter__(self) -> None:
        ticket = threading.Event()
        with self._lock:
            self._queue.append(ticket)
            self._queue[0].set()
        try:
            ticket.wait()
        except BaseException:
            self._leave(ticket)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave(self._queue[0])

    def _leave(self, ticket: threading.Event) -> None:
        with self._lock:
            self._queue.remove(ticket)
            if self._queue:
                self._queue[0].set()
