"""The Study screen, as a visitor uses it: own prompts, Stop and Resume, a reload, the way to Step."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from playground.ui.server import STATIC
from playground.ui.study_asked import MOST_TEXT
from tests.ui.driving import NO_MODEL, chips, where

pytestmark = pytest.mark.browser

STATE = "window.playgroundScreens?.study?.state()"


@pytest.fixture
def study(stage: Page) -> Locator:
    """The screen, with the built-in sets there."""
    stage.locator("#top [data-screen=study]").click()
    stage.wait_for_function(f"() => {STATE}?.sets", timeout=60_000)
    return stage.locator("#study")


def csv(prompts: int) -> str:
    """Own prompts with a gold answer each."""
    return "prompt,gold\n" + "".join(f"p{i},{'Bx' if i % 2 else 'Ax'}\n" for i in range(prompts))


def fill(study: Locator, prompts: str, draws: int = 1, methods: tuple[str, ...] = ()) -> None:
    """Write own prompts and a regex for a toy."""
    study.get_by_role("button", name="My own").click()
    study.get_by_label("Own prompts, CSV or JSONL").fill(prompts)
    study.locator("[name=study-pastedKind]").select_option("regex")
    study.get_by_label("Constraint", exact=True).fill("(A|B)x")
    study.locator("[name=study-model]").select_option("toy:two-step")
    study.locator("[name=study-n]").fill("2500" if len(prompts) < 200 else "160")
    study.locator("[name=study-draws]").fill(str(draws))
    for name in methods:
        study.locator(f"[name=study-method-{name}]").check()


def run(study: Locator) -> None:
    study.locator(".st-run").click()


def finished(page: Page) -> None:
    page.wait_for_function(f"() => {STATE}.doc?.done && !{STATE}.running", timeout=120_000)


def stopped(page: Page) -> None:
    """Stop at the first prompts that are done, in the page, so that no machine ends before the
    press."""
    page.wait_for_function(
        f"""() => {{
            if (!({STATE}.doc?.prompts_done > 0)) return false;
            document.querySelector('#study .st-stop').click();
            return true; }}""",
        timeout=60_000,
    )
    page.wait_for_function(f"() => !{STATE}.running", timeout=60_000)


def step(study: Locator, name: str) -> Locator:
    return study.locator(f".st-step[data-step={name}]")


def section(study: Locator, name: str) -> Locator:
    return study.get_by_role("region", name=name, exact=True)


def test_own_prompts_and_a_regex_make_a_study_with_its_charts(stage: Page, study: Locator) -> None:
    fill(study, csv(12), draws=4, methods=("retry",))
    expect(study.locator(".st-plan")).to_contain_text("12 prompts, 192 outputs", timeout=20_000)
    expect(study.locator(".st-plan")).to_contain_text("an estimate")
    # Without a JSON Schema only the language of the mask can judge.
    expect(study.locator("[name=study-valid]")).to_be_disabled()
    expect(study.locator("[name=study-valid]")).to_have_value("language")
    run(study)
    finished(stage)
    expect(step(study, "results")).to_have_attribute("aria-current", "step")
    valid = section(study, "Valid rate")
    expect(valid).to_contain_text("Clopper-Pearson")
    expect(valid).to_contain_text("Only 12 prompts")
    expect(valid).to_contain_text("strict 48 of 48, 100 %")
    scatter = section(study, "Bits against right and wrong")
    expect(scatter.locator(".st-point")).to_have_count(12)
    expect(scatter).to_contain_text("AUC")
    scatter.get_by_role("button", name="Bits against right and wrong: table").click()
    expect(scatter.get_by_role("row").nth(1)).to_contain_text("0 to below 1 bits")
    assert valid.locator(".st-row-words b").count() == 0  # under 30 prompts no mean is bold
    valid.get_by_role("button", name="Valid rate: table").click()
    expect(valid.get_by_role("row", name=re.compile("^strict"))).to_contain_text("48 of 48")
    expect(valid.locator(".st-chart")).to_be_hidden()
    expect(section(study, "Valid is not right")).to_contain_text("of the valid answers of strict")
    expect(section(study, "Cost of a valid answer")).to_contain_text("strict 3 tokens in 1 run")
    expect(section(study, "What to use")).to_contain_text("rule of thumb")
    expect(section(study, "All outputs")).to_contain_text("192 outputs, page 1 of 10")
    command = section(study, "Take it away").locator(".st-command")
    expect(command).to_have_text(re.compile("^python -m playground study --spec study.jsonl"))
    for name in ("Valid rate", "Valid is not right", "Cost of a valid answer", "Accuracy by field"):
        found = section(study, name)
        assert found.locator(".st-sentence").inner_text()
        assert found.locator("table").count() >= 1


def test_stop_keeps_what_is_done_and_resume_goes_on(stage: Page, study: Locator) -> None:
    fill(study, csv(160), draws=8)
    run(study)
    expect(study.locator(".st-standing").first).to_contain_text("of 160 prompts", timeout=60_000)
    stopped(stage)
    done = stage.evaluate(f"{STATE}.doc.prompts_done")
    assert 0 < done < 160
    expect(study.locator(".st-standing").first).to_contain_text("not finished")
    step(study, "results").click()
    expect(section(study, "Valid rate")).to_contain_text("strict")
    section(study, "The study").get_by_role("button", name="Resume").click()
    finished(stage)
    assert stage.evaluate(f"{STATE}.doc.prompts_done") == 160
    table = section(study, "All outputs")
    expect(table).to_contain_text("3,840 outputs")


def test_a_reload_keeps_the_study_and_goes_on_with_it(
    stage: Page, study: Locator, app_url: str
) -> None:
    fill(study, csv(160), draws=8)
    run(study)
    stage.wait_for_function(f"() => {STATE}.doc?.prompts_done > 0", timeout=60_000)
    link = stage.url
    assert re.search(r"#study\?[\w-]{22}$", link)
    stage.reload()
    stage.wait_for_function(f"() => {STATE}?.doc?.prompts_done > 0", timeout=60_000)
    expect(stage.locator("#study")).to_be_visible()
    held = stage.evaluate(f"{STATE}.doc.prompts_done")
    assert stage.url == link
    # The page that was closed has ended its run: where it is only just ending, a card says so.
    resume = section(stage.locator("#study"), "The study").get_by_role("button", name="Resume")
    for _ in range(20):
        resume.click()
        stage.wait_for_function(
            f"() => {STATE}.error || {STATE}.doc.prompts_done > {held} || !{STATE}.running",
            timeout=60_000,
        )
        if not stage.evaluate(f"Boolean({STATE}.error)"):
            break
        expect(stage.locator("#study .pg-error").first).to_contain_text("running already")
        stage.wait_for_timeout(500)
        step(stage.locator("#study"), "results").click()
    finished(stage)
    assert stage.evaluate(f"{STATE}.doc.prompts_done") == 160


def test_a_bad_csv_is_told_with_its_row_and_loses_nothing(stage: Page, study: Locator) -> None:
    fill(study, "prompt,id\none,1\ntwo,1\n")
    text = study.get_by_label("Own prompts, CSV or JSONL")
    expect(section(study, "Prompts").get_by_role("alert")).to_contain_text(
        "row 3, column id", timeout=20_000
    )
    expect(study.locator(".st-plan").get_by_role("alert")).to_contain_text("stands in row 2")
    expect(study.locator(".st-run")).to_be_disabled()
    expect(text).to_have_value("prompt,id\none,1\ntwo,1\n")
    text.fill("prompt,id\none,1\ntwo,2\n")
    expect(section(study, "Prompts")).to_contain_text("2 prompts, 0 with a gold answer")
    expect(study.locator(".st-run")).to_be_enabled(timeout=20_000)
    study.get_by_label("Constraint", exact=True).fill("(A|B")
    run(study)
    expect(study.locator(".pg-error").first).to_contain_text("never closed", timeout=30_000)
    expect(step(study, "choose")).to_have_attribute("aria-current", "step")
    expect(text).to_have_value("prompt,id\none,1\ntwo,2\n")


def test_a_file_is_read_in_the_page_and_a_large_one_isn_t_sent(
    stage: Page, study: Locator, tmp_path: Path
) -> None:
    study.get_by_role("button", name="My own").click()
    file = tmp_path / "mine.jsonl"
    file.write_text('{"prompt": "one"}\n{"prompt": "two", "gold": 1}\n')
    study.locator("input[type=file]").set_input_files(str(file))
    expect(section(study, "Prompts")).to_contain_text("2 prompts, 1 with a gold answer")
    expect(study.locator(".st-segment[data-value=jsonl]")).to_have_attribute("aria-pressed", "true")
    large = tmp_path / "large.csv"
    large.write_text("prompt\n" + "x" * MOST_TEXT)
    sent: list[int] = []
    stage.on("request", lambda request: sent.append(len(request.post_data or "")))
    study.locator("input[type=file]").set_input_files(str(large))
    expect(section(study, "Prompts").get_by_role("alert")).to_contain_text(f"{MOST_TEXT:,}")
    assert max(sent, default=0) < 100_000


def test_an_output_opens_and_leads_to_step_at_its_path(stage: Page, study: Locator) -> None:
    fill(study, csv(8))
    run(study)
    finished(stage)
    table = section(study, "All outputs")
    table.locator("[name=study-rows-method]").select_option("strict")
    expect(table).to_contain_text("8 outputs")
    table.get_by_role("button", name="Prompt 2, strict: open").click()
    sheet = study.get_by_role("dialog", name="One output")
    expect(sheet).to_contain_text("Prompt 2, strict")
    output = sheet.locator(".st-output").inner_text()
    assert output in ("Ax", "Bx")
    stage.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    table.get_by_role("button", name="Prompt 2, strict: open").click()
    sheet.get_by_role("button", name="Open in Step").click()
    expect(stage.locator("body")).to_have_attribute("data-screen", "step")
    expect(where(stage)).to_contain_text("of 3", timeout=30_000)
    assert "".join(chips(stage)[:2]) == output
    # The rail holds the same problem, so that Start goes on with it.
    expect(stage.locator("#model input")).to_have_value("toy:two-step")
    expect(stage.locator("#preset input")).to_have_value("Your own")


def test_files_are_saved_by_the_browser(stage: Page, study: Locator) -> None:
    fill(study, csv(8))
    run(study)
    finished(stage)
    for kind, name, begins in (
        ("csv", "study-rows.csv", b"\xef\xbb\xbfindex"),
        ("parquet", "study-rows.parquet", b"PAR1"),
        ("json", "study-summary.json", b"{"),
        ("html", "study-report.html", b"<!"),
        ("settings", "study.jsonl", b'{"v":'),
    ):
        with stage.expect_download() as saved:
            section(study, "Take it away").locator(f"[data-kind={kind}]").click()
        assert saved.value.suggested_filename == name
        assert Path(saved.value.path()).read_bytes().startswith(begins)


def test_q_over_temperature_and_top_p_is_asked_on_demand(stage: Page, study: Locator) -> None:
    fill(study, csv(16))
    run(study)
    finished(stage)
    sweep = section(study, "q over temperature or top-p")
    sweep.get_by_role("button", name="Ask again").click()
    stage.wait_for_function(f"() => {STATE}.sweep?.done", timeout=60_000)
    expect(sweep.locator(".st-row-name", has_text="T = ")).to_have_count(5)
    stage.wait_for_function(f"() => !{STATE}.running", timeout=60_000)
    sweep.get_by_label("Vary").select_option("top_p")
    sweep.get_by_role("button", name="Ask again at top-p").click()
    stage.wait_for_function(
        f"() => {STATE}.sweep?.over === 'top_p' && {STATE}.sweep.done", timeout=60_000
    )
    expect(sweep.locator(".st-row-name", has_text="top-p = ")).to_have_count(5)
    expect(sweep).to_contain_text("Clopper-Pearson")
    expect(section(study, "Valid rate")).to_contain_text("strict 16 of 16")


def test_markup_in_prompts_outputs_and_names_is_text(stage: Page, study: Locator) -> None:
    hostile = "<img src=x onerror=window.broken=1>"
    fill(study, f'prompt,id,gold\n"{hostile}","{hostile}","{hostile}"\n')
    expect(section(study, "Prompts")).to_contain_text(hostile)
    run(study)
    finished(stage)
    table = section(study, "All outputs")
    expect(table).to_contain_text(hostile)
    table.locator(".st-rows .pg-link").first.click()
    expect(study.get_by_role("dialog")).to_contain_text(hostile)
    assert stage.evaluate("window.broken") is None
    assert study.locator("img").count() == 0


def test_the_rail_s_constraint_can_be_taken(stage: Page, study: Locator) -> None:
    section(study, "What a valid answer is").get_by_role("button", name="The rail’s").click()
    expect(section(study, "What a valid answer is")).to_contain_text("choices, engine bytes")
    expect(section(study, "What a valid answer is").locator(".pg-snippet")).to_contain_text("skill")


def test_what_was_chosen_stays_when_the_screen_is_left(stage: Page, study: Locator) -> None:
    fill(study, csv(8))
    stage.locator("#top [data-screen=step]").click()
    stage.keyboard.press("6")
    expect(study).to_be_visible()
    expect(study.get_by_label("Constraint", exact=True)).to_have_value("(A|B)x")
    assert stage.evaluate("location.hash") == "#study"


def test_a_link_to_a_study_that_is_gone_says_so(stage: Page, app_url: str) -> None:
    stage.goto(f"{app_url}/#study?{'a' * 22}")
    stage.reload()
    expect(stage.locator("#study .pg-error").first).to_contain_text(
        "isn't kept here any more", timeout=30_000
    )
    assert stage.evaluate("location.hash") == "#study"


def test_a_recording_is_offered_where_there_is_one(stage: Page, study: Locator) -> None:
    there = (STATIC / "study" / "recorded.jsonl").is_file()
    expect(study.get_by_role("button", name="Run a small one")).to_be_visible()
    button = study.get_by_role("button", name="Show a recorded study")
    if not there:
        expect(button).to_be_hidden()
        return
    button.click()
    expect(section(study, "The study")).to_contain_text("recorded", timeout=60_000)
    expect(section(study, "Valid rate")).to_contain_text("Clopper-Pearson")


def test_nothing_scrolls_sideways_at_any_step(stage: Page, study: Locator) -> None:
    fill(study, csv(8), draws=2, methods=("retry",))
    study.locator("[name=study-exactRows]").fill("20")
    run(study)
    finished(stage)
    roles = "button|combobox|checkbox|textbox|spinbutton"
    for width in (390, 768, 1280):
        stage.set_viewport_size({"width": width, "height": 844})
        for name in ("choose", "run", "results"):
            step(study, name).click()
            stage.wait_for_timeout(300)
            assert stage.evaluate("document.documentElement.scrollWidth") <= width, name
            tabs = stage.locator("#top .top-tab").evaluate_all(
                "(tabs) => tabs.map((tab) => [tab.scrollWidth, tab.clientWidth])"
            )
            assert all(inside <= box for inside, box in tabs), (width, name)
        lines = study.aria_snapshot().splitlines()
        unnamed = [line for line in lines if re.match(rf'\s*- ({roles})(?! ")', line)]
        assert unnamed == [], width


@NO_MODEL
def test_a_few_tickets_run_on_a_real_model_by_one_press(stage: Page, study: Locator) -> None:
    study.locator("[name=study-maxTokens]").fill("8")
    study.get_by_role("button", name="Run a small one").click()
    stage.wait_for_function(f"() => {STATE}.doc?.done && !{STATE}.running", timeout=600_000)
    expect(section(study, "The study")).to_contain_text("8 of 8 prompts")
    expect(section(study, "Valid rate")).to_contain_text("strict")
    command = section(study, "Take it away").locator(".st-command")
    expect(command).to_contain_text("--prompts builtin:tickets")
