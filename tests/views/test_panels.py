"""The panels of the stage in a browser: what they ask the server for, and what they say."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.views.export import PLACEHOLDER, embedded_json, standalone_template

STATIC = Path(__file__).parents[2] / "static"
TOY = {
    "name": "two-step",
    "title": "Two steps",
    "note": "",
    "tokens": ["A", "B", "x"],
    "rules": [
        {"prefix": [], "last": None, "position": None, "p": {"A": 0.9, "B": 0.1}, "logits": None},
        {"prefix": None, "last": None, "position": None, "p": {"x": 1.0}, "logits": None},
    ],
}
WEIGHT = '[aria-label="Weight of B, at the start"]'

Document = dict[str, Any]


class Stage:
    """A page with the stage on one document, whose server is this test."""

    def __init__(self, page: Any, doc: Document) -> None:
        self.page = page
        self.doc = doc
        self.asked: list[tuple[str, Document]] = []
        self.refusal: Document | None = None
        self.answers: dict[str, Document] = {}
        page.expose_function("ask", self.answer)
        names = "['advance','replay','follow','find','ghost','graph']"
        server = f"Object.fromEntries({names}.map((n) => [n, (x) => window.ask(n, x)]))"
        html = standalone_template(STATIC).replace("server: null", f"server: {server}")
        assert server in html
        page.set_content(html.replace(PLACEHOLDER, embedded_json(doc)))
        page.wait_for_selector(".pg-state-words", state="attached", timeout=10_000)

    def answer(self, name: str, request: Document) -> Document:
        self.asked.append((name, request))
        if self.refusal is not None:
            return {"error": self.refusal}
        if name in self.answers:
            return self.answers[name]
        return {**self.doc, "problem": request["problem"]}

    def requests(self, name: str) -> list[Document]:
        return [request for asked, request in self.asked if asked == name]

    def settle(self) -> None:
        """Longer than any debounce of the stage."""
        self.page.wait_for_timeout(300)


@pytest.fixture(scope="module")
def profile(chromium: Any) -> Iterator[Any]:
    """One browser profile for all pages of this file: a page opens faster in it."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def stage(
    profile: Any, document: Callable[[tuple[str, ...]], Document]
) -> Iterator[Callable[..., Stage]]:
    """Opens a stage: `stage(width=..., **changes to the document)`."""
    pages = []
    wrong: list[str] = []

    def opened(width: int = 1280, **changes: Any) -> Stage:
        page = profile.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        doc = copy.deepcopy(document(("a", "b", "c")))
        problem = {**doc["problem"], **changes.pop("problem", {})}
        return Stage(page, {**doc, **changes, "problem": problem})

    yield opened
    for page in pages:
        page.close()
    assert wrong == []


pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_a_changed_weight_is_renormalised_at_once_and_replayed(
    stage: Callable[..., Stage], width: int
) -> None:
    shown = stage(width, problem={"toy": TOY})
    if width == 390:
        shown.page.get_by_role("button", name="Charts").click()
    shown.page.fill(WEIGHT, "0.9")
    share = f".pg-toy-cell:has({WEIGHT}) .pg-toy-share"
    assert shown.page.inner_text(share) == "50.0 %"
    shown.settle()
    (request,) = shown.requests("replay")
    assert request["problem"]["toy"]["rules"][0]["p"] == {"A": 0.9, "B": 0.9}
    assert request["path"] == [0, 1, 2]
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= width


def test_quick_changes_become_one_request(stage: Callable[..., Stage]) -> None:
    shown = stage(problem={"toy": TOY})
    # In one go: on a busy machine presses from here can be further apart than the page waits.
    shown.page.eval_on_selector(
        WEIGHT,
        """(box) => ["0", "0.", "0.4", "0.45"].forEach((text) => {
          box.value = text;
          box.dispatchEvent(new Event("input", { bubbles: true }));
        })""",
    )
    shown.settle()
    (request,) = shown.requests("replay")
    assert request["problem"]["toy"]["rules"][0]["p"]["B"] == 0.45


