"""One pass at a time for one packed model, each for several of those who wait.

A visitor's step wants one row, a search or a study many. Whoever has the turn runs a pass for the
steps that have waited longest and for a share of one long job; what can't join a pass (a piece of a
prompt, a text that is scored) alternates with them. So long work goes on at every second pass at
least, and a few steps wait for two passes at most before their own. Of many steps a pass takes a
part: records are then written from one pass while the next one runs.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, Protocol

from playground.logspace import Logits
from playground.models.base import Packed, Prefix, Provenance
from playground.models.waves import (
    TAIL,
    UNION,
    WAVE,
    Find,
    Key,
    Span,
    Wave,
    path_of,
    stem_end,
    unread,
)  # fmt: skip

PIECE = 512
"""Longest stretch of tokens run at once; between pieces other visitors' steps slip in."""
SHORT = 128
"""The same while steps wait."""
SHARE = 16
"""Tokens of long work that a pass takes beside steps, which leave it that much room."""

TOGETHER = 8
"""So many steps go into one pass all at once."""
PART = 3
"""Of more of them, a pass takes one in so many, but no fewer than TOGETHER."""


class Store(Protocol):
    """Where rows and spans are kept: see `rows.RowStore`."""

    def held_rows(self, keys: Iterable[Key]) -> dict[Key, Logits]: ...
    def path_to(self, key: Key) -> list[Span]: ...
    def span_at(self, key: Key) -> Span | None: ...
    def store_row(self, key: Key, logits: Logits) -> Logits: ...
    def store_span(self, key: Key, parent: Span | None, memory: Any) -> Span: ...
    def ran(self, rows: int) -> None: ...


@dataclass(eq=False, slots=True)
class Job:
    """What one thread waits for."""

    missing: dict[Key, None] = field(default_factory=dict)
    """In order: a prefix before its extensions and beside what it shares most with."""
    single: bool = False
    """It asked for one row: a step, once its prompt has been read."""
    long: bool = True
    """It is no step, or not yet."""
    alone: bool = False
    """A pass that it shared failed: it no longer shares any."""
    found: dict[Key, Logits] = field(default_factory=dict)
    path: list[Span] = field(default_factory=list)
    """What ran for the first missing key is held here, so that eviction can't undo the progress of
    a long prompt."""
    computed: int = 0
    """Rows that were computed for it."""
    error: Exception | None = None
    turn: threading.Event = field(default_factory=threading.Event)
    """Set: its thread has the turn, or nothing is left to wait for."""

    @classmethod
    def of(cls, keys: Iterable[Key]) -> "Job":
        """A job for the rows of `keys`."""
        ordered = dict.fromkeys(sorted(keys, key=lambda key: key[1]))
        return cls(ordered, single=len(ordered) == 1, long=len(ordered) > 1)

    @property
    def first(self) -> Key:
        """The key whose row comes next."""
        return next(iter(self.missing))

    @property
    def exclusive(self) -> bool:
        """It wants a turn, not rows."""
        return not self.missing and not self.found

    @property
    def over(self) -> bool:
        """Nothing is left to wait for."""
        return self.error is not None or (not self.missing and bool(self.found))

    @property
    def read(self) -> int:
        """Tokens of the first missing prefix that have been read."""
        return self.path[-1].end if self.path else 0

    @property
    def packs(self) -> bool:
        """So little of its first missing prefix is unread that a packed pass may run it."""
        length = len(self.first[1])
        return 0 < length <= self.read + TAIL


