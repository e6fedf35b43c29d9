"""A colour means the same in the charts as on the stage, and can be seen."""

import re
from pathlib import Path

import pytest

from playground.views.theme import PALETTES, Mode

STAGE = Path(__file__).parents[2] / "static" / "stage.css"
SURFACE = {"light": "#ffffff", "dark": "#0f1623"}
VARIABLES = {
    "model": "--pg-raw",
    "masked": "--pg-mask",
    "blocked": "--pg-blocked",
    "exact": "--pg-exact",
    "rejection": "--pg-tried",
    "ink": "--pg-ink",
    "quiet": "--pg-soft",
}


def block(mode: Mode) -> str:
    """The declarations of the stage's variables in one mode."""
    head = r"^\.pg \{" if mode == "light" else r"^\.dark \.pg,\s*\.pg\.dark \{"
    found = re.search(head + r"(.*?)^\}", STAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def luminance(colour: str) -> float:
    """Relative luminance of a hex colour, 0..1, as WCAG defines it."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", PALETTES)
def test_the_stage_uses_the_same_colours(mode: Mode) -> None:
    css = block(mode)
    for field, variable in VARIABLES.items():
        found = re.search(rf"{variable}: (#[0-9a-f]{{6}});", css)
        assert found is not None, variable
        assert found[1].lower() == getattr(PALETTES[mode], field).lower(), field
    surface = re.search(r"--pg-surface: (#[0-9a-f]{6});", css)
    assert surface is not None
    assert surface[1] == SURFACE[mode]


@pytest.mark.parametrize("mode", PALETTES)
def test_marks_and_text_stand_out_from_the_background(mode: Mode) -> None:
    palette, surface = PALETTES[mode], SURFACE[mode]
    marks = (palette.model, palette.masked, palette.blocked, palette.exact, palette.rejection)
    assert min(contrast(colour, surface) for colour in marks) >= 2.99
    assert min(contrast(text, surface) for text in (palette.ink, palette.quiet)) >= 4.5
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