def test_what_is_no_weight_is_marked_at_its_cell_and_not_sent(stage: Callable[..., Stage]) -> None:
    shown = stage(problem={"toy": TOY})
    before = shown.page.inner_text(".pg-state-words")
    for text, complaint in (("abc", "not a number"), ("-1", "below 0")):
        shown.page.fill(WEIGHT, text)
        assert shown.page.get_attribute(WEIGHT, "aria-invalid") == "true"
        assert complaint in shown.page.inner_text(f"td:has({WEIGHT}) .pg-toy-problem")
    shown.settle()
    assert shown.requests("replay") == []
    assert shown.page.inner_text(".pg-state-words") == before
    shown.page.fill(WEIGHT, "0.2")
    assert shown.page.get_attribute(WEIGHT, "aria-invalid") is None


def test_a_refusal_of_the_server_is_shown_at_the_cell_it_names(
    stage: Callable[..., Stage],
) -> None:
    shown = stage(problem={"toy": TOY})
    shown.refusal = {
        "what": "This toy can't be used.",
        "where": "toy.rules.0.p.B",
        "hint": "Change that entry.",
        "line": None,
        "column": None,
    }
    shown.page.fill(WEIGHT, "0.3")
    shown.settle()
    assert "can't be used" in shown.page.inner_text(f"td:has({WEIGHT}) .pg-toy-problem")
    assert shown.page.input_value(WEIGHT) == "0.3"
    assert shown.page.inner_text(".pg-state-words") == "expects a"


def test_tokens_and_rules_are_added_and_everything_goes_back(stage: Callable[..., Stage]) -> None:
    shown = stage(problem={"toy": TOY})
    shown.page.fill('[aria-label="Text of the new token"]', "new")
    shown.page.locator(".pg-toy-form", has_text="token").first.get_by_role("button").click()
    shown.page.select_option('[aria-label="Condition of the new rule"]', "position")
    shown.page.fill('[aria-label="Position, from 0"]', "2")
    shown.page.locator(".pg-toy-form", has_text="rule").get_by_role("button").click()
    shown.settle()
    toy = shown.requests("replay")[-1]["problem"]["toy"]
    assert toy["tokens"] == ["A", "B", "x", "new"]
    assert [rule["position"] for rule in toy["rules"]] == [None, 2, None]
    shown.page.get_by_role("button", name="Back to the original").click()
    shown.settle()
    assert shown.requests("replay")[-1]["problem"]["toy"]["tokens"] == TOY["tokens"]


def test_a_model_that_is_no_toy_has_no_table(stage: Callable[..., Stage]) -> None:
    assert stage().page.locator(".pg-toy-panel").is_hidden()


def test_a_followed_text_says_where_it_leaves_the_constraint(stage: Callable[..., Stage]) -> None:
    shown = stage()
    about = {
        "verdict": "invalid",
        "consumed": 9,
        "blocked_at": {"offset": 9, "line": 2, "column": 3, "expected": ["0-9"], "got": "!"},
        "needs": "",
    }
    shown.answers["follow"] = {**shown.doc, "follow": about}
    shown.page.fill('[aria-label="A text to follow"]', "é<b>12\n  !rest")
    shown.page.get_by_role("button", name="Follow this text").click()
    shown.page.wait_for_selector(".pg-result.is-invalid", timeout=5_000)
    words = shown.page.inner_text(".pg-follow-result")
    assert "INVALID" in words
    assert "line 2, column 3" in words
    assert "expected 0-9" in words
    assert shown.requests("follow")[0]["text"] == "é<b>12\n  !rest"


def test_a_megabyte_is_refused_before_it_is_sent(stage: Callable[..., Stage]) -> None:
    shown = stage()
    shown.page.evaluate("document.querySelector('.pg-follow-text').value = 'x'.repeat(1_000_000)")
    shown.page.get_by_role("button", name="Follow this text").click()
    assert "1,000,000 characters; at most 20,000" in shown.page.inner_text(".pg-follow-form")
    assert shown.requests("follow") == []


