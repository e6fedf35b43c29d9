"""The same study on Ray: chunks as tasks, each worker an actor with a model of its own.

A chunk of `study.runner.CHUNK` prompts is what is handed out, never one prompt: it begins with an
empty row store and leads its runs in batches of its own, so that its rows are the same, to the digit,
whichever process runs it, after whatever else. Digits also depend on the number of threads: here it
is one, so the run without Ray that equals this one has PLAYGROUND_THREADS=1. Machines of one kind
agree; a cluster of several kinds of processor may differ in the last digits.
"""

import os
import secrets
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import playground
from playground.decoding.run import Cancelled, never
from playground.errors import InvalidInput, ModelUnavailable, PlaygroundError
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Progress, Studies, Study
from playground.study.checkpoint import Checkpoint
from playground.study.row import Row
from playground.study.spec import StudySpec

LOCAL = "local"
"""The address that starts Ray here, for one study."""
TRIES = 3
"""Most workers that may die at one chunk before it is the chunk's fault."""
LOOK_SECONDS = 0.2
"""How often it is asked whether to stop."""
STARTS = 3
"""How often it is tried to start Ray here: it gives up where a busy machine takes 15 seconds for one
of its parts."""
CONNECT_SECONDS = 5.0
STORE_BYTES = 80 * 2**20
"""Of the shared memory that a local Ray starts with: rows are small."""


class Worker:
    """What an actor is: one process, one model, one thread."""

    def __init__(self, spec: StudySpec) -> None:
        self._spec = spec
        self._study: Study | None = None

    def run(self, chunk: int, provenance: Mapping[str, Any]) -> tuple[Row, ...] | PlaygroundError:
        """The rows of a chunk, or what a user has to know; the first call loads the model.

        Args:
            chunk: its number.
            provenance: of the model that whoever asks has; this one's must be the same.
        """
        try:
            if self._study is None:
                settings = replace(Settings.from_env(), threads=1)
                self._study = Studies(Playground(settings)).prepare(self._spec)
            return self._checked(provenance).run(chunk) or ()
        except PlaygroundError as error:
            return error

    def _checked(self, provenance: Mapping[str, Any]) -> Study:
        assert self._study is not None
        ours = dict(self._study.provenance())
        for name, theirs in provenance.items():
            if name != "device" and ours.get(name) != theirs:
                raise ModelUnavailable(
                    f"A Ray worker has another model: its {name} is {ours.get(name)!r}, here it is "
                    f"{theirs!r}.",
                    "Install the same version and the same weights on every machine.",
                )
        return self._study


@dataclass(eq=False, slots=True)
class _Held:
    """An actor, and the chunk it is at."""

    actor: Any
    chunk: int


class RayStudies(Studies):
    """`Studies`, whose chunks are run by workers on Ray."""

    def __init__(
        self,
        playground: Playground,
        address: str,
        workers: int | None = None,
    ) -> None:
        """Nothing is started or connected to before `run`.

        Args:
            playground: prepares studies.
            address: `local`, `auto`, `ray://HOST:PORT` or `HOST:PORT`.
            workers: actors at most; None: one a processor.

        Raises:
            InvalidInput: Ray isn't installed.
        """
        super().__init__(playground)
        if address == LOCAL:
            _guard()
        self._ray = imported()
        self._address, self._workers = address, workers

    def run(
        self, study: Study, checkpoint: Checkpoint | None = None, cancelled: Cancelled = never
    ) -> Iterator[Progress]:
        """As `Studies.run`: chunks come in any order, each kept in `checkpoint` when it comes. The
        seconds hold the loading of the workers' models, not Ray's own start.

        Raises:
            InvalidInput: there is no Ray at the address.
            PlaygroundError: what a worker can't do; or workers died at one chunk TRIES times.
        """
        known = {} if checkpoint is None else dict(checkpoint.chunks)
        count, fresh, begun = len(study.chunks), 0, time.monotonic()

        def progress() -> Progress:
            rows = tuple(row for chunk in sorted(known) for row in known[chunk])
            seconds = time.monotonic() - begun
            return Progress(rows, len(known), count, seconds, fresh, len(known) == count)

        yield progress()
        left = [chunk for chunk in range(count) if chunk not in known]
        if not left:
            return
        wanted = max(1, min(self._workers or os.cpu_count() or 1, len(left)))
        with connected(self._ray, self._address, wanted) as processors:
            workers = max(1, min(self._workers or processors, processors, len(left)))
            begun = time.monotonic()
            for chunk, rows in self._led(study, deque(left), workers, cancelled):
                if checkpoint is not None:
                    checkpoint.add(chunk, rows)
                known[chunk] = rows
                fresh += 1
                yield progress()

    def _led(
        self, study: Study, left: deque[int], workers: int, cancelled: Cancelled
    ) -> Iterator[tuple[int, tuple[Row, ...]]]:
        """(chunk, rows) as they come; a worker that dies is replaced, its chunk run again."""
        ray, provenance = self._ray, dict(study.provenance())
        remote = ray.remote(num_cpus=1, max_restarts=0)(Worker)
        died_of = (ray.exceptions.RayActorError, ray.exceptions.OutOfMemoryError)
        held: dict[Any, _Held] = {}
        deaths: dict[int, int] = {}

        def hand(actor: Any | None) -> None:
            """The next chunk to an actor; to a new one if None."""
            if not left:
                return
            chunk = left.popleft()
            if actor is None:
                actor = remote.remote(study.spec)
            held[actor.run.remote(chunk, provenance)] = _Held(actor, chunk)

        for _ in range(workers):
            hand(None)
        while held:
            done, _ = ray.wait(list(held), num_returns=1, timeout=LOOK_SECONDS)
            if cancelled():
                return
            for ref in done:
                at = held.pop(ref)
                try:
                    rows = ray.get(ref)
                except died_of:
                    deaths[at.chunk] = deaths.get(at.chunk, 0) + 1
                    if deaths[at.chunk] == TRIES:
                        raise died(at.chunk) from None
                    left.appendleft(at.chunk)
                    hand(None)
                    continue
                if isinstance(rows, PlaygroundError):
                    raise rows
                yield at.chunk, rows
                hand(at.actor)


