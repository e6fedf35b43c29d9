"""Lessons on the page: played by keys alone, from a recording, with nothing lost and nothing given away."""

from typing import get_args

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.lessons.lesson import Part
from tests.ui.driving import chips, where
from tests.ui.lesson_driving import SLUG, at_beat, bar, beats, keys, open_lesson, state


def stage_model(page: Page) -> str:
    return str(page.evaluate("window.playgroundStage.store.doc().problem.model"))


def test_the_map_of_parts_is_the_lessons_own(stage: Page) -> None:
    parts = stage.evaluate("import('/app-static/lesson/parts.js').then((m) => m.PARTS)")
    assert set(parts) == set(get_args(Part))
    assert [part for part, where in parts.items() if not where] == [""]
    missing = stage.evaluate(
        """async (parts) => {
            for (const screen of ['compare', 'squeezing', 'schema', 'decisions']) window.playgroundShell.screen(screen);
            const wait = (ms) => new Promise((done) => setTimeout(done, ms));
            const gone = (where) => where.split(',').some((each) => !document.querySelector(each));
            const absent = () => Object.entries(parts).filter(([, where]) => where && gone(where));
            for (let i = 0; i < 200 && absent().length; i += 1) await wait(100);
            return absent();
        }""",
        parts,
    )
    assert missing == []


def test_a_lesson_by_keys_alone_from_the_menu_to_its_end(stage: Page) -> None:
    stage.locator("#top [data-do=lessons]").focus()
    keys(stage, "Enter")
    choice = stage.locator(".lesson-choice").first
    expect(choice).to_be_visible()
    choice.focus()
    keys(stage, "Enter")
    at_beat(stage, 0)
    assert stage.evaluate("document.activeElement.className") == "lesson-title"
    told = beats(stage)
    for number, beat in enumerate(told):
        at_beat(stage, number)
        if beat["predict"]:
            expect(bar(stage).locator(".lesson-text")).to_have_text(beat["predict"]["question"])
            expect(stage.locator("#stage .pg-numbers")).not_to_be_visible()
            keys(stage, str(beat["predict"]["answer"] + 1))
            expect(bar(stage).locator(".lesson-verdict")).to_contain_text("Right:")
        expect(bar(stage).locator(".lesson-text")).to_have_text(beat["text"])
        expect(bar(stage).locator(".pg-spoken")).to_contain_text(beat["text"])
        keys(stage, "PageDown")
    at_beat(stage, len(told))
    claims = bar(stage).locator(".lesson-claim")
    assert claims.count() == stage.evaluate("window.playgroundLesson.form().claims.length")
    assert (
        claims.locator("visible=true").get_by_text("Checked", exact=True).count() == claims.count()
    )
    answer = bar(stage).locator(".lesson-answer").first
    expect(answer).not_to_be_visible()
    show = bar(stage).get_by_role("button", name="Show the answer").first
    expect(show).to_be_disabled()
    bar(stage).locator("textarea").first.focus()
    stage.keyboard.type("82 %")
    keys(stage, "Tab", "Enter")
    expect(answer).to_be_visible()
    keys(stage, "PageUp")
    at_beat(stage, len(told) - 1)


def test_the_beats_show_what_was_recorded_and_ask_the_server_nothing_of_compare(
    stage: Page,
) -> None:
    open_lesson(stage)
    asked: list[str] = []
    stage.on("request", lambda request: asked.append(request.url))
    for number, beat in enumerate(beats(stage)):
        stage.evaluate("(beat) => window.playgroundLesson.open('two-step', beat)", number)
        at_beat(stage, number)
        if beat["view"] == "step":
            expect(where(stage)).to_contain_text(f"Step {beat['step'] + 1} of 2")
        if beat["view"] == "compare":
            expect(stage.locator("#compare .cmp-outcomes")).to_be_visible()
            expect(stage.locator("#compare .cmp-controls-card")).not_to_be_visible()
        if beat["view"] == "squeezing":
            expect(stage.locator("#squeezing .sq-headline")).to_contain_text("11× too often")
    assert chips(stage) == ["A", "x"]
    assert not [url for url in asked if "queue/join" in url or "/run" in url]


def test_the_bar_says_the_formula_with_the_numbers_of_the_step(stage: Page) -> None:
    open_lesson(stage, beat=1)
    expect(bar(stage).locator(".lesson-formula")).to_have_text(
        "x after mask = p / Z = 0.010 / 0.010 = 100 %"
    )
    open_lesson(stage, beat=2)
    expect(bar(stage).locator(".lesson-formula")).not_to_be_visible()


