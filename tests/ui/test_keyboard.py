"""The page without a mouse, without a picture and without motion: focus, sheets, twins of charts, what is read out."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.ui.driving import press, where
from tests.ui.scenes import SCENES, compare, decisions, levels, squeezing, study

pytestmark = pytest.mark.browser

WATCH = """() => {
  // What Tab can reach, and at each stop of it whether an outline shows the place.
  const want = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';
  const drawn = (node) => node.checkVisibility({visibilityProperty: true});
  const seen = (node) => node.isConnected && !node.disabled && node.tabIndex >= 0 && drawn(node);
  const told = (node) => `${node.outerHTML.slice(0, 120)} ${node.textContent.trim().slice(0, 30)}`;
  const root = document.querySelector('dialog:modal') || document;
  const all = [...root.querySelectorAll(want)].filter(seen);
  const stops = [];
  document.addEventListener('focusin', ({target}) => {
    const {outlineStyle, outlineWidth} = getComputedStyle(target);
    const ring = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    // A node of the flow has a ring of its own.
    stops.push({node: target, ring: ring || Boolean(target.querySelector('.sq-ring'))});
  });
  // The buttons of one choice are one stop, and arrows move in them.
  const reached = (node) => stops.some((stop) => stop.node === node
    || (node.type === 'radio' && stop.node.type === 'radio' && stop.node.name === node.name));
  const positive = () => [...document.querySelectorAll('[tabindex]')].filter((node) => node.tabIndex > 0);
  window.walk = {
    around: () => stops.filter(({node}) => node === stops[0].node).length > 1,
    missed: () => all.filter((node) => seen(node) && !reached(node)).map(told),
    unseen: () => stops.filter(({ring}) => !ring).map(({node}) => told(node)),
    ahead: () => positive().map(told),
  };
  return all.length;
}"""
SPY = """() => {
  // What a screen reader is given to read out, in order.
  window.said = [];
  const live = '[aria-live], [role=status], [role=alert]';
  const regionOf = ({target}) => (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
  const heard = (node) => node?.checkVisibility() && node.getAttribute('aria-busy') !== 'true';
  const watch = new MutationObserver((list) => {
    for (const region of new Set(list.map(regionOf))) {
      if (heard(region) && region.textContent.trim()) window.said.push(region.textContent.trim());
    }
  });
  watch.observe(document.body, {childList: true, subtree: true, characterData: true,
    attributes: true, attributeFilter: ['hidden', 'aria-busy']});
}"""
CHARTS = """() => {
  const idle = '[aria-hidden=true], .js-plotly-plot *, #js-plotly-tester, button';
  const byIds = (ids) => (ids || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ');
  const drawn = [...document.querySelectorAll('svg:not(.main-svg), .js-plotly-plot')].filter((node) =>
    node.checkVisibility() && node.getBoundingClientRect().width > 60 && !node.closest(idle));
  return drawn.map((node) => {
    const box = node.closest('.pg-card, section');
    const some = (what, test = () => true) => [...box.querySelectorAll(what)]
      .some((each) => each.checkVisibility() && test(each));
    return {
      what: node.outerHTML.slice(0, 80),
      sentence: node.getAttribute('aria-label') || byIds(node.getAttribute('aria-labelledby')),
      twin: some('table') || some('button', (each) => each.textContent.trim() === 'Table'),
    };
  });
}"""
MOVING = """() => document.getAnimations().filter((each) => each.playState === 'running')
  .map((each) => each.animationName || each.transitionProperty)"""
TABLES = (
    "() => [...document.querySelectorAll('table')].filter((each) => each.checkVisibility()).length"
)
"""How many tables are seen."""


def walk(page: Page) -> None:
    """Press Tab until it comes round to where it began."""
    count = page.evaluate(WATCH)
    for _ in range(count // 10 + 16):  # more may come while it walks
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
    assert stage.evaluate("window.walk.ahead()") == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_sheet_keeps_the_focus_and_gives_it_back(stage: Page, width: int) -> None:
    stage.wait_for_function("() => window.playgroundLesson && window.playgroundLinks")
    stage.set_viewport_size({"width": width, "height": 844})
    inside = "Boolean(document.activeElement.closest('dialog:modal'))"
    for name in ("lessons", "share", "help"):
        stage.locator(f"#top [data-do={name}]").focus()
        stage.keyboard.press("Enter")
        expect(stage.locator("dialog:modal"), name).to_be_visible()
        for _ in range(30):
            stage.keyboard.press("Tab")
            # Between its last control and its first the browser's own bar has its turn.
            assert stage.evaluate(f"document.activeElement === document.body || {inside}"), name
        if not stage.evaluate(inside):
            stage.keyboard.press("Tab")
        assert stage.evaluate(inside), name
        stage.keyboard.press("Escape")
        expect(stage.locator("dialog:modal"), name).to_have_count(0)
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
    buttons = ("lessons", "rail", "present", "share", "theme", "help")
    for width, name in itertools.product((360, 390), buttons):
        stage.set_viewport_size({"width": width, "height": 800})
        # It may still be on its way from another width.
        stage.wait_for_function(
            """([name, width]) => {
                const box = document.querySelector(`#top [data-do=${name}]`).getBoundingClientRect();
                return box.height >= 44 && box.width >= 24 && box.left >= 0 && box.right <= width; }""",
            arg=[name, width],
            timeout=10_000,
        )


@pytest.mark.parametrize(
    "scene", [compare, squeezing, levels, study, decisions], ids=lambda scene: scene.__name__
)
def test_every_chart_has_a_sentence_and_a_table(stage: Page, scene: Any) -> None:
    scene(stage)
    found = stage.evaluate(CHARTS)
    assert [each for each in found if len(each["sentence"].split()) < 4] == []
    assert [each for each in found if not each["twin"]] == []
    buttons = stage.get_by_text("Table", exact=True).locator("visible=true")
    assert found or buttons.count()
    for button in buttons.all():
        before = stage.evaluate(TABLES)
        button.press("Enter")
        stage.wait_for_function(f"(before) => ({TABLES})() > before", arg=before)
        button.press("Enter")
        stage.wait_for_function(f"(before) => ({TABLES})() === before", arg=before)


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
    assert stage.evaluate(MOVING) == []


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
