"""The web server's own part: slow clients are let go, and a signal ends it gently."""

import asyncio
import json
import signal
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from playground.ui import guard, serving
from playground.ui.guard import Guard
from playground.ui.limits import Limits
from playground.ui.serving import PatientProtocol
from playground.ui.stopping import Stopping
from tests.ui.app_process import AppProcess, alive, compiling
from tests.ui.driving import EXPLODING

SOON = 0.4
"""What the patience of the server under test comes to, seconds."""


class Nobody:
    """No sessions."""

    async def keep_sweeping(self) -> None:
        await asyncio.sleep(3600)


written = 0
"""Bytes of the endless answer that its app has got rid of."""


async def endless(scope, receive, send) -> None:
    """Answers a POST with the size of its body, and a GET without end."""
    global written
    if scope["type"] == "lifespan":
        for kind in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{kind}.complete"})
        return
    start = {"type": "http.response.start", "status": 200, "headers": []}
    if scope["method"] == "POST":
        size = len((await receive())["body"])
        await send(start)
        await send({"type": "http.response.body", "body": str(size).encode()})
        return
    await send(start)
    gone = asyncio.create_task(receive())
    while not gone.done():
        await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
        written += 65_536
        await asyncio.sleep(0)


@pytest.fixture
def port(monkeypatch) -> Iterator[int]:
    """A server with little patience."""
    for module, name in (
        (serving, "HEAD_SECONDS"),
        (serving, "STALL_SECONDS"),
        (guard, "BODY_SECONDS"),
    ):
        monkeypatch.setattr(module, name, SOON)
    app = Guard(endless, Limits(100, 10, 10), Nobody())
    config = uvicorn.Config(app, port=0, http=PatientProtocol, ws="none", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


def drained(client: socket.socket) -> bytes:
    """All that the server still sends until it hangs up, in at most 20 s."""
    client.settimeout(20)
    told = b""
    try:
        while part := client.recv(65_536):
            told += part
    except ConnectionResetError:
        pass
    return told


def test_a_head_that_trickles_is_let_go(port) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / HT")
        assert drained(client) == b""


def test_a_silent_connection_is_let_go(port) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        assert drained(client) == b""


def test_so_is_a_second_head_on_the_same_connection(port) -> None:
    head = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(head + b"abc")
        assert client.recv(12) == b"HTTP/1.1 200"
        client.sendall(b"GET / HT")
        assert drained(client).count(b"HTTP/1.1") == 0


def test_a_body_that_trickles_is_cut_in_words(port) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nabc")
        head, _, body = drained(client).partition(b"\r\n\r\n")
        assert b" 408 " in head.splitlines()[0]
        assert "seconds to arrive" in json.loads(body)["error"]["what"]


def test_a_body_in_time_is_whole(port) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 6\r\n\r\nabc"
        )
        time.sleep(SOON / 4)
        client.sendall(b"def")
        assert drained(client).endswith(b"6\r\n0\r\n\r\n")


def test_who_does_not_read_holds_little_and_is_let_go(port) -> None:
    """The buffers fill, the app waits, and then the connection ends."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        client.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        time.sleep(SOON * 3)
        before = written
        assert 0 < before < 2**26
        drained(client)  # what is in the buffers still, and then the end
    assert written == before


@pytest.fixture
def app(tmp_path) -> Iterator[AppProcess]:
    made = AppProcess(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_work_tells_the_page_and_leaves_nothing_behind(app, number) -> None:
    session, told = "page1", []
    assert app.start(EXPLODING, session).status == 200
    listening = threading.Thread(target=lambda: told.append(app.heard(session)))
    listening.start()
    beating = socket.create_connection(("127.0.0.1", app.port))
    beating.sendall(b"GET /gradio_api/heartbeat/page1 HTTP/1.1\r\nhost: x\r\n\r\n")
    server, below = compiling(app)
    begun = time.monotonic()
    assert app.stop(number) == 0
    assert time.monotonic() - begun < 10
    listening.join(10)
    assert "The server is stopping." in told[0]
    beating.close()
    deadline = time.monotonic() + 20
    while any(map(alive, (server, *below))) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, (server, *below)))
    assert "Traceback" not in app.log
    assert "ERROR" not in app.log


def test_a_second_signal_ends_it_at_once(monkeypatch) -> None:
    monkeypatch.setattr(serving, "STOPPING", Stopping())
    statuses: list[int] = []
    monkeypatch.setattr(serving.os, "_exit", statuses.append)
    server = serving.Server(uvicorn.Config(endless))
    server.handle_exit(signal.SIGINT, None)
    assert (server.should_exit, statuses) == (True, [])
    server.handle_exit(signal.SIGINT, None)
    assert statuses == [130]


def test_work_that_begins_while_it_ends_is_told_so_at_once() -> None:
    stopping, before, after = Stopping(), threading.Event(), threading.Event()
    with stopping.ends(before):
        assert (stopping.begun, stopping.under_way) == (False, 1)
        stopping.begin()
        assert before.is_set()
        with stopping.ends(after):
            assert after.is_set()
    assert stopping.under_way == 0