def test_what_was_on_the_page_comes_back(stage: Page) -> None:
    keys(stage, "Home")
    before = (stage_model(stage), chips(stage), where(stage).inner_text())
    exact = stage.evaluate("window.playgroundStage.store.view().exact")
    stage.locator("#top [data-screen=schema]").click()
    open_lesson(stage, beat=5)
    assert stage_model(stage) == "toy:two-step"
    bar(stage).get_by_role("button", name="Close the lesson").first.click()
    expect(bar(stage)).not_to_be_visible()
    assert stage.evaluate("document.body.dataset.screen") == "schema"
    assert stage.evaluate("document.activeElement.dataset.do") == "lessons"
    assert "lesson" not in stage.url
    stage.locator("#top [data-screen=step]").click()
    assert (stage_model(stage), chips(stage), where(stage).inner_text()) == before
    assert stage.evaluate("window.playgroundStage.store.view().exact") == exact
    stage.locator("#top [data-screen=compare]").click()
    expect(stage.locator("#compare .cmp-controls-card")).to_be_visible()


def test_what_a_visitor_changes_in_a_lesson_is_mended_by_its_next_beat(stage: Page) -> None:
    open_lesson(stage, beat=1)
    keys(stage, "b")
    assert stage.evaluate("window.playgroundStage.store.lanes().length") == 2
    keys(stage, "PageDown", "PageUp")
    at_beat(stage, 1)
    assert stage.evaluate("window.playgroundStage.store.lanes().length") == 1


def test_a_prediction_hides_the_numbers_until_it_is_made(stage: Page) -> None:
    open_lesson(stage, beat=2)
    for hidden in (".pg-numbers", ".pg-bar", ".pg-candidates-card", ".pg-caption-box"):
        expect(stage.locator(f"#stage {hidden}")).not_to_be_visible()
    keys(stage, "4")  # no option of this one, and no screen while it is asked
    assert stage.evaluate("document.body.dataset.screen") == "step"
    keys(stage, "1")
    expect(bar(stage).locator(".lesson-verdict")).to_contain_text(
        "Not quite: you said 1 %, it is 90 %."
    )
    expect(stage.locator("#stage .pg-numbers")).to_be_visible()
    for digit in "1234567":  # a question that is answered is still no place to change screens
        keys(stage, digit)
        assert stage.evaluate("document.body.dataset.screen") == "step"
    expect(bar(stage).locator(".lesson-verdict")).to_contain_text("you said 1 %")


def test_a_prediction_can_be_lifted_without_a_guess(stage: Page) -> None:
    open_lesson(stage, beat=2)
    bar(stage).get_by_role("button", name="Show without guessing").click()
    expect(stage.locator("#stage .pg-numbers")).to_be_visible()
    expect(bar(stage).locator(".lesson-verdict")).not_to_be_visible()


def asked_room(stage: Page) -> tuple[Locator, str]:
    """The room is asked about the question on screen: what is said of it, and its code."""
    keys(stage, "p")
    bar(stage).get_by_role("button", name="Ask the room").click()
    said = stage.locator(".lesson-room")
    expect(said).to_contain_text("0 voted")
    return said, said.inner_text().split()[1].rstrip(":")


def voted(guest: Page, said: Locator, room: str) -> None:
    """A guest of the room takes the first option, and the presenter's page counts it."""
    guest.locator(".lesson-option").nth(1).wait_for()
    expect(guest.locator(".lesson-room")).to_contain_text(room)
    guest.locator(".lesson-option").nth(0).click()
    expect(said).to_contain_text("1 voted")


def test_a_room_votes_and_the_presenter_sees_how(stage: Page, app_url: str) -> None:
    open_lesson(stage, beat=2)
    code, room = asked_room(stage)
    other = stage.context.browser.new_context().new_page()
    other.goto(f"{app_url}/?lesson={SLUG}&beat=3&room={room}")
    voted(other, code, room)
    expect(other.locator(".lesson-room")).to_contain_text("wait for the reveal")
    other.locator(".lesson-option").nth(1).click()
    expect(other.locator(".lesson-verdict")).not_to_be_visible()
    expect(other.locator("#stage .pg-numbers")).not_to_be_visible()
    expect(stage.locator(".lesson-votes li")).to_have_count(0)
    keys(stage, "PageDown")
    expect(other.locator(".lesson-verdict")).to_be_visible()
    expect(stage.locator(".lesson-votes li").nth(1)).to_contain_text("1 of 1")
    expect(other.locator(".lesson-votes li").nth(1)).to_contain_text("1 of 1")
    other.context.close()


def test_a_room_votes_on_a_lesson_of_ones_own(stage: Page, app_url: str) -> None:
    # As from a file: the same lesson under a name of its own.
    stage.evaluate(
        """async (slug) => {
            const form = await (await fetch(`/lessons/${slug}.json`)).json();
            form.lesson.slug = 'my-own';
            await window.playgroundLesson.load(form, 2);
        }""",
        SLUG,
    )
    at_beat(stage, 2)
    code, room = asked_room(stage)
    link = str(stage.evaluate("async () => (await window.playgroundLinks.make()).url"))
    assert "#lesson?" in link
    other = stage.context.browser.new_context().new_page()
    other.goto(f"{app_url}/?room={room}#{link.partition('#')[2]}")
    voted(other, code, room)
    expect(other.locator(".lesson-verdict")).not_to_be_visible()
    keys(stage, "PageDown")
    expect(other.locator(".lesson-verdict")).to_be_visible()
    expect(stage.locator(".lesson-votes li").nth(0)).to_contain_text("1 of 1")
    other.context.close()


