"""Figures that leave the page: with their caption and provenance, on a colour of their own."""

import textwrap
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from playground.views.compare import LANES, SYMBOLS, outcomes_figure
from playground.views.numbers import visible
from playground.views.theme import PALETTES, Mode
from playground.views.timeline import plotly_text

Figure = go.Figure
"""For those who must not import plotly."""
BACKGROUND: Mapping[Mode, str] = {"light": "#ffffff", "dark": "#0b0f19"}
CHARACTERS = 90
"""In a line of the caption."""
LINE = 18
"""Height of one, pixels."""
ROW = 46
"""Height of an outcome, pixels."""
LABEL = 22
"""Longest outcome on the axis, characters."""


def captioned(figure: go.Figure, caption: str, provenance: str, *, mode: Mode) -> go.Figure:
    """`figure` on the colour of its mode, `caption` and `provenance` below it."""
    palette = PALETTES[mode]
    lines = [line for text in (caption, provenance) for line in textwrap.wrap(text, CHARACTERS)]
    margin = figure.layout.margin
    room = LINE * len(lines) + 8
    figure.update_layout(
        paper_bgcolor=BACKGROUND[mode],
        font={"family": "system-ui, sans-serif"},
        height=(figure.layout.height or 300) + room,
        margin={"b": (margin.b or 40) + room},
    )
    figure.add_annotation(
        text="<br>".join(plotly_text(line) for line in lines),
        xref="paper",
        yref="paper",
        x=0,
        y=0,
        yshift=-(margin.b or 40),
        xanchor="left",
        yanchor="top",
        align="left",
        showarrow=False,
        font={"size": 12, "color": palette.ink},
    )
    return figure


def laws_figure(report: Mapping[str, Any], *, mode: Mode = "light") -> go.Figure:
    """The outcomes of a comparison: p and p~ as bars, p_V as a diamond, each between its proved
    bounds; the share of every method's draws as a dot in its 95 % interval.

    Args:
        report: a comparison's document.
        mode: light or dark.
    """
    figure = outcomes_figure(mode=mode)
    names = list(report["outcomes"])
    proved = {text["text"]: text for text in (report["exact"] or {"texts": []})["texts"]}
    rows = list(range(len(names)))
    model, masked, stem, exact, dots = figure.data
    for trace, key, lane in (
        (model, "p", 0.0),
        (masked, "masked", 0.0),
        (exact, "p_V", LANES["exact"]),
    ):
        bounds = [proved[name][key] if name in proved else None for name in names]
        _place(trace, rows, lane, bounds)
    stem.x, stem.y = exact.x, rows
    figure.data = [model, masked, stem, exact]
    for at, method in enumerate(report["methods"].values()):
        drawn = go.Scatter(dots.to_plotly_json()).update(
            name=f"{method['title']}: drawn", marker={"symbol": SYMBOLS[at % len(SYMBOLS)]}
        )
        texts = method["texts"]
        spread = 0.2 * (at / max(1, len(report["methods"]) - 1) - 0.5)
        _place(drawn, rows, LANES["tried"] + spread, [text["p"] for text in texts])
        drawn.x = [text["value"] for text in texts]
        _errors(drawn, [text["p"] for text in texts])
        figure.add_trace(drawn)
    labels = [visible(name) or "∅" for name in names]
    figure.update_layout(
        height=ROW * max(1, len(rows)) + 90,
        showlegend=True,
        margin={"t": 40},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        yaxis={
            "range": [len(rows) - 0.5, -0.5],
            "tickvals": rows,
            "ticktext": [
                plotly_text(textwrap.shorten(each, LABEL, placeholder="…") or each[:LABEL])
                for each in labels
            ],
        },
    )
    return figure


def _place(
    trace: Any, rows: list[int], lane: float, bounds: list[Mapping[str, Any] | None]
) -> None:
    """Bars and diamonds stand at the middle of what is proved."""
    trace.y = [row + lane for row in rows]
    trace.x = [None if each is None else (each["lower"] + each["upper"]) / 2 for each in bounds]
    trace.customdata = [
        "" if each is None else f"{trace.name}: {each['lower']:.4g} to {each['upper']:.4g}"
        for each in bounds
    ]
    _errors(trace, bounds)


def _errors(trace: Any, bounds: list[Mapping[str, Any] | None]) -> None:
    pairs = list(zip(trace.x, bounds, strict=True))
    trace.error_x.array = [0 if b is None else max(0.0, b["upper"] - x) for x, b in pairs]
    trace.error_x.arrayminus = [0 if b is None else max(0.0, x - b["lower"]) for x, b in pairs]
