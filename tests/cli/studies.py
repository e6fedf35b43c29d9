"""A toy study from the command line, and what its folder holds."""

import json
from pathlib import Path
from typing import Any

from playground.cli import main
from playground.study.checkpoint import read_checkpoint

PROMPTS = 40
FILES = {".study.lock", "study.jsonl", "rows.csv", "rows.parquet", "summary.json", "report.html"}


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
