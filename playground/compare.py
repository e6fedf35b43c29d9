"""Methods side by side on one problem: what each drew, at what cost, and how far it is from p_V."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.bounds import TreeBounds
from playground.decoding.learnt import FutureMass
from playground.decoding.masses import MassTree
from playground.decoding.methods import METHODS, Method
from playground.decoding.run import Draw
from playground.decoding.sampling import require_random
from playground.decoding.trace import Outcome, Problem
from playground.errors import PlaygroundError
from playground.exact.posterior import Posterior, snapshot
from playground.exact.search import Budget, follow, search
from playground.models.base import Prefix
from playground.slices import Slices
from playground.tally import Tally

SLICE = 0.25
"""Seconds that one method runs before the next has its turn."""
TELL = 0.35
"""Seconds between two messages."""
FIRST = 1.5
"""Seconds that the search has for itself at the start."""
SOON = 4
"""Runs that a method of independent runs makes first: they go on to their ends together, and a whole
batch of long ones would be minutes without a sample."""
ALONE = (
    "unconstrained", "masked", "engine-order", "rejection", "retry", "json-mode", "think",
)  # fmt: skip
"""The methods whose every draw is a walk of its own."""
OWN_ROWS = 256
"""Rows of the tree that `conditional` starts from."""


class CompareSpec(BaseModel):
    """What to compare, and how far to go."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    methods: tuple[str, ...] = ("unconstrained", "masked", "rejection")
    n: int = Field(default=200, ge=1, le=10_000)
    """Draws, as each method counts them."""
    accept: Literal["language", "schema", "salvaged", "syntax"] = "language"
    rows: int = Field(default=2000, ge=0, le=20_000)
    """Rows that the search for p_V may read; 0: no search."""
    seconds: float = Field(default=30.0, gt=0, le=600)
    """Seconds that it may take."""
    tolerance: float = Field(default=0.01, ge=0, le=1)

    @field_validator("methods")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in METHODS]
        if unknown or not names:
            raise ValueError(
                f"{unknown[0]!r} is no method; there are {', '.join(METHODS)}"
                if unknown
                else "Name at least one method"
            )
        return tuple(dict.fromkeys(names))


@dataclass(slots=True)
class Comparison:
    """Everything that a comparison knows at one moment."""

    spec: CompareSpec
    problem: Problem
    tallies: dict[str, Tally]
    posterior: Posterior | None = None
    exact_rows: int = 0
    """Rows that the search computed."""
    exact_seconds: float = 0.0
    """Seconds that the search worked, the turns of the methods left out."""
    done: bool = False
    stopped: bool = False
    """Ended early, keeping what was drawn."""
    met: set[Prefix] = field(default_factory=set)
    """Valid runs drawn so far."""
    drawn: list[Prefix] = field(default_factory=list)
    """Those that the tree has not seen yet."""
    parallel: float | None = None
    """Time of three runs side by side over that of one."""


def compare(
    problem: Problem,
    tree: MassTree,
    spec: CompareSpec,
    accept: Accept = LANGUAGE,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Comparison]:
    """Run the methods and the search in turns; yields the same growing comparison again and again.

    The last one is `done`. A method that fails keeps what it drew and its error.

    Raises:
        InvalidInput: the temperature is 0.
    """
    require_random(problem.sampling)
    state = Comparison(spec, problem, {name: Tally(METHODS[name]) for name in spec.methods})
    told = time.monotonic()
    yield state
    for _ in _turns(state, tree, accept, cancelled):
        if time.monotonic() - told > TELL:
            yield state
            told = time.monotonic()
    state.stopped = cancelled()
    state.done = True
    yield state


