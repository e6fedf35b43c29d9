"""The Decisions screen, as a visitor uses it: types, heads, scores, measures, and the table."""

import base64
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.session import Playground
from playground.settings import Settings
from playground.ui.decisions import MODEL
from playground.ui.decisions_asked import asked_task
from playground.ui.decisions_page import page_props
from playground.ui.decisions_work import DecisionsWork
from tests.ui.driving import NO_MODEL

pytestmark = pytest.mark.browser

STATE = "window.playgroundScreens?.decisions?.state()"
PLACES = (
    "Decide",
    "Fields together",
    "Train",
    "Measured",
    "Against generation",
    "Text without an order",
)
MIXED = {
    "type": "object",
    "properties": {
        "mood": {"enum": ["calm", "tense"]},
        "why": {"type": "string", "maxLength": 6},
        "loud": {"type": "boolean"},
    },
    "required": ["mood", "why", "loud"],
    "additionalProperties": False,
}
"""Two closed fields and a free text."""
LONG = 300_000


@pytest.fixture
def decisions(stage: Page) -> Locator:
    """The screen, with what the server opens it with."""
    stage.locator("#top [data-screen=decisions]").click()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    return stage.locator("#decisions")


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A head's file, trained on a few tickets; what it decides is no matter."""
    work = DecisionsWork(Playground(Settings.from_env()), MODEL)
    spec = {"epochs": 3, "head": {"kind": "chained", "order": ["intent"]}}
    task = asked_task({"task": "train", "type": "ticket", "size": 40, "spec": spec})
    *_, last = work.train(task, lambda: False)  # type: ignore[arg-type]
    path = tmp_path_factory.mktemp("heads") / "mine.safetensors"
    path.write_bytes(base64.b64decode(last["head"]))
    return path


def section(screen: Locator, name: str) -> Locator:
    return screen.get_by_role("region", name=name, exact=True)


def ended(page: Page, slot: str) -> None:
    """Wait until a run has ended that has left a document."""
    page.wait_for_function(f"() => {STATE}.{slot} && !{STATE}.running", timeout=LONG)


def own(screen: Locator, schema: str) -> Locator:
    """Write an own schema and press Check; the panel."""
    panel = section(screen, "Type of the record")
    panel.get_by_role("button", name="Own schema").click()
    panel.get_by_label("JSON Schema of the record").fill(schema)
    panel.get_by_role("button", name="Check", exact=True).click()
    return panel


def opened(page: Page, screen: Locator, head: Path) -> None:
    """Open a head's file and wait until it has decided."""
    screen.get_by_label("Open a head file").set_input_files(str(head))
    page.wait_for_function(
        f"() => !{STATE}.running && Object.values({STATE}.heads).some((each) => each.origin === 'file')",
        timeout=LONG,
    )


def test_it_is_useful_before_anything_runs(stage: Page, decisions: Locator) -> None:
    expect(section(decisions, "Type of the record")).to_contain_text("5 × 4 × 2 × 8 = 320 records")
    together = section(decisions, "How the fields hang together")
    expect(together).to_contain_text("Total correlation 1 bit")
    expect(together).to_contain_text("so 50.0 % of the records are of the right type")
    expect(together.get_by_role("row", name=re.compile("^US")).last).to_contain_text("25.0 %")
    text = section(decisions, "Text without an order")
    expect(text).to_contain_text("87.5 % of the texts mix the two modes")
    text.get_by_label("Drawn").select_option("from left to right")
    expect(text).to_contain_text("every text is one of the two modes")
    assert stage.evaluate("location.hash") == "#decisions"
    recorded = page_props()["recorded"]
    measured = section(decisions, "Measured on the test split")
    if recorded is None:
        expect(measured).to_contain_text("Nothing is measured yet")
        expect(decisions.get_by_role("button", name="Decide", exact=True).first).to_be_visible()
        expect(section(decisions, "Decide one ticket")).to_contain_text("No head yet")
        return
    expect(measured).to_contain_text("recorded")
    expect(measured).to_contain_text("whole record")
    expect(section(decisions, "Against generation")).to_contain_text("recorded")


