"""Input that is wrong, or too much: told in words, ended when asked, and nothing is lost."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import EXPLODING, NO_MODEL, chips, pick, start, verdict, where, write
from tests.ui.schema_driving import paste

pytestmark = pytest.mark.browser


def children(parent: int) -> Iterator[tuple[int, str]]:
    """Number and command line of every process that `parent` has started and not yet buried."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between two looks
        if int(status.rpartition(")")[2].split()[1]) == parent:
            yield int(folder.name), command.replace(b"\0", b" ").decode()


def compilations() -> list[int]:
    """The compiling processes of the app that these tests have started."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system has no /proc to count processes in")
    return [
        child
        for app, command in children(os.getpid())
        if "app.py" in command
        for server, name in children(app)
        if "fork_server" in name
        for child, _ in children(server)
    ]


def eventually_no_compilation() -> bool:
    """No compiling process is left, or none after a moment."""
    deadline = time.monotonic() + 5
    while compilations():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


BAD: list[tuple[str, str, str | re.Pattern[str]]] = [
    ("Regex", "(skill", "column"),
    ("Regex", "rain", "can't spell"),
    ("JSON Schema", '{"type": "object",\n  "properties" {}}', "line 2"),
    ("JSON Schema", '{"$ref": "https://example.org/s.json"}', "$ref"),
    ("Choices", "", "choice"),
    ("Regex", EXPLODING, re.compile("states|seconds|memory")),
    ("Regex", "x" * 200_000, "characters"),
]
"""Kind, source, and what is told of it."""


def test_bad_input_is_told_in_words_and_loses_nothing(stage: Page) -> None:
    before = chips(stage)
    card = stage.locator("#stage .pg-error")
    for kind, source, words in BAD:
        told = f"{kind}: {source[:40]}"
        write(stage, kind, source)
        stage.locator("#start").click()
        expect(card, told).to_be_visible(timeout=40_000)
        expect(card, told).to_contain_text(words)
        assert chips(stage) == before, told
        assert stage.locator("#source textarea").input_value() == source, told
        card.get_by_role("button", name="Dismiss").click()
        expect(card, told).to_be_hidden()


def test_a_megabyte_of_pasted_text_is_refused_in_words(stage: Page) -> None:
    before = chips(stage)
    pick(stage, "Regex")
    stage.evaluate(
        """() => { const box = document.querySelector('#source textarea');
        box.value = 'y'.repeat(1000000); box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    stage.locator("#start").click()
    expect(stage.locator("#stage .pg-error")).to_contain_text("1,000,000", timeout=20_000)
    assert chips(stage) == before


def test_cancel_ends_an_exploding_compilation_and_leaves_the_stage_alone(stage: Page) -> None:
    before = chips(stage), where(stage).inner_text(), verdict(stage).inner_text()
    assert eventually_no_compilation()
    write(stage, "Regex", EXPLODING)
    stage.locator("#start").click()
    progress = stage.locator("#stage .pg-progress")
    expect(progress).to_contain_text("Compiling")
    assert compilations()
    stage.locator("#cancel").click()
    expect(progress).to_be_hidden()
    assert eventually_no_compilation()
    expect(stage.locator("#stage .pg-error")).to_be_hidden()
    assert (chips(stage), where(stage).inner_text(), verdict(stage).inner_text()) == before
    write(stage, "Regex", "skill|cloud")  # and the next one starts
    start(stage)


@NO_MODEL
def test_cancel_ends_what_open_in_step_began(screen: Locator, stage: Page) -> None:
    screen.locator(".sc-kind[data-kind=regex]").click()
    paste(stage, EXPLODING)
    assert eventually_no_compilation()
    screen.locator(".sc-head").get_by_role("button", name="Open in Step").click()
    progress = stage.locator("#stage .pg-progress")
    expect(progress).to_contain_text("Compiling", timeout=60_000)
    assert compilations()
    stage.locator("#cancel").click()
    expect(progress).to_be_hidden()
    assert eventually_no_compilation()
    expect(stage.locator("#stage .pg-error")).to_be_hidden()
