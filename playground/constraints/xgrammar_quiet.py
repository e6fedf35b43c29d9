"""What xgrammar writes to standard error, kept from the log: its warnings quote the constraint."""

import json
import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock, Thread
from typing import Any

from playground.constraints.pushdown_source import cleaned

_ALONE = Lock()
"""Standard error is the whole process's: one at a time turns it aside."""


@contextmanager
def caught() -> Iterator[list[str]]:
    """What is written to standard error meanwhile, by libraries in C++ too, line by line and
    without the times of xgrammar's; only for a process that does nothing else."""
    said: list[str] = []
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said += [cleaned(line.decode(errors="replace")) for line in file]


def packed(grammar: str, said: list[str]) -> str:
    """A serialised grammar, with what its compilation writes, as `caught` has it."""
    return f"{json.dumps(said)}\n{grammar}"


def unpacked(payload: str) -> tuple[str, list[str]]:
    """The grammar and the lines that `packed` put together."""
    said, _, grammar = payload.partition("\n")
    return grammar, json.loads(said)


def without(said: Collection[str]) -> AbstractContextManager[Any]:
    """Standard error meanwhile without the lines of `said`, which are as `caught` has them. Others,
    which any thread or child process may write, pass."""
    return _filtered(frozenset(said)) if said else nullcontext()


@contextmanager
def _filtered(said: frozenset[str]) -> Iterator[None]:
    with _ALONE:
        kept = os.dup(2)
        read, write = os.pipe()
        os.dup2(write, 2)
        os.close(write)
        passing = Thread(target=_pass, args=(read, kept, said), daemon=True)
        try:
            passing.start()
            yield
        finally:
            os.dup2(kept, 2)


def _pass(read: int, kept: int, said: frozenset[str]) -> None:
    """Until the last who writes has closed: a child process may be that."""
    with os.fdopen(read, "rb") as lines, os.fdopen(kept, "wb", buffering=0) as out:
        for line in lines:
            if cleaned(line.decode(errors="replace")) not in said:
                out.write(line)
