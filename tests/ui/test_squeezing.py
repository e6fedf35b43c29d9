"""The Squeezing screen and the third bar of Step: what a visitor sees of where the probability went."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.ui.driving import NO_MODEL, choose, open_rail_sampling, press, set_number

pytestmark = pytest.mark.browser


def open_squeezing(page: Page) -> Locator:
    """Show the screen and wait until its first picture stands."""
    page.locator("#top [data-screen=squeezing]").click()
    screen = page.locator("#squeezing")
    expect(screen.locator(".sq-row").first).to_be_visible(timeout=20_000)
    settled(page)
    return screen


def settled(page: Page, kind: str = "flow") -> None:
    """Wait until no run of that kind goes on."""
    page.wait_for_function(
        f"!window.playgroundScreens.squeezing.state.running('{kind}')", timeout=60_000
    )


def row(screen: Locator, text: str) -> Locator:
    """The table's row of a text."""
    return screen.locator(".sq-row", has_text=text)


def thickness(screen: Locator, label: str) -> float:
    """How thick the picture draws a node, in pixels."""
    node = screen.locator(f".sq-node[aria-label*='{label},'] .sq-bar").first
    return float(node.get_attribute("height") or 0)


def test_sky_shows_what_the_mask_does_to_skill(stage: Page) -> None:
    screen = open_squeezing(stage)
    expect(screen.locator(".sq-head")).to_contain_text("0.701")
    expect(screen.locator(".sq-headline")).to_contain_text("148× too often")
    expect(row(screen, "skill")).to_contain_text("148× too often")
    expect(row(screen, "skill")).to_contain_text("0.0012/0.2512")
    expect(row(screen, "cloud")).to_contain_text("3.4× too rare")
    expect(row(screen, "cloud")).to_contain_text("99.5 %")
    expect(row(screen, "cloud").locator(".sq-badge")).to_have_text("exact")


def test_two_steps_show_the_fraction_that_can_be_checked_by_hand(stage: Page) -> None:
    choose(stage, "Two steps")
    stage.wait_for_function("window.playgroundStage.store.doc().problem.model === 'toy:two-step'")
    screen = open_squeezing(stage)
    expect(row(screen, "Ax")).to_contain_text("0.009/0.109")
    expect(row(screen, "Ax")).to_contain_text("8.3 %")
    expect(screen.locator(".sq-head")).to_contain_text("10.9 %")


def test_the_layers_have_the_thickness_of_their_masses(stage: Page) -> None:
    screen = open_squeezing(stage)
    for layer, share in (("model", 0.6), ("mask", 0.7059), ("exact", 0.00478)):
        screen.locator(f".sq-layer[data-layer={layer}]").click()
        expect(screen.locator(".sq-flow-card")).to_have_attribute("data-layer", layer)
        stage.wait_for_timeout(800)
        got = thickness(screen, "prefix sk") / 340
        assert got == pytest.approx(share, abs=0.012), layer
    expect(screen.locator(".sq-say")).to_contain_text("scaled once")


def test_the_slider_leads_from_local_to_global_renormalisation(stage: Page) -> None:
    screen = open_squeezing(stage)
    slider = screen.get_by_role("slider", name="From local to global renormalisation")
    slider.focus()
    stage.keyboard.press("End")
    expect(screen.locator(".sq-flow-card")).to_have_attribute("data-layer", "exact")
    stage.keyboard.press("Home")
    expect(screen.locator(".sq-flow-card")).to_have_attribute("data-layer", "mask")


def test_an_edited_toy_changes_the_picture_at_once(stage: Page) -> None:
    screen = open_squeezing(stage)
    before = thickness(screen, "whole text cloud")
    weight = screen.locator(".sq-toy").get_by_label(re.compile("Weight of ill, after")).first
    weight.fill("0.98")
    expect(screen.locator(".sq-headline")).not_to_contain_text("148×", timeout=10_000)
    settled(stage)
    expect(row(screen, "skill")).to_contain_text("1.3× too often")
    assert thickness(screen, "whole text cloud") == pytest.approx(before, abs=1)
    stage.locator("#top [data-screen=step]").click()
    expect(stage.locator("#stage .pg-head")).to_contain_text("edited toy")


