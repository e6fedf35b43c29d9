"""`python -m playground demo`: lists, shows, records and checks lessons, in words and as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from playground.cli import main
from playground.cli.demo_text import failures
from playground.lessons.recording import timeless
from playground.lessons.shelf import RECORDED, load_lessons
from playground.views.checks import found, wanted


def report(capsys: pytest.CaptureFixture[str], *args: str, status: int = 0) -> dict[str, Any]:
    """The strict JSON document of `demo` with these arguments."""
    assert main(["demo", *args, "--json"]) == status
    out = capsys.readouterr().out

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not strict JSON")

    document: dict[str, Any] = json.loads(out, parse_constant=refuse)
    assert document["action"] == args[0]
    return document


@pytest.fixture
def own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A teacher's own lesson in a file, with its recording."""
    form = report(capsys, "show", "two-step")["form"]
    form["lesson"]["slug"] = "my-own"
    path = tmp_path / "own.json"
    path.write_text(json.dumps(form))
    return path


def changed(path: Path, value: float) -> str:
    """The file with another value in the first check of its first claim."""
    form = json.loads(path.read_text())
    form["lesson"]["claims"][0]["checks"][0]["value"] = value
    path.write_text(json.dumps(form))
    return str(path)


def test_every_lesson_is_listed_in_the_order_of_the_menu(capsys) -> None:
    rows = report(capsys, "list")["lessons"]
    assert [row["slug"] for row in rows] == list(load_lessons())
    (first,) = [row for row in rows if row["slug"] == "two-step"]
    assert (first["kind"], first["recorded"], first["proved"]) == ("toy", True, first["claims"])
    assert main(["demo", "list"]) == 0
    assert "two-step" in capsys.readouterr().out


def test_a_lesson_is_shown_with_the_numbers_of_its_claims(capsys) -> None:
    assert main(["demo", "show", "two-step"]) == 0
    out = capsys.readouterr().out
    assert "masked-of of 'Ax' near 0.9 within 1e-09; found 0.9" in out
    assert " 1. The model takes A nine times in ten." in out
    assert "answer: 90 %" in out


def test_the_handout_is_written_as_one_file(capsys, tmp_path: Path) -> None:
    path = tmp_path / "handout.html"
    assert report(capsys, "show", "two-step", "--html", str(path))["html"] == str(path)
    assert path.read_text().startswith("<!doctype html>")


def test_a_recorded_lesson_is_checked_and_found_again(capsys, tmp_path: Path) -> None:
    folder = str(tmp_path / "recorded")
    (done,) = report(capsys, "record", "two-step", "--folder", folder)["lessons"]
    written = json.loads(Path(done["file"]).read_text())
    assert Path(done["file"]).stat().st_size == done["bytes"]
    assert timeless(written) == timeless(json.loads((RECORDED / "two-step.json").read_text()))
    (checked,) = report(capsys, "check", "two-step", "--folder", folder)["lessons"]
    assert all(claim["holds"] for claim in checked["claims"])
    (provenance,) = checked["provenance"]
    assert provenance["model"] == "toy:two-step"


def test_a_claim_that_fails_is_told_in_words_with_status_1(capsys, own: Path) -> None:
    name = changed(own, 0.8)
    assert main(["demo", "check", name]) == 1
    out = capsys.readouterr().out
    assert (
        "FAILS 'The model takes A 90 % of the time, and both A and B are allowed.': "
        "p of 'A' at step 0 near 0.8 within 1e-09; found 0.9" in out
    )
    assert "my-own                   3 of 4 claims proved" in out
    (lesson,) = report(capsys, "check", name, status=1)["lessons"]
    assert [claim["holds"] for claim in lesson["claims"]] == [False, True, True, True]


def test_a_check_on_the_model_doesnt_believe_the_recording(capsys, own: Path) -> None:
    form = json.loads(own.read_text())
    step = form["recording"]["scenes"]["popular"]["page"]["steps"][0]
    (row,) = [row for row in step["candidates"] if row["text"] == "A"]
    row["p"] = 0.8
    own.write_text(json.dumps(form))
    assert main(["demo", "check", str(own)]) == 1
    assert main(["demo", "check", str(own), "--live"]) == 0
    assert main(["demo", "check", "--live", str(own)]) == 0


def test_a_teachers_own_lesson_keeps_its_recording_in_its_file(capsys, own: Path) -> None:
    form = json.loads(own.read_text())
    own.write_text(json.dumps({**form, "recording": None}))
    assert main(["demo", "check", str(own)]) == 1
    assert "there is no recording" in capsys.readouterr().out
    assert main(["demo", "record", str(own)]) == 0
    written = json.loads(own.read_text())
    assert timeless({**written["recording"], "slug": ""}) == timeless(
        {**form["recording"], "slug": ""}
    )
    assert main(["demo", "check", str(own)]) == 0


def test_a_lesson_without_a_recording_isnt_proved(capsys, tmp_path: Path) -> None:
    (lesson,) = report(capsys, "check", "two-step", "--folder", str(tmp_path), status=1)["lessons"]
    assert failures(lesson) == ["there is no recording: python -m playground demo record two-step"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["show", "nope"], "There is no lesson called 'nope'"),
        (["show", "no/where.json"], "can't be read"),
        (["check", "nope"], "There is no lesson called 'nope'"),
        (["record"], "What is to be recorded?"),
        (["record", "two-step", "--all"], "What is to be recorded?"),
        (["show", "two-step", "--html", "/nowhere/at/all.html"], "can't be written"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(capsys, args, words) -> None:
    assert main(["demo", *args]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("args", [[], ["play"], ["show"], ["list", "two-step"], ["list", "--live"]])
def test_a_call_that_cannot_be_read_ends_with_status_2(capsys, args) -> None:
    with pytest.raises(SystemExit) as left:
        main(["demo", *args])
    assert left.value.code == 2


def test_a_file_that_is_no_lesson_is_told(capsys, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"v": 1, "lesson": {"slug": "x"}}')
    assert main(["demo", "show", str(path)]) == 2
    assert "missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ({"found": {"lower": 0.1, "upper": 0.2}}, "between 0.1 and 0.2"),
        ({"found": {"lower": 0.1, "upper": None}}, "between 0.1 and inf"),
        ({"found": {"lower": 0.1, "upper": 0.1}}, "0.1"),
        ({"found": True}, "True"),
        ({"found": "A"}, "'A'"),
        ({"found": None, "why": "no step"}, "nothing: no step"),
    ],
)
def test_what_was_found_is_said_as_it_is(check, words) -> None:
    assert found(check) == words


def test_what_was_wanted_names_the_fact_its_place_and_the_value() -> None:
    check = {
        "fact": "p",
        "of": "A",
        "step": 2,
        "scene": "s",
        "relation": "<",
        "value": 0.5,
        "within": 0,
    }
    assert wanted(check) == "p of 'A' at step 2 in s < 0.5"
