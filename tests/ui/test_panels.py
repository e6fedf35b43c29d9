"""The panels that look things up: a text that is followed, a token that is found."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.driving import chips, region, verdict

pytestmark = pytest.mark.browser


def test_a_followed_text_gets_its_verdict_and_the_blocked_byte(stage: Page) -> None:
    panel = region(stage, "Follow a text")
    for text, told in (
        ("skill", ["VALID", "the first 5 bytes fit"]),
        ("sk", ["INCOMPLETE", "still needs ill"]),
        ("sky", ["INVALID", "line 1, column 3", "offset 2", "Got y; expected i"]),
    ):
        panel.get_by_label("A text to follow").fill(text)
        panel.get_by_role("button", name="Follow this text").click()
        for words in told:
            expect(panel.get_by_role("status")).to_contain_text(re.compile(rf"\b{words}"))
    assert chips(stage) == ["sk", "y"]
    expect(verdict(stage)).to_have_text("INVALID")


def test_a_token_is_found_with_its_reason_and_watched(stage: Page) -> None:
    panel = region(stage, "Find a token")
    stage.keyboard.press("/")
    expect(panel.get_by_role("searchbox")).to_be_focused()
    stage.keyboard.type("othe")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text("blocked:")
    watch = panel.get_by_role("button", name="Watch")
    expect(watch).to_have_attribute("aria-pressed", "false")
    watch.click()
    expect(watch).to_have_attribute("aria-pressed", "true")
    watched = "d => d.candidates.filter(row => row.watched).map(row => row.text)"
    document = "window.playgroundStage.store.doc()"
    assert stage.evaluate(f"{document}.steps.flatMap({watched})") == ["other", "other"]
    watch.click()
    expect(watch).to_have_attribute("aria-pressed", "false")
    assert stage.evaluate(f"{document}.steps.flatMap({watched})") == []
