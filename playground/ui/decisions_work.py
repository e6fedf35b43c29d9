"""The tasks of the Decisions screen: documents as they grow."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from playground.constraints.spec import ConstraintSpec
from playground.decisions import Decisions
from playground.decisions_measures import evaluation_document
from playground.decisions_record import (
    decision_document,
    training_document,
    type_document,
    untaught_document,
)
from playground.decisions_scored import explained_document, scores_document
from playground.errors import Cancelled as Stopped
from playground.errors import InvalidInput
from playground.fields.head_spec import TrainingSpec
from playground.fields.policy import Costs
from playground.fields.record_type import RecordType
from playground.fields.scores import Moved, RecordScore
from playground.fields.split import split_of
from playground.record import Document
from playground.session import Playground
from playground.ui.decisions_asked import (
    Check,
    Decide,
    Evaluate,
    Explain,
    FieldCosts,
    Score,
    Table,
    Train,
    file_of,
)
from playground.ui.decisions_page import page_props

if TYPE_CHECKING:  # torch is slow to import
    from playground.fields.heads import Head

Cancelled = Callable[[], bool]


class DecisionsWork:
    """Every visitor's tasks; nothing of one is kept for another but the model's own states."""

    def __init__(self, playground: Playground, model: str) -> None:
        self.playground = playground
        self.decisions = Decisions(playground, model)

    def check(self, task: Check) -> Iterator[Document]:
        """`{"kind": "type", "type", "free", "reasons"}`: the schema's record type; without what can't
        be a field where it has some, which is named, with why."""
        from playground.fields.schema import reasons, record_type_of, split  # slow to import

        constraint = ConstraintSpec(kind="schema", source=task.schema_text)
        free: tuple[str, ...] = ()
        try:
            found = record_type_of(constraint)
        except InvalidInput:
            closed, free = split(constraint)
            if not free:
                raise
            found = record_type_of(closed)
        document = type_document("own", "Your own schema", "", found, False)
        why = [asdict(each) for each in reasons(constraint)] if free else []
        yield {"kind": "type", "type": document, "free": list(free), "reasons": why}

    def train(self, task: Train, cancelled: Cancelled) -> Iterator[Document]:
        """The training as it goes; at its end with the head's file."""
        from playground.fields.training import cut_as
        from playground.fields.weights import dump

        record_type, asked = task.record_type(), task.sized()
        start: Head | None = None
        only: tuple[str, ...] = ()
        if task.widen is not None:
            start, only = self.decisions.widened(file_of(task.widen), record_type)
        spec = asked if start is None else cut_as(start, asked)
        told: Document = {"cut": None if start is None else cut_document(asked, spec, start)}
        told["untaught"] = untaught_document(record_type)
        test = len(split_of("test", record_type).texts)
        for found in self.decisions.train(spec, cancelled, record_type, start, only):
            file = None if found.head is None else dump(found.head, self.decisions.provenance)
            document = training_document(
                found, spec, record_type, test, file, self.decisions.provenance
            )
            yield {**document, **told}

    def decide(self, task: Decide) -> Iterator[Document]:
        """One text, decided."""
        head = self._head(task)
        found = self.decisions.decide(head, task.text)
        yield decision_document(
            found, head.record_type, head.spec, task.text, self.decisions.provenance
        )

    def score(self, task: Score, cancelled: Cancelled) -> Iterator[Document]:
        """The options of every field as the model scores them; then how far the first moves the
        others."""
        record_type = task.record_type()
        zero = self.decisions.scorer(record_type, task.text, cancelled)
        last: RecordScore | None = None
        for last in zero.record(task.mode, task.order):
            yield scores_document(last, self.decisions.provenance, normalised=task.normalised)
        if last is None or not last.finished or cancelled() or len(last.fields) < 2:
            return
        moved = list[Moved]()
        first, *others = (each.name for each in last.fields)
        for other in others:
            found = list(zero.moved(first, other))
            if cancelled() or not found:
                return
            moved.append(found[-1])
            yield scores_document(last, self.decisions.provenance, moved, task.normalised)

    def explain(self, task: Explain, cancelled: Cancelled) -> Iterator[Document]:
        """`{"kind": "explained", "text", "record", "finished", "tokens", "law"}`."""
        from playground.fields.schema import record_type_of, split  # jsonschema is slow to import

        closed, _ = split(ConstraintSpec(kind="schema", source=task.schema_text))
        found = record_type_of(closed)
        if len(task.choices) != len(found.fields) or any(
            not 0 <= at < field.size for at, field in zip(task.choices, found.fields, strict=True)
        ):
            raise InvalidInput(
                "The decided options aren't the schema's.", "Decide the fields again.", "choices"
            )
        record = found.record(task.choices)
        draw = self.decisions.explain(task.schema_text, record, task.text, cancelled)
        yield explained_document(draw, record, self.decisions.provenance)

    def evaluate(self, task: Evaluate, cancelled: Cancelled) -> Iterator[Document]:
        """A head on the test tickets; first how many tickets, test and dev, were read, and for how
        many seconds."""
        head = self._head(task)
        costs = self._costs(task, head.record_type)
        test, dev = self.decisions.tickets(head, task.n)
        texts = test.texts if dev is None else (*test.texts, *dev.texts)
        began = time.monotonic()
        try:
            for done, total in self.decisions.reading(texts, cancelled):
                reading = {"done": done, "total": total, "seconds": time.monotonic() - began}
                yield {"kind": "evaluation", "reading": reading, "done": False}
            found = self.decisions.evaluate(head, task.n, cancelled=cancelled)
        except Stopped:
            return
        yield {
            **evaluation_document(found, head.record_type, costs, self.decisions.provenance),
            "done": True,
        }

    def table(self, task: Table, cancelled: Cancelled) -> Iterator[Document]:
        """Heads beside generation on the first test tickets."""
        from playground.against import compared, table_document

        name, training = self.decisions.name, task.sized()
        for found in compared(self.playground, name, task.n, cancelled, training):
            yield table_document(found)

    def _head(self, task: Decide | Evaluate) -> "Head":
        from playground.fields.weights import load

        text = task.head
        if text is None:
            recorded = page_props()["recorded"]
            if recorded is None:
                raise InvalidInput(
                    "There is no recorded head.", "Train one, or open a head's file.", "head"
                )
            text = str(recorded["head"])
        return load(file_of(text), task.record_type(), self.decisions.provenance)

    def _costs(self, task: Evaluate, record_type: RecordType) -> dict[str, Costs]:
        """By field; a mistake costs 1 where the visitor has no table."""
        asked = task.costs or {}
        for name in asked:
            record_type.position(name)
        out = {}
        for field in record_type.fields:
            given = asked.get(field.name, FieldCosts(costs=(1.0 - np.eye(field.size)).tolist()))
            if len(given.costs) != field.size or {len(row) for row in given.costs} != {field.size}:
                raise InvalidInput(
                    f"The costs of {field.name} aren't {field.size} rows of {field.size}.",
                    "There must be a row and a column for each option.",
                    field.name,
                )
            out[field.name] = Costs(np.array(given.costs), given.abstain, field.labels)
        return out


def cut_document(asked: TrainingSpec, spec: TrainingSpec, start: "Head") -> Document | None:
    """Which tickets a head that is fine-tuned takes for train and dev: `{"known": true, "seed",
    "train", "dev"}` where they are its own and not those that were asked for, `{"known": false}`
    where nobody knows which were its own; null where they are as asked."""
    if start.trained is None:
        return {"known": False}
    if (asked.seed, asked.train, asked.dev) == (spec.cut_seed, spec.train, spec.dev):
        return None
    return {"known": True, "seed": spec.cut_seed, "train": spec.train, "dev": spec.dev}
