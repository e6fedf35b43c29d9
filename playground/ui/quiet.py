"""Logs that say where something broke and never what a visitor typed: one line for each failure."""

import logging
import secrets
import sys
import traceback
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

LOG = logging.getLogger("playground")
FRAMES = 4
"""Innermost places that a line names."""
_ROOT = Path(__file__).parents[2]


def places(error: BaseException) -> str:
    """The class of `error`, and the innermost places that it came through, innermost first. Its
    message is left out: it may quote a prompt, a schema or a token."""
    found = [
        f"{_short(frame.f_code.co_filename)}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    cause = error.__cause__ or error.__context__
    behind = f", after {type(cause).__name__}" if cause is not None else ""
    at = " < ".join(reversed(found[-FRAMES:]))
    return f"{type(error).__name__}{behind}{f' at {at}' if at else ''}"


def _short(name: str) -> str:
    path = Path(name)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else "/".join(path.parts[-2:])


def defect(error: BaseException, work: str) -> str:
    """Log a failure that is no visitor's mistake: the reference under which the log has it."""
    reference = secrets.token_hex(4)
    LOG.error("defect %s in %s: %s", reference, work, places(error))
    return reference


class _OneLine(logging.Formatter):
    """Lines without messages of exceptions, whoever logs them."""

    def formatException(self, ei: Any) -> str:
        return places(ei[1]) if ei[1] is not None else ""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).split())


class _Traceback(ModuleType):
    """The part of `traceback` that Gradio prints with, as one line."""

    def __init__(self) -> None:
        super().__init__("traceback")

    def print_exc(self, *_: Any, **__: Any) -> None:
        error = sys.exception()
        if error is not None:
            defect(error, "Gradio")

    def __getattr__(self, name: str) -> Any:
        return getattr(traceback, name)


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    """A warning without its words, as one may list the inputs that it is about."""
    LOG.warning("%s at %s:%s", category.__name__, _short(filename), lineno)


def quiet_logs() -> None:
    """Let this process log in such lines alone, on the error stream: Gradio's and the web server's
    own tracebacks too, since the message of an exception can quote what was sent."""
    import gradio.queueing
    import gradio.route_utils
    import gradio.routes

    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine("%(name)s %(levelname)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    warnings.showwarning = _warned
    for module in (gradio.queueing, gradio.route_utils, gradio.routes):
        module.traceback = _Traceback()  # type: ignore[attr-defined]
