"""Documents that grow: an iterator run in a thread, whose newest document goes to the page."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import aclosing
from itertools import count
from typing import Any, Literal, get_args

import gradio as gr

from playground.errors import Cancelled, PlaygroundError
from playground.models.server import is_served
from playground.opened import Opened
from playground.problem import ProblemSpec
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.inputs import asked, failure_document, text_of
from playground.ui.stopping import CARD, STOPPING

MAX_RUNS = 8
"""Runs at one time of all visitors, in each lane; the others wait. The models are shared, so more
gain nothing; what takes a moment never waits for what takes minutes."""
Lane = Literal["quick", "long", "study"]
"""What takes seconds, minutes, or many minutes in pieces that let others in between."""
LANES: tuple[Lane, ...] = get_args(Lane)
RUN_SECONDS = 300.0
"""Longest run; it then ends as if stopped, so that a page left open doesn't hold its place."""
MAX_KEY = 64
"""Longest name of a run accepted from a browser, characters."""
POLL = 0.25
"""Seconds between two looks at how far a model has come."""

Work = Callable[[Opened, Callable[[], bool]], Iterator[Document]]
"""Makes the documents of an opened problem, each of them whole; the second argument asks whether to
end, and an ended iterator gives a last document with what it has."""


async def loading(playground: Playground, spec: ProblemSpec) -> AsyncIterator[tuple[str, float]]:
    """Words and fraction each time that the model of `spec` has come further; ends when it is there.

    Raises:
        ModelUnavailable: it can't be loaded.
    """
    if spec.on_toy or is_served(spec.model):
        return
    if playground.hub.status(spec.model).state in ("absent", "failed"):
        playground.prepare(spec.model)
    told: tuple[str, float] | None = None
    while (status := playground.hub.status(spec.model)).state == "loading":
        now = (f"Loading {spec.model}: {status.stage}", round(status.done, 2))
        if now != told:
            told = now
            yield now
        await asyncio.sleep(POLL)
    if status.error is not None:
        raise status.error


async def stream(
    pool: Executor,
    make: Callable[[Callable[[], bool]], Iterator[Document]],
    stop: threading.Event,
) -> AsyncIterator[Document]:
    """The documents of `make` as they come, made in a thread of `pool`; where the page is slower
    than they are, only the newest. The last one always comes. Leaving early sets `stop`.

    Args:
        pool: where the iterator runs.
        make: makes the iterator from a function that says whether to end.
        stop: set it to end; what the iterator then still gives is passed on.

    Raises:
        Exception: what the iterator raised, after the documents before it.
    """
    loop = asyncio.get_running_loop()
    told = asyncio.Event()
    newest: deque[Document] = deque(maxlen=1)

    def work() -> None:
        for document in make(stop.is_set):
            newest.append(document)
            loop.call_soon_threadsafe(told.set)

    running = asyncio.wrap_future(pool.submit(work))
    running.add_done_callback(lambda _: told.set())
    try:
        ended = False
        while not ended:
            await told.wait()
            told.clear()
            # In this order: what has ended gives nothing more, so that its last one is in hand.
            ended = running.done()
            if newest:
                yield newest.popleft()
        running.result()
    finally:
        stop.set()
        running.cancel()


def _stopped() -> Document:
    """What the last notice of a run says besides, where the process is ending."""
    return {"error": CARD} if STOPPING.begun else {}


def refused(name: str, error: PlaygroundError) -> gr.HTML:
    """The one notice of the run `name`, which doesn't begin: its card."""
    told = {"run": name, "serial": 1, "progress": None, "running": False}
    return gr.HTML(notice={**told, "error": error_document(error)})


