"""An iterator that works in turns: it hands over in the midst of an item, not only between two."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Slices(Generic[T]):
    """An iterator in a thread of its own that works only while `take` waits for it, so that nothing
    ever runs side by side. It can hand over wherever it asks whether it is cancelled.

    Args:
        make: makes the iterator from the function that it is to ask.
        cancelled: asked in turn; True ends the work in the iterator's own way.
        meter: read in the iterator's thread when it hands over, as `metered`.
    """

    def __init__(
        self,
        make: Callable[[Callable[[], bool]], Iterator[T]],
        cancelled: Callable[[], bool] = lambda: False,
        meter: Callable[[], int] = lambda: 0,
    ) -> None:
        self.ended = False
        """It has given its last item, or failed."""
        self.error: Exception | None = None
        """What it failed with."""
        self.metered = 0
        self._make, self._cancelled, self._meter = make, cancelled, meter
        self._items: list[T] = []
        self._until = 0.0
        self._closed = False
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._work, name="slices", daemon=True)

    def take(self, seconds: float) -> list[T]:
        """Let it work for about `seconds`, at least until it asks once; the items that it gave."""
        if self.ended:
            return []
        self._until = time.monotonic() + seconds
        if not self._thread.ident:
            self._thread.start()
        self._go.release()
        self._back.acquire()
        items, self._items = self._items, []
        return items

    def close(self) -> None:
        """End it, whatever it still had to give."""
        self._closed = True
        if self._thread.ident:
            while not self.ended:
                self.take(1.0)
        self.ended = True

    def _work(self) -> None:
        self._go.acquire()
        try:
            for item in self._make(self._asked):
                self._items.append(item)
                if self._closed:
                    break
                self._hand_over()
        except Exception as error:  # noqa: BLE001 - carried to whoever takes the turns
            self.error = error
        finally:
            self.metered = self._meter()
            self.ended = True
            self._back.release()

    def _asked(self) -> bool:
        self._hand_over()
        return self._closed or self._cancelled()

    def _hand_over(self) -> None:
        if time.monotonic() >= self._until:
            self.metered = self._meter()
            self._back.release()
            self._go.acquire()
