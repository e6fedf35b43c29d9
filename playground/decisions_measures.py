"""An evaluation of a head as JSON: accuracy, calibration, coherence, policies."""

from playground.decisions_found import Evaluated, FieldMeasured
from playground.decisions_record import estimate_document, made_by, rate_document
from playground.fields.policy import Costs, Outcome, at, choices, chosen, curve, follow
from playground.fields.record_type import RecordType
from playground.fields.reliability import Bin
from playground.models.base import Provenance
from playground.record import Document, number


def evaluation_document(
    found: Evaluated, record_type: RecordType, costs: dict[str, Costs], provenance: Provenance
) -> Document:
    """A head on test: accuracy, calibration, coherence, and what policies come to."""
    names = record_type.names
    gold = {each.fields: each for each in found.gold_correlations}
    return {
        "kind": "evaluation",
        "n": {"test": found.n, "dev": found.dev},
        "fields": [field_document(each) for each in found.fields],
        "record_right": rate_document(found.record),
        "incoherent": [
            *(
                {"of": f"this head, used as {each.method}, drawn", **estimate_document(each.drawn)}
                for each in found.incoherent
            ),
            {"of": "this head, decided", **estimate_document(found.decided_incoherent)},
            {"of": "the right answers", **estimate_document(found.gold_incoherent)},
        ],
        "incoherent_means": found.incoherent_means,
        "tc": [
            {
                "a": names[each.fields[0]],
                "b": names[each.fields[1]],
                **estimate_document(each.mean),
                "mixed": each.mixed,
                "gold": gold[each.fields].mean.value,
                "gold_mixed": gold[each.fields].mixed,
            }
            for each in found.correlations
        ],
        "policy": {
            each.name: policy_document(each, costs[each.name], record_type) for each in found.fields
        },
        "known": "estimated",
        "provenance": made_by(provenance),
    }


def field_document(found: FieldMeasured) -> Document:
    """One field's accuracy and calibration, before and after its temperature."""
    before, after = found.before, found.after
    return {
        "name": found.name,
        "accuracy": rate_document(found.accuracy),
        "majority": found.majority,
        "temperature": found.temperature,
        "nll": number(before.nll),
        "nll_after": number(after.nll),
        "brier": before.brier,
        "brier_after": after.brier,
        "ece": before.ece.value,
        "ece_after": after.ece.value,
        "ece_by_chance": after.ece.by_chance,
        "auc": after.auc.model_dump(),
        "bins": [bin_document(one) for one in before.bins],
        "bins_after": [bin_document(one) for one in after.bins],
    }


def policy_document(found: FieldMeasured, costs: Costs, record_type: RecordType) -> Document:
    """What a cost table does with one field's laws on test: by each threshold, by the one that is
    best on dev, and by least expected cost."""
    options = record_type.fields[record_type.position(found.name)].labels
    choice = choices(found.scored, costs)
    least = None
    if found.dev is not None:
        threshold = chosen(curve(choices(found.dev, costs), costs)).threshold
        assert threshold is not None, "a curve is made of thresholds"
        least = point_document(at(choice, costs, threshold))
    return {
        "options": list(options),
        "costs": costs.matrix.tolist(),
        "abstain": costs.abstain,
        "curve": [point_document(each) for each in curve(choice, costs).points],
        "least": least,
        "expected": point_document(follow(found.scored, costs)),
        "routed": list(follow(found.scored, costs).routed),
    }


def point_document(found: Outcome) -> Document:
    """One policy's outcome on test, flat."""
    return {
        "threshold": found.threshold,
        "coverage": found.coverage.value,
        "accuracy": found.selective.value,
        "low": found.selective.lower,
        "high": found.selective.upper,
        "cost": found.paid.value,
        "cost_low": found.paid.interval.lower,
        "cost_high": found.paid.interval.upper,
        "expected": found.expected,
        "same": found.same,
    }


def bin_document(found: Bin) -> Document:
    return {
        "lower": found.lower,
        "upper": found.upper,
        "n": found.n,
        "confidence": found.mean_confidence,
        "accuracy": found.accuracy,
        "low": None if found.interval is None else found.interval.lower,
        "high": None if found.interval is None else found.interval.upper,
    }
