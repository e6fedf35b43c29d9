"""What the rows of one method come to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from playground.study.classes import ADVICE, CLASSES
from playground.study.golds import built_in, field_names
from playground.study.labels import KEEPING, label_of
from playground.study.readings import (
    Auc,
    Bounds,
    Cost,
    Rate,
    Reading,
    Spread,
    auc,
    bounds,
    cost,
    rate,
    spread,
)
from playground.study.row import CATEGORIES, Category, Row
from playground.study.spec import StudySpec

SMALL = 30
"""Prompts below which an interval is shown and no mean is put forward."""
JUDGES: Mapping[str, str] = {
    "language": "the mask's language, and ended by the model",
    "schema": "the whole text matches the JSON Schema",
    "salvaged": "the JSON found in the text matches the JSON Schema",
    "syntax": "the whole text is JSON",
}
"""Name of a V -> what is valid by it."""
HANGING = ("asap", *KEEPING)
"""Methods whose draws at one prompt depend on one another: no interval counts several of them."""


class Where(Reading):
    """Which row: a study has one for each prompt, label and draw."""

    index: int
    method: str
    draw: int


class Field(Reading):
    """How often a field has the gold value."""

    of_valid: Rate
    of_all: Rate
    """An invalid output counts as wrong."""


class Failure(Reading):
    """Outputs of one class of invalid JSON."""

    name: str
    words: str
    advice: str
    count: int
    refused: int
    """Of them invalid by the V of the label too; the others were salvaged, or V asks for less."""
    example: Where
    """The first, a refused one where there is one."""


class Squeeze(Reading):
    """log2 s(y) of the texts for which it could be bounded, in bits: above 0, masking gives a text
    more often than p_V does."""

    mean: Bounds
    above: int
    """Proved to be above 0."""
    below: int


class PromptRates(Reading):
    """Prompts that had `valid` of `draws` valid."""

    valid: int
    draws: int
    prompts: int


class MethodSummary(Reading):
    """One column of a study. Rates count all draws; AUCs take one answer a prompt (`answers`)."""

    label: str
    title: str
    law: str
    level: str
    """`1`, `1.5`, `2`, `3`, or empty."""
    judge: str
    """The V by which its outputs count as valid: a key of JUDGES."""
    prompts: int
    draws: int
    small: bool
    """Fewer than SMALL prompts."""
    valid: Rate
    """By `judge`."""
    by_judge: dict[str, Rate | None]
    """By every V, whatever the label's own; None where there is no schema."""
    categories: dict[Category, Rate]
    """Of all draws; the counts sum to them."""
    right: Rate
    """All fields right, of the draws at prompts with a gold answer: an invalid output is wrong."""
    right_when_valid: Rate
    fields: dict[str, Field]
    ungrounded: dict[str, Rate]
    """Pointer -> share of the judged answers whose value there isn't in the source."""
    yes_right: Spread
    """p(yes) of right answers."""
    yes_wrong: Spread
    yes_auc: Auc
    """Of p(yes): a right answer has more than a wrong one."""
    failures: tuple[Failure, ...]
    """The most frequent first."""
    unclassed: int
    """Invalid outputs that are no failure of the JSON: the mask's language refuses them, or there
    is no schema."""
    tokens: Cost
    steps: Cost
    """Tokens one after another."""
    attempts: Cost
    rows: Cost
    bits: Spread
    """What the mask took away: -log2 of the product of its Z_t."""
    squeeze: Squeeze | None
    mean_log_p: Spread
    """Nats a token."""
    log_p_auc: Auc
    """Of -mean_log_p: a wrong answer has more than a right one, so that the alarm flags it."""
    by_prompt: tuple[PromptRates, ...]
    """How the valid rate spreads over prompts; empty for one draw a prompt."""


def summary_of(
    name: str, rows: Sequence[Row], spec: StudySpec, golds: Mapping[int, Any]
) -> MethodSummary:
    """The summary of the rows of the label `name`, in their order.

    Args:
        golds: gold answer of a prompt by its index; without those that have none.
    """
    label = label_of(name)
    valid = [row for row in rows if row.valid]
    known = [row for row in rows if row.index in golds]
    firsts = answers(name, rows).values()
    right = [row for row in firsts if row.category == "right"]
    wrong = [row for row in firsts if row.category == "wrong"]
    prompts = len({row.index for row in rows})
    loose = label.method.name not in HANGING or len(rows) == prompts
    of_kind = Counter(row.category for row in rows)
    return MethodSummary(
        label=name,
        title=label.title,
        law=label.law,
        level=label.level,
        judge=judge_of(name, rows, spec),
        prompts=prompts,
        draws=len(rows),
        small=prompts < SMALL,
        valid=rate(len(valid), len(rows), loose),
        by_judge=_by_judge(rows, loose),
        categories={kind: rate(of_kind[kind], len(rows), loose) for kind in CATEGORIES},
        right=rate(of_kind["right"], len(known), loose),
        right_when_valid=rate(of_kind["right"], of_kind["right"] + of_kind["wrong"], loose),
        fields=_fields(known, golds, loose),
        ungrounded=_ungrounded(rows, spec, loose),
        yes_right=spread(row.p_yes for row in valid if row.category == "right"),
        yes_wrong=spread(row.p_yes for row in valid if row.category == "wrong"),
        yes_auc=auc(_known(row.p_yes for row in right), _known(row.p_yes for row in wrong)),
        failures=_failures(rows),
        unclassed=sum(
            row.category in ("invalid", "truncated") and row.failure is None for row in rows
        ),
        tokens=cost([row.tokens for row in rows], len(valid)),
        steps=cost([row.steps for row in rows], len(valid)),
        attempts=cost([row.attempts for row in rows], len(valid)),
        rows=cost([row.rows for row in rows], len(valid)),
        bits=spread(row.bits for row in rows),
        squeeze=_squeeze(rows),
        mean_log_p=spread(row.mean_log_p for row in rows),
        log_p_auc=auc(_unlikeliness(wrong), _unlikeliness(right)),
        by_prompt=_by_prompt(rows) if spec.draws > 1 else (),
    )


