"""Two laws side by side: the same model under two prompts' ends, or under two constraints."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from playground.decoding.masses import MassTree
from playground.exact.apart import Law, aligned, conditional, masked, tv_between
from playground.exact.interval import Interval
from playground.exact.posterior import Posterior, known_cells, snapshot
from playground.exact.search import SHOW_EVERY, Budget, search
from playground.exact_record import interval_document
from playground.healing import healed_document
from playground.opened import Opened
from playground.page import problem_document
from playground.record import Document, provenance_document, show

SLICE = 48
"""Rows that one side reads before the other has its turn."""
LISTED = 40
"""Texts listed in a document."""
DIFFERS = 1e-9
"""Least proved move of a text's p_V that is told."""


@dataclass(frozen=True, eq=False, slots=True)
class Side:
    """One of the two problems, as far as it is known."""

    opened: Opened
    posterior: Posterior
    p_V: Law
    masked: Law


@dataclass(frozen=True, eq=False, slots=True)
class Between:
    """Two laws over the same texts: those that either side knows, without their leads."""

    left: Side
    right: Side
    texts: tuple[bytes, ...]
    """In the order of the laws' cells."""
    p_V: Interval | None
    """TV between the two p_V over texts; None where one of them doesn't exist."""
    masked: Interval
    """TV between the two p~, "not finished" an outcome of both."""
    status: Literal["exact", "bounded"]
    rows_used: int
    seconds: float
    stopped: str | None


def between(
    left: tuple[Opened, MassTree],
    right: tuple[Opened, MassTree],
    budget: Budget,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Between]:
    """Search both trees in turns under one budget; yields what is known, the last time with
    `stopped`. The same trees again go on where they ended.

    Args:
        left, right: each problem and its tree.
        budget: rows and seconds are of both together; tolerance is of each.
        cancelled: asked between waves; True ends the search.
    """
    started = shown = time.monotonic()
    sides = (left, right)
    before = [tree.rows_used for _, tree in sides]
    ended: dict[int, str] = {}
    turn = 0
    while True:
        seconds = time.monotonic() - started
        rows = sum(tree.rows_used for _, tree in sides) - sum(before)
        room = replace(
            budget, rows=min(SLICE, budget.rows - rows), seconds=budget.seconds - seconds
        )
        over = len(ended) == 2 or room.rows <= 0 or room.seconds <= 0 or cancelled()
        if over:
            stopped = _why(ended, room, cancelled())
            whys = (ended.get(0, stopped), ended.get(1, stopped))
            yield read(left, right, seconds, stopped, whys)
            return
        if turn not in ended:
            *_, last = search(sides[turn][1], room, cancelled)
            if last.stopped in ("complete", "tolerance", "memory"):
                ended[turn] = last.stopped
        turn = 1 - turn
        if time.monotonic() - shown > SHOW_EVERY and len(ended) < 2:
            yield read(left, right, time.monotonic() - started, None)
            shown = time.monotonic()


def _why(ended: dict[int, str], room: Budget, cancelled: bool) -> str:
    """Why a search of both sides is over: the weaker of the two reasons where both have ended."""
    if len(ended) == 2:
        return next(why for why in ("memory", "tolerance", "complete") if why in ended.values())
    return "cancelled" if cancelled else "rows" if room.rows <= 0 else "seconds"


def read(
    left: tuple[Opened, MassTree],
    right: tuple[Opened, MassTree],
    seconds: float = 0.0,
    stopped: str | None = None,
    whys: tuple[str | None, str | None] = (None, None),
) -> Between:
    """What two trees say of each other now; `whys` is why the search of each has ended."""
    told = [
        (opened, snapshot(tree, seconds, why), *known_cells(tree))
        for (opened, tree), why in zip((left, right), whys, strict=True)
    ]
    places = [
        {text[len(opened.lead) :]: i for i, text in enumerate(texts)}
        for opened, _, texts, _ in told
    ]
    texts, *cells_of = aligned(places[0], places[1])
    sides = [
        Side(opened, posterior, conditional(cells).at(at), masked(cells).at(at))
        for (opened, posterior, _, cells), at in zip(told, cells_of, strict=True)
    ]
    same = left[1] is right[1]
    exists = all(side.posterior.Z.upper > 0 for side in sides)
    exact = all(side.posterior.status == "exact" for side in sides)
    return Between(
        left=sides[0],
        right=sides[1],
        texts=tuple(texts),
        p_V=_apart(sides[0].p_V, sides[1].p_V, same) if exists else None,
        masked=_apart(sides[0].masked, sides[1].masked, same),
        status="exact" if exact else "bounded",
        rows_used=sum(side.posterior.rows_used for side in sides),
        seconds=seconds,
        stopped=stopped,
    )


