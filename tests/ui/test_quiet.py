"""Logs say where something broke, on one line, and never what a visitor typed."""

import subprocess
import sys

import pytest

from playground.ui.inputs import guarded
from playground.ui.quiet import defect, places

SECRET = "mother's maiden name\nis Smith"


def broken() -> None:
    try:
        {}[SECRET]
    except KeyError as error:
        raise ValueError(f"no {SECRET}") from error


def test_a_defect_is_one_line_with_its_reference_and_places_and_no_message(caplog) -> None:
    with pytest.raises(ValueError) as raised:
        broken()
    reference = defect(raised.value, "request")
    (record,) = caplog.records
    line = record.getMessage()
    assert reference in line
    assert "ValueError, after KeyError at tests/ui/test_quiet.py:" in line
    assert "Smith" not in line + str(record.exc_info)
    assert "\n" not in line
    assert places(RuntimeError(SECRET)) == "RuntimeError"


def test_the_card_names_the_reference_that_the_log_has(caplog) -> None:
    card = guarded(broken)["error"]
    assert card["where"].removeprefix("reference ") in caplog.text
    assert "Smith" not in str(card) + caplog.text


def test_gradio_uvicorn_and_warnings_are_quiet_too() -> None:
    code = f"""
import logging, warnings
from playground.ui.quiet import quiet_logs
quiet_logs()
import gradio.queueing, gradio.routes
for module in (gradio.queueing, gradio.routes):
    try:
        raise ValueError({SECRET!r})
    except ValueError:
        module.traceback.print_exc()
try:
    raise ValueError({SECRET!r})
except ValueError as error:
    logging.getLogger("uvicorn.error").error("Exception in ASGI application\\n", exc_info=error)
warnings.warn({SECRET!r})
assert "ValueError" in module.traceback.format_exception_only(ValueError(1))[0]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Smith" not in done.stdout + done.stderr
    lines = done.stderr.splitlines()
    assert [line.split()[0] for line in lines] == ["playground"] * 2 + [
        "uvicorn.error",
        "playground",
    ]
