"""A study's folder: gone on with, locked, killed, stopped by Ctrl-C."""

import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from playground.cli import main
from playground.studies import Studies
from playground.study.checkpoint import Checkpoint
from tests.cli.studies import FILES, refused, report, rows_in, toy


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
