"""A toy that is edited on the page: every view follows, and nothing old is claimed of it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import chips

pytestmark = pytest.mark.browser


def weight_of_ill(page: Page) -> Locator:
    """The box with the weight of `ill` after `sk`."""
    panel = page.locator("#stage .pg-toy")
    return panel.get_by_label(re.compile("ill.*after|after.*ill")).first


def edit(page: Page, value: str) -> None:
    """Give `ill` another weight and wait until the run has it."""
    weight_of_ill(page).fill(value)
    weight_of_ill(page).press("Enter")
    page.wait_for_function(
        f"window.playgroundStage.store.doc().problem.toy.rules[1].p.ill === {value}"
    )


def test_an_edited_toy_changes_every_view_at_once(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("Z =")
    edit(stage, "0.98")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_old_numbers_are_said_to_be_old_once_the_toy_is_edited(stage: Page) -> None:
    head, panel = stage.locator("#stage .pg-head"), stage.locator("#stage .pg-toy")
    old = "written about the toy as it was"
    expect(head).to_contain_text("98 %")
    expect(panel).to_contain_text("25.1 %")
    expect(head.get_by_text(old)).to_be_hidden()
    expect(panel.get_by_text(old)).to_be_hidden()
    edit(stage, "0.5")
    expect(head.get_by_text(old)).to_be_visible()
    expect(panel.get_by_text(old)).to_be_visible()
    expect(head).to_contain_text("edited toy")
    stage.locator("#start").click()  # no lesson then, but the toy's note is still there
    expect(panel.get_by_text(old)).to_be_visible()
    expect(head.get_by_text(old)).to_be_hidden()
    stage.locator("#stage [aria-label=Undo]").click()
    expect(head.get_by_text(old)).to_be_visible()
    head.get_by_role("button", name="Back to the original").click()
    expect(head.get_by_text(old)).to_be_hidden()
    expect(panel.get_by_text(old)).to_be_hidden()
    expect(head).not_to_contain_text("edited toy")
    expect(head).to_contain_text("1 in 500")


def test_a_number_put_back_by_hand_is_the_original_again(stage: Page) -> None:
    old = stage.locator("#stage .pg-head").get_by_text("written about the toy as it was")
    edit(stage, "0.5")
    expect(old).to_be_visible()
    edit(stage, "0.002")
    expect(old).to_be_hidden()
