"""The search that proves: it opens the prefixes whose masses leave most in doubt."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masses import MassTree
from playground.exact.posterior import Posterior, snapshot
from playground.logspace import logsumexp
from playground.models.base import Prefix

Aim = Literal["both", "z"]
Stopped = Literal["tolerance", "rows", "seconds", "cancelled", "complete", "memory"]
MAX_SIZE = 400_000
"""Entries of a tree: about 100 MB."""
SHOW_EVERY = 0.4
"""Seconds between two snapshots that a search yields."""


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search ends; whatever comes first."""

    rows: int = 2000
    """Prefixes opened by this search."""
    seconds: float = math.inf
    tolerance: float = 0.01
    """For open / inside, and for open~ when aiming at both."""
    aim: Aim = "both"
    batch: int = 16
    """Prefixes opened by one model call."""


def search(
    tree: MassTree, budget: Budget, cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Posterior]:
    """Open prefixes until the budget is spent; yields what is known, the last time with `stopped`.

    Searching the same tree again goes on where it stopped; two searches of one tree take turns, a
    wave of prefixes each.
    """
    started = shown = time.monotonic()
    opened = 0
    while True:
        elapsed = time.monotonic() - started
        with tree.growing:
            stopped = _stopped(tree, budget, opened, elapsed, cancelled)
            if stopped is None:
                opened += _wave(tree, budget.aim, min(budget.batch, budget.rows - opened))
        if stopped is not None:
            yield snapshot(tree, elapsed, stopped)
            return
        if time.monotonic() - shown > SHOW_EVERY:
            yield snapshot(tree, time.monotonic() - started, None)
            shown = time.monotonic()


def _wave(tree: MassTree, aim: Aim, count: int) -> int:
    """Open at most `count` entries with one model call; how many new prefixes they were."""
    before = tree.rows_used
    entries = _chosen(tree, aim, count)
    problem = tree.problem
    nodes = tree.frontier.rows["node"][entries].tolist()
    rows = problem.rows.get(problem.model, [tree.prefix(node) for node in nodes])
    with tree.lock:
        tree.open(entries, rows)
    return tree.rows_used - before


def follow(tree: MassTree, tokens: Prefix) -> None:
    """Open what lies along a run that was drawn, whose rows are at hand: its text has bounds then.

    It ends early at a token that has no entry of its own yet.
    """
    problem = tree.problem
    with tree.growing:
        node: int | None = 0
        for token in tokens:
            if node is None or tree.size > MAX_SIZE:
                return
            entry = tree.entry(node)
            if entry is not None:
                row = problem.rows.get(problem.model, [tree.prefix(node)])
                with tree.lock:
                    tree.open(np.array([entry]), row)
            node = tree.child(node, token)


def _stopped(
    tree: MassTree, budget: Budget, rows: int, seconds: float, cancelled: Callable[[], bool]
) -> Stopped | None:
    frontier = tree.frontier.rows
    if not len(frontier):
        return "complete"
    if cancelled():
        return "cancelled"
    inside = logsumexp(tree.found.rows["log_p"])
    log_tolerance = math.log(budget.tolerance) if budget.tolerance > 0 else -math.inf
    closed = logsumexp(frontier["log_p"]) - inside <= log_tolerance if inside > -np.inf else False
    if budget.aim == "both":
        closed = closed and logsumexp(frontier["log_q"]) <= log_tolerance
    if closed:
        return "tolerance"
    if rows >= budget.rows:
        return "rows"
    if seconds >= budget.seconds:
        return "seconds"
    return "memory" if tree.size > MAX_SIZE else None


def _chosen(tree: MassTree, aim: Aim, count: int) -> NDArray[np.intp]:
    """Indices of the entries to open next, at most `count`."""
    frontier = tree.frontier.rows
    known = np.logaddexp(logsumexp(tree.found.rows["log_p"]), logsumexp(frontier["log_p"]))
    doubt = frontier["best_p"] - (known if known > -np.inf else 0.0)
    if aim == "both":
        doubt = np.maximum(doubt, frontier["best_q"])
    if len(doubt) <= count:
        return np.arange(len(doubt), dtype=np.intp)
    return np.argpartition(-doubt, count - 1)[:count]
