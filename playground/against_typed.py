"""Records that nobody writes: heads that are trained on tickets, and options that the model scores."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from playground.against_rows import Answers
from playground.decisions import Decisions
from playground.decisions_found import Trained
from playground.decoding.run import Cancelled
from playground.fields.accepted import records_accepted
from playground.fields.head_spec import TrainingSpec
from playground.fields.record_type import RecordType
from playground.fields.scores import RecordScore
from playground.fields.split import Split
from playground.models.rows import RowStore
from playground.study.runner import CHUNK_BYTES


@dataclass(eq=False, slots=True)
class OptionsScored:
    """Every field's options scored by the model itself, each field from the same prompt."""

    name: str
    title: str
    note: str
    decisions: Decisions
    texts: Sequence[str]
    record_type: RecordType
    typed: bool = field(default=True, init=False)

    @property
    def asked(self) -> tuple[str, ...]:
        """All fields."""
        return self.record_type.names

    def answers(self, cancelled: Cancelled) -> Iterator[Answers]:
        """See `Arm`: after each ticket."""
        found = list[RecordScore]()
        for index in range(len(self.texts)):
            score = self._score(index, cancelled)
            if score is None:
                return
            found.append(score)
            decided = np.array([each.indices for each in found], dtype=np.int64)
            yield Answers(
                decided,
                judged(self.record_type, decided),
                (0,) * len(found),
                tuple(each.passes for each in found),
                tuple(
                    math.prod(scored.best.conditional.middle for scored in each.fields)
                    for each in found
                ),
                doing=f"{len(found)} of {len(self.texts)} tickets",
            )

    def once(self, index: int, cancelled: Cancelled) -> None:
        """See `Arm`: the prompt is read, then the options."""
        self._score(index, cancelled)

    def _score(self, index: int, cancelled: Cancelled) -> RecordScore | None:
        rows = RowStore(CHUNK_BYTES)
        zero = self.decisions.scorer(self.record_type, self.texts[index], cancelled, rows)
        *_, score = zero.record("parallel")
        return None if not score.finished or cancelled() else score


@dataclass(eq=False, slots=True)
class Headed:
    """A head, trained on the training tickets before it decides."""

    name: str
    title: str
    note: str
    decisions: Decisions
    spec: TrainingSpec
    test: Split
    record_type: RecordType
    typed: bool = field(default=True, init=False)
    trained: Trained | None = field(default=None, init=False)

    @property
    def asked(self) -> tuple[str, ...]:
        """All fields."""
        return self.record_type.names

    def answers(self, cancelled: Cancelled) -> Iterator[Answers]:
        """See `Arm`: nothing until it is trained, then all at once."""
        nothing = np.empty((0, len(self.record_type.fields)), dtype=np.int64)
        for found in self.decisions.train(self.spec, cancelled):
            done, of = found.reading
            epoch = f"epoch {found.epochs[-1].epoch}" if found.epochs else ""
            yield Answers(nothing, doing=epoch or f"{done:,} of {of:,} training tickets read")
            self.trained = found
        if self.trained is None or self.trained.head is None or cancelled():
            return
        features = self.decisions.features(self.test.texts, cancelled=cancelled)
        decision = self.trained.head.decide(features)
        count = len(self.test.texts)
        yield Answers(
            decision.indices,
            judged(self.record_type, decision.indices),
            (0,) * count,
            (1,) * count,
            tuple(decision.record.tolist()),
            doing=f"{count} of {count} tickets",
        )

    def once(self, index: int, cancelled: Cancelled) -> None:
        """See `Arm`: the ticket is read, then decided."""
        assert self.trained is not None
        assert self.trained.head is not None
        self.trained.head.decide(self.decisions.read(self.test.texts[index]))


def judged(record_type: RecordType, decided: NDArray[np.int64]) -> tuple[bool, ...]:
    """Whether the schema allows each of (N, F) decided records, by the reference judge."""
    found = [record_type.record(indices) for indices in decided.tolist()]
    return tuple(records_accepted(record_type.schema, found))
