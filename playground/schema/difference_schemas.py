"""The difference between two JSON Schemas: that of their masks, without what only the masks' spelling makes."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from playground.constraints.dfa import DEAD, ByteDFA, told_apart, trimmed
from playground.constraints.limits import Limits
from playground.constraints.spec import ConstraintSpec
from playground.schema.difference import difference
from playground.schema.reading import read
from playground.schema.reference import reference_verdicts


class Side(NamedTuple):
    """One constraint with a JSON Schema."""

    spec: ConstraintSpec
    schema_text: str
    dfa: ByteDFA


def schema_difference(left: Side, right: Side, limits: Limits) -> dict[str, Any]:
    """`difference` of two masks of JSON Schemas, seen by the schemas too.

    Texts without `\\uXXXX` escapes come first: masks offer these escapes in some places only. Where
    a side has no other texts of its own, and the other schema allows the one found, that side has
    none: `how` says so. A text without such escapes that the other schema allows is kept, and its
    note says that only the other mask forbids it.

    Args:
        left: one constraint.
        right: the other.
        limits: of the child process that asks the reference judge.
    """
    found = difference(left.dfa, right.dfa)
    if found["equal"] is not False:
        return found
    raw = _raw_difference(left.dfa, right.dfa)
    for name, other in (("only_left", right), ("only_right", left)):
        text = raw[name] or found[name]
        if text is not None and _allows(other, text["text"], limits):
            if raw[name] is None:
                found["how"] += (
                    f"; texts with \\u escapes, such as {text['text'][:80]}, are not counted where "
                    "only a mask forbids them, not its schema"
                )
                text = None
            else:
                said = "Its schema allows the text: only the mask forbids it."
                text = {**text, "note": f"{text['note']} {said}"}
        found[name] = text
    found["equal"] = found["only_left"] is None and found["only_right"] is None
    return found


def without_escapes(dfa: ByteDFA) -> ByteDFA | None:
    """The texts of a JSON language that hold no `\\u` escape; None where there are none."""
    classes, moves = told_apart(dfa, b"\\u")
    backslash, letter, n = classes[ord("\\")], classes[ord("u")], len(dfa)
    plain, after = moves.copy(), moves.copy()
    ahead = plain[:, backslash]
    plain[:, backslash] = np.where(ahead == DEAD, DEAD, ahead + n)
    after[:, letter] = DEAD
    found = trimmed(np.concatenate((plain, after)), 0, np.concatenate((dfa.final, dfa.final)))
    return None if found is None else replace(found, classes=found.classes[classes])


def _raw_difference(left: ByteDFA, right: ByteDFA) -> dict[str, Any]:
    one, other = without_escapes(left), without_escapes(right)
    if one is None or other is None:
        return {"only_left": None, "only_right": None, "equal": None}
    return difference(one, other)


def _allows(side: Side, text: str, limits: Limits) -> bool:
    verdicts, _ = reference_verdicts(
        side.spec, [text], [read(text)], schema_text=side.schema_text, limits=limits
    )
    return bool(verdicts[0]["status"] == "valid")
