"""Compiled constraints, kept in memory and on disk under a hash of all that they depend on."""

import hashlib
import logging
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from playground.constraints.slots import POLL, wait_for
from playground.settings import Settings

_log = logging.getLogger(__name__)

MEMORY_BYTES = 256 * 2**20
"""Budget of what is kept in memory."""


@cache
def code_version() -> str:
    """A hash of this package's sources, of outlines_core's version and of numpy's major version:
    what was compiled by other code is never read."""
    digest = hashlib.sha256(version("outlines_core").encode())
    digest.update(version("numpy").partition(".")[0].encode())
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()


def key_of(*parts: str) -> str:
    """The hex SHA-256 of `parts` and of the code's version."""
    digest = hashlib.sha256(code_version().encode())
    for part in parts:
        encoded = part.encode("utf-8", errors="surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


class CompileCache:
    """What one process compiled, and what this machine did before. Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.cache / "automata"
        self._most = settings.cache_mb * 2**20
        self._memory: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._held = 0
        self._busy: dict[str, tuple[Lock, int]] = {}
        self._lock = Lock()

    def recall(self, key: str) -> Any:
        """What `remember` kept under `key`, or None."""
        with self._lock:
            if key not in self._memory:
                return None
            self._memory.move_to_end(key)
            return self._memory[key][0]

    def remember(self, key: str, value: Any, nbytes: int) -> None:
        """Keep `value`, of `nbytes` bytes; the least recently used make room."""
        with self._lock:
            self._held += nbytes - self._memory.pop(key, (None, 0))[1]
            self._memory[key] = value, nbytes
            while self._held > MEMORY_BYTES and len(self._memory) > 1:
                self._held -= self._memory.popitem(last=False)[1][1]

    def load(self, key: str) -> bytes | None:
        """What `store` wrote under `key`; None if absent, unreadable or damaged."""
        path = self._path(key)
        try:
            written = path.read_bytes()
            os.utime(path)  # the file's time is when it was last used
        except OSError:
            return None
        content, digest = written[:-32], written[-32:]
        if hashlib.sha256(content).digest() != digest:
            _log.warning("%s is damaged and will be made again", path)
            return None
        return content

    def store(self, key: str, content: bytes) -> None:
        """Write `content` at once or not at all; the oldest files make room.

        A disk that can't be written to costs the cache, not the compilation.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
                file.write(content + hashlib.sha256(content).digest())
            Path(file.name).replace(self._path(key))
            self._trim()
        except OSError as error:
            _log.warning("compiled constraints can't be kept in %s: %s", self._folder, error)

    @contextmanager
    def only_one(
        self, key: str, cancelled: Callable[[], bool] | None, until: float
    ) -> Iterator[None]:
        """Hold `key`, so that fifty visitors who ask for the same thing have it compiled once.

        Raises:
            Cancelled: the visitor stopped waiting for another's compilation.
            BudgetExceeded: it isn't done when the monotonic clock reaches `until`.
        """
        with self._lock:
            lock, users = self._busy.get(key, (Lock(), 0))
            self._busy[key] = lock, users + 1
        try:
            wait_for(lambda: lock.acquire(timeout=POLL), cancelled, until)
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._lock:
                lock, users = self._busy.pop(key)
                if users > 1:
                    self._busy[key] = lock, users - 1

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npz"

    def _trim(self) -> None:
        files = []
        for path in self._folder.iterdir():
            try:
                status = path.stat()
            except OSError:  # another process removed it
                continue
            files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            path.unlink(missing_ok=True)
            total -= size
