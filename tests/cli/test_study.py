"""`python -m playground study`: the report, its files, sweeps, the command that it prints."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from playground.cli import main
from playground.cli.study_text import _auc
from tests.cli.studies import FILES, PROMPTS, report, rows_in, toy


def test_a_toy_study_from_a_csv_end_to_end(capsys: Any, prompts: str, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    document = report(capsys, *toy(prompts, "--out", str(out), "--exact-rows", "50"))
    assert {path.name for path in out.iterdir()} == FILES
    assert document == json.loads((out / "summary.json").read_text())
    assert document["done"] is True
    assert document["spec"]["valid"] == "language", "a regex has no schema to judge by"
    summary = document["summary"]
    assert (summary["prompts"], summary["rows"]) == (PROMPTS, 3 * PROMPTS)
    by_label = {method["label"]: method for method in summary["methods"]}
    assert by_label["strict"]["valid"]["value"] == 1
    assert summary["z"]["lower"] == pytest.approx(0.109)
    assert (out / "rows.csv").read_bytes().count(b"\r\n") == 1 + 3 * PROMPTS
    assert (out / "report.html").read_text().startswith("<!doctype html>")


def test_the_table_for_people_names_methods_intervals_and_the_command(
    capsys: Any, prompts: str
) -> None:
    assert main(toy(prompts)) == 0
    out = capsys.readouterr().out
    for words in ("ask", "strict", "parallel-3", "95 % interval", "By the rule of thumb", "100 %"):
        assert words in out
    command = out.strip().splitlines()[-1]
    assert command.startswith("again: python -m playground study --prompts ")


def test_the_printed_command_gives_the_same_rows(capsys: Any, prompts: str, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    document = report(capsys, *toy(prompts, "--out", str(first), "--seed", "3", "--top-k", "3"))
    words = shlex.split(document["command"].replace(str(first), str(second)))
    assert words[:3] == ["python", "-m", "playground"]
    again = report(capsys, *words[3:])
    assert again["summary"] == document["summary"]
    assert rows_in(first) == rows_in(second)


def test_a_sweep_tabulates_q_at_each_value(capsys: Any, prompts: str, tmp_path: Path) -> None:
    """At top-p .5 the toy keeps A alone and then y alone: nothing is valid, and the mask has nothing
    left to allow; at 1 constrained decoding is always valid."""
    out = tmp_path / "out"
    args = toy(prompts, "--methods", "ask,strict", "--sweep", "top-p=0.5,1", "--out", str(out))
    document = report(capsys, *args)
    assert document["sweep"] == "top-p"
    rates = {
        (each["value"], method["label"]): method["valid"]["value"]
        for each in document["studies"]
        for method in each["summary"]["methods"]
    }
    assert (rates[0.5, "ask"], rates[0.5, "strict"], rates[1.0, "strict"]) == (0, 0, 1)
    assert {path.name for path in out.iterdir()} == {"sweep.json", "top-p-0.5", "top-p-1"}
    assert {path.name for path in (out / "top-p-1").iterdir()} == FILES
    assert "--sweep top-p=0.5,1" in document["command"]
    assert main(args) == 0
    table = capsys.readouterr().out
    assert "0.5" in table
    assert "top-p" in table


@pytest.mark.model
def test_a_built_in_set_runs_on_the_default_model(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "out"
    args = [
        "study",
        "--prompts",
        "builtin:sentiment",
        "--n",
        "2",
        "--methods",
        "strict",
        "--max-tokens",
    ]
    document = report(capsys, *args, "32", "--yes", "--out", str(out))
    (method,) = document["summary"]["methods"]
    assert method["by_judge"]["syntax"]["n"] == 2
    assert "SmolLM2" in json.dumps(document["provenance"]) or document["provenance"]["model"]
    assert {path.name for path in out.iterdir()} == FILES


def test_a_sign_flags_wrong_answers_only_where_its_interval_is_above_chance() -> None:
    wide = _auc("low log p", {"value": 0.67, "lower": 0.25, "upper": 0.92})
    assert wide == "AUC of low log p for wrong answers 0.67 [0.25, 0.92]"
    assert _auc("low log p", {"value": 0.8, "lower": 0.61, "upper": 0.9}).endswith("flags them")


def test_a_gold_that_can_never_be_matched_is_named_on_stderr(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "golds.jsonl"
    file.write_text('{"prompt": "a", "gold": "Ax"}\n{"prompt": "b", "gold": 7}\n')
    report(capsys, *toy(str(file)))
    assert main(toy(str(file))) == 0
    told = capsys.readouterr().err
    assert "1 gold can never be matched" in told
    assert "row 2" in told
    assert "row 1" not in told