def test_a_search_says_why_a_token_is_blocked_and_a_scrub_asks_nothing(
    stage: Callable[..., Stage],
) -> None:
    shown = stage()
    rows = shown.doc["steps"][0]["candidates"]
    shown.answers["find"] = {"matches": rows, "total": 40}
    shown.page.fill(".pg-find-input", "a")
    shown.page.wait_for_selector(".pg-find-list li", timeout=5_000)
    assert "40 tokens, the 2 likeliest shown" in shown.page.inner_text(".pg-find-status")
    blocked = shown.page.inner_text(".pg-find-list .is-blocked")
    assert "expects a" in blocked
    asked = len(shown.asked)
    shown.page.locator("body").click(position={"x": 2, "y": 2})
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Home", "ArrowRight"):
        shown.page.keyboard.press(key)
    shown.settle()
    assert len(shown.asked) == asked
    assert shown.page.locator(".pg-find-list button:enabled").count() == 0
    assert shown.page.get_by_role("button", name="Look again here").is_visible()


def test_a_dead_end_by_filters_offers_the_other_mask_order(stage: Callable[..., Stage]) -> None:
    sampling = {"temperature": 1.0, "top_k": 2, "top_p": 1.0, "mask_order": "after-filters"}
    shown = stage(outcome="dead_end", cursor=2, problem={"sampling": {**sampling, "seed": 5}})
    assert "top-k 2 kept only tokens that the mask blocks" in shown.page.inner_text(
        ".pg-outcome-panel"
    )
    shown.page.get_by_role("button", name="Mask first, then filter").click()
    shown.settle()
    asked = shown.requests("replay")[0]["problem"]["sampling"]
    assert asked == {**sampling, "mask_order": "before-filters", "seed": 5}


def test_a_cut_run_says_what_it_needs_and_can_go_on(stage: Callable[..., Stage]) -> None:
    shown = stage(cursor=2)
    assert "INCOMPLETE" in shown.page.inner_text(".pg-outcome-panel")
    shown.page.locator(".pg-outcome-panel").get_by_role("button", name="Allow 32 more").click()
    shown.settle()
    assert shown.requests("replay")[0]["problem"]["max_tokens"] == 3 + 32


def test_a_finished_run_shows_its_validated_object(stage: Callable[..., Stage]) -> None:
    object_ = {"type": "Invoice", "value": {"vendor": "<b>"}, "repr": "Invoice(vendor='<b>')"}
    shown = stage(outcome="accepted", cursor=2, validated=object_)
    panel = shown.page.inner_text(".pg-outcome-panel")
    assert "VALID" in panel
    assert "Invoice(vendor='<b>')" in panel


def test_what_is_not_enforced_is_said_in_capitals_with_its_place(
    stage: Callable[..., Stage],
) -> None:
    notes = stage().page.inner_text(".pg-notes-panel")
    assert "NOT enforced" in notes
    assert "/not" in notes


def test_every_file_is_saved_under_a_safe_name(stage: Callable[..., Stage]) -> None:
    shown = stage(lesson={"slug": "a/../b", "title": "t", "question": "q", "caption": ""})
    for name, ending in (("Trace as JSON", "json"), ("Steps as CSV", "csv")):
        shown.page.evaluate("document.querySelector('.pg-export-box button').click()")
        with shown.page.expect_download(timeout=5_000) as saved:
            shown.page.get_by_role("button", name=name).click()
        assert saved.value.suggested_filename == f"a-b-3-steps.{ending}"
        shown.page.keyboard.press("Escape")


def test_the_diagram_has_a_table_twin(stage: Callable[..., Stage]) -> None:
    shown = stage()
    panel = shown.page.locator(".pg-graph-panel")
    assert panel.locator("svg circle").count() == 2
    panel.get_by_role("button", name="Table").click()
    assert panel.locator("tbody tr").inner_text().split() == ["q0", "a", "q1"]
