"""Typed decisions beside generation: the same tickets in the same run, one row a method."""

import shlex
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from playground import errors
from playground.against_rows import (
    About,
    Answers,
    MethodRow,
    majority,
    rate_document,
    row_document,
    row_of,
)
from playground.against_text import TEMPERATURE, Generated, Wrote, generating, writing
from playground.against_typed import Headed, OptionsScored
from playground.decisions import Decisions
from playground.decisions_found import Trained
from playground.decoding.run import Cancelled, never
from playground.errors import InvalidInput
from playground.fields.coherence import unseen
from playground.fields.evaluate import incoherent_rate
from playground.fields.head_spec import HeadSpec, TrainingSpec, require_trainable
from playground.fields.split import Split, split_of
from playground.fields.ticket import ticket
from playground.models.states import embeds
from playground.record import Document
from playground.session import Playground
from playground.settings import DEFAULT_MODEL
from playground.studies import Studies
from playground.study.labels import MOST_ATTEMPTS
from playground.study.readings import Rate

TIMED: Final = 5
"""Tickets, the first ones, that every method answers once more, alone, for its time."""


class Arm(About, Protocol):
    """One row of the comparison, and how its answers are made."""

    def answers(self, cancelled: Cancelled) -> Iterator[Answers]:
        """The answers as they grow; where it is cancelled the last ones stand.

        Raises:
            PlaygroundError: the model can't be loaded or used.
            errors.Cancelled: it was stopped.
        """

    def once(self, index: int, cancelled: Cancelled) -> None:
        """Answer one ticket alone, from nothing kept, after `answers`: its time is taken."""


@dataclass(frozen=True, eq=False, slots=True)
class Compared:
    """How far a comparison has come."""

    n: int
    rows: tuple[MethodRow, ...]
    """Of the methods that have begun."""
    majority: Mapping[str, Rate]
    """What always saying the commonest option of the training labels gets right."""
    gold_incoherent: Rate
    """Of the tickets' own labels: no method can be asked for less."""
    command: str
    doing: str = ""
    """In words, while it goes on."""
    done: bool = False
    stopped: bool = False
    heads: Mapping[str, Trained] = field(default_factory=dict)
    """By method, as far as they are trained."""
    missing: tuple[str, ...] = ()
    """Where it was stopped: which numbers are of less than was asked, in words."""
    training: tuple[int, int] = field(kw_only=True)
    """Tickets that the heads are trained on, and of their dev."""
    methods: int = field(kw_only=True)
    """Of the comparison, those included that have not begun."""


def compared(
    playground: Playground,
    model: str,
    n: int,
    cancelled: Cancelled = never,
    training: TrainingSpec | None = None,
    seed: int = 0,
    timed: int = TIMED,
) -> Iterator[Compared]:
    """All methods on the first `n` test tickets, as far as they have come: after each chunk of text,
    each ticket scored, each epoch, each ticket timed. What is cancelled keeps what it has, and says
    what that leaves out.

    Args:
        playground: loads models and compiles.
        model: one that shows hidden states.
        n: at least 1; at most the test tickets that there are count.
        cancelled: asked often.
        training: of the heads, whose shapes are `HEADS`; the defaults if None.
        seed: of the texts' draws.
        timed: tickets for the times.

    Raises:
        PlaygroundError: n is below 1; the spec asks for more tickets than there are; the model can't be
            loaded, or shows no states.
    """
    if n < 1:
        raise InvalidInput("No ticket is asked.", "Ask 1 or more.", "n")
    spec = training or TrainingSpec()
    require_trainable(spec, len(split_of("train").texts))  # before anything is drawn
    embeds(playground.hub.get(model))
    test = split_of("test")
    test = test.take(range(min(n, len(test.texts))))
    arms = arms_of(playground, model, test, spec, seed)
    command = command_of(model, len(test.texts), seed, spec)
    table = _Table(test, arms, command, spec, min(timed, len(test.texts)))
    try:
        for arm in arms:
            for answers in arm.answers(cancelled):
                yield table.answered(arm, answers)
            if cancelled():
                raise errors.Cancelled("The comparison was stopped.")
        for index in range(min(timed, len(test.texts))):
            for arm in arms if index % 2 == 0 else reversed(arms):
                started = time.perf_counter()
                arm.once(index, cancelled)
                if cancelled():
                    raise errors.Cancelled("The comparison was stopped.")
                table.took(arm, time.perf_counter() - started)
            yield table.now(f"timing: {index + 1} of {table.timed} tickets")
    except errors.Cancelled:
        yield replace(table.now(""), stopped=True, missing=table.missing())
        return
    yield replace(table.now(""), done=True)


HEADS: Final[Mapping[str, HeadSpec]] = {
    "factorised": HeadSpec(kind="factorised"),
    "chained": HeadSpec(kind="chained", order=("intent", "priority", "escalate", "amount")),
    "joint": HeadSpec(kind="joint", joint=("intent", "priority")),
}


