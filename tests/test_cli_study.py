"""`python -m playground study`: runs, resumes, stops, writes its files and says how to do it again."""

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.cli import main, parser
from playground.cli.study_spec import spec_of
from playground.cli.study_text import _auc
from playground.constraints.spec import ConstraintSpec
from playground.studies import Studies
from playground.study.checkpoint import Checkpoint, read_checkpoint
from playground.study.command import command_of
from playground.study.items import SETS
from playground.study.labels import NAMED
from playground.study.spec import StudySpec

PROMPTS = 40
FILES = {".study.lock", "study.jsonl", "rows.csv", "rows.parquet", "summary.json", "report.html"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def prompts(tmp_path: Path) -> str:
    path = tmp_path / "own.csv"
    lines = ["prompt,id,gold", *(f"say {n},p{n},{'Ax' if n % 2 else 'Bx'}" for n in range(PROMPTS))]
    path.write_text("\r\n".join(lines))
    return str(path)


def toy(prompts: str, *more: str) -> list[str]:
    return ["study", "--model", "toy:two-step", "--regex", "(A|B)x", "--prompts", prompts,
            "--methods", "ask,strict,parallel-3", *more]  # fmt: skip


def report(capsys: Any, *args: str, status: int = 0) -> dict[str, Any]:
    assert main([*args, "--json"]) == status
    return dict(json.loads(capsys.readouterr().out, parse_constant=lambda name: 1 / 0))


def refused(capsys: Any, *args: str) -> str:
    assert main(list(args)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return str(captured.err)


def rows_in(folder: Path) -> dict[int, Any]:
    return dict(read_checkpoint(folder / "study.jsonl")[2])


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


def test_a_study_is_gone_on_with_and_not_run_again(
    capsys: Any, prompts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    whole = report(capsys, *toy(prompts, "--out", str(out)))
    file = out / "study.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3]))
    added = []
    real = Checkpoint.add
    monkeypatch.setattr(
        Checkpoint, "add", lambda self, n, rows: (added.append(n), real(self, n, rows))
    )
    resumed = report(capsys, *toy(prompts, "--out", str(out)))
    assert added == [2, 3, 4]
    assert resumed == whole
    assert file.read_bytes() == b"".join(lines)
    report(capsys, "study", "--spec", str(file), "--out", str(out))
    assert added == [2, 3, 4]


def test_other_settings_in_the_same_folder_are_refused(
    capsys: Any, prompts: str, tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    report(capsys, *toy(prompts, "--out", out))
    assert "other settings" in refused(capsys, *toy(prompts, "--out", out, "--seed", "1"))


def test_two_runs_never_write_one_file(capsys: Any, prompts: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with FileLock(out / ".study.lock", is_singleton=False):
        assert "Another run" in refused(capsys, *toy(prompts, "--out", str(out)))
    assert report(capsys, *toy(prompts, "--out", str(out)))["done"]


def test_a_file_that_can_t_be_written_is_one_line(
    capsys: Any, prompts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    (out / "study.jsonl").mkdir(parents=True)
    assert "can't be written" in refused(capsys, *toy(prompts, "--out", str(out)))
    (out / "study.jsonl").rmdir()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Checkpoint, "add", full)
    assert "No space left" in refused(capsys, *toy(prompts, "--out", str(out)))


KILLED = """
import os, signal, sys
from playground.cli import main
from playground.study.checkpoint import Checkpoint

real, moment = Checkpoint._write, sys.argv.pop(1)

def write(self, document):
    if document.get("chunk") == 2:
        if moment == "torn":
            self._file.write(b'{"chunk":2,"rows":[{"ind')
            self._file.flush()
        if moment == "after":
            real(self, document)
        os.kill(os.getpid(), signal.SIGKILL)
    real(self, document)

Checkpoint._write = write
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("moment", "kept"), [("before", 2), ("torn", 2), ("after", 3)])
def test_kill_9_loses_at_most_a_chunk_and_changes_no_row(
    capsys: Any, prompts: str, tmp_path: Path, moment: str, kept: int
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    expected = report(capsys, *toy(prompts, "--out", str(whole)))
    script = [sys.executable, "-c", KILLED, moment, *toy(prompts, "--out", str(killed))]
    died = subprocess.run(script, capture_output=True, timeout=300, check=False)
    assert died.returncode == -signal.SIGKILL
    assert len(rows_in(killed)) == kept
    assert not (killed / "rows.csv").exists()
    resumed = report(capsys, *toy(prompts, "--out", str(killed)))
    assert resumed["summary"] == expected["summary"]
    for name in ("study.jsonl", "rows.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(
    capsys: Any, prompts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    real = Checkpoint.add

    def interrupted(self: Checkpoint, chunk: int, rows: Any) -> None:
        real(self, chunk, rows)
        if chunk == 1:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with monkeypatch.context() as patched:
        patched.setattr(Checkpoint, "add", interrupted)
        assert main([*toy(prompts, "--out", str(out)), "--json"]) == 130
    captured = capsys.readouterr()
    assert signal.getsignal(signal.SIGINT) is before
    assert "Stopped" in captured.err
    assert "Go on with: python -m playground study" in captured.err
    document = json.loads(captured.out)
    assert document["done"] is False
    assert document["summary"]["prompts"] == 16
    assert {path.name for path in out.iterdir()} == FILES
    assert report(capsys, *toy(prompts, "--out", str(out)))["done"] is True


def test_ctrl_c_before_anything_is_done_is_no_error(
    capsys: Any, prompts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Studies.prepare

    def interrupted(self: Studies, *args: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return real(self, *args)

    monkeypatch.setattr(Studies, "prepare", interrupted)
    assert main([*toy(prompts), "--json"]) == 130
    captured = capsys.readouterr()
    assert json.loads(captured.out)["summary"]["rows"] == 0
    assert "--out" in captured.err
    assert main(toy(prompts)) == 130
    assert "0 rows (stopped" in capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--prompts", "builtin:nothing"], "no prompts called"),
        (["--prompts", "tickets"], "neither a built-in set nor"),
        (["--prompts", "none.csv"], "can't be read"),
        (["--methods", "ask,guess"], "is no method"),
        (["--n", "0"], "at least 1"),
        (["--temperature", "0"], "temperature 0"),
        (["--hint", "nothing", "--model", "toy:two-step"], "no hint"),
        (["--spec", "none.jsonl"], "can't be read"),
        (["--spec", "none.jsonl", "--seed", "1"], "says all settings"),
        (
            ["--valid", "schema", "--regex", "(A|B)x", "--model", "toy:two-step"],
            "no schema to judge by",
        ),
        (["--sweep", "temperature=0,1", "--model", "toy:two-step"], "temperature 0"),
        (["--out", "/dev/null/x", "--model", "toy:two-step"], "can't be made"),
    ],
)
def test_a_users_error_is_one_line_and_exit_2(capsys: Any, args: list[str], words: str) -> None:
    assert words in refused(capsys, "study", *args)


@pytest.mark.parametrize(
    "text", ["temperature", "seed=1,2", "top-p=a", "top-p=", "temperature=1,,2"]
)
def test_a_sweep_of_nothing_is_refused(capsys: Any, text: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["study", "--sweep", text])
    assert left.value.code == 2
    assert "is no sweep" in capsys.readouterr().err


def test_a_row_that_can_t_be_used_is_named(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("prompt,id\nhello,a\n,b\n")
    error = refused(capsys, "study", "--model", "toy:sky", "--regex", "a", "--prompts", str(path))
    assert "row 3" in error


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)
SPECS = st.builds(
    StudySpec,
    model=st.sampled_from(["smollm2", "toy:sky", "-x"]),
    prompts=st.sampled_from([f"builtin:{name}" for name in SETS]),
    split=st.just("all"),
    n=st.integers(1, 2500),
    constraint=st.none()
    | st.builds(ConstraintSpec, kind=st.just("regex"), source=TEXTS, engine=st.just("outlines"))
    | st.builds(ConstraintSpec, kind=st.just("choices"), source=TEXTS, whitespace=st.just("none")),
    instruction=st.none() | TEXTS,
    show_schema=st.booleans(),
    chat=st.booleans(),
    methods=st.lists(st.sampled_from([label.name for label in NAMED]), min_size=1, max_size=8).map(
        tuple
    ),
    draws=st.integers(1, 100),
    valid=st.sampled_from(["salvaged", "language"]),
    salvage=st.booleans(),
    sampling=st.fixed_dictionaries(
        {
            "temperature": st.floats(0.01, 10),
            "top_k": st.integers(0, 100),
            "top_p": st.floats(0.01, 1),
            "mask_order": st.sampled_from(["after-filters", "before-filters"]),
            "seed": st.integers(0, 2**53 - 1),
        }
    ),
    max_tokens=st.integers(1, 1024),
    attempts=st.integers(1, 10),
    markers=st.builds(dict, open=TEXTS, close=TEXTS),
    yes=st.booleans(),
    exact_rows=st.integers(0, 5000),
)


@settings(deadline=None)
@given(SPECS)
def test_a_command_names_the_very_study_that_it_was_made_of(spec: StudySpec) -> None:
    words = shlex.split(command_of(spec))
    if "--spec" in words:
        markers = (spec.markers.open, spec.markers.close)
        source = "" if spec.constraint is None else spec.constraint.source
        assert "," in source or any(each.startswith("-") or "\\n" in each for each in markers)
        return
    assert spec_of(parser().parse_args(words[3:])) == spec


def test_own_prompts_that_came_from_no_file_are_run_again_from_the_study_s_own(
    tmp_path: Path,
) -> None:
    spec = StudySpec.model_validate({"items": [{"id": "a", "prompt": "x"}], "n": 1})
    file = tmp_path / "study.jsonl"
    Checkpoint(file, spec, {}).__exit__(None, None, None)
    words = shlex.split(command_of(spec, settings=str(file)))
    assert spec_of(parser().parse_args(words[3:])) == spec


def test_the_sets_own_schema_can_be_compiled_in_another_way() -> None:
    args = parser().parse_args(["study", "--whitespace", "none", "--prompts", "builtin:sentiment"])
    spec = spec_of(args)
    assert spec.constraint is not None
    assert spec.constraint.whitespace == "none"
    assert json.loads(spec.constraint.source) == SETS["sentiment"].schema
    words = shlex.split(command_of(spec))
    assert spec_of(parser().parse_args(words[3:])) == spec


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
