"""The Squeezing screen: where the rail's problem loses its mass, what the mask makes of it, and
ways back. Its numbers come from `proofs`."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Any

import gradio as gr

from playground.compare import CompareSpec
from playground.decoding.methods import METHODS
from playground.errors import InvalidInput, PlaygroundError
from playground.opened import Opened
from playground.page import problem_document
from playground.problem import ProblemSpec
from playground.proofs import FLOW
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.between import KINDS as BETWEEN_KINDS
from playground.ui.between import between_work
from playground.ui.inputs import asked, text_of
from playground.ui.rail import Rail
from playground.ui.rail_values import document_of
from playground.ui.screen import screen_view, wire_runs
from playground.ui.streaming import Streaming, Work
from playground.views.squeezing import sweep_templates

WAYS = ("importance", "smc", "rejection", "cars", "conditional")
"""The methods of the strip "Fix it"."""
DRAWS_TOY, DRAWS_LIVE = 200, 40
"""Draws that a way back makes."""
QUICK = ("flow", "sweep", *BETWEEN_KINDS)
"""The kinds that take seconds: none ends another."""
WAY_ROWS, WAY_SECONDS = 64, 2.0
"""What a way back lets the search read first; the screen has grown the tree already."""
VALUES = {
    "temperature": (0.25, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0),
    "top_p": (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0),
}
"""Where a sweep looks, beside the rail's own value."""


def squeezing_view(playground: Playground, streaming: Streaming) -> gr.HTML:
    """The screen, empty until its tab is opened."""
    figures = {"sweep": sweep_templates()}
    return screen_view(playground, streaming, "squeezing", methods=None, figures=figures)


def sweep_values(spec: ProblemSpec, parameter: str) -> list[float]:
    """Where a sweep of `parameter` looks: the usual values and the problem's own.

    Raises:
        InvalidInput: there is no such sweep.
    """
    if parameter not in VALUES:
        raise InvalidInput(
            f"There is no sweep of {parameter[:40]!r}.", "Choose temperature or top_p.", "sweep"
        )
    own = float(getattr(spec.sampling, parameter))
    return sorted({*VALUES[parameter], *([own] if own > 0 else [])})


def work_of(playground: Playground, spec: ProblemSpec, kind: str, told: Document) -> Work:
    """What a browser asks for: the flow, one of WAYS, or a sweep.

    Raises:
        InvalidInput: it is none of them.
    """
    proofs = playground.proofs
    if kind == "flow":
        budget = replace(FLOW, tolerance=0.0) if told.get("more") is True else FLOW
        return lambda opened, cancelled: proofs.squeezing(opened, cancelled, budget)
    if kind in WAYS and kind in METHODS:
        n = DRAWS_TOY if spec.on_toy else DRAWS_LIVE
        what = CompareSpec(methods=(kind,), n=n, rows=WAY_ROWS, seconds=WAY_SECONDS)
        return lambda opened, cancelled: proofs.compare(opened, what, cancelled)
    if kind == "sweep":
        parameter = text_of(told, "parameter")
        values = sweep_values(spec, parameter)

        def sweep(opened: Opened, cancelled: Callable[[], bool]) -> Iterator[Document]:
            return proofs.sweep(playground.open, opened.spec, parameter, values, cancelled)

        return sweep
    raise InvalidInput(f"There is nothing called {kind[:40]!r} to run.", "Reload the page.", "kind")


def wire_squeezing(
    playground: Playground, streaming: Streaming, view: gr.HTML, rail: Rail, toy: gr.JSON
) -> None:
    """Let the screen ask for runs of what the rail holds.

    It tells `{"run": its name, "kind": "flow", a way, "sweep", or one of `between.KINDS`}`; a flow
    with `"auto": True` runs at once on a toy, and on a model only says `idle`, with the problem
    that would be run; one with `"more": True` goes on where the last one has ended, whatever is
    closed by then.
    """

    async def run(
        event: gr.EventData, request: gr.Request, edited: Any, *values: Any
    ) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, kind = text_of(told, "run"), text_of(told, "kind")
        problem = document_of(values, edited)
        still = {"run": name, "progress": None, "error": None, "running": False}
        try:
            spec = asked(playground, {"problem": problem})
            if kind == "flow" and told.get("auto") is True and not spec.on_toy:
                idle = {"idle": True, "problem": problem_document(spec)}
                yield gr.HTML(value={"run": name, "serial": 1, "document": idle}, notice=still)
                return
            if kind in BETWEEN_KINDS:
                problem, work = between_work(playground, problem, kind, told)
            else:
                work = work_of(playground, spec, kind, told)
        except PlaygroundError as error:
            yield gr.HTML(notice={**still, "error": error_document(error)})
            return
        session = request.session_hash or ""
        async for update in streaming.run(
            problem, name, work, quick=kind in QUICK, session=session
        ):
            yield update

    wire_runs(run, view, rail, toy)
