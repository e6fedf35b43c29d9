"""Own prompts in a file, and a cache of each test's own."""

from pathlib import Path

import pytest

from tests.cli.studies import PROMPTS


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def prompts(tmp_path: Path) -> str:
    path = tmp_path / "own.csv"
    lines = ["prompt,id,gold", *(f"say {n},p{n},{'Ax' if n % 2 else 'Bx'}" for n in range(PROMPTS))]
    path.write_text("\r\n".join(lines))
    return str(path)
