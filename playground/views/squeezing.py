"""The sweep's chart: q and TV as a sampling parameter moves, each point with its bounds."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from playground.views.numbers import probability
from playground.views.theme import PALETTES, Mode, Palette

Point = Mapping[str, Any]
NAMES = {"temperature": "temperature", "top_p": "top-p"}


def sweep_figure(
    points: Sequence[Point], parameter: str = "temperature", *, mode: Mode = "light"
) -> go.Figure:
    """Two lines over one parameter: q, the chance that an unconstrained draw is valid, and the
    total variation between p~ and p_V. Both lie in 0..1; error bars reach to the proved bounds.

    Args:
        points: as `Proofs.sweep` gives them: value, q, tv, status.
        parameter: `temperature` or `top_p`.
        mode: light or dark.
    """
    palette = PALETTES[mode]
    figure = go.Figure(layout=_layout(palette, NAMES[parameter]))
    for name, key, look in (
        ("q: valid without a mask", "q", _look(palette.model, "circle-open", "dash")),
        ("TV(p~, p_V)", "tv", _look(palette.exact, "diamond", "solid")),
    ):
        middles = [(point[key]["lower"] + point[key]["upper"]) / 2 for point in points]
        halves = [(point[key]["upper"] - point[key]["lower"]) / 2 for point in points]
        figure.add_scatter(
            name=name,
            x=[point["value"] for point in points],
            y=middles,
            error_y={**look.pop("error"), "array": halves},
            customdata=[[_between(point[key]), point["status"]] for point in points],
            hovertemplate=f"{name}: %{{customdata[0]}}<br>%{{customdata[1]}}<extra></extra>",
            **look,
        )
    return figure


def sweep_templates() -> dict[str, Any]:
    """The figure without data, as plain JSON: `{mode: {"data", "layout"}}`."""
    return {mode: json.loads(sweep_figure([], mode=mode).to_json()) for mode in PALETTES}


def _between(bounds: Mapping[str, float]) -> str:
    low, high = probability(bounds["lower"]), probability(bounds["upper"])
    words = low if low == high else f"{low} to {high}"
    return words.replace("<", "&lt;").replace(">", "&gt;")


def _look(color: str, symbol: str, dash: str) -> dict[str, Any]:
    return {
        "mode": "lines+markers",
        "line": {"color": color, "width": 2, "dash": dash},
        "marker": {"symbol": symbol, "size": 9, "color": color, "line": {"width": 2}},
        "error": {"type": "data", "color": color, "thickness": 1.5, "width": 4},
    }


def _layout(palette: Palette, title: str) -> dict[str, Any]:
    axis = {
        "tickfont": {"color": palette.quiet},
        "gridcolor": palette.grid,
        "zeroline": False,
        "fixedrange": True,
    }
    return {
        "template": "none",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 13, "family": "inherit"},
        "height": 260,
        "margin": {"l": 52, "r": 16, "t": 34, "b": 44},
        "hovermode": "x unified",
        "dragmode": False,
        "hoverlabel": {"align": "left", "font": {"size": 14, "family": "inherit"}},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "xaxis": {**axis, "title": {"text": title, "font": {"color": palette.quiet, "size": 12}}},
        "yaxis": {**axis, "range": [-0.02, 1.02], "tickformat": ".0%", "dtick": 0.25},
    }
