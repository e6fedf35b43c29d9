"""Every screen and sheet of the page, as the tests of accessibility look at them."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.ui.driving import chips
from tests.ui.lesson_driving import SLUG, keys, open_lesson
from tests.ui.schema_driving import settled

QUESTION = 2
"""The beat of the lesson played that asks before it shows."""


def to(page: Page, screen: str, ready: str) -> None:
    """Show a screen, and wait until what it opens with is there."""
    page.locator(f"#top [data-screen={screen}]").click()
    expect(page.locator(ready).first).to_be_visible(timeout=60_000)


def finished(page: Page, screen: str) -> None:
    """Wait until a screen has a document and no run goes on."""
    state = f"window.playgroundScreens.{screen}.state()"
    page.wait_for_function(f"() => {state}.doc && !{state}.running", timeout=60_000)


def compare(page: Page) -> None:
    to(page, "compare", "#compare .cmp-card")
    finished(page, "compare")


def squeezing(page: Page) -> None:
    to(page, "squeezing", "#squeezing .sq-row")


def schema(page: Page) -> None:
    to(page, "schema", "#schema .cm-content")
    settled(page)


def levels(page: Page) -> None:
    to(page, "levels", "#levels .lv-empty")
    page.locator("#levels .lv-run").click()
    finished(page, "levels")


def study(page: Page) -> None:
    """The results of a study, from its recording."""
    to(page, "study", "#study .st-run")
    page.get_by_role("button", name="Show a recorded study").click()
    expect(page.get_by_role("region", name="All outputs")).to_be_visible()


def decisions(page: Page) -> None:
    to(page, "decisions", "#decisions .dc-box")
    page.wait_for_function("() => window.playgroundScreens.decisions.state()?.page", timeout=60_000)


def lessons(page: Page) -> None:
    page.locator("#top [data-do=lessons]").click()
    expect(page.locator(".lesson-choice").first).to_be_visible()


def maker(page: Page) -> None:
    lessons(page)
    page.get_by_role("button", name="Make a lesson from this page").click()
    expect(page.locator(".lesson-maker")).to_be_visible()


def question(page: Page) -> None:
    open_lesson(page, beat=QUESTION)
    expect(page.locator(".lesson-option").first).to_be_visible()


def lesson_end(page: Page) -> None:
    question(page)
    keys(page, "1")
    count = page.evaluate("window.playgroundLesson.state().of")
    open_lesson(page, SLUG, count)


def presenter(page: Page) -> None:
    open_lesson(page, beat=1)
    keys(page, "p")
    page.get_by_role("button", name="PRESENTING").click()
    expect(page.locator(".present-tools")).to_be_visible()


def share(page: Page) -> None:
    page.wait_for_function("window.playgroundLinks")
    page.locator("#top [data-do=share]").click()
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()


def keys_sheet(page: Page) -> None:
    page.locator("#top [data-do=help]").click()
    expect(page.get_by_role("dialog", name="Keys and marks")).to_be_visible()


SCENES: dict[str, Callable[[Page], object]] = {
    "step": chips,
    "compare": compare,
    "squeezing": squeezing,
    "schema": schema,
    "levels": levels,
    "study": study,
    "study, to begin with": lambda page: to(page, "study", "#study .st-run"),
    "decisions": decisions,
    "lessons": lessons,
    "a lesson being made": maker,
    "a lesson's question": question,
    "a lesson's end": lesson_end,
    "presenter": presenter,
    "share": share,
    "keys": keys_sheet,
}
