"""The next-token law at one prefix: read whole from the row store, kept as summaries."""

import time
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import State, TokenAutomaton
from playground.decoding.sampling import masked_law, model_law
from playground.decoding.trace import Candidate, Position, Standing
from playground.logspace import Logits, LogProbs, Mask, entropy_bits, logsumexp

Span = tuple[float, float]
"""When something began and ended, by `time.perf_counter`."""
HELD = 1024
"""Positions held, some 3 kB each."""
_ONE = Lock()
"""Whoever computes with whole rows: many at once would take Python's lock from a forward pass after
each of its operations."""
TOP = 10
"""Candidates shown from each side: the model's likeliest and the likeliest allowed."""


@dataclass(frozen=True, eq=False, slots=True)
class NextToken:
    """Whole rows at one prefix: logits -> p -> mask -> masked. V is the vocabulary size."""

    logits: Logits
    """(V,) raw scores."""
    logprobs: LogProbs
    """(V,) log p: after temperature and filters."""
    mask: Mask
    """(V,) bool."""
    masked: LogProbs | None
    """(V,) log of what constrained decoding draws from (T = 1 when greedy); None: no mass."""
    timing: Mapping[str, Span] = field(default_factory=dict)
    """When a live model's `pass` was asked for and was there, and when the `mask` was made meanwhile;
    empty where the row was held."""

    @property
    def log_z(self) -> float:
        """log Z_t, nats; -inf when the mask keeps no mass."""
        return min(0.0, logsumexp(self.logprobs[self.mask]))


def next_token(standing: Standing) -> NextToken:
    """The rows where the run stands. Of a live model the mask is made while the forward pass runs: both
    need the tokens so far and nothing of each other."""
    problem, state, sampling = standing.problem, standing.state, standing.problem.sampling
    timing: dict[str, Span] = {}
    if problem.model.provenance.kind == "live" and not problem.rows.holds(
        problem.model, standing.prefix
    ):
        beside = _masking().submit(_timed_mask, problem.constraint, state)
        started = time.perf_counter()
        logits = problem.rows.get(problem.model, [standing.prefix])[0]
        timing["pass"] = started, time.perf_counter()
        mask, timing["mask"] = beside.result()
    else:
        logits = problem.rows.get(problem.model, [standing.prefix])[0]
        mask = problem.constraint.mask(state)
    with _ONE:
        law = model_law(logits, sampling)
        return NextToken(logits, law, mask, masked_law(logits, mask, sampling, law), timing)


@lru_cache(maxsize=1)
def _masking() -> ThreadPoolExecutor:
    """Threads that make masks: as many as visitors' steps that may wait for one pass would need."""
    return ThreadPoolExecutor(max_workers=4, thread_name_prefix="mask")


def _timed_mask(constraint: TokenAutomaton, state: State) -> tuple[Mask, Span]:
    started = time.perf_counter()
    mask = constraint.mask(state)
    return mask, (started, time.perf_counter())


def top(values: NDArray[np.floating], k: int) -> NDArray[np.intp]:
    """Ids of the k largest finite values, the largest first, the lowest id first on ties."""
    finite = np.flatnonzero(values > -np.inf)
    if finite.size > k:
        kept = values[finite]
        threshold = np.partition(kept, -k)[-k]
        finite = finite[kept >= threshold]
    return finite[np.argsort(-values[finite], kind="stable")][:k]


@dataclass(frozen=True, eq=False, slots=True)
class _Held:
    """A position, for as long as its row is the one that it sums up."""

    row: "weakref.ref[Logits]"
    constraint: "weakref.ref[TokenAutomaton]"
    shown: frozenset[int]
    position: Position


class _Positions:
    """The latest positions. Where a run goes on, its next position has just been shown."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[Any, ...], _Held] = OrderedDict()
        self._lock = Lock()

    def get(self, standing: Standing, law: NextToken, shown: frozenset[int]) -> Position:
        """`position`, made anew where none with the same rows of candidates is held."""
        row = law.logits if law.logits.base is None else law.logits.base
        constraint = standing.problem.constraint
        key = (id(row), id(constraint), standing.state, standing.problem.sampling)
        with self._lock:
            held = self._held.get(key)
        if held is not None and held.row() is row and held.constraint() is constraint:
            ids = {row.token for row in held.position.candidates}
            if held.shown <= shown <= ids:
                return held.position
        with _ONE:
            made = _position(standing, law, shown)
        with self._lock:
            self._held[key] = _Held(weakref.ref(row), weakref.ref(constraint), shown, made)
            self._held.move_to_end(key)
            while len(self._held) > HELD:
                self._held.popitem(last=False)
        return made


def candidate(law: NextToken, token: int) -> Candidate:
    """One row of the table for `token`."""
    return Candidate(
        token=token,
        logit=float(law.logits[token]),
        p=float(np.exp(law.logprobs[token])),
        masked=0.0 if law.masked is None else float(np.exp(law.masked[token])),
        allowed=bool(law.mask[token]),
        rank=1 + int(np.count_nonzero(law.logits > law.logits[token])),
    )


def position(standing: Standing, law: NextToken, shown: Iterable[int] = ()) -> Position:
    """Summaries of `law`; `shown` are the taken and the watched tokens, always among the rows."""
    return _POSITIONS.get(standing, law, frozenset(shown))


def _position(standing: Standing, law: NextToken, shown: frozenset[int]) -> Position:
    state, greedy = standing.state, standing.problem.sampling.greedy
    allowed = np.where(law.mask, law.logits, -np.inf)
    ids = {*top(law.logits, TOP).tolist(), *top(allowed, TOP).tolist(), *shown}
    rows = sorted((candidate(law, i) for i in ids), key=lambda row: (-row.logit, row.token))
    rest = np.ones(law.mask.shape, dtype=bool)
    rest[list(ids)] = False
    kept, cut = law.mask & rest, ~law.mask & rest
    count = int(np.count_nonzero(law.mask))
    best = int(np.argmax(law.logits))
    p = np.exp(law.logprobs)
    q = None if law.masked is None else np.exp(law.masked)
    return Position(
        state=state,
        log_z=law.log_z,
        entropy_before=entropy_bits(law.logprobs, p),
        entropy_after=0.0 if law.masked is None else entropy_bits(law.masked, q),
        allowed=count,
        may_stop=standing.problem.constraint.is_final(state),
        forced=count == 1,
        argmax=best,
        argmax_blocked=not law.mask[best],
        dead=q is None if not greedy else not bool(np.any(allowed > -np.inf)),
        candidates=tuple(rows),
        other_allowed=(
            int(np.count_nonzero(kept)),
            float(p[kept].sum()),
            0.0 if q is None else float(q[kept].sum()),
        ),
        other_blocked=(int(np.count_nonzero(cut)), float(p[cut].sum())),
    )


_POSITIONS = _Positions()
