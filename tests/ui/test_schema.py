"""The Schema screen: a visitor pastes a schema, reads what is wrong, mends it, and tests strings."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from playground.asked import MAX_TEXT, MAX_TEXTS
from playground.constraints.spec import JSON_KINDS, MAX_SOURCE
from playground.models.tokens import byte_characters
from playground.ui.schema import EDITED
from playground.ui.server import STATIC
from tests.ui.driving import NO_MODEL, TAKEN, choose, write

BROKEN = """{
  "type": "object",
  "properties": {
    "reasoning": {"type": "string", "maxLength": 40},
    "mood": {"type": "string", "enum": ["calm", "tense", 3]},
    "level": {"type": "integer", "minimum": 1, "maxium": 9},
    "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true, "maxItems": 3}
  },
  "required": ["reasoning", "mood", "level"],
  "additionalProperties": false
}"""
"""A misspelt keyword in line 6, one that no automaton enforces in line 7, a bad option in line 5."""
GOOD = '{"reasoning": "ok", "mood": "calm", "level": 3}'


SLOW_JUDGE = """() => {
  window.asked = [];
  window.fetched = window.fetched || window.fetch;
  window.fetch = async (...told) => {
    const body = told[1] && typeof told[1].body === 'string' ? told[1].body : '';
    const name = (/"fn_name":\\s*"(\\w+)"/.exec(body) || [])[1];
    if (name) window.asked.push(name);
    if (name === 'judge') await new Promise((done) => setTimeout(done, 600));
    const answer = await window.fetched(...told);
    if (name === 'judge') window.asked.push('answered');
    return answer;
  };
}"""
"""Notes what is asked of the server, by name, and makes the verdicts slow."""


@pytest.fixture
def screen(stage: Page) -> Locator:
    """The screen, with its first verdicts."""
    stage.locator("#top [data-screen=schema]").click()
    found = stage.locator("#schema")
    expect(found.locator(".sc-editor .cm-content")).to_be_visible(timeout=20_000)
    settled(stage)
    return found


def settled(page: Page) -> None:
    """Wait until the newest constraint was judged and analysed."""
    page.wait_for_function(
        """() => { const now = window.playgroundScreens?.schema?.state.get();
            return now && !now.busy && now.judged && (now.analysis || now.trouble); }""",
        timeout=60_000,
    )


def paste(page: Page, source: str) -> None:
    """Put `source` in the place of what the editor holds, as a paste does."""
    page.locator("#schema .cm-content").click()
    page.keyboard.press("Control+a")
    page.evaluate(
        """(text) => { const data = new DataTransfer(); data.setData('text/plain', text);
            document.querySelector('#schema .cm-content').dispatchEvent(
              new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
        }""",
        source,
    )
    told = "(text) => window.playgroundScreens?.schema?.state.get().source === text"
    page.wait_for_function(told, arg=source)
    settled(page)


def source(page: Page) -> str:
    """What the editor holds."""
    return str(page.evaluate("window.playgroundScreens?.schema?.state.get().source"))


def problem(screen: Locator, text: str) -> Locator:
    """The item of the list of what is wrong that says `text`."""
    return screen.locator(".sc-problems-card .sc-problem").filter(has_text=text)


def row(screen: Locator, number: int) -> Locator:
    """The test string of that number, from 1."""
    return screen.locator(".sc-string").nth(number - 1)


def fill(page: Page, screen: Locator, number: int, text: str, should: str = "pass") -> None:
    """Write a test string and say what it should do."""
    row(screen, number).locator("textarea").fill(text)
    toggle = row(screen, number).locator(".sc-should")
    if toggle.get_attribute("data-should") != should:
        toggle.click()
    expect(toggle).to_have_attribute("data-should", should)


def keep_one(page: Page, screen: Locator) -> None:
    """Remove the test strings but one."""
    while screen.locator(".sc-string").count() > 1:
        row(screen, 1).get_by_role("button", name="Remove this string").click()


def standing(screen: Locator, number: int) -> Locator:
    """The sign of a test string: as it should be or not."""
    return row(screen, number).locator(".sc-standing")


def caret(screen: Locator) -> Locator:
    """The byte that the stepper stands at."""
    return screen.locator(".sc-cell[aria-current]")


def test_the_pages_limits_are_the_servers() -> None:
    script = (STATIC / "schema" / "state.js").read_text()
    limits = re.search(r"LIMITS = \{ source: (\d+), strings: (\d+), text: (\d+) \}", script)
    assert limits is not None
    assert tuple(map(int, limits.groups())) == (MAX_SOURCE, MAX_TEXTS, MAX_TEXT)
    kinds = re.search(r"JSON_KINDS = \[(.*)\]", script)
    assert kinds is not None
    assert set(re.findall(r"'(\w+)'", kinds[1])) == set(JSON_KINDS)
    named = re.search(r"KINDS = \{(.*)\}", script)
    assert named is not None
    assert set(EDITED) <= set(re.findall(r"(\w+): '", named[1]))


@pytest.mark.browser
def test_the_screen_opens_on_a_schema_with_real_mistakes(screen: Locator, stage: Page) -> None:
    expect(screen.locator(".sc-banner")).to_contain_text("PARTLY ON")
    expect(problem(screen, "maxium")).to_contain_text("Did you mean maximum?")
    expect(problem(screen, "uniqueItems is NOT enforced")).to_have_count(1)
    expect(row(screen, 3)).to_contain_text("The mask allows it, the schema forbids it")
    expect(screen.locator(".sc-tally-line")).to_contain_text("2 of 4 as they should be; 1 finding")
    expect(screen.locator(".sc-tree")).to_contain_text("An object with 3 properties")
    expect(stage.locator("#rail")).to_be_hidden()


@pytest.mark.browser
def test_a_schema_is_pasted_read_mended_tested_and_stepped_through(
    screen: Locator, stage: Page
) -> None:
    paste(stage, BROKEN)
    for line, level in ((5, "error"), (6, "error"), (7, "off")):
        expect(screen.locator(f".sc-mark[data-line='{line}']")).to_have_attribute(
            "data-level", level
        )
    screen.locator(".sc-mark[data-line='6']").hover()
    expect(screen.locator(".sc-tip")).to_contain_text("Did you mean maximum?")
    problem(screen, "maxium").get_by_role("button", name="Apply fix").click()
    settled(stage)
    assert '"maximum": 9' in source(stage)
    screen.get_by_role("button", name="Undo the fix").click()
    settled(stage)
    assert source(stage) == BROKEN
    problem(screen, "maxium").get_by_role("button", name="Apply fix").click()
    settled(stage)
    problem(screen, "3 is not of the type string").get_by_role("button", name="Apply fix").click()
    settled(stage)
    expect(screen.locator(".sc-level[data-level=error]")).to_have_count(0)
    expect(problem(screen, "uniqueItems is NOT enforced")).to_have_count(1)

    keep_one(stage, screen)
    strings = [
        (GOOD, "pass"),
        ('{"reasoning": "", "mood": "tense", "level": 9}', "pass"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "tags": ["a"]}', "pass"),
        ('{"reasoning": "ok", "mood": "calm", "level": 10}', "fail"),
        ('{"reasoning": "ok", "mood": "glad", "level": 3}', "fail"),
        ('{"reasoning": "ok", "mood": "calm"}', "fail"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "x": 1}', "fail"),
        ('{"reasoning": "ok", "mood": "calm", "level": 3, "tags": ["a", "a"]}', "fail"),
        ('{"reasoning": "ok", "mood": ', "fail"),
        ("", "fail"),
    ]
    for number, (text, should) in enumerate(strings, 1):
        if number > 1:
            screen.get_by_role("button", name="Add a string").click()
        fill(stage, screen, number, text, should)
    settled(stage)
    for number in (1, 2, 3, 4, 5, 6, 7, 9, 10):
        expect(standing(screen, number)).to_have_attribute("data-standing", "true")
    expect(standing(screen, 8)).to_have_attribute("data-standing", "false")
    expect(row(screen, 8)).to_contain_text("The mask allows it, the schema forbids it: uniqueItems")
    expect(screen.locator(".sc-tally-line")).to_contain_text("9 of 10 as they should be; 1 finding")
    expect(row(screen, 9)).to_contain_text("INCOMPLETE")
    offset = strings[4][0].index("glad")
    expect(row(screen, 5)).to_contain_text(f"INVALID at byte {offset}")

    row(screen, 5).locator("textarea").click()
    expect(caret(screen)).to_have_attribute("data-offset", str(offset), timeout=10_000)
    expect(screen.locator(".sc-wanted")).to_contain_text("This byte can’t follow. Expected here: ")
    expect(screen.locator(".sc-wanted code")).to_have_text(["3", "c", "t"])
    expect(screen.locator(".sc-marks .sc-here")).to_have_count(1)


@pytest.mark.browser
def test_two_carets_move_together_by_the_keys(screen: Locator, stage: Page) -> None:
    paste(stage, BROKEN)
    keep_one(stage, screen)
    fill(stage, screen, 1, '{"reasoning": "ok", "mood": "glad", "level": 3}')
    settled(stage)
    fails = GOOD.index("calm")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails), timeout=10_000)
    screen.locator(".sc-title").click()
    stage.keyboard.press("Home")
    expect(caret(screen)).to_have_attribute("data-offset", "0")
    here = screen.locator(".sc-marks .sc-here")
    expect(here).to_have_count(1)
    top = here.bounding_box()
    stage.keyboard.press("ArrowRight")
    stage.keyboard.press("l")
    expect(caret(screen)).to_have_attribute("data-offset", "2")
    stage.keyboard.press("h")
    expect(caret(screen)).to_have_attribute("data-offset", "1")
    stage.keyboard.press("f")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails))
    expect(screen.locator(".sc-words")).to_contain_text("$.mood")
    stage.wait_for_timeout(200)
    now = here.bounding_box()
    assert top is not None
    assert now is not None
    assert now["y"] > top["y"] + 30, "the schema's caret stands at `mood`, below the first line"
    # No key acts while somebody types.
    row(screen, 1).locator("textarea").focus()
    stage.keyboard.press("Home")
    expect(caret(screen)).to_have_attribute("data-offset", str(fails))


@pytest.mark.browser
@NO_MODEL
def test_the_tokens_of_a_model_are_shown_with_those_that_straddle(
    screen: Locator, stage: Page
) -> None:
    row(screen, 4).locator("textarea").click()
    screen.get_by_label("Show the tokens of").select_option("smollm2")
    expect(screen.locator(".sc-cells .sc-group").first).to_be_visible(timeout=60_000)
    expect(screen.locator(".sc-cells .sc-group[data-straddles]").first).to_be_visible()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().at > 0")
    expect(screen.locator(".sc-token-words")).to_contain_text("green")
    expect(screen.locator(".sc-token-words")).to_contain_text("blocked here")
    expect(screen.locator(".sc-chips code")).to_contain_text(["grey"])
    screen.locator(".sc-title").click()
    stage.keyboard.press("Home")
    stage.keyboard.press("Shift+ArrowRight")
    first = screen.locator(".sc-cells .sc-group").first.locator(".sc-cell").count()
    expect(caret(screen)).to_have_attribute("data-offset", str(first))


@pytest.mark.browser
def test_the_tokens_of_a_tokenizer_json_are_shown(
    screen: Locator, stage: Page, tmp_path: Path
) -> None:
    characters = byte_characters()
    vocabulary = {**characters, "sk": len(characters), "sky": len(characters) + 1}
    kind = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    file = tmp_path / "tokenizer.json"
    model = {"type": "BPE", "vocab": vocabulary, "merges": ["s k", "sk y"]}
    file.write_text(
        json.dumps({"version": "1.0", "pre_tokenizer": kind, "decoder": kind, "model": model})
    )
    row(screen, 1).locator("textarea").click()
    with stage.expect_file_chooser() as chooser:
        screen.get_by_label("Show the tokens of").select_option("file")
    chooser.value.set_files(file)
    expect(screen.locator(".sc-cells .sc-group").first).to_be_visible(timeout=60_000)
    expect(screen.get_by_label("Show the tokens of")).to_contain_text("tokenizer.json: 259 tokens")
    groups = [
        text.replace("\n", "") for text in screen.locator(".sc-cells .sc-group").all_inner_texts()
    ]
    assert groups[:4] == ["{", '"', "sky", '"']


@pytest.mark.browser
@NO_MODEL
def test_step_opens_with_the_constraint_and_follows_the_string(
    screen: Locator, stage: Page
) -> None:
    row(screen, 1).locator("textarea").click()
    screen.locator(".sc-head").get_by_role("button", name="Open in Step").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    expect(stage.locator(TAKEN).first).to_be_visible(timeout=60_000)
    stage.wait_for_function(
        """() => { const doc = window.playgroundStage.store.doc();
            return doc.problem.constraint.kind === 'schema' && doc.steps.length > 5; }"""
    )
    expect(stage.locator("#source textarea")).to_have_value(re.compile('"maxium": 100'))
    expect(stage.locator("#model input")).to_have_value("smollm2")
    example = stage.locator("#preset input")
    expect(example).to_have_value("Your own")
    # The same example as before can be chosen again, and what is the visitor's stays under its name.
    taken = stage.locator(TAKEN).count()
    example.click()
    stage.get_by_role("option", name="Your own").click()
    stage.wait_for_timeout(500)
    assert stage.locator(TAKEN).count() == taken
    choose(stage, "Sky: the mask")
    expect(stage.locator("#model input")).to_have_value("toy:sky")
    expect(example).to_have_value(re.compile("Sky"))


@pytest.mark.browser
def test_the_rails_constraint_is_debugged_here(stage: Page) -> None:
    write(stage, "Regex", "[0-9]{3}-[0-9]{2}")
    stage.locator("#debug").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "schema")
    stage.wait_for_function(
        "window.playgroundScreens?.schema?.state.get().source === '[0-9]{3}-[0-9]{2}'"
    )
    settled(stage)
    screen = stage.locator("#schema")
    expect(screen.locator(".sc-kind[data-kind=regex]")).to_have_attribute("aria-checked", "true")
    fill(stage, screen, 1, "123-4")
    settled(stage)
    expect(row(screen, 1)).to_contain_text("INCOMPLETE")


@pytest.mark.browser
def test_a_rail_that_was_edited_is_taken_over_until_something_is_edited_here(stage: Page) -> None:
    write(stage, "Regex", "a+b")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().source === 'a+b'")
    stage.locator("#top [data-screen=step]").click()
    write(stage, "Regex", "a+c")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_function("window.playgroundScreens?.schema?.state.get().source === 'a+c'")
    paste(stage, "a+d")
    stage.locator("#top [data-screen=step]").click()
    write(stage, "Regex", "a+e")
    stage.locator("#top [data-screen=schema]").click()
    stage.wait_for_timeout(500)
    assert source(stage) == "a+d"


@pytest.mark.browser
def test_a_reload_and_a_link_bring_back_constraint_and_strings(
    screen: Locator, stage: Page, app_url: str
) -> None:
    paste(stage, BROKEN)
    fill(stage, screen, 2, 'a\n"line" ✓', "fail")
    settled(stage)
    stage.wait_for_function("location.hash.startsWith('#schema?')")
    stage.wait_for_timeout(600)
    link = stage.url
    stage.reload()
    settled(stage)
    assert source(stage) == BROKEN
    expect(row(screen, 2).locator("textarea")).to_have_value('a\n"line" ✓')
    expect(row(screen, 2).locator(".sc-should")).to_have_attribute("data-should", "fail")
    stage.goto(f"{app_url}/#schema")
    paste(stage, '{"type": "integer"}')
    stage.wait_for_function(
        "(link) => location.href !== link && location.hash.length > 9", arg=link
    )
    stage.goto(link)
    stage.wait_for_function(
        "(text) => window.playgroundScreens?.schema?.state.get().source === text", arg=BROKEN
    )
    settled(stage)


@pytest.mark.browser
def test_a_link_that_was_cut_is_told_with_what_to_do(
    screen: Locator, stage: Page, app_url: str
) -> None:
    paste(stage, BROKEN)
    stage.wait_for_function("location.hash.startsWith('#schema?')")
    stage.wait_for_timeout(600)
    link = stage.url
    note = screen.locator(".sc-link-note")
    expect(note).to_be_hidden()
    # Opened by somebody else: nothing of it stands in this tab.
    for cut in (link[: len(link) // 2], link[:-9], f"{app_url}/#schema?", f"{app_url}/#schema?a%"):
        stage.goto("about:blank")
        stage.goto(cut)
        expect(note).to_contain_text("The link in the address can’t be read", timeout=20_000)
        expect(note).to_contain_text("Copy the whole link again")
        expect(note).to_contain_text("the example that the page opens with")
        settled(stage)
        assert "maxium" in source(stage)
        expect(note).to_be_visible()
    # A link in this tab, over what is being edited.
    paste(stage, BROKEN)
    expect(note).to_be_hidden()
    stage.evaluate("location.hash = '#schema?nonsense'")
    expect(note).to_contain_text("what the page had")
    assert source(stage) == BROKEN
    # What a mail puts after a link is none of it.
    stage.goto("about:blank")
    stage.goto(f"{link}).")
    stage.wait_for_function(
        "(text) => window.playgroundScreens?.schema?.state.get().source === text", arg=BROKEN
    )
    expect(note).to_be_hidden()


@pytest.mark.browser
def test_what_is_too_long_is_said_before_it_is_sent(screen: Locator, stage: Page) -> None:
    stage.evaluate(
        """(size) => document.querySelector('#schema .cm-content').cmTile.view.dispatch(
            {changes: {from: 0, insert: 'x'.repeat(size)}})""",
        MAX_SOURCE,
    )
    expect(screen.locator(".sc-banner")).to_contain_text("NOT SENT")
    expect(screen.locator(".sc-banner")).to_contain_text("at most 100,000")
    screen.get_by_role("button", name="Copy link").click()
    expect(screen.locator(".sc-link-note")).to_be_visible()


@pytest.mark.browser
def test_a_string_without_an_answer_keeps_no_verdict_of_another(
    screen: Locator, stage: Page
) -> None:
    keep_one(stage, screen)
    paste(stage, '{"type": "integer"}')
    fill(stage, screen, 1, "12")
    expect(row(screen, 1)).to_contain_text("Both judges VALID")
    fill(stage, screen, 1, "1" * (MAX_TEXT + 1))
    expect(row(screen, 1).locator(".sc-said")).to_have_text(
        "Not judged: it has 20,001 characters; at most 20,000 are judged. Shorten it."
    )
    expect(screen.locator(".sc-tally-line")).to_contain_text("Not judged")
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")
    fill(stage, screen, 1, "12")
    expect(row(screen, 1)).to_contain_text("Both judges VALID")

    def broken(route: Route) -> None:
        if '"judge"' in (route.request.post_data or ""):
            route.fulfill(status=500, body="no")
        else:
            route.continue_()

    stage.route("**/component_server**", broken)
    fill(stage, screen, 1, "13x")
    expect(row(screen, 1).locator(".sc-said")).to_contain_text("The server did not answer")
    expect(row(screen, 1).locator(".sc-said")).not_to_contain_text("VALID")
    expect(standing(screen, 1)).to_have_attribute("data-standing", "none")
    # The stepper doesn't wait for a verdict that won't come.
    expect(caret(screen)).to_have_attribute("data-offset", "2", timeout=10_000)
    stage.unroute("**/component_server**")
    row(screen, 1).get_by_role("button", name="Ask again").click()
    expect(row(screen, 1).locator(".sc-said")).to_contain_text("INVALID")


@pytest.mark.browser
def test_an_emptied_string_is_stepped_through(screen: Locator, stage: Page) -> None:
    fill(stage, screen, 1, "")
    row(screen, 1).locator("textarea").click()
    expect(screen.locator(".sc-where")).to_contain_text("After all 0 bytes")
    expect(screen.locator(".sc-wanted")).to_contain_text("{", timeout=10_000)


@pytest.mark.browser
def test_the_verdict_of_an_edit_is_asked_for_first(screen: Locator, stage: Page) -> None:
    for name in ("Automaton", "Keywords"):
        screen.get_by_role("tab", name=name).click()
        expect(screen.locator("[role=tabpanel]:not([hidden]) .sc-inside > *").first).to_be_visible(
            timeout=30_000
        )
        stage.wait_for_timeout(600)
        stage.evaluate(SLOW_JUDGE)
        row(screen, 1).locator("textarea").fill(f'{{"sky": "{name}"}}')
        stage.wait_for_function("window.asked.includes('answered')")
        stage.wait_for_timeout(300)
        asked = stage.evaluate("window.asked")
        assert asked[:2] == ["judge", "answered"]
        assert asked.count("judge") == 1


@pytest.mark.browser
def test_an_error_stands_at_its_line_and_the_page_goes_on(screen: Locator, stage: Page) -> None:
    paste(stage, '{\n  "type": "object",\n  "properties": {"a": }\n}')
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT OFF")
    expect(screen.locator(".sc-mark[data-line='3']")).to_have_attribute("data-level", "error")
    expect(problem(screen, "line 3")).to_have_count(1)
    paste(stage, '{"type": "integer", "minimum": 5, "maximum": 3}')
    expect(screen.locator(".sc-banner")).to_contain_text("UNSATISFIABLE")
    expect(screen.locator(".sc-conflict")).to_contain_text("minimum", timeout=20_000)
    expect(row(screen, 1)).to_contain_text("UNSATISFIABLE")
    paste(stage, '{"type": "integer"}')
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")


@pytest.mark.browser
def test_what_was_pasted_is_recognised_and_offered(screen: Locator, stage: Page) -> None:
    model = "from pydantic import BaseModel\n\n\nclass A(BaseModel):\n    n: int\n"
    paste(stage, model)
    offer = screen.locator(".sc-offer")
    expect(offer).to_contain_text("This looks like a Pydantic model.")
    assert source(stage) == model
    expect(screen.locator(".sc-kind[data-kind=schema]")).to_have_attribute("aria-checked", "true")
    offer.get_by_role("button", name="Switch to Pydantic").click()
    settled(stage)
    assert source(stage) == model
    expect(screen.locator(".cm-content")).to_have_attribute("data-language", "python")
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")
    expect(screen.locator(".sc-becomes")).to_be_visible()


@pytest.mark.browser
def test_an_edit_is_compared_with_what_was_kept(screen: Locator, stage: Page) -> None:
    paste(stage, '{"type": "integer", "minimum": 0, "maximum": 9}')
    screen.get_by_role("tab", name="What did my edit change?").click()
    panel = screen.locator("#sc-panel-difference")
    panel.get_by_role("button", name="Keep this as").click()
    expect(panel).to_contain_text("still the one that was kept")
    paste(stage, '{"type": "integer", "minimum": 1, "maximum": 10}')
    expect(panel.locator(".sc-side").nth(0)).to_contain_text("0", timeout=10_000)
    expect(panel.locator(".sc-side").nth(1)).to_contain_text("10")
    panel.locator(".sc-side").nth(1).get_by_role("button").click()
    last = screen.locator(".sc-string").last
    expect(last.locator("textarea")).to_have_value("10")


def edit_from(page: Page, screen: Locator, before: str, now: str) -> Locator:
    """Keep `before`, then paste `now`; the part of the panel about the model."""
    paste(page, before)
    screen.get_by_role("tab", name="What did my edit change?").click()
    panel = screen.locator("#sc-panel-difference")
    panel.get_by_role("button", name="Keep this as").click()
    paste(page, now)
    expect(panel.locator(".sc-side")).to_have_count(2, timeout=10_000)
    between = panel.get_by_role("region", name="On the model")
    between.get_by_role("button", name="How far do the model").click()
    return between


@pytest.mark.browser
def test_how_far_an_edit_moves_the_law_of_a_toy(screen: Locator, stage: Page) -> None:
    screen.locator(".sc-kind[data-kind=choices]").click()
    # skill is 0.6 * 0.002 and sky 0.6 * 0.98 beside the 0.25 of cloud, so TV is 0.588 / 0.838.
    between = edit_from(stage, screen, "skill\ncloud", "sky\ncloud")
    expect(between).to_contain_text("TV = 0.702", timeout=20_000)
    rows = between.locator("tbody tr")
    expect(rows.filter(has_text="sky").locator("td")).to_have_text(["0", "70.2 %"])
    expect(rows.filter(has_text="skill").locator("td")).to_have_text(["0.48 %", "0"])
    expect(rows.filter(has_text="cloud").locator("td")).to_have_text(["99.5 %", "29.8 %"])
    expect(between).not_to_have_attribute("data-running", "")
    # Of the next edit nothing is known yet.
    paste(stage, "cloud")
    expect(between).not_to_contain_text("TV = 0.702")
    expect(rows.first).to_be_hidden()


@pytest.mark.browser
@NO_MODEL
def test_a_toy_that_cannot_spell_an_edit_leads_to_a_model_that_can(
    screen: Locator, stage: Page
) -> None:
    low = '{"type": "integer", "minimum": 0, "maximum": 9}'
    high = '{"type": "integer", "minimum": 1, "maximum": 10}'
    between = edit_from(stage, screen, low, high)
    expect(between).to_contain_text("The rail of Step holds a toy", timeout=20_000)
    between.get_by_role("button", name="Open in Step with a model").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.model === 'smollm2'", timeout=60_000
    )
    stage.locator("#top [data-screen=schema]").click()
    expect(between).to_contain_text("holds another model now: ask again")
    between.get_by_role("button", name="How far do the model").click()
    expect(between.locator("tbody tr").filter(has_text="10").locator("td").first).to_have_text(
        "0", timeout=60_000
    )


@pytest.mark.browser
def test_the_coverage_shows_the_pair_of_texts_that_decided(screen: Locator, stage: Page) -> None:
    table = screen.locator(".sc-keywords")
    expect(table).to_be_visible(timeout=30_000)
    unique = table.locator("tr").filter(has=stage.locator("th code", has_text="uniqueItems"))
    expect(unique.locator(".sc-status")).to_have_text("NOT ENFORCED")
    expect(unique.locator(".sc-witness").first).to_contain_text("the mask allows it")
    unique.locator("td .pg-link").click()
    line = source(stage).splitlines().index('      "uniqueItems": true,') + 1
    at = stage.evaluate(
        """() => { const view = document.querySelector('#schema .cm-content').cmTile.view;
            return view.state.doc.lineAt(view.state.selection.main.head).number; }"""
    )
    assert at == line
    unique.locator(".sc-witness-text").nth(1).click()
    expect(screen.locator(".sc-string")).to_have_count(5)
    settled(stage)
    expect(screen.locator(".sc-string").last).to_contain_text("The mask allows it, the schema")


@pytest.mark.browser
def test_a_text_in_another_order_is_told_so(screen: Locator, stage: Page) -> None:
    fill(stage, screen, 1, '{"clouds": 4, "sky": "blue"}')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        "because of the order of its keys: the mask wants sky, clouds"
    )
    fill(stage, screen, 1, '{"clouds": 4, "sky": "green"}')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        "Its keys stand in another order: the mask wants sky, clouds"
    )
    fill(stage, screen, 1, '{"sky": "blue", ')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        'Already decided: $.sky = "blue". Still to come: $.clouds'
    )


@pytest.mark.browser
def test_a_test_string_is_never_read_as_markup(screen: Locator, stage: Page) -> None:
    evil = '<img src=x onerror="window.hit=1"> ${window.hit=2} {{x}}'
    fill(stage, screen, 1, evil)
    settled(stage)
    paste(stage, '{"enum": ["<b>${window.hit=3}</b>"], "<i>x</i>": 1}')
    stage.wait_for_timeout(300)
    assert stage.evaluate("window.hit ?? null") is None
    expect(screen.locator("img, b:has-text('hit')")).to_have_count(0)


@pytest.mark.browser
def test_a_phone_shows_one_part_at_a_time_and_nothing_sticks_out(
    screen: Locator, stage: Page
) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    segments = screen.locator(".sc-segments button")
    expect(segments).to_have_text(["Schema", "Strings", "Explain"])
    for name, part in (
        ("Schema", ".sc-editor"),
        ("Strings", ".sc-strings"),
        ("Explain", ".sc-tree"),
    ):
        segments.get_by_text(name).click()
        for _, other in (("", ".sc-editor"), ("", ".sc-strings"), ("", ".sc-tree")):
            expect(screen.locator(other)).to_be_visible(visible=other == part)
        assert stage.evaluate("document.documentElement.scrollWidth") <= 390
        cut = """() => [...document.querySelectorAll('#schema .sc-kinds, #schema .sc-tabs')]
            .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"""
        assert stage.evaluate(cut) == []
        small = stage.evaluate(
            """() => [...document.querySelectorAll('#schema :is(button, select, summary, textarea)')]
                .filter((each) => each.checkVisibility() && !each.closest('.sc-cells, .cm-editor'))
                .map((each) => [each.getBoundingClientRect().height, each.className, each.textContent])
                .filter(([height]) => height < 43.5)"""
        )
        assert not small, small
