"""A lock that serves first come, first served: a long job in pieces lets others in between."""

import threading
from collections import deque
from types import TracebackType


class Turns:
    """Mutual exclusion where those who wait are served in order of arrival. Not reentrant."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()

    def __enter__(self) -> None:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket)
            except BaseException:
                self._queue.remove(ticket)
                self._changed.notify_all()
                raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._queue.popleft()
            self._changed.notify_all()
