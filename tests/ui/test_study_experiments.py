"""Experiments on the Study screen: what is listed and recorded, one that runs in its turn, one in a browser."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.errors import InvalidInput, ModelUnavailable
from playground.experiments.base import MOST, Bench, perform
from playground.experiments.finding import Finding, difference
from playground.experiments.registry import EXPERIMENTS
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings
from playground.ui.study_calls import study_calls
from playground.ui.study_experiments import (
    RECORDED_FILE,
    Asked,
    asked_experiment,
    experiments_document,
    recorded,
)
from playground.ui.study_runs import StudyRuns, kind_of
from tests.experiments.bytemodel import ByteModel
from tests.ui.driving import NO_MODEL
from tests.ui.test_study_calls import never, told

STATE = "window.playgroundScreens?.study?.state()"
SPELLING = "enum-spelling"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyRuns:
    """With a model over bytes beside the toys."""
    playground = Playground(Settings(cache=tmp_path / "cache"))
    model, before = ByteModel(), playground.hub.get
    monkeypatch.setattr(
        playground.hub, "get", lambda name: model if name == "bytes" else before(name)
    )
    return StudyRuns(playground)


def asked(n: int) -> Asked:
    return Asked(EXPERIMENTS[SPELLING], "bytes", n, 7)


def finding_of(runs: StudyRuns, n: int) -> Finding:
    """What the command line would print."""
    *_, last = perform(EXPERIMENTS[SPELLING], Bench(runs.studies, "bytes", n, 7))
    assert last.finding is not None
    return last.finding


def same(document: Document) -> Document:
    """A finding without its time."""
    return {key: value for key, value in document.items() if key != "seconds"}


def test_an_experiment_grows_to_the_finding_that_its_command_prints(runs: StudyRuns) -> None:
    documents = [each["experiment"] for each in runs.experiment(asked(9), never)]
    assert documents[0]["finding"] is None
    dones = [each["done"] for each in documents]
    assert dones == sorted(dones)
    assert 0 < documents[2]["done"] < documents[-1]["of"] == 9
    assert documents[1]["left"] is None
    assert documents[2]["left"] > 0
    last = documents[-1]
    assert not last["stopped"]
    json.dumps(last, allow_nan=False)
    expected = finding_of(runs, 9)
    shown = last["finding"]
    assert shown["effect"].pop("words") == difference(expected.effect)
    for each, effect in zip(shown["also"], expected.also, strict=True):
        assert each.pop("words") == difference(effect)
    for arm in shown["arms"]:
        for measure in arm["measures"]:
            assert measure.pop("words")
            assert measure.pop("bounds").startswith("[")
    assert same(shown) == same(expected.model_dump(mode="json"))


def test_a_stopped_experiment_has_no_finding(runs: StudyRuns) -> None:
    seen: list[Document] = []

    def stop() -> bool:
        return bool(seen) and seen[-1]["experiment"]["done"] > 0

    for document in runs.experiment(asked(20), stop):
        seen.append(document)
    last = seen[-1]["experiment"]
    assert last["stopped"]
    assert last["finding"] is None
    assert 0 < last["done"] < 20


def test_an_experiment_waits_for_its_turn(runs: StudyRuns) -> None:
    going = runs.experiment(asked(1), never)
    assert next(going)["experiment"]["others"] == 0
    came = threading.Event()

    def go_on() -> None:
        next(going)
        came.set()

    with runs._turns[kind_of("bytes")]:  # a chunk of a study on a model
        thread = threading.Thread(target=go_on)
        thread.start()
        assert not came.wait(0.5)
    thread.join(60)
    assert came.is_set()
    *_, last = going
    assert last["experiment"]["finding"]


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"name": "nonsense"}, "no experiment"),
        ({"model": "toy:two-step"}, "can't be run on"),
        ({"model": "server:mine"}, "can't be run on"),
        ({"model": "other/model"}, "can't be run on"),
        ({"n": 0}, "n is 0"),
        ({"n": MOST + 1}, f"n is {MOST + 1}"),
        ({"n": True}, "n is True"),
        ({"n": "8"}, "n is 8"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**53}, "seed is"),
        ({"seed": None}, "seed is None"),
    ],
)
def test_what_a_browser_may_not_ask_is_refused(runs: StudyRuns, part: Document, said: str) -> None:
    request = {"name": SPELLING, "model": "smollm2", "n": 2, "seed": 0}
    assert asked_experiment(runs.playground, request).n == 2
    with pytest.raises((InvalidInput, ModelUnavailable), match=said):
        asked_experiment(runs.playground, {**request, **part})
    for junk in (None, [], "x"):
        with pytest.raises(InvalidInput):
            asked_experiment(runs.playground, junk)


def test_the_list_has_every_experiment_and_what_was_recorded(
    runs: StudyRuns, tmp_path: Path
) -> None:
    assert recorded(tmp_path / "none.json") is None
    empty = experiments_document(None, [])
    assert [each["name"] for each in empty["experiments"]] == list(EXPERIMENTS)
    assert all(each["recorded"] is None for each in empty["experiments"])
    finding = finding_of(runs, 2)
    printed = {**finding.model_dump(mode="json"), "significant": finding.significant}
    file = tmp_path / "experiments.json"
    document = {"findings": [printed], "provenance": {"model": "bytes"}, "date": "2026-01-01"}
    file.write_text(json.dumps(document))
    found = recorded(file)
    assert found is not None
    assert found.findings == (finding,)
    listed = {
        each["name"]: each["recorded"] for each in experiments_document(found, [])["experiments"]
    }
    assert listed[SPELLING]["n"] == 2
    assert listed["risk-law"] is None


@pytest.mark.skipif(not RECORDED_FILE.is_file(), reason="no findings come with this checkout")
def test_the_findings_that_come_with_the_page_are_whole() -> None:
    found = recorded()
    assert found is not None
    assert {each.experiment for each in found.findings} == set(EXPERIMENTS)
    for each in found.findings:
        assert each.title == EXPERIMENTS[each.experiment].title
        assert len(each.sentences) >= 1 + len(each.also)
    json.dumps(experiments_document(found, []), allow_nan=False)


def test_a_study_tells_how_far_its_chunk_has_come(runs: StudyRuns) -> None:
    calls: dict[str, Callable[[Document], Document]] = {
        call.__name__: call for call in study_calls(runs)
    }
    name, spec = runs.begin(told(9))
    seen: list[Document] = []

    def look() -> bool:
        seen.append(calls["within"]({"id": name}))
        return False

    *_, last = runs.go(name, spec, look)
    assert last["done"]
    assert {each["of"] for each in seen} - {0} == {16, 2}
    assert any(0 < each["share"] <= 1 for each in seen)
    nothing = {"ended": 0, "of": 0, "share": 0.0, "left": None, "held": False}
    assert calls["within"]({"id": name}) == nothing
    assert calls["within"]({"id": 3})["of"] == 0
    assert len(calls["experiments"]({})["experiments"]) == len(EXPERIMENTS)


# --- in a browser


@pytest.fixture
def study(stage: Page) -> Locator:
    """The experiments, reached by the button."""
    stage.locator("#top [data-screen=study]").click()
    stage.wait_for_function(f"() => {STATE}?.sets", timeout=60_000)
    stage.locator("#study").get_by_role("button", name="Experiments").click()
    stage.wait_for_function(f"() => {STATE}?.experiments", timeout=60_000)
    return stage.locator("#study")


def one(study: Locator, name: str) -> Locator:
    return study.locator(f"[data-experiment={name}]")


@pytest.mark.browser
def test_every_experiment_is_listed_with_its_question(stage: Page, study: Locator) -> None:
    expect(study.locator(".st-experiment")).to_have_count(len(EXPERIMENTS))
    for name, experiment in EXPERIMENTS.items():
        expect(one(study, name)).to_contain_text(experiment.question)
    assert stage.url.endswith("#study?experiments")
    box = one(study, SPELLING)
    box.locator("summary").first.focus()
    stage.keyboard.press("Enter")
    expect(box).to_contain_text(EXPERIMENTS[SPELLING].about)
    stage.wait_for_function("() => location.hash.endsWith('experiments/enum-spelling')")
    if not RECORDED_FILE.is_file():
        expect(box).to_contain_text("No finding has been recorded")
        return
    finding = box.get_by_role("region", name="Recorded finding")
    expect(finding).to_contain_text("recorded")
    expect(finding).to_contain_text(re.compile("(An|No) effect was seen"))
    expect(finding).to_contain_text("python -m playground experiment enum-spelling")
    expect(finding.locator(".st-zero").first).to_be_visible()
    finding.get_by_role("button", name="Effects: table").click()
    expect(finding.get_by_role("region", name="Effects", exact=True).last).to_contain_text("test")
    expect(finding.locator(".st-effect").first).to_be_hidden()


@pytest.mark.browser
def test_a_link_opens_its_experiment(stage: Page, app_url: str) -> None:
    stage.goto(f"{app_url}/#study?experiments/risk-law")
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.experiments", timeout=60_000)
    box = one(stage.locator("#study"), "risk-law")
    expect(box.get_by_role("button", name="Run")).to_be_visible()
    assert stage.url.endswith("#study?experiments/risk-law")
    box.locator("[name=study-experiment-n]").fill("0")
    box.get_by_role("button", name="Run").click()
    expect(box.get_by_role("alert")).to_contain_text(f"from 1 to {MOST}")
    stage.locator("#study .st-step[data-step=choose]").click()
    stage.wait_for_function("() => location.hash === '#study'")


@pytest.mark.browser
def test_nothing_of_the_experiments_scrolls_sideways(stage: Page, study: Locator) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    for name in EXPERIMENTS:
        one(study, name).locator("summary").first.click()
    roles = "button|combobox|checkbox|textbox|spinbutton"
    for width in (390, 1280):
        stage.set_viewport_size({"width": width, "height": 844})
        stage.wait_for_timeout(300)
        assert stage.evaluate("document.documentElement.scrollWidth") <= width
        lines = study.aria_snapshot().splitlines()
        unnamed = [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)]
        assert unnamed == [], width


@NO_MODEL
@pytest.mark.browser
def test_an_experiment_runs_on_a_real_model_and_can_be_stopped(stage: Page, study: Locator) -> None:
    box = one(study, SPELLING)
    box.locator("summary").first.click()
    box.locator("[name=study-experiment-n]").fill(str(MOST))
    box.get_by_role("button", name="Run").click()
    box.get_by_role("button", name="Stop").click(timeout=60_000)
    stage.wait_for_function(f"() => !{STATE}.running", timeout=300_000)
    expect(box).to_contain_text("Stopped before its end")
    box.locator("[name=study-experiment-n]").fill("2")
    box.get_by_role("button", name="Run").click()
    finding = box.get_by_role("region", name="Finding of this run")
    expect(finding).to_contain_text("smollm2, n = 2", timeout=300_000)
    expect(finding).to_contain_text("With n = 2 a bootstrap interval is too narrow")
    expect(finding).to_contain_text("--n 2 --seed 0 --model smollm2")
    expect(finding.locator("table").last).to_contain_text("as asked")
    # The recorded finding stays below it, folded, and in the line beside it.
    past = box.get_by_role("region", name="Recorded finding")
    expect(past).to_be_hidden()
    expect(box.locator(".st-experiment-line .pg-badge")).to_have_text(["live", "recorded"])
    box.locator(".st-past > summary").click()
    expect(past).to_be_visible()
    spoken = study.locator(".pg.st > .pg-spoken")
    expect(spoken).to_contain_text(re.compile("effect was seen"))