def arms_of(
    playground: Playground, model: str, test: Split, training: TrainingSpec, seed: int
) -> list[Arm]:
    """The rows of the table, in its order."""
    studies, decisions, record_type = Studies(playground), Decisions(playground, model), ticket()
    plain = generating(model, len(test.texts), seed)

    def text(method: str, title: str, note: str) -> Generated:
        spec = plain.model_copy(update={"methods": (method,)})
        return Generated(method, title, note, studies, spec, record_type)

    heads = {
        "factorised": "Typed, factorised",
        "chained": "Typed, chained in full",
        "joint": "Typed, joint over intent and priority",
    }
    return [
        text("strict", "Masked", f"ECE: p~ of the run at temperature {TEMPERATURE}."),
        text(
            "cars",
            f"Rejection that learns: rejection's law, gives up after {MOST_ATTEMPTS} attempts",
            "No ECE: p_V of a draw isn't known without Z.",
        ),
        text("parallel-3", "First valid of 3", "No ECE: the law of the first valid isn't known."),
        Wrote(
            "written",
            "Masked, writes its confidence",
            "Asked for the intent alone. ECE: of the number that it writes.",
            studies,
            writing(plain, test),
            record_type,
        ),
        OptionsScored(
            "zero-shot",
            "Options scored by the model, untrained",
            "Each field from a prompt that names keys and options; at temperature 1. ECE: product of p_V.",
            decisions,
            test.texts,
            record_type,
        ),
        *(
            Headed(
                name,
                title,
                "ECE: p of the whole record, temperatures fitted on dev.",
                decisions,
                training.model_copy(update={"head": HEADS[name]}),
                test,
                record_type,
            )
            for name, title in heads.items()
        ),
    ]


def command_of(model: str, n: int, seed: int, training: TrainingSpec) -> str:
    """What runs the comparison again, quoted for a POSIX shell."""
    words = ["python", "-m", "playground", "fields", "table", "--n", str(n)]
    words += [] if model == DEFAULT_MODEL else ["--model", model]
    words += ["--seed", str(seed)] if seed else []
    usual = TrainingSpec()
    if (training.train, training.dev) != (usual.train, usual.dev):
        words += ["--train", str(training.train), "--dev", str(training.dev)]
    return shlex.join(words)


class _Table:
    """The rows as they grow."""

    def __init__(
        self, test: Split, arms: Sequence[Arm], command: str, spec: TrainingSpec, timed: int
    ) -> None:
        self._test, self._arms, self.timed = test, arms, timed
        self._training = spec.train, spec.dev
        known = split_of("train").labels
        self._allowed = ~unseen(known, ticket().sizes)
        self._rows = dict[str, MethodRow]()
        self._seconds: dict[str, list[float]] = {arm.name: [] for arm in arms}
        self._command = command
        self._majority = majority(known, test.labels, ticket())

    def answered(self, arm: Arm, answers: Answers) -> Compared:
        """With what a method has answered by now."""
        self._rows[arm.name] = row_of(arm, answers, self._test.labels, self._allowed, ticket())
        return self.now(f"{arm.title}: {answers.doing}")

    def took(self, arm: Arm, seconds: float) -> None:
        """One ticket was answered alone."""
        every = self._seconds[arm.name]
        every.append(seconds)
        self._rows[arm.name] = replace(
            self._rows[arm.name], ms=1000 * statistics.median(every), timed=len(every)
        )

    def now(self, doing: str) -> Compared:
        """How far it is."""
        heads = {
            arm.name: arm.trained
            for arm in self._arms
            if isinstance(arm, Headed) and arm.trained is not None and arm.trained.head is not None
        }
        return Compared(
            len(self._test.texts),
            tuple(self._rows.values()),
            self._majority,
            incoherent_rate(self._test.labels, self._allowed),
            self._command,
            doing,
            heads=heads,
            training=self._training,
            methods=len(self._arms),
        )

    def missing(self) -> tuple[str, ...]:
        """Which numbers are of less than was asked, in words."""
        n, said = len(self._test.texts), list[str]()
        for row in self._rows.values():
            if row.n < n:
                said.append(f"{row.title}: {row.n} of {n} tickets")
        left = [arm.title for arm in self._arms if arm.name not in self._rows]
        if left:
            said.append(f"not begun: {'; '.join(left)}")
        took = min(len(every) for every in self._seconds.values())
        if took < self.timed:
            said.append(f"timing: {took} of {self.timed} tickets")
        return tuple(said)


def table_document(found: Compared) -> Document:
    """The comparison as the Decisions screen and `fields table` show it."""
    return {
        "kind": "table",
        "n": found.n,
        "rows": [row_document(row) for row in found.rows],
        "majority": {name: rate_document(each) for name, each in found.majority.items()},
        "gold_incoherent": rate_document(found.gold_incoherent),
        "doing": found.doing,
        "done": found.done,
        "stopped": found.stopped,
        "missing": list(found.missing),
        "training": dict(zip(("train", "dev"), found.training, strict=True)),
        "methods": found.methods,
        "command": found.command,
    }
