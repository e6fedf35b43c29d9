"""What the language model itself does about a record as JSON: options scored, free texts generated."""

from collections.abc import Sequence
from typing import Any

from playground.decisions_record import made_by, pair
from playground.decoding.methods import METHODS
from playground.decoding.run import Draw
from playground.exact.interval import Interval
from playground.fields.boxes import tv_between
from playground.fields.scores import LENGTH_WARNING, Moved, RecordScore
from playground.models.base import Provenance
from playground.record import Document, number


def scores_document(
    found: RecordScore,
    provenance: Provenance,
    moved: Sequence[Moved] = (),
    normalised: bool = False,
) -> Document:
    """The fields as the language model itself scores them."""
    return {
        "kind": "scores",
        "mode": found.mode,
        "order": [each.name for each in found.fields],
        "normalised": normalised,
        "warning": LENGTH_WARNING,
        "fields": [
            {
                "name": each.name,
                "asked": each.beginning,
                "options": [
                    {
                        "label": option.label,
                        "text": option.text,
                        "p_V": pair(option.conditional),
                        "p": pair(option.p),
                        "per_token": number(option.per_token),
                        "tokens": option.tokens,
                    }
                    for option in each.options
                ],
                "best": each.best.label,
                "proved": each.proved,
                "length_normalised": each.length_normalised,
                "flipped": None if each.flipped is None else each.flipped.label,
                "none": pair(each.none_of_these),
                "entropy_bits": pair(each.entropy),
                "margin": pair(each.margin),
                "rows": each.rows,
                "passes": each.passes,
                "seconds": each.seconds,
                "known": each.status,
                "stopped": each.stopped,
                "note": each.note,
            }
            for each in found.fields
        ],
        "allowed": found.allowed,
        "moved": [
            {"a": each.a, "b": each.b, "tv": [pair(tv) for tv in each.tv or ()],
             "mean": None if each.mean is None else pair(each.mean), "alone": _alone(found, each)}
            for each in moved
        ],
        "rows": found.rows,
        "passes": found.passes,
        "counted": found.counted,
        "options": sum(len(each.options) for each in found.fields),
        "steps_of_generation": found.decoding_steps,
        "done": found.finished,
        "provenance": made_by(provenance),
    }  # fmt: skip


def _alone(found: RecordScore, moved: Moved) -> list[float] | None:
    """Total variation between a field's law asked on its own and the mixture of its laws after each
    option of the other, from which `tv` is told: a model needn't agree with itself. None where it
    wasn't asked on its own."""
    own = next((each for each in found.fields if each.name == moved.b), None)
    if found.mode != "parallel" or own is None or moved.marginal is None:
        return None
    law = [Interval.point(0.0)] * len(moved.marginal)
    for option in own.options:
        law[option.index] = option.conditional
    return pair(tv_between(law, moved.marginal))


def explained_document(draw: Draw, record: dict[str, Any], provenance: Provenance) -> Document:
    """The free texts of a schema, generated after its decided fields: only those are decided."""
    return {
        "kind": "explained",
        "record": record,
        "text": draw.text.decode("utf-8", "replace"),
        "finished": draw.accepted,
        "tokens": draw.steps,
        "law": METHODS["masked"].law,
        "provenance": made_by(provenance),
    }
