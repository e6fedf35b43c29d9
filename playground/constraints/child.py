"""Runs one compilation in a child process: bounded in time and memory, killed when cancelled."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from playground.constraints.limits import Limits
from playground.constraints.worker import error_from
from playground.errors import BudgetExceeded, Cancelled

MAX_CHILDREN = 2
"""So many run at once."""
SLOW = 2.0
"""A child that runs so long, seconds, moves over to the one place for slow ones if it is free, so
that one visitor's explosion doesn't make the others wait."""
MAX_WAIT = 60.0
"""Longest wait for a free place, seconds."""
_POLL = 0.02
_slots = BoundedSemaphore(MAX_CHILDREN)
_slow_slots = BoundedSemaphore(1)
_ROOT = Path(__file__).parents[2]


def run_child(
    request: dict[str, Any], limits: Limits, cancelled: Callable[[], bool] | None = None
) -> tuple[dict[str, Any], bytes]:
    """The head and the payload of the worker's answer to `request` (see `worker`).

    At most MAX_CHILDREN children run at once, and a slow one; `cancelled` is asked every 20 ms,
    waiting too.

    Raises:
        PlaygroundError: what the worker found wrong.
        RuntimeError: the worker failed for a reason of ours; with its last words.
        BudgetExceeded: time or memory ran out, or the worker crashed.
        Cancelled: `cancelled` said so; the child is dead by then.
    """
    wait_for(lambda: _slots.acquire(timeout=_POLL), cancelled)
    place = _Place()
    try:
        answer, status = _run({**request, "limits": asdict(limits)}, limits, cancelled, place)
    finally:
        place.leave()
    line, _, payload = answer.partition(b"\n")
    head: dict[str, Any] = {"crash": _cause(status)}
    if status == 0 and line:
        head = json.loads(line)
    if "error" in head:
        raise error_from(head["error"])
    if "crash" in head:
        raise BudgetExceeded(
            f"Compiling the constraint was stopped: {_in_words(head['crash'], limits)}.",
            "Lower the bounds of repeats and lengths, or simplify the constraint.",
        )
    return head, payload


def wait_for(acquire: Callable[[], bool], cancelled: Callable[[], bool] | None) -> None:
    """Call `acquire`, which waits a moment, until it returns True.

    Raises:
        Cancelled: the visitor stopped waiting.
        BudgetExceeded: MAX_WAIT seconds have passed.
    """
    deadline = time.monotonic() + MAX_WAIT
    while not acquire():
        if cancelled and cancelled():
            raise Cancelled("Compiling the constraint was cancelled.")
        if time.monotonic() > deadline:
            raise BudgetExceeded(
                "The server is busy compiling other constraints.", "Try again in a moment."
            )


class _Place:
    """The place that a child holds."""

    def __init__(self) -> None:
        self._held = _slots
        self._since = time.monotonic()

    def grow_slow(self) -> None:
        """Give the place to others, once it has been held for long."""
        if (
            self._held is _slots
            and time.monotonic() - self._since > SLOW
            and _slow_slots.acquire(blocking=False)
        ):
            self._held = _slow_slots
            _slots.release()

    def leave(self) -> None:
        self._held.release()


def _run(
    request: dict[str, Any],
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    place: _Place,
) -> tuple[bytes, int]:
    """What the child wrote, and its exit status: _LATE if it was killed for being late."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(_ROOT), *filter(None, sys.path)]),
        "OPENBLAS_NUM_THREADS": "1",  # its threads would take address space
    }
    # Without site (-S) it starts faster; the path given above is the whole of ours.
    command = [sys.executable, "-P", "-S", "-m", "playground.constraints.worker"]
    with (
        tempfile.TemporaryFile() as questions,
        tempfile.TemporaryFile() as answers,
        tempfile.TemporaryFile() as complaints,
    ):
        questions.write(json.dumps(request).encode())
        questions.seek(0)
        deadline = time.monotonic() + limits.seconds
        child = subprocess.Popen(
            command, stdin=questions, stdout=answers, stderr=complaints, env=environment
        )
        try:
            while True:
                try:
                    status = child.wait(_POLL)
                    break
                except subprocess.TimeoutExpired:
                    pass
                place.grow_slow()
                if cancelled and cancelled():
                    raise Cancelled("Compiling the constraint was cancelled.")
                if time.monotonic() > deadline:
                    status = _LATE
                    break
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
        if status == 1:
            complaints.seek(0)
            raise RuntimeError(f"the compiler failed: {complaints.read()[-2000:].decode()}")
        answers.seek(0)
        return answers.read(), status


_LATE = 1000
"""Exit status of a child that was killed for being late."""


def _cause(status: int) -> str:
    if status in (_LATE, -24):  # -24: its own limit of processor time
        return "time"
    if status in (-6, -9):  # outlines_core aborts without memory; the system kills for memory
        return "memory"
    return f"status {status}"


def _in_words(cause: str, limits: Limits) -> str:
    words = {
        "time": f"it takes more than {limits.seconds:g} seconds",
        "memory": f"it needs more than {limits.megabytes:,} MB of memory",
        "MemoryError": f"it needs more than {limits.megabytes:,} MB of memory",
        "RecursionError": "it is nested too deep",
    }
    return words.get(cause, f"the compiler ended with {cause}")
