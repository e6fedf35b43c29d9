"""Start-up stays light: the page is up before the model."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from playground.settings import OPTIONS, flag_of
from tests.ports import free_port

APP = Path(__file__).parents[1] / "app.py"
HEAVY = (
    "torch", "transformers", "outlines", "outlines_core", "jsonschema", "scipy", "pyarrow", "ray",
)  # fmt: skip
"""What is slow to import: it comes on first use, not before the page is up."""
GRADIOS = {"pyarrow"}
"""What Gradio loads itself, by pandas."""


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
    assert loaded_after(statement) <= GRADIOS
    assert loaded_after("import gradio") <= GRADIOS


def test_this_check_can_fail() -> None:
    assert "torch" in loaded_after("import torch")
    assert "jsonschema" in loaded_after("import playground.constraints.schema_judge")


def app(*flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The app with these flags, which it is to end at before it serves; and what it has imported,
    on the error stream."""
    return subprocess.run(
        [sys.executable, "-X", "importtime", str(APP), *flags],
        capture_output=True, text=True, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip


def test_the_flags_are_told_before_anything_slow_is_imported() -> None:
    done = app("--help")
    assert done.returncode == 0
    for name, option in OPTIONS.items():
        assert flag_of(name) in done.stdout
        assert option.variable in done.stdout
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "argparse" in imported
    assert not imported & {"gradio", "uvicorn", "numpy", "pydantic", *HEAVY}


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--prot", "8000"), "unrecognized arguments: --prot"),
        (("--por", "8000"), "unrecognized arguments: --por"),
        (("8000",), "unrecognized arguments: 8000"),
        (("--port", "x"), "--port is 'x'. Set it to a whole number from 1 to 65535."),
        (("--port", "0"), "from 1 to 65535"),
        (("--port", "65536"), "from 1 to 65535"),
        (("--cache-mb", "-1"), "--cache-mb"),
        (("--server", "ftp://x"), "--server is no address of a server"),
        (("--models", "toy:sky"), "--models names 'toy:sky'"),
        (("--port",), "expected one argument"),
    ],
)
def test_a_flag_that_cannot_be_read_ends_the_start_with_status_2(flags, words) -> None:
    done = app(*flags)
    assert done.returncode == 2
    assert words in done.stderr
    assert not done.stdout


def test_a_port_that_is_taken_is_told_and_the_flags_win_over_the_environment() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = app("--host", "127.0.0.1", "--port", port, HOST="0.0.0.0", PORT="no number")
    assert done.returncode == 1
    assert f"port {port} of 127.0.0.1 can't be used. Choose another with --port" in done.stderr


def test_the_page_is_served_at_the_port_of_the_flag() -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, str(APP), "--port", str(port)],
        env={**os.environ, "PORT": str(free_port())}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(300):
            assert process.poll() is None
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as page:
                    assert page.status == 200
                return
            except OSError:
                time.sleep(0.2)
        pytest.fail("nothing answered at the port")
    finally:
        process.terminate()
        process.wait(timeout=20)
