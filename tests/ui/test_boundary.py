"""The prompt's boundary on the screens: the switch in the rail, the strip of Step, the section of Squeezing."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import NO_MODEL, choose, start
from tests.ui.test_squeezing import open_squeezing, settled

pytestmark = pytest.mark.browser
READY = "window.playgroundStage.store.doc().problem.model === 'smollm2'"


def section(page: Page) -> Locator:
    return page.locator("#squeezing .sq-boundary-card")


def test_a_toy_has_no_boundary_and_says_so(stage: Page) -> None:
    expect(stage.locator("#heal")).to_be_hidden()
    open_squeezing(stage)
    expect(section(stage)).to_contain_text("A toy has no prompt")
    expect(section(stage).get_by_role("button", name="Run")).to_be_hidden()


@NO_MODEL
@pytest.mark.model
def test_both_laws_at_the_boundary_and_the_rewritten_run(stage: Page) -> None:
    choose(stage, "A space at the end of the prompt")
    stage.wait_for_function(READY, timeout=120_000)
    stage.locator("#top [data-screen=squeezing]").click()
    card = section(stage)
    expect(card).to_contain_text("Is the prompt cut where the model would have cut it?")
    card.get_by_role("button", name="Run", exact=True).click()
    expect(card.locator(".sq-b-says")).to_contain_text("is in the way", timeout=60_000)
    settled(stage, "heal")
    expect(card.locator(".sq-b-says")).to_contain_text(re.compile(r"TV = 0\.6\d+"))
    expect(card.locator(".sq-b-says")).to_contain_text("“Paris” goes from 29")
    paris = card.get_by_role("row", name=re.compile("^Paris"))
    expect(paris.locator(".sq-b-cell").first).to_contain_text(re.compile(r"29\.\d"))
    expect(paris.locator(".sq-b-cell").last).to_contain_text(re.compile(r"93\.\d"))
    at = paris.locator(".sq-fix-diamond").evaluate_all(
        "all => all.map(each => parseFloat(each.style.left))"
    )
    assert at == pytest.approx([29, 93.3], abs=0.5)
    expect(card.locator(".sq-badge")).to_have_text("bounded")
    stage.set_viewport_size({"width": 390, "height": 844})
    assert stage.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    stage.set_viewport_size({"width": 1280, "height": 800})
    stage.locator("#top [data-screen=step]").click()
    stage.locator("#heal input").check()
    start(stage)
    expect(stage.locator("#stage .pg-healed")).to_contain_text("last token “␣” was taken off")
    expect(stage.locator("#stage .pg-candidates")).to_contain_text("␣Paris")
    stage.locator("#chat input").check()
    stage.locator("#start").click()
    expect(stage.locator("#stage")).to_contain_text("Switch the chat template off", timeout=20_000)
