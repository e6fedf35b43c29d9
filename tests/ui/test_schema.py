"""The Schema screen: a visitor pastes a schema, reads what is wrong, mends it, and tests strings."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.asked import MAX_TEXT, MAX_TEXTS
from playground.constraints.spec import JSON_KINDS, MAX_SOURCE
from playground.ui.schema import EDITED
from playground.ui.server import STATIC
from tests.ui.schema_driving import (
    BROKEN,
    GOOD,
    caret,
    fill,
    keep_one,
    paste,
    problem,
    row,
    settled,
    source,
    standing,
)


def test_the_pages_limits_are_the_servers() -> None:
    script = (STATIC / "schema" / "state.js").read_text()
    limits = re.search(r"LIMITS = \{ source: (\d+), strings: (\d+), text: (\d+) \}", script)
    assert limits is not None
    assert tuple(map(int, limits.groups())) == (MAX_SOURCE, MAX_TEXTS, MAX_TEXT)
    kinds = re.search(r"JSON_KINDS = \[(.*)\]", script)
    assert kinds is not None
    assert set(re.findall(r"'(\w+)'", kinds[1])) == set(JSON_KINDS)
    named = re.search(r"KINDS = \{(.*)\}", script)
    assert named is not None
    assert set(EDITED) <= set(re.findall(r"(\w+): '", named[1]))


@pytest.mark.browser
def test_the_screen_opens_on_a_schema_with_real_mistakes(screen: Locator, stage: Page) -> None:
    expect(screen.locator(".sc-banner")).to_contain_text("PARTLY ON")
    expect(problem(screen, "maxium")).to_contain_text("Did you mean maximum?")
    expect(problem(screen, "uniqueItems is NOT enforced")).to_have_count(1)
    expect(row(screen, 3)).to_contain_text("The mask allows it, the schema forbids it")
    expect(screen.locator(".sc-tally-line")).to_contain_text("2 of 4 as they should be; 1 finding")
    expect(screen.locator(".sc-tree")).to_contain_text("An object with 3 properties")
    expect(stage.locator("#rail")).to_be_hidden()


@pytest.mark.browser
def test_a_schema_is_pasted_read_mended_tested_and_stepped_through(
    screen: Locator, stage: Page
) -> None:
    paste(stage, BROKEN)
    for line, level in ((5, "error"), (6, "error"), (7, "off")):
        expect(screen.locator(f".sc-mark[data-line='{line}']")).to_have_attribute(
            "data-level", level
        )
    screen.locator(".sc-mark[data-line='6']").hover()
    expect(screen.locator(".sc-tip")).to_contain_text("Did you mean maximum?")
    problem(screen, "maxium").get_by_role("button", name="Apply fix").click()
    settled(stage)
    assert '"maximum": 9' in source(stage)
    screen.get_by_role("button", name="Undo the fix").click()
    settled(stage)
    assert source(stage) == BROKEN
    problem(screen, "maxium").get_by_role("button", name="Apply fix").click()
    settled(stage)
    problem(screen, "3 is not of the type string").get_by_role("button", name="Apply fix").click()
    settled(stage)
    expect(screen.locator(".sc-level[data-level=error]")).to_have_count(0)
    expect(problem(screen, "uniqueItems is NOT enforced")).to_have_count(1)

    keep_one(stage, screen)
    strings = [
        (GOOD, "pass"),
        ('{"reasoning": "", "mood": "tense", "level": 9}', "pass"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "tags": ["a"]}', "pass"),
        ('{"reasoning": "ok", "mood": "calm", "level": 10}', "fail"),
        ('{"reasoning": "ok", "mood": "glad", "level": 3}', "fail"),
        ('{"reasoning": "ok", "mood": "calm"}', "fail"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "x": 1}', "fail"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "tags": ["a", "a"]}', "fail"),
        ('{"reasoning": "ok", "mood": ', "fail"),
        ("", "fail"),
    ]
    for number, (text, should) in enumerate(strings, 1):
        if number > 1:
            screen.get_by_role("button", name="Add a string").click()
        fill(stage, screen, number, text, should)
    settled(stage)
    for number in (1, 2, 3, 4, 5, 6, 7, 9, 10):
        expect(standing(screen, number)).to_have_attribute("data-standing", "true")
    expect(standing(screen, 8)).to_have_attribute("data-standing", "false")
    expect(row(screen, 8)).to_contain_text("The mask allows it, the schema forbids it: uniqueItems")
    expect(screen.locator(".sc-tally-line")).to_contain_text("9 of 10 as they should be; 1 finding")
    expect(row(screen, 9)).to_contain_text("INCOMPLETE")
    offset = strings[4][0].index("glad")
    expect(row(screen, 5)).to_contain_text(f"INVALID at byte {offset + 1} (line")

    row(screen, 5).locator("textarea").click()
    expect(caret(screen)).to_have_attribute("data-offset", str(offset), timeout=10_000)
    expect(screen.locator(".sc-wanted")).to_contain_text("This byte can’t follow. Expected here: ")
    expect(screen.locator(".sc-wanted code")).to_have_text(["3", "c", "t"])
    expect(screen.locator(".sc-marks .sc-here")).to_have_count(1)


@pytest.mark.browser
def test_what_is_too_long_is_said_before_it_is_sent(screen: Locator, stage: Page) -> None:
    stage.evaluate(
        """(size) => document.querySelector('#schema .cm-content').cmTile.view.dispatch(
            {changes: {from: 0, insert: 'x'.repeat(size)}})""",
        MAX_SOURCE,
    )
    expect(screen.locator(".sc-banner")).to_contain_text("NOT SENT")
    expect(screen.locator(".sc-banner")).to_contain_text("at most 100,000")
    screen.get_by_role("button", name="Copy link").click()
    expect(screen.locator(".sc-link-note")).to_be_visible()


@pytest.mark.browser
def test_an_error_stands_at_its_line_and_the_page_goes_on(screen: Locator, stage: Page) -> None:
    paste(stage, '{\n  "type": "object",\n  "properties": {"a": }\n}')
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT OFF")
    expect(screen.locator(".sc-mark[data-line='3']")).to_have_attribute("data-level", "error")
    expect(problem(screen, "line 3")).to_have_count(1)
    paste(stage, '{"type": "integer", "minimum": 5, "maximum": 3}')
    expect(screen.locator(".sc-banner")).to_contain_text("UNSATISFIABLE")
    expect(screen.locator(".sc-conflict")).to_contain_text("minimum", timeout=20_000)
    expect(row(screen, 1)).to_contain_text("UNSATISFIABLE")
    paste(stage, '{"type": "integer"}')
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")


@pytest.mark.browser
def test_what_was_pasted_is_recognised_and_offered(screen: Locator, stage: Page) -> None:
    model = "from pydantic import BaseModel\n\n\nclass A(BaseModel):\n    n: int\n"
    paste(stage, model)
    offer = screen.locator(".sc-offer")
    expect(offer).to_contain_text("This looks like a Pydantic model.")
    assert source(stage) == model
    expect(screen.locator(".sc-kind[data-kind=schema]")).to_have_attribute("aria-checked", "true")
    offer.get_by_role("button", name="Switch to Pydantic").click()
    settled(stage)
    assert source(stage) == model
    expect(screen.locator(".cm-content")).to_have_attribute("data-language", "python")
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")
    expect(screen.locator(".sc-becomes")).to_be_visible()


@pytest.mark.browser
def test_a_test_string_is_never_read_as_markup(screen: Locator, stage: Page) -> None:
    evil = '<img src=x onerror="window.hit=1"> ${window.hit=2} {{x}}'
    fill(stage, screen, 1, evil)
    settled(stage)
    paste(stage, '{"enum": ["<b>${window.hit=3}</b>"], "<i>x</i>": 1}')
    stage.wait_for_timeout(300)
    assert stage.evaluate("window.hit ?? null") is None
    expect(screen.locator("img, b:has-text('hit')")).to_have_count(0)


@pytest.mark.browser
def test_a_phone_shows_one_part_at_a_time_and_nothing_sticks_out(
    screen: Locator, stage: Page
) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    segments = screen.locator(".sc-segments button")
    expect(segments).to_have_text(["Schema", "Strings", "Explain"])
    for name, part in (
        ("Schema", ".sc-editor"),
        ("Strings", ".sc-strings"),
        ("Explain", ".sc-tree"),
    ):
        segments.get_by_text(name).click()
        for _, other in (("", ".sc-editor"), ("", ".sc-strings"), ("", ".sc-tree")):
            expect(screen.locator(other)).to_be_visible(visible=other == part)
        assert stage.evaluate("document.documentElement.scrollWidth") <= 390
        cut = """() => [...document.querySelectorAll('#schema .sc-kinds, #schema .sc-tabs')]
            .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"""
        assert stage.evaluate(cut) == []
        small = stage.evaluate(
            """() => [...document.querySelectorAll('#schema :is(button, select, summary, textarea)')]
                .filter((each) => each.checkVisibility() && !each.closest('.sc-cells, .cm-editor'))
                .map((each) => [each.getBoundingClientRect().height, each.className, each.textContent])
                .filter(([height]) => height < 43.5)"""
        )
        assert not small, small
