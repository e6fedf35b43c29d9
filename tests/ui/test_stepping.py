"""Stepping through a run: one token more, another one, playing, forking, and how a run ends."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.ui.driving import (
    chips,
    choose,
    new_token,
    open_rail_sampling,
    outcome,
    press,
    region,
    set_number,
    start,
    verdict,
    where,
    write,
)

pytestmark = pytest.mark.browser


def asks(request: Request) -> bool:
    """It is about the run: the exact law of a toy's places is asked for beside, once each."""
    return "heartbeat" not in request.url and '"exact"' not in (request.post_data or "")


def test_scrubbing_asks_the_server_nothing(stage: Page) -> None:
    stage.wait_for_timeout(1500)
    asked: list[str] = []
    stage.on("request", lambda request: asked.append(request.url) if asks(request) else None)
    for key in ("Home", "ArrowRight", "ArrowLeft", "End", "Home"):
        stage.keyboard.press(key)
    stage.locator("#stage .pg-col").nth(1).hover()
    stage.wait_for_timeout(300)
    assert asked == []


def test_one_press_is_one_token_and_one_request(stage: Page) -> None:
    calls: list[str] = []
    stage.on(
        "request",
        # The exact law of a toy's places is asked for beside, once each.
        lambda request: (
            calls.append(request.url)
            if "component_server" in request.url and '"exact"' not in (request.post_data or "")
            else None
        ),
    )
    stage.keyboard.press("End")
    stage.locator("#stage .pg-step").click()
    expect(stage.locator("#stage")).to_contain_text("<eos>")
    assert len(calls) == 1


def test_clicking_a_row_takes_it_and_keeps_the_old_lane(stage: Page) -> None:
    stage.keyboard.press("Home")
    stage.locator("#stage .pg-candidates").get_by_text("cloud", exact=True).click()
    expect(stage.locator("#stage .pg-lanes-box")).to_contain_text("B")
    assert chips(stage)[0] == "cloud"


def test_clicking_a_blocked_row_shows_where_the_text_breaks(stage: Page) -> None:
    stage.locator("#stage .pg-candidates [data-blocked]").first.click()
    ghost = region(stage, "Ghost branch")
    expect(ghost).to_contain_text("byte 3 of the text")
    expect(ghost).to_contain_text("expects i")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_a_temperature_change_keeps_the_path_and_moves_the_numbers(stage: Page) -> None:
    open_rail_sampling(stage)
    set_number(stage, "temperature", "2")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_play_pauses_where_the_model_is_overruled(stage: Page) -> None:
    stage.keyboard.press("Home")
    press(stage, "Play")
    expect(where(stage)).to_have_text("Step 2 of 2")
    expect(stage.locator("#stage").get_by_role("button", name="Play", exact=True)).to_be_visible()
    stage.wait_for_timeout(900)  # the next tick would have come after 700 ms
    expect(where(stage)).to_have_text("Step 2 of 2")


def test_play_can_be_paused_and_goes_on_to_the_end(stage: Page) -> None:
    choose(stage, "Sums of zeros:")
    expect(where(stage)).to_contain_text("of 5")
    stage.keyboard.press("Home")
    stage.get_by_label("pause on events").uncheck()
    stage.get_by_label("Speed").select_option("1×")
    press(stage, "Play")
    expect(where(stage)).to_have_text("Step 3 of 5")
    press(stage, "Pause")
    stage.wait_for_timeout(900)
    expect(where(stage)).to_have_text("Step 3 of 5")
    stage.get_by_label("Speed").select_option("4×")
    press(stage, "Play")
    expect(verdict(stage)).to_have_text("VALID")
    expect(stage.locator("#stage").get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_next_event_is_found_forward_and_back(stage: Page) -> None:
    choose(stage, "Age:")
    expect(where(stage)).to_have_text("Step 4 of 5")
    stage.keyboard.press("Home")
    expect(where(stage)).to_have_text("Step 1 of 5")
    press(stage, "Next event")
    expect(where(stage)).not_to_have_text("Step 1 of 5")
    seen = [where(stage).inner_text()]
    while seen[-1] != "Step 4 of 5":  # `x` is blocked there
        assert "Step 1 of 5" < seen[-1] < "Step 4 of 5"
        stage.keyboard.press("n")
        expect(where(stage)).not_to_have_text(seen[-1])
        seen.append(where(stage).inner_text())
    assert seen == sorted(seen)
    stage.keyboard.press("Shift+N")
    expect(where(stage)).not_to_have_text("Step 4 of 5")
    assert where(stage).inner_text() < "Step 4 of 5"


def test_a_fork_is_undone_and_redone(stage: Page) -> None:
    lanes = stage.get_by_role("list", name="Lanes")
    expect(lanes).to_be_hidden()
    press(stage, "Fork here")
    expect(lanes.get_by_role("button")).to_have_count(2)
    assert chips(stage) == ["sk"]
    press(stage, "Undo")
    expect(lanes).to_be_hidden()
    assert chips(stage) == ["sk", "ill"]
    press(stage, "Redo")
    expect(lanes.get_by_role("button")).to_have_count(2)
    assert chips(stage) == ["sk"]
    new_token(stage)
    assert chips(stage) == ["sk", "ill"]
    lanes.get_by_role("button", name="Lane A").click()
    stage.keyboard.press("Home")
    assert chips(stage) == ["sk", "ill"]
    for _ in range(2):  # the token, then the fork
        stage.keyboard.press("u")
    expect(lanes).to_be_hidden()


def test_a_dead_end_of_the_filters_offers_the_other_order(stage: Page) -> None:
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "top-k", "1")
    new_token(stage)
    assert chips(stage) == ["sk"]
    stage.locator("#stage .pg-step").click()
    expect(verdict(stage)).to_have_text("DEAD END")
    expect(outcome(stage)).to_contain_text("top-k 1")
    outcome(stage).get_by_role("button", name="Mask first").click()
    expect(outcome(stage)).to_be_hidden()
    assert chips(stage) == ["sk"]
    new_token(stage)
    assert chips(stage) == ["sk", "ill"]


def test_a_run_cut_at_max_tokens_is_incomplete_and_can_go_on(stage: Page) -> None:
    write(stage, "Regex", "skill")
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "max-tokens", "1")
    new_token(stage)
    expect(verdict(stage)).to_have_text("INCOMPLETE")
    expect(outcome(stage)).to_contain_text("incomplete, not invalid")
    expect(outcome(stage)).to_contain_text(re.compile("still needs.*ill"))
    outcome(stage).get_by_role("button", name="Allow 32 more").click()
    expect(outcome(stage)).to_be_hidden()
    press(stage, "To the end")
    expect(verdict(stage)).to_have_text("VALID")
    assert chips(stage)[:2] == ["sk", "ill"]
