"""How the tests drive the Step screen: as a visitor would, by what is seen on it."""

import os

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as SlowPage

from playground.ui.rail_values import HELP, KINDS

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


def pick(page: Page, kind: str) -> None:
    """Choose a kind of constraint and wait until its editor is there."""
    page.locator("#kind").get_by_text(kind, exact=True).click()
    expect(page.locator("#source")).to_contain_text(HELP.get(KINDS[kind], ""))


def write(page: Page, kind: str, source: str) -> None:
    """Type a constraint into the rail."""
    pick(page, kind)
    page.locator("#source textarea").fill(source)


def start(page: Page) -> None:
    """Press Start and wait for a run without a token."""
    page.locator("#start").click()
    expect(where(page)).to_have_text("After 0 tokens", timeout=20_000)


def set_number(page: Page, name: str, value: str) -> None:
    """Type a number into one of the rail's boxes, and wait until the run has it."""
    box = page.locator(f"#{name} input[type=number]")
    field = name.replace("-", "_")
    told = f"""() => {{ const {{problem}} = window.playgroundStage.store.doc();
        return (problem.{field} ?? problem.sampling.{field}) === {value}; }}"""
    for last in (False, False, True):
        box.fill(value)
        box.press("Enter")
        try:
            page.wait_for_function(told, timeout=30_000 if last else 8_000)
            return
        except SlowPage:
            # A box that was mounted a moment ago can still be filled anew by Gradio.
            if last:
                raise


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