def _turns(
    state: Comparison, tree: MassTree, accept: Accept, cancelled: Callable[[], bool]
) -> Iterator[None]:
    """Give the search and every method its slice of time in turn until all are done."""
    spec = state.spec
    searching: Iterator[Posterior] | None = None
    if spec.rows:
        # Its seconds are counted here: the clock of its own would count the others' turns too.
        budget = Budget(spec.rows, tolerance=spec.tolerance)
        searching = search(tree, budget, lambda: cancelled() or state.exact_seconds >= spec.seconds)
        started = time.monotonic()
        while searching is not None and time.monotonic() - started < FIRST:
            searching = _search_on(state, searching)
            yield
    rows = state.problem.rows
    running = {
        name: Slices(
            partial(_draws, state, tally.method, accept), cancelled, lambda: rows.computed_here
        )
        for name, tally in state.tallies.items()
    }
    try:
        while searching is not None or running:
            if searching is not None:
                searching = _search_on(state, searching)
                yield
            for name, draws in list(running.items()):
                if not _draw_on(state, state.tallies[name], draws):
                    del running[name]
                _learn(state, tree)
                yield
    finally:
        for turns in running.values():
            turns.close()


def _draws(
    state: Comparison,
    method: Method,
    accept: Accept,
    cancelled: Callable[[], bool],
) -> Iterator[Draw]:
    """The draws of `method`; of independent runs a few first. The seed gives these again, from rows
    that are stored by then, when all are drawn together.

    `conditional` starts from a tree of its own, grown by a number of rows: the shared one is as
    large as clocks and other visitors made it, and the draws would not be the seed's.
    """
    tree: FutureMass | None = None
    if method.name == "conditional":
        own = MassTree(state.problem)
        for _ in search(own, Budget(OWN_ROWS, tolerance=state.spec.tolerance), cancelled):
            pass
        tree = TreeBounds(own)
    draws = partial(method.draws, state.problem, accept=accept, tree=tree, cancelled=cancelled)
    n, few = state.spec.n, SOON
    if method.name not in ALONE or n <= few:
        return draws(n)
    return chain(draws(few), islice(draws(n), few, None))


def _search_on(state: Comparison, searching: Iterator[Posterior]) -> Iterator[Posterior] | None:
    """One more snapshot; None when the search has ended."""
    started, before = time.monotonic(), state.problem.rows.computed_here
    posterior = next(searching)
    state.exact_rows += state.problem.rows.computed_here - before
    state.exact_seconds += time.monotonic() - started
    late = posterior.stopped == "cancelled" and state.exact_seconds >= state.spec.seconds
    state.posterior = replace(
        posterior,
        seconds=state.exact_seconds,
        stopped="seconds" if late else posterior.stopped,
    )
    return None if posterior.stopped else searching


def _learn(state: Comparison, tree: MassTree) -> None:
    """Let the tree of bounds see the valid runs that were drawn: what is drawn gets bounds."""
    if not state.drawn or state.spec.rows == 0:
        return
    while state.drawn:
        follow(tree, state.drawn.pop())
    if state.posterior is not None:
        state.posterior = snapshot(tree, state.posterior.seconds, state.posterior.stopped)


def _draw_on(state: Comparison, tally: Tally, turns: Slices[Draw]) -> bool:
    """Let a method draw for a slice of time; False when it has ended."""
    started = time.monotonic()
    for draw in turns.take(SLICE):
        tally.add(draw)
        # A run that thinks isn't a text of the language: its answer is.
        valid = draw.run.outcome is Outcome.ACCEPTED and tally.method.name != "think"
        if valid and draw.run.tokens not in state.met:
            state.met.add(draw.run.tokens)
            state.drawn.append(draw.run.tokens)
    tally.seconds += time.monotonic() - started
    tally.rows_computed = turns.metered
    tally.done = turns.ended
    if isinstance(turns.error, PlaygroundError):
        tally.error = turns.error
    elif turns.error is not None:
        raise turns.error
    return not turns.ended


def weights_hold(state: Comparison, tally: Tally) -> bool:
    """The mean weight of this method's draws is Z, and no weight is above Z_1: so the mask must come
    after the filters, if there are any."""
    sampling = state.problem.sampling
    after = sampling.mask_order == "after-filters" or not sampling.filtered
    return tally.method.name in ("masked", "importance") and after
