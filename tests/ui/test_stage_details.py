"""What the stage says and where it says it: no press is lost, no word contradicts another."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.ui.driving import (
    NO_MODEL,
    TAKEN,
    choose,
    open_rail_sampling,
    press,
    set_number,
    start,
    write,
)

pytestmark = pytest.mark.browser

IN_DOCK = "document.activeElement.closest('.pg-dock') !== null"
HIDDEN_FOCUS = """() => {
  const it = document.activeElement;
  const box = it.getBoundingClientRect();
  const dock = document.querySelector('.pg-dock').getBoundingClientRect();
  const inside = it.closest('.pg') && !it.closest('.pg-dock');
  return inside && (box.top < 0 || box.bottom > dock.top) ? it.outerHTML.slice(0, 100) : null;
}"""


def hold_first(page: Page, name: str, seconds: float) -> None:
    """The first request for the server function `name` reaches the server `seconds` late."""
    held: list[str] = []

    def handle(route: Route) -> None:
        if f'"{name}"' in (route.request.post_data or "") and not held:
            held.append(name)
            time.sleep(seconds)
        route.continue_()

    page.route("**/component_server*", handle)


@pytest.mark.parametrize("first", ["the change", "the press"])
def test_a_step_pressed_beside_a_change_of_the_sampling_is_not_lost(
    stage: Page, first: str
) -> None:
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "temperature", "0.9")
    hold_first(stage, "advance", 0.6)  # longer than a change waits for the next one
    box = stage.locator("#temperature input[type=number]")
    step: Callable[[], None] = stage.locator("#stage .pg-step").click
    if first == "the press":
        step()
    box.fill("0.5")
    box.press("Enter")
    if first == "the change":
        step()
    expect(stage.locator(TAKEN)).to_have_count(1)
    problem = "window.playgroundStage.store.doc().problem"
    stage.wait_for_function(f"{problem}.sampling.temperature === 0.5")
    stage.wait_for_timeout(500)
    expect(stage.locator(TAKEN)).to_have_count(1)


def test_the_keyboard_reaches_the_steps_first_and_never_looks_behind_the_dock(
    stage: Page,
) -> None:
    stage.keyboard.press("Tab")
    skip = stage.get_by_role("button", name="Skip to the steps")
    expect(skip).to_be_focused()
    assert (skip.bounding_box() or {"width": 0})["width"] > 100
    stage.keyboard.press("Enter")
    assert stage.evaluate(IN_DOCK)
    while stage.evaluate(IN_DOCK):
        stage.keyboard.press("Tab")
    expect(stage.get_by_role("button", name="Erase and stretch")).to_be_focused()
    for _ in range(60):
        stage.keyboard.press("Tab")
        assert stage.evaluate(HIDDEN_FOCUS) is None
    for _ in range(60):
        stage.keyboard.press("Shift+Tab")
        assert stage.evaluate(HIDDEN_FOCUS) is None


def test_the_export_menu_says_how_much_goes_into_a_file(stage: Page) -> None:
    extent = stage.locator("#stage .pg-export-extent")
    stage.keyboard.press("e")
    expect(extent).to_have_text("This lane, 2 steps")
    stage.keyboard.press("Escape")
    stage.keyboard.press("Home")
    press(stage, "Fork here")
    expect(stage.get_by_role("list", name="Lanes")).to_contain_text("from the start")
    press(stage, "New token")
    expect(stage.locator(TAKEN)).to_have_count(1)
    stage.keyboard.press("e")
    expect(extent).to_have_text("This lane, 1 step; not the other lane")


def test_a_recording_says_that_rows_are_read_and_offers_no_fork(
    stage: Page, browser: Browser, tmp_path: Path
) -> None:
    stage.keyboard.press("e")
    with stage.expect_download() as download:
        stage.locator("#stage .pg-export").get_by_role("button", name="One HTML file").click()
    path = tmp_path / "run.html"
    download.value.save_as(path)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator(".pg-hint")).to_have_text(
        "This file is a recording: rows can be read, not taken."
    )
    for name in ("Fork here", "Undo", "Redo"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_hidden()
    page.keyboard.press("b")
    assert page.locator(".pg-lane-row").count() == 0
    context.close()


def test_the_whole_text_and_the_place_of_a_step_are_told_apart(stage: Page) -> None:
    stage.get_by_label("A text to follow").fill("cloudy")
    stage.get_by_role("button", name="Follow this text").click()
    head = stage.locator("#stage .pg-head")
    expect(head).to_contain_text(re.compile(r"whole text:\s*INVALID"))
    stage.keyboard.press("End")
    expect(head).to_contain_text("could stop before this token")
    expect(head).not_to_contain_text("may stop here", use_inner_text=True)
    expect(stage.locator("#stage .pg-ring")).to_have_text("before this token: valid")


def test_bytes_are_counted_from_one(stage: Page) -> None:
    stage.locator("#stage .pg-row").filter(has_text="y").first.click()
    ghost = stage.get_by_role("region", name="Ghost branch")
    expect(ghost).to_contain_text("The state expects i; the token starts with `y`.")
    expect(ghost).to_contain_text("byte 3 of the text, line 1, column 3")
    expect(stage.locator("#stage .pg-hops-words")).to_contain_text("blocked at byte 1 of 1")


def test_only_a_run_that_goes_on_has_steps_so_far(stage: Page) -> None:
    place = stage.locator("#stage .pg-place")
    expect(place).to_have_text("Step 2 of 2 so far")
    press(stage, "To the end")
    expect(stage.get_by_label("Outcome of the run")).to_be_visible()
    expect(place).not_to_contain_text("so far", use_inner_text=True)


def test_no_two_marks_of_the_help_look_alike(stage: Page) -> None:
    stage.keyboard.press("?")
    marks = stage.locator("dialog .pg-marks li svg")
    drawn = marks.evaluate_all("all => all.map((each) => each.innerHTML)")
    assert len(drawn) > 5
    assert len(set(drawn)) == len(drawn)


def test_a_cut_run_says_once_that_it_is_incomplete_and_an_unmasked_one_took_nothing(
    stage: Page,
) -> None:
    write(stage, "Regex", "skill")
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "max-tokens", "1")
    press(stage, "New token")
    outcome = stage.get_by_label("Outcome of the run")
    expect(outcome).to_contain_text("Stopped at 1 token.")
    expect(outcome).to_contain_text("Over 1 step the mask took")
    assert outcome.inner_text().count("incomplete") == 1
    stage.evaluate("window.playgroundStage.store.actions.replay({method: 'unconstrained'})")
    expect(outcome).to_contain_text("the mask would have taken")
    expect(stage.locator("#stage .pg-charts-words")).to_contain_text("would have taken")


def test_a_phone_has_the_sentence_between_the_strip_and_the_bar(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    expect(stage.locator("#stage .pg[data-size=narrow]")).to_be_visible()
    tops = [
        (stage.locator(f"#stage {each}").bounding_box() or {"y": 0})["y"]
        for each in (".pg-strip", ".pg-caption", ".pg-bar-track")
    ]
    assert tops == sorted(tops)
    assert 0 < tops[2] < 844


def test_every_column_of_the_toy_fits_at_1280(stage: Page) -> None:
    wide = "box => [box.scrollWidth, box.clientWidth]"
    needed, given = stage.get_by_role("region", name="Rules and weights").evaluate(wide)
    assert needed <= given


@NO_MODEL
@pytest.mark.model
def test_without_a_toy_the_rest_stands_beside_the_state(stage: Page) -> None:
    choose(stage, "Ticket triage")
    stage.locator("#stage .pg-toy-panel").wait_for(state="hidden", timeout=120_000)
    rest = stage.locator("#stage .pg-below").bounding_box()
    state = stage.locator("#stage .pg-column-side").bounding_box()
    assert rest
    assert state
    assert rest["x"] + rest["width"] <= state["x"]
    assert rest["y"] < state["y"] + state["height"]
