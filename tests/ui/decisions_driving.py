"""How the tests drive the Decisions screen, and its tasks without a browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from playground.record import Document
from playground.ui.decisions_asked import asked_task
from playground.ui.decisions_work import DecisionsWork

TEXT = "I was charged twice for order 4411, 79 dollars, and nobody answers."
Run = Callable[..., list[Document]]
STATE = "window.playgroundScreens?.decisions?.state()"
PLACES = (
    "One ticket",
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


FAINT = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const rgb = (text) => (text.startsWith('color(') ? parts(text).map((x, at) => (at < 3 ? 255 * x : x)) : parts(text));
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (c) => c.slice(0, 3).map((v) => linear(v / 255))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = rgb(getComputedStyle(at).backgroundColor);
      if ((found[3] ?? 1) > 0.9) return found;
    }
    return [255, 255, 255];
  };
  const words = (node) => [...node.childNodes].some((each) => each.nodeType === 3 && each.textContent.trim());
  const said = [...document.querySelectorAll('#decisions *')].filter((node) => node.offsetParent
    && !node.closest('[aria-disabled=true], svg') && words(node));
  const ratio = (node) => {
    const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  return [said.length, said.filter((node) => ratio(node) < 4.5).map((node) => node.textContent.slice(0, 40))];
}"""
"""How many pieces of text are seen, and those whose contrast with what is behind them is below 4.5."""
SMALL = """() => [...document.querySelectorAll('#decisions :is(button, select, summary, input:not([type=checkbox]))')]
  .filter((node) => node.offsetParent && node.getBoundingClientRect().height < 40)
  .map((node) => node.outerHTML.slice(0, 80))"""
"""Controls that a finger misses."""


def never() -> bool:
    return False


def after(count: int) -> Callable[[], bool]:
    """Says to stop once it was asked so often."""
    asked = iter(range(count))
    return lambda: next(asked, None) is None


def going(work: DecisionsWork, request: Document, cancelled: Any = never) -> Iterator[Document]:
    """The documents of a request, as the browser sends it: through JSON."""
    task = asked_task(json.loads(json.dumps(request)))
    made = getattr(work, request["task"])
    return made(task) if request["task"] in ("check", "decide") else made(task, cancelled)


def strict(document: Document) -> Document:
    """The document, once it is JSON without NaN, as the page reads it."""
    return json.loads(json.dumps(document, allow_nan=False))


def asker(work: DecisionsWork) -> Run:
    """Asks for a task to its end: its documents."""

    def ask(task: str, **more: object) -> list[Document]:
        return [strict(each) for each in going(work, {"task": task, **more})]

    return ask


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
