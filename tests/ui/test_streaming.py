"""Documents that grow: the newest reaches the page, the last always does, and stopping keeps it."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from playground.compare import CompareSpec
from playground.errors import InvalidInput
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings
from playground.ui.compare import compare_spec
from playground.ui.streaming import MAX_KEY, MAX_RUNS, Streaming, stream
from tests.apart import run_apart

TOY = {"model": "toy:two-step", "constraint": {"kind": "regex", "source": "(A|B)x"}}
Cancelled = Callable[[], bool]


@pytest.fixture(scope="module")
def playground(tmp_path_factory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=2) as threads:
        yield threads


def test_a_slow_reader_gets_the_newest_and_always_the_last(pool) -> None:
    async def read() -> list[int]:
        seen = []

        def make(cancelled: Cancelled) -> Iterator[Document]:
            for i in range(500):
                yield {"i": i}

        async for document in stream(pool, make, threading.Event()):
            seen.append(document["i"])
            await asyncio.sleep(0.05)
        return seen

    seen = run_apart(read())
    assert seen == sorted(seen)
    assert seen[-1] == 499
    assert len(seen) < 500


def test_stop_passes_on_what_the_iterator_still_gives(pool) -> None:
    stop = threading.Event()

    def make(cancelled: Cancelled) -> Iterator[Document]:
        while not cancelled():
            yield {"stopped": False}
            time.sleep(0.005)
        yield {"stopped": True}

    async def read() -> list[bool]:
        seen = []
        async for document in stream(pool, make, stop):
            seen.append(document["stopped"])
            stop.set()
        return seen

    assert run_apart(read())[-1] is True


def test_leaving_early_ends_the_work(pool) -> None:
    ended = threading.Event()

    def make(cancelled: Cancelled) -> Iterator[Document]:
        while not cancelled():
            yield {}
            time.sleep(0.005)
        ended.set()

    async def leave() -> None:
        documents = stream(pool, make, threading.Event())
        await anext(documents)
        await documents.aclose()

    run_apart(leave())
    assert ended.wait(5)


def test_what_the_work_raises_comes_after_the_documents_before_it(pool) -> None:
    def make(cancelled: Cancelled) -> Iterator[Document]:
        yield {"i": 1}
        raise InvalidInput("Too late.")

    seen: list[Document] = []

    async def read() -> None:
        async for document in stream(pool, make, threading.Event()):
            seen.append(document)

    with pytest.raises(InvalidInput, match="Too late"):
        run_apart(read())
    assert seen == [{"i": 1}]


def updates(streaming: Streaming, problem: Document, work: Any, name: str = "a") -> list[Any]:
    """The values and notices that a screen is sent."""

    async def read() -> list[Any]:
        found = []
        async for update in streaming.run(problem, name, work):
            config = update.constructor_args
            found.append(config.get("value") or config.get("notice"))
        return found

    return run_apart(read())


def test_a_run_tells_its_documents_with_growing_serials_and_its_end(playground) -> None:
    streaming = Streaming(playground)
    told = updates(
        streaming,
        TOY,
        lambda opened, cancelled: playground.proofs.compare(opened, CompareSpec(n=10), cancelled),
    )
    serials = [each["serial"] for each in told]
    assert serials == sorted(set(serials))
    documents = [each["document"] for each in told if "document" in each]
    assert documents[-1]["done"]
    assert told[-1]["running"] is False
    assert streaming.stops == {}


def test_stop_by_name_keeps_what_was_drawn(playground) -> None:
    streaming = Streaming(playground)

    def work(opened: Any, cancelled: Cancelled) -> Iterator[Document]:
        for document in playground.proofs.compare(opened, CompareSpec(n=10_000), cancelled):
            if any(each["draws"] for each in document["methods"].values()):
                streaming.stop({"run": "a"})
            yield document

    last = [each["document"] for each in updates(streaming, TOY, work) if "document" in each][-1]
    assert last["stopped"]
    draws = last["methods"]["masked"]["draws"]
    assert 0 < draws < 10_000
    assert streaming.stop({"run": "a"}) == {"stopping": False}


@pytest.mark.parametrize("payload", [None, [], {}, {"run": 3}, {"run": "unknown"}])
def test_stopping_what_nobody_runs_does_nothing(playground, payload) -> None:
    assert Streaming(playground).stop(payload) == {"stopping": False}


def test_a_problem_that_is_wrong_is_a_card_and_no_run(playground) -> None:
    streaming = Streaming(playground)
    bad = {**TOY, "sampling": {"temperature": 0}}
    (*_, last) = updates(
        streaming,
        bad,
        lambda opened, cancelled: playground.proofs.compare(opened, CompareSpec(), cancelled),
    )
    assert "temperature 0" in last["error"]["what"]
    (only,) = updates(streaming, {"model": "elsewhere"}, None)
    assert "can't be chosen" in only["error"]["what"]
    assert updates(streaming, TOY, None, name="x" * (MAX_KEY + 1)) == []


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"methods": ["guess"]}, "guess"),
        ({"methods": []}, "at least one"),
        ({"n": 1_000_000}, "10,000"),
        ({"n": "many"}, "many"),
        ({"accept": "taste"}, "taste"),
        ({"seconds": 1e9}, "600"),
        ({"more": 1}, "more"),
        (None, "None"),
    ],
)
def test_a_browsers_comparison_is_checked_and_refused_in_words(document, said) -> None:
    with pytest.raises(InvalidInput) as refused:
        compare_spec(document)
    assert said in str(refused.value)


def test_a_toy_s_run_does_not_wait_for_the_runs_of_models(playground) -> None:
    streaming, free = Streaming(playground), threading.Event()
    blocked = [streaming.pools["long"].submit(free.wait, 60) for _ in range(MAX_RUNS + 1)]
    try:
        seen = updates(streaming, TOY, lambda opened, cancelled: iter([{"n": 1}]))
        assert {"n": 1} in [each.get("document") for each in seen]
        assert not free.is_set()
    finally:
        free.set()
        assert all(job.result() for job in blocked)


def test_a_visitor_s_new_long_run_ends_the_one_before(playground, monkeypatch) -> None:
    streaming, ended = Streaming(playground), []

    def work(opened: Any, cancelled: Cancelled) -> Iterator[Document]:
        yield {"n": 1}
        while not cancelled():
            time.sleep(0.01)
        ended.append(True)
        yield {"n": 1, "stopped": True}

    monkeypatch.setattr("playground.ui.streaming.ProblemSpec.on_toy", False)
    monkeypatch.setattr("playground.ui.streaming.loading", nothing_to_load)

    async def both() -> list[Document]:
        seen = []

        async def first() -> None:
            async for update in streaming.run(TOY, "a", work, session="s"):
                seen.append(update.constructor_args.get("value"))

        running = asyncio.create_task(first())
        while not any(seen):
            await asyncio.sleep(0.01)
        later = streaming.run(TOY, "b", lambda *_: iter([{"n": 2}]), session="s")
        others = [update.constructor_args.get("value") async for update in later]
        await running
        return [each["document"] for each in seen + others if each]

    documents = run_apart(both())
    assert ended == [True]
    assert documents[-2:] == [{"n": 1, "stopped": True}, {"n": 2}]
    assert streaming.long == {}


async def nothing_to_load(*_: Any) -> AsyncIterator[tuple[str, float]]:
    for nothing in ():
        yield nothing
