"""The MCP server: off unless it is asked for, refused in words without its package, and then these tools."""

import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.apart import run_apart
from tests.ports import free_port

APP = Path(__file__).parents[2] / "app.py"
INSTALLED = importlib.util.find_spec("mcp") is not None
NAMES = ["step", "follow", "exact", "compare", "schema", "lessons", "lesson", "decide"]


def test_it_is_off_unless_asked_for(app_url: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as told:
        urllib.request.urlopen(f"{app_url}/gradio_api/mcp/")
    assert told.value.code == 404


@pytest.mark.skipif(INSTALLED, reason="the package mcp is installed")
def test_without_its_package_the_start_ends_in_words() -> None:
    done = subprocess.run(
        [sys.executable, str(APP), "--mcp", "on"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "pip install -r requirements-mcp.txt" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not INSTALLED, reason="needs requirements-mcp.txt")
def test_the_endpoints_and_nothing_else_are_tools(tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "log.txt"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(APP), "--mcp", "on", "--port", str(port)],
            stdout=out, stderr=subprocess.STDOUT, env=os.environ,
        )  # fmt: skip
    try:
        for _ in range(600):
            assert process.poll() is None, log.read_text()
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).read()
                break
            except OSError:
                time.sleep(0.1)
        run_apart(as_a_client(f"http://127.0.0.1:{port}/gradio_api/mcp/"))
    finally:
        process.terminate()
        process.wait(timeout=20)


async def as_a_client(address: str) -> None:
    """What a client of that server sees and gets."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async with (
        streamablehttp_client(address) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert list(tools) == NAMES
        for tool in tools.values():
            assert len(tool.description or "") > 60
            for about in tool.inputSchema["properties"].values():
                assert about["description"]
        asked = {"model": "toy:two-step", "kind": "regex", "source": "(A|B)x", "chat": False}
        answer = await session.call_tool("exact", {**asked, "tolerance": 0})
        assert not answer.isError
        assert json.loads(answer.content[0].text)["Z"]["lower"] == pytest.approx(0.109, rel=1e-6)
        refused = await session.call_tool("step", {"model": "nope"})
        assert refused.isError
        assert "can't be chosen here" in refused.content[0].text
        assert not (await session.list_resources()).resources
        assert not (await session.list_prompts()).prompts
