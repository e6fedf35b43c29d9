"""This process's side of the fork server: start it, have children forked, end them."""

import atexit
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from playground.constraints.fork_server import SIZE

_ROOT = Path(__file__).parents[2]


class ForkClient:
    """One fork server, started when first needed and again if it dies. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    @property
    def server_id(self) -> int | None:
        """The server's process number; None before its first use."""
        return None if self._server is None else self._server.pid

    def start(self) -> None:
        """Start the server, so that the first child need not wait for it."""
        with self._lock:
            self._started()

    def fork(self, files: Sequence[int]) -> int:
        """Fork a child with the four files that `fork_server` tells of: its process number."""
        with self._lock:
            try:
                return self._ask(b"", files)
            except OSError:  # the server died; a new one has no reason to
                self._stop()
                return self._ask(b"", files)

    def bury(self, child: int, kill: bool) -> int:
        """End a child if it lives, and release its number: its exit status, negative a signal."""
        with self._lock:
            try:
                if kill:  # its number can't be another's yet: nobody has waited for it
                    os.kill(child, signal.SIGKILL)
                return self._ask(str(child).encode())
            except OSError:
                self._stop()  # the server was killed, and the child with it
                return -signal.SIGKILL

    def _ask(self, message: bytes, files: Sequence[int] = ()) -> int:
        control = self._started()
        socket.send_fds(control, [message.ljust(SIZE)], files)
        reply = b""
        while len(reply) < SIZE:
            part = control.recv(SIZE - len(reply))
            if not part:
                raise BrokenPipeError("the fork server is gone")
            reply += part
        return int(reply)

    def _started(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair()
            environment = {
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)]),
                "OPENBLAS_NUM_THREADS": "1",  # a process with threads must not fork
            }
            # Without site (-S) it starts faster; the path above is the whole of ours.
            command = [sys.executable, "-P", "-S", "-m", "playground.constraints.fork_server"]
            with theirs:
                self._server = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    env=environment,
                    start_new_session=True,  # Ctrl-C in the terminal is this process's to handle
                )
            atexit.register(self._stop)
        return self._control

    def _stop(self) -> None:
        if self._control is not None and self._server is not None:
            self._control.close()
            self._control = None
            try:
                self._server.wait(2)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            atexit.unregister(self._stop)
