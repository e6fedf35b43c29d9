"""Studies on Ray: the same table, whoever runs its chunks and whatever dies meanwhile."""

import importlib.util
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from playground.constraints.spec import ConstraintSpec
from playground.errors import EmptyLanguage, InvalidInput, ModelUnavailable
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Progress, Studies
from playground.studies_ray import RayStudies, Worker, connected, require_open
from playground.study.checkpoint import Checkpoint
from playground.study.prompts.base import Item
from playground.study.spec import StudySpec

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="Ray isn't installed: pip install -r requirements-ray.txt",
)
TOY = StudySpec(
    model="toy:sky",
    prompts="mine",
    items=tuple(Item(id=str(number), prompt=f"prompt {number}") for number in range(20)),
    n=20,
    constraint=ConstraintSpec(kind="choices", source="cloud\nskill"),
    methods=("ask", "strict", "parallel-3", "cars"),
    draws=2,
    valid="language",
    max_tokens=8,
)
SMOLLM2 = StudySpec(n=9, methods=("ask", "strict", "retry"), max_tokens=12, attempts=2)
"""Two chunks, the second a short one."""


@pytest.fixture(scope="module")
def playground() -> Playground:
    """With one thread, as Ray's workers have."""
    return Playground(replace(Settings.from_env(), threads=1))


@pytest.fixture(scope="module")
def ray() -> Iterator[None]:
    """Ray with two processors, started once as `--ray local` does."""
    studies = RayStudies(Playground(Settings.from_env()), "local")
    with connected(studies._ray, "local", 2):
        yield


def last(progress: Iterator[Progress]) -> Progress:
    *_, end = progress
    return end


def killed_once(seconds: float = 120) -> threading.Thread:
    """A thread that kills the first worker that is at a chunk, as `kill -9` does."""
    import psutil

    def work() -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for process in psutil.Process().children(recursive=True):
                try:
                    if process.name().startswith("ray::Worker") and "run" in process.name():
                        os.kill(process.pid, signal.SIGKILL)
                        return
                except psutil.NoSuchProcess:
                    continue
            time.sleep(0.02)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


@needs_ray
@pytest.mark.usefixtures("ray")
def test_two_workers_give_the_table_of_one_process(playground: Playground, tmp_path: Path) -> None:
    studies = RayStudies(playground, "local", 2)
    study = studies.prepare(TOY)
    one = last(Studies(playground).run(study))
    with Checkpoint(tmp_path / "study", TOY, study.provenance()) as checkpoint:
        seen = list(studies.run(study, checkpoint))
    assert [len(each.rows) for each in seen] == sorted(len(each.rows) for each in seen)
    assert seen[-1].done
    assert seen[-1].fresh == len(study.chunks) > 2
    assert seen[-1].rows == one.rows
    with Checkpoint(tmp_path / "study", TOY, study.provenance()) as kept:
        again = last(studies.run(study, kept))  # nothing is left: Ray isn't started
    assert (again.rows, again.fresh, again.done) == (one.rows, 0, True)


@needs_ray
@pytest.mark.model
@pytest.mark.usefixtures("ray")
def test_a_worker_killed_in_the_middle_changes_nothing(playground: Playground) -> None:
    studies = RayStudies(playground, "local", 2)
    study = studies.prepare(SMOLLM2)
    one = last(Studies(playground).run(study))
    killer = killed_once()
    many = last(studies.run(study))
    killer.join(timeout=1)
    assert not killer.is_alive(), "no worker was killed"
    assert many.done
    assert many.rows == one.rows
    assert len(one.rows) == 9 * 3


@needs_ray
@pytest.mark.usefixtures("ray")
def test_what_was_begun_when_stopped_is_dropped(playground: Playground) -> None:
    studies = RayStudies(playground, "local", 1)
    study = studies.prepare(TOY)
    stopped = threading.Event()
    for progress in studies.run(study, cancelled=stopped.is_set):
        if progress.chunks_done == 1:
            stopped.set()
    assert not progress.done
    assert progress.chunks_done == 1


@needs_ray
@pytest.mark.usefixtures("ray")
def test_an_error_of_a_worker_is_told_in_its_words(playground: Playground) -> None:
    study = Studies(playground).prepare(TOY)
    other = replace(study, spec=TOY.model_copy(update={"model": "toy:two-step"}))
    with pytest.raises(EmptyLanguage, match=r"can't spell any valid text: .* “cloud”"):
        last(RayStudies(playground, "local", 1).run(other))


def test_a_worker_with_other_weights_gives_no_rows(playground: Playground) -> None:
    provenance = dict(Studies(playground).prepare(TOY).provenance())
    worker = Worker(TOY)
    assert isinstance(worker.run(0, provenance), tuple)
    refused = worker.run(0, {**provenance, "revision": "abc"})
    assert isinstance(refused, ModelUnavailable)
    assert "its revision is" in str(refused)


def test_an_address_where_nothing_listens_is_told_at_once() -> None:
    started = time.monotonic()
    with pytest.raises(InvalidInput, match=r"can't be reached at 'ray://127\.0\.0\.1:1'"):
        require_open("ray://127.0.0.1:1")
    assert time.monotonic() - started < 10


def test_without_ray_its_requirements_are_named(
    playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InvalidInput, match=r"pip install -r requirements-ray\.txt"):
        RayStudies(playground, "local")
    root = Path(__file__).parents[1]
    named = re.compile(r"^ray\b", re.MULTILINE)
    assert named.search((root / "requirements-ray.txt").read_text())
    assert not named.search((root / "requirements.txt").read_text())
