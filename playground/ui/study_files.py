"""The files of visitors' studies: named by the server, found by who knows the name, bounded."""

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from playground.errors import Busy, InvalidInput
from playground.study.checkpoint import read_timed
from playground.study.row import Row
from playground.study.spec import StudySpec

MOST_FILES = 200
"""Studies kept, of all visitors."""
MOST_OF_VISITOR = 20
"""Of one visitor's session."""
MOST_BYTES = 512 * 2**20
"""What they may take together."""
MOST_OF_ONE = 64 * 2**20
"""What one may take; it then ends as if stopped."""
MOST_READ = 4
"""Studies kept in memory as they were last read."""
RECORDED = "recorded"
"""The name of the study that comes with the page."""

_NAME = re.compile(r"[A-Za-z0-9_-]{22}")
_ENDING = ".jsonl"
_LOCK = ".lock"


@dataclass(frozen=True, eq=False, slots=True)
class Kept:
    """A study as its file has it."""

    name: str
    spec: StudySpec
    provenance: Mapping[str, Any]
    chunks: frozenset[int]
    """Those that are done."""
    rows: tuple[Row, ...]
    """Of these, by prompt."""
    seconds: float | None = None
    """What they took, all runs together; None where the file doesn't say so."""

    @property
    def recorded(self) -> bool:
        """It came with the page."""
        return self.name == RECORDED


class StudyFiles:
    """Checkpoints in one folder. A name is a secret: it stands in its visitor's page and link alone."""

    def __init__(self, folder: Path, recorded: Path | None = None) -> None:
        """
        Args:
            folder: where they lie; made, for this user only, with the first one.
            recorded: a checkpoint that everybody may read; it may be missing.
        """
        self.folder = folder
        self.recorded = recorded
        self._lock = threading.Lock()
        self._held: set[str] = set()
        self._owners: dict[str, str] = {}
        """Name of a study -> the session that began it; those of an earlier process have none."""
        self._read: OrderedDict[tuple[str, int, int], Kept] = OrderedDict()

    @property
    def has_recorded(self) -> bool:
        """There is a recorded study."""
        return self.recorded is not None and self.recorded.is_file()

    def new(self, session: str = "") -> str:
        """A name for a new study of a visitor; files make room for it, the longest untouched first:
        the visitor's own while there are any, only then those of all."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._make_room(session)
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._owners[name] = session
        return name

    def path(self, name: str) -> Path:
        """Where the study called `name` lies, or would.

        Raises:
            InvalidInput: it is no name of ours.
        """
        if name == RECORDED and self.recorded is not None:
            return self.recorded
        if not _NAME.fullmatch(name):
            raise _gone()
        return self.folder / f"{name}{_ENDING}"

    def read(self, name: str) -> Kept:
        """The study called `name`, as far as it has come.

        Raises:
            InvalidInput: there is none any more.
        """
        path = self.path(name)
        try:
            stat = path.stat()
        except OSError:
            raise _gone() from None
        key = name, stat.st_mtime_ns, stat.st_size
        with self._lock:
            if key in self._read:
                self._read.move_to_end(key)
                return self._read[key]
        spec, provenance, chunks, seconds = read_timed(path)
        rows = tuple(row for chunk in sorted(chunks) for row in chunks[chunk])
        kept = Kept(name, spec, provenance, frozenset(chunks), rows, seconds)
        with self._lock:
            self._read[key] = kept
            while len(self._read) > MOST_READ:
                self._read.popitem(last=False)
        return kept

    @contextmanager
    def held(self, name: str) -> Iterator[Path]:
        """The file of a study, for one run at a time.

        Raises:
            InvalidInput: it is no name of ours, or the recorded study's.
            Busy: another run has it.
        """
        path = self.path(name)
        if name == RECORDED:
            raise InvalidInput("The recorded study is done.", "Run one of your own.", "study")
        lock = _locked(path)
        try:
            lock.acquire()
        except Timeout:
            raise Busy(
                "This study is running already, perhaps in another tab.",
                "Wait for it there, or stop it first.",
                "study",
            ) from None
        with self._lock:
            self._held.add(name)
        try:
            yield path
        finally:
            with self._lock:
                self._held.discard(name)
            lock.release()

    def is_held(self, name: str) -> bool:
        """Whether a run has the study now."""
        with self._lock:
            return name in self._held

    def _make_room(self, session: str) -> None:
        found = []
        for path in self.folder.glob(f"*{_ENDING}"):
            with suppress(OSError):  # gone meanwhile
                stat = path.stat()
                found.append((stat.st_mtime_ns, stat.st_size, path))
        found.sort(key=lambda each: each[0])
        there = {path.stem for _, _, path in found}
        with self._lock:
            held = set(self._held)
            # A new one has no file until its model is there; most of those without one are gone.
            without = [name for name in self._owners if name not in there | held]
            for name in without[:-MOST_FILES]:
                del self._owners[name]
            own = {name for name, who in self._owners.items() if who == session}
        count, size, mine = len(found), sum(size for _, size, _ in found), len(own & there)
        for _, bytes_, path in sorted(found, key=lambda each: each[2].stem not in own):
            name = path.stem
            full = count >= MOST_FILES or size > MOST_BYTES - MOST_OF_ONE
            if not full and (mine < MOST_OF_VISITOR or name not in own):
                return
            with suppress(Timeout), _locked(path):
                path.unlink(missing_ok=True)
                path.with_suffix(_LOCK).unlink(missing_ok=True)
                count, size, mine = count - 1, size - bytes_, mine - (name in own)


def _locked(path: Path) -> FileLock:
    """The lock of a study's file, for processes that share the folder as for runs of one: entering it
    raises Timeout at once where another has it. A run may end in another thread than it began in."""
    return FileLock(path.with_suffix(_LOCK), timeout=0, thread_local=False)


def _gone() -> InvalidInput:
    return InvalidInput(
        "This study isn't kept here any more.",
        "Run it again; only the newest studies are kept, and a link works on its own server alone.",
        "study",
    )
