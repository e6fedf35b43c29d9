"""Typed decisions as the JSON documents that the Decisions screen and the command line share."""

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from playground import __version__
from playground.decisions_found import Decided, Trained
from playground.errors import InvalidInput
from playground.exact.interval import Interval
from playground.fields.coherence import UNSEEN, multimodality
from playground.fields.evaluate import seen
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.law import (
    Mask,
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
from playground.fields.record_type import Law, RecordType, ordinal
from playground.fields.split import split_of
from playground.models.base import Provenance
from playground.record import Document
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


def made_by(found: Provenance) -> Document:
    """Which model and weights made the numbers of a document, and which version of this app."""
    return {
        "model": found.name,
        "revision": found.revision,
        "dtype": found.dtype,
        "kind": found.kind,
        "device": found.device,
        "app": __version__,
    }


def training_document(
    found: Trained,
    spec: TrainingSpec,
    record_type: RecordType,
    test: int,
    file: bytes | None,
    provenance: Provenance,
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
        "provenance": made_by(provenance),
    }


def untaught_document(record_type: RecordType) -> list[list[Any]]:
    """`[[field, [labels]], ...]`: options that no built-in ticket has, so that training on them
    can't teach them; it only makes them rarer.

    Raises:
        InvalidInput: a ticket's label is no record of the type.
    """
    labels = split_of("train", record_type).labels
    found = []
    for field, column in zip(record_type.fields, labels.T, strict=True):
        counts = np.bincount(column, minlength=field.size)
        left = [label for label, n in zip(field.labels, counts, strict=True) if not n]
        found += [[field.name, left]] if left else []
    return found


def decision_document(
    found: Decided, record_type: RecordType, spec: HeadSpec, text: str, provenance: Provenance
) -> Document:
    """One text as a head decides it."""
    decision, law = found.decision, found.law
    mask, means = trained_on(record_type)
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
        "stands": stands(record_type, decision.indices[0].tolist()),
        "p_record": float(decision.record[0]),
        "fields": fields,
        **together_document(law, record_type, mask),
        "allowed_means": means,
        "known": "exact",
        "provenance": made_by(provenance),
    }


def stands(record_type: RecordType, indices: Sequence[int]) -> list[str]:
    """What the numbers and days of a record stand for, in words: those that are one of a bin.

    Args:
        record_type: of the record.
        indices: (F,) its options.
    """
    out = []
    for field, at in zip(record_type.fields, indices, strict=True):
        option = field.options[at]
        if option.lower is None or option.upper is None or str(option.value) == option.label:
            continue
        found = ordinal(option.value) if isinstance(option.value, str) else option.value
        middle, width = (option.lower + option.upper) / 2, option.upper - option.lower
        near = isinstance(found, int | float) and abs(found - middle) <= max(1.0, width / 16)
        one = "the middle of its bin" if near else "one of its bin"
        out.append(
            f"{field.name} {option.value} is {one}, {option.label}: the bin is what is decided."
        )
    return out


def trained_on(record_type: RecordType) -> tuple[Mask | None, str]:
    """(n_1, ..., n_F) True for the combinations of the training labels, and what the others are; None
    and why where no built-in ticket is a record of that type."""
    try:
        return seen(split_of("train", record_type).labels, record_type), UNSEEN
    except InvalidInput as error:
        return (
            None,
            f"Not judged by training labels: they are no records of this schema. {error.what}",
        )


def together_document(law: Law, record_type: RecordType, mask: Mask | None) -> Document:
    """How the fields of a law hang together: every two of them, and how far one moves another.

    Args:
        law: of one text.
        record_type: whose fields are meant.
        mask: (n_1, ..., n_F) the combinations that go together; a pair's `allowed` says which of its
            options occur in one of them, and is null where it is None.
    """
    names = record_type.names
    pairs = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            joint = onto(law, (a, b))
            others = tuple(at for at in range(len(names)) if at not in (a, b))
            pairs.append(
                {
                    "a": names[a],
                    "b": names[b],
                    "joint": joint.tolist(),
                    "product": product(marginals(joint)).tolist(),
                    "tc_bits": total_correlation(joint),
                    "allowed": None if mask is None else mask.any(axis=others).tolist(),
                }
            )
    return {"pairs": pairs, "coupling": coupling(law).tolist(), "tc_bits": total_correlation(law)}


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
