"""Visitors for the load measurement: a lean client, and checks that each gets what is its own."""

import asyncio
import gzip
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.ui.rail_values import FIELDS, OWN

Problem = dict[str, Any]
LETTERS = "abcdefghij"


def toy_problem(name: str) -> Problem:
    """A toy whose every token begins with the visitor's name, as its text then does."""
    tokens = [name + letter for letter in LETTERS]
    law = {**dict.fromkeys(tokens, 1.0), "<eos>": 0.5}
    return {
        "model": "toy:sky",
        "toy": {"name": "sky", "tokens": tokens, "rules": [{"p": law}]},
        "constraint": {"kind": "regex", "source": f"({name}[a-j]){{1,30}}"},
    }


def live_problem(name: str) -> Problem:
    """A prompt with the visitor's name, and a constraint by which every answer begins with it."""
    return {
        "model": "smollm2",
        "toy": None,
        "prompt": f"You are called {name}. Say in a few words what you see, hear and like at sea.",
        "constraint": {"kind": "regex", "source": f"{name} [a-z ]{{1,90}}"},
        "max_tokens": 24,
    }


class Connection:
    """One keep-alive HTTP/1.1 connection with a browser's cookies. Not for two requests at once."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        until: Callable[[bytes], bool] | None = None,
    ) -> tuple[int, bytes]:
        """Status and body. With `until`, the body is read only so far that it says yes. As in a browser,
        a kept connection that the server has closed meanwhile is opened again.

        Raises:
            OSError, asyncio.IncompleteReadError: the server went away.
        """
        kept = self._streams is not None
        try:
            return await self._request(method, path, body, until)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.close()
            if not kept:
                raise
        return await self._request(method, path, body, until)

    async def _request(
        self, method: str, path: str, body: Any, until: Callable[[bytes], bool] | None
    ) -> tuple[int, bytes]:
        reader, writer = self._streams or await asyncio.open_connection("127.0.0.1", self.port)
        self._streams = reader, writer
        data = b"" if body is None else json.dumps(body).encode()
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        head = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self.port}", "accept: */*"]
        # What a browser offers over plain http; of a stream this client reads the bare text.
        head += ["accept-encoding: gzip, deflate"] if until is None else []
        head += ["content-type: application/json", f"content-length: {len(data)}"] if data else []
        head += [f"cookie: {cookies}"] if cookies else []
        writer.write("\r\n".join([*head, "", ""]).encode() + data)
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = [line.split(": ", 1) for line in lines[1:] if ": " in line]
        for name, value in fields:
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition("=")
                self.cookies[cookie] = rest.partition(";")[0]
        headers = {name.lower(): value for name, value in fields}
        if "content-length" in headers:
            answer = await reader.readexactly(int(headers["content-length"]))
        else:
            answer = await self._chunks(reader, until)
        if headers.get("content-encoding") == "gzip":
            answer = gzip.decompress(answer)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(lines[0].split()[1]), answer

    async def _chunks(
        self, reader: asyncio.StreamReader, until: Callable[[bytes], bool] | None
    ) -> bytes:
        answer = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            answer += await reader.readexactly(size)
            await reader.readexactly(2)
            if until is not None and until(answer):
                self.close()
                return answer
        await reader.readexactly(2)
        return answer

    def close(self) -> None:
        """Hang up; the next request connects again."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass
class Counts:
    """What a phase of the measurement saw."""

    seconds: list[float] = field(default_factory=list)
    """Of each step, from the request's first byte to its answer's last."""
    opened: list[float] = field(default_factory=list)
    """Of each opening."""
    errors: list[str] = field(default_factory=list)
    crossings: list[str] = field(default_factory=list)


