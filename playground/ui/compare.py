"""The Compare screen: methods side by side on the rail's problem. Its numbers come from `proofs`."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import gradio as gr
from pydantic import ValidationError

from playground.compare import CompareSpec
from playground.decoding.methods import METHODS
from playground.errors import PlaygroundError
from playground.opened import Opened
from playground.page import problem_document
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import asked, text_of
from playground.ui.rail import Rail
from playground.ui.rail_values import document_of
from playground.ui.screen import screen_view, wire_runs
from playground.ui.streaming import Streaming, refused
from playground.views.compare import comparison_templates


def compare_view(playground: Playground, streaming: Streaming) -> gr.HTML:
    """The screen, empty until a run is asked for."""
    methods = [
        {
            "name": name,
            "title": method.title,
            "law": method.law,
            "target": method.target,
            "exact": method.exact,
            "weighted": method.weighted,
        }
        for name, method in METHODS.items()
    ]
    figures = comparison_templates()
    return screen_view(playground, streaming, "compare", methods=methods, figures=figures)


def compare_spec(document: Any) -> CompareSpec:
    """What to compare, as a browser says it.

    Raises:
        InvalidInput: naming the field, what is wrong with it and its value.
    """
    try:
        return CompareSpec.model_validate(document)
    except ValidationError as error:
        raise invalid(error) from None


def wire_compare(
    playground: Playground, streaming: Streaming, view: gr.HTML, rail: Rail, toy: gr.JSON
) -> None:
    """Let the screen ask for runs of what the rail holds.

    It tells `{"run": its name, "spec": CompareSpec}`; with `"look": True` and `"shown"`, the problem
    document that it shows, it only asks whether that is still the rail's: a toy is then run anew,
    of a model it is said that the numbers are another problem's.
    """

    async def run(
        event: gr.EventData, request: gr.Request, edited: Any, *values: Any
    ) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, problem = text_of(told, "run"), document_of(values, edited)
        still = {"run": name, "serial": 1, "progress": None, "error": None, "running": False}
        try:
            spec = asked(playground, {"problem": problem})
            fits = problem_document(spec) == told.get("shown")
            if told.get("look") and (fits or not spec.on_toy):
                yield gr.HTML(notice={**still, "fits": fits, "real": not spec.on_toy})
                return
            what = compare_spec(told.get("spec"))
        except PlaygroundError as error:
            yield refused(name, error)
            return

        def work(opened: Opened, cancelled: Callable[[], bool]) -> Iterator[Document]:
            return playground.proofs.compare(opened, what, cancelled)

        session = request.session_hash or ""
        async for update in streaming.run(problem, name, work, session=session):
            yield update

    wire_runs(run, view, rail, toy)
