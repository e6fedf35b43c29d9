"""What one visitor may ask for, and what all may together: never by address, which a classroom shares.

A visitor is a browser, by the random cookie that the page's first answer sets. Where the browser
keeps no cookie, as in another site's frame, it is the page, by Gradio's session hash; who has
neither is one visitor with all others like that. Either can be forged, and a forger then has many
buckets: what protects the server is the bound on the requests of all.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playground.errors import Busy

BURST_SECONDS = 5
"""A visitor who was idle may ask so many seconds' worth at once."""
IDLE = 600.0
"""Seconds after its last request that a visitor is forgotten."""
MAX_VISITORS = 10_000
MAX_RECEIVING = 64 * 2**20
"""Bytes of request bodies that are held while they come in and are answered, of all visitors."""


@dataclass(eq=False)
class Refused(Busy):
    """Too many requests: the same succeeds after `seconds`."""

    seconds: int = 1


@dataclass(slots=True)
class _Visitor:
    tokens: float
    at: float
    """When the tokens were counted, on the clock."""
    under_way: int = 0


class Limits:
    """A token bucket for each visitor, and the requests under way, by visitor and of all. Thread-safe.

    Args:
        rate: requests a second of one visitor, over time.
        of_visitor: its requests at one time.
        of_all: of everybody's.
        clock: seconds, for tests.
    """

    def __init__(
        self,
        rate: float,
        of_visitor: int,
        of_all: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate, self.of_visitor, self.of_all = rate, of_visitor, of_all
        self._clock = clock
        self._lock = threading.Lock()
        self._visitors: OrderedDict[str, _Visitor] = OrderedDict()
        self.under_way = 0
        """Requests that are being answered."""
        self.receiving = 0
        """Bytes of bodies held."""

    @property
    def visitors(self) -> int:
        """Visitors that are remembered."""
        return len(self._visitors)

    def admit(self, visitor: str) -> None:
        """Count one request of a visitor.

        Raises:
            Refused: the visitor asks too fast.
        """
        with self._lock:
            known = self._known(visitor)
            if known.tokens < 1:
                seconds = math.ceil((1 - known.tokens) / self.rate)
                raise Refused(
                    f"More than {self.rate:g} requests a second came from this browser.",
                    f"What is on screen stays. Try again in {seconds} s.",
                    seconds=seconds,
                )
            known.tokens -= 1

    def bound(self, under_way: int) -> None:
        """Of a visitor who has so many requests under way, one more.

        Raises:
            Refused: they are as many as one may have.
        """
        if under_way >= self.of_visitor:
            raise Refused(
                f"{under_way} requests of this browser are still being answered.",
                "What is on screen stays. Wait until one has ended, then try again.",
                seconds=1,
            )

    @contextmanager
    def answering(self, visitor: str) -> Iterator[None]:
        """Within it a request of a visitor is being answered.

        Raises:
            Refused: too many are, of this visitor or of all.
        """
        with self._lock:
            known = self._known(visitor)
            self.bound(known.under_way)
            if self.under_way >= self.of_all:
                raise Refused(
                    f"The server is answering {self.under_way} requests already, as many as it takes.",
                    "What is on screen stays. Try again in a few seconds.",
                    seconds=3,
                )
            known.under_way += 1
            self.under_way += 1
        try:
            yield
        finally:
            with self._lock:
                known.under_way -= 1
                self.under_way -= 1

    def receive(self, size: int) -> bool:
        """Whether `size` more bytes of a body may be held; `release` them afterwards."""
        with self._lock:
            if self.receiving + size > MAX_RECEIVING:
                return False
            self.receiving += size
            return True

    def release(self, size: int) -> None:
        """So many bytes are held no more."""
        with self._lock:
            self.receiving -= size

    def _known(self, visitor: str) -> _Visitor:
        """A visitor, with the tokens that have come since; those long gone are forgotten."""
        now, full = self._clock(), self.rate * BURST_SECONDS
        known = self._visitors.get(visitor)
        if known is None:
            known = self._visitors[visitor] = _Visitor(full, now)
        known.tokens = min(full, known.tokens + (now - known.at) * self.rate)
        known.at = now
        self._visitors.move_to_end(visitor)
        while len(self._visitors) > 1:
            oldest = next(iter(self._visitors.values()))
            if len(self._visitors) <= MAX_VISITORS and now - oldest.at <= IDLE:
                break
            self._visitors.popitem(last=False)
        return known
