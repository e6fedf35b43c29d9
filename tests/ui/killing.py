"""A page whose server is killed under it: what it draws, what an undisturbed server would, what it says."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.ui.app_process import AppProcess
from tests.ui.driving import choose, pick, start

COINS = "[0+]{60}"
"""On the toy of the sums each token is drawn among several; its texts have at most TOSSES."""
TOSSES = 5


@contextmanager
def watched(page: Page, url: str) -> Iterator[None]:
    """The page, open; afterwards no script of it broke, and it was never loaded anew."""
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(url)
    page.locator("#stage .pg-col").first.wait_for(timeout=60_000)
    page.evaluate("window.loaded = 'once'")
    yield
    assert page.evaluate("window.loaded") == "once"
    assert not broken


def tossing(page: Page) -> None:
    """Start a run whose tokens are drawn."""
    choose(page, "Sums of zeros: a cost at every step")
    expect(page.locator("#source textarea")).to_have_value("0(\\+0)*", timeout=30_000)
    pick(page, "Regex")
    page.locator("#source textarea").fill(COINS)
    start(page)


def step(page: Page) -> None:
    """Press Step; the answer is not waited for."""
    page.locator("#stage .pg-step").click()


def path(page: Page) -> list[int]:
    """The tokens taken, on the whole lane."""
    return list(
        page.evaluate(
            "() => { const s = window.playgroundStage.store; return s.path(s.lane().steps.length); }"
        )
    )


def drawn(app: AppProcess, page: Page, length: int) -> list[int]:
    """The tokens that an app draws from the beginning for the page's problem, asked step by step."""
    problem = page.evaluate("window.playgroundStage.store.doc().problem")
    run = page.evaluate("window.playgroundStage.store.lane().run")
    return tosses(app, problem, run, length)


def tosses(
    app: AppProcess, problem: Any, run: int, length: int = TOSSES, cookie: str = ""
) -> list[int]:
    """The tokens of one run of a problem, each asked with the whole path before it."""
    found: list[int] = []
    while len(found) < length:
        body = {
            "data": {"problem": problem, "path": found, "action": {"draw": run}},
            "component_id": app.components["stage"],
            "fn_name": "advance",
            "session_hash": "tosses",
        }
        try:
            answer = app.post("/gradio_api/component_server", body, cookie=cookie)
        except (
            HTTPException,
            OSError,
        ):  # its server died in the middle of it: again, as the page does
            answer = app.post("/gradio_api/component_server", body, cookie=cookie)
        assert answer.status == 200, answer.text
        assert "error" not in answer.json, answer.text
        found.append(answer.json["step"]["taken"]["id"])
    return found


def line(page: Page) -> Locator:
    """What the page says of the line to its server."""
    return page.locator(".away-line")


def card(page: Page) -> Locator:
    """The stage's error."""
    return page.locator("#stage .pg-error")


def no_toast(page: Page) -> None:
    """Gradio shows no error of its own, and nothing lies over the page."""
    assert page.locator("[data-testid=toast-body]").count() == 0
    assert page.get_by_text("Connection Lost").count() == 0
