"""A teacher's own lesson: made of the page, saved, opened again, and refused in words where it is none."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.lesson_driving import at_beat, bar, keys, state
from tests.ui.test_links import elsewhere, made


def test_a_lesson_is_made_of_the_page_saved_played_and_shared(
    stage: Page, browser: Browser, tmp_path: Path
) -> None:
    stage.locator("#top [data-do=lessons]").click()
    stage.get_by_role("button", name="Make a lesson from this page").click()
    maker = stage.get_by_role("dialog", name="Make a lesson")
    save = maker.get_by_role("button", name="Save, and check its claims")
    expect(save).to_be_disabled()
    maker.get_by_label("Title").fill("What <b>sky</b> hides")
    expect(maker.get_by_text("what-b-sky-b-hides.lesson.json")).to_be_visible()
    maker.get_by_label("The question that it answers").fill("Who decided?")
    maker.get_by_label("What is said").fill("word " * 26)
    maker.get_by_role("button", name="Add this state as a beat").click()
    expect(maker.get_by_text("26 words; at most 25")).to_be_visible()
    maker.get_by_label("What is said").fill("Only one token is left, <img src=x onerror=alert(1)>.")
    maker.get_by_label("Point at").select_option("z")
    maker.get_by_text("ask for a prediction first").click()
    maker.get_by_label("Question", exact=True).fill("How much is kept?")
    maker.get_by_label("Options, one a line").fill("all\nalmost nothing")
    maker.get_by_label("The right one").fill("2")
    maker.get_by_role("button", name="Add this state as a beat").click()
    expect(maker.get_by_role("listitem").filter(has_text="Only one token is left")).to_have_count(1)
    picked = maker.get_by_label("A number of the page as it is now")
    expect(picked.locator("option").nth(1)).to_contain_text("the model's first choice is blocked")
    sentence = maker.get_by_label("The sentence that it keeps true")
    offered = sentence.input_value()
    sentence.fill("The mask takes next to nothing.")
    expect(maker.locator(".lesson-unsaid:visible")).to_contain_text(
        "The sentence doesn’t say 0.0020"
    )
    sentence.fill(offered)
    expect(maker.locator(".lesson-unsaid:visible")).to_have_count(0)
    maker.get_by_role("button", name="Add this claim").click()
    told = maker.get_by_role("listitem").filter(has_text=offered)
    expect(told).to_contain_text(
        "Checked: Z_t: the share of p that the mask keeps · step 2 = 0.0020"
    )
    maker.get_by_label("What the room is asked at the end").fill("Who chose <i>ill</i>?")
    maker.get_by_role("button", name="Add this exercise").click()
    expect(maker.get_by_text("Write its answer.")).to_be_visible()
    maker.get_by_label("The answer, hidden").fill("The mask.")
    maker.get_by_role("button", name="Add this exercise").click()
    maker.get_by_role("button", name="Change the words").click()
    maker.get_by_label("What is said at beat 1").fill(
        "Only one is left, <img src=x onerror=alert(1)>."
    )
    maker.get_by_role("button", name="Keep these words").click()
    expect(maker.get_by_role("listitem").filter(has_text="Only one is left")).to_have_count(1)
    with stage.expect_download() as saved:
        save.click()
    expect(maker.get_by_text("All claims hold.")).to_be_in_viewport()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    form = json.loads(path.read_text("utf-8"))
    assert path.name == "what-b-sky-b-hides.lesson.json"
    assert form["v"] == 1
    assert [claim["holds"] for claim in form["claims"]] == [True]
    maker.get_by_role("button", name="Play it").click()
    at_beat(stage, 0)
    keys(stage, "2")
    expect(bar(stage).locator(".lesson-text")).to_have_text(form["lesson"]["beats"][0]["text"])
    assert bar(stage).locator("img").count() == 0
    with elsewhere(browser, made(stage)) as other:
        at_beat(other, 0)
        assert state(other) == state(stage)
        other.reload()
        at_beat(other, 0)
        keys(other, "PageDown", "PageDown")
        expect(bar(other)).to_contain_text("The claim was held against the recorded numbers.")
        bar(other).get_by_role("button", name="Close the lesson").last.click()
        assert other.evaluate("location.hash") == ""
    keys(stage, "PageDown")
    expect(bar(stage)).to_contain_text("Who chose <i>ill</i>?")
    with stage.expect_download() as saved:
        bar(stage).get_by_role("button", name="Handout with a worksheet").click()
    saved.value.save_as(tmp_path / saved.value.suggested_filename)
    handout = (tmp_path / "what-b-sky-b-hides.html").read_text("utf-8")
    assert "Only one is left, &lt;img" in handout
    assert "Who chose &lt;i&gt;ill" in handout
    stage.evaluate("window.playgroundLesson.close()")

    stage.locator("#top [data-do=lessons]").click()
    stage.get_by_label("A lesson’s file").set_input_files(path)
    at_beat(stage, 0)
    assert state(stage) == {"slug": "what-b-sky-b-hides", "beat": 0, "of": 1, "own": True}


def test_a_draft_is_kept_in_the_tab_and_a_deletion_can_be_undone(stage: Page) -> None:
    stage.wait_for_function("() => window.playgroundLesson")
    stage.evaluate("window.playgroundLesson.maker()")
    maker = stage.get_by_role("dialog", name="Make a lesson")
    maker.get_by_label("Title").fill("Mine")
    maker.get_by_label("What is said").fill("Look here.")
    maker.get_by_role("button", name="Add this state as a beat").click()
    stage.reload()
    stage.wait_for_function("() => window.playgroundLesson")
    stage.evaluate("window.playgroundLesson.maker()")
    maker = stage.get_by_role("dialog", name="Make a lesson")
    expect(maker.get_by_label("Title")).to_have_value("Mine")
    item = maker.get_by_role("listitem").filter(has_text="Look here.")
    item.get_by_role("button", name="Delete").click()
    expect(item).to_have_count(0)
    maker.get_by_role("button", name="Undo").click()
    expect(item).to_have_count(1)


@pytest.mark.parametrize("text", ["{", "[]", '{"v": 9, "lesson": {}}', "x" * 1_600_000])
def test_a_file_that_is_no_lesson_is_refused_in_words(
    stage: Page, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "odd.lesson.json"
    path.write_text(text, "utf-8")
    stage.locator("#top [data-do=lessons]").click()
    stage.get_by_label("A lesson’s file").set_input_files(path)
    expect(stage.get_by_role("dialog", name="Lessons").get_by_role("alert")).to_be_visible()
    assert state(stage) is None


@pytest.mark.parametrize("width", [1110, 1280, 1500])
def test_the_top_bar_keeps_its_buttons_apart_beside_the_maker(stage: Page, width: int) -> None:
    stage.set_viewport_size({"width": width, "height": 800})
    stage.wait_for_function("() => window.playgroundLesson")
    stage.evaluate("window.playgroundLesson.maker()")
    maker = stage.get_by_role("dialog", name="Make a lesson").bounding_box()
    boxes = [
        box
        for box in (button.bounding_box() for button in stage.locator("#top button").all())
        if box and box["width"] > 1
    ]
    assert len(boxes) > 10
    for at, box in enumerate(boxes):
        assert box["x"] + box["width"] <= maker["x"] + 1
        for other in boxes[:at]:
            beside = (
                box["x"] >= other["x"] + other["width"] or other["x"] >= box["x"] + box["width"]
            )
            below = (
                box["y"] >= other["y"] + other["height"] or other["y"] >= box["y"] + box["height"]
            )
            assert beside or below
