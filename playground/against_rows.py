"""What the answers of a method to some tickets come to: one row of the comparison, and as JSON."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from playground.fields.evaluate import field_accuracy, incoherent_rate, whole_record
from playground.fields.record_type import RecordType
from playground.fields.reliability import Ece, ece
from playground.record import Document
from playground.study.readings import Rate, rate

NO_RECORD = -1
"""The option of every field of an output that is no record."""


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """What a method has made of the first tickets so far."""

    decided: NDArray[np.int64]
    """(k, F) options; NO_RECORD where the output is no record, and in fields that weren't asked."""
    valid: tuple[bool, ...] = ()
    tokens: tuple[int, ...] = ()
    """Sampled, in all attempts."""
    passes: tuple[int, ...] = ()
    """Passes of the model one after another."""
    confidence: tuple[float | None, ...] = ()
    """In the whole answer; None where none is known."""
    said: tuple[str, ...] = ()
    """What is to be noted beside the method's own words."""
    doing: str = ""
    """How far it is, in words."""


class About(Protocol):
    """A method, in words."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def typed(self) -> bool: ...

    @property
    def note(self) -> str:
        """What its numbers mean, and why one is missing."""
        ...

    @property
    def asked(self) -> tuple[str, ...]:
        """The fields that it answers."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class MethodRow:
    """One method on the tickets that it has answered so far."""

    method: str
    title: str
    typed: bool
    n: int
    fields: Mapping[str, Rate]
    """Of the fields that it was asked, how often each option is right."""
    right: Rate | None
    """All of them right; None where it wasn't asked for a whole record."""
    valid: Rate
    incoherent: Rate | None
    """Among its records, those whose options never occur together among the training labels."""
    tokens: float | None
    """Sampled a ticket, in the mean; None before the first ticket."""
    passes: float | None
    """Of the model, one after another, a ticket, in the mean."""
    ece: Ece | None
    """Of its confidence in what it was asked; None where there is none, as `note` says."""
    note: str
    ms: float | None = None
    """Median milliseconds of one ticket answered alone, from nothing kept; None until it is timed."""
    timed: int = 0
    """Tickets that it is the median of."""


def row_of(
    arm: About,
    answers: Answers,
    labels: NDArray[np.int64],
    allowed: NDArray[np.bool_],
    record_type: RecordType,
) -> MethodRow:
    """What a method's answers come to.

    Args:
        arm: the method.
        answers: of the first k tickets.
        labels: (N, F) gold options, N at least k.
        allowed: (n_1, ..., n_F) the combinations that occur among the training labels.
        record_type: of them all.
    """
    k = len(answers.valid)
    decided, gold = answers.decided, labels[:k]
    names = record_type.names
    asked = [names.index(name) for name in arm.asked]
    every = field_accuracy(decided, gold, names)
    whole = len(asked) == len(names)
    right = (decided[:, asked] == gold[:, asked]).all(axis=1)
    return MethodRow(
        arm.name,
        arm.title,
        arm.typed,
        k,
        {name: every[name] for name in arm.asked},
        whole_record(decided, gold) if whole else None,
        rate(sum(answers.valid), k),
        incoherent_rate(decided, allowed) if whole else None,
        statistics.fmean(answers.tokens) if k else None,
        statistics.fmean(answers.passes) if k else None,
        ece_of(answers.confidence, right),
        " ".join([arm.note, *answers.said]),
    )


def ece_of(confidence: Sequence[float | None], right: NDArray[np.bool_]) -> Ece | None:
    """The ECE of the confidences that are known; None where none is."""
    known = [at for at, each in enumerate(confidence) if each is not None]
    sure = np.array([confidence[at] for at in known], dtype=np.float64)
    return ece(sure, right[known], np.random.default_rng(0))


def majority(
    train: NDArray[np.int64], test: NDArray[np.int64], record_type: RecordType
) -> dict[str, Rate]:
    """How often each field's commonest option in (N, F) training labels is right in (M, F) others."""
    said = [np.bincount(each).argmax() for each in train.T]
    return field_accuracy(np.tile(said, (len(test), 1)), test, record_type.names)


def row_document(row: MethodRow) -> Document:
    return {
        "method": row.method,
        "title": row.title,
        "typed": row.typed,
        "n": row.n,
        "fields": {name: rate_document(each) for name, each in row.fields.items()},
        "right": rate_document(row.right),
        "valid": rate_document(row.valid),
        "incoherent": rate_document(row.incoherent),
        "tokens": row.tokens,
        "passes": row.passes,
        "ms": row.ms,
        "timed": row.timed,
        "ece": None if row.ece is None else row.ece.value,
        "ece_interval": None
        if row.ece is None
        else [row.ece.interval.lower, row.ece.interval.upper],
        "ece_by_chance": None if row.ece is None else row.ece.by_chance,
        "note": row.note,
    }


def rate_document(found: Rate | None) -> Document | None:
    return None if found is None or not found.n else found.model_dump()
