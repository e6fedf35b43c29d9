"""The colours by meaning, for light and dark, so that a colour says the same on every chart."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Hex colours by meaning. Marks keep 3:1 against the background; text is always ink.

    The six meanings were searched for the largest smallest distance over normal and
    colour-blind sight; each also has a shape of its own, so colour never carries it alone.
    """

    model: str
    """Raw p, what the model wanted: hollow bars, open markers, dashes."""
    masked: str
    """What constrained decoding draws from: solid bars and lines."""
    blocked: str
    """Tokens the mask removes: hatch, strike-through, cross."""
    exact: str
    """p_V: lollipop with a diamond."""
    rejection: str
    """Tried and kept: dots with error bars."""
    ink: str
    """Text, and the frame of the taken token."""
    quiet: str
    """Axis text, and bars of bits, which are about no token; 4.5:1 against the background."""
    grid: str
    """Grid lines, as rgba so that they work on any background."""


LIGHT = Palette(
    model="#8E93A3",
    masked="#0699FC",
    blocked="#EF5C0E",
    exact="#165D41",
    rejection="#921E95",
    ink="#111827",
    quiet="#4B5563",
    grid="rgba(100,116,139,0.22)",
)

DARK = Palette(
    model="#757982",
    masked="#1681F9",
    blocked="#FD6B1C",
    exact="#20D88C",
    rejection="#DD9BE8",
    ink="#F9FAFB",
    quiet="#B1BAC8",
    grid="rgba(148,163,184,0.24)",
)

PALETTES: dict[Mode, Palette] = {"light": LIGHT, "dark": DARK}
