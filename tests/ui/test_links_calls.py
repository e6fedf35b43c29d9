"""What the server makes of a link: the run, another revision told, a lesson's recording in its place."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from playground import links
from playground.demo import load_demos
from playground.errors import ModelUnavailable
from playground.lessons.recording import record
from playground.lessons.shelf import load_lessons
from playground.opened import staged
from playground.session import Playground
from playground.settings import Settings
from playground.ui.links import kept_document, linked_document
from playground.ui.opening import Opening

DEMOS = load_demos()
LESSON = load_lessons()["two-step"]
SPEC = LESSON.scenes["popular"].problem


@pytest.fixture(scope="module")
def playground() -> Playground:
    return Playground(Settings())


@pytest.fixture
def recorded(playground: Playground, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A recording of the lesson that was made with the revision "older"."""
    found = record(playground, LESSON)
    page = found["scenes"]["popular"]["page"]
    page["provenance"]["revision"] = "older"
    monkeypatch.setattr(links, "recording_of", lambda slug: found if slug == "two-step" else None)
    return found


def path_in(recording: dict[str, Any]) -> list[int]:
    steps = recording["scenes"]["popular"]["page"]["steps"]
    return [step["taken"]["id"] for step in steps]


def test_the_same_revision_shows_the_run_and_says_nothing(playground: Playground) -> None:
    demo = DEMOS["sky"]
    opened = staged(playground.open(demo.problem))
    revision = opened.problem.model.provenance.revision
    told = {"run": "r", "path": [0, 4], "revision": revision, "demo": "sky"}
    page = linked_document(playground, opened, told, DEMOS, None)
    assert [step["taken"]["id"] for step in page["steps"]] == [0, 4]
    assert page["link"] == {"run": "r", "made": None, "recorded": None}
    assert page["lesson"]["slug"] == "sky"
    # Another problem than the example's is not told as the example.
    cold = {"prompt": "mine"}
    other = staged(playground.open(demo.problem.model_copy(update=cold)))
    assert linked_document(playground, other, told, DEMOS, None)["lesson"] is None


def test_another_revision_is_told_where_nothing_is_recorded(playground: Playground) -> None:
    opened = staged(playground.open(DEMOS["sky"].problem))
    told = {"run": "r", "path": [0], "revision": "older"}
    page = linked_document(playground, opened, told, DEMOS, None)
    assert page["link"]["made"] == "older"
    assert page["provenance"]["revision"] != "older"


def test_another_revision_shows_the_recording_until_the_visitor_asks_for_the_model(
    playground: Playground, recorded: dict[str, Any]
) -> None:
    told = {"run": "r", "path": path_in(recorded)[:1], "revision": "older"}
    kept = kept_document(SPEC, told)
    opened = staged(playground.open(SPEC))
    page = linked_document(playground, opened, told, DEMOS, kept)
    assert page["provenance"]["kind"] == "recorded"
    assert page["provenance"]["revision"] == "older"
    assert page["link"] == {"run": "r", "made": "older", "recorded": LESSON.title}
    live = {**told, "live": True}
    assert kept_document(SPEC, live) is None
    assert linked_document(playground, opened, live, DEMOS, None)["provenance"]["kind"] == "toy"
    # A recording of the revision that runs here is not needed: the numbers are the same.
    running = opened.problem.model.provenance.revision
    assert kept_document(SPEC, {**told, "revision": running}) is None


def test_a_model_that_can_not_be_had_shows_the_recording_instead(
    playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any, **__: Any) -> None:
        raise ModelUnavailable("The model isn't here.", "Load it.", "model")

    monkeypatch.setattr(playground, "open", gone)
    opening = Opening(playground)

    async def updates(**how: Any) -> list[Any]:
        return [update async for update in opening.run(SPEC, make=lambda _: {}, **how)]

    # In a thread of its own: a browser's tests leave a loop in this one.
    with ThreadPoolExecutor(1) as aside:
        *_, last = aside.submit(asyncio.run, updates(instead={"kept": True})).result()
        assert last.value["kept"] is True
        *_, last = aside.submit(asyncio.run, updates()).result()
    assert last.props["notice"]["error"]["what"] == "The model isn't here."
