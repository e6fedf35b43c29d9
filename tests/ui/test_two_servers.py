"""Two processes behind nginx: a visitor stays at one, a link opens on either, and when one dies the other goes on.

A process keeps caches, and what is under way; a page sends the whole of what it asks about, so any process can
answer it. Three things are more than caches: a study's file, which lies in the cache folder that the processes
share; the votes of a room, which one process counts; and the rates of a visitor, which each counts for itself.
"""

import secrets
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.ui.guard import COOKIE
from tests import nginx
from tests.ports import free_port
from tests.ui.app_process import AppProcess
from tests.ui.driving import TAKEN, start
from tests.ui.killing import (
    COINS,
    TOSSES,
    card,
    drawn,
    line,
    no_toast,
    path,
    step,
    tosses,
    tossing,
    watched,
)

VISITORS = 6
"""Programs that step while a process dies."""
RUNS = range(8)
"""Of each."""


class Pair:
    """Two apps behind nginx.

    Args:
        folder: for all that they write; the apps share the cache.
        binary: nginx.
    """

    def __init__(self, folder: Path, binary: str) -> None:
        self.folder = folder
        self.apps: list[AppProcess] = []
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_file = folder / "access.log"
        cache = {"PLAYGROUND_CACHE": str(folder / "cache"), "PLAYGROUND_VISITOR_RATE": "10000"}
        for name in ("first", "second"):
            (folder / name).mkdir()
            self.apps.append(AppProcess(folder / name, **cache))
        first, second = self.apps
        config = nginx.written(folder, self.port, (first.port, second.port))
        self.nginx = subprocess.Popen(
            [binary, "-c", str(config), "-p", str(folder), "-e", str(folder / "error.log")]
        )
        self.front = copy(first)
        """Asks at nginx what it would ask at the first app: both have the same components."""
        self.front.url = self.url
        for _ in range(100):
            assert self.nginx.poll() is None, (folder / "error.log").read_text()
            try:
                self.front.get("/healthz")
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("nginx did not answer")

    def served(self) -> list[tuple[int, str]]:
        """Every answer so far: the port of the app that gave it, and the path."""
        found = []
        for each in self.log_file.read_text().splitlines():
            tried, _, asked = each.split("|")
            found.append((int(tried.rpartition(":")[2]), asked.partition(" ")[2]))
        return found

    def server_of(self, cookie: str) -> AppProcess:
        """The app that answers a visitor."""
        mark = f"/app-static/{secrets.token_hex(8)}"
        self.front.get(mark, cookie=f"{COOKIE}={cookie}")
        for _ in range(100):
            for port, where in self.served():
                if where == mark:
                    return next(app for app in self.apps if app.port == port)
            time.sleep(0.05)
        raise AssertionError("nginx has not logged a request")

    def visitor_of(self, app: AppProcess) -> str:
        """The cookie of a visitor whom an app answers."""
        for _ in range(100):
            cookie = secrets.token_urlsafe(16)
            if self.server_of(cookie) is app:
                return cookie
        raise AssertionError(f"in a hundred visitors none was at {app.port}")

    def other(self, app: AppProcess) -> AppProcess:
        """The other app."""
        return next(each for each in self.apps if each is not app)

    def close(self) -> None:
        """End all three."""
        self.nginx.terminate()
        self.nginx.wait(timeout=20)
        for app in self.apps:
            app.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """Two apps behind nginx."""
    binary = nginx.installed()
    if binary is None:
        pytest.skip("there is no nginx here: set NGINX=/path/to/nginx, or install Debian's")
    made = Pair(tmp_path, binary)
    try:
        yield made
    finally:
        made.close()
    assert "Traceback" not in "".join(app.log for app in made.apps)


def as_visitor(page: Page, pair: Pair, cookie: str) -> None:
    """Give a page's browser a visitor's cookie, as an earlier visit would have."""
    page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": pair.url}])


