"""The Decisions screen, as a visitor uses it before any model is loaded."""

import itertools
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.ui.decisions_page import page_props
from tests.ui.decisions_driving import FAINT, MIXED, PLACES, SMALL, STATE, ended, own, section

pytestmark = pytest.mark.browser


def test_it_is_useful_before_anything_runs(stage: Page, decisions: Locator) -> None:
    expect(section(decisions, "Type of the record")).to_contain_text("5 × 4 × 2 × 8 = 320 records")
    together = section(decisions, "How the fields hang together")
    expect(together).to_contain_text("Total correlation 1 bit")
    expect(together).to_contain_text("so 50.0 % of the records are of the right type")
    expect(together.get_by_role("row", name=re.compile("^US")).last).to_contain_text("25.0 %")
    text = section(decisions, "Text without an order")
    expect(text).to_contain_text("87.5 % of the texts mix the two modes")
    text.get_by_label("Drawn").select_option("from left to right")
    expect(text).to_contain_text("every text is one of the two modes")
    assert stage.evaluate("location.hash") == "#decisions"
    recorded = page_props()["recorded"]
    measured = section(decisions, "Measured on the test split")
    if recorded is None:
        expect(measured).to_contain_text("Nothing is measured yet")
        expect(decisions.get_by_role("button", name="Decide", exact=True).first).to_be_visible()
        expect(section(decisions, "Decide one ticket")).to_contain_text("No head yet")
        return
    expect(measured).to_contain_text("recorded")
    expect(measured).to_contain_text("whole record")
    expect(section(decisions, "Against generation")).to_contain_text("recorded")


def test_a_key_and_a_reload_lead_to_it(stage: Page, app_url: str) -> None:
    stage.locator("#stage .pg-col").first.click()
    stage.keyboard.press("7")
    expect(stage.locator("#decisions")).to_be_visible()
    expect(stage.locator("#top [data-screen=decisions]")).to_have_attribute("aria-current", "page")
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    expect(stage.locator("#decisions")).to_be_visible()
    expect(stage.locator("#stage")).to_be_hidden()
    stage.keyboard.press("1")
    expect(stage.locator("#stage")).to_be_visible()
    expect(stage.locator("#decisions")).to_be_hidden()


def test_a_free_text_is_named_and_the_split_offered(stage: Page, decisions: Locator) -> None:
    panel = own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    expect(panel).to_contain_text("`why` is free text: there is no list of what it can be.")
    expect(panel).to_contain_text("the other fields are decided first")
    expect(panel.locator(".dc-chip")).to_have_count(2)
    expect(panel).to_contain_text("2 × 2 = 4 records")
    ask = section(decisions, "Decide one ticket")
    expect(ask).to_contain_text("No head is trained for this type")
    expect(ask.get_by_role("button", name="Score with the language model")).to_be_enabled()