def test_a_node_is_reached_and_read_by_the_keyboard(stage: Page) -> None:
    screen = open_squeezing(stage)
    screen.locator(".sq-node[tabindex='0']").focus()
    stage.keyboard.press("ArrowRight")
    facts = screen.locator(".sq-facts")
    expect(facts).to_contain_text("sk")
    expect(facts).to_contain_text("60.0 %")
    expect(facts).to_contain_text("70.6 %")
    expect(facts).to_contain_text("0.48 %")
    expect(facts).to_contain_text("0.20 %")
    stage.keyboard.press("ArrowDown")
    expect(facts).to_contain_text("cloud")
    screen.locator(".sq-flow-card").get_by_role("button", name="Table").click()
    expect(screen.get_by_role("region", name="Table of the flow")).to_contain_text("skill")


def test_the_card_of_a_leaf_has_its_identities_and_leads_to_step(stage: Page) -> None:
    screen = open_squeezing(stage)
    row(screen, "skill").locator(".sq-leaf").click()
    card = screen.locator(".sq-identity-card")
    expect(card).to_contain_text("0.0012 / 0.0017 = 0.706")
    expect(card).to_contain_text("0.251 / 0.0017 = 148× too often")
    expect(card).to_contain_text("= 0.251")
    water = screen.locator(".sq-water-card")
    expect(water).to_contain_text("9.0 bits")
    water.get_by_role("button", name="Table").click()
    expect(water.get_by_role("row", name=re.compile("^∏ Z"))).to_contain_text("9.20")
    expect(water.get_by_role("row", name=re.compile("^−log₂ Z"))).to_contain_text("1.99")
    expect(water.locator(".sq-water")).to_be_hidden()
    water.get_by_role("button", name="Table").click()
    expect(water.locator(".sq-water")).to_be_visible()
    screen.get_by_role("button", name="Open in Step").click()
    expect(stage.locator("#stage .pg-where")).to_have_text(re.compile("Step 2 of 3"))
    expect(stage.locator("#stage .pg-mass")).to_contain_text("0.0020")


def test_of_several_runs_the_card_shows_the_one_that_masking_gives_most_often(stage: Page) -> None:
    # `sk`, `ill` after `sk` is rare, `skill` whole is likelier: masking reaches it by `sk`.
    stage.evaluate(
        """() => window.playgroundStage.store.actions.replay(problem => ({
            toy: {...problem.toy, tokens: [...problem.toy.tokens, 'skill'],
                  rules: problem.toy.rules.map((rule, i) => i === 0
                      ? {...rule, p: {...rule.p, skill: 0.2}} : rule)}}))"""
    )
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.toy.tokens.includes('skill')"
    )
    screen = open_squeezing(stage)
    row(screen, "skill").locator(".sq-leaf").click()
    water = screen.locator(".sq-water-say")
    expect(water).to_contain_text("the run that masking gives most often, of 2 found")
    expect(water).to_contain_text("This run: ")
    expect(screen.locator(".sq-identity-card")).to_contain_text("the text’s own p~ sums them all")
    screen.locator(".sq-water-card").get_by_role("button", name="Open in Step").click()
    expect(stage.locator("#stage .pg-where")).to_have_text(re.compile("Step 2 of 3"))


def test_token_sequences_name_the_canonical_one(stage: Page) -> None:
    screen = open_squeezing(stage)
    screen.get_by_role("button", name="token sequences").click()
    run = screen.locator(".sq-runs-row", has_text="ill")
    expect(run).to_contain_text("70.6 %")
    expect(run.locator(".sq-run code")).to_have_text(["sk", "ill"])


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("importance", "Effective sample size"),
        ("rejection", "200 draws"),
        ("cars", "(exact)"),
        ("conditional", "(exact)"),
    ],
)
def test_a_way_back_walks_to_the_diamonds(stage: Page, way: str, words: str) -> None:
    screen = open_squeezing(stage)
    screen.locator(f"[data-fix={way}]").click()
    expect(screen.locator(".sq-fix-says")).to_contain_text(words, timeout=20_000)
    settled(stage, way)
    cloud = screen.locator(".sq-fix-row", has_text="cloud")
    expect(cloud.locator(".sq-badge")).to_have_text("estimated")
    stage.wait_for_timeout(1100)
    places = cloud.evaluate(
        """row => [row.querySelector('.sq-fix-dot'), row.querySelector('.sq-fix-diamond')].map(
            each => each.offsetLeft / each.parentNode.clientWidth)"""
    )
    assert places[0] == pytest.approx(places[1], abs=0.05)


