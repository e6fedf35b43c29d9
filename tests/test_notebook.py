"""What a notebook gets: the command line's numbers, figures with caption and provenance, one HTML file."""

import json
import subprocess
import sys

import plotly.graph_objects as go
import pytest

import playground
from playground.cli import main
from playground.errors import InvalidInput
from playground.lessons.recording import timeless
from playground.session import Playground
from playground.settings import Settings
from playground.views.theme import PALETTES


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture
def two_step(shared: Playground):
    return playground.open(
        model="toy:two-step", regex="(A|B)x", chat=False, seed=3, playground=shared
    )


def printed(capsys, *args: str) -> dict:
    flags = ["--model", "toy:two-step", "--regex", "(A|B)x", "--raw-prompt", "", "--seed", "3"]
    assert main([args[0], *flags, *args[1:], "--json"]) == 0
    return timeless(json.loads(capsys.readouterr().out))


def plain(report: dict) -> dict:
    return timeless(json.loads(json.dumps(report)))


def test_importing_the_package_loads_nothing() -> None:
    code = (
        "import sys, playground; print(len([m for m in sys.modules if m.startswith('playground')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
    code = "import sys; from playground import open; print('torch' in sys.modules, 'gradio' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        _ = playground.close


def test_each_report_is_the_document_of_the_command_line(two_step, capsys) -> None:
    assert plain(two_step.step(run=2).report) == printed(capsys, "step", "--run", "2")
    assert plain(two_step.follow("Ay").report) == printed(capsys, "step", "--follow", "Ay")
    assert plain(two_step.exact(tolerance=0).report) == printed(
        capsys, "exact", "--tolerance", "0", "--seconds", "60"
    )
    compared = two_step.compare("masked", "rejection", n=30, seconds=600.0)
    assert plain(compared.report) == printed(
        capsys, "compare", "--methods", "masked,rejection", "--n", "30"
    )


def test_the_captions_say_what_was_found_and_of_which_model(two_step) -> None:
    run, law = two_step.follow("Ax"), two_step.exact(tolerance=0)
    assert run.caption == "'Ax': accepted, and the mask cost 6.6 bits in all."
    assert law.caption == "Z is 0.109 and TV(p~, p_V) is 0.8174 (exact)."
    assert run.provenance.startswith("toy: toy:two-step, ")
    assert run.provenance.endswith("bytes")


@pytest.mark.parametrize("mode", list(PALETTES))
def test_a_figure_has_the_numbers_its_caption_and_a_colour_of_its_own(two_step, mode) -> None:
    run = two_step.follow("Ax")
    figure = run.figure_bits(mode=mode)
    assert list(figure.data[0].y) == [step["bits"] for step in run.page["steps"]]
    (note,) = figure.layout.annotations
    assert "accepted" in note.text
    assert "toy:two-step" in note.text
    assert figure.layout.paper_bgcolor == {"light": "#ffffff", "dark": "#0b0f19"}[mode]
    assert figure.data[1].line.color == PALETTES[mode].ink
    assert figure.layout.margin.b >= 40 + 18 * note.text.count("<br>")
    assert isinstance(run.figure_entropy(mode=mode), go.Figure)


@pytest.mark.parametrize("mode", list(PALETTES))
def test_the_laws_of_a_comparison_stand_between_their_bounds(two_step, mode) -> None:
    found = two_step.compare("masked", "rejection", n=40)
    figure = found.figure_outcomes(mode=mode)
    names = found.report["outcomes"]
    traces = {trace.name: trace for trace in figure.data}
    proved = {text["text"]: text for text in found.report["exact"]["texts"]}
    for name, key in (("model", "p"), ("after mask", "masked"), ("exact", "p_V")):
        trace = traces[name]
        for at, text in enumerate(names):
            low, high = (proved[text][key][side] for side in ("lower", "upper"))
            assert trace.x[at] - trace.error_x.arrayminus[at] == pytest.approx(low)
            assert trace.x[at] + trace.error_x.array[at] == pytest.approx(high)
    for method in found.report["methods"].values():
        drawn = traces[f"{method['title']}: drawn"]
        assert list(drawn.x) == [text["value"] for text in method["texts"]]
        for at, text in enumerate(method["texts"]):
            assert drawn.x[at] + drawn.error_x.array[at] == pytest.approx(text["p"]["upper"])
    symbols = [
        traces[f"{each['title']}: drawn"].marker.symbol for each in found.report["methods"].values()
    ]
    assert len(set(symbols)) == len(symbols)
    assert figure.layout.yaxis.tickvals == tuple(range(len(names)))


def test_a_sweep_is_bounded_at_each_value(two_step) -> None:
    found = two_step.sweep("temperature", 2.0, 0.5)
    assert [point["value"] for point in found.report["points"]] == [0.5, 2.0]
    assert list(found.figure_sweep().data[0].x) == [0.5, 2.0]
    assert found.caption == "temperature at 2 values, 2 of them exact."


def test_a_run_is_one_html_file_whose_script_stays_in_its_frame(shared, tmp_path) -> None:
    hostile = "</script><script>alert(1)</script>\"' onload=x"
    run = playground.open(
        model="toy:sky", prompt=hostile, choices=["sky"], chat=False, playground=shared
    ).follow("sky")
    page = run.save_html(tmp_path / "run.html").read_text(encoding="utf-8")
    assert "alert(1)</script>" not in page
    shown = run._repr_html_()
    assert "<script" not in shown
    assert 'sandbox="allow-scripts"' in shown
    assert shown.count('"') == 6  # of the frame's three attributes: nothing ends the page's early


def test_constraints_are_taken_as_python_has_them(shared) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}
    examined = playground.open(schema=schema, playground=shared).schema('{"a": true}')
    assert examined["verdict"]["status"] == "valid"
    assert playground.open(choices=["b", "a"], playground=shared).spec.constraint.source == "b\na"
    assert playground.open(grammar='start: "a"', playground=shared).spec.constraint.engine == "auto"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"regex": "a", "choices": ["a"]}, "two constraints: regex and choices"),
        ({"regex": 3}, "The regex is a int"),
        ({"choices": [1]}, "The choices is a list"),
        ({"temperature": -1}, "temperature is -1"),
        ({"max_tokens": 10**6}, "max tokens"),
        ({"colour": "red"}, "no setting called colour"),
    ],
)
def test_what_cannot_be_used_is_told_in_words(asked, words) -> None:
    with pytest.raises(InvalidInput, match=words):
        playground.open(**asked)


def test_a_comparison_that_cannot_be_made_is_told_in_words(two_step) -> None:
    with pytest.raises(InvalidInput, match="magic"):
        two_step.compare("magic")
    with pytest.raises(InvalidInput, match="at least 1"):
        two_step.compare("masked", n=0)
