"""The charts of a comparison: a colour and a shape for each meaning, on one axis of probability."""

from itertools import pairwise

import plotly.graph_objects as go
import pytest

from playground.views.compare import LANES, SYMBOLS, comparison_templates, outcomes_figure
from playground.views.theme import PALETTES


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_law_has_its_colour_and_a_shape_of_its_own(mode) -> None:
    palette = PALETTES[mode]
    model, masked, stem, exact, tried = outcomes_figure(mode=mode).data
    assert model.marker.line.color == palette.model
    assert model.marker.color == "rgba(0,0,0,0)"  # hollow
    assert masked.marker.color == palette.masked
    assert (stem.marker.color, exact.marker.color) == (palette.exact, palette.exact)
    assert exact.marker.symbol == "diamond"
    assert (tried.marker.color, tried.marker.symbol) == (palette.rejection, "circle")
    assert "diamond" not in SYMBOLS
    assert len(set(SYMBOLS)) == len(SYMBOLS)


def test_the_laws_of_one_outcome_stand_in_its_row_and_do_not_overlap() -> None:
    places = sorted(LANES.values())
    assert all(-0.5 < place < 0.5 for place in places)
    assert min(b - a for a, b in pairwise(places)) > 0.18


def test_the_templates_are_plain_figures_that_plotly_accepts() -> None:
    templates = comparison_templates()
    for name in ("outcomes", "cost"):
        for mode in PALETTES:
            go.Figure(templates[name][mode])
    assert templates["outcomes"]["light"]["layout"]["xaxis"]["range"] == [0, 1.02]
