"""The studies that visitors run: piece by piece and in turn, each kept in its file."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from playground.decoding.sampling import Sampling
from playground.experiments.base import Stage
from playground.models.server import is_served
from playground.models.turns import Turns
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground
from playground.studies import Progress, Study
from playground.studies_server import ServedStudies
from playground.study.checkpoint import Checkpoint
from playground.study.spec import StudySpec
from playground.study.summary import summarise
from playground.study.within import Within
from playground.ui.inputs import asked, text_of
from playground.ui.study_asked import study_spec
from playground.ui.study_documents import progress_document
from playground.ui.study_experiments import Asked, run_experiment
from playground.ui.study_files import MOST_OF_ONE, Kept, StudyFiles
from playground.ui.study_work import Paces

SWEEPS = {"temperature": (0.3, 0.5, 0.7, 1.0, 1.3), "top_p": (0.5, 0.8, 0.9, 0.95, 1.0)}
"""Field of the sampling -> its values in a sweep."""
KINDS = ("toy", "model", "server")
"""Of models, by where they compute: those of one kind take turns."""
STUDY_SECONDS = 3 * 3600.0
"""Longest run of a study in a browser; it then ends as if stopped, and can be resumed."""
RECORDED_FILE = Path(__file__).parents[2] / "static" / "study" / "recorded.jsonl"
"""The study that comes with the page: the own file of a study that the command line has run."""


def sampled_at(spec: StudySpec, over: str, value: float) -> StudySpec:
    """The same prompts, asked by the model alone, with another value of a field of the sampling.

    Raises:
        InvalidInput: it is out of range.
    """
    try:
        sampling = Sampling.model_validate({**spec.sampling.model_dump(), over: value})
    except ValidationError as error:
        raise invalid(error) from None
    alone = {"methods": ("ask",), "exact_rows": 0, "yes": False, "sampling": sampling}
    return spec.model_copy(update=alone)


def left_of(progress: Progress, seconds: float | None) -> float | None:
    """Seconds that the rest of a study will take, at the pace of all runs so far.

    Args:
        progress: how far it has come.
        seconds: what its chunks took, those of earlier runs too; None where that isn't known: then
            this run alone tells the pace.
    """
    if seconds is None or not progress.chunks_done:
        return progress.left
    return seconds / progress.chunks_done * (progress.chunks - progress.chunks_done)


def kind_of(model: str) -> str:
    """Of KINDS: what the model called `model` takes memory and time of."""
    if is_served(model):
        return "server"
    return "toy" if model.startswith("toy:") else "model"


class StudyRuns:
    """Studies of all visitors: one chunk at a time of those on each kind of model, in order of
    arrival, so that a chunk's memory is held once and everybody goes on."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.studies = ServedStudies(playground)
        self.files = StudyFiles(playground.settings.cache / "studies", RECORDED_FILE)
        self.paces = Paces()
        self._turns = {kind: Turns() for kind in KINDS}
        """By the kind of the model."""
        self._lock = threading.Lock()
        self._under_way = dict.fromkeys(KINDS, 0)
        self._within: dict[str, tuple[Within, float | None, int]] = {}
        """Of each study that is run now: its chunk, the seconds that were left before it, and the
        chunks that were."""

    def sweep(
        self, spec: StudySpec, over: str, values: Sequence[float], cancelled: Callable[[], bool]
    ) -> Iterator[Document]:
        """q of a study's prompts at each value of `over`, a key of SWEEPS, asked once more by the
        model alone: documents `{"sweep": {"over", "points": [{"at", "rate"}], "done", "stopped"}}`.
        Nothing is kept.

        Raises:
            PlaygroundError: it can't be run.
        """
        latest = time.monotonic() + STUDY_SECONDS

        def ended() -> bool:
            return cancelled() or time.monotonic() > latest

        points: dict[float, Any] = {}

        def document(done: bool) -> Document:
            found = [{"at": at, "rate": points[at]} for at in values if at in points]
            stopped = ended() and not done
            return {"sweep": {"over": over, "points": found, "done": done, "stopped": stopped}}

        whole = True
        for at in values:
            study = self.studies.prepare(sampled_at(spec, over, at), ended)
            last: Progress | None = None
            for last in self._pieces(study, None, ended):
                q = summarise(study.spec, last.rows).q
                if q is not None:
                    points[at] = q.rate.model_dump()
                    yield document(False)
            whole = whole and last is not None and last.done
        yield document(whole)

    def begin(self, told: Document, session: str = "") -> tuple[str, StudySpec]:
        """The name and the spec of what a browser asks for, in the session of a visitor.

        Raises:
            PlaygroundError: it asks for what can't be run, or the study isn't kept any more.
        """
        if "id" not in told:
            spec = study_spec(self.playground, told)
            return self.files.new(session), spec
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
        kind = kind_of(spec.model)
        with (
            self.files.held(name) as path,
            Checkpoint(path, spec, provenance, time.monotonic) as checkpoint,
            self._counted(kind),
            self._followed(name),
        ):

            def document(progress: Progress, stopped: bool) -> Document:
                chunks, seconds = frozenset(checkpoint.chunks), checkpoint.seconds
                kept = Kept(name, spec, provenance, chunks, progress.rows, seconds)
                more = {
                    "left": left_of(progress, seconds),
                    "stopped": stopped,
                    "others": self._under_way[kind] - 1,
                }
                return progress_document(kept, summarise(spec, progress.rows), more)

            last: Progress | None = None
            for last in self._pieces(study, checkpoint, ended):
                left = left_of(last, checkpoint.seconds)
                self._within[name] = study.within, left, last.chunks - last.chunks_done
                full = path.stat().st_size > MOST_OF_ONE
                if full and not last.done:
                    break
                yield document(last, False)
            if last is not None and not last.done:
                yield document(last, True)

    def within(self, name: str) -> Document:
        """How far the chunk has come that the study called `name` is at: `{"ended", "of", "share",
        "left"}`, runs of the model, the share of its work and seconds to go; 0 of 0 where none is
        under way."""
        within, told, chunks = self._within.get(name, (Within(), None, 0))
        left = within.left(told, chunks) if chunks else None
        return {"ended": within.ended, "of": within.of, "share": within.share, "left": left}

    def experiment(self, asked: Asked, cancelled: Callable[[], bool]) -> Iterator[Document]:
        """An experiment, in turn with the studies: documents as of `run_experiment`. Nothing is kept.

        Raises:
            PlaygroundError: it can't be run.
        """
        latest = time.monotonic() + STUDY_SECONDS
        kind = kind_of(asked.model)

        def turn(going: Iterator[Stage]) -> Stage | None:
            with self._turns[kind]:
                return next(going, None)

        with self._counted(kind):
            yield from run_experiment(
                asked,
                self.studies,
                lambda: cancelled() or time.monotonic() > latest,
                turn,
                lambda: self._under_way[kind] - 1,
            )

    @contextmanager
    def _followed(self, name: str) -> Iterator[None]:
        """After it nothing is told of what the study was within."""
        try:
            yield
        finally:
            self._within.pop(name, None)

    @contextmanager
    def _counted(self, kind: str) -> Iterator[None]:
        """Within it a study is under way."""
        with self._lock:
            self._under_way[kind] += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way[kind] -= 1

    def _pieces(
        self, study: Study, checkpoint: Checkpoint | None, cancelled: Callable[[], bool]
    ) -> Iterator[Progress]:
        """The study's progress, each chunk in its turn."""
        going = self.studies.run(study, checkpoint, cancelled)
        turns = self._turns[kind_of(study.spec.model)]
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
