"""The rail and the stage tell one story, whichever of the two was changed."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from playground.models.toy import TOYS
from playground.problem import parse_problem
from playground.ui.rail_values import (
    FIELDS,
    HELP,
    KINDS,
    document_of,
    is_own,
    shown_settings,
    usual_constraint,
    values_of,
)
from tests.ui.driving import pick, write


def changed(updates: list[Any]) -> dict[str, Any]:
    """The values among the updates of all inputs, by name; inputs that are left alone left out."""
    named = dict(zip(FIELDS, updates, strict=True))
    plain = {name: plain_value(update) for name, update in named.items()}
    return {name: value for name, value in plain.items() if value is not None}


def plain_value(update: Any) -> Any:
    """The value that an update writes into its input, or None."""
    if isinstance(update, dict):
        return update.get("value")
    return getattr(update, "constructor_args", {"value": update}).get("value")


def told(data: Any) -> dict[str, Any]:
    """What `shown_settings` writes into the rail, by name."""
    return changed(shown_settings(data, ("smollm2", "toy:sky")))


ASKED = {
    "model": "smollm2",
    "prompt": "Why?",
    "chat": False,
    "heal": True,
    "constraint": {"kind": "regex", "source": "a+", "engine": "outlines", "whitespace": "none"},
}


def test_an_undo_across_a_start_brings_prompt_and_constraint_back_into_the_rail() -> None:
    assert told({"asked": ASKED, "seed": 3}) == {
        "model": "smollm2",
        "prompt": "Why?",
        "chat": False,
        "heal": True,
        "kind": "Regex",
        "regex": "a+",
        "whitespace": "none",
        "engine": "outlines",
        "seed": 3,
    }


@pytest.mark.parametrize(
    "asked",
    [
        3,
        {},
        {"model": "smollm2"},
        {**ASKED, "model": "/etc/passwd"},
        {**ASKED, "prompt": 3},
        {**ASKED, "toy": {}},
        {**ASKED, "constraint": {**ASKED["constraint"], "engine": "none"}},
        {**ASKED, "constraint": {**ASKED["constraint"], "kind": "none"}},
    ],
)
def test_an_undo_that_does_not_hold_up_changes_nothing(asked: Any) -> None:
    assert told({"asked": asked, "seed": 3}) == {}


@pytest.mark.parametrize("kind", KINDS.values())
def test_what_the_rail_shows_for_a_problem_spells_that_problem(kind: str) -> None:
    source = {"free": "", "type": "date"}.get(kind, "some source")
    constraint = {"kind": kind, "source": source, "engine": "bytes", "whitespace": "flexible"}
    spec = parse_problem(
        {"model": "toy:sky", "prompt": "x", "constraint": constraint, "chat": False}
    )
    shown = changed(values_of(spec))
    assert set(HELP) & set(shown) == set(HELP) & {kind}, "other editors keep their text"
    others = dict.fromkeys(HELP, "of another kind") | {"type_name": "integer"}
    values = tuple((others | shown)[name] for name in FIELDS)
    assert parse_problem(document_of(values, None)) == spec


def test_only_the_settings_that_the_stage_names_are_written() -> None:
    assert told({"max_tokens": 96}) == {"max_tokens": 96}
    assert told({"mask_order": "before-filters", "temperature": 0.5}) == {
        "mask_order": "before-filters",
        "temperature": 0.5,
    }


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "x",
        {"max_tokens": 10**9},
        {"max_tokens": "<b>"},
        {"temperature": -1},
        {"mask_order": "never"},
        {"seed": {}},
        {"model": "/etc/passwd"},
    ],
)
def test_what_does_not_hold_up_changes_nothing(data: Any) -> None:
    assert told(data) == {}


@pytest.mark.parametrize("name", TOYS)
def test_another_toy_brings_the_constraint_that_it_is_shown_with(name: str) -> None:
    given = {"kind": "Regex", "regex": "no toy's", "whitespace": "one"}
    kind, *rest = map(plain_value, usual_constraint(f"toy:{name}", given))
    toy = TOYS[name]
    assert KINDS[kind] == toy.constraint_kind
    assert dict(zip(HELP, rest, strict=False))[toy.constraint_kind] == toy.constraint_source


def test_the_same_constraint_and_a_real_model_leave_what_is_written() -> None:
    sky = TOYS["sky"]
    label = next(label for label, kind in KINDS.items() if kind == sky.constraint_kind)
    given = {"kind": label, sky.constraint_kind: sky.constraint_source, "whitespace": "one"}
    for model in ("toy:sky", "smollm2"):
        kept = usual_constraint(model, given)
        assert [update for update in map(plain_value, kept) if update is not None] == []


def example(page: Page, title: str) -> None:
    page.locator("#preset input").click()
    page.get_by_role("option", name=title).click()
    expect(page.locator("#stage .pg-head")).to_contain_text(title)


def open_sampling(page: Page) -> None:
    page.locator("#rail").get_by_role("button", name="Sampling").click()


def number(page: Page, name: str):
    return page.locator(f"#{name} input[type=number]")


def fill(page: Page, name: str, value: str) -> None:
    number(page, name).fill(value)
    number(page, name).press("Enter")


def problem(page: Page) -> dict[str, Any]:
    return page.evaluate("window.playgroundStage.store.doc().problem")


def start(page: Page, kind: str, source: str) -> None:
    write(page, kind, source)
    page.locator("#start").click()
    page.wait_for_function(
        "source => window.playgroundStage.store.doc().problem.constraint.source === source",
        arg=source,
    )


@pytest.mark.browser
def test_more_tokens_are_shown_by_the_rail_and_outlive_the_next_change(stage: Page) -> None:
    open_sampling(stage)
    fill(stage, "max-tokens", "1")
    allow = stage.locator("#stage .pg-outcome").get_by_role("button", name="Allow 32 more")
    stage.keyboard.press("Escape")
    stage.locator("#stage .pg-col").first.click()
    expect(allow).to_be_visible()
    allow.click()
    expect(number(stage, "max-tokens")).to_have_value("33")
    fill(stage, "temperature", "2")
    stage.wait_for_function("window.playgroundStage.store.doc().problem.sampling.temperature === 2")
    assert problem(stage)["max_tokens"] == 33


@pytest.mark.browser
def test_the_mask_put_first_by_the_stage_is_shown_by_the_rail_and_undone_there(
    stage: Page,
) -> None:
    example(stage, "Two steps")
    start(stage, "Regex", "Bx")
    open_sampling(stage)
    fill(stage, "top-k", "1")
    stage.wait_for_function("window.playgroundStage.store.doc().problem.sampling.top_k === 1")
    stage.locator("#stage .pg-step").click()
    stage.locator("#stage .pg-outcome").get_by_role("button", name="Mask first").click()
    order = stage.locator("#mask-order input:checked")
    expect(order).to_have_value("before-filters")
    fill(stage, "seed", "7")
    stage.wait_for_function("window.playgroundStage.store.doc().problem.sampling.seed === 7")
    assert problem(stage)["sampling"]["mask_order"] == "before-filters"
    stage.locator("#stage [aria-label=Undo]").click()
    expect(number(stage, "seed")).to_have_value("0")
    stage.locator("#stage [aria-label=Undo]").click()
    expect(order).to_have_value("after-filters")


@pytest.mark.browser
def test_where_the_mask_comes_first_a_z_of_0_is_no_dead_end(stage: Page) -> None:
    example(stage, "Two steps")
    start(stage, "Regex", "Bx")
    open_sampling(stage)
    fill(stage, "top-k", "1")
    stage.locator("#mask-order").get_by_text("Mask first").click()
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.sampling.mask_order === 'before-filters'"
    )
    stage.locator("#stage .pg-step").click()
    expect(stage.locator("#stage .pg-caption")).to_contain_text("B")
    whole = stage.locator("#stage")
    expect(whole.locator(".pg-word")).to_have_text("refuses")
    expect(whole.locator(".pg-weight")).to_contain_text("−∞")
    expect(whole.locator(".pg-foot-sum .pg-c-masked").first).to_have_text("100 %")
    expect(whole.locator(".pg-insp-formula")).to_contain_text("the mask comes first")
    expect(whole.locator("thead .pg-c-masked")).to_have_attribute(
        "title", "What constrained decoding draws from: the mask comes first here, then the "
        "filters, so it is not p / Z"
    )  # fmt: skip
    whole.get_by_role("button", name="Erase and stretch").click()
    expect(whole.locator(".pg-bar-say")).to_contain_text("it is not p / Z")
    expect(whole.locator(".pg-bar-track")).to_have_attribute("data-phase", "mask")
    shown = whole.locator(".pg-piece[data-allowed=true]").evaluate_all(
        "all => all.map(each => each.style.width)"
    )
    assert shown == ["100%"]
    expect(whole).not_to_contain_text("dead end")


@pytest.mark.browser
def test_another_toy_can_be_started_at_once(stage: Page) -> None:
    stage.locator("#model input").click()
    stage.get_by_role("option", name="toy:two-step").click()
    expect(stage.locator("#source textarea")).to_have_value("(A|B)x")
    expect(stage.locator("#kind input:checked")).to_have_value("Regex")
    stage.locator("#start").click()
    stage.wait_for_function("window.playgroundStage.store.doc().problem.model === 'toy:two-step'")
    expect(stage.locator("#stage .pg-error")).to_be_hidden()


def test_what_only_start_changes_makes_a_problem_the_visitors() -> None:
    example = parse_problem({"model": "toy:sky", "constraint": {"kind": "regex", "source": "a"}})
    document = example.model_dump()
    assert not is_own(example, example)
    live = {"temperature": 0.5, "seed": 3}
    assert not is_own(
        parse_problem({**document, "sampling": {**document["sampling"], **live}}), example
    )
    for change in (
        {"model": "toy:two-step"},
        {"prompt": "x"},
        {"toy": {**TOYS["sky"].model_dump(), "title": "Another"}},
        {"constraint": {**document["constraint"], "engine": "llguidance"}},
    ):
        assert is_own(parse_problem({**document, **change}), example)
    assert is_own(example, None)
    same = parse_problem({**document, "toy": TOYS["sky"].model_dump()})
    assert not is_own(same, example), "the page sends the toy that it shows"


@pytest.mark.browser
def test_start_with_an_edited_rail_shows_that_the_problem_is_the_visitors(stage: Page) -> None:
    title = stage.locator("#preset input")
    first = title.input_value()
    stage.locator("#start").click()
    expect(stage.locator("#stage .pg-where")).to_have_text("After 0 tokens")
    expect(title).to_have_value(first)
    start(stage, "Regex", "cloud|skill")
    expect(title).to_have_value("Your own")
    expect(stage.locator("#source textarea")).to_have_value("cloud|skill")
    # The same example can be chosen again.
    example(stage, first)
    expect(stage.locator("#source textarea")).to_have_value("skill\ncloud")


@pytest.mark.browser
def test_the_engine_has_one_name_everywhere(stage: Page) -> None:
    title = stage.locator("#engine input").input_value()
    expect(stage.locator("#stage .pg-constraint")).to_contain_text(f"engine: {title}")
    expect(stage.locator("#stage .pg-notes-panel")).to_contain_text(title)
    expect(stage.locator("#stage .pg-provenance")).to_contain_text(f"engine: {title}")
    about = stage.locator("#stage .pg-engine-about").inner_text()
    assert about in stage.locator("#engine").inner_text()


@pytest.mark.browser
def test_a_choice_of_an_example_by_mouse_or_key_opens_it_once(stage: Page) -> None:
    asked: list[str] = []
    stage.on(
        "request",
        lambda request: (
            asked.append(request.post_data or "") if "queue/join" in request.url else None
        ),
    )
    example(stage, "Age:")
    stage.locator("#preset input").click()
    stage.keyboard.press("ArrowUp")
    stage.keyboard.press("Enter")
    expect(stage.locator("#stage .pg-head")).not_to_contain_text("Age:")
    stage.wait_for_timeout(300)
    assert len([each for each in asked if '"age"' in each]) == 1


@pytest.mark.browser
def test_each_kind_keeps_its_own_text(stage: Page) -> None:
    editor = stage.locator("#source textarea")
    pick(stage, "Regex")
    expect(editor).to_have_value("(yes|no|maybe)")
    editor.fill("s(kill|ki)")
    pick(stage, "JSON Schema")
    expect(editor).to_have_value(re.compile('"properties"'))
    pick(stage, "Free")
    expect(editor).to_have_count(0)
    pick(stage, "Choices")
    expect(editor).to_have_value("skill\ncloud")
    pick(stage, "Regex")
    expect(editor).to_have_value("s(kill|ki)")


@pytest.mark.browser
def test_the_editor_follows_the_kind_without_asking_the_server(stage: Page) -> None:
    asked: list[str] = []
    stage.on("request", lambda request: asked.append(request.url))
    for kind in ("Regex", "Pydantic", "Type", "Choices"):
        pick(stage, kind)
    assert [url for url in asked if "queue" in url] == []


@pytest.mark.browser
def test_blanks_between_tokens_are_offered_for_json_alone(stage: Page) -> None:
    for kind in KINDS:
        pick(stage, kind)
        shown = kind in ("JSON Schema", "Pydantic", "Tool")
        expect(stage.locator("#whitespace")).to_have_count(int(shown))


@pytest.mark.browser
def test_the_list_of_examples_opens_again_after_escape(stage: Page) -> None:
    box = stage.locator("#preset input")
    for _ in range(2):
        box.click()
        expect(stage.get_by_role("option", name="Two steps")).to_be_visible()
        box.press("Escape")
        expect(stage.get_by_role("option", name="Two steps")).to_be_hidden()


@pytest.mark.browser
def test_an_undo_across_a_start_is_shown_by_the_rail(stage: Page) -> None:
    start(stage, "Regex", "cloud|skill")
    pick(stage, "JSON Schema")
    stage.locator("#stage [aria-label=Undo]").click()
    expect(stage.locator("#kind input:checked")).to_have_value("Choices")
    expect(stage.locator("#source textarea")).to_have_value("skill\ncloud")
    stage.locator("#stage [aria-label=Redo]").click()
    expect(stage.locator("#kind input:checked")).to_have_value("Regex")
    expect(stage.locator("#source textarea")).to_have_value("cloud|skill")


@pytest.mark.browser
def test_what_is_being_typed_outlives_a_step_and_its_undo(stage: Page) -> None:
    editor = stage.locator("#source textarea")
    editor.fill("cloud")
    stage.locator("#stage .pg-step").click()
    stage.locator("#stage [aria-label=Undo]").click()
    stage.wait_for_timeout(500)
    expect(editor).to_have_value("cloud")
