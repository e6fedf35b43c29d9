"""Opening a problem: whoever waits keeps nobody else waiting, and whoever leaves ends their work."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from playground.constraints.spec import ConstraintSpec
from playground.errors import ModelUnavailable
from playground.models.loader import ModelHub
from playground.problem import ProblemSpec
from playground.session import Playground
from playground.settings import Settings
from playground.ui.opening import MAX_OPENING, Opening

LIVE = ProblemSpec(model="smollm2", prompt="Hello")
TOY = ProblemSpec(model="toy:sky", constraint=ConstraintSpec(kind="choices", source="skill\ncloud"))


class GatedHub(ModelHub):
    """A hub whose live models load until `gate` opens, and then can't be had."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.gate = threading.Event()
        self.loads = 0

    def _load(self, name: str, report: Callable[[str, float], None]) -> Any:
        self.loads += 1
        report("reading the weights", 0.5)
        assert self.gate.wait(60)
        raise ModelUnavailable("The weights are gone.", "Choose a toy.")


@pytest.fixture
def playground(tmp_path):
    made = Playground(Settings(cache=tmp_path))
    made.hub = GatedHub(made.settings)
    yield made
    made.hub.gate.set()


@pytest.fixture
def opening(playground) -> Opening:
    return Opening(playground)


async def updates(opening: Opening, spec: ProblemSpec) -> list[Any]:
    return [update async for update in opening.run(spec)]


def played(scene: Coroutine[Any, Any, Any]) -> Any:
    """The result of `scene`, run in a thread of its own: a browser's tests leave a loop in this one."""
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, scene).result()


def sent(update: Any) -> dict[str, Any]:
    """The properties that an update of the stage changes."""
    return update.constructor_args


def words(update: Any) -> str:
    return sent(update)["notice"]["progress"]["words"]


def test_twenty_who_wait_for_a_model_leave_the_toys_free(opening, playground) -> None:
    async def scene() -> None:
        waiting = [opening.run(LIVE) for _ in range(20)]
        for each in waiting:
            assert "Loading smollm2" in words(await anext(each))
        going_on = [asyncio.ensure_future(anext(each)) for each in waiting]
        before = threading.active_count()
        opened = await asyncio.wait_for(updates(opening, TOY), 20)
        assert sent(opened[-1])["value"]["problem"]["model"] == "toy:sky"
        assert threading.active_count() <= before + 8, "waiting must not hold threads"
        for each in going_on:
            assert not each.done()
            each.cancel()

    played(scene())
    assert playground.hub.loads == 1


def test_a_model_that_can_not_be_loaded_ends_the_wait_with_a_card(opening, playground) -> None:
    async def scene() -> list[Any]:
        asked = asyncio.ensure_future(updates(opening, LIVE))
        await asyncio.sleep(0.4)
        playground.hub.gate.set()
        return await asyncio.wait_for(asked, 20)

    last = sent(played(scene())[-1])
    assert last["notice"]["error"]["what"] == "The weights are gone."
    assert last["notice"]["progress"] is None


def test_cancelling_while_a_model_loads_ends_the_wait_at_once(opening) -> None:
    async def scene() -> float:
        asked = asyncio.ensure_future(updates(opening, LIVE))
        await asyncio.sleep(0.3)
        began = time.perf_counter()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        return time.perf_counter() - began

    assert played(scene()) < 0.2


@pytest.mark.parametrize("leave", ["close", "cancel"])
def test_leaving_early_sets_the_cancel_flag_of_the_compilation(
    opening, playground, monkeypatch, leave
) -> None:
    ended = threading.Event()

    def compiles_until_cancelled(spec: ProblemSpec, cancelled: Callable[[], bool]) -> Any:
        while not cancelled():
            time.sleep(0.01)
        ended.set()
        raise ModelUnavailable("too late to be told")

    monkeypatch.setattr(playground, "open", compiles_until_cancelled)

    async def scene() -> None:
        run = opening.run(TOY)
        assert words(await anext(run)) == "Compiling the constraint"
        assert not ended.is_set()
        if leave == "close":
            await run.aclose()
        else:
            going_on = asyncio.ensure_future(anext(run))
            await asyncio.sleep(0.05)
            going_on.cancel()
            with pytest.raises(asyncio.CancelledError):
                await going_on
        assert await asyncio.to_thread(ended.wait, 5)

    played(scene())


def test_as_many_compilations_as_the_queue_lets_in_run_beside_each_other(
    opening, playground, monkeypatch
) -> None:
    inside = threading.Barrier(MAX_OPENING, timeout=20)

    def meets_the_others(spec: ProblemSpec, cancelled: Callable[[], bool]) -> Any:
        inside.wait()
        raise ModelUnavailable("met")

    monkeypatch.setattr(playground, "open", meets_the_others)

    async def scene() -> list[list[Any]]:
        return await asyncio.gather(*(updates(opening, TOY) for _ in range(MAX_OPENING)))

    assert {sent(each[-1])["notice"]["error"]["what"] for each in played(scene())} == {"met"}
