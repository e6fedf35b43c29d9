"""What is known of a study's prompts before any is asked: how many there are, their gold answers."""

from collections.abc import Sequence
from typing import Any

from playground.study.items import SETS, PromptSet
from playground.study.prompts.base import Item
from playground.study.row import Row
from playground.study.spec import StudySpec


def built_in(spec: StudySpec) -> PromptSet | None:
    """The set that a study's prompts are of; None for a visitor's own."""
    return None if spec.items else SETS.get(spec.prompts.removeprefix("builtin:"))


def asked(spec: StudySpec) -> int:
    """How many prompts there are to ask."""
    of_split = [item for item in _made(spec) if spec.split in ("all", item.split)]
    return min(spec.n, len(spec.items or of_split))


def golds_of(spec: StudySpec, rows: Sequence[Row]) -> dict[int, Any]:
    """The gold answers of the prompts that have a row, by index; those without one are left out."""
    indices = {row.index: row.item for row in rows}
    if spec.items:
        golds = {index: spec.items[index].gold for index in indices if index < len(spec.items)}
    else:
        by_id = {item.id: item.gold for item in _made(spec)}
        golds = {index: by_id.get(name) for index, name in indices.items()}
    return {index: gold for index, gold in golds.items() if gold is not None}


def field_names(gold: Any) -> list[str]:
    """The fields that a gold answer is compared in: one without a name if it is no object."""
    return list(gold) if isinstance(gold, dict) else [""]


def _made(spec: StudySpec) -> tuple[Item, ...]:
    """The items of a built-in set, of all splits."""
    found = built_in(spec)
    return () if found is None else found.make()
