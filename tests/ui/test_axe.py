"""axe-core on every screen, in light and dark, on a desk and on a phone: nothing serious, nothing critical."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.ui.scenes import SCENES

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (390, 844))
EXCLUDED: dict[str, str] = {}
"""Nodes of Gradio's that can't be mended from here: selector -> why. There are none."""
STILL = "*, *::before, *::after { transition: none !important; animation: none !important; }"
"""A colour on its way to another one is neither."""


def violations(page: Page) -> list[str]:
    """What axe-core holds against the page as it is: a line a node."""
    context = {"exclude": list(EXCLUDED)} if EXCLUDED else None
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary']}"
        for rule in Axe().run(page, context=context).response["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scene", SCENES)
def test_axe_finds_nothing_serious(stage: Page, scene: str) -> None:
    stage.add_style_tag(content=STILL)
    SCENES[scene](stage)
    found: dict[str, list[str]] = {}
    for width, height in SIZES:
        stage.set_viewport_size({"width": width, "height": height})
        for dark in (False, True):
            stage.evaluate("(dark) => document.body.classList.toggle('dark', dark)", dark)
            stage.wait_for_timeout(150)
            found[f"{width} px, {'dark' if dark else 'light'}"] = violations(stage)
    assert not any(found.values()), found


def test_axe_does_find_what_is_wrong(stage: Page) -> None:
    assert violations(stage) == []
    stage.evaluate(
        """() => document.querySelector('#top .top-bar').insertAdjacentHTML('beforeend',
            '<button style="color: #bbb; background: #ccc">pale</button><button></button>')"""
    )
    assert {line.partition(" ")[0] for line in violations(stage)} == {
        "color-contrast",
        "button-name",
    }
