"""The page without a mouse, without a picture and without motion: focus, sheets, twins of charts, what is read out."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.ui.driving import press, where
from tests.ui.scenes import SCENES, compare, decisions, levels, squeezing, study

pytestmark = pytest.mark.browser

WATCH = """() => {
  // What Tab can reach, and at each stop of it whether an outline shows the place.
  const want = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';
  const seen = (node) => node.isConnected && !node.disabled && node.tabIndex >= 0 && node.checkVisibility({visibilityProperty: true});
  const told = (node) => `${node.outerHTML.slice(0, 90)} ${(node.getAttribute('aria-label') || node.textContent || '').trim().slice(0, 30)}`;
  const all = [...(document.querySelector('dialog:modal') || document).querySelectorAll(want)].filter(seen);
  const stops = [];
  document.addEventListener('focusin', ({target}) => {
    const {outlineStyle, outlineWidth} = getComputedStyle(target);
    const ring = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    // A ring that is drawn within: of a picture's own nodes.
    stops.push({node: target, ring: ring || Boolean(target.querySelector('.sq-ring'))});
  });
  const group = (node) => node.type === 'radio' && stops.some((stop) => stop.node.type === 'radio' && stop.node.name === node.name);
  window.walk = {
    count: all.length,
    around: () => stops.filter(({node}) => node === stops[0].node).length > 1,
    missed: () => all.filter((node) => seen(node) && !group(node) && !stops.some((stop) => stop.node === node)).map(told),
    unseen: () => stops.filter(({ring}) => !ring).map(({node}) => told(node)),
    backward: () => [...document.querySelectorAll('[tabindex]')].filter((node) => node.tabIndex > 0).map(told),
  };
  return all.length;
}"""
SPY = """() => {
  // What a screen reader is given to read out, in order.
  window.said = [];
  new MutationObserver((list) => {
    const regions = new Set(list.map(({target}) => (target.nodeType === 1 ? target : target.parentElement)?.closest('[aria-live], [role=status], [role=alert]')));
    for (const region of regions) if (region?.checkVisibility() && region.getAttribute('aria-busy') !== 'true' && region.textContent.trim()) window.said.push(region.textContent.trim());
  }).observe(document.body, {childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ['hidden', 'aria-busy']});
}"""
CHARTS = """() => [...document.querySelectorAll('svg:not(.main-svg), .js-plotly-plot')]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().width > 60 && !node.closest('[aria-hidden=true], .js-plotly-plot *, #js-plotly-tester, button'))
  .map((node) => {
    const box = node.closest('.pg-card, section');
    const named = (node.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ');
    return {what: node.outerHTML.slice(0, 80), sentence: (node.getAttribute('aria-label') || named).trim(),
      table: [...box.querySelectorAll('table')].some((each) => each.checkVisibility()), button: [...box.querySelectorAll('button')].some((each) => each.textContent.trim() === 'Table' && each.checkVisibility())};
  })"""


def walk(page: Page) -> None:
    """Press Tab until it comes round to where it began."""
    count = page.evaluate(WATCH)
    for _ in range(count // 10 + 4):
        for _ in range(12):
            page.keyboard.press("Tab")
        if page.evaluate("window.walk.around()"):
            return
    pytest.fail(f"Tab never comes round: {page.evaluate('window.walk.missed()')}")


def focused(page: Page) -> Any:
    return page.evaluate("document.activeElement.dataset.do || document.activeElement.className")


@pytest.mark.parametrize("scene", SCENES)
def test_tab_reaches_every_control_and_shows_where_it_is(stage: Page, scene: str) -> None:
    SCENES[scene](stage)
    walk(stage)
    assert stage.evaluate("window.walk.missed()") == []
    assert stage.evaluate("window.walk.unseen()") == []
    assert stage.evaluate("window.walk.backward()") == []


@pytest.mark.parametrize("name", ["lessons", "share", "help"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_sheet_keeps_the_focus_and_gives_it_back(stage: Page, name: str, width: int) -> None:
    stage.wait_for_function("() => window.playgroundLesson && window.playgroundLinks")
    stage.set_viewport_size({"width": width, "height": 844})
    stage.locator(f"#top [data-do={name}]").focus()
    stage.keyboard.press("Enter")
    expect(stage.locator("dialog:modal")).to_be_visible()
    for _ in range(40):
        stage.keyboard.press("Tab")
        # Between its last control and its first the browser's own bar has its turn.
        assert stage.evaluate(
            "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog:modal'))"
        )
    stage.keyboard.press("Escape")
    expect(stage.locator("dialog:modal")).to_have_count(0)
    assert focused(stage) == name


def test_the_problem_on_a_phone_gives_the_focus_back(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    stage.locator("#top [data-do=rail]").focus()
    stage.keyboard.press("Enter")
    expect(stage.locator("#rail")).to_be_visible()
    stage.keyboard.press("Escape")
    expect(stage.locator("#rail")).to_be_hidden()
    assert focused(stage) == "rail"


def test_on_a_phone_every_button_of_the_top_bar_is_in_reach(stage: Page) -> None:
    for width in (360, 390):
        stage.set_viewport_size({"width": width, "height": 800})
        for name in ("lessons", "rail", "present", "share", "theme", "help"):
            box = stage.locator(f"#top [data-do={name}]").bounding_box()
            assert box is not None, name
            assert box["x"] >= 0, name
            assert box["x"] + box["width"] <= width, name
            assert box["height"] >= 44, name
            assert box["width"] >= 24, name


@pytest.mark.parametrize(
    "scene", [compare, squeezing, levels, study, decisions], ids=lambda scene: scene.__name__
)
def test_every_chart_has_a_sentence_and_a_table(stage: Page, scene: Any) -> None:
    scene(stage)
    found = stage.evaluate(CHARTS)
    assert [each for each in found if len(each["sentence"].split()) < 4] == []
    assert [each for each in found if not (each["table"] or each["button"])] == []
    buttons = stage.locator("button", has_text="Table").locator("visible=true")
    assert found or buttons.count()
    for at in range(buttons.count()):
        box = stage.locator(".pg-card, section").filter(has=buttons.nth(at)).last
        buttons.nth(at).press("Enter")
        expect(box.locator("table").locator("visible=true").first).to_be_visible()
        buttons.nth(at).press("Enter")


def test_less_motion_is_no_motion(stage: Page) -> None:
    stage.emulate_media(reduced_motion="reduce")
    slider = stage.locator("#stage .pg-bar input[type=range]")
    before = slider.input_value()
    press(stage, "Erase and stretch")
    # At once, not on the way.
    assert slider.input_value() != before
    assert slider.input_value() in (slider.get_attribute("min"), slider.get_attribute("max"))
    SCENES["a lesson's question"](stage)
    stage.keyboard.press("1")
    stage.keyboard.press("p")
    stage.keyboard.press("PageDown")
    moving = "() => document.getAnimations().filter((each) => each.playState === 'running').map((each) => each.animationName || each.transitionProperty)"
    assert stage.evaluate(moving) == []


def test_a_scrub_is_read_out_once_where_it_ends(stage: Page) -> None:
    stage.keyboard.press("Home")
    expect(where(stage)).to_contain_text("Step 1")
    stage.wait_for_timeout(400)
    stage.evaluate(SPY)
    stage.evaluate(
        """() => { for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowRight'])
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); }"""
    )
    stage.wait_for_function("window.said.length")
    stage.wait_for_timeout(400)
    said = stage.evaluate("window.said")
    assert len(said) == 1
    assert said[0].startswith("Step 2: only ill is allowed")


def test_a_run_is_read_out_when_it_is_over_not_at_every_draw(stage: Page) -> None:
    stage.evaluate(SPY)
    levels(stage)
    stage.wait_for_function("window.said.some((each) => each.startsWith('Done'))")
    said = stage.evaluate("window.said")
    assert [each for each in said if each.startswith("Running")] == []
    assert len([each for each in said if each.startswith("Done")]) == 1
