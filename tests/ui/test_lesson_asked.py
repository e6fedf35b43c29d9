"""What a question hides until it is answered, and what the model was asked, told in the bar."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.lesson_driving import at_beat, bar, beats, keys, open_lesson

SEEN = """() => {
  const kept = '.pg-head-words, .pg-where, .pg-badge, .pg-dock, .pg-provenance, .pg-prompt';
  const walk = document.createTreeWalker(document.getElementById('stage-column'), NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const holder = node.parentElement;
    if (!node.textContent.trim() || !holder.getClientRects().length || holder.closest(kept)) continue;
    if (getComputedStyle(holder).visibility === 'visible') seen.push(node.textContent.trim());
  }
  return seen;
}"""
"""The texts on the screen below the bar, but for its title, the step's number and the buttons."""

QUESTIONS = [
    ("two-step", "step"),
    ("rejection", "compare"),
    ("receipt", "squeezing"),
    ("brackets", "schema"),
    ("country-currency", "decisions"),
]
"""A lesson with a question on each screen."""


@pytest.mark.parametrize(("slug", "screen"), QUESTIONS)
def test_an_open_question_hides_all_that_answers_it(stage: Page, slug: str, screen: str) -> None:
    open_lesson(stage, slug)
    asking = [
        at for at, told in enumerate(beats(stage)) if told["predict"] and told["view"] == screen
    ]
    open_lesson(stage, slug, asking[0])
    assert stage.evaluate("document.body.dataset.screen") == screen
    stage.wait_for_timeout(300)
    assert stage.evaluate(SEEN) == []
    height = stage.evaluate("document.getElementById('stage-column').scrollHeight")
    bar(stage).get_by_role("button", name="Show without guessing").click()
    stage.wait_for_function(f"() => ({SEEN})().length > 5")
    # Nothing has moved: what was hidden had its place.
    assert stage.evaluate("document.getElementById('stage-column').scrollHeight") >= height - 200


def test_the_curtain_hides_the_numbers_of_the_bar_too(stage: Page) -> None:
    open_lesson(stage, beat=1)
    formula = bar(stage).locator(".lesson-formula")
    expect(formula).to_be_visible()
    keys(stage, "c")
    expect(formula).not_to_be_visible()
    assert stage.evaluate(SEEN) == []
    keys(stage, "c")
    expect(formula).to_be_visible()


REAL = """async (beat) => {
  const form = await (await fetch('/lessons/two-step.json')).json();
  form.lesson.title = 'Squeezed: the explanation that the model wanted first';
  for (const { problem } of Object.values(form.lesson.scenes)) {
    problem.prompt = 'What is the capital of the Netherlands? Answer with the name of the city only.';
    problem.constraint = { ...problem.constraint, kind: 'choices', source: 'Amsterdam\\nRotterdam\\nThe Hague' };
  }
  for (const { page } of Object.values(form.recording.scenes)) {
    page.provenance = { ...page.provenance, kind: 'recorded', model: 'smollm2', revision: 'b179c9523d0e' };
  }
  await window.playgroundLesson.load(form, beat);
}"""
"""Opens the toys' lesson at a beat as if it had been recorded of a model that was asked something."""


@pytest.mark.parametrize("width", [1024, 390])
def test_the_bar_says_what_was_asked_where_that_is_news(stage: Page, width: int) -> None:
    stage.set_viewport_size({"width": width, "height": 768})
    stage.wait_for_function("() => window.playgroundLesson && window.playgroundStage")
    stage.evaluate(REAL, 0)
    at_beat(stage, 0)
    if width == 1024:
        keys(stage, "p")
    asked = bar(stage).locator(".lesson-asked")
    expect(asked).to_contain_text("Asked: What is the capital of the Netherlands?")
    expect(asked).to_contain_text("May answer: Amsterdam | Rotterdam | The Hague")
    expect(asked).to_have_attribute("aria-expanded", "false")
    asked.click()
    expect(asked).to_have_attribute("aria-expanded", "true")
    told = beats(stage)
    scene, seen = told[0]["scene"], set()
    for beat in range(1, len(told)):
        now = told[beat]["scene"] or scene
        news = bool(told[beat]["predict"]) or now != scene
        scene = now
        seen.add(news)
        stage.evaluate(REAL, beat)
        at_beat(stage, beat)
        expect(asked).to_be_visible(visible=news)
        if width == 1024:
            stage.wait_for_function(
                "() => document.documentElement.scrollHeight <= window.innerHeight"
            )
    assert seen == {True, False}


def test_a_page_with_room_always_says_it_and_a_toy_says_what_it_may_answer(stage: Page) -> None:
    open_lesson(stage, beat=1)
    expect(bar(stage).locator(".lesson-asked")).to_contain_text("May answer: (A|B)x")
    expect(bar(stage).get_by_text("Asked:")).not_to_be_visible()


def test_the_phone_gives_the_title_a_line(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    stage.wait_for_function("() => window.playgroundLesson && window.playgroundStage")
    stage.evaluate(REAL, 1)
    at_beat(stage, 1)
    title = bar(stage).locator(".lesson-title")
    assert title.bounding_box()["width"] > 300
    assert title.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")
    badge = bar(stage).locator(".lesson-badge")
    expect(badge).to_have_text("recorded · smollm2")
    expect(badge).to_have_attribute("title", "revision b179c9523d0e")
    assert bar(stage).bounding_box()["height"] < 844 * 0.4
