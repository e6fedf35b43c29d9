"""Two laws side by side, asked by a screen: healing of the prompt's end, or an edit's two constraints."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import gradio as gr

from playground.errors import InvalidInput, PlaygroundError
from playground.opened import Opened
from playground.problem import ProblemSpec, parse_problem
from playground.proofs import BETWEEN
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.inputs import text_of
from playground.ui.rail_values import document_of
from playground.ui.streaming import Streaming, Work

KINDS = ("heal", "between")
"""What a screen may ask for."""


def sides_of(problem: Document, kind: str, told: Document) -> tuple[Document, ProblemSpec]:
    """The left problem's document, and the right problem.

    Args:
        problem: the problem document that the rail spells.
        kind: `heal`: the prompt as it is, and with its last token rewritten; `between`: the two
            constraints `told["left"]` and `told["right"]`, as constraint documents.
        told: what the browser asks.

    Raises:
        InvalidInput: a constraint is no document, or out of bounds.
    """
    if kind == "heal":
        left = {**problem, "heal": False}
        return left, parse_problem({**problem, "heal": True})
    for side in ("left", "right"):
        if not isinstance(told.get(side), dict):
            raise InvalidInput(f"There is no constraint on the {side}.", "Reload the page.", side)
    left = {**problem, "constraint": told["left"]}
    return left, parse_problem({**problem, "constraint": told["right"]})


def between_work(
    playground: Playground, problem: Document, kind: str, told: Document
) -> tuple[Document, Work]:
    """What to give `Streaming.run`: the problem to open, and the work on it. `told["more"]` goes
    on where the last run has ended, whatever is closed by then.

    Raises:
        InvalidInput: as `sides_of`.
    """
    left, other = sides_of(problem, kind, told)
    budget = replace(BETWEEN, tolerance=0.0) if told.get("more") is True else BETWEEN

    def work(opened: Opened, cancelled: Callable[[], bool]) -> Iterator[Document]:
        right = playground.open(other, cancelled=cancelled)
        return playground.proofs.between(opened, right, cancelled, budget)

    return left, work


def between_run(
    playground: Playground, streaming: Streaming
) -> Callable[..., AsyncIterator[gr.HTML]]:
    """For `screen.wire_runs` of a screen that asks for nothing else: it tells `{"run": its name,
    "kind": one of KINDS, "left", "right", "more"}` beside the rail's model, prompt and sampling."""

    async def run(
        event: gr.EventData, request: gr.Request, edited: Any, *values: Any
    ) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, kind = text_of(told, "run"), text_of(told, "kind")
        still = {"run": name, "progress": None, "running": False}
        try:
            if kind not in KINDS:
                raise InvalidInput(
                    f"There is nothing called {kind[:40]!r} to run.", "Reload the page.", "kind"
                )
            problem, work = between_work(playground, document_of(values, edited), kind, told)
        except PlaygroundError as error:
            yield gr.HTML(notice={**still, "error": error_document(error)})
            return
        session = request.session_hash or ""
        async for update in streaming.run(problem, name, work, quick=True, session=session):
            yield update

    return run
