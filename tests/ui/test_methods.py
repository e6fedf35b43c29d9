"""JSON mode, think then constrain, given text and asking again, on Step and on Compare."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.toys_methods import JSONER, MARKERS, NUMBER, THINKER, YES_NO
from tests.ui.driving import (
    NO_MODEL,
    chips,
    choose,
    new_token,
    open_rail_sampling,
    outcome,
    press,
    verdict,
    where,
    write,
)

pytestmark = pytest.mark.browser
COMPARED = """() => { const state = window.playgroundScreens?.compare?.state();
    return state && state.doc && !state.running && !state.adrift; }"""


def put(page: Page, toy: dict[str, Any], *path: str, **problem: Any) -> None:
    """A toy and what is asked of it on the stage, with the tokens of `path` taken."""
    ids = [[*toy["tokens"], "<eos>"].index(token) for token in path]
    page.evaluate(
        "([problem, path]) => playgroundStage.store.actions.replay(problem, { path })",
        [{"toy": toy, **problem}, ids],
    )
    expect(page.locator("#stage .pg-col-step")).to_have_count(len(path))
    page.evaluate("playgroundStage.store.actions.end()")


def retype(page: Page, box: str, text: str) -> None:
    """Replace what stands in a box of the rail, key by key."""
    field = page.locator(f"#{box} textarea")
    field.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def method(page: Page, title: str, name: str) -> None:
    """Choose a method in the rail, and wait until the run has it."""
    page.locator("#method").get_by_text(title, exact=True).click()
    page.wait_for_function(f"playgroundStage.store.doc().problem.method === '{name}'")


def region_of(page: Page) -> list[str | None]:
    """Where each token of the strip stands."""
    columns = page.locator("#stage .pg-col-step").all()
    return [column.get_attribute("data-span") for column in columns]


def test_the_strip_shows_where_a_thinking_run_is_masked(stage: Page) -> None:
    path = ("so ", "<<", "no", ">> or ", "<<yes", ">>", "<eos>")
    put(stage, THINKER, *path, constraint=YES_NO, method="think", markers=MARKERS)
    crosses = "crosses"
    assert region_of(stage) == ["free", crosses, "inside", crosses, crosses, crosses, "free"]
    columns = stage.locator("#stage .pg-col-step")
    expect(columns.nth(0)).to_have_attribute(
        "aria-label", "Step 1: so space. free text: nothing is masked. model 100 %"
    )
    for at, mark in ((1, "opens"), (3, "closes"), (4, "opens"), (5, "closes")):
        expect(columns.nth(at).locator(f"[data-event={mark}]")).to_have_count(1)
    heights = [
        column.locator(".pg-col-bar").evaluate("bar => bar.getBoundingClientRect().height")
        for column in columns.all()
    ]
    assert [height > 0 for height in heights] == [at == 2 for at in range(len(path))]
    expect(outcome(stage)).to_contain_text("ANSWER")
    expect(outcome(stage).get_by_label("The answer")).to_have_text("yes")
    expect(verdict(stage).first).to_have_text("VALID")
    expect(stage.locator("#stage .pg-method")).to_contain_text("masked only between << and >>")
    stage.keyboard.press("Home")
    expect(stage.locator("#stage .pg-caption")).to_contain_text("free text, nothing is masked")
    stage.keyboard.press("n")
    expect(stage.locator("#stage .pg-caption")).to_contain_text("opens a constrained span")


def test_a_run_that_opened_no_span_has_no_answer(stage: Page) -> None:
    put(
        stage, THINKER, "so ", "<eos>", constraint=YES_NO, method="think", markers=MARKERS
    )  # fmt: skip
    expect(outcome(stage)).to_contain_text("NO ANSWER")
    expect(outcome(stage)).to_contain_text("No span was opened: no answer.")
    expect(verdict(stage).first).to_have_text("NO ANSWER")


def test_json_mode_judges_twice_and_says_where_the_constraint_refuses(stage: Page) -> None:
    path = ("{", '"a"', ":", '"x"', "}", "<eos>")
    put(stage, JSONER, *path, constraint=NUMBER, method="json-mode")
    expect(verdict(stage)).to_have_text(["VALID", "REFUSED"])
    expect(stage.locator("#stage .pg-verdicts")).to_contain_text("as JSON:")
    expect(stage.locator("#stage .pg-verdicts")).to_contain_text("the constraint:")
    expect(outcome(stage)).to_contain_text("JSON, REFUSED")
    expect(outcome(stage)).to_contain_text("At byte 6")
    expect(stage.locator("#stage .pg-method")).to_contain_text("Z, is that of any JSON object")
    put(stage, JSONER, "{", '"a"', constraint=NUMBER, method="json-mode")
    expect(verdict(stage)).to_have_text(["INCOMPLETE", "INCOMPLETE"])


def test_the_exact_column_is_off_with_its_reason(stage: Page) -> None:
    put(stage, JSONER, "{", constraint=NUMBER, method="masked")
    line = stage.locator("#stage .pg-exact-line")
    expect(line).to_contain_text("F = ")
    put(stage, JSONER, "{", constraint=NUMBER, method="json-mode")
    expect(line).to_be_hidden()
    stage.locator("#stage .pg-candidates .pg-tools .pg-link").last.click()
    expect(line).to_contain_text("The exact law is that of the constraint alone")


def test_the_rail_shows_the_settings_of_the_method_and_its_law(stage: Page) -> None:
    open_rail_sampling(stage)
    begins, markers = stage.locator("#begins"), stage.locator("#markers")
    expect(begins).to_be_hidden()
    expect(markers).to_be_hidden()
    method(stage, "Unconstrained", "unconstrained")
    expect(begins).to_be_visible()
    expect(stage.locator("#prefill")).to_be_hidden()
    expect(stage.locator("#attempts")).to_be_visible()
    expect(stage.locator("#method")).to_contain_text("Draws from p: the model alone")
    method(stage, "Think, then constrain", "think")
    expect(begins).to_be_hidden()
    expect(stage.locator("#method")).to_contain_text("p outside the markers")
    markers.get_by_text("<answer>").click()
    expect(stage.locator("#opens textarea")).to_have_value("<answer>")
    expect(stage.locator("#closes textarea")).to_have_value("</answer>")
    stage.wait_for_function("playgroundStage.store.doc().problem.markers.close === '</answer>'")
    retype(stage, "opens", "{{")
    stage.wait_for_function("playgroundStage.store.doc().problem.markers.open === '{{'")
    expect(markers.locator("input:checked")).to_have_value("Own")
    press(stage, "Undo")
    expect(stage.locator("#opens textarea")).to_have_value("<answer>")
    expect(markers.locator("input:checked")).to_have_value("<answer>")
    stage.locator("#top [data-screen=compare]").click()
    expect(begins).to_be_visible()  # Compare draws by all methods
    expect(markers).to_be_visible()


def test_a_free_run_begins_with_given_text(stage: Page) -> None:
    put(stage, JSONER, constraint=NUMBER, method="masked")
    open_rail_sampling(stage)
    method(stage, "Unconstrained", "unconstrained")
    stage.locator("#begins input").check()
    expect(stage.locator("#stage .pg-col-step")).to_have_count(1)
    assert chips(stage) == ["{"]
    given = stage.locator("#stage .pg-chip[data-given]")
    expect(given).to_have_count(1)
    stage.keyboard.press("Home")
    expect(stage.locator("#stage .pg-caption")).to_contain_text("was given, not sampled")
    new_token(stage)
    expect(given).to_have_count(1)
    retype(stage, "prefill", '{"a"')
    expect(given).to_have_count(2)
    method(stage, "After the mask", "masked")
    expect(stage.locator("#stage .pg-col-step")).to_have_count(0)


def test_a_refused_run_is_asked_for_again_and_undo_brings_it_back(stage: Page) -> None:
    put(
        stage, JSONER, "Sure", constraint=NUMBER, method="unconstrained", attempts=2, prompt="Why?"
    )  # fmt: skip
    card = outcome(stage)
    expect(card).to_contain_text("a run stops at its first invalid token")
    card.get_by_role("button", name="Ask again with the error (attempt 2 of 2)").click()
    expect(where(stage)).to_have_text("After 0 tokens")
    again = stage.locator("#stage .pg-again")
    expect(again).to_contain_text("Attempt 2 of 2. Fed back: At byte 1 'Sure' can't stand")
    assert stage.evaluate("playgroundStage.store.doc().problem.prompt").startswith("Why?\n")
    press(stage, "Undo")
    expect(again).to_be_hidden()
    assert chips(stage) == ["Sure"]
    assert stage.evaluate("playgroundStage.store.doc().problem.prompt") == "Why?"
    press(stage, "Redo")
    stage.locator("#stage .pg-candidates").get_by_text("Sure", exact=True).wait_for()
    expect(again).to_be_visible()


def compare(page: Page, *names: str) -> Locator:
    """A comparison by exactly these methods."""
    page.locator("#top [data-screen=compare]").click()
    screen = page.locator("#compare")
    screen.locator(".cmp-all > summary").click()
    boxes = screen.locator(".cmp-method")
    for name in names:
        boxes.filter(has_text=name).first.locator("input").check()
    for box in boxes.all():
        if not any(name in box.inner_text() for name in names):
            box.locator("input").uncheck()
    screen.locator(".cmp-run").click()
    page.wait_for_function(
        f"(n) => ({COMPARED})() && Object.keys(playgroundScreens.compare.state().doc.methods).length === n",
        arg=len(names),
        timeout=30_000,
    )
    return screen


def test_compare_shows_what_retry_and_json_mode_spend(stage: Page) -> None:
    put(stage, JSONER, constraint=NUMBER, method="masked")
    write(stage, "JSON Schema", NUMBER["source"])
    screen = compare(stage, "Retry with the error", "JSON mode, then judged")
    retry = screen.locator("[data-method=retry]")
    expect(retry).to_contain_text("Draws from a mixture")
    expect(retry).to_contain_text("attempts and")
    expect(retry).to_contain_text("tokens a valid answer")
    loose = screen.locator("[data-method=json-mode]")
    expect(loose).to_contain_text("6 tokens a draw")
    expect(screen.locator("#cmp-accept")).to_contain_text("the schema, after salvage")
    loose.get_by_role("button", name="Open this draw in Step").click()
    stage.wait_for_function("playgroundStage.store.doc().problem.method === 'json-mode'")
    expect(stage.locator("#stage .pg-verdicts")).to_contain_text("as JSON:")


def test_compare_marks_the_answer_in_a_thinking_run(stage: Page) -> None:
    put(stage, THINKER, constraint=YES_NO, method="think", markers=MARKERS)
    write(stage, "Choices", YES_NO["source"])
    open_rail_sampling(stage)
    expect(stage.locator("#opens textarea")).to_have_value("<<")  # the stage told the rail
    card = compare(stage, "Think, then constrain").locator("[data-method=think]")
    sample = stage.evaluate("playgroundScreens.compare.state().doc.methods.think.sample.thought")
    if sample["answer"] is None:
        expect(card.locator("mark")).to_have_count(0)
        expect(card).to_contain_text("NO ANSWER")
    else:
        expect(card.locator("mark")).to_have_text(sample["answer"])
        expect(card.locator(".cmp-sample")).to_contain_text("<<")


@pytest.mark.parametrize("name", ["think", "json-mode", "unconstrained"])
def test_a_phone_shows_every_method_without_scrolling_sideways(stage: Page, name: str) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    if name == "think":
        path = ("so ", "<<", "no", ">> or ", "<<yes", ">>", "<eos>")
        put(stage, THINKER, *path, constraint=YES_NO, method=name, markers=MARKERS)
    else:
        path = ("{", '"a"', ":", '"x"', "}", "<eos>") if name == "json-mode" else ("Sure",)
        put(stage, JSONER, *path, constraint=NUMBER, method=name)
    expect(outcome(stage)).to_be_visible()
    assert stage.evaluate("document.documentElement.scrollWidth") <= 390
    small = outcome(stage).evaluate(
        """card => [...card.querySelectorAll('button')]
        .filter((each) => each.getBoundingClientRect().height < 43.5).map((each) => each.textContent)"""
    )
    assert small == []


def test_a_record_from_before_these_methods_still_opens(stage: Page) -> None:
    put(stage, THINKER, "so ", constraint=YES_NO, method="masked")
    stage.evaluate(
        """() => { const old = JSON.parse(JSON.stringify(playgroundStage.store.doc()));
        for (const name of ['prefill', 'attempts', 'markers']) delete old.problem[name];
        for (const step of [...old.steps, old.frontier ?? {}]) { delete step.free; delete step.given; }
        delete old.judged;
        playgroundStage.update({ ...old, cursor: 0 }); }"""
    )
    expect(where(stage)).to_contain_text("Step 1 of 1")
    assert region_of(stage) == [None]
    expect(stage.locator("#stage .pg-method")).to_be_hidden()
    expect(stage.locator("#stage .pg-error")).to_be_hidden()


@NO_MODEL
def test_json_mode_on_the_real_model_masks_by_json(stage: Page) -> None:
    choose(stage, "A tool call: get_weather")
    expect(stage.locator("#stage .pg-title")).to_contain_text("get_weather", timeout=90_000)
    open_rail_sampling(stage)
    method(stage, "JSON mode", "json-mode")
    new_token(stage)
    assert chips(stage)[0].startswith("{")
    expect(stage.locator("#stage .pg-method")).to_contain_text("any JSON object")
    expect(verdict(stage).first).to_have_text("INCOMPLETE")


def test_on_a_phone_the_settings_can_be_reached_and_start_stays_in_sight(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    stage.get_by_role("button", name="Problem").click()
    open_rail_sampling(stage)
    method(stage, "Unconstrained", "unconstrained")
    stage.locator("#attempts input").scroll_into_view_if_needed()
    expect(stage.locator("#attempts input")).to_be_in_viewport()
    expect(stage.locator("#start")).to_be_in_viewport()
