"""Records that are written as text: under the mask, tried until valid, the first valid of several."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from playground.against_rows import NO_RECORD, Answers
from playground.constraints.spec import ConstraintSpec
from playground.decoding.run import Cancelled
from playground.errors import InvalidInput
from playground.fields.record_type import RecordType
from playground.fields.split import Split
from playground.fields.written import WORDINGS, Written, read, report
from playground.models.rows import RowStore
from playground.studies import Studies, Study
from playground.study.items import INPUT, Item
from playground.study.labels import label_of
from playground.study.row import EXPLAINED, Row
from playground.study.runner import CHUNK_BYTES, Task, run_chunk
from playground.study.spec import StudySpec

HINTS = ("example",)
TEMPERATURE = 0.3


@dataclass(eq=False, slots=True)
class Generated:
    """Text under a study's method, read as a record where it is valid."""

    name: str
    title: str
    note: str
    studies: Studies
    spec: StudySpec
    """Of one method, one draw a ticket."""
    record_type: RecordType
    typed: bool = field(default=False, init=False)
    study: Study | None = field(default=None, init=False)

    @property
    def asked(self) -> tuple[str, ...]:
        """All fields."""
        return self.record_type.names

    def answers(self, cancelled: Cancelled) -> Iterator[Answers]:
        """See `Arm`: after each chunk of prompts."""
        self.study = self.studies.prepare(self.spec, cancelled)
        for progress in self.studies.run(self.study, cancelled=cancelled):
            yield self.read(progress.rows)

    def read(self, rows: Sequence[Row]) -> Answers:
        """The answers that the rows of a study are."""
        return Answers(
            records(self.record_type, [row.text if row.valid else "" for row in rows]),
            tuple(row.valid for row in rows),
            tuple(row.tokens for row in rows),
            tuple(min(row.steps, row.rows) for row in rows),
            tuple(map(chance, rows)),
            truncated(rows),
            doing=f"{len(rows)} of {self.spec.n} tickets",
        )

    def once(self, index: int, cancelled: Cancelled) -> None:
        """See `Arm`: the prompt is read, then the text is drawn."""
        assert self.study is not None
        (name,) = self.spec.methods
        problem = self.study.open(index).problem
        task = Task(index, label_of(name), problem, self.study.accepts[name], 1)
        list(run_chunk([task], cancelled, rows=RowStore(CHUNK_BYTES)))


class Wrote(Generated):
    """The intent and a confidence in it, both as text under the mask."""

    __slots__ = ()
    wording = WORDINGS["percent"]

    @property
    def asked(self) -> tuple[str, ...]:
        """The intent alone."""
        return ("intent",)

    def read(self, rows: Sequence[Row]) -> Answers:
        """With the confidence that each output writes, and what speaks against taking it for one."""
        found = [self._read(row) for row in rows]
        options = [self._intent(each) for each in found]
        golds = [self._intent(Written(None, item.gold)) for item in self.spec.items[: len(rows)]]
        right = np.array(options, dtype=np.int64) == np.array(golds, dtype=np.int64)
        told = report(found, right, np.random.default_rng(0))
        decided = np.full((len(rows), len(self.record_type.fields)), NO_RECORD)
        decided[:, self.record_type.position("intent")] = options
        unread = [f"{count} of {told.n} {why}" for why, count in told.unread.items()]
        return replace(
            Generated.read(self, rows),
            decided=decided,
            confidence=tuple(each.confidence for each in found),
            said=(*truncated(rows), *told.contradicted, *unread),
        )

    def _read(self, row: Row) -> Written:
        return read(row.text, self.wording.scale)

    def _intent(self, written: Written) -> int:
        intent = self.record_type.fields[self.record_type.position("intent")]
        try:
            return intent.index(written.answer.get("intent"))
        except InvalidInput:
            return NO_RECORD


def records(record_type: RecordType, texts: Sequence[str]) -> NDArray[np.int64]:
    """(N, F) options of the records that JSON texts are; NO_RECORD for a text that is none."""
    out = np.full((len(texts), len(record_type.fields)), NO_RECORD)
    for row, text in zip(out, texts, strict=True):
        try:
            document = json.loads(text)
            row[:] = record_type.indices(document if isinstance(document, dict) else {"": None})
        except (InvalidInput, ValueError, RecursionError):
            continue
    return out


def truncated(rows: Sequence[Row]) -> tuple[str, ...]:
    """How many outputs ended before the model did, in words; () where none did."""
    count = sum(row.category == "truncated" for row in rows)
    return (f"{count} of {len(rows)} {EXPLAINED['truncated']}.",) if count else ()


def chance(row: Row) -> float | None:
    """The chance that a masked run had, p~ of its tokens; None for a run of any other method."""
    if row.log_p is None or row.bits is None:
        return None
    return min(1.0, math.exp(row.log_p + row.bits * math.log(2)))


def generating(model: str, n: int, seed: int) -> StudySpec:
    """The study of a generating method on the first `n` test tickets, its method still to be named."""
    return StudySpec.model_validate(
        {
            "model": model,
            "n": n,
            "hints": HINTS,
            "sampling": {"temperature": TEMPERATURE, "seed": seed},
        }
    )


def writing(spec: StudySpec, test: Split) -> StudySpec:
    """The same tickets, asked for their intent and a confidence in it."""
    wording = Wrote.wording
    items = tuple(
        Item(id=item.id, prompt=item.prompt, gold={"intent": item.gold["intent"]})
        for item in test.items
    )
    schema = ConstraintSpec(kind="schema", source=json.dumps(wording.schema))
    return spec.model_copy(
        update={
            "prompts": "tickets, their intent",
            "items": items,
            "hints": (),
            "constraint": schema,
            "instruction": wording.prompt(INPUT, with_example=True),
            "methods": ("strict",),
        }
    )
