"""The Decisions screen with the default model: heads, scores, measures, and the comparison."""

import base64
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.session import Playground
from playground.settings import Settings
from playground.ui.decisions import MODEL
from playground.ui.decisions_work import DecisionsWork
from tests.ui.decisions_driving import LONG, MIXED, STATE, asker, ended, opened, own, section
from tests.ui.driving import NO_MODEL

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A head's file, trained on a few tickets; what it decides is no matter."""
    ask = asker(DecisionsWork(Playground(Settings.from_env()), MODEL))
    spec = {"epochs": 3, "head": {"kind": "chained", "order": ["intent"]}}
    *_, last = ask("train", type="ticket", size=40, spec=spec)
    path = tmp_path_factory.mktemp("heads") / "mine.safetensors"
    path.write_bytes(base64.b64decode(last["head"]))
    return path


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
    train.get_by_role("button", name="200", exact=True).click()
    train.get_by_label("Pooling").select_option("attention")
    train.get_by_label("Epochs").fill("200")
    train.get_by_role("button", name="Train", exact=True).click()
    stop = train.get_by_role("button", name="Stop and keep")
    stage.wait_for_function(  # pressed in the page, so that no machine ends before the press
        f"""(stop) => {{
            if (!({STATE}.training?.epochs.length >= 2)) return false;
            stop.click();
            return true; }}""",
        arg=stop.element_handle(),
        timeout=LONG,
    )
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
    expect(files).to_contain_text("No built-in ticket has intent legal: fine-tuning can’t teach it")
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
    train = section(decisions, "Train a head").get_by_role("button", name="Train", exact=True)
    expect(train).to_have_attribute("aria-disabled", "true")
    expect(section(decisions, "Train a head")).to_contain_text("The comparison is under way")
    # What takes a moment runs beside it, and ends none of it.
    ask = section(decisions, "Decide one ticket")
    ask.get_by_role("button", name="Decide", exact=True).click()
    stage.wait_for_function(
        f"() => {STATE}.kept.decision?.recorded === false && !{STATE}.light.running", timeout=LONG
    )
    assert stage.evaluate(f"{STATE}.heavy.running")
    against.get_by_role("button", name="Stop", exact=True).click()
    stage.wait_for_function(f"() => !{STATE}.running", timeout=LONG)
    expect(against).to_contain_text("stopped by you: what was done is kept")
    expect(against).to_contain_text("timing: 0 of 5 tickets")
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
    expect(measured).to_contain_text("100 test tickets. Thresholds are chosen on 8 dev tickets.")
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