class Scheduler:
    """The turns of one model. It doesn't know the model, so that it keeps none alive."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiting: dict[Job, None] = {}
        self._leader: Job | None = None
        self._owed = False
        """The last pass was for steps alone, although long work waited."""

    @property
    def waiting(self) -> int:
        """Threads that have the turn or wait."""
        return len(self._waiting)

    def rows(self, runner: Packed, keys: Iterable[Key]) -> Job:
        """The finished job that has the rows of `keys`, at least one.

        Raises:
            Exception: what the model raised for one of them; nobody else's rows fail by it.
        """
        job = Job.of(keys)
        with self._place(job):
            while not job.over:
                self._pass(runner)
                self._hand_on(job)
        if job.error is not None:
            raise job.error
        return job

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn for a piece of long work that joins no pass."""
        with self._place(Job()):
            yield

    @contextmanager
    def _place(self, job: Job) -> Iterator[None]:
        """A place among those who wait, until the job has the turn or is over."""
        with self._lock:
            self._waiting[job] = None
            if self._leader is None:
                self._appoint(job)
        try:
            job.turn.wait()
            yield
        finally:
            with self._lock:
                self._waiting.pop(job, None)
                if self._leader is job:
                    self._owed = self._owed and not job.exclusive
                    self._appoint(self._next(None))

    def _hand_on(self, job: Job) -> None:
        """After a pass that `job` led: wake who is done, and wait if the next one leads."""
        with self._lock:
            for done in [each for each in self._waiting if each.over]:
                del self._waiting[done]
                if done is not job:
                    done.turn.set()
            following = self._next(job)
            if following is job:
                return
            if not job.over:
                job.turn.clear()
            self._appoint(following)
        if not job.over:
            job.turn.wait()

    def _appoint(self, job: Job | None) -> None:
        self._leader = job
        if job is not None:
            job.turn.set()

    def _next(self, leader: Job | None) -> Job | None:
        """Who has the next turn: as few threads as possible take turns."""
        longs = [job for job in self._waiting if job.long]
        steps = len(self._waiting) > len(longs)
        if longs and longs[0].exclusive and (self._owed or not steps):
            return longs[0]
        if leader in self._waiting:
            return leader
        wanting = (job for job in self._waiting if not job.exclusive)
        return next(wanting, None)

    def _pass(self, runner: Packed) -> None:
        """Run one pass, if any is needed, for those whose turn it is."""
        steps, long = self._due()
        if long is not None and (long.alone or not long.packs):
            if steps and not self._owed:
                self._run_wave(runner, steps, None)
                self._owed = True
                return
            self._run([long], partial(self._run_alone, runner, long, bool(steps)))
        elif steps or long is not None:
            self._run_wave(runner, steps, long)
        self._owed = self._owed_to_exclusive(steps, long)
        self._to_the_end(long)

    def _owed_to_exclusive(self, steps: Sequence[Job], long: Job | None) -> bool:
        with self._lock:
            return bool(steps) and long is None and any(job.exclusive for job in self._waiting)

    def _to_the_end(self, job: Job | None) -> None:
        with self._lock:
            if job is not None and job in self._waiting:
                del self._waiting[job]
                self._waiting[job] = None

    def _due(self) -> tuple[list[Job], Job | None]:
        """The steps that wait, in order of arrival, and the long job whose turn it is; none of them
        has all its rows. A turn that was asked for comes before long jobs that came later."""
        with self._lock:
            waiting = list(self._waiting)
        for job in waiting:
            if job.single:
                self._settle(job)
        steps = [job for job in waiting if not job.long and not job.over]
        for job in waiting:
            if not job.long or (job.exclusive and not steps):
                continue
            if job.exclusive:
                break
            self._settle(job)
            if not job.over and job.long:
                return steps, job
        return steps, None

    def _settle(self, job: Job) -> None:
        """Take what is held by now, and see how far the next one has been read."""
        for key, row in self._store.held_rows(job.missing).items():
            job.found[key] = row
            del job.missing[key]
        if not job.over:
            if not job.single or job.read < len(job.first[1]) - 1:
                job.path = self._longer_path(job.first, job.path)
            job.long = not job.single or job.alone or not job.packs

    def _longer_path(self, key: Key, held: Sequence[Span]) -> list[Span]:
        """The longest stored path to `key`, or what of `held` leads there if that's longer."""
        kept = [s for s in held if s.end < len(key[1]) and s.key[1] == key[1][: s.end]]
        path = self._store.path_to(key)
        return path if path and (not kept or path[-1].end >= kept[-1].end) else kept

    def _run_alone(self, runner: Packed, job: Job, hurry: bool) -> None:
        """A pass for `job` alone: of its next piece, or of a wave of its own."""
        if job.packs and len(job.missing) > 1:
            self._packed(runner, [job], [], list(islice(job.missing, WAVE)))
        else:
            self._piece(runner, [job], SHORT if hurry else PIECE)

    def _run_wave(self, runner: Packed, steps: Sequence[Job], long: Job | None) -> None:
        """A pass for as many of `steps` as fit, up to their part, and for a share of `long`."""
        room = WAVE if long is None else WAVE - SHARE
        members = fitting(steps[: max(TOGETHER, len(steps) // PART)], room)
        asked = sorted({job.first for job in members}, key=lambda key: key[1])
        more = [] if long is None else list(islice(long.missing, WAVE))
        if long is not None:
            members.append(long)
        if len({*asked, *more}) == 1:
            self._run(members, partial(self._piece, runner, members, PIECE))
        else:
            self._run(members, partial(self._packed, runner, members, asked, more))

    def _run(self, members: Sequence[Job], work: Callable[[], None]) -> None:
        """Do `work`; where it fails, its members run again one by one, so that only those fail whose
        own keys are to blame."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - raised in the thread whose key it is
            for job in members:
                if len(members) == 1:
                    job.error = error
                else:
                    job.alone = job.long = True

    def _piece(self, runner: Packed, members: Sequence[Job], most: int) -> None:
        """The next piece of the one prefix that comes first for all of `members`."""
        job = members[0]
        owner, first = key = job.first
        start, prefixes = job.read, [prefix for _, prefix in islice(job.missing, WAVE)]
        end = min(start + most, stem_end(first, start, prefixes))
        row, memory = runner.extend([span.memory for span in job.path], first[start:end])
        parent = job.path[-1] if job.path else None
        job.path.append(self._store.store_span((owner, first[:end]), parent, memory))
        if end == len(first):
            self._give({key: row}, members)

    def _packed(
        self, runner: Packed, members: Sequence[Job], steps: Sequence[Key], more: Sequence[Key]
    ) -> None:
        """One packed pass: of all `steps`, and of as many of `more` as fit, or beside steps a share.
        The spans of the members' paths count as stored."""
        owner = members[0].first[0]
        wave = Wave(self._finder(owner, members))
        wave.add([prefix for _, prefix in steps])
        room = min(WAVE, len(wave.prefixes) + SHARE) if steps else WAVE
        wave.add([prefix for _, prefix in more], room)
        after = [
            before if isinstance(before, int) else [span.memory for span in path_of(before)]
            for before in wave.after
        ]
        rows, memories = runner.extend_packed(after, tuple(p[-1] for p in wave.prefixes))
        spans: list[Span] = []
        for prefix, before, memory in zip(wave.prefixes, wave.after, memories, strict=True):
            parent = spans[before] if isinstance(before, int) else before
            spans.append(self._store.store_span((owner, prefix), parent, memory))
        self._give({(owner, wave.prefixes[i]): rows[i] for i in wave.wanted}, members)

    def _finder(self, owner: Provenance, members: Iterable[Job]) -> Find:
        held = {span.key[1]: span for job in members for span in job.path}

        def find(prefix: Prefix) -> Span | None:
            span = self._store.span_at((owner, prefix))
            return held.get(prefix) if span is None else span

        return find

    def _give(self, rows: dict[Key, Logits], members: Iterable[Job]) -> None:
        """Store the rows of a pass, and hand them to those who want them: the first one pays."""
        self._store.ran(len(rows))
        for key, logits in rows.items():
            row = self._store.store_row(key, logits)
            wanting = [job for job in members if key in job.missing]
            for job in wanting:
                job.found[key] = row
                del job.missing[key]
            wanting[0].computed += 1


def fitting(steps: Iterable[Job], room: int) -> list[Job]:
    """The first of `steps`, one at least if there is one, that a packed pass of `room` tokens takes."""
    chosen: list[Job] = []
    read: set[int] = set()
    tokens = union = 0
    for job in steps:
        more = unread(job.path[-1] if job.path else None, read)
        tokens += len(job.first[1]) - job.read
        union += sum(more.values())
        if chosen and (tokens > room or union > UNION):
            break
        read.update(more)
        chosen.append(job)
    return chosen
