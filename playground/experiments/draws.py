"""Drawing an answer in every arm at every prompt, some prompts at a time."""

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar

from playground.decoding.accept import LANGUAGE, Accept
from playground.experiments.base import Bench, Share, Stopped
from playground.judge import accept_of
from playground.study.answer import Answer
from playground.study.items import Item
from playground.study.labels import label_of
from playground.study.row import compared
from playground.study.runner import Task, chunks, run_chunk
from playground.study.salvage import NoJson, salvage
from playground.study.spec import StudySpec

T = TypeVar("T")
Answers = Mapping[str, Sequence[Answer]]
"""By arm, in the prompts' order."""


def answers(
    bench: Bench, arms: Mapping[str, StudySpec]
) -> Generator[Share, None, dict[str, list[Answer]]]:
    """One answer of each arm's first method at each of its prompts, by arm, in the prompts' order.
    Arms of one chunk run beside each other, and share the prompts that they have in common.

    Raises:
        Stopped: cancelled.
        PlaygroundError: a constraint can't be compiled, a prompt is too long.
    """
    studies = {name: bench.studies.prepare(spec, bench.cancelled) for name, spec in arms.items()}
    count = max(len(study.items) for study in studies.values())
    found: dict[str, list[Answer]] = {name: [] for name in arms}
    yield Share(0, count)
    for chunk in chunks(count):
        tasks, names = list[Task](), list[str]()
        for index in chunk:
            for name, study in studies.items():
                label = label_of(study.spec.methods[0])
                accept = _accept(study.spec, study.constraint.kind)
                tasks.append(Task(index, label, study.open(index).problem, accept, 1))
                names.append(name)
        for name, (_, _, answer) in zip(names, run_chunk(tasks, bench.cancelled), strict=False):
            found[name].append(answer)
        if bench.cancelled():
            raise Stopped
        yield Share(chunk.stop, count)
    return found


def _accept(spec: StudySpec, kind: str) -> Accept:
    """By the whole schema where there is one."""
    if spec.constraint is None or kind != "schema":
        return LANGUAGE
    return accept_of(spec.constraint, "schema")


def scored(
    items: Sequence[Item], found: Answers, score: Callable[[Item, Answer], T]
) -> dict[str, list[T]]:
    """What `score` says of each answer, by arm, in the prompts' order."""
    return {
        arm: [score(item, answer) for item, answer in zip(items, each, strict=True)]
        for arm, each in found.items()
    }


def tokens_of(found: Answers) -> dict[str, list[float]]:
    """Tokens of each answer, by arm."""
    return {arm: [float(answer.tokens) for answer in each] for arm, each in found.items()}


def truncated_of(found: Answers) -> dict[str, list[bool]]:
    """Whether the token limit cut each answer off, by arm."""
    return {arm: [not answer.ended for answer in each] for arm, each in found.items()}


def valid_of(found: Answers) -> dict[str, list[bool]]:
    """Whether each answer is valid, by arm."""
    return {arm: [answer.accepted for answer in each] for arm, each in found.items()}


def right_fields_of(items: Sequence[Item], found: Answers) -> dict[str, list[float]]:
    """The share of fields that each answer has right, by arm."""
    return scored(items, found, lambda item, answer: fields_right(item.gold, parsed(answer.text)))


def parsed(text: str) -> Any:
    """The JSON value in a text; None without one."""
    try:
        return json.loads(salvage(text).json)
    except NoJson:
        return None


def fields_right(gold: Mapping[str, Any], value: Any) -> float:
    """The share of the fields of `gold` that `value` has right."""
    right = compared(gold, value)
    return sum(right.values()) / len(right)
