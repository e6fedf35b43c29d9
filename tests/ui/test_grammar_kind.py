"""A grammar in the rail: it brings an engine that can run it, and its stack is shown."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.ui.driving import pick, start, write

pytestmark = pytest.mark.browser

GRAMMAR = 'root ::= first "x"\nfirst ::= "A" | "B"\n'


def engine(page: Page) -> str:
    return page.locator("#engine input").input_value()


def choose_engine(page: Page, title: str) -> None:
    page.locator("#engine input").click()
    page.get_by_role("option", name=title).click()
    expect(page.locator("#engine input")).to_have_value(title)


def test_a_grammar_brings_an_engine_with_a_stack_and_shows_it(stage: Page) -> None:
    stage.locator("#preset input").click()
    stage.get_by_role("option", name="Two steps").first.click()
    expect(stage.locator(".pg-stack")).to_be_hidden()
    write(stage, "Grammar", GRAMMAR)
    expect(stage.locator("#engine input")).to_have_value("automatic")
    start(stage)
    stage.keyboard.press("ArrowRight")
    stage.keyboard.press("ArrowRight")
    frames = stage.locator(".pg-stack li")
    expect(frames).to_have_count(1)
    expect(frames.first).to_contain_text(re.compile("root “[AB]”"))
    expect(stage.get_by_text("Read off the grammar's rules")).to_be_visible()


def test_the_engine_that_can_not_run_it_says_so(stage: Page) -> None:
    write(stage, "Grammar", GRAMMAR)
    choose_engine(stage, "exact byte automaton")
    stage.locator("#start").click()
    expect(stage.get_by_text("can't count brackets").first).to_be_visible()


def test_other_kinds_leave_the_engine_alone(stage: Page) -> None:
    choose_engine(stage, "xgrammar")
    pick(stage, "Grammar")
    pick(stage, "Regex")
    assert engine(stage) == "xgrammar"
