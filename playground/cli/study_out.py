"""What `study` does beside asking: Ctrl-C as a question, progress with the time left, files."""

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from playground.errors import InvalidInput
from playground.record import Document
from playground.studies import Progress, Study
from playground.study.export import rows_csv, rows_parquet
from playground.study.recommend import Recommendation
from playground.study.row import Row
from playground.study.summary import Summary
from playground.views.study import report_html

SETTINGS = "study.jsonl"
"""The checkpoint of a study, in its folder."""
OFTEN = 0.5
"""Seconds between two lines on a terminal within a chunk, at least."""
SELDOM = 30.0
"""Seconds between two lines of progress in a log; a terminal has one line that is written over."""


@dataclass(frozen=True, eq=False, slots=True)
class Report:
    """What is written about a study."""

    document: Document
    summary: Summary
    recommendation: Recommendation
    rows: tuple[Row, ...]


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Within it the first Ctrl-C only makes the answer True; the second one interrupts as usual."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed.is_set
        return

    def note(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, note)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def told(progress: Iterator[Progress], study: Study, name: str) -> Iterator[Progress]:
    """The same, told on standard error; on a terminal also within a chunk."""
    terminal, last = sys.stderr.isatty(), time.monotonic()
    line = _Over()
    for each in progress:
        if terminal:
            now = partial(_line, each, study, name)
            study.within.heard = partial(line.show, now, OFTEN)
            line.show(now)
        elif each.fresh and (each.done or time.monotonic() - last > SELDOM):
            last = time.monotonic()
            print(_line(each, study, name), file=sys.stderr, flush=True)
        yield each
    if terminal:
        line.show(str)


class _Over:
    """The line of a terminal, written over."""

    def __init__(self) -> None:
        self._last = -math.inf

    def show(self, make: Callable[[], str], seconds: float = 0.0) -> None:
        """Write the line that `make` gives, unless the last one is younger than so many seconds."""
        if time.monotonic() - self._last >= seconds:
            self._last = time.monotonic()
            print(f"\r\x1b[K{make()}", end="", file=sys.stderr, flush=True)


def _line(progress: Progress, study: Study, name: str) -> str:
    prompts = sum(map(len, study.chunks[: progress.chunks_done]))
    within = study.within
    left = within.left(progress.left, progress.chunks - progress.chunks_done)
    runs = f" and {within.ended} of the next {within.of} runs" if within.of else ""
    shown = "" if left is None or progress.done else f", about {span(left)} left"
    spent = span(progress.seconds + within.spent)
    return f"{name}{prompts} of {len(study.items)} prompts{runs} in {spent}{shown}"


def span(seconds: float) -> str:
    """A time as people say it: 42 s, 3 min 5 s, 2 h 10 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def folder(name: str) -> Path:
    """The folder of that name, made where it is missing.

    Raises:
        InvalidInput: it can't be made.
    """
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"The folder {name} can't be made: {error.strerror}.", "Name another one.", "--out"
        ) from None
    return path


def keep(path: Path, study: Study, report: Report) -> None:
    """Write the rows, the summary and the report of a study beside its checkpoint; each file is
    whole or not there.

    Raises:
        InvalidInput: one can't be written.
    """
    document, rows, items = report.document, report.rows, study.items
    about = {name: document[name] for name in ("spec", "provenance", "command", "done")}
    replace(path / "rows.csv", rows_csv(rows, items))
    replace(path / "rows.parquet", rows_parquet(rows, items, about))
    replace(path / "summary.json", pretty(document))
    page = report_html(
        document, report.summary, report.recommendation, rows, items, date.today().isoformat()
    )
    replace(path / "report.html", page.encode())


def pretty(document: Any) -> bytes:
    """Strict JSON for people."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode() + b"\n"


def replace(path: Path, content: bytes) -> None:
    """Put `content` where `path` is, at once.

    Raises:
        InvalidInput: it can't be written.
    """
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_bytes(content)
        os.replace(new, path)
    except OSError as error:
        raise InvalidInput(
            f"{path} can't be written: {error.strerror}.", "Name another folder.", "--out"
        ) from None
