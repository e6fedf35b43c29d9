"""The pieces that a handout is put together from: escaped texts, elements, tables, numbers in words."""

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from playground.views.numbers import DASH, probability

Scenes = Mapping[str, Any]
"""Recorded scenes by name."""


def text(value: object) -> str:
    """`value` as text that can stand in an element or an attribute."""
    return html.escape(str(value), quote=True)


def element(tag: str, inner: str = "", **attributes: str) -> str:
    """An element around markup; `class_` is class, `data_step` is data-step, values are escaped."""
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{given}>{inner}</{tag}>"


def section(title: str, inner: str, **attributes: str) -> str:
    """A section with its heading; nothing where it is empty."""
    return element("section", element("h2", text(title)) + inner, **attributes) if inner else ""


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts: the first of each row is its head, the others are numbers."""
    body = "".join(
        element(
            "tr",
            element("th", text(first), scope="row")
            + "".join(element("td", text(cell)) for cell in rest),
        )
        for first, *rest in rows
    )
    head = "".join(element("th", text(each), scope="col") for each in heads)
    return element(
        "table",
        element("caption", text(caption))
        + element("thead", element("tr", head))
        + element("tbody", body),
    )


def hidden_answer(summary: str, inner: str) -> str:
    """Markup that is hidden until it is opened, and never printed."""
    return element("details", element("summary", text(summary)) + inner, class_="answer")


def between(bounds: Mapping[str, float | None] | None) -> str:
    """A probability between two bounds, in words; one number where both print alike."""
    return _both(bounds, probability)


def times(bounds: Mapping[str, float | None] | None) -> str:
    """The squeeze s in words, as the page prints it: `148× too often`, `48 to 49× too rare`."""
    if bounds is None or bounds["lower"] is None:
        return DASH
    lower = bounds["lower"]
    upper = math.inf if bounds["upper"] is None else bounds["upper"]
    if lower >= 0.995 and upper <= 1.005:
        return "just right"
    if lower >= 1:
        least = upper == math.inf
        return f"{f'at least {_factor(lower)}' if least else _span(lower, upper)}× too often"
    if upper <= 1:
        if lower > 0:
            return f"{_span(1 / upper, 1 / lower)}× too rare"
        return f"at least {_factor(1 / upper)}× too rare" if upper > 0 else "never given"
    low = "0" if lower <= 0 else f"{lower:.2g}"
    return f"{low} to {_factor(upper)}× as often as it should be"


def _span(low: float, high: float) -> str:
    """Two factors, or one where they print alike."""
    first, last = _factor(low), _factor(high)
    return first if first == last else f"{first} to {last}"


def _factor(x: float) -> str:
    """A factor: `1,549`, `12`, `3.4`, `1.02`."""
    if x == math.inf:
        return "∞"
    if x >= 1e6:
        mantissa, exponent = f"{x:.1e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    if x >= 100:
        return f"{math.floor(x + 0.5):,}"
    return f"{float(f'{x:.3g}' if x < 1.095 else f'{x:.2g}'):g}"


def _both(bounds: Mapping[str, float | None] | None, words: Any) -> str:
    if bounds is None or bounds["lower"] is None:
        return DASH
    low = str(words(bounds["lower"]))
    high = "∞" if bounds["upper"] is None else str(words(bounds["upper"]))
    return low if low == high else f"{low} to {high}"


def how(status: str) -> str:
    """What a status says of the numbers beside it."""
    return {
        "exact": "exact",
        "bounded": "bounded: the truth lies between the two numbers",
        "estimated": "estimated from the draws",
    }.get(status, status)


def scene_of(lesson: Mapping[str, Any], beat: int) -> str:
    """The name of the scene that beat number `beat`, from 0, shows."""
    named = [each["scene"] for each in lesson["beats"][: beat + 1] if each["scene"] is not None]
    return str(named[-1] if named else next(iter(lesson["scenes"])))


def provenance_of(scenes: Scenes) -> list[str]:
    """Which models and weights made the numbers, each once."""
    found = []
    for scene in scenes.values():
        of = scene["page"]["provenance"]
        kind = "toy" if of.get("kind") == "toy" else "recorded"
        words = [kind, of.get("model"), of.get("revision"), of.get("dtype")]
        words += [f"engine {of['engine']}" if of.get("engine") else None]
        words += [f"version {of['app']}" if of.get("app") else None]
        found.append(" ".join(str(each) for each in words if each))
    return list(dict.fromkeys(found)) or ["not recorded"]