class Site:
    """What a page knows of the app once it is loaded: where its events and functions are."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.parts = {each["id"]: each["props"] for each in config["components"]}
        ids = {props.get("elem_id"): number for number, props in self.parts.items()}
        self.events = {
            tuple(target): each for each in config["dependencies"] for target in each["targets"]
        }
        self.stage = ids["stage"]
        self.choose = self.events[ids["preset"], "change"]
        self.start = self.events[ids["start"], "click"]

    def started(self, problem: Problem) -> list[Any]:
        """What the page sends when Start is clicked on `problem`: the rail's other values are those
        that it opens with."""
        values = [self.parts[number].get("value") for number in self.start["inputs"]]
        rail = dict(zip(FIELDS, values[2:], strict=True))
        given = {name: problem[name] for name in FIELDS if name in problem}
        regex = {"kind": "Regex", "regex": problem["constraint"]["source"]}
        return [problem["toy"], OWN, *{**rail, **given, **regex}.values()]


class Visitor:
    """One browser: it chooses an example and starts its own problem through the queue, then steps
    through the stage's server functions, as the page does, and checks every answer."""

    def __init__(self, number: int, port: int, site: Site, counts: Counts) -> None:
        self.name = LETTERS[number // 10] + LETTERS[number % 10]
        self.site, self.counts, self.number = site, counts, number
        self.session = secrets.token_hex(6)
        self.connection = Connection(port)
        self.path: list[int] = []
        self.text, self.run = "", 0

    async def arrive(self) -> None:
        """Load the page, whose answer sets the cookie by which the server knows its visitors."""
        status, _ = await self.connection.request("GET", "/")
        if status != 200:
            self.counts.errors.append(f"page {status}")

    async def choose(self, slug: str) -> None:
        """Open an example."""
        await self.event(self.site.choose, [slug], json.dumps(slug))

    async def start(self, problem: Problem) -> None:
        """Open this visitor's own problem: it is compiled, and its prompt read."""
        source = json.dumps(problem["constraint"]["source"])
        await self.event(self.site.start, self.site.started(problem), source)

    async def event(self, event: dict[str, Any], data: list[Any], expected: str) -> None:
        """The two requests of a queued event. What `expected` isn't in was another visitor's."""
        started = time.perf_counter()
        body = {
            "data": data, "fn_index": event["id"], "session_hash": self.session,
            "trigger_id": None, "event_data": None,
        }  # fmt: skip
        status, answer = await self.connection.request("POST", "/gradio_api/queue/join?", body)
        if status != 200:
            self.counts.errors.append(f"join {status}: {answer[:200]!r}")
            return
        _, stream = await self.connection.request(
            "GET",
            f"/gradio_api/queue/data?session_hash={self.session}",
            until=lambda seen: b'"process_completed"' in seen and seen.endswith(b"\n\n"),
        )
        told = [
            json.loads(each.removeprefix("data: "))
            for each in stream.decode().split("\n\n")
            if each
        ]
        if not told[-1].get("success"):
            self.counts.errors.append(f"opening: {told[-1]}"[:300])
        elif expected not in stream.decode():
            self.counts.crossings.append(f"{self.name}: opened {stream[-300:]!r}")
        self.counts.opened.append(time.perf_counter() - started)

    async def ask(self, function: str, payload: dict[str, Any]) -> dict[str, Any] | None:
        """A server function's answer, or None where it is an error, which is counted."""
        body = {
            "data": payload, "component_id": self.site.stage, "fn_name": function,
            "session_hash": self.session,
        }  # fmt: skip
        try:
            status, answer = await self.connection.request(
                "POST", "/gradio_api/component_server", body
            )
        except (OSError, asyncio.IncompleteReadError) as error:
            self.counts.errors.append(repr(error)[:200])
            self.connection.close()
            return None
        document: dict[str, Any] = json.loads(answer) if status == 200 else {"error": answer[:200]}
        if document.get("error") is not None:
            self.counts.errors.append(f"{status}: {document['error']}"[:300])
            return None
        return document

    async def step(self, problem: Problem, timed: bool = True) -> None:
        """One token more of this visitor's run; at its end the next run begins."""
        started = time.perf_counter()
        payload = {"problem": problem, "path": self.path, "action": {"draw": self.run}}
        answer = await self.ask("advance", payload)
        if answer is None:
            return
        if timed:
            self.counts.seconds.append(time.perf_counter() - started)
        self.check(problem, answer)
        if answer["outcome"] != "running":
            self.path, self.text, self.run = [], "", self.run + 1

    def named(self, rows: list[dict[str, Any]]) -> bool:
        """All rows are of tokens of this visitor's own toy."""
        return all(row["eos"] or row["text"].startswith(self.name) for row in rows)

    def check(self, problem: Problem, answer: dict[str, Any]) -> None:
        """Count an answer that isn't this visitor's: another text, place, or name."""
        step, frontier = answer["step"], answer["frontier"]
        whole = self.text + step["taken"]["text"] * (not step["taken"]["eos"])
        mine = (
            step["index"] == len(self.path)
            and step["text_before"] == self.text
            and whole.startswith(self.name[: len(whole)])
            and (problem["toy"] is None or self.named(step["candidates"]))
            and (frontier is None or frontier["text_before"] == whole)
        )
        if not mine:
            self.counts.crossings.append(f"{self.name}: {whole[:60]!r} at {step['index']}")
        self.path.append(step["taken"]["id"])
        self.text = whole
