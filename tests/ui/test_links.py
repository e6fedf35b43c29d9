"""A link brings back what was on screen, in a browser that has never been here, and tells no server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from playground import links
from tests.ui.driving import chips, set_number, start, where, write

STEP = """() => { const store = window.playgroundStage.store;
    return {lanes: store.lanes().map(({name, forkAt, steps}) =>
                [name, forkAt, steps.map(({taken}) => taken.text)]),
            lane: store.lane().name, cursor: store.cursor(), log: store.view().log,
            order: store.view().order, error: store.error(), problem: store.doc().problem}; }"""
MAKE = "window.playgroundLinks.make()"


def made(page: Page) -> str:
    """A link to what is on screen."""
    page.wait_for_function("window.playgroundLinks")
    link: dict[str, Any] = page.evaluate(MAKE)
    assert link["length"] == len(link["url"])
    assert not link["tooLong"]
    return str(link["url"])


@contextmanager
def elsewhere(browser: Browser, url: str) -> Iterator[Page]:
    """The link in a browser of its own; afterwards nothing broke, and no address that was asked for
    has anything of the state in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    broken: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(url)
    yield page
    assert not broken
    state = url.partition("?")[2] if "#" in url else ""
    pieces = [state[at : at + 12] for at in range(0, max(1, len(state) - 12), 6)] if state else []
    assert asked
    assert not [each for each in asked if any(piece in each for piece in pieces)]
    context.close()


def opened(page: Page, name: str) -> None:
    """Wait until the screen's link has been opened."""
    page.wait_for_function(f"window.playgroundScreens?.{name}", timeout=30_000)
    expect(page.locator("body")).to_have_attribute("data-screen", name)


def of_screen(page: Page, name: str, told: str) -> Any:
    """What a screen's state says."""
    get = ".state.get()" if name == "squeezing" else ".state()"
    return page.evaluate(f"(({{ {told} }}) => [{told}])(window.playgroundScreens.{name}{get})")


def hash_of(state: dict[str, Any], screen: str = "step") -> str:
    return f"#{screen}?{links.pack(state)}"


@pytest.mark.browser
def test_a_forked_run_opens_elsewhere_at_the_same_step_and_branch(
    stage: Page, browser: Browser
) -> None:
    stage.evaluate(
        """async () => { const {actions, shown, set} = window.playgroundStage.store;
            actions.go(0);
            await actions.take(shown().candidates.find(({text}) => text === 'cloud').id);
            actions.go(1);
            await actions.next();
            actions.selectLane(window.playgroundStage.store.lanes()[0].id);
            actions.selectLane(window.playgroundStage.store.lanes()[1].id);
            actions.go(1);
            set({log: true, order: 'masked'}); }"""
    )
    here = stage.evaluate(STEP)
    assert [len(lane) for lane in here["lanes"]] == [3, 3]
    assert here["lane"] == "B"
    assert here["cursor"] == 1
    # A reload comes back to it, though the address says nothing; only in this tab.
    stage.wait_for_function("window.playgroundLinks")
    stage.reload()
    stage.wait_for_function("window.playgroundStage?.store.lanes().length === 2")
    stage.wait_for_function(
        f"(here) => JSON.stringify(({STEP})()) === here",
        arg=json.dumps(here, ensure_ascii=False, separators=(",", ":")),
    )
    assert "#" not in stage.url
    expect(stage.locator("#source textarea")).to_have_value("skill\ncloud")
    url = made(stage)
    assert len(url) < 300
    with elsewhere(browser, url) as page:
        page.wait_for_function("window.playgroundStage?.store.lanes().length === 2")
        assert page.evaluate(STEP) == here
        expect(where(page)).to_contain_text("Step 2 of 2")
        assert chips(page)[0] == "cloud"
        expect(page.locator("#model input")).to_have_value("toy:sky")
        expect(page.locator("#source textarea")).to_have_value("skill\ncloud")
        expect(page.locator(".link-box")).to_be_hidden()
        # A reload shows it again.
        page.reload()
        page.wait_for_function("window.playgroundStage?.store.lanes().length === 2")
        assert page.evaluate(STEP) == here
        # Another problem is not what the address says: it loses the link, and the page goes on.
        write(page, "Choices", "skill\nsky")
        start(page)
        page.wait_for_function("location.hash === ''")
        page.locator("#stage .pg-step").click()
        expect(where(page)).to_contain_text("Step 1 of 1")


