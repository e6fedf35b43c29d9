"""Start-up stays light: the page is up before the model."""

import subprocess
import sys

HEAVY = ("torch", "transformers", "outlines", "outlines_core")


def loaded_after(statement: str) -> set[str]:
    """The heavy modules that a fresh interpreter has loaded after `statement`."""
    code = f"import sys; {statement}; print(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return {name for name in HEAVY if name in done.stdout.split()}


def test_the_session_loads_no_model_library() -> None:
    assert not loaded_after("import playground.session, playground.cli")


def test_building_the_page_loads_no_model_library() -> None:
    statement = (
        "from playground.session import Playground; from playground.settings import Settings; "
        "from playground.ui.server import create_app; create_app(Playground(Settings.from_env()))"
    )
    assert not loaded_after(statement)


def test_this_check_can_fail() -> None:
    assert loaded_after("import torch") == {"torch"}
