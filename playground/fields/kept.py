"""Hidden states of texts that were read before: in memory, and on disk where that is asked for."""

import hashlib
import io
import logging
import os
import tempfile
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_log = logging.getLogger(__name__)

MEMORY_BYTES: Final = 256 * 2**20
"""Budget of the states that one process keeps in memory, least recently used out first."""
DISK_BYTES: Final = 512 * 2**20
"""Budget of the states on disk; while texts are read it may be passed by an eighth."""
MOST_BYTES: Final = 64 * 2**20
"""Largest file that is read."""

States = NDArray[np.floating[Any]]
"""(T, width) float16; float32 where a number is too large for that. Read-only."""


class Shelf:
    """States on disk, a file for each text. Several processes may share it."""

    def __init__(self, folder: Path, most: int = DISK_BYTES) -> None:
        """
        Args:
            folder: made with mode 0700 at the first `store`.
            most: bytes that stay after `trim`.
        """
        self._folder = folder
        self._most = most
        self._written = 0
        self._broken = False

    def load(self, key: str, width: int) -> States | None:
        """What `store` wrote under `key`; None if absent, damaged or of another width."""
        path = self._path(key)
        try:
            if path.stat().st_size > MOST_BYTES:
                return None
            written = path.read_bytes()
            os.utime(path)  # the file's time is when it was last used
        except OSError:
            return None
        content, digest = written[:-32], written[-32:]
        try:
            if hashlib.sha256(content).digest() != digest:
                raise ValueError("another digest")
            states: States = np.load(io.BytesIO(content), allow_pickle=False)
        except ValueError:
            _log.warning("%s is damaged and will be made again", path)
            return None
        return states if states.ndim == 2 and states.shape[1] == width else None

    def store(self, key: str, states: States) -> None:
        """Write at once or not at all. A disk that can't be written to costs the cache alone."""
        if self._broken:
            return
        buffer = io.BytesIO()
        np.save(buffer, states, allow_pickle=False)
        content = buffer.getvalue()
        name = None
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
                name = Path(file.name)
                file.write(content + hashlib.sha256(content).digest())
            name.replace(self._path(key))
        except OSError as error:
            _log.warning("hidden states can't be kept in %s: %s", self._folder, error)
            self._broken = True
            if name is not None:
                with suppress(OSError):
                    name.unlink()
            return
        self._written += len(content) + 32
        if self._written > self._most // 8:
            self.trim()

    def trim(self) -> None:
        """Remove the files that were used longest ago until the rest is within the budget."""
        if not self._written:
            return
        self._written = 0
        files = []
        for path in self._folder.glob("*"):
            with suppress(OSError):  # another process removed it
                status = path.stat()
                files.append((status.st_mtime, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self._most:
                break
            with suppress(OSError):
                path.unlink()
            total -= size

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npy"


class Kept:
    """States in memory: the least recently used make room. Thread-safe."""

    def __init__(self, most: int = MEMORY_BYTES) -> None:
        self._most = most
        self._held: OrderedDict[str, States] = OrderedDict()
        self._lock = Lock()
        self.nbytes = 0

    def get(self, key: str) -> States | None:
        """What `put` kept under `key`, or None."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: str, states: States) -> States:
        """Keep `states`, read-only from now on, and return what stands under `key`."""
        states.setflags(write=False)
        with self._lock:
            if key not in self._held:
                self._held[key] = states
                self.nbytes += states.nbytes
            self._held.move_to_end(key)
            while self.nbytes > self._most and len(self._held) > 1:
                self.nbytes -= self._held.popitem(last=False)[1].nbytes
            return self._held[key]