def test_a_lesson_that_there_is_not_is_said(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/?lesson=nosuch")
    card = page.locator("#stage .pg-errors")
    expect(card).to_contain_text("?lesson=nosuch", timeout=30_000)


def test_the_address_is_the_beats_on_every_screen(stage: Page) -> None:
    open_lesson(stage)
    stage.locator("#top [data-screen=compare]").click()
    assert stage.url.endswith("#compare")
    for number, _ in enumerate(beats(stage)[1:], 1):
        stage.evaluate("(beat) => window.playgroundLesson.open('two-step', beat)", number)
        at_beat(stage, number)
        stage.wait_for_timeout(400)
        assert stage.url.endswith(f"/?lesson={SLUG}&beat={number + 1}")


def test_a_run_that_left_the_beat_comes_back_by_a_button(stage: Page) -> None:
    open_lesson(stage, beat=1)
    away = bar(stage).get_by_role("button", name="Off the beat: back to it")
    expect(away).not_to_be_visible()
    keys(stage, "Home")
    expect(away).to_be_visible()
    expect(stage.locator(".lesson-ring")).to_have_count(0)
    away.click()
    at_beat(stage, 1)
    expect(away).not_to_be_visible()


def test_z_in_the_formula_of_a_step_is_explained_as_the_allowed_mass(stage: Page) -> None:
    open_lesson(stage, beat=1)
    bar(stage).locator(".lesson-formula .lesson-term", has_text="Z").hover()
    expect(stage.get_by_role("tooltip")).to_contain_text("Z_t: the share")


def test_a_room_that_nobody_opened_is_told(stage: Page) -> None:
    open_lesson(stage, beat=2)
    bar(stage).get_by_role("button", name="Vote in a room").click()
    bar(stage).get_by_label("Room code").fill("zzzz9")
    bar(stage).get_by_role("button", name="Vote there").click()
    bar(stage).locator(".lesson-option").nth(1).click()
    expect(bar(stage).locator(".lesson-room")).to_contain_text("no room ZZZZ9")
    expect(bar(stage).locator(".lesson-verdict")).to_be_visible()


def test_terms_explain_themselves_on_focus_and_on_hover(stage: Page) -> None:
    open_lesson(stage)
    term = bar(stage).locator(".lesson-text .lesson-term", has_text="tokens")
    term.hover()
    tip = stage.get_by_role("tooltip")
    expect(tip).to_contain_text("The unit that a model reads and writes")
    keys(stage, "Escape")
    expect(tip).not_to_be_visible()
    stage.locator("#stage .pg-mass-label").hover()
    expect(tip).to_contain_text("Z_t")


def test_a_lesson_that_is_not_there_is_an_error_in_words(stage: Page) -> None:
    stage.wait_for_function("() => window.playgroundLesson")
    error = stage.evaluate("window.playgroundLesson.open('no-such-lesson')")
    assert "no lesson" in error["what"]
    assert state(stage) is None


def test_the_menu_says_when_the_list_cannot_be_had(stage: Page) -> None:
    stage.route("**/lessons/index.json", lambda route: route.abort())
    stage.locator("#top [data-do=lessons]").click()
    menu = stage.get_by_role("dialog", name="Lessons")
    expect(menu.get_by_role("alert")).to_contain_text("could not be loaded")
    stage.unroute("**/lessons/index.json")
    menu.get_by_role("button", name="Try again").click()
    expect(menu.locator(".lesson-choice").first).to_be_visible()
    expect(menu.get_by_role("alert")).not_to_be_visible()


def test_a_lesson_on_a_phone_leaves_the_thumb_bar_free(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    open_lesson(stage, beat=1)
    sheet = bar(stage).bounding_box()
    thumbs = stage.locator("#stage .pg-transport").bounding_box()
    assert sheet["y"] + sheet["height"] <= thumbs["y"] + 1
    for name in ("Back", "Next"):
        box = bar(stage).get_by_role("button", name=name, exact=True).bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 44
    ring = stage.locator(".lesson-ring").bounding_box()
    assert ring["y"] >= 0
    assert ring["y"] + ring["height"] <= sheet["y"]
    assert stage.evaluate("document.documentElement.scrollWidth") <= 390
    stage.locator("#stage .pg-transport").get_by_role("button", name="Back").click()
    expect(where(stage)).to_contain_text("Step 1 of 2")
    bar(stage).get_by_role("button", name="Next", exact=True).click()
    at_beat(stage, 2)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_top_bar_holds_its_buttons(stage: Page, width: int) -> None:
    stage.set_viewport_size({"width": width, "height": 800})
    assert stage.evaluate("document.documentElement.scrollWidth") <= width
    boxes = [
        box
        for box in (button.bounding_box() for button in stage.locator("#top button").all())
        if box and box["width"] > 1
    ]
    for box in boxes:
        assert box["height"] > 0
    lessons = stage.locator("#top [data-do=lessons]").bounding_box()
    assert lessons["x"] >= 0
    assert lessons["x"] + lessons["width"] <= width
