"""What the Schema screen says of a fix that weakens the mask, of what it ignores, and of what is pasted."""

import json
import string

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.schema_driving import keep_one, paste, row, settled, source

LOOSE = json.dumps(
    {"type": "object", "properties": {c: {"type": "string"} for c in string.ascii_lowercase[:18]}},
    indent=2,
)
"""Small as it is; with its texts capped the mask gives up the order of the keys."""
MISSPELT = (
    '{\n  "type": "object",\n  "properties": {\n    "a": {"anyof": [{"type": "null"}]}\n  }\n}'
)


@pytest.mark.browser
@pytest.mark.parametrize("below", [False, True])
def test_a_fix_that_weakens_the_mask_is_told_beside_it(
    screen: Locator, stage: Page, below: bool
) -> None:
    paste(stage, LOOSE)
    banner = screen.locator(".sc-banner")
    expect(banner).to_contain_text("CONSTRAINT ON")
    if below:
        screen.get_by_role("tab", name="Lint").click()
    card = screen.locator(".sc-more-card" if below else ".sc-problems-card")
    card.get_by_role("button", name="Cap at 200 characters").click()
    settled(stage)
    told = card.locator(".sc-weaker")
    expect(told).to_contain_text("This fix made the mask weaker. Enforced in part: properties")
    expect(told).to_be_in_viewport()
    expect(screen.locator(".sc-weaker:visible")).to_have_count(1)
    expect(banner).to_contain_text("PARTLY ON")
    told.get_by_role("button", name="Undo").click()
    settled(stage)
    assert source(stage) == LOOSE
    expect(told).to_be_hidden()
    expect(banner).to_contain_text("CONSTRAINT ON")


@pytest.mark.browser
def test_the_banner_says_the_same_whichever_tab_is_open(screen: Locator, stage: Page) -> None:
    banner = screen.locator(".sc-banner")
    screen.get_by_role("tab", name="Lint").click()
    paste(stage, MISSPELT)
    expect(banner).to_contain_text("PARTLY ON")
    expect(banner).to_contain_text("anyof (line 4) is ignored: did you mean anyOf?")
    expect(banner).to_contain_text("Keywords not yet asked")
    screen.get_by_role("tab", name="Keywords").click()
    expect(screen.locator(".sc-keywords")).to_contain_text("$.a", timeout=30_000)
    expect(banner).not_to_contain_text("asked")
    expect(banner).to_contain_text("anyof (line 4) is ignored")
    # What is known of this text stays known while another tab is open.
    screen.get_by_role("tab", name="Examples").click()
    expect(banner).not_to_contain_text("asked")
    card = screen.locator(".sc-problems-card")
    card.get_by_role("button", name="Rename it to anyOf").click()
    settled(stage)
    expect(banner).to_contain_text("CONSTRAINT ON")
    expect(banner).not_to_contain_text("is ignored")
    expect(banner).to_contain_text("Keywords not yet asked")
    expect(screen.locator(".sc-weaker:visible")).to_have_count(0)


@pytest.mark.browser
def test_values_that_are_pasted_are_read_as_such(screen: Locator, stage: Page) -> None:
    paste(stage, '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}')
    screen.get_by_role("button", name="Clear").click()
    screen.get_by_role("button", name="Paste many").click()
    area = screen.get_by_label("Strings to add")
    values = [{"a": 1, "b": {"c": 2}}, {"a": 12345678901234567890}]
    area.fill("\n".join(json.dumps(value, indent=2) for value in values))
    expect(screen.locator(".sc-seen")).to_contain_text("Read as 2 strings, from JSON values")
    screen.get_by_role("button", name="Add them").click()
    settled(stage)
    expect(screen.locator(".sc-took")).to_contain_text("2 strings read from JSON values")
    expect(screen.locator(".sc-string")).to_have_count(2)
    for number, value in enumerate(values, 1):
        text = row(screen, number).locator("textarea").input_value()
        assert json.loads(text) == value
        assert "\n" not in text
    expect(row(screen, 2)).to_contain_text("Both judges VALID")

    screen.get_by_role("button", name="Paste many").click()
    area.fill('{"text": "{\\"a\\": 3}"}\n{"text": "{\\"a\\": \\"x\\"}", "valid": false}')
    screen.get_by_role("button", name="Add them").click()
    settled(stage)
    expect(screen.locator(".sc-string")).to_have_count(4)
    expect(row(screen, 4).locator("textarea")).to_have_value('{"a": "x"}')
    expect(row(screen, 4).locator(".sc-should")).to_have_attribute("data-should", "fail")
    expect(screen.locator(".sc-tally-line")).to_contain_text("All 4 are as they should be")

    screen.get_by_role("button", name="Paste many").click()
    area.fill('{\n "a": 1}')
    screen.get_by_label("How to read them").select_option("one a line")
    expect(screen.locator(".sc-seen")).to_have_text("Read as 2 strings, from lines.")


@pytest.mark.browser
def test_what_was_opened_stays_open_after_an_edit(screen: Locator, stage: Page) -> None:
    deep = '{"type": "integer"}'
    for _ in range(6):
        deep = f'{{"type": "object", "properties": {{"a": {deep}}}}}'
    paste(stage, deep)
    keep_one(stage, screen)
    tree = screen.locator(".sc-tree")
    closed = tree.locator(".sc-fold[aria-expanded=false]")
    expect(closed).not_to_have_count(0)
    screen.get_by_role("button", name="Open all").click()
    expect(closed).to_have_count(0)
    paste(stage, deep.replace("integer", "number"))
    expect(tree).to_contain_text("number")
    expect(closed).to_have_count(0)
    screen.get_by_role("button", name="Close all").click()
    paste(stage, deep)
    expect(tree.locator(".sc-fold[aria-expanded=true]")).to_have_count(0)
