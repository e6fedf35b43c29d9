"""What the tests share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The project's folder of facts and cases; tests that read it skip where it is absent."""
    folder = Path(os.environ.get("PLAYGROUND_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("the folder shared/ beside the project is absent (set PLAYGROUND_SHARED)")
    return folder
