"""Two methods at the same prompts: who is valid or right where, what differs, whether the alarm rings."""

import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from playground.study.labels import label_of
from playground.study.method_summary import Where, where
from playground.study.readings import Paired, Rate, Reading, Shift, paired, rate, shift
from playground.study.row import Row
from playground.study.salvage import NoJson, salvage

ALARM = 0.5
"""Nats a token by which constrained outputs must be less likely to the model than others."""
LISTED = 100
"""Most disagreements listed for a pair; the count is of all."""

Firsts = Mapping[str, Mapping[int, Row]]
"""Label -> index of a prompt -> the row that stands for the label there."""


class Pair(Reading):
    """Labels a and b at the prompts that both have, one answer each. p is that of one test:
    who looks at many pairs must allow for it."""

    a: str
    b: str
    valid: Paired
    right: Paired
    """At prompts with a gold answer; an invalid output is not right."""
    right_when_valid: Paired
    """At those of them where both are valid."""


class Disagreement(Reading):
    """A prompt at which two methods answer differently."""

    index: int
    item: str
    constrained: Where
    conditional: Where
    constrained_right: bool | None
    """None without a gold answer."""
    conditional_right: bool | None


class Disagreements(Reading):
    """Constrained decoding against draws from p_V, at the prompts where both are valid. Two draws
    of one law differ too, wherever it isn't sure of its answer."""

    constrained: str
    conditional: str
    share: Rate
    """Of the prompts at which both are valid."""
    listed: tuple[Disagreement, ...]


class Alarm(Reading):
    """Mean log p of a token in constrained outputs against unconstrained ones: a sign, no proof."""

    constrained: str
    free: str
    drop: Shift
    """Free less constrained, nats a token, over prompts."""
    raised: bool | None
    """`drop` is above ALARM in the mean; None without a prompt that both have."""


def pairs_of(firsts: Firsts, golds: Mapping[int, Any]) -> tuple[Pair, ...]:
    """Every two labels that have a prompt in common, in their order."""
    out = []
    for a, b in combinations(firsts, 2):
        both = _both(firsts, a, b)
        if not both:
            continue
        known = [(x, y) for x, y in both if x.index in golds]
        valid = [(x, y) for x, y in known if x.valid and y.valid]
        out.append(
            Pair(
                a=a,
                b=b,
                valid=paired((x.valid, y.valid) for x, y in both),
                right=paired((_right(x), _right(y)) for x, y in known),
                right_when_valid=paired((_right(x), _right(y)) for x, y in valid),
            )
        )
    return tuple(out)


def disagreements_of(firsts: Firsts) -> tuple[Disagreements, ...]:
    """Every masked label against every one that draws from p_V."""
    out = []
    for a in _of_target(firsts, "masked"):
        for b in _of_target(firsts, "conditional"):
            both = [(x, y) for x, y in _both(firsts, a, b) if x.valid and y.valid]
            apart = [(x, y) for x, y in both if delivered(x) != delivered(y)]
            out.append(
                Disagreements(
                    constrained=a,
                    conditional=b,
                    share=rate(len(apart), len(both)),
                    listed=tuple(_disagreement(x, y) for x, y in apart[:LISTED]),
                )
            )
    return tuple(out)


def alarms_of(firsts: Firsts) -> tuple[Alarm, ...]:
    """Every masked label against every unconstrained one."""
    out = []
    for a in _of_target(firsts, "masked"):
        for b in _of_target(firsts, "p"):
            drops = [
                free - constrained
                for x, y in _both(firsts, a, b)
                if (constrained := x.mean_log_p) is not None and (free := y.mean_log_p) is not None
            ]
            drop = shift(drops)
            raised = None if drop.mean is None else drop.mean > ALARM
            out.append(Alarm(constrained=a, free=b, drop=drop, raised=raised))
    return tuple(out)


def delivered(row: Row) -> str:
    """What a program would go on with, so that equal answers are equal texts: the JSON value that
    the schema was asked about, without blanks, keys sorted; else the text itself."""
    if row.in_schema is None:
        return row.text
    try:
        value = json.loads(salvage(row.text).json, parse_float=_number)
    except NoJson:
        return row.text
    return json.dumps(value, sort_keys=True)


def _number(text: str) -> float | int:
    """1.0 is 1, as JSON Schema has it."""
    value = float(text)
    return int(value) if value.is_integer() else value


def _disagreement(x: Row, y: Row) -> Disagreement:
    return Disagreement(
        index=x.index,
        item=x.item,
        constrained=where(x),
        conditional=where(y),
        constrained_right=None if x.category == "valid" else _right(x),
        conditional_right=None if y.category == "valid" else _right(y),
    )


def _right(row: Row) -> bool:
    return row.category == "right"


def _of_target(firsts: Firsts, target: str) -> list[str]:
    """Labels whose accepted draws have that law each, without a weight."""
    methods = {name: label_of(name).method for name in firsts}
    # What engines do is constrained decoding too, though its law isn't quite p~.
    return [
        name
        for name, method in methods.items()
        if method.target == target and (method.exact or target == "masked")
    ]


def _both(firsts: Firsts, a: str, b: str) -> Sequence[tuple[Row, Row]]:
    return [(row, firsts[b][index]) for index, row in firsts[a].items() if index in firsts[b]]