def test_a_sweep_draws_both_curves_and_a_table(stage: Page) -> None:
    screen = open_squeezing(stage)
    screen.get_by_role("button", name="Draw the curves").click()
    expect(screen.locator(".sq-sweep .scatterlayer .trace")).to_have_count(2, timeout=30_000)
    settled(stage, "sweep")
    screen.locator(".sq-sweep-card").get_by_role("button", name="Table").click()
    table = screen.get_by_role("region", name="Table of the sweep")
    expect(table.locator("tbody tr")).to_have_count(8)
    expect(table.get_by_role("row", name=re.compile(r"^1 25\.1"))).to_contain_text("0.701")


def test_hostile_tokens_stay_text_on_every_part_of_the_screen(stage: Page) -> None:
    evil = "<img src=x onerror=pwned=1>${pwned=1}"
    stage.evaluate(
        """evil => window.playgroundStage.store.actions.replay(problem => ({
            toy: {...problem.toy, tokens: [...problem.toy.tokens, evil],
                  rules: problem.toy.rules.map((rule, i) => i === 0
                      ? {...rule, p: {...rule.p, [evil]: 0.4}} : rule)},
            constraint: {...problem.constraint, source: `${problem.constraint.source}\\n${evil}`},
        }))""",
        evil,
    )
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.constraint.source.includes('onerror')"
    )
    # The rail's editor holds what is run.
    stage.locator("#source textarea:visible").fill(f"skill\ncloud\n{evil}")
    screen = open_squeezing(stage)
    expect(row(screen, "onerror")).to_be_visible()
    row(screen, "onerror").locator(".sq-leaf").click()
    screen.get_by_role("button", name="token sequences").click()
    screen.locator("[data-fix=cars]").click()
    settled(stage, "cars")
    screen.locator(".sq-flow-card").get_by_role("button", name="Table").click()
    assert screen.locator("img").count() == 0
    assert stage.evaluate("window.pwned") is None
    expect(screen.locator(".sq-card-leaf")).to_contain_text("<img␣src=x")


def test_a_phone_turns_the_picture_and_never_scrolls_sideways(stage: Page) -> None:
    stage.set_viewport_size({"width": 390, "height": 844})
    screen = open_squeezing(stage)
    expect(screen.locator(".sq-flow-card")).to_have_attribute("data-turned", "")
    screen.locator("[data-fix=importance]").click()
    settled(stage, "importance")
    assert stage.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    bars = screen.locator(".sq-layer").evaluate_all("all => all.map(each => each.clientHeight)")
    assert min(bars) >= 44
    label = screen.locator(".sq-node[aria-label*='prefix sk,'] .sq-bar")
    assert float(label.get_attribute("width") or 0) > 180  # mass runs across, depth down


def test_numbers_left_behind_by_an_error_are_the_old_problems(stage: Page) -> None:
    screen = open_squeezing(stage)
    expect(screen.locator(".sq-badge-large")).to_have_text("exact")
    open_rail_sampling(stage)
    set_number(stage, "temperature", "0")
    expect(screen.get_by_role("alert")).to_contain_text("temperature 0", timeout=15_000)
    expect(screen.locator(".sq-badge-large")).to_have_text("old problem")
    expect(screen.locator(".sq-problem")).to_contain_text("temperature 1")
    expect(row(screen, "cloud").locator(".sq-badge")).to_have_text("old problem")
    expect(screen.locator(".sq-idle")).to_be_hidden()


def test_temperature_zero_is_refused_in_words(stage: Page) -> None:
    open_squeezing(stage)
    stage.locator("#top [data-screen=step]").click()
    stage.evaluate("window.playgroundStage.change({sampling: {temperature: 0}})")
    stage.wait_for_function("window.playgroundStage.store.doc().problem.sampling.temperature === 0")
    expect(stage.locator("#stage .pg-exact-line")).to_contain_text("temperature 0", timeout=10_000)


@NO_MODEL
@pytest.mark.model
def test_a_model_is_asked_first_then_bounded_and_can_be_read_on(stage: Page) -> None:
    choose(stage, "Sky, on the real model")
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.model === 'smollm2'", timeout=120_000
    )
    stage.locator("#top [data-screen=squeezing]").click()
    screen = stage.locator("#squeezing")
    expect(screen.locator(".sq-idle")).to_contain_text("smollm2", timeout=20_000)
    screen.get_by_role("button", name="Look", exact=True).click()
    expect(screen.locator(".sq-row").first).to_be_visible(timeout=60_000)
    settled(stage)
    expect(screen.locator(".sq-badge-large")).to_have_text("bounded")
    expect(screen.locator(".sq-headline")).to_contain_text("too often")
    expect(screen.locator(".sq-open-note")).to_contain_text("not looked into")
    rows = "window.playgroundScreens.squeezing.state.get().doc.exact.rows_used"
    before = stage.evaluate(rows)
    screen.get_by_role("button", name="Read 400 more rows").click()
    stage.wait_for_function(f"{rows} > {before}", timeout=30_000)
    settled(stage)
    screen.locator("[data-fix=rejection]").click()
    expect(screen.locator(".sq-fix-says")).to_contain_text("0 of 40 kept", timeout=60_000)


