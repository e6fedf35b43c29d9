"""Presenting: everything of a beat on one screen, in type for the last row, and hands on the clicker alone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.ui.lesson_driving import SLUG, at_beat, bar, beats, keys, open_lesson, state

TEXTS = """
  // Each text that is seen within `root`: its element, its size as it is drawn, its box and its lines.
  const texts = (root) => {
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const [at, node] = [walk.currentNode, walk.currentNode.parentElement];
      const unseen = !at.textContent.trim() || !node.checkVisibility({visibilityProperty: true});
      if (unseen || node.closest('.present-corner, .pg-spoken, script, style, dialog')) continue;
      let size = Number.parseFloat(getComputedStyle(node).fontSize);
      for (let up = node; up; up = up.parentElement) size *= Number(getComputedStyle(up).zoom) || 1;
      const range = document.createRange();
      range.selectNodeContents(at);
      found.push({at, node, size, words: at.textContent.trim().slice(0, 30), box: range.getBoundingClientRect()});
    }
    return found;
  };"""
SMALL = f"""() => {{ {TEXTS}
  return texts(document.body).filter(({{size}}) => size < 23.9).map(({{size, words}}) => [size, words]);
}}"""
PARTED = f"""() => {{ {TEXTS}
  // The numbers of the beat's text, each with the lines that it stands on.
  return texts(document.querySelector('.lesson-text')).flatMap(({{at}}) =>
    [...at.textContent.matchAll(/[0-9][0-9.,]*\\s%|1\\sin\\s[0-9,]+/g)].map((match) => {{
      const range = document.createRange();
      range.setStart(at, match.index);
      range.setEnd(at, match.index + match[0].length);
      return [match[0], new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size];
    }}));
}}"""
ALONE = f"""() => {{ {TEXTS}
  // What is wrong with the part that is shown alone.
  const edges = document.querySelector('.lesson-ring').getBoundingClientRect();
  const within = edges.top >= 0 && edges.bottom <= innerHeight && edges.right <= innerWidth;
  const all = texts(document.querySelector('#stage-column'));
  return [
    ...(within ? [] : ['the part is beyond the screen']),
    ...all.filter(({{size}}) => size < 18).map(({{words}}) => `small: ${{words}}`),
    ...all.filter(({{box}}) => box.right > edges.right + 1).map(({{words}}) => `cut: ${{words}}`),
  ];
}}"""
FITS = """() => document.documentElement.scrollHeight <= innerHeight
  && document.documentElement.scrollWidth <= innerWidth"""
LONG = (
    "Probability belongs everywhere constrained decoding multiplies unexpectedly, because "
    "renormalisation redistributes blocked probability among surviving continuations, whatever happens afterwards."
)


def present(page: Page, width: int = 1280, height: int = 720) -> None:
    page.set_viewport_size({"width": width, "height": height})
    keys(page, "p")
    expect(page.get_by_text("PRESENTING", exact=True)).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 720)])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_beat_fits_the_projector_in_large_type(
    stage: Page, width: int, height: int, dark: bool
) -> None:
    if dark:
        stage.locator("#top [data-do=theme]").click()
    open_lesson(stage)
    present(stage, width, height)
    for number, beat in enumerate(beats(stage)):
        at_beat(stage, number)
        stage.wait_for_function(FITS)
        assert stage.evaluate(SMALL) == []
        if beat["predict"]:
            keys(stage, "1")
            expect(bar(stage).locator(".lesson-verdict")).to_be_visible()
            stage.wait_for_function(FITS)
        text = bar(stage).locator(".lesson-text")
        assert (
            float(text.evaluate("(node) => Number.parseFloat(getComputedStyle(node).fontSize)"))
            >= 32
        )
        for gone in ("#top", "#rail", "#stage .pg-provenance", "#stage .pg-transport"):
            expect(stage.locator(gone)).not_to_be_visible()
        keys(stage, "PageDown")
    at_beat(stage, len(beats(stage)))
    stage.wait_for_function(FITS)
    assert stage.evaluate(SMALL) == []


def wide_form(page: Page) -> dict[str, Any]:
    """A lesson whose steps have many rows and whose text is as long as one may be, for each part of Step."""
    form: dict[str, Any] = page.evaluate(f"fetch('/lessons/{SLUG}.json').then((r) => r.json())")
    step = form["recording"]["scenes"]["popular"]["page"]["steps"][1]
    row = step["candidates"][0]
    step["candidates"] = [
        {**row, "id": 100 + i, "text": f" token{i}", "rank": i + 1, "p": 0.5 / 2**i}
        for i in range(12)
    ] + [{**step["taken"], "rank": 1842}]
    lesson = form["lesson"]
    first = {**lesson["beats"][0], "text": LONG, "scene": "popular", "step": 1, "predict": None}
    lesson["beats"] = [
        {**first, "highlight": part} for part in ("", "z", "bar", "rows", "strip", "caption")
    ]
    return form


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 720)])
def test_a_long_text_over_many_rows_fits_too_and_shows_the_token_taken(
    stage: Page, width: int, height: int
) -> None:
    stage.wait_for_function("() => window.playgroundLesson && window.playgroundStage")
    stage.evaluate("(form) => window.playgroundLesson.load(form)", wide_form(stage))
    present(stage, width, height)
    for number, beat in enumerate(beats(stage)):
        at_beat(stage, number)
        stage.wait_for_function(FITS)
        assert stage.evaluate(SMALL) == []
        if beat["highlight"] in ("", "rows"):
            rows = stage.locator("#stage .pg-row:visible")
            assert 4 <= rows.count() <= 8
            expect(stage.locator("#stage .pg-row[data-taken]")).to_be_visible()
            lane = stage.locator("#stage .pg-row[data-taken] .pg-lane").bounding_box()
            assert lane["height"] >= 28
        keys(stage, "PageDown")


@pytest.mark.parametrize(("slug", "beat"), [("squeeze-netherlands", 4), ("shouting", 4)])
def test_a_number_is_never_parted_from_its_sign(stage: Page, slug: str, beat: int) -> None:
    open_lesson(stage, slug, beat)
    present(stage)
    for width in range(900, 1300, 20):
        stage.set_viewport_size({"width": width, "height": 720})
        numbers = stage.evaluate(PARTED)
        assert len(numbers) >= 2
        assert [number for number, lines in numbers if lines != 1] == []


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 720)])
@pytest.mark.parametrize(
    ("slug", "beat"),
    [("sky", 0), ("country-currency", 5), ("squeeze-rating", 1), ("squeeze-netherlands", 6)],
)
def test_a_part_alone_is_whole_and_read_from_the_last_row(
    stage: Page, slug: str, beat: int, width: int, height: int
) -> None:
    open_lesson(stage, slug, beat)
    present(stage, width, height)
    at_beat(stage, beat)
    stage.wait_for_function(FITS)
    assert stage.evaluate(ALONE) == []


def test_the_marks_of_the_strip_are_seen_where_a_beat_is_about_it(stage: Page) -> None:
    open_lesson(stage, "blocked", 5)
    present(stage)
    at_beat(stage, 5)
    marks = stage.locator("#stage .pg-col-marks [data-event=argmax_blocked]:visible")
    assert marks.count() >= 3
    keys(stage, "PageUp")
    at_beat(stage, 4)
    expect(marks).to_have_count(0)


def test_the_size_of_the_type_is_kept(stage: Page) -> None:
    open_lesson(stage)
    present(stage)
    stage.get_by_role("button", name="PRESENTING", exact=True).click()
    size = stage.get_by_label("Size of the type, px")
    size.fill("30")
    measured = (
        "() => Number.parseFloat(getComputedStyle(document.querySelector('#stage .pg')).fontSize)"
    )
    assert stage.evaluate(measured) == 30
    stage.reload()
    stage.locator(".lesson-text").wait_for()
    expect(stage.get_by_text("PRESENTING", exact=True)).to_be_visible()  # a reload goes on
    assert stage.evaluate(measured) == 30
    size.evaluate("(node) => { node.value = '24'; node.dispatchEvent(new Event('input')); }")


def test_blank_curtain_and_spotlight_by_their_keys(stage: Page) -> None:
    open_lesson(stage, beat=1)
    present(stage)
    numbers = stage.locator("#stage .pg-numbers")
    keys(stage, "c")
    expect(numbers).not_to_be_visible()
    expect(stage.get_by_text("behind the curtain")).to_be_visible()
    keys(stage, "c")
    expect(numbers).to_be_visible()
    keys(stage, ".")
    expect(stage.locator(".present-blank")).to_be_visible()
    keys(stage, "PageDown")  # a clicker brings the light back, and moves nothing
    expect(stage.locator(".present-blank")).not_to_be_visible()
    assert state(stage)["beat"] == 1
    keys(stage, "x")
    expect(stage.locator(".present-spot")).to_be_visible()
    stage.mouse.move(300, 200)
    assert (
        stage.locator(".present-spot").evaluate("(node) => node.style.getPropertyValue('--x')")
        == "300px"
    )
    keys(stage, "Escape")
    expect(stage.locator(".present-spot")).not_to_be_visible()
    expect(stage.get_by_text("PRESENTING", exact=True)).to_be_visible()
    keys(stage, "Escape")
    expect(stage.get_by_text("PRESENTING", exact=True)).not_to_be_visible()
    expect(stage.locator("#top")).to_be_visible()


def test_a_reset_is_undone_within_its_time(stage: Page) -> None:
    open_lesson(stage, beat=2)
    present(stage)
    keys(stage, "3", "PageDown")
    at_beat(stage, 3)
    keys(stage, "Shift+R")
    at_beat(stage, 0)
    bar(stage).get_by_role("button", name="Undo").click()
    at_beat(stage, 3)
    keys(stage, "PageUp")
    expect(bar(stage).locator(".lesson-verdict")).to_contain_text("Right: 90 %.")


def test_home_is_the_first_beat_while_presenting_and_the_first_step_otherwise(stage: Page) -> None:
    open_lesson(stage, beat=3)
    keys(stage, "Home")
    assert state(stage)["beat"] == 3
    present(stage)
    keys(stage, "Home")
    at_beat(stage, 0)


def test_arrows_and_space_page_the_beats_and_an_open_question_is_shown_first(stage: Page) -> None:
    open_lesson(stage, beat=1)
    present(stage)
    keys(stage, "ArrowRight")
    at_beat(stage, 2)
    keys(stage, "6", " ")
    assert state(stage)["beat"] == 2
    expect(stage.locator("#stage .pg-numbers")).to_be_visible()
    expect(bar(stage).locator(".lesson-verdict")).not_to_be_visible()
    keys(stage, "4", "PageDown")
    at_beat(stage, 3)
    keys(stage, "ArrowLeft")
    at_beat(stage, 2)


def test_the_qr_code_is_of_this_beat(stage: Page) -> None:
    open_lesson(stage, beat=3)
    present(stage)
    keys(stage, "q")
    sheet = stage.get_by_role("dialog", name="QR code")
    expect(sheet.get_by_role("img", name="QR code")).to_be_visible()
    expect(sheet.locator(".present-address")).to_contain_text(f"?lesson={SLUG}&beat=4")
    keys(stage, "q")
    expect(sheet).not_to_be_visible()


def test_the_sheet_of_keys_lists_these(stage: Page) -> None:
    stage.wait_for_function("() => window.playgroundLesson")
    keys(stage, "?")
    sheet = stage.get_by_role("dialog", name="Keys and marks")
    expect(sheet).to_contain_text("present; Esc leaves")
    expect(sheet).to_contain_text("10 s to undo")
    keys(stage, "Escape")
    stage.locator("#top [data-screen=compare]").click()
    keys(stage, "?")
    expect(stage.get_by_role("dialog", name="Keys of lessons")).to_be_visible()


def test_keys_do_nothing_while_typing_or_once_switched_off(stage: Page) -> None:
    stage.wait_for_function("() => window.playgroundLesson")
    box = stage.locator("#source textarea")
    box.focus()
    stage.keyboard.type("pcx.q")
    expect(stage.get_by_text("PRESENTING", exact=True)).not_to_be_visible()
    assert "pcx.q" in box.input_value()
    stage.locator("#stage").click(position={"x": 5, "y": 5})
    stage.evaluate("window.playgroundStage.store.set({keys: false})")
    keys(stage, "p")
    expect(stage.get_by_text("PRESENTING", exact=True)).not_to_be_visible()


def test_the_step_screen_is_presented_without_a_lesson_too(stage: Page) -> None:
    stage.wait_for_function("() => window.playgroundLesson")
    present(stage, 1024, 768)
    stage.wait_for_function(FITS)
    caption = stage.locator("#stage .pg-caption")
    expect(caption).to_be_visible()
    assert (
        float(caption.evaluate("(node) => Number.parseFloat(getComputedStyle(node).fontSize)"))
        >= 32
    )
    keys(stage, "Escape")
    assert stage.locator("#stage-column").evaluate("(node) => node.style.zoom") == ""
