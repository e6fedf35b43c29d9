"""Runs of the Decisions screen beside a visitor's other runs: none ends another's, what waits says so."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from playground.fields.ticket import ticket
from playground.fields.training import Epoch, Training
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground
from playground.ui import decisions as screen
from playground.ui.streaming import MAX_RUNS, Streaming
from tests.apart import run_apart
from tests.ticket_model import NAME, TicketModel
from tests.ui.test_streaming import nothing_to_load

Asked = Callable[[Document, str], AsyncIterator[Any]]
TRAIN = {"task": "train", "type": "ticket", "size": 20, "spec": {"epochs": 1}}


class View:
    """Keeps what the screen is wired to."""

    def run(self, work: Any, *_: Any, **__: Any) -> None:
        self.work = work


@pytest.fixture
def wired(
    stand_in: tuple[Playground, TicketModel], monkeypatch: pytest.MonkeyPatch
) -> tuple[Streaming, Asked]:
    """The screen's runs, and how a browser of a session asks for one."""
    monkeypatch.setattr(screen, "MODEL", NAME)
    monkeypatch.setattr("playground.ui.streaming.loading", nothing_to_load)
    streaming, view = Streaming(stand_in[0]), View()
    screen.wire_decisions(stand_in[0], streaming, view)  # type: ignore[arg-type]

    def ask(told: Document, session: str) -> AsyncIterator[Any]:
        found: AsyncIterator[Any] = view.work(
            SimpleNamespace(_data=told), SimpleNamespace(session_hash=session)
        )
        return found

    return streaming, ask


async def heard(updates: AsyncIterator[Any], into: list[Document]) -> None:
    async for update in updates:
        config = update.constructor_args
        into.append(config.get("value") or config.get("notice"))


def study(cancelled: Callable[[], bool]) -> Iterator[Document]:
    """A run of the Study screen, until it is stopped."""
    while not cancelled():
        yield {"stopped": False}
        time.sleep(0.01)
    yield {"stopped": True}


async def until(what: Callable[[], Any]) -> None:
    for _ in range(3000):
        if what():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def test_training_leaves_the_visitors_study_running(wired: tuple[Streaming, Asked]) -> None:
    streaming, ask = wired

    async def both() -> tuple[list[Document], list[Document], list[Document]]:
        first, training, again = list[Document](), list[Document](), list[Document]()
        led = streaming.lead(ProblemSpec(model=NAME), "study", study, "study", "s")
        running = asyncio.create_task(heard(led, first))
        await until(lambda: first and "document" in first[-1])
        await heard(ask({**TRAIN, "run": "a"}, "s"), training)
        before = len(first)
        await until(lambda: len(first) > before + 3)
        # Nor does a study end a training.
        long = {**TRAIN, "run": "b", "spec": {"epochs": 200, "patience": 200, "rate": 1e-6}}
        later = asyncio.create_task(heard(ask(long, "s"), again))
        await until(lambda: any(each.get("document", {}).get("epochs") for each in again))
        streaming.stop({"run": "study"})
        await running
        other = list[Document]()
        led = streaming.lead(ProblemSpec(model=NAME), "next", study, "study", "s")
        next_study = asyncio.create_task(heard(led, other))
        await until(lambda: other and "document" in other[-1])
        await later
        streaming.stop({"run": "next"})
        await next_study
        return first, training, again

    first, training, again = run_apart(both())
    assert first[-2]["document"] == {"stopped": True}
    for told in (training, again):
        last = [each["document"] for each in told if "document" in each][-1]
        assert last["head"]
        assert not last["stopped"]
        assert told[-1]["error"] is None


def test_a_visitors_training_ends_their_training_before(wired: tuple[Streaming, Asked]) -> None:
    _, ask = wired

    async def both() -> tuple[list[Document], list[Document]]:
        one, two = list[Document](), list[Document]()
        long = {**TRAIN, "run": "a", "spec": {"epochs": 200, "patience": 200, "rate": 1e-6}}
        running = asyncio.create_task(heard(ask(long, "s"), one))
        await until(lambda: any(each.get("document", {}).get("epochs") for each in one))
        await heard(ask({**TRAIN, "run": "b"}, "s"), two)
        await running
        return one, two

    one, two = run_apart(both())
    assert [each["document"] for each in one if "document" in each][-1]["stopped"]
    assert not [each["document"] for each in two if "document" in each][-1]["stopped"]


def test_training_that_waits_for_its_turn_says_what_for(wired: tuple[Streaming, Asked]) -> None:
    streaming, ask = wired

    async def crowded() -> list[Document]:
        others = [list[Document]() for _ in range(MAX_RUNS)]
        running = [
            asyncio.create_task(
                heard(
                    streaming.lead(ProblemSpec(model=NAME), f"s{at}", study, "study", f"v{at}"),
                    told,
                )
            )
            for at, told in enumerate(others)
        ]
        for told in others:
            await until(lambda told=told: told and "document" in told[-1])
        mine = list[Document]()
        training = asyncio.create_task(heard(ask({**TRAIN, "run": "mine"}, "s"), mine))
        await until(lambda: any(each.get("progress") for each in mine))
        await asyncio.sleep(0.1)
        assert not any("document" in each for each in mine)
        streaming.stop({"run": "s0"})
        await training
        for at in range(MAX_RUNS):
            streaming.stop({"run": f"s{at}"})
        await asyncio.gather(*running)
        return mine

    told = run_apart(crowded())
    words = [each["progress"]["words"] for each in told if each.get("progress")]
    assert words == ["Waiting until another visitor's run ends"]
    assert [each["document"] for each in told if "document" in each][-1]["head"]


def test_what_takes_a_moment_runs_beside_what_takes_minutes(
    wired: tuple[Streaming, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    streaming, ask = wired
    epoch = Training.__next__

    def slowly(training: Training) -> Epoch:
        time.sleep(0.5)
        return epoch(training)

    monkeypatch.setattr(Training, "__next__", slowly)

    async def all_at_once() -> tuple[list[Document], list[list[Document]]]:
        long, others = list[Document](), list[list[Document]]()
        spec = {"epochs": 200, "patience": 200, "rate": 1e-6}
        running = asyncio.create_task(heard(ask({**TRAIN, "run": "a", "spec": spec}, "s"), long))
        await until(lambda: any(each.get("document", {}).get("epochs") for each in long))
        schema = ticket().schema
        for name, asked in (
            ("b", {"task": "score", "type": "ticket", "text": "Hello there."}),
            ("c", {"task": "check", "schema": schema}),
            ("d", {"task": "decide", "type": "ticket", "text": "Hello.", "head": "AAAA"}),
        ):
            told = list[Document]()
            await heard(ask({**asked, "run": name}, "s"), told)
            others.append(told)
        assert not running.done()
        streaming.stop({"run": "a"})
        await running
        return long, others

    long, (scored, checked, decided) = run_apart(all_at_once())
    assert [each["document"] for each in scored if "document" in each][-1]["done"]
    assert [each["document"] for each in checked if "document" in each][-1]["kind"] == "type"
    assert decided[-1]["error"], "no head, and told so"
    assert [each["document"] for each in long if "document" in each][-1]["head"], "stopped, kept"