def test_a_visitor_stays_at_one_process_and_a_link_opens_on_either(
    page: Page, browser: Browser, pair: Pair
) -> None:
    first, second = pair.apps
    as_visitor(page, pair, pair.visitor_of(first))
    before = len(pair.served())
    with watched(page, pair.url):
        tossing(page)
        for count in range(1, 4):
            step(page)
            expect(page.locator(TAKEN)).to_have_count(count, timeout=30_000)
        taken = path(page)
        link = page.evaluate("window.playgroundLinks.make().then((made) => made.url)")
    mine = pair.served()[before:]
    assert {port for port, _ in mine} == {first.port}
    assert {"/gradio_api/queue/join", "/gradio_api/queue/data"} <= {where for _, where in mine}
    for app in (first, second):
        context = browser.new_context()
        try:
            other = context.new_page()
            as_visitor(other, pair, pair.visitor_of(app))
            before = len(pair.served())
            with watched(other, link):
                other.wait_for_function(
                    "(n) => window.playgroundStage?.store.lane()?.steps.length === n",
                    arg=len(taken),
                    timeout=60_000,
                )
                assert path(other) == taken
                assert other.locator("#source textarea").input_value() == COINS
            assert {port for port, _ in pair.served()[before:]} == {app.port}
        finally:
            context.close()


def stepped(pair: Pair, cookie: str, problem: dict[str, Any], runs: range) -> list[list[int]]:
    """The tokens of some runs of a program's, one request for each."""
    return [tosses(pair.front, problem, run, cookie=f"{COOKIE}={cookie}") for run in runs]


def test_when_a_process_dies_its_visitors_go_on_at_the_other_with_the_same_tokens(
    page: Page, pair: Pair
) -> None:
    dying = pair.apps[0]
    living = pair.other(dying)
    as_visitor(page, pair, pair.visitor_of(dying))
    with watched(page, pair.url):
        tossing(page)
        for count in range(1, 4):
            step(page)
            expect(page.locator(TAKEN)).to_have_count(count, timeout=30_000)
        before = path(page)
        problem = page.evaluate("window.playgroundStage.store.doc().problem")
        cookies = [pair.visitor_of(app) for app in pair.apps for _ in range(VISITORS // 2)]
        with ThreadPoolExecutor(VISITORS) as pool:
            before_them = len(pair.served())
            asked = [pool.submit(stepped, pair, cookie, problem, RUNS) for cookie in cookies]
            while len(pair.served()) < before_them + VISITORS * TOSSES:
                time.sleep(0.01)
            dying.stop(signal.SIGKILL)
            assert not any(each.done() for each in asked)
            programs = [each.result() for each in asked]
        alone = stepped(pair, cookies[-1], problem, RUNS)
        assert len({tuple(run) for run in alone}) > 1
        assert programs == [alone] * VISITORS
        at = len(pair.served())
        for count in range(4, TOSSES + 1):
            step(page)
            expect(page.locator(TAKEN)).to_have_count(count, timeout=30_000)
        assert path(page)[:3] == before
        assert path(page) == drawn(living, page, TOSSES)
        assert pair.served()[-1][0] == living.port
        expect(card(page)).to_be_hidden()
        expect(line(page)).to_have_text("")
        start(page)  # and events: the two of them meet at one process
        assert {port for port, _ in pair.served()[at:]} == {living.port}
        no_toast(page)


def test_a_run_at_the_process_that_dies_ends_in_words_and_runs_again_at_the_other(
    page: Page, pair: Pair
) -> None:
    dying = pair.apps[1]
    as_visitor(page, pair, pair.visitor_of(dying))
    with watched(page, pair.url):
        page.locator("#top [data-screen=compare]").click()
        compare = page.locator("#compare")
        state = "playgroundScreens.compare.state()"
        page.wait_for_function(f"() => {state}.doc && !{state}.running", timeout=60_000)
        compare.locator(".cmp-size", has_text="1,000").click()
        compare.locator(".cmp-all summary").click()
        for box in compare.locator(".cmp-method input").all():
            box.check()
        compare.locator(".cmp-run").click()
        page.wait_for_function(
            f"""() => {{ const {{ doc, running }} = {state};
            return running && doc.n === 1000 && Object.values(doc.methods).some((each) => each.draws); }}""",
            timeout=60_000,
        )
        dying.stop(signal.SIGKILL)
        expect(compare.locator(".pg-error")).to_contain_text("The server went away")
        expect(line(page)).to_contain_text("The server is back.")
        no_toast(page)
        compare.locator(".cmp-size", has_text="200").click()
        compare.locator(".cmp-run").click()
        page.wait_for_function(
            f"() => !{state}.running && {state}.doc.n === 200 && !{state}.error", timeout=90_000
        )
        expect(compare.locator(".pg-error")).to_be_hidden()
