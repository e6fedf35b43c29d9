"""The Compare screen, as a visitor uses it: columns, charts, stop, judges, and the way to Step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.exact.estimates import share
from tests.ui.driving import NO_MODEL, chips, choose, set_number, where, write

pytestmark = pytest.mark.browser

RUN = "playgroundScreens.compare.state().doc && !playgroundScreens.compare.state().running"


def open_compare(page: Page, title: str | None = None) -> None:
    """Choose an example, and show it on the Compare screen."""
    if title:
        choose(page, title)
        expect(page.locator("#stage .pg-title")).to_contain_text(title)
    page.locator("#top [data-screen=compare]").click()


def finished(page: Page, seconds: float = 30) -> None:
    page.wait_for_function(
        f"() => window.playgroundScreens?.compare && {RUN}", timeout=seconds * 1000
    )


def rerun(page: Page, seconds: float = 30) -> None:
    screen(page).locator(".cmp-run").click()
    finished(page, seconds)


def screen(page: Page) -> Locator:
    return page.locator("#compare")


def card(page: Page, method: str) -> Locator:
    return screen(page).locator(f".cmp-card[data-method='{method}']")


def panel(page: Page, name: str) -> Locator:
    return screen(page).get_by_role("region", name=name, exact=True)


def test_a_toy_fills_its_columns_at_once_with_the_numbers_a_hand_finds(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    assert screen(stage).locator(".cmp-card").count() == 4
    head = screen(stage).locator(".cmp-head")
    expect(head.locator(".cmp-value").first).to_have_text("0.817")
    expect(head.locator(".cmp-value").nth(2)).to_have_text("0.109")
    expect(head.locator(".cmp-badge").first).to_have_text("exact")
    expect(card(stage, "masked")).to_contain_text("200 kept")
    expect(card(stage, "rejection")).to_contain_text("of 200 kept")
    expect(card(stage, "exact")).to_contain_text("p_V 0.917")
    detail = screen(stage).locator(".cmp-picked")
    expect(detail).to_contain_text("0.917 = 0.1/0.109")
    screen(stage).locator(".cmp-chip", has_text="Ax").click()
    expect(detail).to_contain_text("0.083 = 0.009/0.109")
    expect(detail).to_contain_text("10.9 times too often")
    wrong = panel(stage, "Texts the laws disagree on")
    expect(wrong.get_by_role("row", name="Ax")).to_contain_text("0.083")
    expect(wrong.get_by_role("row", name="Ax")).to_contain_text("0.900")
    alarm = panel(stage, "Alarm")
    expect(alarm.locator(".cmp-badge")).to_have_text(["estimated"] * 3)
    expect(alarm).to_contain_text("all unconstrained runs, valid or not")
    expect(panel(stage, "Cost of a valid text")).not_to_contain_text("side by side")  # a toy's
    # P(none of N valid) from the certified q, and the draws for 1 %.
    expect(panel(stage, "Chance of nothing valid")).to_contain_text("0.707")
    expect(panel(stage, "Chance of nothing valid")).to_contain_text("40 draws")


def test_charts_are_drawn_with_one_axis_and_have_a_table(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    outcomes = screen(stage).locator(".cmp-outcomes")
    expect(outcomes.locator(".cmp-plot .main-svg").first).to_be_visible()
    assert outcomes.locator(".cmp-plot .xaxislayer-above .xtick").count() > 3
    data = stage.evaluate(
        "document.querySelector('.cmp-outcomes .cmp-plot').data.map((t) => [t.name, [...t.x]])"
    )
    laws = dict(data)
    assert laws["after mask"][:2] == pytest.approx([0.1, 0.9])
    assert laws["exact"][:2] == pytest.approx([0.917431, 0.082569], rel=1e-5)
    outcomes.get_by_role("button", name="Table").click()
    expect(outcomes.get_by_role("row", name="Ax")).to_contain_text("0.900 (exact)")
    expect(outcomes.locator(".cmp-plot")).to_be_hidden()
    stage.locator("#top [data-do=theme]").click()
    outcomes.get_by_role("button", name="Table").click()
    stage.wait_for_function(
        "document.querySelector('.cmp-outcomes .cmp-plot').data[1].marker.color === '#1681F9'"
    )


def test_the_browsers_wilson_intervals_are_the_servers(stage: Page) -> None:
    cases = [(0, 1), (0, 50), (3, 50), (50, 50), (17, 200), (999, 1000)]
    ours = stage.evaluate(
        """(cases) => import('/app-static/compare/words.js')
        .then(({ wilson }) => cases.map(([k, n]) => wilson(k, n)))""",
        cases,
    )
    for (k, n), found in zip(cases, ours, strict=True):
        expected = share(k, n)
        assert found["lower"] == pytest.approx(expected.lower, abs=1e-12)
        assert found["upper"] == pytest.approx(expected.upper, abs=1e-12)


def test_stop_keeps_a_partial_result(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    stage.evaluate("window.asked = playgroundScreens.compare.state().run")
    screen(stage).locator(".cmp-size", has_text="1,000").click()
    screen(stage).locator(".cmp-all summary").click()
    for box in screen(stage).locator(".cmp-method input").all():  # together they take a while
        box.check()
    screen(stage).locator(".cmp-run").click()
    stage.wait_for_function(  # pressed in the page, before the run can end
        """() => { const { doc, run, running } = playgroundScreens.compare.state();
        const some = Object.values(doc.methods).some((method) => method.draws > 0);
        if (run === window.asked || doc.n !== 1000 || !running || !some) return false;
        document.querySelector('.cmp-stop').click();
        return true; }"""
    )
    finished(stage)
    doc = stage.evaluate("playgroundScreens.compare.state().doc")
    assert doc["stopped"]
    draws = [method["draws"] for method in doc["methods"].values()]
    assert any(draws)
    assert min(draws) < 1000
    expect(screen(stage).locator(".cmp-state")).to_have_text("Stopped: what was drawn is kept.")
    expect(screen(stage).locator(".cmp-run")).to_be_visible()


def test_another_judge_turns_distances_off_and_says_so(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    screen(stage).locator("#cmp-accept").select_option("syntax")
    expect(screen(stage).locator(".cmp-accept-words")).to_contain_text("parses as JSON")
    rerun(stage)
    head = screen(stage).locator(".cmp-head")
    expect(head.locator(".cmp-badge").first).to_have_text("off")
    expect(head).to_contain_text("another law")
    for method in ("unconstrained", "masked", "rejection"):
        expect(card(stage, method).locator(".cmp-badge")).to_have_text("off")
    screen(stage).locator("#cmp-accept").select_option("schema")
    screen(stage).locator(".cmp-run").click()
    expect(screen(stage).get_by_role("alert")).to_contain_text("no schema to accept by")
    expect(head.locator(".cmp-badge").first).to_have_text("off")  # the last numbers stay


def test_nothing_kept_is_a_bound_and_an_offer_not_a_failure(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    screen(stage).locator("#cmp-accept").select_option("syntax")  # no text of it is JSON
    rerun(stage)
    cost = panel(stage, "Cost of a valid text")
    expect(cost).to_contain_text("0 of 200 kept: q < 1.8 % (95 %, Clopper-Pearson)")
    screen(stage).locator("#cmp-accept").select_option("language")
    cost.get_by_role("button", name="instead").click()
    stage.wait_for_function(f"() => playgroundScreens.compare.state().doc.methods.cars && {RUN}")
    for method in ("importance", "cars", "conditional"):
        expect(card(stage, method)).to_contain_text("kept")
    expect(card(stage, "importance")).to_contain_text("It can be silently wrong")
    expect(card(stage, "conditional").locator(".cmp-badge")).to_have_text("exact")


def test_an_outcome_opens_its_path_in_step(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    detail = screen(stage).locator(".cmp-picked")
    detail.get_by_role("button", name="Tokenisations").click()
    expect(detail).to_contain_text("1 run found that spells it")
    expect(detail).to_contain_text("the tokenizer’s own")
    detail.get_by_role("button", name="Open in Step").click()
    expect(stage.locator("#stage")).to_be_visible()
    expect(stage.locator("#compare")).to_be_hidden()
    assert chips(stage)[:2] == ["B", "x"]
    assert "compare" not in stage.url
    stage.keyboard.press("2")
    expect(stage.locator("#compare")).to_be_visible()
    parted = panel(stage, "Where the runs part").locator(".cmp-token[aria-current]")
    expect(parted).to_have_count(2)
    parted.first.click()
    expect(where(stage)).to_have_text(re.compile("^Step 2 of"))
    expect(stage.locator("#stage .pg-title")).to_contain_text("Two steps")


def test_an_edited_toy_is_compared_anew(stage: Page) -> None:
    open_compare(stage)
    finished(stage)
    expect(screen(stage).locator(".cmp-value").nth(2)).to_have_text("0.251")
    stage.keyboard.press("1")
    box = stage.locator("#stage .pg-toy").get_by_label(re.compile("ill.*after|after.*ill")).first
    box.fill("0.98")
    box.press("Enter")
    stage.wait_for_function("playgroundStage.store.doc().problem.toy.rules[1].p.ill === 0.98")
    stage.locator("#top [data-screen=compare]").click()
    expect(screen(stage).locator(".cmp-value").nth(2)).not_to_have_text("0.251", timeout=15_000)
    finished(stage)


def test_hostile_tokens_stay_text(stage: Page) -> None:
    write(stage, "Regex", "(sk|cloud)")
    stage.locator("#start").click()
    expect(where(stage)).to_have_text("After 0 tokens")
    open_compare(stage)
    finished(stage)
    stage.evaluate(
        """() => { const { run, doc } = playgroundScreens.compare.state();
        const fresh = JSON.parse(JSON.stringify(doc));
        const bad = ['<img src=x onerror="window.__ran=1">', '${window.__ran=2}', '</script><b>'];
        fresh.outcomes = bad;
        fresh.exact.texts = bad.map((text) => ({ ...fresh.exact.texts[0], text, tokens: bad }));
        fresh.disagreements = bad.map((text) => ({ ...fresh.exact.texts[0], text }));
        for (const method of Object.values(fresh.methods)) {
          method.texts = bad.map((text) => ({ text, count: 1, value: 0.1, p: { lower: 0, upper: 1 } }));
          method.sample = { ...method.sample, text: bad.join(''), tokens: bad };
          method.error = bad[0];
        }
        playgroundScreens.compare.show({ run, serial: 1e6, document: fresh }); }"""
    )
    expect(screen(stage)).to_contain_text("<img")
    expect(screen(stage).locator(".cmp-outcomes .ytick").first).to_contain_text("<img")
    screen(stage).locator(".cmp-outcomes").get_by_role("button", name="Table").click()
    assert stage.evaluate("window.__ran") is None
    assert screen(stage).locator("img, script").count() == 0


def test_temperature_0_is_refused_in_words_and_the_numbers_stay(stage: Page) -> None:
    open_compare(stage)
    finished(stage)
    stage.locator("#rail").get_by_role("button", name="Sampling").click()
    set_number(stage, "temperature", "0")
    expect(screen(stage).get_by_role("alert")).to_contain_text("temperature 0", timeout=15_000)
    expect(screen(stage).locator(".cmp-card")).to_have_count(4)


def test_the_hash_keeps_the_screen_over_a_reload(stage: Page) -> None:
    open_compare(stage)
    finished(stage)
    assert stage.url.endswith("#compare")
    stage.reload()
    finished(stage)
    expect(stage.locator("#top [data-screen=compare]")).to_have_attribute("aria-current", "page")
    expect(stage.locator("#stage")).to_be_hidden()


def test_back_returns_to_the_tab_before(stage: Page) -> None:
    open_compare(stage)
    finished(stage)
    stage.keyboard.press("3")
    expect(stage.locator("#squeezing")).to_be_visible()
    stage.go_back()
    expect(stage.locator("#compare")).to_be_visible()
    expect(stage.locator("#top [data-screen=compare]")).to_have_attribute("aria-current", "page")
    stage.go_back()
    expect(stage.locator("#stage")).to_be_visible()
    stage.go_forward()
    expect(stage.locator("#compare")).to_be_visible()


def test_nothing_valid_with_mass_is_one_sentence_and_no_offer(stage: Page) -> None:
    write(stage, "Choices", "ill")  # the toy never begins with it
    stage.locator("#start").click()
    open_compare(stage)
    finished(stage)
    none = "Nothing valid has any mass under the model, so p_V does not exist."
    cost = panel(stage, "Cost of a valid text")
    expect(cost.locator(".cmp-cost-words")).to_have_text(none)
    expect(cost).not_to_contain_text("For a chance of 1 %")
    expect(cost.get_by_role("button", name="instead")).to_be_hidden()
    expect(screen(stage).locator(".cmp-head")).to_contain_text(none)
    expect(screen(stage).locator(".cmp-value")).to_have_text(["0"])
    stage.keyboard.press("3")
    expect(stage.locator("#squeezing .sq-headline")).to_have_text(none, timeout=20_000)


def test_the_tokenisations_and_the_chances_of_nothing_fit_their_cards(stage: Page) -> None:
    open_compare(stage, "Two steps")
    finished(stage)
    detail = screen(stage).locator(".cmp-picked")
    detail.get_by_role("button", name="Tokenisations").click()
    expect(detail.get_by_role("row", name="B | x the tokenizer’s own")).to_be_visible()
    for region in (detail.locator(".pg-scroll"), panel(stage, "Chance of nothing valid")):
        assert region.evaluate("each => each.scrollWidth - each.clientWidth") <= 0


def test_a_phone_shows_all_of_it_without_scrolling_sideways(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    open_compare(stage)
    finished(stage)
    expect(screen(stage).locator(".cmp-outcomes .main-svg").first).to_be_visible()
    assert stage.evaluate("document.documentElement.scrollWidth") <= 390
    small = stage.evaluate(
        """() => [...document.querySelectorAll('#compare button, #compare select')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5)
        .map((each) => each.textContent)"""
    )
    assert small == []


@NO_MODEL
def test_a_real_model_waits_for_run_and_says_what_it_will_do(stage: Page) -> None:
    choose(stage, "Sky, on the real model")
    expect(stage.locator("#stage .pg-title")).to_contain_text("Sky, on", timeout=90_000)
    open_compare(stage)
    empty = screen(stage).locator(".cmp-empty")
    expect(empty).to_contain_text("Draws 50 texts each by unconstrained, masked and rejection")
    expect(empty).to_contain_text("from some seconds to some minutes; Stop keeps what was drawn")
    screen(stage).locator(".cmp-pill", has_text="Unconstrained").click()  # the slow one
    empty.get_by_role("button", name="Run 50 draws each").click()
    finished(stage, 120)
    head = screen(stage).locator(".cmp-head")
    expect(head.locator(".cmp-value").first).to_have_text(re.compile(r"^0\.8[67]"))
    # The draws may have opened what the search left open.
    expect(head.locator(".cmp-badge").first).to_have_text(re.compile("bounded|exact"))
    expect(panel(stage, "Cost of a valid text")).to_contain_text("0 of 50 kept: q < 7.1 %")
    expect(
        panel(stage, "Cost of a valid text").get_by_role("button", name="instead")
    ).to_be_visible()
