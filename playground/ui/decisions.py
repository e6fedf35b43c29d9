"""The Decisions screen: records decided by heads or scored option by option, beside generation."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import Any

import gradio as gr

from playground.errors import PlaygroundError
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground
from playground.ui.decisions_asked import (
    Asked,
    Check,
    Decide,
    Evaluate,
    Explain,
    Score,
    Table,
    Train,
    asked_task,
)
from playground.ui.decisions_page import page_props
from playground.ui.decisions_work import DecisionsWork
from playground.ui.inputs import text_of
from playground.ui.opening import MAX_OPENING
from playground.ui.screen import mount_script
from playground.ui.streaming import RUN_SECONDS, Lane, Streaming, refused

MODEL = "smollm2"
"""Whose states heads read."""
GIVEN = "server, page: plain(first), ask: (what) => trigger('run', what)"
Make = Callable[[Callable[[], bool]], Iterator[Document]]
"""Makes the documents of a task; what it is given asks whether to end."""
SECONDS = {"quick": RUN_SECONDS, "long": RUN_SECONDS, "study": 3600.0}
"""Longest task of each lane; it then ends as if stopped, so that a page left open doesn't hold its
place."""
TOY = "toy:two-step"
"""Named where a task needs no model, so that none is loaded."""


def decisions_view(streaming: Streaming) -> gr.HTML:
    """The screen; it is useful before any run by what was recorded."""
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=mount_script("decisions", GIVEN, first="server.decisions_page({})"),
        apply_default_css=False,
        elem_id="decisions",
        notice=None,
        server_functions=[streaming.stop, decisions_page],
    )


def decisions_page(_: Any) -> Document:
    """Server function: what the screen opens with. Not a prop, which would be made at start-up."""
    return page_props()


def lane_of(task: Asked) -> Lane:
    """Where a task waits: what takes a moment never behind what takes minutes."""
    if isinstance(task, Train | Evaluate | Table):
        return "study"
    return "long" if isinstance(task, Score | Explain) else "quick"


def within(seconds: float, make: Make) -> Make:
    """`make`, told to end once it has run so long; its last document then holds `limit`, the
    seconds."""

    def timed(cancelled: Callable[[], bool]) -> Iterator[Document]:
        latest, late = time.monotonic() + seconds, False

        def ends() -> bool:
            nonlocal late
            late = late or (time.monotonic() > latest and not cancelled())
            return late or cancelled()

        last: Document = {}
        for last in make(ends):
            yield {**last, "limit": seconds} if late else last
        if late and last:
            yield {**last, "limit": seconds}

    return timed


def wire_decisions(playground: Playground, streaming: Streaming, view: gr.HTML) -> None:
    """Let the screen run its tasks: it tells `{"run": its name, "task": a task}`."""
    work = DecisionsWork(playground, MODEL)

    def made(task: Asked) -> Make:
        match task:
            case Check():
                return lambda cancelled: work.check(task)
            case Train():
                return lambda cancelled: work.train(task, cancelled)
            case Decide():
                return lambda cancelled: work.decide(task)
            case Score():
                return lambda cancelled: work.score(task, cancelled)
            case Explain():
                return lambda cancelled: work.explain(task, cancelled)
            case Evaluate():
                return lambda cancelled: work.evaluate(task, cancelled)
            case Table():
                return lambda cancelled: work.table(task, cancelled)

    async def run(event: gr.EventData, request: gr.Request) -> AsyncIterator[gr.HTML]:
        told = event._data if isinstance(event._data, dict) else {}
        name, session = text_of(told, "run"), request.session_hash or ""
        try:
            task = await asyncio.to_thread(
                asked_task, {key: value for key, value in told.items() if key != "run"}
            )
        except PlaygroundError as error:
            yield refused(name, error)
            return
        model = ProblemSpec(model=TOY if isinstance(task, Check) else MODEL)
        lane = lane_of(task)
        make = within(SECONDS[lane], made(task))
        # A visitor's run here ends the one before it here, never their study or search elsewhere.
        owner = f"decisions {session}" if session else ""
        updates = streaming.lead(model, name, make, lane, owner)
        async with aclosing(updates) as told_updates:
            async for update in told_updates:
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