def test_a_key_and_a_reload_lead_to_it(stage: Page, app_url: str) -> None:
    stage.locator("#stage .pg-col").first.click()
    stage.keyboard.press("7")
    expect(stage.locator("#decisions")).to_be_visible()
    expect(stage.locator("#top [data-screen=decisions]")).to_have_attribute("aria-current", "page")
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    expect(stage.locator("#decisions")).to_be_visible()
    expect(stage.locator("#stage")).to_be_hidden()
    stage.keyboard.press("1")
    expect(stage.locator("#stage")).to_be_visible()
    expect(stage.locator("#decisions")).to_be_hidden()


def test_a_free_text_is_named_and_the_split_offered(stage: Page, decisions: Locator) -> None:
    panel = own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    expect(panel).to_contain_text("why is free text")
    expect(panel).to_contain_text("the other fields are decided first")
    expect(panel.locator(".dc-chip")).to_have_count(2)
    expect(panel).to_contain_text("2 × 2 = 4 records")
    ask = section(decisions, "Decide one ticket")
    expect(ask).to_contain_text("No head is trained for this type")
    expect(ask.get_by_role("button", name="Score with the language model")).to_be_enabled()


def test_a_schema_that_can_t_be_read_is_told_and_loses_nothing(
    stage: Page, decisions: Locator
) -> None:
    bad = '{\n  "type": "object",\n  "properties" {}\n}'
    panel = own(decisions, bad)
    expect(panel.locator(".pg-error")).to_contain_text("line 3", timeout=30_000)
    expect(panel.get_by_label("JSON Schema of the record")).to_have_value(bad)
    assert stage.evaluate(f"{STATE}.checked") is None
    panel.get_by_label("JSON Schema of the record").evaluate(
        """(box) => { box.value = '{"x": "' + 'y'.repeat(1000000) + '"}';
            box.dispatchEvent(new Event('input', {bubbles: true})); }"""
    )
    panel.get_by_role("button", name="Check", exact=True).click()
    expect(panel.locator(".pg-error")).to_contain_text("schema", timeout=30_000)
    expect(panel.locator(".pg-error")).to_contain_text("100")
    own(decisions, json.dumps({**MIXED, "required": ["mood"]}))
    ended(stage, "checked")
    expect(panel.locator(".pg-error")).to_be_hidden()


def test_markup_in_schemas_and_texts_is_text(stage: Page, decisions: Locator) -> None:
    evil = "<img src=x onerror=window.broken=1>${window.broken=2}</script>"
    schema = {
        "type": "object",
        "properties": {evil: {"enum": [evil, "b"], "description": evil}, "c": {"type": "string"}},
        "required": [evil, "c"],
        "additionalProperties": False,
    }
    panel = own(decisions, json.dumps(schema))
    ended(stage, "checked")
    expect(panel.locator(".dc-chip").first).to_contain_text(evil)
    decisions.get_by_label("Text of the ticket").fill(evil)
    own(decisions, f'{{"{evil}')
    expect(panel.locator(".pg-error")).to_be_visible(timeout=30_000)
    assert stage.evaluate("window.broken") is None
    assert decisions.locator("img").count() == 0


def test_a_file_that_is_no_head_is_refused_and_what_was_at_hand_stays(
    stage: Page, decisions: Locator, tmp_path: Path
) -> None:
    large = tmp_path / "large.safetensors"
    large.write_bytes(bytes(1_500_001))
    sent: list[int] = []
    stage.on("request", lambda request: sent.append(len(request.post_data_buffer or b"")))
    before = stage.evaluate(f"JSON.stringify({STATE}.heads)")
    decisions.get_by_label("Open a head file").set_input_files(str(large))
    card = section(decisions, "Train a head").locator(".dc-file-box .pg-error")
    expect(card).to_contain_text("1,500,001 bytes")
    assert max(sent, default=0) < 100_000
    empty = tmp_path / "empty.safetensors"
    empty.write_bytes(b"")
    decisions.get_by_label("Open a head file").set_input_files(str(empty))
    expect(card).to_contain_text("empty")
    assert stage.evaluate(f"JSON.stringify({STATE}.heads)") == before


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_nothing_scrolls_sideways_and_every_control_has_a_name(
    stage: Page, decisions: Locator, width: int
) -> None:
    own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    section(decisions, "Type of the record").get_by_role("button", name="Support ticket").click()
    stage.set_viewport_size({"width": width, "height": 844})
    for name in PLACES:
        place = decisions.get_by_role("navigation", name="Panels of this screen")
        place.get_by_role("button", name=name, exact=True).click()
        expect(place.get_by_role("button", name=name, exact=True)).to_have_attribute(
            "aria-current", "true"
        )
        assert stage.evaluate("document.documentElement.scrollWidth") <= width, name
        if width == 390:  # one panel at a time
            expect(decisions.locator(".dc-panel:visible")).to_have_count(2)
        lines = decisions.aria_snapshot().splitlines()
        roles = "button|combobox|checkbox|radio|textbox|spinbutton|slider"
        assert [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)] == []
    tabs = stage.locator("#top .top-tab").evaluate_all(
        "(tabs) => tabs.map((tab) => [tab.scrollWidth, tab.clientWidth])"
    )
    assert all(inside <= box for inside, box in tabs)


