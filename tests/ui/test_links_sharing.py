"""Sharing: the key that copies a link, the sheet with its forms, and the page inside another one."""

import pytest
from playwright.sync_api import Page, expect

from playground import links
from tests.ui.driving import write
from tests.ui.test_links import made


@pytest.mark.browser
def test_s_copies_the_link_and_says_how_long_it_is(stage: Page) -> None:
    stage.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stage.wait_for_function("window.playgroundLinks")
    stage.locator("#stage .pg-strip, #stage").first.click(position={"x": 3, "y": 3})
    stage.keyboard.press("s")
    stage.wait_for_function("location.hash.startsWith('#step?')")
    line = stage.locator(".link-line")
    expect(line).to_have_text(f"Link copied: {len(stage.url)} characters.")
    assert stage.evaluate("navigator.clipboard.readText()") == stage.url
    assert links.unpack(stage.url.partition("?")[2])["d"][0] == "sky"
    # Never while typing.
    copied = stage.url
    write(stage, "Choices", "skill")
    stage.locator("#source textarea").press("s")
    assert stage.url == copied
    expect(stage.locator("#source textarea")).to_have_value("skills")


@pytest.mark.browser
def test_share_offers_the_link_the_embed_code_and_one_without_controls(stage: Page) -> None:
    stage.wait_for_function("window.playgroundLinks")
    stage.locator("#top [data-do=share]").click()
    sheet = stage.get_by_role("dialog", name="Share")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("no server sees")
    expect(sheet.get_by_label("Link", exact=True)).to_have_value(stage.url)
    assert "view=lesson#step?" in sheet.get_by_label("Link without controls").input_value()
    code = sheet.get_by_label("Embed code").input_value()
    assert code.startswith("<iframe src=")
    assert "view=embed#step?" in code
    stage.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


@pytest.mark.browser
def test_a_page_inside_another_has_no_bars_and_a_way_out(stage: Page, app_url: str) -> None:
    url = made(stage)
    stage.evaluate(
        """(src) => { const frame = document.createElement('iframe');
            frame.id = 'inside'; frame.width = 900; frame.height = 600; frame.src = src;
            document.body.prepend(frame); }""",
        url.replace("/#", "/?view=embed#"),
    )
    inside = stage.frame_locator("#inside")
    expect(inside.locator("#stage .pg-verdict")).to_contain_text("VALID", timeout=30_000)
    for hidden in ("#top", "#rail"):
        expect(inside.locator(hidden)).to_be_hidden()
    home = inside.get_by_role("link", name="Open in the playground")
    expect(home).to_be_visible()
    assert home.get_attribute("href") == url
    assert home.get_attribute("target") == "_blank"
    stage.goto(f"{app_url}/?view=lesson")
    expect(stage.locator("#stage .pg-verdict")).to_contain_text("VALID", timeout=30_000)
    for hidden in ("#top", "#rail", "#stage .pg-transport"):
        expect(stage.locator(hidden)).to_be_hidden()
    expect(stage.locator("#stage .pg-candidates")).to_be_visible()
