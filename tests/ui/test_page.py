"""The Step screen, driven as a visitor would: in a real Chromium, against the real app."""

import csv
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser
NO_MODEL = pytest.mark.skipif(
    os.environ.get("PLAYGROUND_NO_MODEL") == "1",
    reason="PLAYGROUND_NO_MODEL=1: without the default model",
)
TAKEN = "#stage .pg-col-step .pg-chip-text"
"""The tokens of the strip, without the place of the next one and without the mark of an end."""
EXPLODING = "(a|b)*a(a|b){20}"
"""A regex whose automaton has two million states: compiling it goes on until a limit ends it."""


def chips(page: Page) -> list[str]:
    """The texts of the tokens taken, as the strip shows them."""
    return page.locator(TAKEN).all_inner_texts()


def choose(page: Page, title: str) -> None:
    """Pick an example by its title and wait until the stage shows it."""
    page.locator("#preset input").click()
    page.get_by_role("option", name=title).click()


def open_rail_sampling(page: Page) -> None:
    page.locator("#rail").get_by_role("button", name="Sampling").click()


def write(page: Page, kind: str, source: str) -> None:
    """Type a constraint into the rail."""
    page.locator("#kind").get_by_text(kind, exact=True).click()
    page.wait_for_timeout(400)  # the editor follows the kind
    page.locator("#source textarea").fill(source)


def start(page: Page) -> None:
    """Press Start and wait for a run without a token."""
    page.locator("#start").click()
    expect(where(page)).to_have_text("After 0 tokens", timeout=20_000)


def set_number(page: Page, name: str, value: str) -> None:
    """Type a number into one of the rail's boxes, and wait until the run has it."""
    box = page.locator(f"#{name} input[type=number]")
    box.fill(value)
    box.press("Enter")
    field = name.replace("-", "_")
    page.wait_for_function(
        f"""() => {{ const {{problem}} = window.playgroundStage.store.doc();
        return (problem.{field} ?? problem.sampling.{field}) === {value}; }}"""
    )


def where(page: Page) -> Locator:
    """The place in the run: `Step 2 of 2`."""
    return page.locator("#stage .pg-where")


def verdict(page: Page) -> Locator:
    """How the run stands: VALID, INCOMPLETE, ..."""
    return page.locator("#stage .pg-verdict")


def region(page: Page, name: str) -> Locator:
    """A panel of the stage by its name."""
    return page.locator("#stage").get_by_role("region", name=name)


def outcome(page: Page) -> Locator:
    """The card about a run that has ended."""
    return page.get_by_label("Outcome of the run")


def press(page: Page, name: str) -> None:
    """Click a button of the stage by its name."""
    page.locator("#stage").get_by_role("button", name=name, exact=True).click()


def new_token(page: Page) -> None:
    """One token more at the end of the run."""
    count = len(chips(page))
    page.keyboard.press("End")
    page.locator("#stage .pg-step").click()
    expect(page.locator(TAKEN)).to_have_count(count + 1, timeout=30_000)


def export(page: Page, name: str, folder: Path) -> Path:
    """Take the run away as a file."""
    page.keyboard.press("e")
    with page.expect_download() as download:
        page.locator("#stage .pg-export").get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def children(parent: int) -> Iterator[tuple[int, str]]:
    """Number and command line of every process that `parent` has started and not yet buried."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status, command = (folder / "stat").read_text(), (folder / "cmdline").read_bytes()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between two looks
        if int(status.rpartition(")")[2].split()[1]) == parent:
            yield int(folder.name), command.replace(b"\0", b" ").decode()


def compilations() -> list[int]:
    """The compiling processes of the app that these tests have started."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system has no /proc to count processes in")
    return [
        child
        for app, command in children(os.getpid())
        if "app.py" in command
        for server, name in children(app)
        if "fork_server" in name
        for child, _ in children(server)
    ]


