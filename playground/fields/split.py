"""The built-in tickets as records: what heads are trained on and measured with."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from playground.fields.record_type import Law, RecordType
from playground.fields.ticket import ticket
from playground.study.items import SETS
from playground.study.prompts.base import Item

SET: Final = "tickets"
"""The built-in set that heads are trained on."""


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Texts of one split, with their labels."""

    items: tuple[Item, ...]
    texts: tuple[str, ...]
    labels: NDArray[np.int64]
    """(N, F) options."""

    def take(self, rows: Iterable[int]) -> "Split":
        """Some of them, in that order."""
        at = [int(row) for row in rows]
        items = tuple(self.items[row] for row in at)
        return Split(items, tuple(item.prompt for item in items), self.labels[at])


def split_of(name: str, record_type: RecordType | None = None) -> Split:
    """The built-in tickets of a split, `train` or `test`.

    Args:
        name: of the split.
        record_type: what their labels are read as; `ticket.ticket()` if None.

    Raises:
        ValueError: there is no such split.
        InvalidInput: naming the row: a label is no record of the type.
    """
    if record_type is None or record_type.hash == ticket().hash:
        return _tickets(name)
    return _read(name, record_type)


@cache
def _tickets(name: str) -> Split:
    return _read(name, ticket())


def _read(name: str, record_type: RecordType) -> Split:
    from playground.fields.labels import read_records  # jsonschema is slow to import

    items = tuple(item for item in SETS[SET].make() if item.split == name)
    if not items:
        raise ValueError(f"the tickets have no split {name!r}")
    texts, labels = read_records(items, record_type)
    return Split(items, texts, labels)


def gold_laws(split: Split, record_type: RecordType) -> Law:
    """(N, n_1, ..., n_F): the law that each label was drawn from; all mass on the label where the
    text settles it."""
    out = np.zeros((len(split.texts), *record_type.sizes))
    for row, (item, label) in enumerate(zip(split.items, split.labels, strict=True)):
        if not item.law:
            out[(row, *label)] = 1.0
        for text, p in item.law:
            out[(row, *record_type.indices(json.loads(text)))] += p
    return out
