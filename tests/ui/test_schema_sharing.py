"""The Schema screen's constraint comes from the rail or a link, and goes to Step or into one."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import NO_MODEL, TAKEN, choose, write
from tests.ui.schema_driving import BROKEN, fill, paste, row, settled, source


@pytest.mark.browser
@NO_MODEL
def test_step_opens_with_the_constraint_and_follows_the_string(
    screen: Locator, stage: Page
) -> None:
    row(screen, 1).locator("textarea").click()
    screen.locator(".sc-head").get_by_role("button", name="Open in Step").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    expect(stage.locator(TAKEN).first).to_be_visible(timeout=60_000)
    stage.wait_for_function(
        """() => { const doc = window.playgroundStage.store.doc();
            return doc.problem.constraint.kind === 'schema' && doc.steps.length > 5; }"""
    )
    expect(stage.locator("#source textarea")).to_have_value(re.compile('"maxium": 100'))
    expect(stage.locator("#model input")).to_have_value("smollm2")
    example = stage.locator("#preset input")
    expect(example).to_have_value("Your own")
    # The same example as before can be chosen again, and what is the visitor's stays under its name.
    taken = stage.locator(TAKEN).count()
    example.click()
    stage.get_by_role("option", name="Your own").click()
    stage.wait_for_timeout(500)
    assert stage.locator(TAKEN).count() == taken
    choose(stage, "Sky: the mask")
    expect(stage.locator("#model input")).to_have_value("toy:sky")
    expect(example).to_have_value(re.compile("Sky"))


@pytest.mark.browser
def test_the_rails_constraint_is_debugged_here(stage: Page) -> None:
    write(stage, "Regex", "[0-9]{3}-[0-9]{2}")
    stage.locator("#debug").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "schema")
    stage.wait_for_function(
        "window.playgroundScreens?.schema?.state.get().source === '[0-9]{3}-[0-9]{2}'"
    )
    settled(stage)
    screen = stage.locator("#schema")
    expect(screen.locator(".sc-kind[data-kind=regex]")).to_have_attribute("aria-checked", "true")
    fill(stage, screen, 1, "123-4")
    settled(stage)
    expect(row(screen, 1)).to_contain_text("INCOMPLETE")


@pytest.mark.browser
def test_a_rail_that_was_edited_is_taken_over_until_something_is_edited_here(stage: Page) -> None:
    write(stage, "Regex", "a+b")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().source === 'a+b'")
    stage.locator("#top [data-screen=step]").click()
    write(stage, "Regex", "a+c")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().source === 'a+c'")
    paste(stage, "a+d")
    stage.locator("#top [data-screen=step]").click()
    write(stage, "Regex", "a+e")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_timeout(500)
    assert source(stage) == "a+d"


@pytest.mark.browser
def test_a_reload_and_a_link_bring_back_constraint_and_strings(
    screen: Locator, stage: Page, app_url: str
) -> None:
    paste(stage, BROKEN)
    fill(stage, screen, 2, 'a\n"line" ✓', "fail")
    settled(stage)
    stage.wait_for_function("location.hash.startsWith('#schema?')")
    stage.wait_for_timeout(600)
    link = stage.url
    stage.reload()
    settled(stage)
    assert source(stage) == BROKEN
    expect(row(screen, 2).locator("textarea")).to_have_value('a\n"line" ✓')
    expect(row(screen, 2).locator(".sc-should")).to_have_attribute("data-should", "fail")
    stage.goto(f"{app_url}/#schema")
    paste(stage, '{"type": "integer"}')
    stage.wait_for_function(
        "(link) => location.href !== link && location.hash.length > 9", arg=link
    )
    stage.goto(link)
    stage.wait_for_function(
        "(text) => window.playgroundScreens?.schema?.state.get().source === text", arg=BROKEN
    )
    settled(stage)


@pytest.mark.browser
def test_a_link_that_was_cut_is_told_with_what_to_do(
    screen: Locator, stage: Page, app_url: str
) -> None:
    paste(stage, BROKEN)
    stage.wait_for_function("location.hash.startsWith('#schema?')")
    stage.wait_for_timeout(600)
    link = stage.url
    note = screen.locator(".sc-link-note")
    expect(note).to_be_hidden()
    # Opened by somebody else: nothing of it stands in this tab.
    for cut in (link[: len(link) // 2], link[:-9], f"{app_url}/#schema?", f"{app_url}/#schema?a%"):
        stage.goto("about:blank")
        stage.goto(cut)
        expect(note).to_contain_text("The link in the address can’t be read", timeout=20_000)
        expect(note).to_contain_text("Copy the whole link again")
        expect(note).to_contain_text("the example that the page opens with")
        settled(stage)
        assert "maxium" in source(stage)
        expect(note).to_be_visible()
    # A link in this tab, over what is being edited.
    paste(stage, BROKEN)
    expect(note).to_be_hidden()
    stage.evaluate("location.hash = '#schema?nonsense'")
    expect(note).to_contain_text("what the page had")
    assert source(stage) == BROKEN
    # What a mail puts after a link is none of it.
    stage.goto("about:blank")
    stage.goto(f"{link}).")
    stage.wait_for_function(
        "(text) => window.playgroundScreens?.schema?.state.get().source === text", arg=BROKEN
    )
    expect(note).to_be_hidden()
