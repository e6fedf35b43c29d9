"""The levels of guarantee on the same prompts, as they run: documents, each of them whole."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import median

from playground.decoding.run import Cancelled
from playground.decoding.trace import Problem
from playground.models.rows import RowStore
from playground.models.turns import Turns
from playground.opened import Opened
from playground.page import problem_document
from playground.record import Document
from playground.session import Playground
from playground.studies import Study
from playground.study.classes import CLASSES
from playground.study.command import BUILTIN
from playground.study.labels import Label
from playground.study.method_summary import MethodSummary, summary_of
from playground.study.row import Row
from playground.study.spec import StudySpec
from playground.ui.levels_offence import offence
from playground.ui.levels_study import LEVELS, RAIL, Levels, prepared

GROUP = 8
"""Most prompts that are run together."""
PACE_STEPS = 12
"""Steps that are timed."""
PACE_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Pace:
    """What one run alone takes on this machine: measured once, so an estimate."""

    prefill_ms: float
    """Reading the prompt."""
    step_ms: float
    """The median of `steps` steps."""
    prompt: int
    """Tokens of the prompt."""
    steps: int


def pace_of(problem: Problem) -> Pace:
    """Reads the prompt and takes the likeliest token `PACE_STEPS` times, on a store of its own."""
    rows, model, path = RowStore(PACE_BYTES), problem.model, problem.prompt
    seconds = list[float]()
    for _ in range(PACE_STEPS + 1):
        if len(path) >= model.context:
            break
        started = time.perf_counter()
        row = rows.get(model, [path])[0]
        seconds.append(time.perf_counter() - started)
        path = (*path, int(row.argmax()))
    steps = seconds[1:] or [0.0]
    return Pace(1000 * seconds[0], 1000 * median(steps), len(problem.prompt), len(seconds) - 1)


def groups(count: int) -> list[range]:
    """The prompts 0..count-1, as they are run together: few, so that something is soon there."""
    size = max(1, min(GROUP, count // 6))
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


def rows_of(study: Study, group: range, cancelled: Cancelled) -> tuple[Row, ...] | None:
    """The rows of some prompts; None when cancelled."""
    part = replace(
        study,
        items=study.items[group.start : group.stop],
        prompts=study.prompts[group.start : group.stop],
        open=lambda index: study.open(index + group.start),
    )
    found = list[Row]()
    for chunk in range(len(part.chunks)):
        rows = part.run(chunk, cancelled)
        if rows is None:
            return None
        found += rows
    return tuple(row.model_copy(update={"index": row.index + group.start}) for row in found)


def levels_documents(
    playground: Playground, spec: StudySpec, opened: Opened, cancelled: Cancelled, turns: Turns
) -> Iterator[Document]:
    """The document of the levels, whole each time; the last one says `done` or `stopped`.

    Args:
        turns: taken for each group of prompts, so that its rows are held once, whoever runs levels.

    Raises:
        PlaygroundError: what is wrong with the prompts, the model or the constraint.
    """
    levels = prepared(playground, spec, opened, cancelled)
    with turns:
        pace = pace_of(opened.problem)
    rows, started = list[Row](), time.monotonic()

    def document(done: bool, stopped: bool) -> Document:
        return {
            "source": RAIL if spec.items else spec.prompts.removeprefix(BUILTIN),
            "n": len(levels.study.items),
            "drawn": len({row.index for row in rows}),
            "done": done,
            "stopped": stopped,
            "seconds": time.monotonic() - started,
            "problem": problem_document(opened.spec),
            "attempts": spec.attempts,
            "gold": any(item.gold is not None for item in levels.study.items),
            "pace": {
                "prefill_ms": pace.prefill_ms,
                "step_ms": pace.step_ms,
                "prompt": pace.prompt,
                "steps": pace.steps,
                "toy": opened.toy,
            },
            "levels": [level_document(levels, label, rows) for label in LEVELS],
        }

    yield document(False, False)
    for group in groups(len(levels.study.items)):
        with turns:
            fresh = None if cancelled() else rows_of(levels.study, group, cancelled)
        if fresh is None:
            yield document(False, True)
            return
        rows += fresh
        if group.stop < len(levels.study.items):
            yield document(False, False)
    yield document(True, False)


def level_document(levels: Levels, label: Label, rows: list[Row]) -> Document:
    """One level: what its rows so far come to, and an example of each class of failure."""
    head = {"level": label.level, "label": label.name}
    if label.name in levels.off:
        return {**head, "off": levels.off[label.name], "summary": None, "failures": []}
    study = levels.study
    mine = [row for row in rows if row.method == label.name]
    golds = {at: item.gold for at, item in enumerate(study.items) if item.gold is not None}
    summary = summary_of(label.name, mine, study.spec, golds)
    found = {(row.index, row.draw): row for row in mine}
    failures = [
        {
            "name": each.name,
            "words": each.words,
            "advice": each.advice,
            "count": each.count,
            "refused": each.refused,
            "example": example(levels, found[each.example.index, each.example.draw]),
        }
        for each in summary.failures
    ]
    return {
        **head,
        "off": "",
        "summary": summary_document(summary, mine),
        "failures": [*failures, *unclassed(levels, mine)],
    }


def summary_document(summary: MethodSummary, rows: list[Row]) -> Document:
    """The part of a summary that the screen shows, and what the refused attempts took."""
    shown = (
        "judge", "valid", "categories", "right", "right_when_valid", "tokens", "steps",
        "attempts", "bits", "unclassed",
    )  # fmt: skip
    document = summary.model_dump(mode="json", include=set(shown))
    return {**document, "most_attempts": max((row.attempts for row in rows), default=0)}


def unclassed(levels: Levels, rows: list[Row]) -> list[Document]:
    """Failures that are none of JSON: truncated, or refused by a constraint that is no schema."""
    kinds = {
        "truncated": (CLASSES["truncated"], "Raise the token limit."),
        "invalid": (
            "Not in the constraint's language",
            "Constrain, or say in the prompt what the text must look like.",
        ),
    }
    out = []
    for category, (words, advice) in kinds.items():
        mine = [row for row in rows if row.failure is None and row.category == category]
        if mine:
            out.append(
                {
                    "name": "truncated" if category == "truncated" else "language",
                    "words": words,
                    "advice": advice,
                    "count": len(mine),
                    "refused": len(mine),
                    "example": example(levels, mine[0]),
                }
            )
    return out


def example(levels: Levels, row: Row) -> Document:
    """A failed output with the place that is to blame; the prompt, seed and path that open it."""
    place = offence(row.text, row.failure, row.category, levels.automaton, levels.why)
    study = levels.study
    return {
        **place,
        "index": row.index,
        "item": row.item,
        "valid": row.valid,
        "attempts": row.attempts,
        "prompt": study.prompts[row.index],
        "seed": study.open(row.index).problem.sampling.seed,
        # A later attempt ran under another prompt.
        "path": list(row.path) if row.attempts == 1 else [],
    }
