"""Where a visitor's input meets the rooms below: the only place that catches PlaygroundError."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from fastapi import Response
from gradio.routes import ORJSONResponse

from playground.errors import InvalidInput, PlaygroundError
from playground.problem import MAX_PROMPT, ProblemSpec, parse_problem
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.quiet import defect

MAX_PATH = 1024
"""Longest path accepted from a browser, tokens."""


def failure_document(error: Exception, work: str) -> Document:
    """The card for whatever ended `work`: in words where the input was the cause; for a defect of
    ours a reference, under which the log says where it happened."""
    if isinstance(error, PlaygroundError):
        return error_document(error)
    reference = defect(error, work)
    return {
        "what": "Something broke on the server.",
        "where": f"reference {reference}",
        "hint": "What is on screen stays. Try again, or try another example.",
        "line": None,
        "column": None,
    }


def guarded(answer: Callable[[], Document]) -> Document:
    """The answer, or `{"error": card}`."""
    try:
        return answer()
    except Exception as error:  # noqa: BLE001 - the outermost boundary: told and logged there
        return {"error": failure_document(error, "request")}


def asked(playground: Playground, payload: Any) -> ProblemSpec:
    """The problem of a visitor's request: well formed, and on a model of the operator's list.

    Raises:
        PlaygroundError: it isn't.
    """
    spec = parse_problem(payload.get("problem") if isinstance(payload, dict) else None)
    if spec.toy is None:
        playground.hub.require(spec.model)
    return spec


def path_of(payload: Document) -> tuple[int, ...]:
    """The token path of a request; whether its ids can be walked is seen where they are.

    Raises:
        InvalidInput: it is no list of whole numbers, or too long.
    """
    path = payload.get("path", [])
    if (
        not isinstance(path, list)
        or len(path) > MAX_PATH
        or not all(type(token) is int for token in path)
    ):
        raise InvalidInput(
            f"The path must be a list of at most {MAX_PATH:,} token ids.",
            "Reload the page.",
            "path",
        )
    return tuple(path)


def text_of(payload: Document, key: str) -> str:
    """A text field of a request."""
    value = payload.get(key, "")
    return value if isinstance(value, str) else ""


def sent(call: Callable[[Any], Document]) -> Callable[[Any], Response]:
    """The same server function, whose document is written as JSON by the thread that made it: FastAPI
    would visit every number of it on the event loop, at a higher cost than a step's own."""

    @wraps(call)
    def answer(payload: Any) -> Response:
        return ORJSONResponse(call(payload))

    return answer


def server_functions(playground: Playground, *names: str) -> list[Callable[[Any], Document]]:
    """The calls that a screen makes, by name: each takes one JSON object and returns one. All of
    them, or those named."""

    def advance(payload: Any) -> Document:
        return guarded(
            lambda: playground.advance(
                asked(playground, payload), path_of(payload), payload.get("action")
            )
        )

    def replay(payload: Any) -> Document:
        return guarded(lambda: playground.replay(asked(playground, payload), path_of(payload)))

    def follow(payload: Any) -> Document:
        return guarded(
            lambda: playground.follow(asked(playground, payload), text_of(payload, "text"))
        )

    def find(payload: Any) -> Document:
        return guarded(
            lambda: playground.find(
                asked(playground, payload), path_of(payload), text_of(payload, "query")[:200]
            )
        )

    def ghost(payload: Any) -> Document:
        return guarded(
            lambda: playground.ghost(
                asked(playground, payload), path_of(payload), payload.get("token")
            )
        )

    def graph(payload: Any) -> Document:
        return guarded(lambda: playground.graph(asked(playground, payload), path_of(payload)))

    def exact(payload: Any) -> Document:
        return guarded(lambda: playground.exact(asked(playground, payload), path_of(payload)))

    def again(payload: Any) -> Document:
        return guarded(lambda: playground.again(asked(playground, payload), path_of(payload)))

    def tokenisations(payload: Any) -> Document:
        return guarded(
            lambda: playground.tokenisations(
                asked(playground, payload), text_of(payload, "text")[:MAX_PROMPT]
            )
        )

    calls = (advance, replay, follow, find, ghost, graph, exact, again, tokenisations)
    return [call for call in calls if not names or call.__name__ in names]