@pytest.mark.browser
def test_what_was_edited_travels_and_stays_data(stage: Page, browser: Browser) -> None:
    stage.evaluate(
        """async () => { const {doc, actions} = window.playgroundStage.store;
            const toy = structuredClone(doc().problem.toy);
            toy.tokens[1] = '<img src=x onerror="window.hurt=1">${1}';
            toy.rules.forEach((rule) => { if (rule.p) rule.p = {[toy.tokens[1]]: 1}; });
            await actions.replay({toy: {...toy, rules: [{p: {[toy.tokens[1]]: .5, sk: .5}}]},
                constraint: {...doc().problem.constraint, kind: 'free', source: ''}}, {path: []}); }"""
    )
    here = stage.evaluate(STEP)
    assert here["error"] is None
    assert "onerror" in here["problem"]["toy"]["tokens"][1]
    with elsewhere(browser, made(stage)) as page:
        page.wait_for_function(
            "window.playgroundStage?.store.doc()?.problem.toy?.tokens[1].includes('onerror')"
        )
        assert page.evaluate(STEP)["problem"] == here["problem"]
        assert page.evaluate("window.hurt") is None
        assert page.locator("#stage img").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize(
    ("tail", "words"),
    [
        ("#step?", "can’t be read"),
        ("#step?nonsense", "can’t be read"),
        (hash_of({"d": ["sky", "2d62ca"]})[:-7], "can’t be read"),
        ("#compare?%3Cscript%3E", "can’t be read"),
        ("#step?" + "A" * 40_000, "at most 32,000 are read"),
        (hash_of({"v": 99}), "newer version"),
        (hash_of({"v": 0}), "older version"),
        (hash_of({"d": ["sky", "000000"]}), "has changed"),
        (hash_of({"d": ["gone", "000000"]}), "doesn’t have"),
        (hash_of({"p": {"sampling": {"temperature": -3}}}), "temperature"),
        (hash_of({"p": {"model": "toy:none"}}), "can't be chosen"),
        (hash_of({"l": "x"}), "holds a run"),
        (hash_of({"chosen": ["x"]}, "decisions"), ""),
        (hash_of({"type": "<script>"}, "decisions"), "holds a decision"),
        (hash_of({"form": 7}, "study"), "holds a study"),
        (hash_of({"f": {"chosen": [7]}}, "compare"), "holds a comparison"),
    ],
    ids=lambda value: value[:30],
)
def test_a_link_that_is_none_gives_a_card_and_the_page_goes_on(
    browser: Browser, app_url: str, tail: str, words: str
) -> None:
    with elsewhere(browser, "about:blank") as page:
        page.goto(app_url + "/" + tail)
        page.wait_for_function("window.playgroundStage?.store.doc()", timeout=30_000)
        card = page.locator(".link-box .pg-error")
        if words:
            expect(card).to_contain_text(words)
            card.get_by_role("button", name="Dismiss").click()
        expect(card).to_be_hidden()
        page.evaluate("window.playgroundShell.screen('step')")
        page.locator("#stage .pg-card").first.wait_for()
        error = page.locator("#stage .pg-error").get_by_role("button", name="Dismiss")
        if error.is_visible():
            error.click()
        expect(page.locator("#stage .pg-verdict")).to_contain_text("VALID")
        page.evaluate("window.playgroundStage.store.actions.go(0)")
        expect(where(page)).to_contain_text("Step 1 of 2")


@pytest.mark.browser
def test_a_token_that_the_model_does_not_have_ends_the_run_in_words(
    browser: Browser, app_url: str
) -> None:
    with elsewhere(browser, f"{app_url}/{hash_of({'l': [[[0, 10**6, 0]]]})}") as page:
        note = page.locator("#stage .pg-doc-note")
        expect(note).to_contain_text("cut after 1 of 3 tokens", timeout=30_000)
        expect(where(page)).to_contain_text("Step 1 of 1")


@pytest.mark.browser
def test_another_revision_is_said_and_never_silently_other_numbers(
    stage: Page, app_url: str
) -> None:
    url = made(stage)
    state = links.unpack(url.partition("?")[2])
    stage.goto("about:blank")
    stage.goto(f"{app_url}/{hash_of({**state, 'r': '0123456789ab'})}")
    note = stage.locator(".link-note")
    expect(note).to_contain_text("This link was made with toy:sky, revision 0123456789ab")
    expect(note).to_contain_text(f"the numbers here are of revision {state['r']}")
    expect(note.get_by_role("button", name="Run again")).to_be_hidden()
    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()