@NO_MODEL
@pytest.mark.model
def test_stop_keeps_what_a_search_has_found(stage: Page) -> None:
    choose(stage, "Ticket triage")
    stage.wait_for_function(
        "window.playgroundStage.store.doc().problem.model === 'smollm2'", timeout=120_000
    )
    stage.locator("#top [data-screen=squeezing]").click()
    screen = stage.locator("#squeezing")
    screen.get_by_role("button", name="Look", exact=True).click()
    # At the first picture, before the search ends by itself.
    stage.wait_for_function(
        """() => {
            const {state} = window.playgroundScreens.squeezing;
            if (!state.get().doc || !state.running('flow')) return false;
            const stop = document.querySelector('#squeezing .sq-head-actions .pg-button:last-child');
            if (stop.hidden || stop.textContent !== 'Stop') return false;
            stop.click();
            return true;
        }""",
        timeout=60_000,
    )
    settled(stage)
    expect(screen.locator(".sq-head-numbers")).to_contain_text("; stopped")
    expect(screen.locator(".sq-node").first).to_be_visible()
    expect(screen.get_by_role("button", name="Read 400 more rows")).to_be_visible()


def test_step_has_a_third_bar_and_the_future_of_each_token(stage: Page) -> None:
    stage.keyboard.press("Home")
    table = stage.locator("#stage .pg-candidates")
    expect(table.locator(".pg-exact-line")).to_contain_text("F = 25.1 % (exact)", timeout=10_000)
    cloud = table.locator(".pg-row", has_text="cloud")
    expect(cloud.locator(".pg-c-exact")).to_have_text("99.5 %")
    expect(cloud.locator(".pg-c-masked")).to_have_text("29.4 %")
    expect(cloud.locator(".pg-c-future")).to_have_text("100 %")
    expect(table.locator(".pg-row", has_text="sk").locator(".pg-c-future")).to_have_text("0.20 %")
    blocked = table.locator(".pg-row[data-blocked]").first
    expect(blocked.locator(".pg-c-exact")).to_have_text("0 (blocked)")
    lane, diamond = cloud.locator(".pg-lane"), cloud.locator(".pg-diamond")
    ratio = diamond.evaluate("each => parseFloat(each.style.left)")
    assert ratio == pytest.approx(99.5, abs=0.2)
    expect(lane.locator(".pg-stem")).to_be_visible()


def test_order_and_bars_take_the_exact_law_in(stage: Page) -> None:
    stage.keyboard.press("Home")
    table = stage.locator("#stage .pg-candidates")
    expect(table.locator(".pg-exact-line")).to_contain_text("25.1 %", timeout=10_000)
    stage.keyboard.press("o")
    stage.keyboard.press("o")
    expect(table.get_by_role("button", name="by exact")).to_be_visible()
    expect(table.locator(".pg-row .pg-token").first).to_have_text("cloud")
    for _ in range(3):
        stage.keyboard.press("m")
    expect(table).to_have_attribute("data-layer", "exact")
    cloud = table.locator(".pg-row", has_text="cloud")
    expect(cloud.locator(".pg-diamond")).to_be_visible()
    expect(cloud.locator(".pg-solid")).to_be_hidden()
    press(stage, "on")
    expect(table.locator(".pg-c-exact").first).to_be_hidden()
    expect(table).to_have_attribute("data-layer", "both")


def test_an_edit_of_the_toy_changes_the_third_bar(stage: Page) -> None:
    stage.keyboard.press("Home")
    line = stage.locator("#stage .pg-exact-line")
    expect(line).to_contain_text("25.1 %", timeout=10_000)
    panel = stage.locator("#stage .pg-toy")
    panel.get_by_label(re.compile("Weight of ill, after")).first.fill("0.5")
    expect(line).not_to_contain_text("25.1 %", timeout=10_000)
    expect(line).to_contain_text("exact")
