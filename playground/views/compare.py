"""The charts of a comparison: outcomes under every law on one axis, and what was kept of the tries.

The browser draws them: it takes `comparison_templates()` and fills x, y, error bars and hover texts.
"""

import json
from typing import Any

import plotly.graph_objects as go

from playground.views.theme import PALETTES, Mode, Palette

LANES = {"model": -0.30, "masked": -0.10, "exact": 0.12, "tried": 0.32}
"""Where each law stands inside its outcome's row, as a share of it."""
SYMBOLS = ("circle", "square", "triangle-up", "cross", "x", "star", "hexagon", "pentagon")
"""One for each method that tends to p_V, in the order of their columns: colour says "tried and
kept", the shape says by which method."""


def outcomes_figure(*, mode: Mode = "light") -> go.Figure:
    """Horizontal bars and lollipops, one row an outcome. x is a probability 0..1, linear.

    Traces in order: model (hollow bar), after mask (solid bar), the stems of exact, exact (diamond),
    tried and kept (dots; the browser repeats the last for every method).
    """
    palette = PALETTES[mode]
    figure = go.Figure(layout=_layout(palette))
    hover: dict[str, Any] = {"hovertemplate": "%{customdata}<extra></extra>"}
    figure.add_bar(
        name="model",
        orientation="h",
        width=0.18,
        offset=LANES["model"] - 0.09,
        marker={"color": "rgba(0,0,0,0)", "line": {"color": palette.model, "width": 2}},
        error_x=_error(palette.model),
        **hover,
    )
    figure.add_bar(
        name="after mask",
        orientation="h",
        width=0.18,
        offset=LANES["masked"] - 0.09,
        marker={"color": palette.masked, "line": {"width": 0}},
        error_x=_error(palette.ink),
        **hover,
    )
    figure.add_bar(
        name="exact, stem",
        orientation="h",
        width=0.035,
        offset=LANES["exact"] - 0.0175,
        marker={"color": palette.exact, "line": {"width": 0}},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.add_scatter(
        name="exact",
        mode="markers",
        marker={"symbol": "diamond", "size": 11, "color": palette.exact},
        error_x=_error(palette.exact),
        **hover,
    )
    figure.add_scatter(
        name="tried and kept",
        mode="markers",
        marker={"symbol": "circle", "size": 8, "color": palette.rejection},
        error_x=_error(palette.rejection),
        **hover,
    )
    figure.update_layout(
        barmode="overlay",
        margin={"l": 150, "r": 18, "t": 8, "b": 40},
        xaxis={**_axis(palette, "probability"), "range": [0, 1.02], "tickformat": ".1~f"},
        yaxis={
            **_axis(palette, ""),
            "autorange": False,
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": 13},
            "ticks": "",
        },
        hovermode="closest",
    )
    return figure


def cost_figure(*, mode: Mode = "light") -> go.Figure:
    """What was kept of the draws tried: x the draws (log), y how many of them were accepted.

    Traces in order: the band of the plain draws, their line, the line of another method (the browser
    repeats it with another dash for every further one).
    """
    palette = PALETTES[mode]
    figure = go.Figure(layout=_layout(palette))
    hover: dict[str, Any] = {
        "hovertemplate": "%{fullData.name}: %{y} kept of %{x} tried<extra></extra>"
    }
    figure.add_scatter(
        name="95 % of the kept, Wilson",
        mode="lines",
        fill="toself",
        fillcolor=_faint(palette.rejection),
        line={"width": 0},
        hoverinfo="skip",
    )
    figure.add_scatter(
        name="tried and kept",
        mode="lines",
        line={"color": palette.rejection, "width": 2.5},
        **hover,
    )
    figure.add_scatter(
        name="another method", mode="lines", line={"color": palette.quiet, "width": 2}, **hover
    )
    figure.update_layout(
        height=260,
        margin={"l": 56, "r": 18, "t": 8, "b": 42},
        xaxis={**_axis(palette, "draws tried (logarithmic axis)"), "type": "log", "dtick": "D2"},
        yaxis={**_axis(palette, "kept"), "rangemode": "tozero"},
        hovermode="closest",
    )
    return figure


def comparison_templates() -> dict[str, Any]:
    """Both figures without data, as plain JSON `{figure: {mode: {"data", "layout"}}}`, and where the
    laws stand in a row (`lanes`) and the methods' `symbols`."""
    figures = {"outcomes": outcomes_figure, "cost": cost_figure}
    return {
        **{
            name: {mode: json.loads(figure(mode=mode).to_json()) for mode in PALETTES}
            for name, figure in figures.items()
        },
        "lanes": LANES,
        "symbols": SYMBOLS,
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.16)"


def _error(colour: str) -> dict[str, Any]:
    return {"type": "data", "symmetric": False, "color": colour, "thickness": 1.6, "width": 4}


def _layout(palette: Palette) -> dict[str, Any]:
    return {
        "template": "none",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 13, "family": "inherit"},
        "dragmode": False,
        # The page has a legend of its own, of meanings, which wraps where the page is narrow.
        "showlegend": False,
        "hoverlabel": {"align": "left", "font": {"size": 13, "family": "inherit"}},
    }


def _axis(palette: Palette, title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"color": palette.quiet, "size": 12}},
        "tickfont": {"color": palette.quiet},
        "gridcolor": palette.grid,
        "zeroline": False,
        "fixedrange": True,
    }
