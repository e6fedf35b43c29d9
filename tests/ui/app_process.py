"""An app in a process of its own, asked as a program would: for tests that harm it or read its log."""

import json
import os
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from playground.ui.rail_values import FIELDS, KINDS, OWN
from tests.ports import free_port

ROOT = Path(__file__).parents[2]


@dataclass
class Answer:
    """What came back."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


class AppProcess:
    """A running app.

    Args:
        folder: for its cache and its log.
        port: where it listens; by default a free one.
        environment: variables of its settings.
    """

    def __init__(self, folder: Path, port: int = 0, **environment: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_file = folder / "log.txt"
        env = {
            **os.environ,
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "HF_HUB_OFFLINE": "1",
            "PLAYGROUND_CACHE": str(folder / "cache"),
            "PLAYGROUND_MODELS": "",
            "PLAYGROUND_COMPILE_SECONDS": "6",
            **environment,
        }
        with self.log_file.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "app.py"], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
            )
        for _ in range(600):
            assert self.process.poll() is None, self.log
            try:
                self.get("/healthz")
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise AssertionError(f"the app did not answer: {self.log}")
        config = self.get("/config").json
        self.components = {
            each["props"]["elem_id"]: each["id"]
            for each in config["components"]
            if each["props"].get("elem_id")
        }
        self.events = config["dependencies"]
        self._values = {each["id"]: each["props"].get("value") for each in config["components"]}

    @property
    def log(self) -> str:
        """All that it has printed."""
        return self.log_file.read_text(errors="replace")

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        timeout: float = 60.0,
        **headers: str,
    ) -> Answer:
        """One request, with the path as it stands."""
        request = urllib.request.Request(self.url + path, data=body, method=method)
        for name, value in {"content-type": "application/json", **headers}.items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return Answer(answer.status, answer.read(), _lower(answer.headers))
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read(), _lower(error.headers))

    def get(self, path: str, **headers: str) -> Answer:
        """The answer to a GET."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """The answer to a POST of JSON, or of bytes as they are."""
        data = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        return self.ask("POST", path, data, **headers)

    def call(self, screen: str, name: str, payload: Any, session: str = "") -> Answer:
        """A screen's server function."""
        body = {
            "data": payload,
            "component_id": self.components[screen],
            "fn_name": name,
            "session_hash": session or secrets.token_hex(6),
        }
        return self.post("/gradio_api/component_server", body)

    def event(self, screen: str, name: str) -> dict[str, Any]:
        """Gradio's record of an event of a component."""
        target = [self.components[screen], name]
        return next(each for each in self.events if target in each["targets"])

    def join(
        self, event: dict[str, Any], data: list[Any], told: Any = None, session: str = ""
    ) -> Answer:
        """Ask for an event."""
        body = {
            "data": data,
            "fn_index": event["id"],
            "event_data": told,
            "trigger_id": None,
            "session_hash": session or secrets.token_hex(6),
        }
        return self.post("/gradio_api/queue/join", body)

    def start(self, source: str, session: str, kind: str = "Regex") -> Answer:
        """Press Start, as a page that opened on the first example and wrote a constraint."""
        event = self.event("start", "click")
        rail = dict(zip(FIELDS, [self._values[each] for each in event["inputs"]][2:], strict=True))
        rail |= {"kind": kind, KINDS[kind]: source}
        return self.join(event, [None, OWN, *rail.values()], session=session)

    def heard(self, session: str, timeout: float = 60.0) -> str:
        """The event stream of a session until it closes, as text."""
        return self.ask(
            "GET", f"/gradio_api/queue/data?session_hash={session}", timeout=timeout
        ).text

    def resident(self) -> int:
        """Memory of the app's process, bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(
            int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS")
        )

    def stop(self, number: int = signal.SIGTERM, within: float = 20.0) -> int:
        """Send a signal and wait: the exit status."""
        self.process.send_signal(number)
        return self.process.wait(timeout=within)

    def close(self) -> None:
        """End it, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=20)


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def alive(process: int) -> bool:
    """It runs; one that only waits to be buried doesn't."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def compiling(app: AppProcess) -> tuple[int, list[int]]:
    """The fork server of an app and its children, once one compiles."""
    if not Path("/proc/self/task").exists():
        pytest.skip("this system has no /proc to find processes in")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for server in children(app.process.pid):
            if below := children(server):
                return server, below
        time.sleep(0.05)
    raise AssertionError("nothing compiles")
