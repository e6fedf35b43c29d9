"""Fit for a workshop, measured: many visitors at once on the real app, and a lesson in a browser.
`make bench-load` prints the table, WRITE=1 puts it into the README."""

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.bench import table, written
from tests.bench_page import page_rows
from tests.bench_rows import Row
from tests.load import Connection, Counts, Problem, Site, Visitor, live_problem, toy_problem
from tests.ports import free_port

ROOT = Path(__file__).parents[1]
PACE = 2.0
"""Seconds between two steps of a visitor."""
SIZES = (1, 4, 8, 16, 32, 50)
"""Batches of which the raw rate is measured; between them it is interpolated."""
RAW = """
import json, sys, time, statistics, torch
from transformers import DynamicCache
from playground.models.loader import ModelHub
from playground.settings import Settings
settings = Settings.from_env()
model = ModelHub(settings).get("smollm2")
prompt, sizes = json.loads(sys.argv[1]), json.loads(sys.argv[2])
module, ids, found = model._plain._model, list(model.render(prompt, True)), {}
for size in sizes:
    cache, took = DynamicCache(), []
    with torch.inference_mode():
        module(torch.tensor([ids] * size), cache=cache, use_cache=True, logits_to_keep=1)
        for token in range(1000, 1008):
            started = time.perf_counter()
            module(torch.tensor([[token]] * size), cache=cache, use_cache=True).logits.numpy()
            took.append(time.perf_counter() - started)
    found[size] = size / statistics.median(took[1:])
print(json.dumps(found))
"""
"""Rows a second of plain batched passes of one token each, keys and values held: the same weights,
threads and prompt, in a process of its own."""