@contextmanager
def connected(ray: ModuleType, address: str, workers: int) -> Iterator[int]:
    """Ray, connected to or, at `local`, started with so many processors; how many it has. A Ray that
    this process is connected to already is used instead, and left on.

    Raises:
        InvalidInput: there is none at the address.
    """
    ours = not ray.is_initialized()
    if ours:
        _initialise(ray, address, workers)
    try:
        yield int(ray.cluster_resources().get("CPU", 1))
    finally:
        if ours:
            ray.shutdown()


def _initialise(ray: ModuleType, address: str, workers: int) -> None:
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if address == LOCAL:
        settings |= {
            "num_cpus": workers,
            "include_dashboard": False,
            "object_store_memory": STORE_BYTES,
        }
    else:
        require_open(address)
        settings["runtime_env"] = {"py_modules": [str(Path(playground.__file__).parent)]}
    for left in reversed(range(STARTS if address == LOCAL else 1)):
        try:
            ray.init(address=address, **settings)
            return
        except Exception as error:  # noqa: BLE001 - Ray's own start raises bare ones
            ray.shutdown()
            if not left:
                raise unreachable(address, error) from None


def _guard() -> None:
    """Before Ray is imported, where this process starts it: its ports, which are open to the whole
    network and run what they are sent, ask for a token that only its own processes have."""
    if "ray" not in sys.modules:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")


def require_open(address: str) -> None:
    """Something listens at HOST:PORT: Ray itself takes minutes to find that nothing does.

    Raises:
        InvalidInput: nothing does.
    """
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal() or int(port[:6]) > 65_535:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except OSError as error:
        raise unreachable(address, error) from None


def unreachable(address: str, error: Exception) -> InvalidInput:
    """The error of an address at which Ray neither is nor can be started."""
    reason = (str(error).strip() or repr(error)).splitlines()[0][:300].rstrip(".")
    return InvalidInput(
        f"Ray can't be reached at {address[:80]!r}: {reason}.",
        "Use local to start it here, auto for the cluster of this machine, or ray://HOST:10001.",
        "ray",
    )


def died(chunk: int) -> ModelUnavailable:
    """The error of a chunk at which TRIES workers died."""
    return ModelUnavailable(
        f"{TRIES} Ray workers died, one after another, at chunk {chunk}.",
        "Their machine may lack memory: use fewer workers. What is done is in the checkpoint.",
        "ray",
    )


def imported() -> ModuleType:
    """Ray.

    Raises:
        InvalidInput: it isn't installed.
    """
    try:
        import ray
    except ImportError:
        raise InvalidInput(
            "Ray isn't installed.", "Run `pip install -r requirements-ray.txt`.", "ray"
        ) from None
    module: ModuleType = ray
    return module
