"""The page as a whole: how it opens, on every width, in light and dark, and beside another tab."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.ui.driving import chips, choose, new_token, start, where

pytestmark = pytest.mark.browser


def test_the_page_opens_on_a_worked_example_at_its_most_surprising_step(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("1 in 500")
    expect(stage.locator("#stage .pg-caption")).to_contain_text("98.0 %")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_keys_are_inert_while_typing(stage: Page) -> None:
    before = stage.locator("#stage .pg-head").inner_text()
    stage.locator("#source textarea").click()
    for key in ("ArrowLeft", "n", "b", "Home"):
        stage.keyboard.press(key)
    assert stage.locator("#stage .pg-head").inner_text() == before


def test_nothing_scrolls_sideways(stage: Page) -> None:
    for width in (390, 768, 1280):
        stage.set_viewport_size({"width": width, "height": 844})
        stage.wait_for_timeout(600)
        assert stage.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_problem_is_a_sheet(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    expect(stage.locator("#rail")).to_be_hidden()
    stage.get_by_role("button", name="Problem").click()
    expect(stage.locator("#rail")).to_be_visible()
    stage.locator("#start").click()
    expect(stage.locator("#rail")).to_be_hidden()


def test_dark_is_one_button_and_is_remembered(stage: Page) -> None:
    was = stage.evaluate("document.body.classList.contains('dark')")
    stage.get_by_role("button", name="Theme").click()
    assert stage.evaluate("document.body.classList.contains('dark')") is not was
    stage.reload()
    stage.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    assert stage.evaluate("document.body.classList.contains('dark')") is not was


def test_the_keys_are_listed_by_a_key(stage: Page) -> None:
    sheet = stage.get_by_role("dialog", name="Keys and marks")
    stage.keyboard.press("?")
    expect(sheet).to_be_visible()
    for words in ("fork here", "undo, redo", "find a token"):
        expect(sheet).to_contain_text(words)
    stage.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_every_button_has_a_name(stage: Page) -> None:
    roles = "button|combobox|checkbox|radio|textbox|searchbox|spinbutton|slider"
    for width in (390, 1000, 1280, 1600):
        stage.set_viewport_size({"width": width, "height": 800})
        stage.wait_for_timeout(300)
        lines = stage.locator("body").aria_snapshot().splitlines()
        assert sum(line.lstrip().startswith("- button") for line in lines) > 10, width
        unnamed = [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)]
        assert unnamed == [], width


def test_two_tabs_do_not_mix(stage: Page, app_url: str) -> None:
    other = stage.context.new_page()
    other.goto(app_url)
    other.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    box = other.locator("#stage .pg-toy").get_by_label(re.compile("ill.*after|after.*ill")).first
    box.fill("0.98")
    box.press("Enter")
    expect(other.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    stage.keyboard.press("Home")
    stage.locator("#stage .pg-candidates").get_by_text("cloud", exact=True).click()
    expect(stage.get_by_role("list", name="Lanes")).to_be_visible()
    choose(other, "Two steps:")
    expect(other.locator("#stage .pg-head")).to_contain_text("Two steps")
    new_token(other)
    assert chips(other)[:2] == ["A", "x"]
    assert chips(stage) == ["cloud"]
    start(stage)  # the table that the other tab has edited is its own
    stage.locator("#stage .pg-candidates").get_by_text("sk", exact=True).click()
    expect(where(stage)).to_have_text("Step 1 of 1")
    stage.keyboard.press("End")
    expect(stage.locator("#stage .pg-head")).to_contain_text("1 in 500")
    other.close()


@pytest.mark.parametrize(
    ("button", "sheet"),
    [("lessons", "Lessons"), ("share", "Share"), ("help", "Keys and marks")],
)
def test_what_is_pressed_before_its_part_has_come_is_done_when_it_is_there(
    page: Page, app_url: str, button: str, sheet: str
) -> None:
    held: list[Route] = []
    page.route("**/joined/modules-*", lambda route: held.append(route))
    with page.expect_request("**/joined/modules-*"):
        page.goto(app_url, wait_until="commit")
    page.locator(f"#top [data-do={button}]").click()
    page.wait_for_timeout(300)
    expect(page.locator("dialog:modal")).to_have_count(0)
    for route in held:
        route.continue_()
    expect(page.get_by_role("dialog", name=sheet)).to_be_visible()
