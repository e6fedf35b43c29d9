"""The web server's own part: clients that are too slow are let go, and a signal ends it gently."""

import asyncio
import os
import signal
import sys
import time
from types import FrameType
from typing import Any, NoReturn

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from playground.settings import Settings
from playground.ui.memory import keep_small
from playground.ui.quiet import quiet_logs
from playground.ui.stopping import STOPPING

HEAD_SECONDS = 10.0
"""Longest that the head of a request may take to arrive."""
STALL_SECONDS = 30.0
"""Longest that a client may leave an answer unread, once the buffers to it are full."""
IDLE_SECONDS = 15
"""An open connection between two requests."""
MAX_CONNECTIONS = 2_000
LAST_WORDS_SECONDS = 3.0
"""What is under way gets so long to end, and to tell its page so."""
CLOSING_SECONDS = 2
"""Then what is still being answered."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 whose patience has an end: with a head that trickles, with an answer nobody reads."""

    _head: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a first request."""
        super().connection_made(transport)
        self._head = self.loop.call_later(HEAD_SECONDS, self._let_go)

    def data_received(self, data: bytes) -> None:
        """Wait no longer once the head is there; or from now on for one that has begun."""
        requests = self.cycle
        super().data_received(data)
        if self.cycle is not requests or (self.cycle and not self.cycle.response_complete):
            self._forget_head()
        elif self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(HEAD_SECONDS, self._let_go)

    def pause_writing(self) -> None:
        """The client doesn't read."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(STALL_SECONDS, self._let_go)

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._forget_stall()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._forget_head()
        self._forget_stall()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        self.transport.abort()

    def _forget_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _forget_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None


class Server(uvicorn.Server):
    """Ends gently at the first signal, and at once at the second."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Refuse new work and tell what is under way to end; a second signal ends the process."""
        if STOPPING.begun:
            os._exit(130)
        self.should_exit = True
        STOPPING.begin()

    async def shutdown(self, sockets: Any = None) -> None:
        """Let work end and say so, then close every connection."""
        latest = time.monotonic() + LAST_WORDS_SECONDS
        while STOPPING.under_way and time.monotonic() < latest:
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)  # event streams carry the last words in their own time
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            # What has been written is sent first; an event stream would never end by itself.
            connection.transport.close()
        await super().shutdown(sockets)


def serve(app: Any, settings: Settings, port: int) -> NoReturn:
    """Serve `app` until a signal ends it; the process then ends, within ten seconds, with status 0."""
    quiet_logs()
    keep_small()
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=port,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    )
    # Uvicorn raises the signal again when it is done: that must not end the process unkindly.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    Server(config).run()
    # Threads that wait for a compilation or a forward pass would hold the process; what they could
    # lose is kept already, and the compiling processes end with this one.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
