"""The Schema screen's stepper: one string, byte by byte and token by token."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from playground.models.tokens import byte_characters
from tests.ui.driving import NO_MODEL
from tests.ui.schema_driving import (
    BROKEN,
    GOOD,
    caret,
    fill,
    keep_one,
    paste,
    row,
    settled,
)


@pytest.mark.browser
def test_two_carets_move_together_by_the_keys(screen: Locator, stage: Page) -> None:
    paste(stage, BROKEN)
    keep_one(stage, screen)
    fill(stage, screen, 1, '{"reasoning": "ok", "mood": "glad", "level": 3}')
    settled(stage)
    fails = GOOD.index("calm")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails), timeout=10_000)
    screen.locator(".sc-title").click()
    stage.keyboard.press("Home")
    expect(caret(screen)).to_have_attribute("data-offset", "0")
    here = screen.locator(".sc-marks .sc-here")
    expect(here).to_have_count(1)
    top = here.bounding_box()
    stage.keyboard.press("ArrowRight")
    stage.keyboard.press("l")
    expect(caret(screen)).to_have_attribute("data-offset", "2")
    stage.keyboard.press("h")
    expect(caret(screen)).to_have_attribute("data-offset", "1")
    stage.keyboard.press("f")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails))
    expect(screen.locator(".sc-words")).to_contain_text("$.mood")
    stage.wait_for_timeout(200)
    now = here.bounding_box()
    assert top is not None
    assert now is not None
    assert now["y"] > top["y"] + 30, "the schema's caret stands at `mood`, below the first line"
    # No key acts while somebody types.
    row(screen, 1).locator("textarea").focus()
    stage.keyboard.press("Home")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails))


@pytest.mark.browser
@NO_MODEL
def test_the_tokens_of_a_model_are_shown_with_those_that_straddle(
    screen: Locator, stage: Page
) -> None:
    row(screen, 4).locator("textarea").click()
    screen.get_by_label("Show the tokens of").select_option("smollm2")
    expect(screen.locator(".sc-cells .sc-group").first).to_be_visible(timeout=60_000)
    expect(screen.locator(".sc-cells .sc-group[data-straddles]").first).to_be_visible()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().at > 0")
    expect(screen.locator(".sc-token-words")).to_contain_text("green")
    expect(screen.locator(".sc-token-words")).to_contain_text("starts 3 bytes earlier")
    expect(screen.locator(".sc-token-words")).to_contain_text("It is blocked there")
    expect(screen.locator(".sc-chips code")).to_contain_text(["grey"])
    screen.locator(".sc-title").click()
    stage.keyboard.press("Home")
    stage.keyboard.press("Shift+ArrowRight")
    first = screen.locator(".sc-cells .sc-group").first.locator(".sc-cell").count()
    expect(caret(screen)).to_have_attribute("data-offset", str(first))


@pytest.mark.browser
def test_the_tokens_of_a_tokenizer_json_are_shown(
    screen: Locator, stage: Page, tmp_path: Path
) -> None:
    characters = byte_characters()
    vocabulary = {**characters, "sk": len(characters), "sky": len(characters) + 1}
    kind = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    file = tmp_path / "tokenizer.json"
    model = {"type": "BPE", "vocab": vocabulary, "merges": ["s k", "sk y"]}
    file.write_text(
        json.dumps({"version": "1.0", "pre_tokenizer": kind, "decoder": kind, "model": model})
    )
    row(screen, 1).locator("textarea").click()
    with stage.expect_file_chooser() as chooser:
        screen.get_by_label("Show the tokens of").select_option("file")
    chooser.value.set_files(file)
    expect(screen.locator(".sc-cells .sc-group").first).to_be_visible(timeout=60_000)
    expect(screen.get_by_label("Show the tokens of")).to_contain_text("tokenizer.json: 259 tokens")
    groups = [
        text.replace("\n", "") for text in screen.locator(".sc-cells .sc-group").all_inner_texts()
    ]
    assert groups[:4] == ["{", '"', "sky", '"']


@pytest.mark.browser
def test_an_emptied_string_is_stepped_through(screen: Locator, stage: Page) -> None:
    fill(stage, screen, 1, "")
    row(screen, 1).locator("textarea").click()
    expect(screen.locator(".sc-where")).to_contain_text("After all 0 bytes")
    expect(screen.locator(".sc-wanted")).to_contain_text("{", timeout=10_000)


@pytest.mark.browser
def test_a_text_that_the_engine_has_no_time_for_ends_at_the_last_byte_that_is_known(
    screen: Locator, stage: Page
) -> None:
    def slow(route: Route) -> None:
        asked = route.request.post_data_json or {}
        if asked.get("fn_name") != "stepper":
            route.continue_()
            return
        answer = route.fetch()
        document = answer.json()
        document.update(stopped_after=5, fails_at=None)
        document["bytes"] = [each for each in document["bytes"] if each["offset"] < 5]
        if asked["data"]["at"] >= 5:
            document = {"error": {"what": "It took too long.", "hint": "Ask earlier."}}
        route.fulfill(response=answer, json=document)

    stage.route("**/component_server**", slow)
    fill(stage, screen, 1, '{"sky": "blue", "clouds": 1}')
    row(screen, 1).locator("textarea").click()
    cut = screen.locator(".sc-cut")
    expect(cut).to_have_text(
        "Stopped after 5 bytes: the engine needs more time than the page gives it.", timeout=10_000
    )
    screen.locator(".sc-title").click()
    for key in ("End", "ArrowRight"):
        stage.keyboard.press(key)
        expect(caret(screen)).to_have_attribute("data-offset", "4")
        expect(screen.locator(".sc-where")).to_contain_text("Byte 5 of 28")
    expect(screen.locator(".sc-cell[data-offset='5']")).to_have_attribute("data-standing", "unread")
    # Where the engine comes less far than before, what is known stays.
    screen.locator(".sc-cell[data-offset='9']").click()
    expect(caret(screen)).to_have_attribute("data-offset", "4")
    expect(cut).to_be_visible()


@pytest.mark.browser
@NO_MODEL
def test_the_caret_goes_to_the_failure_though_tokens_were_chosen_before_the_first_answer(
    screen: Locator, stage: Page
) -> None:
    held: list[Route] = []

    def slow(route: Route) -> None:
        asked = route.request.post_data_json or {}
        if asked.get("fn_name") == "stepper" and "smollm2" not in (route.request.post_data or ""):
            held.append(route)  # the answer about bytes never comes
        else:
            route.continue_()

    stage.route("**/component_server**", slow)
    row(screen, 4).locator("textarea").click()
    for _ in range(100):
        if held:
            break
        stage.wait_for_timeout(50)
    assert held
    screen.get_by_label("Show the tokens of").select_option("smollm2")
    fails = caret(screen).and_(screen.locator("[data-standing=fails]"))
    expect(fails).to_have_count(1, timeout=60_000)
    stage.unroute("**/component_server**")
