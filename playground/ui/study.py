"""The Study screen: methods over many prompts, run in the page's own time and kept on the server."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import Any

import gradio as gr

from playground.errors import PlaygroundError
from playground.problem import ProblemSpec
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.inputs import asked, path_of, text_of
from playground.ui.opening import MAX_OPENING, Opening
from playground.ui.rail import Rail
from playground.ui.rail_values import FIELDS, KINDS, OWN, values_of
from playground.ui.screen import mount_script
from playground.ui.stage import notice
from playground.ui.streaming import Streaming, refused
from playground.ui.study_asked import MOST_TEXT
from playground.ui.study_calls import study_calls
from playground.ui.study_documents import labels_document
from playground.ui.study_experiments import asked_experiment
from playground.ui.study_runs import SWEEPS, StudyRuns

TELL = """const tell = {
  run: (what) => trigger('run', what),
  rail: () => trigger('take_rail', {}),
  step: (what) => trigger('open_step', what),
};"""
"""What the screen asks of the server's events."""
TAKEN = """(...values) => {
  const names = %s;
  window.playgroundScreens?.study?.rail(
    Object.fromEntries(names.map((name, at) => [name, values[at]])));
  return [];
}"""
"""Hands the rail's values to the screen."""


def study_view(playground: Playground, streaming: Streaming, runs: StudyRuns) -> gr.HTML:
    """The screen, empty until it is shown."""
    page = {
        "labels": labels_document(),
        "models": [
            *(name for name in playground.hub.names() if not name.startswith("toy:")),
            *(name for name in playground.hub.names() if name.startswith("toy:")),
        ],
        "kinds": dict(KINDS),
        "most_text": MOST_TEXT,
        "sweeps": {name: list(values) for name, values in SWEEPS.items()},
    }
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=mount_script("study", "server, tell, page: plain(props.page)", before=TELL),
        apply_default_css=False,
        elem_id="study",
        page=page,
        notice=None,
        server_functions=[
            streaming.stop,
            *study_calls(runs),
        ],
    )


def wire_study(
    playground: Playground,
    opening: Opening,
    streaming: Streaming,
    runs: StudyRuns,
    view: gr.HTML,
    preset: gr.Dropdown,
    rail: Rail,
    stage: gr.HTML,
) -> Any:
    """Let the screen run studies, take the rail's constraint, and open Step, where `preset` then
    shows that the problem is the visitor's.

    It tells `{"run": its name, "spec": StudySpec, "own": own prompts or null}` for a new study, or
    `{"run", "id"}` for one that goes on, with `"sweep"`, a key of SWEEPS, for q at other
    values of it, or `{"run", "experiment": {"name", "model", "n", "seed"}}`.

    Returns:
        Gradio's event of that opening, for what cancels it.
    """

    def work(
        told: Document, session: str
    ) -> tuple[str, Callable[[Callable[[], bool]], Iterator[Document]]]:
        """The model of a request, and what makes its documents."""
        if "experiment" in told:
            what = asked_experiment(playground, told["experiment"])
            return what.model, lambda cancelled: runs.experiment(what, cancelled)
        key, spec = runs.begin(told, session)
        over = text_of(told, "sweep")
        if over in SWEEPS:
            return spec.model, lambda cancelled: runs.sweep(spec, over, SWEEPS[over], cancelled)
        return spec.model, lambda cancelled: runs.go(key, spec, cancelled)

    async def run(event: gr.EventData, request: gr.Request) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, session = text_of(told, "run"), request.session_hash or ""
        try:
            # Aside: a large file or text takes more than a moment to read.
            named, make = await asyncio.to_thread(work, told, session)
        except PlaygroundError as error:
            yield refused(name, error)
            return

        model = ProblemSpec(model=named)
        async with aclosing(streaming.lead(model, name, make, "study", session)) as updates:
            async for update in updates:
                yield update

    view.run(
        run,
        None,
        view,
        show_progress="hidden",
        trigger_mode="multiple",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
    view.take_rail(None, rail.named(), None, js=TAKEN % list(FIELDS))

    async def open_step(event: gr.EventData) -> AsyncIterator[list[Any]]:
        still = [gr.skip()] * (1 + len(FIELDS))
        told = event._data if isinstance(event._data, dict) else {}
        try:
            spec, path = asked(playground, told), path_of(told)
        except PlaygroundError as error:
            yield [*still, notice(error=error_document(error))]
            return
        shown: list[Any] = [OWN, *values_of(spec)]
        async for update in opening.run(spec, path=path):
            yield [*shown, update]
            shown = still

    return view.open_step(
        open_step,
        None,
        [preset, *rail.named(), stage],
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
