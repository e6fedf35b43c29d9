"""kill -9 of the server, or of what compiles for it: words in the page, nothing lost, and it goes on."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.ui.app_process import AppProcess, compiling
from tests.ui.driving import EXPLODING, TAKEN, press, start, write
from tests.ui.killing import TOSSES, card, drawn, line, no_toast, path, step, tossing, watched
from tests.ui.test_study import csv, fill, finished


@pytest.fixture
def app(tmp_path: Path) -> Iterator[AppProcess]:
    """An app that the test may kill."""
    made = AppProcess(tmp_path)
    try:
        yield made
    finally:
        made.close()
    assert "Traceback" not in made.log


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppProcess]:
    """An app that outlives what compiles for it."""
    made = AppProcess(tmp_path_factory.mktemp("lasting"))
    try:
        yield made
        assert made.process.poll() is None, made.log
    finally:
        made.close()
    assert "Traceback" not in made.log


@pytest.fixture
def again(app: AppProcess, tmp_path: Path) -> Iterator[list[AppProcess]]:
    """The app once more, after it was killed: at its address, with its cache."""
    made: list[AppProcess] = []
    try:
        yield made
    finally:
        for each in made:
            each.close()
    assert "Traceback" not in "".join(each.log for each in made)


def test_a_killed_server_is_said_in_words_and_the_run_goes_on_when_it_is_back(
    page: Page, app: AppProcess, again: list[AppProcess], tmp_path: Path
) -> None:
    with watched(page, app.url):
        tossing(page)
        for count in range(1, 4):
            step(page)
            expect(page.locator(TAKEN)).to_have_count(count, timeout=30_000)
        before = path(page)
        app.stop(signal.SIGKILL)
        step(page)
        expect(card(page)).to_contain_text("The server is away.")
        expect(line(page)).to_contain_text("What is on screen stays")
        page.locator("#start").click()  # an event of Gradio's own
        expect(card(page)).to_be_visible()
        assert path(page) == before
        press(page, "Back")  # what is here needs nobody
        page.keyboard.press("End")
        no_toast(page)
        again.append(AppProcess(tmp_path, app.port))
        expect(line(page)).to_contain_text("The server is back.", timeout=30_000)
        expect(card(page)).to_be_hidden()
        for count in range(4, TOSSES + 1):
            step(page)
            expect(page.locator(TAKEN)).to_have_count(count, timeout=30_000)
        assert path(page)[:3] == before
        assert path(page) == drawn(again[0], page, TOSSES)
        start(page)
        no_toast(page)


def test_runs_that_were_under_way_end_in_words_and_a_study_goes_on_from_what_is_kept(
    page: Page, app: AppProcess, again: list[AppProcess], tmp_path: Path
) -> None:
    with watched(page, app.url):
        page.locator("#top [data-screen=study]").click()
        study = page.locator("#study")
        page.wait_for_function("() => playgroundScreens.study?.state().sets", timeout=60_000)
        fill(study, csv(160), draws=20)
        study.locator(".st-run").click()
        page.wait_for_function(
            "() => playgroundScreens.study.state().doc?.prompts_done > 0", timeout=90_000
        )
        address = page.evaluate("location.hash")
        page.locator("#top [data-screen=compare]").click()
        compare = page.locator("#compare")
        compare.locator(".cmp-size", has_text="1,000").click()
        compare.locator(".cmp-all summary").click()
        for box in compare.locator(".cmp-method input").all():
            box.check()
        compare.locator(".cmp-run").click()
        page.wait_for_function("() => playgroundScreens.compare.state().running")
        assert page.evaluate("playgroundScreens.study.state().running")
        app.stop(signal.SIGKILL)
        # Whether its stream had begun is a matter of moments.
        expect(compare.locator(".pg-error")).to_contain_text(
            re.compile("The server (went|is) away")
        )
        expect(compare.locator(".cmp-run")).to_be_visible()
        assert not page.evaluate("playgroundScreens.compare.state().running")
        page.locator("#top [data-screen=study]").click()
        expect(study.locator(".pg-error:visible")).to_contain_text(
            "a study goes on from what is kept"
        )
        kept = page.evaluate("playgroundScreens.study.state().doc.prompts_done")
        assert 0 < kept < 160
        no_toast(page)
        again.append(AppProcess(tmp_path, app.port))
        expect(line(page)).to_contain_text("The server is back.", timeout=30_000)
        assert page.evaluate("location.hash") == address
        study.get_by_role("button", name="Resume").first.click()
        finished(page)
        assert page.evaluate("playgroundScreens.study.state().doc.prompts_done") == 160
        no_toast(page)


@pytest.mark.parametrize("victim", ["the one that compiles", "the one that starts them"])
def test_a_killed_compiler_gives_one_message_and_the_next_click_works(
    page: Page, lasting: AppProcess, victim: str
) -> None:
    with watched(page, lasting.url):
        write(page, "Regex", EXPLODING)
        page.locator("#start").click()
        expect(page.locator("#stage .pg-progress")).to_contain_text("Compiling", timeout=30_000)
        server, below = compiling(lasting)
        os.kill(below[0] if victim == "the one that compiles" else server, signal.SIGKILL)
        expect(card(page)).to_contain_text("Compiling the constraint was stopped")
        if victim == "the one that compiles":  # else its work may still end by a limit
            expect(card(page)).to_contain_text("its process was killed")
        expect(page.locator(".pg-error:visible")).to_have_count(1)
        expect(line(page)).to_have_text("")
        no_toast(page)
        write(page, "Regex", "skill|cloud")
        start(page)
        expect(card(page)).to_be_hidden()
        step(page)
        expect(page.locator(TAKEN)).to_have_count(1, timeout=30_000)