def eventually_no_compilation() -> bool:
    """No compiling process is left, or none after a moment."""
    deadline = time.monotonic() + 5
    while compilations():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_the_page_opens_on_a_worked_example_at_its_most_surprising_step(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("1 in 500")
    expect(stage.locator("#stage .pg-caption")).to_contain_text("98.0 %")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_scrubbing_asks_the_server_nothing(stage: Page) -> None:
    stage.wait_for_timeout(1500)
    asked: list[str] = []
    stage.on("request", lambda request: asked.append(request.url))
    for key in ("Home", "ArrowRight", "ArrowLeft", "End", "Home"):
        stage.keyboard.press(key)
    stage.locator("#stage .pg-col").nth(1).hover()
    stage.wait_for_timeout(300)
    assert [url for url in asked if "heartbeat" not in url] == []


def test_one_press_is_one_token_and_one_request(stage: Page) -> None:
    calls: list[str] = []
    stage.on(
        "request",
        lambda request: calls.append(request.url) if "component_server" in request.url else None,
    )
    stage.keyboard.press("End")
    stage.locator("#stage .pg-step").click()
    expect(stage.locator("#stage")).to_contain_text("<eos>")
    assert len(calls) == 1


def test_clicking_a_row_takes_it_and_keeps_the_old_lane(stage: Page) -> None:
    stage.keyboard.press("Home")
    stage.locator("#stage .pg-candidates").get_by_text("cloud", exact=True).click()
    expect(stage.locator("#stage .pg-lanes-box")).to_contain_text("B")
    assert chips(stage)[0] == "cloud"


def test_clicking_a_blocked_row_shows_where_the_text_breaks(stage: Page) -> None:
    stage.locator("#stage .pg-candidates [data-blocked]").first.click()
    expect(stage.locator("#stage")).to_contain_text("Byte 2 would be")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_an_edited_toy_changes_every_view_at_once(stage: Page) -> None:
    expect(stage.locator("#stage")).to_contain_text("Z =")
    box = stage.locator("#stage .pg-toy").get_by_label(re.compile("ill.*after|after.*ill")).first
    box.fill("0.98")
    box.press("Enter")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_a_temperature_change_keeps_the_path_and_moves_the_numbers(stage: Page) -> None:
    open_rail_sampling(stage)
    box = stage.locator("#temperature input[type=number]")
    box.fill("2")
    box.press("Enter")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    assert chips(stage)[:2] == ["sk", "ill"]


@pytest.mark.parametrize(
    ("kind", "source", "words"),
    [
        ("Regex", "(skill", "column"),
        ("Regex", "rain", "can't spell"),
        ("JSON Schema", '{"type": "object",\n  "properties" {}}', "line 2"),
        ("JSON Schema", '{"$ref": "https://example.org/s.json"}', "$ref"),
        ("Choices", "", "choice"),
        ("Regex", EXPLODING, re.compile("states|seconds|memory")),
        ("Regex", "x" * 200_000, "characters"),
    ],
)
def test_bad_input_is_told_in_words_and_loses_nothing(
    stage: Page, kind: str, source: str, words: str | re.Pattern[str]
) -> None:
    before = chips(stage)
    write(stage, kind, source)
    stage.locator("#start").click()
    card = stage.locator("#stage .pg-error")
    expect(card).to_be_visible(timeout=40_000)
    expect(card).to_contain_text(words)
    assert chips(stage) == before
    assert stage.locator("#source textarea").input_value() == source
    card.get_by_role("button", name="Dismiss").click()
    expect(card).to_be_hidden()


def test_a_megabyte_of_pasted_text_is_refused_in_words(stage: Page) -> None:
    before = chips(stage)
    stage.locator("#kind").get_by_text("Regex", exact=True).click()
    stage.wait_for_timeout(400)
    stage.evaluate(
        """() => { const box = document.querySelector('#source textarea');
        box.value = 'y'.repeat(1000000); box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    stage.locator("#start").click()
    expect(stage.locator("#stage .pg-error")).to_contain_text("1,000,000", timeout=20_000)
    assert chips(stage) == before


def test_keys_are_inert_while_typing(stage: Page) -> None:
    before = stage.locator("#stage .pg-head").inner_text()
    stage.locator("#source textarea").click()
    for key in ("ArrowLeft", "n", "b", "Home"):
        stage.keyboard.press(key)
    assert stage.locator("#stage .pg-head").inner_text() == before


def test_the_trace_can_be_taken_away_as_json(stage: Page) -> None:
    stage.locator("#stage .pg-export").get_by_role("button").first.click()
    with stage.expect_download() as download:
        stage.locator("#stage .pg-export-menu").get_by_text("JSON").first.click()
    document = json.loads(download.value.path().read_text())
    assert document["v"] == 1
    assert [step["taken"]["text"] for step in document["steps"]] == ["sk", "ill"]
    assert document["provenance"]["model"] == "toy:sky"


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_scrolls_sideways(stage: Page, width: int) -> None:
    stage.set_viewport_size({"width": width, "height": 844})
    stage.wait_for_timeout(600)
    assert stage.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_problem_is_a_sheet(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    expect(stage.locator("#rail")).to_be_hidden()
    stage.get_by_role("button", name="Problem").click()
    expect(stage.locator("#rail")).to_be_visible()
    stage.locator("#start").click()
    expect(stage.locator("#rail")).to_be_hidden()


def test_dark_is_one_button_and_is_remembered(stage: Page) -> None:
    was = stage.evaluate("document.body.classList.contains('dark')")
    stage.get_by_role("button", name="Theme").click()
    assert stage.evaluate("document.body.classList.contains('dark')") is not was
    stage.reload()
    stage.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    assert stage.evaluate("document.body.classList.contains('dark')") is not was


@pytest.mark.parametrize(
    "title", ["Two steps:", "Age:", "Three bits:", "Sums of zeros:", "Country and currency:"]
)
def test_every_toy_example_opens_and_steps(stage: Page, title: str) -> None:
    choose(stage, title)
    expect(stage.locator("#stage .pg-head")).to_contain_text(title)
    stage.locator("#stage [aria-label='To the end']").click()
    expect(stage.locator("#stage .pg-head")).to_contain_text("VALID")


def test_an_example_is_opened_once_when_it_is_picked_and_never_by_a_look(stage: Page) -> None:
    opened: list[str] = []
    stage.on(
        "request",
        lambda request: (
            opened.append(request.post_data)
            if "queue/join" in request.url and '"data":["' in (request.post_data or "")
            else None
        ),
    )
    stage.locator("#preset input").click()
    expect(stage.get_by_role("option").first).to_be_visible()
    stage.locator("#stage .pg-head").click()
    stage.wait_for_timeout(500)
    assert opened == []
    choose(stage, "Two steps:")
    expect(stage.locator("#stage .pg-head")).to_contain_text("Two steps:")
    stage.locator("#stage .pg-head").click()
    stage.wait_for_timeout(500)
    assert len([data for data in opened if '"data":["two-step"]' in data]) == 1


@NO_MODEL
@pytest.mark.model
def test_smollm2_writes_a_ticket_to_its_end(stage: Page) -> None:
    choose(stage, "Ticket triage")
    expect(stage.locator("#stage .pg-head")).to_contain_text("Ticket triage", timeout=180_000)
    stage.locator("#stage [aria-label='To the end']").click()
    expect(stage.locator("#stage .pg-head")).to_contain_text("VALID", timeout=120_000)
    text = "".join(
        stage.evaluate(
            "window.playgroundStage.store.doc().steps.map(s => s.taken.special ? '' : s.taken.text)"
        )
    )
    assert set(json.loads(text)) == {"intent", "priority", "escalate"}


def test_a_followed_text_gets_its_verdict_and_the_blocked_byte(stage: Page) -> None:
    panel = region(stage, "Follow a text")
    for text, told in (
        ("skill", ["VALID", "the first 5 bytes fit"]),
        ("sk", ["INCOMPLETE", "still needs ill"]),
        ("sky", ["INVALID", "line 1, column 3", "offset 2", "Got y; expected i"]),
    ):
        panel.get_by_label("A text to follow").fill(text)
        panel.get_by_role("button", name="Follow this text").click()
        for words in told:
            expect(panel.get_by_role("status")).to_contain_text(re.compile(rf"\b{words}"))
    assert chips(stage) == ["sk", "y"]
    expect(verdict(stage)).to_have_text("INVALID")


def test_a_token_is_found_with_its_reason_and_watched(stage: Page) -> None:
    panel = region(stage, "Find a token")
    stage.keyboard.press("/")
    expect(panel.get_by_role("searchbox")).to_be_focused()
    stage.keyboard.type("othe")
    expect(panel.get_by_role("listitem")).to_have_count(1)
    expect(panel.get_by_role("listitem")).to_contain_text("blocked:")
    watch = panel.get_by_role("button", name="Watch")
    expect(watch).to_have_attribute("aria-pressed", "false")
    watch.click()
    expect(watch).to_have_attribute("aria-pressed", "true")
    watched = "d => d.candidates.filter(row => row.watched).map(row => row.text)"
    document = "window.playgroundStage.store.doc()"
    assert stage.evaluate(f"{document}.steps.flatMap({watched})") == ["other", "other"]
    watch.click()
    expect(watch).to_have_attribute("aria-pressed", "false")
    assert stage.evaluate(f"{document}.steps.flatMap({watched})") == []


def test_play_pauses_where_the_model_is_overruled(stage: Page) -> None:
    stage.keyboard.press("Home")
    press(stage, "Play")
    expect(where(stage)).to_have_text("Step 2 of 2")
    expect(stage.locator("#stage").get_by_role("button", name="Play", exact=True)).to_be_visible()
    stage.wait_for_timeout(900)  # the next tick would have come after 700 ms
    expect(where(stage)).to_have_text("Step 2 of 2")


def test_play_can_be_paused_and_goes_on_to_the_end(stage: Page) -> None:
    choose(stage, "Sums of zeros:")
    expect(where(stage)).to_contain_text("of 5")
    stage.keyboard.press("Home")
    stage.get_by_label("pause on events").uncheck()
    stage.get_by_label("Speed").select_option("1×")
    press(stage, "Play")
    expect(where(stage)).to_have_text("Step 3 of 5")
    press(stage, "Pause")
    stage.wait_for_timeout(900)
    expect(where(stage)).to_have_text("Step 3 of 5")
    stage.get_by_label("Speed").select_option("4×")
    press(stage, "Play")
    expect(verdict(stage)).to_have_text("VALID")
    expect(stage.locator("#stage").get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_next_event_is_found_forward_and_back(stage: Page) -> None:
    choose(stage, "Age:")
    expect(where(stage)).to_have_text("Step 4 of 5")
    stage.keyboard.press("Home")
    expect(where(stage)).to_have_text("Step 1 of 5")
    press(stage, "Next event")
    expect(where(stage)).not_to_have_text("Step 1 of 5")
    seen = [where(stage).inner_text()]
    while seen[-1] != "Step 4 of 5":  # `x` is blocked there
        assert "Step 1 of 5" < seen[-1] < "Step 4 of 5"
        stage.keyboard.press("n")
        expect(where(stage)).not_to_have_text(seen[-1])
        seen.append(where(stage).inner_text())
    assert seen == sorted(seen)
    stage.keyboard.press("Shift+N")
    expect(where(stage)).not_to_have_text("Step 4 of 5")
    assert where(stage).inner_text() < "Step 4 of 5"


def test_a_fork_is_undone_and_redone(stage: Page) -> None:
    lanes = stage.get_by_role("list", name="Lanes")
    expect(lanes).to_be_hidden()
    press(stage, "Fork here")
    expect(lanes.get_by_role("button")).to_have_count(2)
    assert chips(stage) == ["sk"]
    press(stage, "Undo")
    expect(lanes).to_be_hidden()
    assert chips(stage) == ["sk", "ill"]
    press(stage, "Redo")
    expect(lanes.get_by_role("button")).to_have_count(2)
    assert chips(stage) == ["sk"]
    new_token(stage)
    assert chips(stage) == ["sk", "ill"]
    lanes.get_by_role("button", name="Lane A").click()
    stage.keyboard.press("Home")
    assert chips(stage) == ["sk", "ill"]
    for _ in range(2):  # the token, then the fork
        stage.keyboard.press("u")
    expect(lanes).to_be_hidden()


def test_the_steps_can_be_taken_away_as_csv(stage: Page, tmp_path: Path) -> None:
    path = export(stage, "Steps as CSV", tmp_path)
    assert path.suffix == ".csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    document = stage.evaluate("window.playgroundStage.store.doc()")
    assert [row["text"] for row in rows] == ["sk", "skill"]
    for row, step in zip(rows, document["steps"], strict=True):
        assert float(row["bits"]) == pytest.approx(step["bits"], rel=1e-12)
        assert float(row["log_z"]) == pytest.approx(step["log_z"], rel=1e-12)


def test_the_run_can_be_taken_away_as_one_file_that_asks_nobody(
    stage: Page, browser: Browser, tmp_path: Path
) -> None:
    path = export(stage, "One HTML file", tmp_path)
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    broken: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(path.as_uri())
    expect(page.locator(".pg-caption")).to_contain_text("98.0 %")
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
    assert page.locator(".pg-col .pg-chip-text").all_inner_texts()[:2] == ["sk", "ill"]
    expect(page.get_by_role("button", name="Find a token")).to_be_hidden()  # nobody to ask
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [path.as_uri()]
    assert not broken
    context.close()


PERSON = """from pydantic import BaseModel


class Person(BaseModel):
    name: str
    age: int
"""


def test_a_finished_run_becomes_an_object_of_the_pydantic_model(stage: Page) -> None:
    choose(stage, "Age:")
    expect(where(stage)).to_have_text("Step 4 of 5")
    write(stage, "Pydantic", PERSON)
    start(stage)
    press(stage, "To the end")
    expect(verdict(stage)).to_have_text("VALID")
    expect(outcome(stage)).to_contain_text("As a validated Person")
    expect(outcome(stage)).to_contain_text(re.compile(r"Person\(name='Ada', age=\d+\)"))


def test_cancel_ends_an_exploding_compilation_and_leaves_the_stage_alone(stage: Page) -> None:
    before = chips(stage), where(stage).inner_text(), verdict(stage).inner_text()
    assert eventually_no_compilation()
    write(stage, "Regex", EXPLODING)
    stage.locator("#start").click()
    progress = stage.locator("#stage .pg-progress")
    expect(progress).to_contain_text("Compiling")
    assert compilations()
    stage.locator("#cancel").click()
    expect(progress).to_be_hidden()
    assert eventually_no_compilation()
    expect(stage.locator("#stage .pg-error")).to_be_hidden()
    assert (chips(stage), where(stage).inner_text(), verdict(stage).inner_text()) == before
    write(stage, "Regex", "skill|cloud")  # and the next one starts
    start(stage)


def test_a_dead_end_of_the_filters_offers_the_other_order(stage: Page) -> None:
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "top-k", "1")
    new_token(stage)
    assert chips(stage) == ["sk"]
    stage.locator("#stage .pg-step").click()
    expect(verdict(stage)).to_have_text("DEAD END")
    expect(outcome(stage)).to_contain_text("top-k 1")
    outcome(stage).get_by_role("button", name="Mask first").click()
    expect(outcome(stage)).to_be_hidden()
    assert chips(stage) == ["sk"]
    new_token(stage)
    assert chips(stage) == ["sk", "ill"]


def test_a_run_cut_at_max_tokens_is_incomplete_and_can_go_on(stage: Page) -> None:
    write(stage, "Regex", "skill")
    start(stage)
    open_rail_sampling(stage)
    set_number(stage, "max-tokens", "1")
    new_token(stage)
    expect(verdict(stage)).to_have_text("INCOMPLETE")
    expect(outcome(stage)).to_contain_text("incomplete, not invalid")
    expect(outcome(stage)).to_contain_text(re.compile("still needs.*ill"))
    outcome(stage).get_by_role("button", name="Allow 32 more").click()
    expect(outcome(stage)).to_be_hidden()
    press(stage, "To the end")
    expect(verdict(stage)).to_have_text("VALID")
    assert chips(stage)[:2] == ["sk", "ill"]


def test_the_keys_are_listed_by_a_key(stage: Page) -> None:
    sheet = stage.get_by_role("dialog", name="Keys and marks")
    stage.keyboard.press("?")
    expect(sheet).to_be_visible()
    for words in ("fork here", "undo, redo", "find a token"):
        expect(sheet).to_contain_text(words)
    stage.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


@pytest.mark.parametrize("width", [390, 1000, 1280, 1600])
def test_every_button_has_a_name(stage: Page, width: int) -> None:
    stage.set_viewport_size({"width": width, "height": 800})
    stage.wait_for_timeout(300)
    lines = stage.locator("body").aria_snapshot().splitlines()
    roles = "button|combobox|checkbox|radio|textbox|searchbox|spinbutton|slider"
    assert sum(line.lstrip().startswith("- button") for line in lines) > 10
    assert [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)] == []


def test_two_tabs_do_not_mix(stage: Page, app_url: str) -> None:
    other = stage.context.new_page()
    other.goto(app_url)
    other.locator("#stage .pg-col").first.wait_for(timeout=30_000)
    box = other.locator("#stage .pg-toy").get_by_label(re.compile("ill.*after|after.*ill")).first
    box.fill("0.98")
    box.press("Enter")
    expect(other.locator("#stage .pg-head")).not_to_contain_text("1 in 500")
    stage.keyboard.press("Home")
    stage.locator("#stage .pg-candidates").get_by_text("cloud", exact=True).click()
    expect(stage.get_by_role("list", name="Lanes")).to_be_visible()
    choose(other, "Two steps:")
    expect(other.locator("#stage .pg-head")).to_contain_text("Two steps")
    new_token(other)
    assert chips(other)[:2] == ["A", "x"]
    assert chips(stage) == ["cloud"]
    start(stage)  # the table that the other tab has edited is its own
    stage.locator("#stage .pg-candidates").get_by_text("sk", exact=True).click()
    expect(where(stage)).to_have_text("Step 1 of 1")
    stage.keyboard.press("End")
    expect(stage.locator("#stage .pg-head")).to_contain_text("1 in 500")
    other.close()


@NO_MODEL
@pytest.mark.model
@pytest.mark.parametrize("title", ["Date", "Yes or no", "Sky, on the real model", "Contact card"])
def test_every_example_of_the_real_model_opens_and_gives_a_token(stage: Page, title: str) -> None:
    choose(stage, title)
    expect(stage.locator("#stage .pg-head")).to_contain_text(title, timeout=180_000)
    assert chips(stage) == []
    new_token(stage)
    assert len(chips(stage)) == 1
    step = stage.evaluate("window.playgroundStage.store.doc().steps[0]")
    assert step["vocab"] == 49152
    assert step["taken"]["allowed"]
    assert 0 < step["z"] <= 1


INVOICE = {
    "vendor": "Nordwind Paper",
    "total": 192.0,
    "currency": "EUR",
    "lines": [{"text": "paper", "amount": 180.0}, {"text": "delivery", "amount": 12.0}],
}


@NO_MODEL
@pytest.mark.model
def test_an_invoice_from_production_is_followed_to_a_validated_object(stage: Page) -> None:
    choose(stage, "Invoice")
    expect(stage.locator("#stage .pg-head")).to_contain_text("Invoice", timeout=180_000)
    panel = region(stage, "Follow a text")
    panel.get_by_label("A text to follow").fill(json.dumps(INVOICE))
    panel.get_by_role("button", name="Follow this text").click()
    expect(panel.get_by_role("status")).to_contain_text(re.compile(r"\bVALID"), timeout=60_000)
    stage.keyboard.press("End")
    expect(outcome(stage)).to_contain_text("As a validated Invoice")
    expect(outcome(stage)).to_contain_text("Line(text='delivery', amount=12.0)")
    panel.get_by_label("A text to follow").fill(json.dumps(INVOICE | {"currency": "euros"}))
    panel.get_by_role("button", name="Follow this text").click()
    expect(panel.get_by_role("status")).to_contain_text("INVALID", timeout=60_000)
    expect(panel.get_by_role("status")).to_contain_text(re.compile("Got e; expected .*A"))
