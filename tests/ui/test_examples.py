"""Every example of the menu opens and does what it is there for, toys and the real model."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.driving import (
    NO_MODEL,
    chips,
    choose,
    new_token,
    outcome,
    press,
    region,
    start,
    verdict,
    where,
    write,
)

pytestmark = pytest.mark.browser


def test_every_toy_example_opens_and_steps(stage: Page) -> None:
    for title in ("Two steps:", "Age:", "Three bits:", "Sums of zeros:", "Country and currency:"):
        choose(stage, title)
        expect(stage.locator("#stage .pg-head")).to_contain_text(title)
        stage.locator("#stage [aria-label='To the end']").click()
        expect(stage.locator("#stage .pg-head"), title).to_contain_text("VALID")


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
