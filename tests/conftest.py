"""What the tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.find_browser import installed

settings.register_profile("house", deadline=None)  # a busy machine is no fault
settings.load_profile("house")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The project's folder of facts and cases; tests that read it skip where it is absent."""
    folder = Path(os.environ.get("PLAYGROUND_SHARED", Path(__file__).parents[2] / "shared"))
    if not folder.is_dir():
        pytest.skip("the folder shared/ beside the project is absent (set PLAYGROUND_SHARED)")
    return folder


FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """BROWSER=0 leaves the tests that need a browser out, in words."""
    if os.environ.get("BROWSER") != "0":
        return
    skip = pytest.mark.skip(reason="BROWSER=0: without a browser")
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """pytest-playwright's hook: the Chromium that `make test` found, headless."""
    path = installed()
    return {"args": FLAGS, **({"executable_path": path} if path else {})}
