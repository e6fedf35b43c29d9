"""The charts of one run: bits a step with their total, and entropy before and after the mask.

A Step record is a JSON object as the browser gets it; these figures read `bits`, `z`,
`entropy_before`, `entropy_after` and `taken`. The browser draws the same figures: it takes
`figure_templates()` and fills x, y and customdata.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from playground.views.numbers import bits, chance_of_bits, probability, visible
from playground.views.theme import PALETTES, Mode, Palette

Record = Mapping[str, Any]

LABEL_LENGTH = 24
"""Longest token label on a chart, in characters."""


def timeline_figure(records: Sequence[Record], *, mode: Mode = "light") -> go.Figure:
    """Bars: the bits of each step, -log2 Z_t. Line, right axis: their running total.

    x is the step from 1, y is in bits. A step without bits (Z_t = 0) is a gap, and so is the
    total after it.
    """
    palette = PALETTES[mode]
    x = [index + 1 for index in range(len(records))]
    spent = [record["bits"] for record in records]
    total = running_total(spent)
    rows = [
        [plotly_text(token_label(record["taken"])), bits_words(record), total_words(sum_)]
        for record, sum_ in zip(records, total, strict=True)
    ]
    figure = go.Figure(layout=_layout(palette, "bits at this step", len(records)))
    figure.add_bar(
        name="bits at this step",
        x=x,
        y=spent,
        customdata=rows,
        marker={"color": palette.quiet, "line": {"width": 0}},
        hovertemplate="Step %{x}: took %{customdata[0]}<br>%{customdata[1]}"
        "<br>so far: %{customdata[2]}<extra></extra>",
    )
    figure.add_scatter(
        name="total so far",
        x=x,
        y=total,
        yaxis="y2",
        customdata=rows,
        mode="lines+markers",
        line={"color": palette.ink, "width": 2, "shape": "linear"},
        marker={"symbol": "diamond", "size": 6, "color": palette.ink},
        hoverinfo="skip",  # the bars speak for both
    )
    figure.update_layout(
        bargap=0.35,
        yaxis2={
            **_axis(palette, "total bits"),
            "overlaying": "y",
            "side": "right",
            "showgrid": False,
            "rangemode": "tozero",
            "tickmode": "auto",
        },
    )
    return figure


def entropy_figure(records: Sequence[Record], *, mode: Mode = "light") -> go.Figure:
    """Two lines: the entropy of model p, and of what is left after the mask, at each step.

    x is the step from 1, y is in bits.
    """
    palette = PALETTES[mode]
    x = [index + 1 for index in range(len(records))]
    rows = [[plotly_text(token_label(r["taken"])), entropy_words(r)] for r in records]
    hover = "Step %{x}: took %{customdata[0]}<br>%{customdata[1]}<extra></extra>"
    figure = go.Figure(layout=_layout(palette, "entropy, bits", len(records)))
    figure.add_scatter(
        name="model",
        x=x,
        y=[record["entropy_before"] for record in records],
        customdata=rows,
        mode="lines+markers",
        line={"color": palette.model, "width": 2, "dash": "dash"},
        marker={"symbol": "circle-open", "size": 8, "line": {"width": 2}},
        hovertemplate=hover,
    )
    figure.add_scatter(
        name="after mask",
        x=x,
        y=[record["entropy_after"] for record in records],
        customdata=rows,
        mode="lines+markers",
        line={"color": palette.masked, "width": 2},
        marker={"symbol": "square", "size": 7},
        hoverinfo="skip",
    )
    # The right margin is that of the timeline, whose second axis needs it: the steps line up.
    return figure


def figure_templates() -> dict[str, dict[str, Any]]:
    """Both figures without data, as plain JSON: `{figure: {mode: {"data", "layout"}}}`."""
    figures = {"timeline": timeline_figure, "entropy": entropy_figure}
    return {
        name: {mode: json.loads(figure([], mode=mode).to_json()) for mode in PALETTES}
        for name, figure in figures.items()
    }


def running_total(spent: Sequence[float | None]) -> list[float | None]:
    """Sums of the bits so far; None from the first step whose Z_t is 0."""
    total: float | None = 0.0
    sums: list[float | None] = []
    for amount in spent:
        total = None if total is None or amount is None else total + amount
        sums.append(total)
    return sums


def bits_words(record: Record) -> str:
    """What the mask cost at one step, as a line of plotly text."""
    if record["bits"] is None:
        if record["dead"]:
            return "allowed mass Z = 0: the mask left the model nothing"
        return (
            "allowed mass Z = 0: the filters keep only blocked tokens,<br>"
            "but the mask comes first here"
        )
    return plotly_text(f"allowed mass Z = {probability(record['z'])}, {bits(record['bits'])}")


def total_words(total: float | None) -> str:
    """The running product of Z_t, as a line of plotly text."""
    if total is None:
        return "product of Z = 0"
    return plotly_text(f"product of Z = {chance_of_bits(total)}, {bits(total)}")


def entropy_words(record: Record) -> str:
    """What the mask did to the model's certainty at one step, as a line of plotly text."""
    before, after = record["entropy_before"], record["entropy_after"]
    change = after - before
    if abs(change) < 0.005:
        effect = "the mask changed little"
    elif change < 0:
        effect = "the mask made it look more certain"
    else:
        effect = "the mask made it less certain"
    amounts = plotly_text(f"{bits(before)} before, {bits(after)} after")
    return f"entropy {amounts}:<br>{effect}"


def token_label(token: Mapping[str, Any]) -> str:
    """A TokenDoc's text with blanks made visible, cut to LABEL_LENGTH."""
    text = visible(str(token["text"])) or "∅"
    return text if len(text) <= LABEL_LENGTH else text[: LABEL_LENGTH - 1] + "…"


def plotly_text(text: str) -> str:
    """`text` as plotly will show it: its strings are pseudo-HTML with entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _layout(palette: Palette, title: str, n: int) -> dict[str, Any]:
    return {
        "template": "none",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 13, "family": "inherit"},
        "height": 200,
        "margin": {"l": 52, "r": 56, "t": 26, "b": 40},
        "hovermode": "x",
        "dragmode": False,
        "hoverlabel": {"align": "left", "font": {"size": 14, "family": "inherit"}},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "xaxis": {
            **_axis(palette, "step"),
            "range": [0.4, max(n, 1) + 0.6],
            "dtick": tick(n),
            "tick0": 0,
            "tickformat": "d",
            "showgrid": False,
        },
        "yaxis": {**_axis(palette, title), "rangemode": "tozero"},
    }


def tick(n: int) -> int:
    """Steps between two labels of the x axis, for n steps: about ten labels."""
    return next((size for size in (1, 2, 5, 10, 20, 50, 100) if n <= 12 * size), 200)


def _axis(palette: Palette, title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"color": palette.quiet, "size": 12}},
        "tickfont": {"color": palette.quiet},
        "gridcolor": palette.grid,
        "zeroline": False,
        "fixedrange": True,
    }
