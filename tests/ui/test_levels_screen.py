"""The Levels screen in a browser: its cards, calculators, examples and ways to the other screens."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import NO_MODEL, choose, pick, verdict, where
from tests.ui.test_levels import counts, level

DONE = """() => playgroundScreens?.levels?.state().doc
  && !playgroundScreens.levels.state().running"""


def screen(page: Page) -> Locator:
    return page.locator("#levels")


def open_levels(page: Page, title: str | None = None) -> None:
    if title:
        choose(page, title)
        expect(page.locator("#stage .pg-title")).to_contain_text(title, timeout=120_000)
    page.locator("#top [data-screen=levels]").click()
    expect(screen(page).locator(".lv-empty")).to_be_visible(timeout=20_000)


def run_levels(page: Page) -> None:
    screen(page).locator(".lv-run").click()
    page.wait_for_function(DONE, timeout=60_000)


def card(page: Page, name: str) -> Locator:
    return screen(page).locator(f".lv-card[data-level='{name}']")


def panel(page: Page, name: str) -> Locator:
    return screen(page).get_by_role("region", name=name)


@pytest.mark.browser
def test_the_empty_screen_explains_itself_and_its_one_button_fills_the_cards(stage: Page) -> None:
    open_levels(stage, "Two steps")
    empty = screen(stage).locator(".lv-empty")
    expect(empty).to_contain_text("The same prompt at every level of guarantee")
    expect(empty.get_by_role("button")).to_have_count(1)
    empty.get_by_role("button", name="Run 12 draws at each level").click()
    stage.wait_for_function(DONE, timeout=60_000)
    expect(empty).to_be_hidden()
    expect(screen(stage).locator(".lv-card")).to_have_count(4)
    expect(card(stage, "3")).to_contain_text("100 % valid: 12 of 12")
    expect(card(stage, "3")).to_contain_text("p~ is not p_V")
    expect(card(stage, "2")).to_contain_text("A mixture")
    expect(card(stage, "1.5")).to_contain_text("No valid answer begins with {")
    # 12 of 12 by Clopper-Pearson: 0.025^(1/12) = 0.735.
    expect(card(stage, "3").locator(".lv-interval")).to_contain_text("73.5 % to 100 %")
    expect(card(stage, "3").locator(".lv-interval .lv-badge")).to_have_text("estimated")
    expect(screen(stage).locator(".lv-state")).to_contain_text("Done")
    expect(panel(stage, "Valid is not right")).to_contain_text("Nobody has told the right answer")


@pytest.mark.browser
def test_a_class_of_failure_is_counted_and_opens_its_example_at_the_place(stage: Page) -> None:
    open_levels(stage, "Age: the token")
    run_levels(stage)
    doc = stage.evaluate("playgroundScreens.levels.state().doc")
    failures = panel(stage, "What went wrong")
    (found,) = level(doc, "1")["failures"]
    assert found["name"] == "other"
    row = failures.get_by_role("row", name="Not JSON for another reason")
    expect(row.get_by_role("cell").first).to_have_text(str(found["count"]))
    expect(row.get_by_role("cell").last).to_have_text("0")
    fold = failures.locator("details", has_text="Not JSON for another reason")
    expect(fold).to_have_attribute("open", "")  # the first class
    fold.locator("summary").press("Enter")
    expect(fold).not_to_have_attribute("open", "")
    fold.locator("summary").press("Enter")
    example = fold.locator(".lv-example").first
    expect(example.locator("mark")).to_have_text(found["example"]["place"])
    fold.get_by_role("button", name="Open in Step").first.click()
    expect(stage.locator("#stage")).to_be_visible(timeout=20_000)
    expect(verdict(stage).first).to_have_text("INVALID")
    assert (
        stage.evaluate("playgroundStage.store.doc().problem.sampling.seed")
        == found["example"]["seed"]
    )


@NO_MODEL
@pytest.mark.browser
def test_stop_keeps_what_is_there(stage: Page) -> None:
    # On the real model a hundred draws take their time, so that no machine ends before the press.
    open_levels(stage, "Is fire hot? One draw in four or five is valid")
    screen(stage).locator(".lv-size", has_text="100").click()
    screen(stage).locator("#lv-attempts").select_option("5")
    screen(stage).locator(".lv-run").click()
    stage.wait_for_function(  # pressed in the page, at the first draws
        """() => { const { doc, running } = playgroundScreens.levels.state();
        if (!running || !doc || !doc.drawn) return false;
        document.querySelector('.lv-stop').click();
        return true; }""",
        timeout=180_000,
    )
    stage.wait_for_function(DONE, timeout=60_000)
    doc = stage.evaluate("playgroundScreens.levels.state().doc")
    assert doc["stopped"]
    assert 0 < doc["drawn"] < 100
    assert counts(doc, "3") == (doc["drawn"], doc["drawn"])
    expect(screen(stage).locator(".lv-state")).to_have_text(
        f"Stopped after {doc['drawn']} of 100 draws at each level: they are kept."
    )
    expect(screen(stage).locator(".lv-run")).to_be_visible()


@pytest.mark.browser
def test_the_calculators_answer_with_the_numbers_of_a_hand(stage: Page) -> None:
    open_levels(stage)
    ladder = screen(stage).locator(".lv-calculator")
    expect(ladder.locator(".lv-per-thousand")).to_have_text(["90", "10", "0"])
    expect(ladder).to_contain_text("9 times fewer")
    expect(ladder).to_contain_text("a textbook’s round figures, not measured")
    ladder.get_by_label("Level 1, Ask").fill("95")
    expect(ladder.locator(".lv-per-thousand")).to_have_text(["50", "10", "0"])
    expect(ladder.get_by_role("status")).to_contain_text("5 times fewer")
    ladder.get_by_label("Level 1, Ask").fill("195")
    expect(ladder.get_by_label("Level 1, Ask")).to_have_attribute("aria-invalid", "true")
    expect(ladder.locator(".lv-per-thousand").first).to_have_text("50")
    expect(ladder).to_contain_text("From 0 to 100 %. The results are still for 95 %.")
    expect(ladder.get_by_label("Level 1, Ask")).to_have_accessible_description(
        re.compile("^From 0")
    )
    ladder.get_by_role("button", name="Textbook figures").click()
    expect(ladder.locator(".lv-per-thousand").first).to_have_text("90")
    expect(ladder).not_to_contain_text("From 0 to 100 %.")

    budget = screen(stage).locator(".lv-budget")
    expect(budget).to_contain_text("40 × 25 ms = 1.0 s")
    expect(budget).to_contain_text("1/q = 1.1 attempts")
    expect(budget).to_contain_text("so retries are ruled out")
    retry = budget.get_by_role("row", name="2 · Ask, parse, retry")
    expect(retry).to_contain_text("Latency rules out retries: 3 attempts may take 3.0 s")
    budget.get_by_label("Time budget").fill("3000")
    expect(retry).to_contain_text("Fits: at most 3.0 s, 3 calls.")
    budget.get_by_label("Call budget").fill("2")
    expect(retry).to_contain_text("It may need 3 calls; the budget has 2.")

    chain = screen(stage).locator(".lv-reliability")
    expect(chain.get_by_role("row", name="2 · Ask")).to_contain_text("81.8 %")  # .99^20
    chain.get_by_label("Calls n").fill("50")
    expect(chain.get_by_role("row", name="2 · Ask")).to_contain_text("60.5 %")  # .99^50
    expect(chain.get_by_role("img")).to_be_visible()


@pytest.mark.browser
def test_what_was_measured_fills_the_budget(stage: Page) -> None:
    open_levels(stage, "Two steps")
    use = screen(stage).locator(".lv-use-measured")
    expect(use).to_be_disabled()
    run_levels(stage)
    use.click()
    doc = stage.evaluate("playgroundScreens.levels.state().doc")
    asked = level(doc, "1")["summary"]
    budget = screen(stage).locator(".lv-budget")
    expect(budget.get_by_label("Tokens an answer")).to_have_value(f"{asked['steps']['mean']:.4g}")
    expect(budget).to_contain_text("Rates are the intervals measured here.")
    budget.get_by_label("Valid rate q").fill("50")
    expect(budget).not_to_contain_text("Rates are the intervals measured here.")
    expect(budget).to_contain_text("1/q = 2 attempts in the mean")


@pytest.mark.browser
def test_the_same_prompt_opens_on_the_other_screens(stage: Page) -> None:
    open_levels(stage, "Two steps")
    run_levels(stage)
    card(stage, "3").get_by_role("button", name="See it squeeze").click()
    expect(stage.locator("#squeezing")).to_be_visible()
    stage.keyboard.press("5")
    expect(screen(stage)).to_be_visible()
    card(stage, "1").get_by_role("button", name="Compare p and p_V").click()
    expect(stage.locator("#compare")).to_be_visible()
    stage.keyboard.press("5")
    # Another problem on the left is told, and does not take the numbers' place.
    stage.keyboard.press("1")
    choose(stage, "Age: the token")
    expect(stage.locator("#stage .pg-title")).to_contain_text("Age", timeout=20_000)
    stage.keyboard.press("5")
    expect(screen(stage).locator(".lv-head .pg-doc-note")).to_be_visible()
    card(stage, "3").get_by_role("button", name="See it squeeze").click()
    expect(stage.locator("#squeezing")).to_be_visible(timeout=20_000)
    stage.keyboard.press("1")
    stage.wait_for_function("playgroundStage.store.doc().problem.model === 'toy:two-step'")
    expect(where(stage)).to_have_text("After 0 tokens")


@pytest.mark.browser
def test_no_constraint_is_an_error_in_words(stage: Page) -> None:
    pick(stage, "Regex")
    stage.locator("#kind").get_by_text("Free", exact=True).click()
    open_levels(stage)
    screen(stage).locator(".lv-run").click()
    error = screen(stage).get_by_role("alert")
    expect(error).to_contain_text("There is no constraint", timeout=20_000)
    expect(error).to_contain_text("Choose a JSON Schema")
    error.get_by_role("button", name="Dismiss").click()
    expect(error).to_be_hidden()


@pytest.mark.browser
def test_a_phone_needs_no_sideways_scroll(stage: Page) -> None:
    open_levels(stage, "Age: the token")
    run_levels(stage)
    stage.set_viewport_size({"width": 390, "height": 844})
    for fold in screen(stage).locator("details").all():
        if fold.get_attribute("open") is None:
            fold.locator("summary").click()
    assert stage.evaluate("document.documentElement.scrollWidth") <= 390
    wide = """() => [...document.querySelectorAll('#levels *')].filter((node) => node.getClientRects().length
      && node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('.pg-spoken, thead')).length"""
    assert stage.evaluate(wide) == 0
