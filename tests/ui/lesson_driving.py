"""How the tests drive lessons: by the menu, the bar and the keys, as a teacher would."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

SLUG = "two-step"
"""The lesson that the tests play: on toys, and with a prediction."""


def bar(page: Page) -> Locator:
    """The bar of the lesson under way."""
    return page.locator(".lesson")


def state(page: Page) -> dict[str, Any] | None:
    """`{"slug", "beat", "of", "own"}`, or None."""
    found: dict[str, Any] | None = page.evaluate("window.playgroundLesson.state()")
    return found


def open_lesson(page: Page, slug: str = SLUG, beat: int = 0) -> None:
    """Open a built-in lesson at a beat, from 0."""
    page.wait_for_function("() => window.playgroundLesson && window.playgroundStage")
    page.evaluate("([slug, beat]) => window.playgroundLesson.open(slug, beat)", [slug, beat])
    at_beat(page, beat)


def at_beat(page: Page, beat: int) -> None:
    """Wait until the beat, from 0, is on screen with what it shows."""
    page.wait_for_function("() => window.playgroundLesson?.state()")
    of = page.evaluate("window.playgroundLesson.state().of")
    expected = "The end" if beat >= of else f"Beat {beat + 1} of {of}"
    expect(bar(page).locator(".lesson-place")).to_have_text(expected)
    page.wait_for_function(
        """(beat) => { const told = window.playgroundLesson.form().lesson.beats[beat];
            return !told || (document.body.dataset.screen === told.view
              && (!told.highlight || document.querySelector('.lesson-ring')?.getClientRects().length)); }""",
        arg=beat,
    )
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def beats(page: Page) -> list[dict[str, Any]]:
    """The beats of the lesson under way."""
    found: list[dict[str, Any]] = page.evaluate("window.playgroundLesson.form().lesson.beats")
    return found


def keys(page: Page, *pressed: str) -> None:
    """Press keys one after the other."""
    for key in pressed:
        page.keyboard.press(key)
