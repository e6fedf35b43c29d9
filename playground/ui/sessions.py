"""Pages that are gone: what Gradio keeps of each is let go, however it went.

Gradio keeps a session's state until others push it out, and the messages to a page that doesn't
listen for ever. Both are its private parts: its version is pinned, and a test holds them.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import gradio as gr

IDLE = 1800.0
"""Seconds after its last request that a session's state is dropped; the page makes a new one."""
DEAF = 30.0
"""Seconds that events wait for a page to listen; they then end."""
EVERY = 10.0
"""Seconds between two looks."""


class Sessions:
    """The sessions of one app.

    Args:
        demo: whose.
        clock: seconds, for tests.
    """

    def __init__(self, demo: gr.Blocks, clock: Callable[[], float] = time.monotonic) -> None:
        self._demo = demo
        self._clock = clock
        self._listening: Counter[str] = Counter()
        self._deaf: dict[str, float] = {}
        """Sessions with messages and no listener -> since when."""

    @contextmanager
    def listening(self, session: str) -> Iterator[None]:
        """Within it the page of a session reads its events."""
        self._listening[session] += 1
        try:
            yield
        finally:
            self._listening[session] -= 1
            if not self._listening[session]:
                del self._listening[session]

    def pending(self, session: str) -> int:
        """Events of a page that haven't ended."""
        queue: Any = self._demo._queue
        # A page whose line broke leaves the numbers of events that have ended since.
        asked = queue.pending_event_ids_session.get(session, ())
        return sum(event in queue.event_ids_to_events for event in asked)

    def joined(self, session: str) -> None:
        """A page has asked for an event: it may take its time to listen."""
        if session in self._deaf:
            self._deaf[session] = self._clock()

    async def sweep(self) -> None:
        """One look: end what nobody hears, drop what nobody uses."""
        queue: Any = self._demo._queue
        now = self._clock()
        waiting = {
            name for name in queue.pending_messages_per_session if name not in self._listening
        }
        self._deaf = {name: self._deaf.get(name, now) for name in waiting}
        for name, since in list(self._deaf.items()):
            if now - since >= DEAF:
                await queue.clean_events(session_hash=name)
                queue.pending_messages_per_session.pop(name, None)
                queue.pending_event_ids_session.pop(name, None)
                del self._deaf[name]
        holder: Any = getattr(self._demo, "state_holder", None)
        for name, used in list(holder.time_last_used.items()) if holder is not None else ():
            idle = (datetime.now() - used).total_seconds() >= IDLE
            if idle and name not in self._listening:
                with holder.lock:
                    holder.session_data.pop(name, None)
                    holder.time_last_used.pop(name, None)

    async def keep_sweeping(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            await self.sweep()