def raw_rates() -> dict[int, float]:
    """Rows a second by batch size."""
    prompt = live_problem("aa")["prompt"]
    done = subprocess.run(
        [sys.executable, "-c", RAW, json.dumps(prompt), json.dumps(SIZES)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {int(size): rate for size, rate in json.loads(done.stdout).items()}


def rate_at(rates: dict[int, float], batch: float) -> float:
    """Rows a second at a mean batch size: seconds a pass, interpolated."""
    sizes = sorted(rates)
    low = max((size for size in sizes if size <= batch), default=sizes[0])
    high = min((size for size in sizes if size >= batch), default=sizes[-1])
    part = 0.0 if low == high else (batch - low) / (high - low)
    took = (1 - part) * low / rates[low] + part * high / rates[high]
    return batch / took


class Server:
    """The app in a process of its own, and what it tells of its inside."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self.port, self.process = port, process
        self.connection = Connection(port)
        self.memory: list[tuple[float, float]] = []
        """(seconds since it was first asked, MB)"""

    async def get(self, path: str) -> Any:
        """A JSON document."""
        return json.loads((await self.connection.request("GET", path))[1])

    async def watch(self) -> None:
        """Note its memory every second, for ever."""
        started, connection = time.perf_counter(), Connection(self.port)
        while True:
            inside = json.loads((await connection.request("GET", "/load"))[1])
            self.memory.append((time.perf_counter() - started, inside["rss_mb"]))
            await asyncio.sleep(1.0)


@asynccontextmanager
async def served() -> AsyncIterator[Server]:
    """The app on a free port, its model loaded."""
    port = free_port()
    env = {**os.environ, "PORT": str(port)}
    process = subprocess.Popen([sys.executable, "-m", "tests.load_server"], cwd=ROOT, env=env)
    server = Server(port, process)
    try:
        while True:
            try:
                if (await server.connection.request("GET", "/healthz"))[0] == 200:
                    break
            except (OSError, asyncio.IncompleteReadError):
                server.connection.close()
            if process.poll() is not None:
                raise SystemExit("the app ended")
            await asyncio.sleep(0.2)
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def quantile(values: list[float], q: float) -> float:
    """A quantile of at least one value, seconds."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


async def phase(
    visitors: Iterable[Visitor], problems: dict[str, Problem], seconds: float, pace: float | None
) -> None:
    """All visitors step for so long: one step every `pace` seconds, or back to back."""
    ends = time.perf_counter() + seconds

    async def one(visitor: Visitor) -> None:
        due = time.perf_counter() + (random.random() * pace if pace else 0.0)
        while due < ends and time.perf_counter() < ends:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await visitor.step(problems[visitor.name])
            # Who is late takes the next step at once, as an impatient visitor does.
            due = due + pace if pace else time.perf_counter()

    await asyncio.gather(*(one(visitor) for visitor in visitors))


def said(name: str, counts: Counts) -> str:
    """A phase in one line."""
    times = counts.seconds or [float("nan")]
    return (
        f"{name}: {len(counts.seconds)} steps, p50 {quantile(times, 0.5) * 1e3:.0f} ms, "
        f"p95 {quantile(times, 0.95) * 1e3:.0f} ms, {len(counts.errors)} errors, "
        f"{len(counts.crossings)} crossings"
    )


class Measurement:
    """The phases in order, each with the rows of the table that it fills."""

    def __init__(self, server: Server, count: int, site: Site) -> None:
        self.server, self.count, self.site = server, count, site
        self.all: list[Counts] = []
        self.formed: dict[int, int] = {}
        """Passes of the last phase by the rows that they gave."""

    async def stepping(
        self, name: str, slug: str, problem: Any, seconds: float, pace: float | None
    ) -> Counts:
        """The visitors come, open an example and their own problem, and step."""
        counts = Counts()
        self.all.append(counts)
        visitors = [
            Visitor(number, self.server.port, self.site, counts) for number in range(self.count)
        ]
        problems = {visitor.name: problem(visitor.name) for visitor in visitors}
        await asyncio.gather(*(visitor.arrive() for visitor in visitors))
        await asyncio.gather(*(visitor.choose(slug) for visitor in visitors))
        await asyncio.gather(*(visitor.start(problems[visitor.name]) for visitor in visitors))
        before = await self.server.get("/load")
        await phase(visitors, problems, seconds, pace)
        after = await self.server.get("/load")
        self.formed = {
            int(n): times - before["batches"].get(n, 0) for n, times in after["batches"].items()
        }
        spent = (after["cpu_s"] - before["cpu_s"]) / max(1, len(counts.seconds))
        for visitor in visitors:
            visitor.connection.close()
        opened = quantile(counts.opened, 0.95)
        print(
            f"{said(name, counts)}; opened in {opened:.1f} s (p95); {spent * 1e3:.1f} ms of CPU a step"
        )
        for problem in [*counts.errors[:3], *counts.crossings[:3]]:
            print("   ", problem)
        sys.stdout.flush()
        return counts

    def batch(self) -> float:
        """The mean number of rows of the last phase's passes."""
        passes = sum(self.formed.values())
        return sum(size * times for size, times in self.formed.items()) / max(1, passes)

    def paced(self, what: str, counts: Counts, target: float) -> Row:
        """A row of the table for a phase at a pace."""
        p50, p95 = (quantile(counts.seconds, q) * 1e3 for q in (0.5, 0.95))
        return (
            f"{what}: {self.count} visitors, a step every {PACE:.0f} s: p50, p95",
            f"{p50:.0f} ms, {p95:.0f} ms ({len(counts.seconds):,} steps)",
            f"p95 below {target * 1e3:,.0f} ms",
            p95 < target * 1e3,
        )

    def back_to_back(self, counts: Counts, seconds: float, raw: float) -> Row:
        """The row of the phase without pauses."""
        rate = len(counts.seconds) / seconds
        p95 = quantile(counts.seconds, 0.95)
        return (
            f"SmolLM2 steps back to back, {self.count} visitors / raw passes of "
            f"{self.batch():.1f} rows, the mean formed",
            f"{rate / raw:.2f} ({rate:.0f} / {raw:.0f} a second; p95 {p95:.1f} s)",
            "at least 0.5",
            rate / raw >= 0.5,
        )

    def faults(self) -> Iterable[Row]:
        """Errors and crossings of all phases."""
        steps = sum(len(counts.seconds) for counts in self.all)
        errors = sum(len(counts.errors) for counts in self.all)
        crossings = sum(len(counts.crossings) for counts in self.all)
        yield (f"errors in {steps:,} steps and their openings", str(errors), "0", errors == 0)
        yield ("answers that were another visitor's", str(crossings), "0", crossings == 0)

    def memory(self) -> Row:
        """Whether memory grew in the second half of the time."""
        seen, last = self.server.memory, self.server.memory[-1][0]
        middle = statistics.median(mb for at, mb in seen if last / 2 <= at < 3 * last / 4)
        end = statistics.median(mb for at, mb in seen if at >= 3 * last / 4)
        return (
            f"the server's memory over {last / 60:.0f} minutes: third quarter, last quarter",
            f"{middle:,.0f} MB, {end:,.0f} MB",
            "grows by at most 5 %",
            end <= 1.05 * middle,
        )


async def measured(seconds: float, count: int, minutes: float) -> list[Row]:
    """Every row of the table."""
    before = raw_rates()
    rows: list[Row] = []
    async with served() as server:
        site = Site(await server.get("/config"))
        measurement = Measurement(server, count, site)
        watching = asyncio.create_task(server.watch())
        toys = await measurement.stepping("toy", "sky", toy_problem, seconds, PACE)
        rows.append(measurement.paced("toy steps", toys, 0.5))
        live = await measurement.stepping("SmolLM2", "sky-real", live_problem, seconds, PACE)
        rows.append(measurement.paced("SmolLM2 steps", live, 1.0))
        left = 60 * minutes - server.memory[-1][0]
        spell = max(seconds / 2, left)
        busy = await measurement.stepping(
            "SmolLM2 back to back", "sky-real", live_problem, spell, None
        )
        watching.cancel()
    after = raw_rates()
    batch = measurement.batch()
    raw = (rate_at(before, batch) + rate_at(after, batch)) / 2
    print(f"batches formed: {dict(sorted(measurement.formed.items()))}")
    print(f"raw rows a second: before {before}, after {after}")
    rows.append(measurement.back_to_back(busy, spell, raw))
    return [*rows, *measurement.faults(), measurement.memory()]


def main() -> int:
    """Measure, print, and with --write put the table into the README."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=180, help="of each phase at a pace")
    parser.add_argument("--visitors", type=int, default=50, help="at most 100")
    parser.add_argument("--minutes", type=float, default=10, help="of all phases at least")
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    given = parser.parse_args()
    rows = [*page_rows(), *asyncio.run(measured(given.seconds, given.visitors, given.minutes))]
    text = table(rows)
    print(f"\n{text}")
    if given.write:
        written("bench-load", text)
    return 0 if all(row[3] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
