"""The handout in a browser: it asks nobody, its stage steps, and paper has no answers on it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from playground.lessons.form import form_document
from playground.lessons.shelf import load_lessons, recording_of
from playground.views.handout import handout_html

pytestmark = pytest.mark.browser
STATIC = Path(__file__).parents[2] / "static"
TITLE = "Doors <script>window.bad = 1</script> <img src=x onerror='window.bad = 2'>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A teacher's handout with markup in its title and notes."""
    changed = {"title": TITLE, "notes": f"For me: {TITLE}"}
    lesson = load_lessons()["two-step"].model_copy(update=changed)
    path = tmp_path / "handout.html"
    path.write_text(handout_html(form_document(lesson, recording_of("two-step")), STATIC))
    return path


@pytest.fixture
def handout(file: Path, browser: Browser):
    """The file, open without a network; afterwards nothing was asked and nothing broke."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    broken: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(file.as_uri())
    yield page
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [file.as_uri()]
    assert not broken
    assert page.evaluate("window.bad === undefined")
    context.close()


def test_a_title_with_a_script_in_it_stays_text(handout) -> None:
    expect(handout.locator("h1")).to_have_text(TITLE)
    expect(handout.locator(".notes")).to_contain_text(TITLE)
    assert handout.title() == TITLE


def test_each_beats_stage_opens_at_its_step_and_one_at_a_time(handout) -> None:
    buttons = handout.get_by_role("button", name="Step through it")
    assert buttons.count() == 3, "the one under the prediction is hidden with its answer"
    buttons.nth(1).click()
    stage = handout.locator(".pg")
    expect(stage).to_have_count(1)
    expect(stage.locator(".pg-where")).to_have_text("Step 2 of 2")
    handout.keyboard.press("Home")
    expect(stage.locator(".pg-where")).to_have_text("Step 1 of 2")
    buttons.nth(2).click()
    expect(stage).to_have_count(1)
    assert stage.locator(".pg-col-step .pg-chip-text").all_inner_texts() == ["B", "x"]
    buttons.nth(2).click()
    expect(stage).to_have_count(0)


def test_an_answer_is_seen_once_it_is_opened(handout) -> None:
    answer = handout.locator(".answer .right")
    expect(answer).to_be_hidden()
    handout.get_by_text("Predict first, then open the answer").click()
    expect(answer).to_have_text("90 %")


def test_paper_has_the_questions_with_room_and_no_answers(handout) -> None:
    expect(handout.locator(".worksheet")).to_be_hidden()
    handout.get_by_text("Predict first, then open the answer").click()
    handout.emulate_media(media="print")
    expect(handout.locator(".worksheet")).to_be_visible()
    assert handout.locator(".worksheet .line:visible").count() >= 8
    expect(handout.locator(".answer .right")).to_be_hidden()
    expect(handout.get_by_role("button")).to_have_count(0)
    breaks = "(node) => getComputedStyle(node).breakBefore"
    expect(handout.locator(".notes")).to_be_hidden()
    handout.emulate_media(media="screen")
    handout.get_by_text("Notes for the teacher").click()
    handout.emulate_media(media="print")
    expect(handout.locator(".notes p").first).to_be_visible()
    assert handout.locator(".notes").evaluate(breaks) == "page"
    assert handout.locator(".worksheet").evaluate(breaks.replace("Before", "After")) == "page"


def test_the_worksheet_can_be_printed_alone(handout) -> None:
    handout.evaluate("window.print = () => { window.printed = document.body.dataset.print; }")
    handout.get_by_role("button", name="Print the worksheet").click()
    assert handout.evaluate("window.printed") == "worksheet"
    handout.emulate_media(media="print")
    expect(handout.locator(".worksheet")).to_be_visible()
    expect(handout.locator(".notes")).to_be_hidden()
    expect(handout.locator(".numbers")).to_be_hidden()
    handout.emulate_media(media="screen")
    handout.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(handout.locator(".numbers")).to_be_visible()