def test_a_schema_that_can_t_be_read_is_told_and_loses_nothing(
    stage: Page, decisions: Locator
) -> None:
    bad = '{\n  "type": "object",\n  "properties" {}\n}'
    panel = own(decisions, bad)
    expect(panel.locator(".pg-error")).to_contain_text("line 3", timeout=30_000)
    expect(panel.get_by_label("JSON Schema of the record")).to_have_value(bad)
    assert stage.evaluate(f"{STATE}.checked") is None
    panel.get_by_label("JSON Schema of the record").evaluate(
        """(box) => { box.value = '{"x": "' + 'y'.repeat(1000000) + '"}';
            box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    panel.get_by_role("button", name="Check", exact=True).click()
    expect(panel.locator(".pg-error")).to_contain_text("schema", timeout=30_000)
    expect(panel.locator(".pg-error")).to_contain_text("100")
    own(decisions, json.dumps({**MIXED, "required": ["mood"]}))
    ended(stage, "checked")
    expect(panel.locator(".pg-error")).to_be_hidden()


def test_markup_in_schemas_and_texts_is_text(stage: Page, decisions: Locator) -> None:
    evil = "<img src=x onerror=window.broken=1>${window.broken=2}</script>"
    schema = {
        "type": "object",
        "properties": {evil: {"enum": [evil, "b"], "description": evil}, "c": {"type": "string"}},
        "required": [evil, "c"],
        "additionalProperties": False,
    }
    panel = own(decisions, json.dumps(schema))
    ended(stage, "checked")
    expect(panel.locator(".dc-chip").first).to_contain_text(evil)
    decisions.get_by_label("Text of the ticket").fill(evil)
    own(decisions, f'{{"{evil}')
    expect(panel.locator(".pg-error")).to_be_visible(timeout=30_000)
    assert stage.evaluate("window.broken") is None
    assert decisions.locator("img").count() == 0


def test_a_file_that_is_no_head_is_refused_and_what_was_at_hand_stays(
    stage: Page, decisions: Locator, tmp_path: Path
) -> None:
    large = tmp_path / "large.safetensors"
    large.write_bytes(bytes(1_500_001))
    sent: list[int] = []
    stage.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
    before = stage.evaluate(f"JSON.stringify({STATE}.heads)")
    decisions.get_by_label("Open a head file").set_input_files(str(large))
    card = section(decisions, "Train a head").locator(".dc-file-box .pg-error")
    expect(card).to_contain_text("1,500,001 bytes")
    assert max(sent, default=0) < 100_000
    empty = tmp_path / "empty.safetensors"
    empty.write_bytes(b"")
    decisions.get_by_label("Open a head file").set_input_files(str(empty))
    expect(card).to_contain_text("empty")
    assert stage.evaluate(f"JSON.stringify({STATE}.heads)") == before


def test_nothing_scrolls_sideways_and_every_control_has_a_name(
    stage: Page, decisions: Locator
) -> None:
    own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    section(decisions, "Type of the record").get_by_role("button", name="Support ticket").click()
    place = decisions.get_by_role("navigation", name="Panels of this screen")
    for width, name in itertools.product((390, 768, 1280), PLACES):
        stage.set_viewport_size({"width": width, "height": 844})
        place.get_by_role("button", name=name, exact=True).click()
        expect(place.get_by_role("button", name=name, exact=True)).to_have_attribute(
            "aria-current", "true"
        )
        told = f"{name}, {width} px"
        assert stage.evaluate("document.documentElement.scrollWidth") <= width, told
        if width == 390:  # one panel at a time, besides the type's
            expect(decisions.locator(".dc-panel:visible")).to_have_count(2)
            assert stage.evaluate(SMALL) == [], told
        lines = decisions.aria_snapshot().splitlines()
        roles = "button|combobox|checkbox|radio|textbox|spinbutton|slider"
        unnamed = [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)]
        assert unnamed == [], told
        tabs = stage.locator("#top .top-tab").evaluate_all(
            "(tabs) => tabs.map((tab) => [tab.scrollWidth, tab.clientWidth])"
        )
        assert all(inside <= box for inside, box in tabs), told


def test_every_text_stands_out_in_light_and_dark(stage: Page, decisions: Locator) -> None:
    seen = set()
    for _ in range(2):
        seen.add(stage.evaluate("document.body.classList.contains('dark')"))
        count, faint = stage.evaluate(FAINT)
        assert count > 100
        assert faint == []
        stage.get_by_role("button", name="Theme").click()
    assert seen == {True, False}


def test_a_type_brings_its_examples_with_their_right_answers(
    stage: Page, decisions: Locator
) -> None:
    ask = section(decisions, "Decide one ticket")
    expect(ask).to_contain_text("Right answer: intent")
    decisions.get_by_role("button", name="Country and currency", exact=True).click()
    expect(ask.locator(".dc-example:visible")).to_have_count(2)
    expect(ask).to_contain_text("Right answer: country")
    ask.get_by_role("button", name="Example 2", exact=True).click()
    expect(decisions.get_by_label("Text of the ticket")).to_have_value(
        page_props()["examples"][-1]["text"]
    )


def test_answers_of_the_text_before_are_marked_and_a_reload_keeps_the_text(
    stage: Page, decisions: Locator
) -> None:
    if page_props()["recorded"] is None:
        pytest.skip("nothing is recorded")
    ask = section(decisions, "Decide one ticket")
    expect(ask).not_to_contain_text("of the text before")
    decisions.get_by_label("Text of the ticket").fill("Only <b>mine</b>.")
    for group, words in (
        ("Decided by the head", "Decided of the text before"),
        ("Scored by the language model", "Scored of the text before"),
    ):
        expect(ask.get_by_role("group", name=group)).to_contain_text(words)
    ask.get_by_role("button", name="Example 1", exact=True).click()
    expect(ask).not_to_contain_text("of the text before")
    decisions.get_by_label("Text of the ticket").fill("Only <b>mine</b>.")
    decisions.get_by_label("Epochs").fill("7")
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    expect(decisions.get_by_label("Text of the ticket")).to_have_value("Only <b>mine</b>.")
    expect(decisions.get_by_label("Epochs")).to_have_value("7")


def test_where_no_head_decides_the_fields_still_lead_somewhere(
    stage: Page, decisions: Locator
) -> None:
    together = section(decisions, "How the fields hang together")
    decisions.get_by_role("button", name="Country and currency", exact=True).click()
    cell = together.get_by_role("button", name=re.compile("^country set, currency moves: 0.50"))
    expect(cell).to_be_visible()
    expect(together).to_contain_text("The law of the worked example, of no text")
    own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    expect(cell).to_be_hidden()
    expect(together).to_contain_text("Press Score with the language model above")


def test_what_was_typed_stays_when_the_screen_is_left(stage: Page, decisions: Locator) -> None:
    decisions.get_by_label("Text of the ticket").fill("Only mine.")
    decisions.get_by_label("Seed").fill("7")
    stage.locator("#top [data-screen=study]").click()
    expect(decisions).to_be_hidden()
    stage.locator("#top [data-screen=decisions]").click()
    expect(decisions.get_by_label("Text of the ticket")).to_have_value("Only mine.")
    expect(decisions.get_by_label("Seed")).to_have_value("7")


def test_a_number_that_is_out_of_range_is_told_and_not_taken(
    stage: Page, decisions: Locator
) -> None:
    train = section(decisions, "Train a head")
    was = stage.evaluate(f"{STATE}.form.epochs")
    train.get_by_label("Epochs").fill("0")
    expect(train).to_contain_text("A whole number from 1 to 200")
    assert stage.evaluate(f"{STATE}.form.epochs") == was
    train.get_by_role("combobox", name="Head").select_option("joint")
    for box in (
        train.get_by_role("group", name="Fields of the joint softmax").get_by_role("checkbox").all()
    ):
        box.uncheck()
    expect(train).to_contain_text("needs at least two fields")
    expect(train.get_by_role("button", name="Train", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )
