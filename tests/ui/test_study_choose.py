"""Choose, as a visitor comes back to it: warned of golds, the form after a reload, the recorded study."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.test_study import STATE, csv, fill, finished, run, section, step, stopped

pytestmark = pytest.mark.browser

OWN = "Own prompts, CSV or JSONL"
SCHEMA = '{"type": "object", "properties": {"intent": {"enum": ["billing", "bug"]}}}'


def opened(page: Page) -> Locator:
    """The screen, with the built-in sets there."""
    if not page.locator("#study").is_visible():
        page.locator("#top [data-screen=study]").click()
    page.wait_for_function(f"() => {STATE}?.sets", timeout=60_000)
    return page.locator("#study")


@pytest.fixture
def study(stage: Page) -> Locator:
    return opened(stage)


def test_golds_that_can_never_be_matched_are_told_and_refuse_nothing(study: Locator) -> None:
    fill(study, "prompt,gold.intent\na,bug\nb,<b>refunds</b>\n")
    study.locator("[name=study-pastedKind]").select_option("schema")
    study.get_by_label("Constraint", exact=True).fill(SCHEMA)
    warning = study.locator(".st-golds")
    expect(warning).to_contain_text(
        'row 3, intent: "<b>refunds</b>" is not one of "billing", "bug"', timeout=60_000
    )
    expect(study.locator(".st-run")).to_be_enabled()
    study.get_by_label(OWN).fill("prompt,gold.intent\na,bug\nb,billing\n")
    expect(warning).to_be_hidden(timeout=60_000)


def test_a_reload_fills_the_form_as_it_was_and_a_link_from_the_study(
    stage: Page, study: Locator
) -> None:
    fill(study, csv(9), draws=2, methods=("retry",))
    run(study)
    finished(stage)
    step(study, "choose").click()
    study.locator("[name=study-seed]").fill("7")
    stage.reload()
    study = opened(stage)
    finished(stage)
    step(study, "choose").click()
    # As it was left in this tab: the text as it was pasted, with what was changed since.
    expect(study.get_by_label(OWN)).to_have_value(csv(9))
    expect(study.locator("[name=study-seed]")).to_have_value("7")
    expect(section(study, "Prompts")).to_contain_text("9 prompts, 9 with a gold answer")
    # In a tab that has kept nothing the study itself fills it.
    stage.evaluate("window.addEventListener('pagehide', () => sessionStorage.clear())")
    stage.reload()
    study = opened(stage)
    finished(stage)
    step(study, "choose").click()
    expect(study.get_by_label(OWN)).to_have_value(re.compile('"prompt": "p8", "gold": "Ax"'))
    expect(study.locator("[name=study-seed]")).to_have_value("0")
    expect(study.locator("[name=study-draws]")).to_have_value("2")
    expect(study.get_by_label("Constraint", exact=True)).to_have_value("(A|B)x")
    expect(study.locator("[name=study-method-retry]")).to_be_checked()
    expect(study.locator(".st-plan")).to_contain_text("9 prompts, 72 outputs", timeout=20_000)


def test_a_form_without_a_study_outlives_a_reload(stage: Page, study: Locator) -> None:
    fill(study, csv(3))
    stage.reload()
    study = opened(stage)
    expect(study.get_by_label(OWN)).to_have_value(csv(3))
    expect(study.locator("[name=study-model]")).to_have_value("toy:two-step")


def test_the_recorded_study_is_offered_beside_one_s_own_and_leads_back(
    stage: Page, study: Locator
) -> None:
    fill(study, csv(8))
    run(study)
    finished(stage)
    mine = stage.evaluate(f"{STATE}.doc.id")
    step(study, "choose").click()
    study.get_by_role("button", name="Show a recorded study").click()
    expect(section(study, "The study")).to_contain_text("recorded", timeout=60_000)
    step(study, "choose").click()
    study.get_by_role("button", name="Back to your study").click()
    stage.wait_for_function(f"() => {STATE}.doc.id === '{mine}'")
    assert stage.url.endswith(mine)
    step(study, "choose").click()
    expect(study.get_by_label(OWN)).to_have_value(csv(8))


def test_the_clock_goes_on_after_a_reload(stage: Page, study: Locator) -> None:
    fill(study, csv(160), draws=8)
    run(study)
    stopped(stage)
    spent = stage.evaluate(f"{STATE}.doc.seconds")
    assert spent > 0
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.doc?.prompts_done > 0", timeout=60_000)
    assert stage.evaluate(f"{STATE}.doc.seconds") == spent
    section(stage.locator("#study"), "The study").get_by_role("button", name="Resume").click()
    finished(stage)
    assert stage.evaluate(f"{STATE}.doc.seconds") > spent


def test_on_a_phone_each_output_is_read_without_scrolling_sideways(
    stage: Page, study: Locator
) -> None:
    fill(study, csv(8))
    run(study)
    finished(stage)
    stage.set_viewport_size({"width": 390, "height": 844})
    rows = section(study, "All outputs")
    expect(rows.get_by_role("rowheader")).to_have_count(20)
    expect(rows.get_by_role("cell")).to_have_count(80)
    expect(rows.get_by_role("columnheader")).to_have_count(5)
    box = rows.locator(".pg-scroll").bounding_box()
    assert box
    for cell in rows.locator("tbody tr").first.locator("th, td").all():
        inside = cell.bounding_box()
        assert inside
        assert inside["x"] >= box["x"]
        assert inside["x"] + inside["width"] <= box["x"] + box["width"] + 1
        named = cell.evaluate("(cell) => getComputedStyle(cell, '::before').content")
        label = cell.get_attribute("data-label")
        assert label
        assert label in named
    assert rows.locator(".pg-scroll").evaluate("(box) => box.scrollWidth <= box.clientWidth")