def test_a_type_brings_its_examples_with_their_right_answers(
    stage: Page, decisions: Locator
) -> None:
    ask = section(decisions, "Decide one ticket")
    expect(ask).to_contain_text("Right answer: intent")
    decisions.get_by_role("button", name="Country and currency", exact=True).click()
    expect(ask.locator(".dc-example:visible")).to_have_count(2)
    expect(ask).to_contain_text("Right answer: country")
    ask.get_by_role("button", name="Example 2", exact=True).click()
    expect(decisions.get_by_label("Text of the ticket")).to_have_value(
        page_props()["examples"][-1]["text"]
    )


def test_what_was_typed_stays_when_the_screen_is_left(stage: Page, decisions: Locator) -> None:
    decisions.get_by_label("Text of the ticket").fill("Only mine.")
    decisions.get_by_label("Seed").fill("7")
    stage.locator("#top [data-screen=study]").click()
    expect(decisions).to_be_hidden()
    stage.locator("#top [data-screen=decisions]").click()
    expect(decisions.get_by_label("Text of the ticket")).to_have_value("Only mine.")
    expect(decisions.get_by_label("Seed")).to_have_value("7")


def test_a_number_that_is_out_of_range_is_told_and_not_taken(
    stage: Page, decisions: Locator
) -> None:
    train = section(decisions, "Train a head")
    was = stage.evaluate(f"{STATE}.form.epochs")
    train.get_by_label("Epochs").fill("0")
    expect(train).to_contain_text("A whole number from 1 to 200")
    assert stage.evaluate(f"{STATE}.form.epochs") == was
    train.get_by_role("combobox", name="Head").select_option("joint")
    for box in (
        train.get_by_role("group", name="Fields of the joint softmax").get_by_role("checkbox").all()
    ):
        box.uncheck()
    expect(train).to_contain_text("needs at least two fields")
    expect(train.get_by_role("button", name="Train", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )


@NO_MODEL
@pytest.mark.model
def test_a_head_is_trained_decides_and_comes_back_from_its_file(
    stage: Page, decisions: Locator
) -> None:
    train = section(decisions, "Train a head")
    train.get_by_role("button", name="200", exact=True).click()
    train.get_by_label("Epochs").fill("4")
    train.get_by_role("button", name="Train", exact=True).click()
    expect(train.get_by_role("button", name="Stop and keep")).to_be_visible()
    ended(stage, "training")
    expect(train.locator(".dc-standing")).to_contain_text("epoch")
    expect(train.locator(".dc-standing")).to_contain_text("160 train, 40 dev, 500 test")
    loss = train.get_by_role("button", name="Loss by epoch: table")
    expect(loss).to_be_visible()
    loss.click()
    epochs = stage.evaluate(f"{STATE}.training.epochs.length")
    expect(
        train.get_by_role("region", name="Loss, nats a record").get_by_role("row")
    ).to_have_count(epochs + 1)
    expect(train).to_contain_text("trained")
    ask = section(decisions, "Decide one ticket")
    ask.get_by_role("button", name="Example 2", exact=True).click()
    ask.get_by_role("button", name="Decide", exact=True).click()
    ended(stage, "decision")
    cards = ask.get_by_role("group", name="Decided by the head").locator(".dc-card")
    expect(cards).to_have_count(4)
    record = json.loads(ask.get_by_label("The record as JSON").inner_text())
    assert list(record) == ["intent", "priority", "escalate", "amount"]
    together = section(decisions, "How the fields hang together")
    expect(together).to_contain_text("by its factorised head")
    together.get_by_role("button", name=re.compile("^intent set, amount moves")).click()
    expect(together).to_contain_text("intent × amount")
    with stage.expect_download() as saved:
        train.get_by_role("button", name=re.compile("Download the head")).click()
    assert saved.value.suggested_filename.endswith(".safetensors")
    first = stage.evaluate(f"{STATE}.decision.fields")
    text = stage.evaluate(f"{STATE}.text")
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.page", timeout=60_000)
    decisions.get_by_label("Text of the ticket").fill(text)
    opened(stage, decisions, Path(saved.value.path()))
    assert stage.evaluate(f"{STATE}.decision.fields") == first
    expect(section(decisions, "Train a head")).to_contain_text("from a file")


@NO_MODEL
@pytest.mark.model
def test_training_that_is_stopped_keeps_its_best_head(stage: Page, decisions: Locator) -> None:
    train = section(decisions, "Train a head")
    train.get_by_role("button", name="500", exact=True).click()
    train.get_by_label("Pooling").select_option("attention")
    train.get_by_label("Epochs").fill("200")
    train.get_by_role("button", name="Train", exact=True).click()
    stage.wait_for_function(f"() => {STATE}.training?.epochs.length >= 2", timeout=LONG)
    train.get_by_role("button", name="Stop and keep").click()
    ended(stage, "training")
    assert stage.evaluate(f"{STATE}.training.stopped")
    assert stage.evaluate(f"{STATE}.training.epochs.length") < 200
    expect(train.locator(".dc-standing")).to_contain_text("Stopped")
    expect(train.get_by_role("button", name="Train", exact=True)).to_be_visible()
    expect(section(decisions, "Decide one ticket")).to_contain_text("trained")


@NO_MODEL
@pytest.mark.model
def test_a_head_of_another_schema_is_refused_and_widened_where_it_can_be(
    stage: Page, decisions: Locator, head: Path
) -> None:
    opened(stage, decisions, head)
    ticket = stage.evaluate(f"{STATE}.page.types[0].schema")
    wider = json.loads(ticket)
    wider["properties"]["intent"]["enum"].append("legal")
    own(decisions, json.dumps(wider))
    ended(stage, "checked")
    files = section(decisions, "Train a head")
    decisions.get_by_label("Open a head file").set_input_files(str(head))
    expect(files.locator(".dc-file-box .pg-error")).to_contain_text("legal", timeout=LONG)
    widen = files.get_by_role("button", name="Widen that head and fine-tune intent")
    files.get_by_label("Epochs").fill("2")
    widen.click()
    ended(stage, "training")
    expect(files).to_contain_text("trained")
    ask = section(decisions, "Decide one ticket")
    ask.get_by_role("button", name="Decide", exact=True).click()
    ended(stage, "decision")
    expect(ask.get_by_role("group", name="Decided by the head")).to_contain_text("legal")
    narrow = json.loads(ticket)
    narrow["properties"]["intent"]["enum"].pop()
    own(decisions, json.dumps(narrow))
    stage.wait_for_function(f"() => !{STATE}.running && {STATE}.checked.type.combinations < 320")
    decisions.get_by_label("Open a head file").set_input_files(str(head))
    expect(files.locator(".dc-file-box .pg-error")).to_contain_text("lost the option", timeout=LONG)
    expect(widen).to_be_hidden()


@NO_MODEL
@pytest.mark.model
def test_the_language_model_scores_the_options_and_writes_the_free_text(
    stage: Page, decisions: Locator
) -> None:
    own(decisions, json.dumps(MIXED))
    ended(stage, "checked")
    ask = section(decisions, "Decide one ticket")
    ask.get_by_role("button", name="Score with the language model").click()
    stage.wait_for_function(f"() => {STATE}.scores?.done && !{STATE}.running", timeout=LONG)
    scored = ask.get_by_role("group", name="Scored by the language model")
    expect(scored.locator(".dc-card")).to_have_count(2)
    expect(scored).to_contain_text("none of these")
    expect(scored).to_contain_text("Chosen: mood")
    for field in stage.evaluate(f"{STATE}.scores.fields"):
        low, high = (sum(each["p_V"][end] for each in field["options"]) for end in (0, 1))
        assert low <= 1 + 1e-9 <= high + 2e-9
    ask.get_by_label("Normalise by length?").check()
    expect(scored).to_contain_text("Normalised by length")
    explain = ask.get_by_role("button", name="Write them")
    explain.click()
    ended(stage, "explained")
    written = stage.evaluate(f"{STATE}.explained")
    chosen = {
        field["name"]: max(field["options"], key=lambda each: each["p_V"][0])["label"]
        for field in stage.evaluate(f"{STATE}.scores.fields")
    }
    assert str(written["record"]["mood"]) == chosen["mood"]
    assert str(written["record"]["loud"]).lower() == chosen["loud"]
    assert written["finished"]
    record = json.loads(ask.get_by_label("The record as the model wrote it").inner_text())
    assert {name: record[name] for name in ("mood", "loud")} == written["record"]
    assert len(record["why"]) <= 6


@NO_MODEL
@pytest.mark.model
def test_a_comparison_shows_its_rows_as_they_come_and_stops_with_them(
    stage: Page, decisions: Locator
) -> None:
    against = section(decisions, "Against generation")
    against.get_by_role("button", name=re.compile("^Run it here on 10")).click()
    stage.wait_for_function(
        f"() => {STATE}.kept.table?.recorded === false && {STATE}.table.rows.length >= 1",
        timeout=LONG,
    )
    expect(section(decisions, "Decide one ticket")).to_contain_text("The comparison is under way")
    against.get_by_role("button", name="Stop", exact=True).click()
    stage.wait_for_function(f"() => !{STATE}.running", timeout=LONG)
    expect(against).to_contain_text("stopped: what was done is kept")
    row = against.locator(".dc-methods").get_by_role("row", name=re.compile("^Masked")).first
    expect(row).to_be_visible()


@NO_MODEL
@pytest.mark.model
def test_a_head_is_measured_and_its_policy_edited(
    stage: Page, decisions: Locator, head: Path
) -> None:
    measured = section(decisions, "Measured on the test split")
    opened(stage, decisions, head)
    measured.get_by_role("button", name="Measure the head at hand").click()
    stage.wait_for_function(
        f"() => {STATE}.kept.evaluation?.recorded === false && !{STATE}.running", timeout=2 * LONG
    )
    expect(measured).to_contain_text("500 test tickets")
    expect(measured.get_by_role("img", name=re.compile("^Reliability of intent"))).to_be_visible()
    measured.get_by_role("combobox", name="Field").select_option("escalate")
    expect(measured.get_by_role("img", name=re.compile("^Reliability of escalate"))).to_be_visible()
    measured.get_by_label("Policy of").select_option("escalate")
    measured.locator("summary", has_text="What a mistake costs").click()
    cost = measured.get_by_label("Cost when true is true and false is decided")
    cost.fill("many")
    reckon = measured.get_by_role("button", name="Reckon with these costs")
    expect(reckon).to_have_attribute("aria-disabled", "true")
    expect(cost).to_have_attribute("aria-invalid", "true")
    cost.fill("5")
    measured.get_by_label(re.compile("^Cost to abstain")).fill("0.4")
    before = stage.evaluate(f"{STATE}.evaluation.policy.escalate.expected.cost")
    reckon.click()
    stage.wait_for_function(
        f"() => {STATE}.evaluation.policy.escalate.abstain === 0.4 && !{STATE}.running",
        timeout=LONG,
    )
    assert stage.evaluate(f"{STATE}.evaluation.policy.escalate.costs") == [[0, 1], [5, 0]]
    assert stage.evaluate(f"{STATE}.evaluation.policy.escalate.expected.cost") != before
    assert stage.evaluate(f"{STATE}.evaluation.policy.intent.costs[0][1]") == 1
