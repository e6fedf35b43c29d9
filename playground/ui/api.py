"""Endpoints for programs: named, typed and documented, for `gradio_client` and, by a flag, for MCP.

Every other event of the page is private. That hides them, and guards nothing: each checks what it is
sent, and so does every endpoint here.

A document goes out as JSON text, as the command line prints it: Gradio and its client take any object
with a key `path` for a file, and a visitor's record may well have one.
"""

import asyncio
import inspect
import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gradio as gr
from gradio.components.api_component import Api
from gradio.events import api
from pydantic.fields import FieldInfo

from playground.errors import BudgetExceeded, Busy, Cancelled, PlaygroundError
from playground.problem import ProblemSpec
from playground.proofs import Cancel
from playground.record import Document, spellable
from playground.session import Playground
from playground.ui.api_asked import read
from playground.ui.api_calls import Endpoint, endpoints
from playground.ui.inputs import failure_document
from playground.ui.streaming import loading

PLACES = 2
"""Calls of programs at one time, of all of them together. The page has threads of its own, so that no
script takes a visitor's place; the model serves whoever asks in turn."""
MOST_WAITING = 30
"""Calls that wait for a place; one more is refused at once, in words."""
SECONDS = 90.0
"""Longest call once it has its place, and longest wait for a model to load."""


RETURNS = "one strict JSON document as text"


class Programs:
    """The calls of all programs: few at a time, bounded in time, and in threads of their own."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.pool = ThreadPoolExecutor(max_workers=PLACES, thread_name_prefix="program")
        self.under_way = 0
        """Calls that run or wait."""

    async def answer(self, endpoint: Endpoint, given: Document) -> Document:
        """The document of one call.

        Raises:
            PlaygroundError: what can't be used, or which bound was met.
        """
        if self.under_way >= PLACES + MOST_WAITING:
            raise Busy("Too many programs are asking.", "Ask again in a moment.")
        self.under_way += 1
        stop = threading.Event()
        try:
            arguments = read(endpoint.arguments, given)
            prepared = await asyncio.to_thread(endpoint.prepare, arguments)
            if prepared.spec is not None:
                await self._loaded(prepared.spec)
            running = self.pool.submit(timed, prepared.work, stop)
            try:
                found: Document = spellable(await asyncio.wrap_future(running))
                return found
            finally:
                running.cancel()
        finally:
            stop.set()
            self.under_way -= 1

    async def _loaded(self, spec: ProblemSpec) -> None:
        try:
            async with asyncio.timeout(SECONDS):
                async for _ in loading(self.playground, spec):
                    pass
        except TimeoutError:
            raise Busy(f"{spec.model} is still loading.", "Ask again in a minute.") from None


def timed(work: Callable[[Cancel], Document], stop: threading.Event) -> Document:
    """What `work` gives, told to end after SECONDS or once `stop` is set.

    Raises:
        BudgetExceeded: it had nothing to give by then.
    """
    latest = time.monotonic() + SECONDS
    try:
        return work(lambda: stop.is_set() or time.monotonic() > latest)
    except Cancelled:
        if stop.is_set():
            raise
        raise BudgetExceeded(
            f"The call took more than {SECONDS:.0f} seconds.",
            "Ask for less: fewer tokens or draws.",
        ) from None


def words_of(error: Exception) -> str:
    """An error as one line: in words, or a reference under which the log has the details."""
    if isinstance(error, PlaygroundError):
        return " ".join(str(error).split())
    card = failure_document(error, "call")
    return f"{card['what']} ({card['where']})"


def function_of(endpoint: Endpoint, programs: Programs) -> Callable[..., Any]:
    """The function that Gradio serves: its signature, types, defaults and docstring are the endpoint's."""
    fields, names = endpoint.arguments.model_fields, ordered(endpoint)

    async def call(*values: Any) -> str:
        try:
            found = await programs.answer(endpoint, dict(zip(names, values, strict=True)))
            return json.dumps(found, allow_nan=False)
        except Exception as error:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            raise gr.Error(words_of(error), print_exception=False) from None

    hints = {name: fields[name].annotation for name in names}
    call.__name__ = call.__qualname__ = endpoint.name
    call.__doc__ = "\n".join(
        [
            endpoint.about,
            "",
            "Args:",
            *(f"    {name}: {fields[name].description}" for name in names),
        ]
    )
    call.__annotations__ = {**hints, "return": str}
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [_parameter(name, fields[name]) for name in names], return_annotation=str
    )
    return call


def ordered(endpoint: Endpoint) -> list[str]:
    """The arguments' names as Gradio passes them, by position: those without a default come first."""
    fields = endpoint.arguments.model_fields
    return sorted(fields, key=lambda name: not fields[name].is_required())


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.is_required() else field.get_default()
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(name, kind, default=default, annotation=field.annotation)


def named_endpoints(demo: gr.Blocks, playground: Playground) -> None:
    """Serve the endpoints; called inside `demo`."""
    programs = Programs(playground)
    for endpoint in endpoints(playground):
        served = api(
            function_of(endpoint, programs),
            api_name=endpoint.name,
            # They wait here, bounded, not in the queue that the page's events share.
            concurrency_limit=None,
        )
        fields, served_by = endpoint.arguments.model_fields, demo.fns[served["id"]]
        for name, block in zip(ordered(endpoint), served_by.inputs, strict=True):
            describe(block, name, fields[name].description or "")
        describe(served_by.outputs[0], "document", RETURNS)


def describe(block: object, label: str, words: str) -> None:
    """Let `/gradio_api/info` say what an argument or an answer of an endpoint is."""
    assert isinstance(block, Api)
    block.label = label
    block._api_info = {**block._api_info, "additional_description": words}
