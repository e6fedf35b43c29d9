"""Own prompts in a file, a cache of each test's own, and a stand-in model with a head."""

from pathlib import Path
from typing import Any

import pytest

from playground.fields import features
from playground.fields.kept import Kept
from playground.models.loader import ModelHub
from tests.cli.heads import trained
from tests.cli.studies import PROMPTS
from tests.ticket_model import NAME, TicketModel


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def prompts(tmp_path: Path) -> str:
    path = tmp_path / "own.csv"
    lines = ["prompt,id,gold", *(f"say {n},p{n},{'Ax' if n % 2 else 'Bx'}" for n in range(PROMPTS))]
    path.write_text("\r\n".join(lines))
    return str(path)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> TicketModel:
    """The stand-in, known by its name; nothing kept from another test."""
    made, before = TicketModel(), ModelHub.get
    monkeypatch.setattr(
        ModelHub, "get", lambda hub, name: made if name == NAME else before(hub, name)
    )
    monkeypatch.setattr(features, "_MEMORY", Kept())
    return made


@pytest.fixture
def head(capsys: Any, model: TicketModel, tmp_path: Path) -> str:
    """A file that `train` wrote."""
    path = tmp_path / "head.safetensors"
    trained(capsys, "--out", str(path))
    model.read.clear()
    return str(path)
