"""A run that is taken away: as JSON, as CSV, and as one file that asks nobody."""

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


def export(page: Page, name: str, folder: Path) -> Path:
    """Take the run away as a file."""
    page.keyboard.press("e")
    with page.expect_download() as download:
        page.locator("#stage .pg-export").get_by_role("button", name=name).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_trace_can_be_taken_away_as_json(stage: Page) -> None:
    stage.locator("#stage .pg-export").get_by_role("button").first.click()
    with stage.expect_download() as download:
        stage.locator("#stage .pg-export-menu").get_by_text("JSON").first.click()
    document = json.loads(download.value.path().read_text())
    assert document["v"] == 1
    assert [step["taken"]["text"] for step in document["steps"]] == ["sk", "ill"]
    assert document["provenance"]["model"] == "toy:sky"


def test_the_steps_can_be_taken_away_as_csv(stage: Page, tmp_path: Path) -> None:
    path = export(stage, "Steps as CSV", tmp_path)
    assert path.suffix == ".csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    document = stage.evaluate("window.playgroundStage.store.doc()")
    assert [row["text"] for row in rows] == ["sk", "skill"]
    for row, step in zip(rows, document["steps"], strict=True):
        assert float(row["bits"]) == pytest.approx(step["bits"], rel=1e-12)
        assert float(row["log_z"]) == pytest.approx(step["log_z"], rel=1e-12)


def test_the_run_can_be_taken_away_as_one_file_that_asks_nobody(
    stage: Page, browser: Browser, tmp_path: Path
) -> None:
    path = export(stage, "One HTML file", tmp_path)
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    broken: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(path.as_uri())
    expect(page.locator(".pg-caption")).to_contain_text("98.0 %")
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
    assert page.locator(".pg-col .pg-chip-text").all_inner_texts()[:2] == ["sk", "ill"]
    expect(page.get_by_role("button", name="Find a token")).to_be_hidden()  # nobody to ask
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [path.as_uri()]
    assert not broken
    context.close()
