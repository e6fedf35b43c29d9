"""A head measured on test tickets: accuracy, calibration, coherence."""

import copy
from typing import TYPE_CHECKING

import numpy as np

from playground.decisions_found import Evaluated, FieldMeasured
from playground.fields.calibration import Scored, measured
from playground.fields.coherence import correlations, counted, incoherence, unseen
from playground.fields.evaluate import field_accuracy, field_laws, whole_record
from playground.fields.features import Features
from playground.fields.split import Split, gold_laws, split_of

if TYPE_CHECKING:  # torch is slow to import
    from playground.fields.heads import Head


def evaluated(
    head: "Head", test: Split, features: Features, held: tuple[Split, Features] | None, seed: int
) -> Evaluated:
    """A head on test tickets.

    Args:
        head: trained on tickets.
        test: tickets of the split test.
        features: their states.
        held: tickets of the head's dev with theirs, on which thresholds are chosen.
        seed: of the bootstraps.
    """
    record_type = head.record_type
    laws = head.laws(features)
    indices = head.decide(features).indices
    known = split_of("train", record_type).labels
    allowed = ~unseen(known, record_type.sizes)
    order = tuple(record_type.position(name) for name in head.spec.order) or (0,)
    return Evaluated(
        len(test.texts),
        _fields(head, test, features, held, seed),
        whole_record(indices, test.labels),
        incoherence(laws, allowed, order, seed),
        dev=None if held is None else len(held[0].texts),
        decided_incoherent=counted(indices, allowed),
        gold_incoherent=counted(test.labels, allowed),
        correlations=tuple(correlations(laws, seed)),
        gold_correlations=tuple(correlations(gold_laws(test, record_type), seed)),
    )


def _fields(
    head: "Head", test: Split, features: Features, held: tuple[Split, Features] | None, seed: int
) -> tuple[FieldMeasured, ...]:
    """Each field before and after its temperature."""
    names, temperatures = head.record_type.names, head.temperatures
    right = field_accuracy(head.decide(features).indices, test.labels, names)
    cold, warm = (field_laws(each.laws(features)) for each in (untempered(head), head))
    dev = None
    if held is not None:
        gold = held[0].labels
        laws = enumerate(head.marginals(held[1]))
        dev = [Scored("dev", law, gold[:, at]) for at, law in laws]
    found = []
    for at, name in enumerate(names):
        gold = test.labels[:, at]
        scored = Scored("test", warm[at], gold)
        rng = np.random.default_rng(seed)
        found.append(
            FieldMeasured(
                name,
                right[name],
                float(np.bincount(gold).max() / len(gold)),
                temperatures[name],
                measured(Scored("test", cold[at], gold), rng),
                measured(scored, rng),
                scored,
                None if dev is None else dev[at],
            )
        )
    return tuple(found)


def untempered(head: "Head") -> "Head":
    """A copy whose temperatures are 1."""
    cold = copy.deepcopy(head)
    cold.set_temperatures(dict.fromkeys(head.record_type.names, 1.0))
    return cold
