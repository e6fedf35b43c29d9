"""Opening a problem: work of seconds, done aside so that its progress is told and it can be ended."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import gradio as gr

from playground.demo import Demo
from playground.errors import Cancelled, ModelUnavailable
from playground.opened import Opened, staged
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import failure_document
from playground.ui.stage import notice, page
from playground.ui.stopping import CARD, STOPPING
from playground.ui.streaming import POLL, loading

MAX_OPENING = 100
"""Openings at one time. They mostly wait: for a model without a thread, for a compilation in one."""


def demo_document(playground: Playground, demo: Demo) -> Document:
    """The page that `demo` opens on: its path taken, its most telling step shown."""
    opened = staged(playground.open(demo.problem))
    ids = [token for text in demo.path for token in opened.problem.model.encode(text)]
    document = playground.document(opened, opened.trace(ids))
    document["cursor"] = demo.cursor if demo.path else 0
    document["lesson"] = {"slug": demo.slug, "title": demo.title, "question": demo.question}
    return document


def at_its_dearest(document: Document) -> Document:
    """A page whose cursor stands at the step that the mask cost most; a step without a finite number
    of bits costs more than any other."""
    bits = [step["bits"] for step in document["steps"]]
    costs = [float("inf") if cost is None else cost for cost in bits]
    document["cursor"] = max(range(len(costs)), key=costs.__getitem__, default=0)
    return document


class Opening:
    """Work that takes longer than a moment, done aside so that its progress can be told."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.pool = ThreadPoolExecutor(max_workers=MAX_OPENING, thread_name_prefix="open")

    async def run(
        self,
        spec: ProblemSpec,
        demo: Demo | None = None,
        text: str = "",
        path: Sequence[int] = (),
        make: Callable[[Opened], Document] | None = None,
        instead: Document | None = None,
    ) -> AsyncIterator[gr.HTML]:
        """Progress, then the page or a card; leaving early cancels the compilation. With a `text`,
        the page follows it; with a `path`, it shows it at its dearest step; `make` makes another
        page. Where the model can't be had, the page is `instead`, if there is one.

        A generator of coroutines, so that a visitor who waits holds no thread, and one who cancels
        is let go at the next `await`, not when the model has come.
        """
        stop = threading.Event()

        def work() -> Document:
            opened = staged(self.playground.open(spec, cancelled=stop.is_set))
            if demo is not None:
                return demo_document(self.playground, demo)
            if make is not None:
                return make(opened)
            if text:
                return self.playground.follow(spec, text)
            if path:
                return at_its_dearest(self.playground.replay(spec, path))
            return self.playground.document(opened, opened.trace(opened.beginning))

        waiting: asyncio.Future[Document] | None = None
        try:
            with STOPPING.ends(stop):
                # The pool is for compiling: whoever waits for a model must not keep the others out.
                async for words, done in loading(self.playground, spec):
                    if stop.is_set():
                        raise Cancelled("The opening was stopped.")
                    yield notice(words=words, done=done)
                waiting = asyncio.wrap_future(self.pool.submit(work))
                compiling = False
                while not (await asyncio.wait([waiting], timeout=POLL))[0]:
                    if not compiling:
                        compiling = True
                        yield notice(words="Compiling the constraint")
            yield page(waiting.result())
        except Cancelled:
            yield notice(error=CARD) if STOPPING.begun else notice()
        except Exception as error:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            if instead is not None and isinstance(error, ModelUnavailable):
                yield page(instead)
                return
            yield notice(error=failure_document(error, "opening"))
        finally:
            stop.set()
            if waiting is not None:
                waiting.cancel()
