"""The work of a compiling child: read a request, answer it, die at the limits.

Request: one JSON object. Answer: one line of JSON, then the bytes that it announces. A crash of
outlines_core (it aborts when memory runs out) or a limit ends this process and no other.
"""

import importlib
import json
import os
import resource
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from playground import errors
from playground.constraints.limits import Limits


def limit(limits: Limits) -> None:
    """Bind this process to `limits`, so that it ends even if its parent is gone."""
    space = limits.megabytes * 2**20
    if sys.platform == "linux":  # macOS refuses to limit the address space
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    seconds = int(limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)  # steps of other visitors come first


WORK: Mapping[str, str] = {
    "bytes": "work_bytes",
    "outlines": "work_outlines",
    "takeaway": "work_takeaway",
    "judge": "work_judge",
    "tokenizer": "work_tokenizer",
    "witness": "work_witness",
    "xgrammar": "work_pushdown",
    "llguidance": "work_pushdown",
}
"""A request's `engine` -> the module of this folder whose `work(request, limits)` answers it."""


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """The head and the payload of the answer to `request`; imports what its engine needs only."""
    module = importlib.import_module(f"playground.constraints.{WORK[request['engine']]}")
    answer: tuple[dict[str, Any], bytes] = module.work(request, limits)
    return answer


def main(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer the one request."""
    request = json.loads(requests.read())
    limits = Limits(**request["limits"])
    limit(limits)
    payload = b""
    try:
        head, payload = work(request, limits)
    except errors.PlaygroundError as error:
        head = {"error": error_document(error)}
    except (MemoryError, RecursionError) as error:
        head = {"crash": type(error).__name__}
    answers.write(json.dumps(head).encode() + b"\n" + payload)
    answers.flush()


def error_document(error: errors.PlaygroundError) -> dict[str, Any]:
    """An error as JSON."""
    return {
        "class": type(error).__name__,
        "what": error.what,
        "hint": error.hint,
        "where": error.where,
        "line": error.line,
        "column": error.column,
    }


def error_from(document: dict[str, Any]) -> errors.PlaygroundError:
    """The error that `error_document` wrote."""
    fields = dict(document)
    kind = getattr(errors, fields.pop("class"))
    assert issubclass(kind, errors.PlaygroundError), kind
    error: errors.PlaygroundError = kind(**fields)
    return error
