"""The charts hold the record's numbers, and say them in words."""

import json
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from playground.views.theme import PALETTES
from playground.views.timeline import (
    entropy_figure,
    figure_templates,
    plotly_text,
    running_total,
    tick,
    timeline_figure,
    token_label,
)

CHARTS = Path(__file__).parents[2] / "static" / "stage" / "charts.js"


def record(
    text: str, z: float, before: float = 1.5, after: float = 0.25, dead: bool = False
) -> dict[str, Any]:
    """A Step record with what the charts read."""
    return {
        "taken": {"id": 1, "text": text, "hex": text.encode().hex(), "special": False},
        "z": z,
        "bits": -math.log2(z) if z > 0 else None,
        "dead": dead,
        "entropy_before": before,
        "entropy_after": after,
    }


SKY = [record("sk", 0.85), record("ill", 0.002), record("<eos>", 1.0, 0.0, 0.0)]
NASTY = [
    record("<b>&lt;\n", 0.5),
    record("%{x} ", 0.0, dead=True),
    record("a" * 60, 0.25, 0.1, 2.0),
]
MASK_FIRST = [record("B", 0.0)]


def test_the_timeline_shows_each_steps_bits_and_their_running_total() -> None:
    bars, line = timeline_figure(SKY).data
    assert list(bars.x) == [1, 2, 3]
    assert list(bars.y) == pytest.approx([0.2345, 8.9658, 0.0], abs=1e-4)
    assert list(line.y) == pytest.approx([0.2345, 9.2003, 9.2003], abs=1e-4)
    assert 2 ** -line.y[-1] == pytest.approx(0.85 * 0.002)


def test_the_hover_says_the_step_in_words() -> None:
    bars, _ = timeline_figure(SKY).data
    assert bars.customdata[1][1] == "allowed mass Z = 0.20 %, 9.0 bits"
    assert bars.customdata[1][2] == "product of Z = 0.17 %, 9.2 bits"


def test_entropy_before_and_after_are_the_records_and_differ_by_more_than_colour() -> None:
    before, after = entropy_figure(NASTY).data
    assert list(before.y) == [1.5, 1.5, 0.1]
    assert list(after.y) == [0.25, 0.25, 2.0]
    assert before.marker.symbol != after.marker.symbol
    assert before.line.dash == "dash"
    assert "more certain" in before.customdata[0][1]
    assert "less certain" in before.customdata[2][1]


def test_a_step_without_mass_is_a_gap_and_ends_the_product() -> None:
    assert running_total([1.0, None, 2.0]) == [1.0, None, None]
    bars, line = timeline_figure(NASTY).data
    assert list(bars.y)[1] is None
    assert list(line.y)[1:] == [None, None]
    assert bars.customdata[1][1].endswith("the mask left the model nothing")


def test_a_z_of_0_where_the_mask_comes_first_is_not_told_as_a_dead_end() -> None:
    said = timeline_figure(MASK_FIRST).data[0].customdata[0][1]
    assert "the mask comes first here" in said
    assert "nothing" not in said


def test_a_hostile_token_stays_text_on_a_chart() -> None:
    label = timeline_figure(NASTY).data[0].customdata[0][0]
    assert "<" not in label
    assert label == "&lt;b&gt;&amp;lt;↵"
    assert plotly_text("a & b < c") == "a &amp; b &lt; c"


def test_a_long_token_is_cut_and_an_empty_one_is_seen() -> None:
    assert len(token_label({"text": "a" * 60})) == 24
    assert token_label({"text": ""}) == "∅"


@pytest.mark.parametrize("n", [0, 1, 12, 13, 40, 500, 5000])
def test_the_axis_has_about_ten_labels(n: int) -> None:
    assert n / tick(n) <= 25
    assert n <= 12 or n / tick(n) > 4


def test_templates_are_the_figures_without_data_and_safe_on_any_background() -> None:
    templates = figure_templates()
    json.dumps(templates, allow_nan=False)
    for name in ("timeline", "entropy"):
        for mode, palette in PALETTES.items():
            layout = templates[name][mode]["layout"]
            assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
            assert layout["font"]["color"] == palette.ink
            assert all(trace["x"] == [] for trace in templates[name][mode]["data"])
    assert (
        len(json.dumps(templates)) < 12_000
    )  # the default plotly template would be ten times that


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the browser's code")
def test_the_browser_fills_in_the_same_numbers_and_words() -> None:
    steps = [*SKY, *MASK_FIRST, *NASTY]
    script = f"""
        import {{ chartColumns, chartTick }} from {json.dumps(CHARTS.as_uri())};
        console.log(JSON.stringify([chartColumns({json.dumps(steps)}),
          [0, 1, 13, 40, 500, 5000].map(chartTick)]));
    """
    node = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    columns, ticks = json.loads(node.stdout)
    bars, line = timeline_figure(steps).data
    before, after = entropy_figure(steps).data
    assert columns["x"] == list(bars.x)
    assert columns["bits"] == list(bars.y)
    assert columns["total"] == list(line.y)
    assert columns["before"] == list(before.y)
    assert columns["after"] == list(after.y)
    assert columns["spent"] == [list(row) for row in bars.customdata]
    assert columns["changed"] == [list(row) for row in before.customdata]
    assert ticks == [tick(n) for n in (0, 1, 13, 40, 500, 5000)]
