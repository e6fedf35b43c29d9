"""Runs one compilation in a child process: bounded in time and memory, killed when cancelled."""

import json
import os
import select
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from playground.constraints.fork_client import ForkClient
from playground.constraints.limits import Limits
from playground.constraints.slots import POLL, Place, deadline
from playground.constraints.worker import error_from
from playground.errors import BudgetExceeded, Busy, Cancelled

FORKS = ForkClient()
"""The fork server of this process; nothing is started by importing."""
SLOW_NICENESS = 15
"""The system's priority of children that have become slow; quick ones come first."""
_LATE = 1000
"""Stands for the exit status of a child that was killed for being late."""


def run_child(
    request: dict[str, Any],
    limits: Limits,
    cancelled: Callable[[], bool] | None = None,
    until: float | None = None,
) -> tuple[dict[str, Any], bytes]:
    """The head and the payload of the worker's answer to `request` (see `worker`).

    Few children run at once (see `slots`); `cancelled` is asked every 20 ms, waiting too, and the
    wait for a place ends when the monotonic clock reaches `until`, by default in a minute.

    Raises:
        PlaygroundError: what the worker found wrong.
        RuntimeError: the worker failed for a reason of ours; with its last words.
        BudgetExceeded: time, memory or the places for slow children ran out, or the worker
            crashed.
        Cancelled: `cancelled` said so; the child is dead by then.
    """
    place = Place(cancelled, deadline() if until is None else until)
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


def _run(
    request: dict[str, Any],
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    place: Place,
) -> tuple[bytes, int]:
    """What the child wrote, and its exit status: _LATE if it was killed for being late."""
    with (
        tempfile.TemporaryFile() as question,
        tempfile.TemporaryFile() as answer,
        tempfile.TemporaryFile() as complaints,
    ):
        question.write(json.dumps(request).encode())
        question.seek(0)
        life, held = os.pipe()  # the child alone holds the other end, so it closes with the child
        try:
            files = [question.fileno(), answer.fileno(), complaints.fileno(), held]
            child = FORKS.fork(files)
            end = time.monotonic() + limits.seconds  # the server may have had to start first
        except BaseException:
            os.close(life)
            raise
        finally:
            os.close(held)
        ended = late = False
        try:
            while not ended and not late:
                ended = bool(select.select([life], [], [], POLL)[0])
                late = time.monotonic() > end
                if not ended and cancelled and cancelled():
                    raise Cancelled("Compiling the constraint was cancelled.")
                if not ended and not late:
                    _make_room(child, place)
        finally:
            os.close(life)
            status = FORKS.bury(child, kill=not ended)
        if status == 1:
            complaints.seek(0)
            raise RuntimeError(f"the compiler failed: {complaints.read()[-2000:].decode()}")
        answer.seek(0)
        return answer.read(), status if ended else _LATE


def _make_room(child: int, place: Place) -> None:
    """Move a slow child out of the others' way.

    Raises:
        Busy: there is no room for it.
    """
    if place.is_slow():
        return
    if not place.still_held():
        raise Busy(
            "Compiling the constraint was stopped: the server is busy with other large "
            "constraints.",
            "Try again in a minute, or lower the bounds of repeats and lengths.",
        )
    if place.is_slow():
        with suppress(OSError):  # it has just ended
            os.setpriority(os.PRIO_PROCESS, child, SLOW_NICENESS)


def _cause(status: int) -> str:
    if status in (_LATE, -24):  # -24: its own limit of processor time
        return "time"
    if status == -6:  # outlines_core aborts without memory
        return "memory"
    if status == -9:
        return "killed"
    return f"status {status}"


def _in_words(cause: str, limits: Limits) -> str:
    words = {
        "time": f"it takes more than {limits.seconds:g} seconds",
        "killed": "its process was killed, as the system does where memory runs out",
        "memory": f"it needs more than {limits.megabytes:,} MB of memory",
        "MemoryError": f"it needs more than {limits.megabytes:,} MB of memory",
        "RecursionError": "it is nested too deep",
    }
    return words.get(cause, f"the compiler ended with {cause}")
