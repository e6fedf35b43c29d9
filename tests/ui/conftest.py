"""The real app in a process of its own, and a Chromium that watches for outside requests."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ports import free_port
from tests.ui.decisions_driving import STATE
from tests.ui.schema_driving import settled

ROOT = Path(__file__).parents[2]
expect.set_options(timeout=20_000)  # a machine with other work on it is slow, not wrong


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running app."""
    port = free_port()
    log = tmp_path_factory.mktemp("app") / "log.txt"
    env = {
        **os.environ,
        "PORT": str(port),
        "HF_HUB_OFFLINE": "1",
        "PLAYGROUND_COMPILE_SECONDS": "8",  # an explosion is refused sooner
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "app.py"], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
        )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            assert process.poll() is None, log.read_text()
            try:
                urllib.request.urlopen(f"{url}/healthz", timeout=2).read()
                break
            except (urllib.error.URLError, TimeoutError):
                time.sleep(0.1)
        else:
            pytest.fail(f"the app did not answer: {log.read_text()}")
        yield url
        assert process.poll() is None, f"the app has died: {log.read_text()}"
    finally:
        process.terminate()
        process.wait(timeout=20)
    assert "Traceback" not in log.read_text(), log.read_text()
    assert "defect" not in log.read_text(), log.read_text()


@pytest.fixture
def stage(page, app_url):
    """The page, open on its first example; afterwards nothing outside was asked and nothing broke."""
    outside: list[str] = []
    broken: list[str] = []

    def watch(request) -> None:
        if not request.url.startswith((app_url, "data:", "blob:")):
            outside.append(request.url)

    page.on("request", watch)
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(app_url)
    page.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    yield page
    assert not outside
    assert not broken


@pytest.fixture
def screen(stage: Page) -> Locator:
    """The screen, with its first verdicts."""
    stage.locator("#top [data-screen=schema]").click()
    found = stage.locator("#schema")
    expect(found.locator(".sc-editor .cm-content")).to_be_visible(timeout=20_000)
    settled(stage)
    return found


@pytest.fixture
def decisions(stage: Page) -> Locator:
    """The screen, the Decisions one, with what the server opens it with."""
    stage.locator("#top [data-screen=decisions]").click()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    return stage.locator("#decisions")
