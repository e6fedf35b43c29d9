"""The import rules of the house, enforced, and proof that the check can fail."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    "app",
    "ui",
    "notebook notebook_answers",
    "programs",
    "cli __main__",
    "experiments lessons links",
    "studies studies_ray studies_server decisions decisions_found decisions_evaluation "
    "decisions_record decisions_scored decisions_measures against against_added against_rows "
    "against_text against_typed",
    "views companions posed session page lookup demo judge record problem opened follow "
    "compare compare_readings compare_record exact_record forest proofs between healing debugger asked token_questions "
    "judged spans tally votes",
    "study schema fields exact",
    "decoding",
    "constraints",
    "models",
    "vocabulary settings",
    "logspace errors slices",
)
RANK = {room: rank for rank, rooms in enumerate(FLOORS) for room in rooms.split()}
ONLY_IN = {
    "gradio": {"ui"},
    "fastapi": {"ui"},
    "plotly": {"views"},
    "torch": {"models", "fields"},
    "transformers": {"models", "fields"},
    "outlines": {"constraints"},
    "outlines_core": {"constraints"},
    "xgrammar": {"constraints"},
    "llguidance": {"constraints"},
    "ray": {"studies_ray"},
    "httpx": {"models"},
}
DEMOS_MAY = {
    "json",
    "playground.demo",
    "playground.problem",
    "playground.constraints.spec",
    "playground.models.toy",
    "playground.models.toys",
    "playground.decoding.sampling",
    "playground.lessons.lesson",
}
"""A demo is data: it imports what spells a problem, and nothing that could run one."""
FILES = sorted(
    [ROOT / "app.py", *(ROOT / "playground").rglob("*.py"), *(ROOT / "demos").rglob("*.py")]
)


def imports(source: str) -> Iterator[str]:
    """Every module that `source` names in an import statement, at any depth."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    """The room of a file: `decoding`, `cli`, `app`, ..."""
    parts = path.relative_to(ROOT).parts
    if parts[0] != "playground":
        return parts[0].removesuffix(".py")
    return parts[1].removesuffix(".py")


def broken_rules(room: str, source: str) -> list[str]:
    """Imports of `source`, a file of `room`, that point up or reach for another room's library."""
    if room == "demos":
        return [
            f"a demo must not import {name}"
            for name in imports(source)
            if not {name, name.rpartition(".")[0]} & DEMOS_MAY
        ]
    broken = []
    for name in imports(source):
        parts = name.split(".")
        if parts[0] == "playground" and len(parts) > 1 and parts[1] in RANK:
            if RANK[parts[1]] < RANK[room]:
                broken.append(f"{room} must not import {name}")
        elif room not in ONLY_IN.get(parts[0], {room}):
            broken.append(f"{parts[0]} is imported only in {sorted(ONLY_IN[parts[0]])}, not {room}")
    return broken


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return
    assert room in RANK or room == "demos", f"{room} has no floor yet: add it to FLOORS"
    assert not broken_rules(room, path.read_text())


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("decoding", "from playground.ui.frame import build"),
        ("models", "import playground.constraints.compile"),
        ("constraints", "def f():\n    from playground import session"),
        ("logspace", "from playground.vocabulary import Vocabulary"),
        ("session", "import gradio as gr"),
        ("ui", "import plotly.graph_objects as go"),
        ("decoding", "import torch"),
        ("cli", "import outlines_core"),
        ("demos", "from playground.session import Playground"),
        ("demos", "from playground import session"),
        ("demos", "from playground.constraints.compile import compile_constraint"),
        ("demos", "import os"),
    ],
)
def test_a_wrong_import_is_caught(room: str, source: str) -> None:
    assert broken_rules(room, source)


def test_the_demos_are_among_the_files() -> None:
    assert sum(room_of(path) == "demos" for path in FILES) >= 12


def test_files_have_one_purpose_and_say_it() -> None:
    for path in FILES:
        source = path.read_text()
        assert ast.get_docstring(ast.parse(source)), f"{path.name} opens without a sentence"
        assert len(source.splitlines()) <= 360, f"{path.name}: split this file"
