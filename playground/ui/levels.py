"""The Levels screen: asking, asking with the first token given, retrying and constraining side by
side on the same prompts, with what each costs and does to the distribution."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import gradio as gr

from playground.errors import PlaygroundError
from playground.models.turns import Turns
from playground.opened import Opened
from playground.page import problem_document
from playground.record import Document
from playground.session import Playground
from playground.study.items import SETS
from playground.study.levels import LADDER, MS_PER_STEP
from playground.ui.inputs import asked, failure_document, path_of, text_of
from playground.ui.levels_run import levels_documents
from playground.ui.levels_study import RAIL, first_problem, levels_spec, study_spec
from playground.ui.opening import MAX_OPENING
from playground.ui.rail import Rail
from playground.ui.rail_values import FIELDS, OWN, document_of, values_of
from playground.ui.screen import mount_script, wire_runs
from playground.ui.stage import page
from playground.ui.streaming import Streaming, refused

GIVEN = """server, page: plain(props.page),
      ask: (what) => trigger('run', what), open: (what) => trigger('open_problem', what)"""
"""What the screen's script is given."""


def page_props() -> Document:
    """What the screen opens with."""
    return {
        "rail": RAIL,
        "sets": [
            {"name": each.name, "title": each.title, "about": each.about} for each in SETS.values()
        ],
        "ladder": list(LADDER),
        "ms_per_step": MS_PER_STEP,
    }


def levels_view(streaming: Streaming) -> gr.HTML:
    """The screen, empty until a run is asked for."""
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=mount_script("levels", GIVEN),
        apply_default_css=False,
        elem_id="levels",
        page=page_props(),
        notice=None,
        server_functions=[streaming.stop],
    )


def wire_levels(
    playground: Playground,
    streaming: Streaming,
    view: gr.HTML,
    rail: Rail,
    toy: gr.JSON,
    preset: gr.Dropdown,
    stage: gr.HTML,
) -> None:
    """Let the screen ask for runs, and open a problem in the rail and on the stage.

    `run` tells `{"run": its name, "spec": LevelsSpec}`; with `"look": True` and `"shown"`, the
    problem document that it shows, it only asks whether that is still the rail's. `open_problem`
    tells `{"run", "problem", "path"}`.
    """
    turns = {True: Turns(), False: Turns()}  # by whether the model is a toy

    async def run(
        event: gr.EventData, request: gr.Request, edited: Any, *values: Any
    ) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, problem = text_of(told, "run"), document_of(values, edited)
        still = {"run": name, "serial": 1, "progress": None, "error": None, "running": False}
        try:
            own = asked(playground, {"problem": problem})
            if told.get("look") is True:
                fits = problem_document(own) == told.get("shown")
                yield gr.HTML(notice={**still, "fits": fits, "real": not own.on_toy})
                return
            spec = study_spec(playground, levels_spec(told.get("spec")), own)
            first = first_problem(spec, own)
        except PlaygroundError as error:
            yield refused(name, error)
            return

        def work(opened: Opened, cancelled: Any) -> Iterator[Document]:
            return levels_documents(playground, spec, opened, cancelled, turns[opened.toy])

        session = request.session_hash or ""
        async for update in streaming.run(first.model_dump(), name, work, session=session):
            yield update

    wire_runs(run, view, rail, toy)

    async def open_problem(event: gr.EventData) -> list[Any]:
        told = event._data if isinstance(event._data, dict) else {}
        still = [gr.skip()] * (2 + len(FIELDS))
        try:
            spec = asked(playground, told)
            document = await asyncio.to_thread(playground.replay, spec, path_of(told))
        except Exception as error:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            card = failure_document(error, "opening")
            news = {"opening": text_of(told, "run"), "error": card}
            return [*still, gr.HTML(notice=news)]
        return [OWN, *values_of(spec), page(document), gr.skip()]

    view.open_problem(
        open_problem,
        None,
        [preset, *rail.named(), stage, view],
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
