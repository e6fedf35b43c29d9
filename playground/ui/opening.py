"""Opening a problem: work of seconds, done aside so that its progress is told and it can be ended."""

import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet

import gradio as gr

from playground.demo import Demo
from playground.errors import Cancelled, PlaygroundError
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import LOG, defect_document, error_document
from playground.ui.stage import notice, page


def demo_document(playground: Playground, demo: Demo) -> Document:
    """The page that `demo` opens on: its path taken, its most telling step shown."""
    opened = playground.open(demo.problem)
    ids = [token for text in demo.path for token in opened.problem.model.encode(text)]
    document = playground.document(opened, opened.trace(ids))
    document["cursor"] = demo.cursor if demo.path else 0
    document["lesson"] = {"slug": demo.slug, "title": demo.title, "question": demo.question}
    return document


class Opening:
    """Work that takes longer than a moment, done aside so that its progress can be told."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.pool = ThreadPoolExecutor(max_workers=8, thread_name_prefix="open")

    def run(self, spec: ProblemSpec, demo: Demo | None = None) -> Iterator[gr.HTML]:
        """Progress, then the page or a card; leaving early cancels the compilation."""
        stop = threading.Event()

        def work() -> Document:
            opened = self.playground.open(spec, cancelled=stop.is_set)
            if demo is not None:
                return demo_document(self.playground, demo)
            return self.playground.document(opened, opened.trace(()))

        future: Future[Document] = self.pool.submit(work)
        told: tuple[str, float | None] | None = None
        try:
            while True:
                try:
                    document = future.result(timeout=0.25)
                    break
                except NotYet:
                    now = self.progress(spec)
                    if now != told:
                        told = now
                        yield notice(words=now[0], done=now[1])
            yield page(document)
        except Cancelled:
            yield notice()
        except PlaygroundError as error:
            yield notice(error=error_document(error))
        except Exception:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            reference = secrets.token_hex(4)
            LOG.exception("opening %s failed", reference)
            yield notice(error=defect_document(reference))
        finally:
            stop.set()

    def progress(self, spec: ProblemSpec) -> tuple[str, float | None]:
        """What is being waited for, in words, and the share done where it is known."""
        if spec.toy is None and not spec.model.startswith("toy:"):
            status = self.playground.hub.status(spec.model)
            if status.state == "loading":
                return f"Loading {spec.model}: {status.stage}", round(status.done, 2)
        return "Compiling the constraint", None
