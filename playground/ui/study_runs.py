"""The studies that visitors run: piece by piece and in turn, each kept in its file."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from playground.decoding.sampling import Sampling
from playground.models.turns import Turns
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground
from playground.studies import Progress, Studies, Study
from playground.study.checkpoint import Checkpoint
from playground.study.spec import StudySpec
from playground.study.summary import summarise
from playground.ui.inputs import asked, text_of
from playground.ui.study_asked import Paces, study_spec
from playground.ui.study_documents import progress_document
from playground.ui.study_files import MOST_OF_ONE, Kept, StudyFiles

TEMPERATURES = (0.3, 0.5, 0.7, 1.0, 1.3)
"""Of a sweep."""
STUDY_SECONDS = 3 * 3600.0
"""Longest run of a study in a browser; it then ends as if stopped, and can be resumed."""
RECORDED_FILE = Path(__file__).parents[2] / "static" / "study" / "recorded.jsonl"
"""The study that comes with the page: the own file of a study that the command line has run."""


def at_temperature(spec: StudySpec, temperature: float) -> StudySpec:
    """The same prompts, asked by the model alone at a temperature.

    Raises:
        InvalidInput: it is out of range.
    """
    try:
        sampling = Sampling.model_validate(
            {**spec.sampling.model_dump(), "temperature": temperature}
        )
    except ValidationError as error:
        raise invalid(error) from None
    alone = {"methods": ("ask",), "exact_rows": 0, "yes": False, "sampling": sampling}
    return spec.model_copy(update=alone)


class StudyRuns:
    """Studies of all visitors: one chunk at a time of those on models, one of those on toys, in
    order of arrival, so that a chunk's memory is held once and everybody goes on."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.studies = Studies(playground)
        self.files = StudyFiles(playground.settings.cache / "studies", RECORDED_FILE)
        self.paces = Paces()
        self._turns = {True: Turns(), False: Turns()}
        """By whether the model is a toy."""
        self._lock = threading.Lock()
        self._under_way = {True: 0, False: 0}

    def sweep(
        self, spec: StudySpec, temperatures: Sequence[float], cancelled: Callable[[], bool]
    ) -> Iterator[Document]:
        """q of a study's prompts at each temperature, asked once more by the model alone: documents
        `{"sweep": {"points": [{"temperature", "rate"}], "done", "stopped"}}`. Nothing is kept.

        Raises:
            PlaygroundError: it can't be run.
        """
        latest = time.monotonic() + STUDY_SECONDS

        def ended() -> bool:
            return cancelled() or time.monotonic() > latest

        points: dict[float, Any] = {}

        def document(done: bool) -> Document:
            found = [{"temperature": at, "rate": points[at]} for at in temperatures if at in points]
            return {"sweep": {"points": found, "done": done, "stopped": ended() and not done}}

        whole = True
        for at in temperatures:
            study = self.studies.prepare(at_temperature(spec, at), ended)
            last: Progress | None = None
            for last in self._pieces(study, None, ended):
                q = summarise(study.spec, last.rows).q
                if q is not None:
                    points[at] = q.rate.model_dump()
                    yield document(False)
            whole = whole and last is not None and last.done
        yield document(whole)

    def begin(self, told: Document) -> tuple[str, StudySpec]:
        """The name and the spec of what a browser asks for.

        Raises:
            PlaygroundError: it asks for what can't be run, or the study isn't kept any more.
        """
        if "id" not in told:
            spec = study_spec(self.playground, told)
            return self.files.new(), spec
        name = text_of(told, "id")
        spec = self.files.read(name).spec
        asked(self.playground, {"problem": {"model": spec.model}})
        return name, spec

    def go(self, name: str, spec: StudySpec, cancelled: Callable[[], bool]) -> Iterator[Document]:
        """The study called `name` from where it stands: a document a chunk, the last one whole or
        `stopped`.

        Raises:
            PlaygroundError: it can't be run, or another run has it.
        """
        latest = time.monotonic() + STUDY_SECONDS

        def ended() -> bool:
            return cancelled() or time.monotonic() > latest

        study = self.studies.prepare(spec, ended)
        provenance = study.provenance()
        on_toy = spec.model.startswith("toy:")
        with (
            self.files.held(name) as path,
            Checkpoint(path, spec, provenance) as checkpoint,
            self._counted(on_toy),
        ):

            def document(progress: Progress, stopped: bool) -> Document:
                kept = Kept(name, spec, provenance, frozenset(checkpoint.chunks), progress.rows)
                more = {
                    "seconds": progress.seconds,
                    "left": progress.left,
                    "stopped": stopped,
                    "others": self._under_way[on_toy] - 1,
                }
                return progress_document(kept, summarise(spec, progress.rows), more)

            last: Progress | None = None
            for last in self._pieces(study, checkpoint, ended):
                full = path.stat().st_size > MOST_OF_ONE
                if full and not last.done:
                    break
                yield document(last, False)
            if last is not None and not last.done:
                yield document(last, True)

    @contextmanager
    def _counted(self, on_toy: bool) -> Iterator[None]:
        """Within it a study is under way."""
        with self._lock:
            self._under_way[on_toy] += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way[on_toy] -= 1

    def _pieces(
        self, study: Study, checkpoint: Checkpoint | None, cancelled: Callable[[], bool]
    ) -> Iterator[Progress]:
        """The study's progress, each chunk in its turn."""
        going = self.studies.run(study, checkpoint, cancelled)
        turns = self._turns[study.spec.model.startswith("toy:")]
        progress = next(going, None)  # what the file holds: no work
        while progress is not None:
            yield progress
            before = len(progress.rows)
            with turns:
                begun = time.monotonic()
                progress = next(going, None)
                took = time.monotonic() - begun
            if progress is not None:
                self.paces.note(study.spec.model, progress.rows[before:], took)
