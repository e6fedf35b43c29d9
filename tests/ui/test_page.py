"""The Step screen, driven as a visitor would: in a real Chromium, against the real app."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def chips(page: Page) -> list[str]:
    """The texts of the tokens taken, as the strip shows them."""
    return page.locator("#stage .pg-col:not(.pg-col-frontier) .pg-chip-text").all_inner_texts()


def choose(page: Page, title: str) -> None:
    """Pick an example by its title and wait until the stage shows it."""
    page.locator("#preset input").click()
    page.get_by_role("option", name=title).click()


def open_rail_sampling(page: Page) -> None:
    page.locator("#rail").get_by_role("button", name="Sampling").click()


def test_the_page_opens_on_a_worked_example_at_its_most_surprising_step(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("1 in 500")
    expect(stage.locator("#stage .pg-caption-words, #stage .pg-caption")).to_contain_text("98.0 %")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_scrubbing_asks_the_server_nothing(stage: Page) -> None:
    stage.wait_for_timeout(1500)
    asked: list[str] = []
    stage.on("request", lambda request: asked.append(request.url))
    for key in ("Home", "ArrowRight", "ArrowLeft", "End", "Home"):
        stage.keyboard.press(key)
    stage.locator("#stage .pg-col").nth(1).hover()
    stage.wait_for_timeout(300)
    assert [url for url in asked if "heartbeat" not in url] == []


def test_one_press_is_one_token_and_one_request(stage: Page) -> None:
    calls: list[str] = []
    stage.on(
        "request",
        lambda request: calls.append(request.url) if "component_server" in request.url else None,
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
    expect(stage.locator("#stage")).to_contain_text("Byte 2 would be")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_an_edited_toy_changes_every_view_at_once(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("Z =")
    box = stage.locator("#stage .pg-toy").get_by_label(re.compile("ill.*after|after.*ill")).first
    box.fill("0.98")
    box.press("Enter")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_a_temperature_change_keeps_the_path_and_moves_the_numbers(stage: Page) -> None:
    open_rail_sampling(stage)
    box = stage.locator("#temperature input[type=number]")
    box.fill("2")
    box.press("Enter")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


@pytest.mark.parametrize(
    ("kind", "source", "words"),
    [
        ("Regex", "(skill", "column"),
        ("Regex", "rain", "can't spell"),
        ("JSON Schema", '{"type": "object",\n  "properties" {}}', "line 2"),
        ("JSON Schema", '{"$ref": "https://example.org/s.json"}', "$ref"),
        ("Choices", "", "choice"),
        ("Regex", "(a|b)*a(a|b){20}", re.compile("states|seconds|memory")),
        ("Regex", "x" * 200_000, "characters"),
    ],
)
def test_bad_input_is_told_in_words_and_loses_nothing(
    stage: Page, kind: str, source: str, words: str | re.Pattern[str]
) -> None:
    before = chips(stage)
    stage.locator("#kind").get_by_text(kind, exact=True).click()
    stage.wait_for_timeout(400)
    stage.locator("#source textarea").fill(source)
    stage.locator("#start").click()
    card = stage.locator("#stage .pg-error")
    expect(card).to_be_visible(timeout=40_000)
    expect(card).to_contain_text(words)
    assert chips(stage) == before
    assert stage.locator("#source textarea").input_value() == source
    card.get_by_role("button", name="Dismiss").click()
    expect(card).to_be_hidden()


def test_a_megabyte_of_pasted_text_is_refused_in_words(stage: Page) -> None:
    before = chips(stage)
    stage.locator("#kind").get_by_text("Regex", exact=True).click()
    stage.wait_for_timeout(400)
    stage.evaluate(
        """() => { const box = document.querySelector('#source textarea');
        box.value = 'y'.repeat(1000000); box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    stage.locator("#start").click()
    expect(stage.locator("#stage .pg-error")).to_contain_text("1,000,000", timeout=20_000)
    assert chips(stage) == before


def test_keys_are_inert_while_typing(stage: Page) -> None:
    before = stage.locator("#stage .pg-head").inner_text()
    stage.locator("#source textarea").click()
    for key in ("ArrowLeft", "n", "b", "Home"):
        stage.keyboard.press(key)
    assert stage.locator("#stage .pg-head").inner_text() == before


def test_the_trace_can_be_taken_away_as_json(stage: Page) -> None:
    stage.locator("#stage .pg-export").get_by_role("button").first.click()
    with stage.expect_download() as download:
        stage.locator("#stage .pg-export-menu").get_by_text("JSON").first.click()
    document = json.loads(download.value.path().read_text())
    assert document["v"] == 1
    assert [step["taken"]["text"] for step in document["steps"]] == ["sk", "ill"]
    assert document["provenance"]["model"] == "toy:sky"


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_scrolls_sideways(stage: Page, width: int) -> None:
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


@pytest.mark.parametrize(
    "title", ["Two steps:", "Age:", "Three bits:", "Sums of zeros:", "Country and currency:"]
)
def test_every_toy_example_opens_and_steps(stage: Page, title: str) -> None:
    choose(stage, title)
    expect(stage.locator("#stage .pg-head")).to_contain_text(title)
    stage.locator("#stage [aria-label='To the end']").click()
    expect(stage.locator("#stage .pg-head")).to_contain_text("VALID")


@pytest.mark.model
def test_smollm2_writes_a_ticket_to_its_end(stage: Page) -> None:
    choose(stage, "Ticket triage")
    expect(stage.locator("#stage .pg-head")).to_contain_text("Ticket triage", timeout=180_000)
    stage.locator("#stage [aria-label='To the end']").click()
    expect(stage.locator("#stage .pg-head")).to_contain_text("VALID", timeout=120_000)
    text = "".join(
        stage.evaluate(
            "window.playgroundStage.store.doc().steps.map(s => s.taken.special ? '' : s.taken.text)"
        )
    )
    assert set(json.loads(text)) == {"intent", "priority", "escalate"}
