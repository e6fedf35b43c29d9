"""The export menus: every file holds what the screen shows, and none can run or be misread."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser
SVG = "{http://www.w3.org/2000/svg}"


def show(page: Page, name: str) -> Locator:
    """A screen by its tab."""
    page.locator(f"#top [data-screen={name}]").click()
    return page.locator(f"#{name}")


def menu(screen: Locator) -> Locator:
    """Its export menu, open."""
    screen.get_by_role("button", name="Export", exact=True).click()
    found = screen.locator(".pg-export-menu")
    expect(found).to_be_visible()
    return found


def take(menu: Locator, name: str | re.Pattern[str]) -> tuple[str, bytes]:
    """A file by its button: its name and its bytes."""
    with menu.page.expect_download() as download:
        menu.get_by_role("button", name=name).first.click()
    path = download.value.path()
    expect(menu.get_by_role("status")).to_contain_text("Saved")
    return download.value.suggested_filename, Path(path).read_bytes()


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def words_of(content: bytes) -> str:
    """The words of an SVG, which must be well formed and hold nothing that runs or loads."""
    root = ET.fromstring(content)
    assert root.tag == f"{SVG}svg"
    for node in root.iter():
        assert node.tag not in (f"{SVG}script", f"{SVG}foreignObject")
        assert not any(name.startswith("on") for name in node.attrib)
    return " ".join(" ".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def test_a_comparison_is_taken_away_as_json_csv_html_and_figures(
    stage: Page, browser: Browser, tmp_path: Path
) -> None:
    screen = show(stage, "compare")
    screen.get_by_role("button", name="Run ").first.click()
    stage.wait_for_function(
        "() => { const { doc, running } = window.playgroundScreens.compare.state();"
        " return doc?.done && !running; }",
        timeout=60_000,
    )
    expect(screen.locator(".js-plotly-plot").first).to_be_visible()
    shown = stage.evaluate("window.playgroundScreens.compare.state().doc")
    opened = menu(screen)

    name, content = take(opened, "Everything as JSON")
    read = json.loads(content)
    assert name.endswith(".json")
    assert (read["v"], read["screen"]) == (1, "compare")
    assert read["document"] == shown
    assert read["provenance"].startswith("toy: toy:sky")

    _, content = take(opened, "methods as CSV")
    assert {row["method"]: int(row["draws"]) for row in rows(content)} == {
        key: each["draws"] for key, each in shown["methods"].items()
    }
    _, content = take(opened, "texts as CSV")
    for row, text in zip(rows(content), shown["exact"]["texts"], strict=True):
        assert row["text"].removeprefix("'") == text["text"]
        assert float(row["p_V.lower"]) == text["p_V"]["lower"]

    name, content = take(opened, "One HTML page")
    (tmp_path / name).write_bytes(content)
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / name).as_uri())
    assert page.locator("script").count() == 0
    assert page.locator("table").first.locator("tbody tr").count() == len(shown["methods"])
    assert asked == [(tmp_path / name).as_uri()]
    context.close()

    name, content = take(opened, " as SVG")
    assert name.endswith("-figure-1.svg")
    words = words_of(content)
    assert "toy:sky" in words
    assert "seed" in words
    _, content = take(opened, " as PNG")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(content) > 4_000


def test_the_picture_of_the_mass_is_taken_away_with_its_caption(stage: Page) -> None:
    screen = show(stage, "squeezing")
    stage.wait_for_function("() => window.playgroundScreens.squeezing.state.get().doc?.done")
    shown = stage.evaluate("window.playgroundScreens.squeezing.state.get().doc")
    headline = screen.locator(".sq-headline").inner_text()
    opened = menu(screen)
    _, content = take(opened, "Everything as JSON")
    assert json.loads(content)["document"] == shown
    _, content = take(opened, "flow as CSV")
    assert len(rows(content)) == len(shown["nodes"])
    _, content = take(opened, re.compile("^Flow of probability.* as SVG$"))
    words = words_of(content)
    assert headline[:30] in words.replace("  ", " ")
    assert "toy:sky" in words
    assert b"fill:rgb" in content  # the looks travel with it
    stage.keyboard.press("Escape")
    expect(opened).to_be_hidden()


def test_levels_offer_nothing_before_a_run_and_then_their_tables(stage: Page) -> None:
    screen = show(stage, "levels")
    stage.wait_for_function("() => window.playgroundScreens?.levels")
    screen.locator("#lv-source").select_option("rail")
    screen.locator(".lv-begin").click()
    stage.wait_for_function(
        "() => window.playgroundScreens.levels.state().doc?.done", timeout=60_000
    )
    shown = stage.evaluate("window.playgroundScreens.levels.state().doc")
    _, content = take(menu(screen), "levels as CSV")
    assert [row["label"] for row in rows(content)] == [each["label"] for each in shown["levels"]]


def test_the_recorded_decisions_are_taken_away_without_the_head(decisions: Locator) -> None:
    opened = menu(decisions)
    _, content = take(opened, "Everything as JSON")
    document = json.loads(content)["document"]
    assert set(document) == {"decision", "scores", "evaluation", "table"}
    shown = decisions.page.evaluate("window.playgroundScreens.decisions.state().decision")
    assert document["decision"] == shown
    _, content = take(opened, "decided as CSV")
    assert len(rows(content)) == sum(len(each["options"]) for each in shown["fields"])


def test_the_figures_of_a_run_are_taken_away_with_caption_and_provenance(stage: Page) -> None:
    expect(stage.locator("#stage .js-plotly-plot").first).to_be_visible()
    stage.keyboard.press("e")
    opened = stage.locator("#stage .pg-export-menu")
    _, content = take(opened, " as SVG")
    words = words_of(content)
    assert "toy:sky" in words
    assert stage.locator("#stage .pg-caption").inner_text()[:20] in words
    _, content = take(opened, " as PNG")
    assert content.startswith(b"\x89PNG")
