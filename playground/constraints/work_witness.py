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

from playground.constraints.instances.generator import FULL, LEAST, NATURAL, WILD
from playground.constraints.instances.goals import outer
from playground.constraints.instances.masks import Masks
from playground.constraints.instances.search import OVER, Found, Searcher
from playground.constraints.limits import Limits

GRACE = 0.3
"""Seconds beyond the search's end after which whatever it is in is broken off."""
AGAIN = 0.05
TURN = 4.0
"""A keyword may take so many times its equal share of the time that is left."""
QUICK_SHARE = 0.55
"""That part of the time at most goes to a first pair for each keyword."""
HARD_SHARE = 0.75
"""At that part of the time no more is tried for keywords that have no pair yet."""
MASKS_SHARE = 0.92
"""At that part of the time no more masks are compared."""
PLENTY = 1.2
"""After so many seconds only keywords without any pair are searched on."""
LEAST_TURN = 0.05
"""And so many seconds at least."""
STYLES = {"least": LEAST, "typical": NATURAL, "full": FULL, "wild": WILD}


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
    closed: list[str] = []
    with _broken_off(until + GRACE):
        searcher = Searcher(schema, request["seed"], request["whitespace"], until)
        if "pointers" in request:
            _pairs(searcher, request, until, found)
        elif "places" in request:
            _closed(searcher, request, until, closed)
        else:
            _instances(searcher, request["style"], request["instances"], texts)
    if "places" in request:
        return {"closed": closed}, b""
    if "pointers" not in request:
        return {"instances": list(texts)}, b""
    return {"found": found}, b""


def _pairs(
    searcher: Searcher, request: dict[str, Any], until: float, found: list[dict[str, Any]]
) -> None:
    """Something of each keyword, then the masks of those without anything, then more of each."""
    pointers, most = request["pointers"], request["pairs"]
    began, whole = time.monotonic(), until - time.monotonic()
    found += [{"pairs": [], "loosens": [], "why": OVER, "idle": ""} for _ in pointers]
    every = range(len(pointers))
    for share, masks in (
        (QUICK_SHARE, False),
        (HARD_SHARE, False),
        (MASKS_SHARE, True),
        (1, False),
    ):
        end = began + share * whole
        if masks and request["masks"]:
            _compared(searcher, request, end, found)
            continue
        todo = [index for index in every if share in (QUICK_SHARE, 1) or _open(found[index])]
        for place, index in enumerate(todo):
            left = end - time.monotonic()
            if left < 0:
                break
            over = time.monotonic() - began > PLENTY and not _open(found[index])
            if found[index]["idle"] or over:
                continue
            quick = share == QUICK_SHARE
            searcher.begin(max(LEAST_TURN, TURN * left / (len(todo) - place)))
            wanted = most if share == 1 else 1
            answer = _answer(searcher.witnesses(pointers[index], wanted, quick))
            if _open(found[index]) or len(answer["pairs"]) > len(found[index]["pairs"]):
                found[index] = answer


def _open(found: dict[str, Any]) -> bool:
    """Nothing is known of this keyword yet."""
    return not (found["pairs"] or found["loosens"] or found["idle"])


def _compared(
    searcher: Searcher, request: dict[str, Any], until: float, found: list[dict[str, Any]]
) -> None:
    """Ask the masks about the keywords that have no witnesses."""
    left = [
        (index, pointer)
        for index, (pointer, one) in enumerate(zip(request["pointers"], found, strict=True))
        if _open(one)
    ]
    if not left or searcher.breaches:  # a lowering of broken keywords may stumble
        return
    schema = searcher.places.root
    masks = Masks(schema, searcher.places, request["whitespace"], until)
    for index, pointer in left:
        if time.monotonic() > until:
            return
        same, text = masks.same(searcher.without(pointer))
        if same and not masks.may_tell(pointer):
            continue
        if same and masks.never_here(outer(pointer)):
            found[index]["idle"] = "the mask leads to no value at this place"
        elif same:
            found[index]["idle"] = "the mask is the same without it"
        elif text:
            searcher.begin(LEAST_TURN)
            found[index] = _answer(searcher.told(pointer, text, masks.shortest()))


def _closed(searcher: Searcher, request: dict[str, Any], until: float, closed: list[str]) -> None:
    masks = Masks(searcher.places.root, searcher.places, request["whitespace"], until)
    for pointer in request["places"]:
        if masks.may_tell(pointer) and masks.never_here(pointer):
            closed.append(pointer)


def _answer(one: Found) -> dict[str, Any]:
    return {"pairs": one.pairs, "loosens": one.loosens, "why": one.why, "idle": one.idle}


def _instances(searcher: Searcher, style: str, count: int, texts: dict[str, None]) -> None:
    for _ in range(3 * count + 10):
        if len(texts) >= count or searcher.late():
            return
        made = searcher.pool.valid(STYLES[style])
        if made is not None:
            texts[searcher.speller.text(made.value)] = None


class _Over(Exception):
    """The time is over, wherever the search is."""


@contextmanager
def _broken_off(until: float) -> Iterator[None]:
    """End the block when the monotonic clock reaches `until`. The alarm is the judge's: a thread
    sends another signal."""

    done = threading.Event()

    def ring(number: int, frame: FrameType | None) -> None:
        if not done.is_set():  # a signal that comes late has nothing left to end
            raise _Over

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
