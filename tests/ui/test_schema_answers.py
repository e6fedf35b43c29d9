"""What the Schema screen shows of an edit: verdicts, what it changed, what is enforced."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from playground.asked import MAX_TEXT
from tests.ui.driving import NO_MODEL
from tests.ui.schema_driving import caret, fill, keep_one, paste, row, settled, source, standing

SLOW_JUDGE = """() => {
  window.asked = [];
  window.fetched = window.fetched || window.fetch;
  window.fetch = async (...told) => {
    const body = told[1] && typeof told[1].body === 'string' ? told[1].body : '';
    const name = (/"fn_name":\\s*"(\\w+)"/.exec(body) || [])[1];
    if (name) window.asked.push(name);
    if (name === 'judge') await new Promise((done) => setTimeout(done, 600));
    const answer = await window.fetched(...told);
    if (name === 'judge') window.asked.push('answered');
    return answer;
  };
}"""
"""Notes what is asked of the server, by name, and makes the verdicts slow."""


@pytest.mark.browser
def test_a_string_without_an_answer_keeps_no_verdict_of_another(
    screen: Locator, stage: Page
) -> None:
    keep_one(stage, screen)
    paste(stage, '{"type": "integer"}')
    fill(stage, screen, 1, "12")
    expect(row(screen, 1)).to_contain_text("Both judges VALID")
    fill(stage, screen, 1, "1" * (MAX_TEXT + 1))
    expect(row(screen, 1).locator(".sc-said")).to_have_text(
        "Not judged: it has 20,001 characters; at most 20,000 are judged. Shorten it."
    )
    expect(screen.locator(".sc-tally-line")).to_contain_text("Not judged")
    expect(screen.locator(".sc-banner")).to_contain_text("CONSTRAINT ON")
    fill(stage, screen, 1, "12")
    expect(row(screen, 1)).to_contain_text("Both judges VALID")

    def broken(route: Route) -> None:
        if '"judge"' in (route.request.post_data or ""):
            route.fulfill(status=500, body="no")
        else:
            route.continue_()

    stage.route("**/component_server**", broken)
    fill(stage, screen, 1, "13x")
    expect(row(screen, 1).locator(".sc-said")).to_contain_text("The server did not answer")
    expect(row(screen, 1).locator(".sc-said")).not_to_contain_text("VALID")
    expect(standing(screen, 1)).to_have_attribute("data-standing", "none")
    # The stepper doesn't wait for a verdict that won't come.
    expect(caret(screen)).to_have_attribute("data-offset", "2", timeout=10_000)
    stage.unroute("**/component_server**")
    row(screen, 1).get_by_role("button", name="Ask again").click()
    expect(row(screen, 1).locator(".sc-said")).to_contain_text("INVALID")


@pytest.mark.browser
def test_the_verdict_of_an_edit_is_asked_for_first(screen: Locator, stage: Page) -> None:
    for name in ("Automaton", "Keywords"):
        screen.get_by_role("tab", name=name).click()
        expect(screen.locator("[role=tabpanel]:not([hidden]) .sc-inside > *").first).to_be_visible(
            timeout=30_000
        )
        stage.wait_for_timeout(600)
        stage.evaluate(SLOW_JUDGE)
        row(screen, 1).locator("textarea").fill(f'{{"sky": "{name}"}}')
        stage.wait_for_function("window.asked.includes('answered')")
        stage.wait_for_timeout(300)
        asked = stage.evaluate("window.asked")
        assert asked[:2] == ["judge", "answered"]
        assert asked.count("judge") == 1


@pytest.mark.browser
def test_an_edit_is_compared_with_what_was_kept(screen: Locator, stage: Page) -> None:
    paste(stage, '{"type": "integer", "minimum": 0, "maximum": 9}')
    screen.get_by_role("tab", name="What did my edit change?").click()
    panel = screen.locator("#sc-panel-difference")
    panel.get_by_role("button", name="Keep this as").click()
    expect(panel).to_contain_text("still the one that was kept")
    paste(stage, '{"type": "integer", "minimum": 1, "maximum": 10}')
    expect(panel.locator(".sc-side").nth(0)).to_contain_text("0", timeout=10_000)
    expect(panel.locator(".sc-side").nth(1)).to_contain_text("10")
    panel.locator(".sc-side").nth(1).get_by_role("button").click()
    last = screen.locator(".sc-string").last
    expect(last.locator("textarea")).to_have_value("10")


def edit_from(page: Page, screen: Locator, before: str, now: str) -> Locator:
    """Keep `before`, then paste `now`; the part of the panel about the model."""
    paste(page, before)
    screen.get_by_role("tab", name="What did my edit change?").click()
    panel = screen.locator("#sc-panel-difference")
    panel.get_by_role("button", name="Keep this as").click()
    paste(page, now)
    expect(panel.locator(".sc-side")).to_have_count(2, timeout=10_000)
    between = panel.get_by_role("region", name="On the model")
    between.get_by_role("button", name="How far do the model").click()
    return between


@pytest.mark.browser
def test_how_far_an_edit_moves_the_law_of_a_toy(screen: Locator, stage: Page) -> None:
    screen.locator(".sc-kind[data-kind=choices]").click()
    # skill is 0.6 * 0.002 and sky 0.6 * 0.98 beside the 0.25 of cloud, so TV is 0.588 / 0.838.
    between = edit_from(stage, screen, "skill\ncloud", "sky\ncloud")
    expect(between).to_contain_text("TV = 0.702", timeout=20_000)
    rows = between.locator("tbody tr")
    expect(rows.filter(has_text="sky").locator("td")).to_have_text(["0", "70.2 %"])
    expect(rows.filter(has_text="skill").locator("td")).to_have_text(["0.48 %", "0"])
    expect(rows.filter(has_text="cloud").locator("td")).to_have_text(["99.5 %", "29.8 %"])
    expect(between).not_to_have_attribute("data-running", "")
    # Of the next edit nothing is known yet.
    paste(stage, "cloud")
    expect(between).not_to_contain_text("TV = 0.702")
    expect(rows.first).to_be_hidden()


@pytest.mark.browser
@NO_MODEL
def test_a_toy_that_cannot_spell_an_edit_leads_to_a_model_that_can(
    screen: Locator, stage: Page
) -> None:
    low = '{"type": "integer", "minimum": 0, "maximum": 9}'
    high = '{"type": "integer", "minimum": 1, "maximum": 10}'
    between = edit_from(stage, screen, low, high)
    expect(between).to_contain_text("The rail of Step holds a toy", timeout=20_000)
    between.get_by_role("button", name="Open in Step with a model").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.model === 'smollm2'", timeout=60_000
    )
    stage.locator("#top [data-screen=schema]").click()
    expect(between).to_contain_text("holds another model now: ask again")
    between.get_by_role("button", name="How far do the model").click()
    expect(between.locator("tbody tr").filter(has_text="10").locator("td").first).to_have_text(
        "0", timeout=60_000
    )


@pytest.mark.browser
def test_the_coverage_shows_the_pair_of_texts_that_decided(screen: Locator, stage: Page) -> None:
    table = screen.locator(".sc-keywords")
    expect(table).to_be_visible(timeout=30_000)
    unique = table.locator("tr").filter(has=stage.locator("th code", has_text="uniqueItems"))
    expect(unique.locator(".sc-status")).to_have_text("NOT ENFORCED")
    expect(unique.locator(".sc-witness").first).to_contain_text("the mask allows it")
    unique.locator("td .pg-link").click()
    line = source(stage).splitlines().index('      "uniqueItems": true,') + 1
    at = stage.evaluate(
        """() => { const view = document.querySelector('#schema .cm-content').cmTile.view;
            return view.state.doc.lineAt(view.state.selection.main.head).number; }"""
    )
    assert at == line
    unique.locator(".sc-witness-text").nth(1).click()
    expect(screen.locator(".sc-string")).to_have_count(5)
    settled(stage)
    expect(screen.locator(".sc-string").last).to_contain_text("The mask allows it, the schema")


@pytest.mark.browser
def test_a_text_in_another_order_is_told_so(screen: Locator, stage: Page) -> None:
    fill(stage, screen, 1, '{"clouds": 4, "sky": "blue"}')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        "because of the order of its keys: the mask wants sky, clouds"
    )
    fill(stage, screen, 1, '{"clouds": 4, "sky": "green"}')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        "Its keys stand in another order: the mask wants sky, clouds"
    )
    fill(stage, screen, 1, '{"sky": "blue", ')
    settled(stage)
    expect(row(screen, 1)).to_contain_text(
        'Already decided: $.sky = "blue". Still to come: $.clouds'
    )
