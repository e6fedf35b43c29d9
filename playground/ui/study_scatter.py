"""Bits of the mask against right and wrong: one point a prompt."""

from playground.record import Document
from playground.study.readings import auc
from playground.study.row import Row
from playground.ui.study_files import Kept

MOST_POINTS = 600
"""Points of a method that are handed to a page."""


def scatter_document(kept: Kept) -> Document:
    """The first draw of each prompt whose bits are known, by method, without methods that have none.

    Returns:
        `{"methods": [{"label", "count", "points", "auc"}]}`: `points` are the first ones,
        `{"index", "bits", "category", "fields"}`, where `fields` are `[right ones, all]` of a valid
        answer that has a gold one, else None; `count` says how many there are; `auc` is the chance, over
        all of them, that a wrong answer lost more bits than a right one.
    """
    of: dict[str, list[tuple[Row, float]]] = {label: [] for label in kept.spec.methods}
    for row in kept.rows:
        if row.draw == 0 and row.bits is not None:
            of[row.method].append((row, row.bits))
    return {
        "methods": [
            {
                "label": label,
                "count": len(found),
                "points": [
                    {
                        "index": row.index,
                        "bits": bits,
                        "category": row.category,
                        "fields": _fields(row),
                    }
                    for row, bits in found[:MOST_POINTS]
                ],
                "auc": auc(_bits(found, "wrong"), _bits(found, "right")).model_dump(),
            }
            for label, found in of.items()
            if found
        ]
    }


def _fields(row: Row) -> list[int] | None:
    return [sum(row.fields.values()), len(row.fields)] if row.valid and row.fields else None


def _bits(found: list[tuple[Row, float]], category: str) -> list[float]:
    return [bits for row, bits in found if row.category == category]