def _apart(left: Law, right: Law, same: bool) -> Interval:
    """TV; of one problem and itself it is 0, however little of it is known."""
    return Interval.point(0.0) if same else tv_between(left, right)


def between_document(state: Between) -> Document:
    """Both laws by text, the distance between them, and what each side's search left open."""
    rows = text_documents(state)
    both = {"left": state.left, "right": state.right}
    why = "On one side nothing valid has any mass: p_V doesn't exist." if state.p_V is None else ""
    return {
        "v": 1,
        "done": state.stopped is not None,
        "problem": problem_document(state.left.opened.spec),
        "against": problem_document(state.right.opened.spec),
        "provenance": provenance_document(state.left.opened.problem),
        "healed": {name: healed_document(side.opened.healed) for name, side in both.items()},
        "texts": rows[:LISTED],
        "others": max(0, len(rows) - LISTED),
        "moved": moved(rows),
        "tv": {
            "p_V": _distance(state.p_V, state.status, why),
            "masked": _distance(state.masked, state.status),
        },
        "Z": {name: interval_document(side.posterior.Z) for name, side in both.items()},
        "unfinished": {
            name: side.posterior.cut + side.posterior.dead for name, side in both.items()
        },
        "open": {name: side.posterior.open for name, side in both.items()},
        "open_masked": {name: side.posterior.open_masked for name, side in both.items()},
        "status": state.status,
        "rows_used": state.rows_used,
        "seconds": state.seconds,
        "stopped": state.stopped,
    }


def _distance(bounds: Interval | None, status: str, why: str = "") -> Document:
    if bounds is None:
        return {"lower": None, "upper": None, "status": "off", "why": why}
    return {**interval_document(bounds), "status": status, "why": why}


def text_documents(state: Between) -> list[Document]:
    """Every text with its bounds under the four laws, the weightiest first."""
    sides = (state.left, state.right)
    weights = [max(_least(side, i) for side in sides) for i in range(len(state.texts))]
    order = sorted(range(len(state.texts)), key=lambda i: -weights[i])
    tight = [
        {text.text[len(side.opened.lead) :]: text for text in side.posterior.texts}
        for side in sides
    ]

    def bounds(which: int, i: int) -> Document:
        side, found = sides[which], tight[which].get(state.texts[i])
        if side.posterior.Z.upper <= 0:
            p_v = None
        else:
            own = _cell(side.p_V, i) if found is None else found.conditional
            p_v = interval_document(own)
        q = _cell(side.masked, i) if found is None else found.masked
        return {"p_V": p_v, "masked": interval_document(q)}

    return [
        {"text": show(state.texts[i]), "left": bounds(0, i), "right": bounds(1, i)} for i in order
    ]


def _least(side: Side, i: int) -> float:
    return max(float(side.p_V.least[i]), float(side.masked.least[i]))


def _cell(law: Law, i: int) -> Interval:
    return Interval.around(float(law.least[i]), float(law.most[i]), bool(law.most[i] > 0))


def moved(rows: list[Document]) -> str | None:
    """The text whose p_V is proved to differ most between the sides; None where none is."""

    def apart(row: Document) -> float:
        left, right = row["left"]["p_V"], row["right"]["p_V"]
        if left is None or right is None:
            return 0.0
        return float(max(left["lower"] - right["upper"], right["lower"] - left["upper"]))

    best = max(rows, key=apart, default=None)
    return None if best is None or apart(best) <= DIFFERS else str(best["text"])