@pytest.mark.browser
def test_a_recording_is_shown_as_such_and_can_be_run_again(stage: Page, app_url: str) -> None:
    url = made(stage)
    # The server has no recording of another revision: the page is given what it would answer.
    stage.evaluate(
        """() => { const {store} = window.playgroundStage, real = window.playgroundStage.openLink;
            window.playgroundStage.openLink = async (state, how = {}) => {
              if (how.live) return real.call(window.playgroundStage, state, how);
              const doc = store.doc();
              window.playgroundStage.update({...doc, link: {run: 'r', made: 'abc', recorded: 'Sky'},
                provenance: {...doc.provenance, kind: 'recorded', revision: 'abc'}});
              return null; }; }"""
    )
    stage.evaluate("(url) => { location.hash = new URL(url).hash; }", url)
    note = stage.locator(".link-note")
    expect(note).to_contain_text("you see the recording of the lesson “Sky”")
    badge = stage.locator("#stage .pg-head-side .pg-badge")
    expect(badge).to_have_text("recorded")
    note.get_by_role("button", name="Run again with the current model").click()
    expect(badge).to_have_text("toy")


@pytest.mark.browser
def test_the_forms_of_the_other_screens_come_back(
    stage: Page, browser: Browser, app_url: str
) -> None:
    set_seed = "3"
    stage.locator("#rail").get_by_role("button", name="Sampling").click()
    set_number(stage, "seed", set_seed)
    forms = {
        "compare": ("chosen, n, accept", """(screen) => {
            document.querySelectorAll('#compare .cmp-size')[0].click();
            const accept = document.querySelector('#cmp-accept');
            accept.value = 'syntax'; accept.dispatchEvent(new Event('change')); }"""),
        "squeezing": ("leaf, picked, byRuns, t", """({state}) => state.set(
            {leaf: state.get().doc.exact.texts.at(-1).text, picked: true, t: 2, byRuns: true})"""),
        "levels": ("source, n, attempts, steps", """() => {
            document.querySelectorAll('#levels .lv-size')[0].click();
            const source = document.querySelector('#lv-source');
            source.selectedIndex = 1; source.dispatchEvent(new Event('change')); }"""),
        "study": ("form", "({openLink}) => openLink({form: {n: 7, methods: ['strict']}})"),
        "decisions": ("type, text, example, place, mode, normalised", """() => {
            const text = document.querySelector('#decisions .dc-text');
            text.value = 'Mine: <b>${1}'; text.dispatchEvent(new Event('input'));
            document.querySelectorAll('#decisions .dc-place')[2].click(); }"""),
    }  # fmt: skip
    for name, (told, change) in forms.items():
        stage.locator(f"#top [data-screen={name}]").click()
        opened(stage, name)
        if name == "squeezing":
            stage.wait_for_function("window.playgroundScreens.squeezing.state.get().doc")
        stage.evaluate(f"({change})(window.playgroundScreens.{name})")
        here = of_screen(stage, name, told)
        url = made(stage)
        assert url.startswith(f"{app_url}/#{name}?")
        with elsewhere(browser, url) as page:
            opened(page, name)
            page.wait_for_function(
                f"(here) => JSON.stringify((({{ {told} }}) => [{told}])"
                f"(window.playgroundScreens.{name}.state{'.get' if name == 'squeezing' else ''}()))"
                " === here",
                arg=json.dumps(here, ensure_ascii=False, separators=(",", ":")),
                timeout=20_000,
            )
            expect(page.locator(".link-box")).to_be_hidden()
            if name in ("compare", "squeezing", "levels"):
                seed = "() => window.playgroundStage.store.doc().problem.sampling.seed === 3"
                page.wait_for_function(seed)
                page.locator("#rail").get_by_role("button", name="Sampling").click()
                expect(page.locator("#seed input[type=number]")).to_have_value(set_seed)
            if name == "levels":
                expect(page.locator("#levels .lv-begin")).to_be_visible()


@pytest.mark.browser
def test_back_leads_to_what_was_there_and_opens_no_link_twice(stage: Page) -> None:
    stage.wait_for_function("window.playgroundLinks")
    stage.evaluate("window.playgroundLinks.copy()")
    stage.wait_for_function("location.hash.startsWith('#step?')")
    stage.evaluate("window.playgroundStage.store.actions.go(0)")
    stage.locator("#top [data-screen=levels]").click()
    opened(stage, "levels")
    stage.go_back()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    stage.wait_for_timeout(500)
    assert stage.evaluate("window.playgroundStage.store.cursor()") == 0, "it is where it was left"
    assert stage.evaluate("location.hash").startswith("#step?")
