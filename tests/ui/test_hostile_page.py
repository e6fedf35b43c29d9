"""The page under hostile text and refused requests: nothing runs, text stays data, words are shown."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from playground.ui.guard import MAX_BODY
from tests.ui.app_process import AppProcess
from tests.ui.driving import chips, pick, start, write

pytestmark = pytest.mark.browser
EVIL = (
    "<script>window.pwned=1</script><img src=x onerror='window.pwned=2'>${window.pwned=3}"
    "{{constructor.constructor('window.pwned=4')()}}`${window.pwned=5}`\u202efdp\u0000</textarea>"
    '"><svg onload=window.pwned=6>\\u0041'
)
"""Every way in at once: markup, both templates, backticks, right to left, NUL, an end of its box."""


@pytest.fixture(scope="module")
def slow_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppProcess]:
    """An app that takes one request a second of a visitor, five at once."""
    made = AppProcess(tmp_path_factory.mktemp("slow"), PLAYGROUND_VISITOR_RATE="1")
    yield made
    made.close()


def unharmed(page: Page) -> None:
    """Nothing has run, and nothing of the text has become markup."""
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src=x], svg[onload]").count() == 0


PIECES = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror='window.pwned=2'>",
    "${window.pwned=3}",
    "{{window.pwned=4}}",
    "`${window.pwned=5}`",
    "\u202efdp",
    "<svg onload=window.pwned=6>",
    "\\u0041\n\t\u0000",
)
"""The same as tokens, which are at most 40 characters long."""


def test_hostile_tokens_and_prompts_are_shown_and_never_run(stage: Page) -> None:
    error = stage.evaluate(
        """async (pieces) => { const {doc, actions, error} = window.playgroundStage.store;
            const toy = structuredClone(doc().problem.toy);
            const p = Object.fromEntries(pieces.map((piece) => [piece, 1 / pieces.length]));
            await actions.replay({prompt: pieces.join(''), toy: {...toy, tokens: pieces, rules: [{p}]},
                max_tokens: 20, constraint: {...doc().problem.constraint, kind: 'free', source: ''}},
                {path: pieces.map((_, at) => at)});
            return error(); }""",
        list(PIECES),
    )
    assert error is None
    shown = "".join(chips(stage))
    for number in range(1, 7):
        assert f"window.pwned={number}" in shown
    for screen in ("compare", "squeezing", "step"):
        stage.locator(f"#top [data-screen={screen}]").click()
        unharmed(stage)


@pytest.mark.parametrize("kind", ["Choices", "Regex", "JSON Schema"])
def test_a_hostile_constraint_is_told_of_as_text(stage: Page, kind: str) -> None:
    before = chips(stage)
    pick(stage, kind)
    stage.evaluate(
        """(evil) => { const box = document.querySelector('#source textarea');
        box.value = evil; box.dispatchEvent(new Event('input', {bubbles: true})); }""",
        EVIL,
    )
    stage.locator("#start").click()
    expect(stage.locator("#stage .pg-error")).to_be_visible(timeout=30_000)
    assert chips(stage) == before
    unharmed(stage)


def test_a_hostile_lesson_file_is_shown_as_text_or_refused(stage: Page) -> None:
    form = stage.evaluate("fetch('/lessons/two-step.json').then((answer) => answer.json())")
    lesson = form["lesson"]
    for name in ("title", "question", "notes"):
        lesson[name] = EVIL.replace("\u0000", "") if isinstance(lesson[name], str) else lesson[name]
    lesson["beats"][0]["text"] = EVIL.split("\u202e")[0]
    stage.evaluate("(form) => { window.playgroundLesson.load(form, 0); }", form)
    expect(stage.locator("#lesson")).to_contain_text("window.pwned", timeout=20_000)
    unharmed(stage)


def test_a_request_over_the_limit_is_refused_before_it_is_sent(stage: Page) -> None:
    sent: list[int] = []
    stage.on("request", lambda request: sent.append(len(request.post_data or "")))
    before = chips(stage)
    pick(stage, "Regex")
    stage.evaluate(
        """(size) => { const box = document.querySelector('#source textarea');
        box.value = 'y'.repeat(size); box.dispatchEvent(new Event('input', {bubbles: true})); }""",
        MAX_BODY + 1,
    )
    stage.locator("#start").click()
    card = stage.locator("#stage .pg-error")
    expect(card).to_contain_text("it was not sent", timeout=20_000)
    expect(card).to_contain_text(f"{MAX_BODY:,}")
    assert max(sent, default=0) < MAX_BODY
    assert chips(stage) == before
    assert stage.locator("#source textarea").evaluate("(box) => box.value.length") == MAX_BODY + 1
    answer = stage.evaluate(
        """(size) => fetch('/gradio_api/component_server', {method: 'POST', body: 'é'.repeat(size)})
            .then((answer) => answer.json())""",
        MAX_BODY // 2 + 1,
    )
    assert f"{(MAX_BODY // 2 + 1) * 2:,} bytes" in answer["error"]["what"]
    write(stage, "Regex", "skill|cloud")  # and the next one starts
    start(stage)


def test_the_limit_of_the_page_is_the_servers() -> None:
    script = (Path(__file__).parents[2] / "static" / "refused.js").read_text()
    told = re.search(r"MAX_BODY = ([\d_]+);", script)
    assert told is not None
    assert int(told[1]) == MAX_BODY


def test_who_asks_too_fast_sees_why_and_goes_on_a_moment_later(
    browser: Browser, slow_app: AppProcess
) -> None:
    page = browser.new_page()
    try:
        page.goto(slow_app.url)
        page.locator("#stage .pg-col").first.wait_for(timeout=30_000)
        told = page.evaluate(
            """async () => { const {actions, error} = window.playgroundStage.store;
                for (let turn = 0; turn < 12 && !error(); turn += 1) await actions.replay({}, {path: []});
                return error(); }"""
        )
        assert "More than 1 requests a second" in told["what"]
        expect(page.locator("#stage .pg-error")).to_contain_text("Try again in 1 s")
        page.wait_for_function(
            """async () => { const {actions, error} = window.playgroundStage.store;
                await actions.replay({}, {path: []}); return error() === null; }""",
            polling=2_500,
        )
        page.wait_for_timeout(1_000)
        # A run of another screen that is refused ends with the card there.
        page.locator("#top [data-screen=compare]").click()
        run = page.locator("#compare").get_by_role("button", name="Run").first
        run.wait_for()
        run.evaluate(
            """async (button) => {
                const idle = {method: 'POST', body: '{}'};
                await Promise.all(Array(9).fill(0).map(() => fetch('/gradio_api/component_server', idle)));
                button.click(); }"""
        )
        expect(page.locator("#compare .pg-error")).to_contain_text("requests a second")
    finally:
        page.close()
    assert json.loads(slow_app.get("/healthz").text) == {"status": "ok"}