class Streaming:
    """The runs of every visitor, by the name that their browser gave them, and what ends them.

    A screen's gr.HTML gets `value` = {"run": name, "serial": n, "document": the newest} and
    `notice` = {"run": name, "serial": n, "progress": {"words", "done": 0..1 or null} or null,
    "error": card or null, "running": bool}; serials grow, since Gradio tells of old values again.
    Its server functions hold `stop`.
    """

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.pools = {
            lane: ThreadPoolExecutor(max_workers=MAX_RUNS, thread_name_prefix=lane)
            for lane in LANES
        }
        self.under_way = dict.fromkeys(LANES, 0)
        """Runs by their lane, those that wait included."""
        self.long: dict[tuple[Lane, str], threading.Event] = {}
        """What ends the run of each session in each lane but the quick one."""
        self.stops: dict[str, threading.Event] = {}

        def stop(payload: Any) -> Document:
            ends = self.stops.get(text_of(payload, "run") if isinstance(payload, dict) else "")
            if ends is not None:
                ends.set()
            return {"stopping": ends is not None}

        # A function, not a method: Gradio writes a mark on it.
        self.stop: Callable[[Any], Document] = stop
        """Server function: `{"run": name}` ends that run; its last document says `stopped`."""

    async def run(
        self, problem: Document, name: str, work: Work, quick: bool = False, session: str = ""
    ) -> AsyncIterator[gr.HTML]:
        """Updates of a screen: progress, the documents of `work`, or a card.

        Args:
            problem: the problem document that the rail spells (`rail_values.document_of`).
            name: the run's name, made by the browser.
            work: makes the documents; runs in a thread, with the problem opened.
            quick: it takes seconds: of a toy, or of a search that is told to end soon.
            session: the visitor's; a long run ends the one that they had before.
        """
        if not self._takes(name):
            return
        try:
            spec = asked(self.playground, {"problem": problem})
        except PlaygroundError as error:
            yield refused(name, error)
            return

        def make(cancelled: Callable[[], bool]) -> Iterator[Document]:
            opened = self.playground.open(spec, cancelled=cancelled)
            latest = time.monotonic() + RUN_SECONDS
            yield from work(opened, lambda: cancelled() or time.monotonic() > latest)

        lane: Lane = "quick" if quick or spec.on_toy else "long"
        async with aclosing(self.lead(spec, name, make, lane, session)) as updates:
            async for update in updates:
                yield update

    def _takes(self, name: str) -> bool:
        """Whether a run may have this name."""
        return 0 < len(name) <= MAX_KEY and name.isascii() and name not in self.stops

    async def lead(
        self,
        spec: ProblemSpec,
        name: str,
        make: Callable[[Callable[[], bool]], Iterator[Document]],
        lane: Lane,
        session: str = "",
    ) -> AsyncGenerator[gr.HTML, None]:
        """Updates of a screen, as `run`, for work that opens its problems itself.

        Args:
            spec: names the model, which is loaded first.
            name: the run's name, made by the browser.
            make: makes the documents; runs in a thread.
            lane: where it waits for its turn, and what it is one of a visitor's of.
            session: the visitor's.
        """
        if not self._takes(name):
            return
        serial = count(1)

        def notice(words: str = "", done: float | None = None, **more: Any) -> gr.HTML:
            progress = {"words": words, "done": done} if words else None
            told = {"run": name, "serial": next(serial), "progress": progress, "error": None}
            return gr.HTML(notice={**told, "running": True, **more})

        busy = self.under_way[lane] >= MAX_RUNS
        self.under_way[lane] += 1
        stop = self.stops[name] = threading.Event()
        key = lane, session
        if lane != "quick" and session:
            self.long.get(key, stop).set()
            stop.clear()
            self.long[key] = stop

        def begun(cancelled: Callable[[], bool]) -> Iterator[Document]:
            if cancelled():
                raise Cancelled("The run was stopped.")
            yield from make(cancelled)

        try:
            with STOPPING.ends(stop):
                async for words, done in loading(self.playground, spec):
                    if stop.is_set():
                        raise Cancelled("The run was stopped.")
                    yield notice(words, done)
                yield notice("Waiting until another visitor's run ends" if busy else "Compiling")
                working = False
                async for document in stream(self.pools[lane], begun, stop):
                    if not working:
                        working = True
                        yield notice()
                    yield gr.HTML(value={"run": name, "serial": next(serial), "document": document})
            yield notice(running=False, **_stopped())
        except Cancelled:
            yield notice(running=False, **_stopped())
        except Exception as error:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            yield notice(error=failure_document(error, "run"), running=False)
        finally:
            stop.set()
            self.stops.pop(name, None)
            self.under_way[lane] -= 1
            if self.long.get(key) is stop:
                del self.long[key]
