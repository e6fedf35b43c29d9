"""The child's part of the witnesses: instances of a schema, and pairs that tell its keywords."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from playground.constraints.instances.generator import FULL, LEAST, TYPICAL, WILD
from playground.constraints.instances.search import Searcher
from playground.constraints.limits import Limits

GRACE = 0.3
"""Seconds beyond the search's end after which whatever it is in is broken off."""
AGAIN = 0.05
TURN = 4.0
"""A keyword may take so many times its equal share of the time that is left."""
QUICK = 2
"""So many pairs are sought for each at first."""
LEAST_TURN = 0.05
"""And so many seconds at least."""
STYLES = {"least": LEAST, "typical": TYPICAL, "full": FULL, "wild": WILD}


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Answer one request about the JSON Schema in `source`.

    `pointers` and `pairs`: {"found": [{"pairs", "loosens", "why"}]}, one for each pointer, those
    that the time left out with `why` only; `instances`: {"instances": texts} of `style`, all of
    them valid. Both end after `seconds`.

    Raises:
        PlaygroundError: the schema leads outside its document.
    """
    schema = json.loads(request["source"])
    until = time.monotonic() + request["seconds"]
    texts: dict[str, None] = {}
    found: list[dict[str, Any]] = []
    with _broken_off(until + GRACE):
        searcher = Searcher(schema, request["seed"], request["whitespace"], until)
        if "pointers" in request:
            _pairs(searcher, request, until, found)
        else:
            _instances(searcher, request["style"], request["instances"], texts)
    if "pointers" not in request:
        return {"instances": list(texts)}, b""
    missing = len(request["pointers"]) - len(found)
    found += [{"pairs": [], "loosens": [], "why": "the time was over before it"}] * missing
    return {"found": found}, b""


def _pairs(
    searcher: Searcher, request: dict[str, Any], until: float, found: list[dict[str, Any]]
) -> None:
    pointers, most = request["pointers"], request["pairs"]
    for quick in (True, False):  # something of each before more of any
        for index, pointer in enumerate(pointers):
            left = until - time.monotonic()
            if left < 0:
                return
            searcher.begin(max(LEAST_TURN, TURN * left / (len(pointers) - index)))
            one = searcher.witnesses(pointer, min(most, QUICK) if quick else most, quick)
            answer = {"pairs": one.pairs, "loosens": one.loosens, "why": one.why}
            if quick:
                found.append(answer)
            elif len(one.pairs) > len(found[index]["pairs"]):
                found[index] = answer


def _instances(searcher: Searcher, style: str, count: int, texts: dict[str, None]) -> None:
    for _ in range(3 * count + 10):
        if len(texts) >= count or searcher.late():
            return
        made = searcher.valid(STYLES[style])
        if made is not None:
            texts[searcher.speller.text(made.value)] = None


class _Over(Exception):
    """The time is over, wherever the search is."""


@contextmanager
def _broken_off(until: float) -> Iterator[None]:
    """End the block when the monotonic clock reaches `until`. The alarm is the judge's: a thread
    sends another signal."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise _Over

    done = threading.Event()

    def watch() -> None:
        late = done.wait(max(0.0, until - time.monotonic()))
        while not late:  # again, should the first one have been swallowed
            os.kill(os.getpid(), signal.SIGUSR1)
            late = done.wait(AGAIN)

    before = signal.signal(signal.SIGUSR1, ring)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            done.set()
    except _Over:
        pass  # what was found until then is the answer
    finally:
        done.set()
        watcher.join()
        signal.signal(signal.SIGUSR1, before)


def preload() -> None:
    """Use once what a search needs, so that a child begins at once."""
    Searcher({"type": "integer", "minimum": 0}, 0, "one", time.monotonic() + 1.0)
