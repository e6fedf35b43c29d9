"""Typed decisions as the JSON documents that the Decisions screen and the command line share."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from playground.decisions_found import Decided, Trained
from playground.exact.interval import Interval
from playground.fields.coherence import multimodality
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.law import (
    coupling,
    entropy,
    margin,
    marginals,
    onto,
    product,
    total_correlation,
)
from playground.fields.modes import toy
from playground.fields.positions import mixing, outputs
from playground.fields.record_type import Law, RecordType
from playground.fields.scores import LENGTH_WARNING, Moved, RecordScore
from playground.record import Document, number
from playground.study.readings import Rate

PASSES = 3
"""Refining passes of the sentences without an order."""
DRAWS = 2_000
"""Sentences drawn by each way."""


def type_document(
    name: str, title: str, about: str, found: RecordType, trainable: bool
) -> Document:
    """A record type: its fields with their options, and its rules."""
    return {
        "name": name,
        "title": title,
        "about": about,
        "schema": found.schema,
        "fields": [
            {
                "name": field.name,
                "kind": field.kind,
                "description": field.description,
                "options": list(field.labels),
            }
            for field in found.fields
        ],
        "combinations": found.combinations,
        "allowed": None if found.allowed is None else len(found.allowed),
        "notes": list(found.notes),
        "trainable": trainable,
    }


def training_document(
    found: Trained, spec: TrainingSpec, record_type: RecordType, test: int, file: bytes | None
) -> Document:
    """A training under way, or its end with the head's file."""
    best = next((each.epoch for each in reversed(found.epochs) if each.best), None)
    return {
        "kind": "training",
        "stage": "training" if found.epochs else "features",
        "features": {"done": found.reading[0], "total": found.reading[1]},
        "sizes": {"train": found.sizes[0], "dev": found.sizes[1], "test": test},
        "epochs": [
            {
                "epoch": each.epoch,
                "train_loss": each.train_loss,
                "dev_loss": each.dev_loss,
                "dev_accuracy": dict(zip(record_type.names, each.dev_accuracy, strict=True)),
            }
            for each in found.epochs
        ],
        "best": best,
        "stopped": found.stopped,
        "done": found.head is not None or found.stopped,
        "seconds": found.seconds,
        "parameters": None
        if found.head is None
        else sum(weights.numel() for weights in found.head.parameters()),
        "temperatures": None if found.head is None else found.head.temperatures,
        "head": None if file is None else base64.b64encode(file).decode(),
        "file": f"tickets-{spec.head.kind}.safetensors",
        "hash": record_type.hash,
        "spec": spec.model_dump(mode="json"),
    }


def decision_document(
    found: Decided, record_type: RecordType, spec: HeadSpec, text: str
) -> Document:
    """One text as a head decides it."""
    decision, law = found.decision, found.law
    fields = [
        {
            "name": field.name,
            "decided": int(decision.indices[0, at]),
            "confidence": float(decision.confidence[0, at]),
            "marginal": float(decision.marginal[0, at]),
            "options": [
                {"label": label, "p": float(p)} for label, p in zip(field.labels, own, strict=True)
            ],
            "entropy_bits": entropy(own),
            "margin": margin(own),
        }
        for at, (field, own) in enumerate(zip(record_type.fields, marginals(law), strict=True))
    ]
    return {
        "kind": "decision",
        "text": text,
        "tokens": found.tokens,
        "truncated": found.truncated,
        "head": spec.model_dump(mode="json"),
        "ms": {"prefill": found.read_ms, "head": found.head_ms},
        "record": found.record,
        "p_record": float(decision.record[0]),
        "fields": fields,
        **together_document(law, record_type),
        "known": "exact",
    }


def together_document(law: Law, record_type: RecordType) -> Document:
    """How the fields of a law hang together: every two of them, and how far one moves another."""
    names = record_type.names
    pairs = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            joint = onto(law, (a, b))
            pairs.append(
                {
                    "a": names[a],
                    "b": names[b],
                    "joint": joint.tolist(),
                    "product": product(marginals(joint)).tolist(),
                    "tc_bits": total_correlation(joint),
                    "allowed": None,
                }
            )
    return {"pairs": pairs, "coupling": coupling(law).tolist(), "tc_bits": total_correlation(law)}


def scores_document(
    found: RecordScore, moved: Sequence[Moved] = (), normalised: bool = False
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
             "mean": None if each.mean is None else pair(each.mean)}
            for each in moved
        ],
        "rows": found.rows,
        "passes": found.passes,
        "counted": found.counted,
        "options": sum(len(each.options) for each in found.fields),
        "steps_of_generation": found.decoding_steps,
        "done": found.finished,
    }  # fmt: skip


def coherence_document(law: Law, record_type: RecordType) -> Document:
    """A joint law of two fields beside what is left of it where they are decided apart."""
    found = multimodality(law, record_type.mask, (0,))
    a, b = record_type.fields
    return {
        "names": [a.name, b.name],
        "options": {"a": list(a.labels), "b": list(b.labels)},
        "joint": found.law.tolist(),
        "product": found.factorised.tolist(),
        "tc_bits": found.total_correlation,
        "incoherent": found.incoherent,
        "known": "exact",
    }


def positions_document() -> Document:
    """Sentences whose words are drawn apart, beside those drawn from left to right."""
    made = toy()
    names = {
        "exact": "exact",
        "autoregressive": "from left to right",
        "factorised": "every position apart",
        "one-by-one": "apart, then redrawn one by one",
        "at-once": "apart, then redrawn at once",
    }
    found = mixing(made, np.random.default_rng(0), DRAWS, PASSES)
    return {
        "modes": [made.text(at) for at in made.indices],
        "draws": DRAWS,
        "laws": [
            {
                "name": names[each.method] + (f", pass {each.passes}" if each.passes else ""),
                "texts": [
                    {"text": one.text, "p": one.p, "mixed": one.mixed}
                    for one in outputs(made, each.law)
                ],
                "mixed": each.mixed,
                "drawn": estimate_document(each.drawn),
                "tc_bits": each.total_correlation,
                "calls": each.calls,
                "known": "exact",
            }
            for each in found
        ],
    }


def rate_document(found: Rate) -> Document:
    return found.model_dump()


def estimate_document(found: Any) -> Document:
    """An estimate of `fields.law`: value, interval and how it is known."""
    return {
        "value": found.value,
        "lower": found.interval.lower,
        "upper": found.interval.upper,
        "known": found.how,
    }


def pair(found: Interval) -> list[float]:
    """Lower and upper end."""
    return [found.lower, found.upper]
