"""The sweep's chart: two curves told apart by colour and shape, with what is proved as error bars."""

import plotly.graph_objects as go
import pytest

from playground.views.squeezing import NAMES, sweep_figure, sweep_templates
from playground.views.theme import PALETTES

POINTS = [
    {
        "value": 0.5,
        "q": {"lower": 0.14, "upper": 0.14},
        "tv": {"lower": 0.852, "upper": 0.852},
        "status": "exact",
    },
    {
        "value": 1.0,
        "q": {"lower": 0.2, "upper": 0.3},
        "tv": {"lower": 0.6, "upper": 0.8},
        "status": "bounded",
    },
]


@pytest.mark.parametrize("mode", list(PALETTES))
def test_each_curve_has_a_colour_and_a_shape_of_its_own(mode) -> None:
    q, tv = sweep_figure(POINTS, mode=mode).data
    assert (q.line.color, tv.line.color) == (PALETTES[mode].model, PALETTES[mode].exact)
    assert q.marker.symbol != tv.marker.symbol
    assert q.line.dash != tv.line.dash


def test_error_bars_reach_exactly_to_the_proved_bounds() -> None:
    for key, curve in zip(("q", "tv"), sweep_figure(POINTS).data, strict=True):
        for point, y, half in zip(POINTS, curve.y, curve.error_y.array, strict=True):
            assert y - half == pytest.approx(point[key]["lower"])
            assert y + half == pytest.approx(point[key]["upper"])
    assert [row[1] for row in sweep_figure(POINTS).data[0].customdata] == ["exact", "bounded"]


def test_the_templates_are_plain_figures_that_plotly_accepts() -> None:
    for mode in PALETTES:
        figure = go.Figure(sweep_templates()[mode])
        assert len(figure.data) == 2
        assert figure.layout.yaxis.range == (-0.02, 1.02)


def test_the_axis_is_named_after_the_parameter() -> None:
    for parameter, name in NAMES.items():
        assert sweep_figure(POINTS, parameter).layout.xaxis.title.text == name