def judge_of(name: str, rows: Sequence[Row], spec: StudySpec) -> str:
    """The V of a label: a retry is judged after salvage where the study says so and has a schema."""
    has_schema = spec.valid != "language" or any(row.in_schema is not None for row in rows)
    return spec.judge_of(name, has_schema)


def answers(name: str, rows: Sequence[Row]) -> dict[int, Row]:
    """Index of a prompt -> the one row that stands for the label `name` there: its first draw; of a
    method that seeks a valid one the first valid draw, if any."""
    out: dict[int, Row] = {}
    seeks = label_of(name).keeps
    for row in rows:
        before = out.get(row.index)
        if before is None:
            if row.draw == 0:
                out[row.index] = row
        elif seeks and row.valid and not before.valid:
            out[row.index] = row
    return out


def where(row: Row) -> Where:
    """Which row it is."""
    return Where(index=row.index, method=row.method, draw=row.draw)


def _known(values: Iterator[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _unlikeliness(rows: Sequence[Row]) -> list[float]:
    return [-value for value in _known(row.mean_log_p for row in rows)]


def _by_judge(rows: Sequence[Row], loose: bool) -> dict[str, Rate | None]:
    out: dict[str, Rate | None] = {}
    for judge in JUDGES:
        said = [getattr(row, f"in_{judge}") for row in rows]
        counted = [each for each in said if each is not None]
        out[judge] = None if said and not counted else rate(sum(counted), len(counted), loose)
    return out


def _fields(rows: Sequence[Row], golds: Mapping[int, Any], loose: bool) -> dict[str, Field]:
    """Of rows at prompts with a gold answer."""
    of_all, of_valid, right = Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        of_all.update(field_names(golds[row.index]))
        for name, same in (row.fields or {}).items():
            of_valid[name] += 1
            right[name] += same
    return {
        name: Field(
            of_valid=rate(right[name], of_valid[name], loose),
            of_all=rate(right[name], count, loose),
        )
        for name, count in of_all.items()
    }


def _ungrounded(rows: Sequence[Row], spec: StudySpec, loose: bool) -> dict[str, Rate]:
    asked = [row.ungrounded for row in rows if row.ungrounded is not None]
    missing = Counter(pointer for pointers in asked for pointer in pointers)
    found = built_in(spec)
    pointers = dict.fromkeys([*(found.grounded if found else ()), *sorted(missing)])
    return {pointer: rate(missing[pointer], len(asked), loose) for pointer in pointers}


def _failures(rows: Sequence[Row]) -> tuple[Failure, ...]:
    out = []
    for name in CLASSES:
        failed = [row for row in rows if row.failure == name]
        refused = [row for row in failed if not row.valid]
        if failed:
            out.append(
                Failure(
                    name=name,
                    words=CLASSES[name],
                    advice=ADVICE[name],
                    count=len(failed),
                    refused=len(refused),
                    example=where((refused or failed)[0]),
                )
            )
    return tuple(sorted(out, key=lambda failure: -failure.count))


def _squeeze(rows: Sequence[Row]) -> Squeeze | None:
    known = [row.squeeze for row in rows if row.squeeze is not None]
    mean = bounds(known)
    if mean is None:
        return None
    return Squeeze(
        mean=mean,
        above=sum(lower > 0 for lower, _ in known),
        below=sum(upper < 0 for _, upper in known),
    )


def _by_prompt(rows: Sequence[Row]) -> tuple[PromptRates, ...]:
    draws = Counter(row.index for row in rows)
    valid = Counter(row.index for row in rows if row.valid)
    alike = Counter((valid[index], count) for index, count in draws.items())
    return tuple(
        PromptRates(valid=valid, draws=draws, prompts=prompts)
        for (valid, draws), prompts in sorted(alike.items())
    )
